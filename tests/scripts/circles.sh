#!/bin/sh
# SPDX-License-Identifier: MIT
# Circles between files: two files that call each other are one subject, or one of them
# knows too much. Based on what each object of the library and of the program defines and leaves
# undefined; function pointers (a source, a reader, the seam) do not count as arrows.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
command -v nm > /dev/null || { echo "no nm"; exit 77; }
cd "$TD_BUILDDIR" || exit 99

set --
for source in $(cd "$TD_SRCDIR" && for list in */sources.mk; do find "${list%/*}" -name '*.c' -o -name '*.cc'; done); do
    case $source in tests/*|examples/*) continue ;; esac
    file=${source%.*}
    for object in "$file.o" "${file%/*}/.libs/${file##*/}.o"; do # the second is for the shared library
        [ -s "$object" ] || continue
        set -- "$@" "$object"
        continue 2
    done
    echo "$source was not built: it cannot be checked"
    exit 77
done
# "FOLDER/FILE SYMBOL TYPE ..."
nm -P -A -g "$@" | sed 's,\.libs/,,; s,\.o: , ,' > "$tmp/symbols"
[ "$(grep -c ' T ' "$tmp/symbols")" -gt 300 ] || { echo "nm does not show what these objects define (built for link-time optimisation?)"; exit 77; }

awk '
    $3 ~ /^[TDBRC]$/ { defined[$2] = $1 }
    $3 == "U" { wanted[$1 " " $2] = 1 }
    END {
        for (x in wanted) {
            split(x, part, " ")
            to = defined[part[2]]
            if (to != "" && to != part[1])
                arrow[part[1] " " to] = part[2]
        }
        do { # a file that nothing leads to, or that leads to nothing, is in no circle
            split("", leads)
            split("", led)
            for (x in arrow) {
                split(x, part, " ")
                leads[part[1]] = led[part[2]] = 1
            }
            gone = 0
            for (x in arrow) {
                split(x, part, " ")
                if (!(part[1] in led) || !(part[2] in leads)) {
                    delete arrow[x]
                    gone++
                }
            }
        } while (gone)
        for (x in arrow) {
            split(x, part, " ")
            print part[1] " -> " part[2] ": " arrow[x]
        }
    }' "$tmp/symbols" | sort > "$tmp/circles"
[ -s "$tmp/circles" ] || exit 0
cat "$tmp/circles"
echo "FAIL: circles between files (and what leads from one circle to another)"
exit 1
