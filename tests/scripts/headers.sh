#!/bin/sh
# SPDX-License-Identifier: MIT
# A name means one thing: no struct, union or enum is defined twice in the sources, no two headers have the same
# guard, and all headers of the tree can be included together, in either direction. The public headers can be
# included in any order, each of them first, as C11 and as C++17.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$TD_SRCDIR" || exit 99
warnings='-Wall -Wextra -Wshadow -Werror'
folders='advice backends cli core formats include kernels live os private report samples session sim stats symbols util'

# FILE TAG of each definition: a word after struct, union or enum, and '{' after it
tags() { awk '
    { gsub(/"([^"\\]|\\.)*"/, ""); sub(/\/\/.*/, "") }
    /^ *(\/\*| \*)/ { next }
    { while (match($0, /(^|[^A-Za-z0-9_])(struct|union|enum)[ \t]+[A-Za-z_][A-Za-z0-9_]*[ \t]*(\{|$)/)) {
          open = substr($0, RSTART, RLENGTH) ~ /\{$/
          split(substr($0, RSTART, RLENGTH), word, /[^A-Za-z0-9_]+/)
          name = word[1] == "" ? word[3] : word[2]
          $0 = substr($0, RSTART + RLENGTH)
          if (open) print FILENAME, name; else waiting = name
          if (!open) next
      } }
    waiting != "" { if (/^[ \t]*\{/) print FILENAME, waiting; waiting = "" }' "$@"; }
twice() { awk '{ n[$2]++; where[$2] = where[$2] " " $1 } END { for (tag in n) if (n[tag] > 1) { print tag " is defined in" where[tag] } }' | sort; }

# what this test would overlook, or blame
cat > "$tmp/one.c" << 'END'
struct alpha { int x; };
struct beta
{
    union gamma { int x; } y;
};
static enum delta find(struct epsilon *e, const struct zeta z) { return 0; }
/* struct alpha { is in a comment; */
struct eta;
static const char text[] = "struct alpha {";
const struct theta { int x; } all[] = {{1}};
END
tags "$tmp/one.c" | sed 's/.* //' | tr '\n' ' ' > "$tmp/found"
[ "$(cat "$tmp/found")" = 'alpha beta gamma theta ' ] || fail "definitions found in the sample: $(cat "$tmp/found")"
cp "$tmp/one.c" "$tmp/two.c"
[ "$(tags "$tmp/one.c" "$tmp/two.c" | twice | wc -l)" = 4 ] || fail "a tag that is defined twice is not found"

# shellcheck disable=SC2086
find $folders -name '*.[ch]' -o -name '*.cc' | sort > "$tmp/files"
# shellcheck disable=SC2046
tags $(cat "$tmp/files") > "$tmp/tags"
[ "$(wc -l < "$tmp/tags")" -gt 500 ] || fail "only $(wc -l < "$tmp/tags") tags were found"
twice < "$tmp/tags" > "$tmp/twice"
[ -s "$tmp/twice" ] && fail "rename one of each:
$(cat "$tmp/twice")"

# a second header with the same guard would be empty
grep -E '\.h$' "$tmp/files" > "$tmp/headers"
# shellcheck disable=SC2046
awk '/^#ifndef [A-Z_0-9]+_H$/ { print FILENAME, $2 }' $(cat "$tmp/headers") | twice > "$tmp/twice"
[ -s "$tmp/twice" ] && fail "guards of headers:
$(cat "$tmp/twice")"

together() { # FILE: headers in an order
    sed 's/.*/#include "&"/' "$1" > "$tmp/together.c"
    # shellcheck disable=SC2086
    $CC -std=c11 $warnings -I. -I"$TD_BUILDDIR" -include config.h -fsyntax-only "$tmp/together.c" 2> "$tmp/err" || fail "all headers together: $(head -n 20 "$tmp/err")"
}
together "$tmp/headers"
sort -r "$tmp/headers" > "$tmp/reverse"
together "$tmp/reverse"

# the public ones, as they are when installed: each first, the others after it in both directions
(cd include && printf '%s\n' *.h) > "$tmp/public"
[ "$(wc -l < "$tmp/public")" -ge 6 ] || fail "public headers: $(cat "$tmp/public")"
cxx=
for compiler in c++ g++ clang++; do
    [ -n "$cxx" ] || ! command -v $compiler > /dev/null || cxx=$compiler
done
[ -n "$cxx" ] || echo "no compiler of C++: the headers are tried as C only"
tries=0
while read -r first; do
    for order in sort 'sort -r'; do
        { echo "$first"; grep -vxF "$first" "$tmp/public" | $order; } | sed 's/.*/#include <&>/' > "$tmp/order.c"
        # shellcheck disable=SC2086
        $CC -std=c11 $warnings -Wstrict-prototypes -Wmissing-prototypes -Iinclude -fsyntax-only "$tmp/order.c" 2> "$tmp/err" ||
            fail "as C11, $first first, then '$order': $(head -n 10 "$tmp/err")"
        cp "$tmp/order.c" "$tmp/order.cc"
        # shellcheck disable=SC2086
        [ -z "$cxx" ] || $cxx -std=c++17 $warnings -Iinclude -fsyntax-only "$tmp/order.cc" 2> "$tmp/err" ||
            fail "as C++17, $first first, then '$order': $(head -n 10 "$tmp/err")"
        tries=$((tries + 1))
    done
done < "$tmp/public"
[ "$tries" -ge 12 ] || fail "only $tries orders were tried"
exit $bad
