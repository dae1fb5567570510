#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/ARCHITECTURE names files and functions: each file must exist, and each function of a
# road must be in the file that its line names.
set -u
bad=0
fail() { echo "FAIL: doc/ARCHITECTURE: $*"; bad=1; }
cd "$TD_SRCDIR" || exit 99
page=doc/ARCHITECTURE
# what a source cites is in the tree; the page of design is not
grep -rnw --include='*.[ch]' --include='*.sh' --include='*.awk' --include='*.[1357]' --include='HOWTO-*' --include=ARCHITECTURE 'DESIG[N]' ./*/ README && fail "the lines above cite a page that is not in the tree: cite this one, or say it there"
[ "$(wc -l < $page)" -le 170 ] || fail "it is one page and its words: at most 170 lines"

# paths, anywhere on the page
paths=0
for path in $(grep -oE '\b(cli|report|advice|kernels|stats|drawing|session|live|formats|samples|sim|backends|os|core|util|symbols|include|private|tests|doc)/[A-Za-z0-9_./-]*' $page | sed 's/[.,:]*$//' | sort -u); do
    paths=$((paths + 1))
    case $path in
    backends/VENDOR) ;;
    *) [ -e "$path" ] || fail "there is no $path" ;;
    esac
done
[ $paths -gt 30 ] || fail "only $paths paths were found"

# "  FILE    function, function: why", between a ROAD's head and the next head
grep -E '^[A-Z]' $page | grep -q ROAD || fail "it has no road"
roads=$(awk '/^[A-Z]/ { on = /ROAD OF/ } on && /^  [a-z]+\// { print $1, $0 }' $page)
functions=0
while read -r file rest; do
    for name in $(echo "$rest" | grep -oE '\b[a-z]+(_+[a-z0-9]+)+\b' | sort -u); do
        case "$rest" in *"/$name"*) continue ;; esac # part of a path
        functions=$((functions + 1))
        grep -qw "$name" "$file" || fail "$file has no $name"
    done
done << END
$roads
END
[ $functions -gt 30 ] || fail "only $functions functions were found"
exit $bad
