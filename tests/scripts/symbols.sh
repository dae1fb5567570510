#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports what its headers declare, each function with a comment and in the synopsis of a manual page; for the
# program, in a version node of its own, what other headers mark TD_PRIVATE and the program calls; and nothing else. libtdprobe.map says
# both. The static library shows the names of the API only. tdprobe.pc has what a compiler needs.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
headers=$(printf '%s ' "$TD_SRCDIR"/include/*.h)
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
awk '/^TD_(EXPORT|_READ_INLINE)/ { text = "" ; open = 1 } open { text = text " " $0 }
     open && (/;/ || /^TD__READ_INLINE/) { open = 0; sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text }' \
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

# the nodes of the map, each with its functions
node() { awk -v node="^$1 " '$0 ~ node { on = 1 } /^}/ { on = 0 } on && /^ *td_[a-z0-9_]*;$/ { gsub(/[ ;]/, ""); print }' "$TD_SRCDIR/libtdprobe.map" | sort; }
same() { diff "$1" "$2" > "$tmp/diff" || { cat "$tmp/diff"; fail "$3"; }; } # FILE FILE WHAT
node 'TDPROBE_[0-9][0-9.]*' > "$tmp/api"
node TDPROBE_PRIVATE > "$tmp/private"
same "$tmp/declared" "$tmp/api" '< declared in the headers only, > in libtdprobe.map only'
[ "$(sort "$tmp/api" "$tmp/private" | uniq -d | wc -l)" -eq 0 ] || fail "libtdprobe.map has in two nodes: $(sort "$tmp/api" "$tmp/private" | uniq -d)"
for folder in "$TD_SRCDIR"/*/; do [ ! -f "$folder/sources.mk" ] || find "$folder" -name '*.h'; done | xargs awk '/^TD_PRIVATE / { sub(/\(.*/, ""); sub(/.*[ *]/, ""); print }' | sort > "$tmp/marked"
[ "$(wc -l < "$tmp/marked")" -gt 20 ] || fail "only $(wc -l < "$tmp/marked") functions are marked TD_PRIVATE"
same "$tmp/marked" "$tmp/private" '< marked TD_PRIVATE only, > in libtdprobe.map only'
grep -l TD_PRIVATE $headers && fail "the installed headers above have what is private"
# what the program does not call is not exported for it
while read -r name; do
    grep -rqw --include='*.c' --include='*.cc' "$name" "$TD_SRCDIR/cli" "$TD_SRCDIR/report" "$TD_SRCDIR/stats" || fail "the program does not call $name, which is exported for it"
done < "$tmp/private"

# the static library: after 'ar' and 'nm', which any linker comes with
hidden=$TD_BUILDDIR/api/libtdprobe.a
if [ -e "$hidden" ] && grep -q '^HIDE_NAMES = true' "$TD_BUILDDIR/Makefile"; then
    nm -g --defined-only "$hidden" 2> /dev/null | awk 'NF == 3 { print $3 }' | grep -vE '^__(asan|ubsan|odr_asan|gcov|llvm|tsan).*$|^DW\.ref\.' | sort -u > "$tmp/archive"
    same "$tmp/api" "$tmp/archive" '< in libtdprobe.map only, > a global name of the static library only'
fi
library=$TD_BUILDDIR/.libs/libtdprobe.so
[ -e "$library" ] || { echo "no shared library was built"; [ $bad -eq 0 ] && exit 77; exit 1; }
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -vE '^(_init|_fini|_edata|_end|__bss_start|__(asan|ubsan|odr_asan|gcov|llvm).*)$' | sort > "$tmp/versions"
sed 's/@.*//' "$tmp/versions" > "$tmp/exported"
{ sed 's/$/@@TDPROBE_0.2/' "$tmp/api"; sed 's/$/@@TDPROBE_PRIVATE/' "$tmp/private"; } | sort > "$tmp/wanted"
same "$tmp/wanted" "$tmp/versions" '< in libtdprobe.map only, > exported only'
# .Fn NAME or .Fo NAME after .Ft TYPE; a typedef is no function
awk '/^\.Sh /{ synopsis = /SYNOPSIS/ } /^\.Ft /{ typedef = /typedef/ } synopsis && !typedef && /^\.F[no] /{ print $2 }' "$TD_SRCDIR"/doc/*.3 | sort > "$tmp/documented"
grep -v '^td__' "$tmp/api" > "$tmp/named"
same "$tmp/documented" "$tmp/named" '< in a synopsis of doc/*.3 only (or twice), > declared only'
for page in "$TD_SRCDIR"/doc/*.[1-9]; do
    [ "$(wc -l < "$page")" -le 640 ] || fail "$page has more than 640 lines"
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
        case $language in *' c11' | *' c++17') levels='-O0 -O2' ;; *) levels=-O2 ;; esac # the older and newer languages add no code
        for level in $levels; do
            $compiler $options $level -I"$TD_SRCDIR/include" -include "$header" -c "$tmp/use.$kind" -o "$tmp/use.o" 2> "$tmp/err" || fail "${header##*/} as ${language#* } with $compiler: $(cat "$tmp/err")"
        done
    done
done
exit $bad
