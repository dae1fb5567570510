#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: how long replay takes, as a multiple of the time that libcsv needs
# merely to split the same file. Medians of 5 runs, taken in turn in one go.
set -eu
build=$1
size=${BENCH_BYTES:-104857600}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$build/tests/bench/generate" "$size" > "$dir/perf.csv"
"$build/tests/bench/generate" $((size / 10)) > "$dir/tenth.csv"

# user and system time of a command in milliseconds, by the shell's own times
measure() {
    sh -c '"$@" > /dev/null || exit 1; times' sh "$@" | tail -n 1 |
        awk '{ t = 0; for (i = 1; i <= 2; i++) { split($i, p, "m"); sub("s", "", p[2]); t += p[1] * 60000 + p[2] * 1000 } printf "%d\n", t }'
}
median() { sort -n "$1" | sed -n 3p; }

for run in 1 2 3 4 5; do
    measure sh -c "exec '$build/tests/bench/split' < '$dir/perf.csv'" >> "$dir/split"
    measure "$build/tdprobe" replay --uarch spr --format csv --summary-only "$dir/perf.csv" >> "$dir/summary"
    measure "$build/tdprobe" replay --uarch spr --format csv "$dir/perf.csv" >> "$dir/csv"
done
base=$(median "$dir/split")
[ "$base" -ge 50 ] || { echo "$size bytes are too few to measure: $base ms" >&2; exit 1; }
echo "file: $(wc -c < "$dir/perf.csv") bytes, $(wc -l < "$dir/perf.csv") lines; CPU time, median of 5 runs"
echo "libcsv, splitting only     $base ms"
for what in summary csv; do
    t=$(median "$dir/$what")
    limit=$([ $what = csv ] && echo 4 || echo 2)
    name=$([ $what = csv ] && echo 'csv output' || echo '--summary-only')
    awk -v t="$t" -v b="$base" -v limit="$limit" -v name="replay, $name" \
        'BEGIN { printf "%-26s %d ms  %.2f times (at most %d)%s\n", name, t, t / b, limit, (t > limit * b) ? "  TOO SLOW" : "" }'
done

# peak memory, whole and tenth: must not grow with length
peak() { "$build/tests/bench/peak" "$@" 2>&1 > /dev/null | tail -n 1; }
for file in tenth.csv perf.csv; do
    for options in --summary-only ''; do
        # shellcheck disable=SC2086
        echo "peak memory, $file${options:+ $options}: $(peak "$build/tdprobe" replay --uarch spr --format csv $options "$dir/$file") KiB (below 8192)"
    done
done
