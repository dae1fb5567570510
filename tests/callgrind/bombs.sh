#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings that were made to be slow: callgrind counts the instructions of each reading, and of a harmless one before it.
#   TD_SRCDIR=DIR bombs.sh UNIT    UNIT: the program of the unit tests
# Exit code 1: a recording takes more than it may; 77: valgrind is missing.
set -eu
unit=$1
command -v valgrind > /dev/null || { echo 'bombs.sh: valgrind is missing, install the package valgrind: skipped' >&2; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

run() { valgrind -q --tool=callgrind --toggle-collect=slow_run --dump-after=slow_run --callgrind-out-file="$tmp/count" "$@"; }
TD_BOMBS=$tmp/pairs run "$unit" 'bombs of samples' 'perf.data bombs' 'text bombs' > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }

i=0
while read -r times name; do # a count of each reading, in their order
    for _ in harmless bomb; do
        i=$((i + 1))
        count=$(sed -n 's/^totals: //p' "$tmp/count.$i")
        printf '%s ' "${count:-0}"
    done
    printf '%s %s\n' "$times" "$name"
done < "$tmp/pairs" > "$tmp/counts"
[ -e "$tmp/count.$i" ] && [ ! -e "$tmp/count.$((i + 1))" ] || { echo "bombs.sh: $i counts were expected of callgrind"; exit 1; }
awk '{
    name = substr($0, length($1 $2 $3) + 4)
    ratio = $1 > 0 ? $2 / $1 : 1e9
    if (!(name in most)) order[++n] = name
    if (ratio > most[name]) { most[name] = ratio; may[name] = $3 }
} END {
    for (i = 1; i <= n; i++) {
        name = order[i]
        bad = most[name] > may[name]
        failed += bad
        printf "%s: %.2f times the instructions of a harmless recording, of at most %g%s\n", name, most[name], may[name], bad ? ": TOO SLOW" : ""
    }
    exit n == 0 || failed > 0
}' "$tmp/counts"
