#!/bin/sh
# SPDX-License-Identifier: MIT
# core/ and backends/ are pure, and the rest of the library reaches the machine
# only through what it is given: all that their objects leave undefined is on
# these lists. strtod() and printf of floats are not, they follow the locale.
# backends/linux/os.c, os_run.c and os_self.c are what is given: they alone call the system.
# Except sim/trap.c: code under test executes rdpmc itself, past any seam, so only a
# signal handler can answer it. It may take and pass on signals, and of system calls
# make two: rseq(2), as a signal would abort the sequence that rdpmc stands in, and
# arch_prctl(2), as CPUID faults only on demand.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
memory='bcmp calloc free malloc realloc qsort memchr memcmp memcpy memmove memset _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __memcpy_chk __memmove_chk __memset_chk'
text='strcasecmp strchr strcmp strcspn strlen strncasecmp strncmp strpbrk strrchr strspn strstr __ctype_b_loc snprintf vsnprintf __snprintf_chk __vsnprintf_chk'
number='strtol strtoul strtoull __isoc23_strtol __isoc23_strtoul __isoc23_strtoull'
math='ceil fabs fmax fmin floor'
reader='strdup strndup strerror csv_free csv_init csv_parse csv_set_delim csv_set_quote'
json='json_object_get_int64 json_object_get_object json_object_get_string json_object_get_string_len json_object_get_uint64 json_object_is_type json_object_put'
json="$json json_tokener_error_desc json_tokener_free json_tokener_get_error json_tokener_get_parse_end json_tokener_new_ex json_tokener_parse_ex json_tokener_reset"
trap='sigaction raise syscall __errno_location __rseq_offset __rseq_size __tls_get_addr'
live='bsearch memmem qsort strdup strndup strerror __popcountdi2 td_os_linux'

# undefined symbols of objects that are neither ours nor allowed (__aarch64_*: atomic operations of libgcc)
check() { # WHAT ALLOWED OBJECTS
    what=$1 allowed=$2 found=0
    shift 2
    for object in "$@"; do
        case $object in *'*'*|*/tests_*) continue ;; esac
        case $what:$object in sim:*/trap.o) continue ;; esac
        case ${object#"$TD_BUILDDIR"/backends/linux/} in os.o|os_run.o|os_self.o|.libs/os.o|.libs/os_run.o|.libs/os_self.o) continue ;; esac
        found=1
        for symbol in $(nm -u "$object" | awk 'NF { print $NF }' | sed 's/@.*//' | grep -v ':$'); do
            # the machine itself is for those only that may choose it
            case $symbol in td_os_linux|td_os_run_*|td_os_self_*) ;; td_*|__asan_*|__ubsan_*|__sanitizer_*|__sancov_*|__odr_asan*|__gcov*|llvm_*|__llvm_*|__aarch64_*) continue ;; esac
            echo " $allowed " | grep -qF " $symbol " || fail "$what: ${object##*/} uses $symbol"
        done
    done
    [ $found = 1 ] || fail "no objects of $what in $TD_BUILDDIR"
}
# every source of a folder has its object, so none is left out of the check
built() { # FOLDER
    for source in "$TD_SRCDIR/$1"/*.c; do
        object=$(basename "$source" .c).o
        [ -e "$TD_BUILDDIR/$1/$object" ] || [ -e "$TD_BUILDDIR/$1/.libs/$object" ] || fail "$1/$object was not built: it cannot be checked"
    done
}
command -v nm > /dev/null || { echo "no nm"; exit 77; }
for folder in core backends backends/linux sim; do built $folder; done
check core "$memory $text $math" "$TD_BUILDDIR"/core/*.o "$TD_BUILDDIR"/core/.libs/*.o
check backends "$memory $text $number" "$TD_BUILDDIR"/backends/*.o "$TD_BUILDDIR"/backends/.libs/*.o
check backends/linux "$memory $text $number $live" "$TD_BUILDDIR"/backends/linux/*.o "$TD_BUILDDIR"/backends/linux/.libs/*.o
check sim "$memory aligned_alloc $text $math $reader $json" "$TD_BUILDDIR"/sim/*.o "$TD_BUILDDIR"/sim/.libs/*.o
check sim/trap.c "$memory $trap" "$TD_BUILDDIR"/sim/trap.o "$TD_BUILDDIR"/sim/.libs/trap.o
# The PMU model goes into a kernel module too: it includes no header of libc but
# those that the compiler itself has, and calls nothing.
for object in "$TD_BUILDDIR"/sim/*pmu.o; do
    [ -e "$object" ] || continue
    nm -u "$object" | awk 'NF { print $NF }' | grep -vE '^(td_|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__(asan|ubsan|sanitizer|gcov|llvm|odr)|memcpy$|memset$)' && fail "${object##*/} uses the above"
done
grep -hE '^#include <' "$TD_SRCDIR"/sim/pmu.[ch] | grep -vE '<(stdbool|stddef|stdint)\.h>' && fail "sim/pmu includes the above"
# what the objects cannot show: the seam is not gone round by a pointer, a syscall
# or an instruction, and no file sees what only those that make it may include
set --
for file in "$TD_SRCDIR"/core/*.[ch] "$TD_SRCDIR"/backends/*.[ch] "$TD_SRCDIR"/backends/linux/*.[ch] "$TD_SRCDIR"/sim/*.[ch]; do
    case ${file#"$TD_SRCDIR"/} in backends/linux/os.c|backends/linux/os_run.c|backends/linux/os_self.c|sim/trap.c) continue ;; esac
    set -- "$@" "$file"
done
# core/td_read.h and td_counter.h hold the instructions that read counters, and no others do
grep -nE '\b(getenv|setlocale|exit|abort|printf|fprintf|puts|perror|syscall)[[:space:]]*\(' "$@" && fail "the library calls the above"
grep -nE '\b(getenv|setlocale|exit|abort|printf|fprintf|puts|perror|asm|__asm__)[[:space:]]*\(' "$TD_SRCDIR"/sim/trap.c && fail "sim/trap.c calls the above"
grep -nE '\bsyscall[[:space:]]*\(' "$TD_SRCDIR"/sim/trap.c | grep -vE '\(SYS_(rseq|arch_prctl),' && fail "sim/trap.c makes the system calls above"
grep -nE '\b(asm|__asm|__asm__)[[:space:]]*(volatile|__volatile__|goto|inline|\()' "$@" | grep -vE '/core/td_(read|counter)\.h:' && fail "the library has instructions of its own above"
headers='csv|ctype|errno|float|inttypes|json-c/json|limits|linux/perf_event|math|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|sys/types'
# signal.h: a simulated machine needs the numbers of signals, and nm sees the calls
grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' "$@" | grep -vE "<($headers)\.h>|/sim/machine[a-z_]*\.[ch]:[0-9]+:.*<signal\.h>" && fail "the library includes the above, which only the seam may"
exit $bad
