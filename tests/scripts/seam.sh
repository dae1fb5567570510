#!/bin/sh
# SPDX-License-Identifier: MIT
# core/ and backends/ are pure, and the rest of the library reaches the machine
# only through what it is given: everything that their objects leave undefined is in
# these lists. strtod() and printf of floats are not, since they follow the locale.
# os/ provides that access: it alone calls the system.
# The exception is sim/kernel/trap.c: code under test executes rdpmc itself, past any seam, so only a
# signal handler can answer it. It may take and forward signals, and make two
# system calls: rseq(2), as a signal would abort the sequence that contains rdpmc, and
# arch_prctl(2), as CPUID faults only on demand.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
memory='bcmp bsearch calloc free malloc realloc reallocarray qsort memchr memcmp memcpy memmove memset _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __memcpy_chk __memmove_chk __memset_chk'
text='strcasecmp strchr strcmp strcspn strlen strncasecmp strncmp strnlen strpbrk strrchr strspn strstr __ctype_b_loc snprintf vsnprintf __snprintf_chk __vsnprintf_chk'
number='strtol strtoul strtoull __isoc23_strtol __isoc23_strtoul __isoc23_strtoull'
math='ceil fabs fmax fmin floor sqrt'
reader='strdup strndup strerror csv_fini csv_free csv_init csv_parse csv_set_delim csv_set_quote'
json='json_object_get_int64 json_object_get_object json_object_get_string json_object_get_string_len json_object_get_uint64 json_object_is_type json_object_put'
json="$json json_tokener_error_desc json_tokener_free json_tokener_get_error json_tokener_get_parse_end json_tokener_new_ex json_tokener_parse_ex json_tokener_reset"
trap='sigaction raise syscall __errno_location __rseq_offset __rseq_size __tls_get_addr'
tree='tsearch tfind tdelete tdestroy twalk_r' # trees of search.h
zstd='dlopen dlsym' # which is loaded when a format needs it: formats/perf_data/data_unpack.c
live='memmem qsort strdup strndup strerror __popcountdi2'

# the objects of a folder and those below it
objects() { # FOLDER
    for source in $(cd "$TD_SRCDIR" && find "$1" -name '*.c'); do
        found=
        for object in "$TD_BUILDDIR/${source%.c}.o" "$TD_BUILDDIR/${source%/*}/.libs/$(basename "$source" .c).o"; do
            [ ! -e "$object" ] || found=$object
        done
        [ -n "$found" ] && echo "$found" || echo "$source was not built: it cannot be checked"
    done
}
# undefined symbols of objects that are neither ours nor allowed (__aarch64_*: atomic operations of libgcc)
check() { # FOLDER ALLOWED
    objects "$1" > objects.$$
    grep ' ' objects.$$
    # only those that may choose the machine may use it
    grep -v ' ' objects.$$ | xargs nm -A -u | awk -v folder="$1" -v allowed="$2" '
        BEGIN { n = split(allowed, names, " "); for (i = 1; i <= n; i++) may[names[i]] }
        { object = $1; sub(/:$/, "", object); sub(/.*\//, "", object); symbol = $NF; sub(/@.*/, "", symbol) }
        object == "trap.o" && folder != "sim/kernel/trap" { next }
        folder == "session" && symbol == "td_os_linux" { next }
        symbol !~ /^td_os_(linux$|run_|self_|clock_)/ && symbol ~ /^(td_|__asan_|__ubsan_|__sanitizer_|__sancov_|__odr_asan|__gcov|llvm_|__llvm_|__aarch64_)/ { next }
        !(symbol in may) { print folder ": " object " uses " symbol }'
    rm -f objects.$$
}
command -v nm > /dev/null || { echo "no nm"; exit 77; }
{
    check core "$memory $text $number $math strdup strndup"
    check backends "$memory $text $number fnmatch tolower __ctype_tolower_loc"
    check live "$memory $text $number $live $tree"
    check sim "$memory aligned_alloc $text asprintf vasprintf __asprintf_chk __vasprintf_chk $number $math $reader $json $zstd $tree sscanf __isoc99_sscanf __isoc23_sscanf memmem __popcountdi2"
    check session "$memory $text $number $math strdup strndup strerror"
} > seam.$$
[ ! -s seam.$$ ] || { cat seam.$$; fail "of the above"; }
rm -f seam.$$
for object in "$TD_BUILDDIR"/sim/kernel/trap.o "$TD_BUILDDIR"/sim/kernel/.libs/trap.o; do
    [ -e "$object" ] || continue
    for symbol in $(nm -u "$object" | awk 'NF { print $NF }' | sed 's/@.*//'); do
        case $symbol in td_os_*) ;; td_*|__asan_*|__ubsan_*|__sanitizer_*|__sancov_*|__odr_asan*|__gcov*|llvm_*|__llvm_*|__aarch64_*) continue ;; esac
        echo " $memory $trap " | grep -qF " $symbol " || fail "sim/kernel/trap.c uses $symbol"
    done
done
# The PMU model is also part of a kernel module: it includes no header of libc except
# those that the compiler itself provides, and calls nothing.
for object in "$TD_BUILDDIR"/sim/machine/pmu.o "$TD_BUILDDIR"/sim/machine/.libs/pmu.o; do
    [ -e "$object" ] || continue
    nm -u "$object" | awk 'NF { print $NF }' | grep -vE '^(td_|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__(asan|ubsan|sanitizer|gcov|llvm|odr)|memcpy$|memset$)' && fail "${object##*/} uses the above"
done
grep -hE '^#include <' "$TD_SRCDIR"/sim/machine/pmu.[ch] | grep -vE '<(stdbool|stddef|stdint)\.h>' && fail "sim/machine/pmu includes the above"
# what the objects cannot show: no pointer, syscall or instruction bypasses the
# seam, and no file uses what only those that implement it may include
set --
for folder in core backends live sim session include; do
    for file in $(cd "$TD_SRCDIR" && find $folder -name '*.[ch]'); do
        [ "$file" = sim/kernel/trap.c ] || set -- "$@" "$TD_SRCDIR/$file"
    done
done
# only td_read.h and counter.h have the instructions that read counters
grep -nE '\b(getenv|setlocale|exit|abort|printf|fprintf|puts|perror|syscall)[[:space:]]*\(' "$@" && fail "the library calls the above"
grep -nE '\b(getenv|setlocale|exit|abort|printf|fprintf|puts|perror|asm|__asm__)[[:space:]]*\(' "$TD_SRCDIR"/sim/kernel/trap.c && fail "sim/kernel/trap.c calls the above"
grep -nE '\bsyscall[[:space:]]*\(' "$TD_SRCDIR"/sim/kernel/trap.c | grep -vE '\(SYS_(rseq|arch_prctl),' && fail "sim/kernel/trap.c makes the system calls above"
grep -nE '\b(asm|__asm|__asm__)[[:space:]]*(volatile|__volatile__|goto|inline|\()' "$@" | grep -vE '/(include/td_read|live/thread/counter)\.h:' && fail "the library has instructions of its own above"
headers='csv|ctype|errno|float|fnmatch|inttypes|json-c/json|limits|linux/perf_event|math|search|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|sys/types'
# signal.h: a simulated machine needs the signal numbers, and nm shows the calls
grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' "$@" | grep -vE "<($headers)\.h>|/sim/(machine|kernel|describe)/[a-z_]*\.[ch]:[0-9]+:.*<signal\.h>|/data_unpack\.c:[0-9]+:.*<(dlfcn|zstd)\.h>" && fail "the library includes the above, which only the seam may"
exit $bad
