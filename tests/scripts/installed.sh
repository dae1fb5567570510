#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of somebody else: what is installed is all it has. It is built by pkg-config, as C11 and as C++17, by gcc and clang, with the
# shared and with the static library, reads a recording whose answer is known, and cannot call what is private. The program itself starts there, too. From python, by ctypes, too.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: the program is started by another one'; exit 77; }
command -v pkg-config > /dev/null || { echo 'skipped: no pkg-config'; exit 77; }
grep -qE '^(WARN_)?CFLAGS = .*-fsanitize' "$TD_BUILDDIR/Makefile" && { echo 'skipped: the library needs a sanitizer'; exit 77; }
# only what a program needs, and no other make's flags
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -s -C "$TD_BUILDDIR" DESTDIR="$tmp/root" install-libLTLIBRARIES install-binPROGRAMS install-includeHEADERS install-pkgconfigDATA install-exec-hook) > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; fail "make install"; exit 1; }
pc=$(find "$tmp/root" -name tdprobe.pc)
libdir=$(dirname "${pc%/pkgconfig/*}/x")
[ "$(cd "$(find "$tmp/root" -name tdprobe.h | sed 's,/[^/]*$,,')" && echo *.h)" = "$(cd "$TD_SRCDIR/include" && echo *.h)" ] || fail "installed headers: $(find "$tmp/root" -name '*.h')"
export PKG_CONFIG_PATH="${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$tmp/root"

cat > "$tmp/use.c" << 'END'
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <td_regions.h>
#include <td_run.h>
#include <td_samples.h>
#include <td_sampling.h>

int main(int argc, char **argv)
{
    const struct td_result *r = NULL;
    const struct td_verdict *v;
    struct td_event_info info;
    struct td *td = td_new();

    if (!td || argc < 2 || td_open_file(td, argv[1]) || td_next(td, &r))
        return 1;
    v = td_result_verdict(r);
    memset(&info, 0, sizeof(info));
    info.size = sizeof(info);
    if (td_uarch_event(td_uarch_by_name(td_result_cpu(r)), 0, &info) || !info.name)
        return 2;
    if (td_region_begin(td, 0) != -EINVAL || td_region_end(td, 0) != -EINVAL) /* nothing is counted */
        return 3;
    printf("%s %s\n", td_result_cpu(r), v->node ? v->node->name : "none");
    td_free(td);
    return 0;
}
END
cp "$tmp/use.c" "$tmp/use.cc"
# backend-bound by far, and by memory: the vendor's formula of these counts
cat > "$tmp/rec.trace" << 'END'
# tdprobe-trace: 1
# cpu: spr
time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
0,CPU3,cpu,,0,0,slots,0,0,0
0,CPU3,cpu,,0,0,PERF_METRICS,0x0,0,0
0,CPU3,cpu,,,0,end,2,,
1000000000,CPU3,cpu,,0,0,slots,2550000000,1000000000,1000000000
1000000000,CPU3,cpu,,0,0,PERF_METRICS,0xa00a0a05c814140f,1000000000,1000000000
1000000000,CPU3,cpu,,,0,end,2,,
END
wanted='spr memory_bound' # 0xc8 of 255 backend_bound, 0xa0 of these memory_bound
# the program that users start, beside its library
program=$(find "$tmp/root" -type f -name tdprobe -perm -100)
got=$(LD_LIBRARY_PATH=$libdir "$program" replay --format csv "$tmp/rec.trace" 2> "$tmp/err" | awk -F, '$6 == "verdict" { print $5, $15 }')
[ "$got" = "$wanted" ] || fail "the installed program, '$program': '$got', not '$wanted': $(cat "$tmp/err")"
tries=0
build() { # COMPILER STANDARD FILE LIBRARIES
    what="$1 -std=$2, $3"
    # shellcheck disable=SC2046,SC2086
    $1 -std=$2 -Wall -Wextra -Werror $(pkg-config --cflags tdprobe) "$tmp/use.$3" -o "$tmp/use" $4 2> "$tmp/err" || { fail "$what: $(cat "$tmp/err")"; return; }
    got=$(LD_LIBRARY_PATH=$libdir "$tmp/use" "$tmp/rec.trace") || fail "$what: exit code $?"
    [ "$got" = "$wanted" ] || fail "$what: '$got', not '$wanted'"
    tries=$((tries + 1))
}
all() { # LIBRARIES
    build gcc c11 c "$1"
    for other in 'g++ c++17 cc' 'clang c11 c' 'clang++ c++17 cc'; do
        # shellcheck disable=SC2086
        set -- "$1" $other
        ! command -v "$2" > /dev/null || build "$2" "$3" "$4" "$1"
    done
}
if ls "$libdir"/libtdprobe.so.* > /dev/null 2>&1; then
    all "$(pkg-config --libs tdprobe)"
    if command -v python3 > /dev/null; then
        got=$(python3 - "$libdir/libtdprobe.so" "$tmp/rec.trace" << 'END'
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
for name in 'td_new', 'td_result_cpu':
    getattr(lib, name).restype = ctypes.c_void_p
lib.td_result_cpu.restype = ctypes.c_char_p
td, result = ctypes.c_void_p(lib.td_new()), ctypes.c_void_p()
assert lib.td_open_file(td, sys.argv[2].encode()) == 0 and lib.td_next(td, ctypes.byref(result)) == 0
assert lib.td_region_begin(td, 0) < 0  # inline in C, and there for others
print(lib.td_result_cpu(result).decode())
END
        ) || fail "ctypes"
        [ "$got" = spr ] || fail "ctypes: '$got'"
    fi
    rm -f "$libdir"/libtdprobe.so*
fi
if [ -e "$libdir/libtdprobe.a" ]; then
    all "$(pkg-config --static --libs tdprobe)"
    if grep -q '^HIDE_NAMES = true' "$TD_BUILDDIR/Makefile"; then
        printf 'char *td_printable(char *, unsigned long);\nint main(void)\n{\n    return !td_printable(0, 1);\n}\n' > "$tmp/private.c"
        # shellcheck disable=SC2046
        gcc "$tmp/private.c" -o "$tmp/private" $(pkg-config --static --libs tdprobe) 2> "$tmp/err" && fail "a program can call td_printable()"
        grep -q 'undefined reference.*td_printable' "$tmp/err" || fail "td_printable(): $(cat "$tmp/err")"
    fi
fi
[ "$tries" -ge 1 ] || fail "neither library was built"
exit $bad
