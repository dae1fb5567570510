#!/bin/sh
# SPDX-License-Identifier: MIT
# The perf.data that the bench generates is one that perf reads: perf stat report has the counts that replay has.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v perf > /dev/null || { echo "no perf (Debian: linux-perf)"; exit 77; }
perf stat record -o own.data -e task-clock -- true > own 2>&1 && perf stat report -i own.data > own 2>&1 ||
    { echo "perf cannot read what it recorded itself: $(head -n 1 own)"; exit 77; }

"$TD_BUILDDIR/tests/bench/generate" data 1 1 > generated.data 2> own || { echo "the bench's generator does not run here: $(head -n 1 own)"; exit 77; }

# FORMAT CPUS: time, count and event of each, in any order
for words in 'data 1' 'data 2' 'data 16' 'data-A 1' 'data-A 2' 'data-A 16'; do
    # shellcheck disable=SC2086
    set -- $words
    "$TD_BUILDDIR/tests/bench/generate" "$1" 30000 "$2" > generated.data
    perf stat report -i generated.data > report 2>&1 || fail "$words: perf: $(head -n 2 report)"
    sed -E -n 's/^ *([0-9.]+) (CPU[0-9]+ )? *([0-9]+) +([a-z-]+).*/\1 \3 \4/p' report | sort > perf
    t replay --counts -x, generated.data; exits 0
    awk -F, '$8 == "count" { printf "%s %.0f %s\n", $1, $7, $6 }' out | sort > ours
    rows=$(wc -l < perf)
    [ "$rows" -ge 45 ] || fail "$words: perf shows $rows counts: $(head -n 2 report)"
    cmp -s perf ours || fail "$words: perf and replay differ: $(diff perf ours | head -n 4)"
done
[ ! -e failed ]
