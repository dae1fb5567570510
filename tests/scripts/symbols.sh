#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports what its headers declare, each function with a
# comment, and what the synopsis of a manual page has; tdprobe.pc has what a compiler needs.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
headers="$TD_SRCDIR/include/tdprobe.h $TD_SRCDIR/include/td_regions.h $TD_SRCDIR/include/td_read.h $TD_SRCDIR/include/td_run.h $TD_SRCDIR/include/td_samples.h $TD_SRCDIR/include/td_sampling.h $TD_SRCDIR/include/td_code.h"
pc=$TD_BUILDDIR/include/tdprobe.pc
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

for key in Name Description Version Libs Cflags; do
    grep -q "^$key: ." "$pc" || fail "tdprobe.pc has no $key"
done
grep -q '^Libs:.*-ltdprobe' "$pc" || fail "tdprobe.pc: Libs lacks -ltdprobe"
grep -q '@' "$pc" && fail "tdprobe.pc: a variable was not filled in"
version=$(sed -n 's/^Version: //p' "$pc")
[ "$("$TDPROBE" --version)" = "tdprobe $version" ] || fail "tdprobe.pc says $version, the program $("$TDPROBE" --version)"
if command -v pkg-config > /dev/null; then
    [ "$(PKG_CONFIG_PATH=$TD_BUILDDIR/include pkg-config --modversion tdprobe)" = "$version" ] || fail "pkg-config does not read tdprobe.pc"
fi

# a declaration may take more than one line
# what td_read.h has inline twice, for processors with and without rdpmc, counts once
# shellcheck disable=SC2086
awk '/^TD_(EXPORT|READ_INLINE)/ { text = "" ; open = 1 } open { text = text " " $0 }
     open && (/;/ || /^TD_READ_INLINE/) { open = 0; sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text }' \
    $headers | sort -u > "$tmp/declared"
[ -s "$tmp/declared" ] || fail "the headers declare nothing"
grep -qv '^td_[a-z0-9_]*$' "$tmp/declared" && fail "not td_*: $(grep -v '^td_[a-z0-9_]*$' "$tmp/declared")"
# A comment is above, or on the line itself; declarations without a blank
# line between them share the one above.
# shellcheck disable=SC2086
awk '/^TD_EXPORT/ { if (!covered && !/\/\*.*\*\//) { print "FAIL: no comment above: " $0; bad = 1 } inside = !/;/; next }
     inside { inside = !/;/; next }
     { covered = /\*\/[[:space:]]*$/ }
     END { exit bad }' $headers || bad=1

library=$TD_BUILDDIR/.libs/libtdprobe.so
[ -e "$library" ] || { echo "no shared library was built"; [ $bad -eq 0 ] && exit 77; exit 1; }
nm -D --defined-only "$library" | awk '$2 != "w" && $2 != "A" { print $3 }' | sed 's/@.*//' | grep -vE '^(_init|_fini|_edata|_end|__bss_start|__(asan|ubsan|odr_asan|gcov|llvm).*)$' | sort > "$tmp/exported"
diff "$tmp/declared" "$tmp/exported" > "$tmp/diff" || { cat "$tmp/diff"; fail "< declared in the headers only, > exported only"; }
# .Fn NAME or .Fo NAME after .Ft TYPE; a typedef is no function
awk '/^\.Sh /{ synopsis = /SYNOPSIS/ } /^\.Ft /{ typedef = /typedef/ } synopsis && !typedef && /^\.F[no] /{ print $2 }' "$TD_SRCDIR"/doc/*.3 | sort > "$tmp/documented"
diff "$tmp/documented" "$tmp/exported" > "$tmp/diff" || { cat "$tmp/diff"; fail "< in a synopsis of doc/*.3 only (or twice), > exported only"; }
for page in "$TD_SRCDIR"/doc/*.[1-9]; do
    [ "$(wc -l < "$page")" -le 600 ] || fail "$page has more than 600 lines"
    grep -q "${page##*/}" "$TD_SRCDIR/Makefile.am" || fail "$page is not installed"
done
# a program in C++ can use the headers as well
cat > "$tmp/use.c" << 'END'
#ifdef TD_READ_H
int use(const struct td_self *self, struct td_point *out);
int use(const struct td_self *self, struct td_point *out)
{
    return td_point_read(self, out);
}
#endif
int used;
END
for header in $headers; do
    grep -q 'extern "C"' "$header" || fail "${header##*/} is not for C++"
    # each on its own, in the oldest language that is promised and in newer ones, with warnings that users have
    # shellcheck disable=SC2086
    for language in 'gcc c99' 'gcc gnu99' 'gcc c11' 'gcc c17' 'clang c99' 'clang gnu99' 'clang c11' 'g++ c++11' 'g++ c++17' 'clang++ c++11' 'clang++ c++17'; do
        compiler=${language% *} options="-std=${language#* } -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
        command -v "$compiler" > /dev/null || continue
        case $compiler in *++) kind=cc ;; *) kind=c options="$options -Wstrict-prototypes -Wmissing-prototypes" ;; esac
        cp "$tmp/use.c" "$tmp/use.$kind" 2> /dev/null
        for level in -O0 -O2; do
            $compiler $options $level -I"$TD_SRCDIR/include" -include "$header" -c "$tmp/use.$kind" -o "$tmp/use.o" 2> "$tmp/err" || fail "${header##*/} as ${language#* } with $compiler: $(cat "$tmp/err")"
        done
    done
done
exit $bad
