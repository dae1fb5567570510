#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: how fast replay reads each format, as a multiple of the rate at which
# libcsv merely splits the same bytes. Medians of 5 runs, taken in turn in one go.
set -eu
build=$1
size=${BENCH_BYTES:-104857600}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
generate=$build/tests/bench/generate

# perf.data with its features, which are used up to 48 MiB
data=$size
[ "$data" -le 50000000 ] || data=50000000
for format in csv json text; do "$generate" $format "$size" > "$dir/$format"; done
"$generate" data "$data" > "$dir/data"
"$generate" data "$data" 16 > "$dir/data-16"
"$generate" data-A "$data" 16 > "$dir/data-A"
"$generate" csv $((size / 10)) > "$dir/tenth"

# user and system time of a command in milliseconds, by the shell's own times
measure() {
    sh -c '"$@" > /dev/null || exit 1; times' sh "$@" | tail -n 1 |
        awk '{ t = 0; for (i = 1; i <= 2; i++) { split($i, p, "m"); sub("s", "", p[2]); t += p[1] * 60000 + p[2] * 1000 } printf "%d\n", t }'
}
median() { sort -n "$1" | sed -n 3p; }

for run in 1 2 3 4 5; do
    for format in csv json text data data-16 data-A; do
        measure sh -c "exec '$build/tests/bench/split' < '$dir/$format'" >> "$dir/$format.split"
        measure "$build/tdprobe" replay --uarch spr --format csv --summary-only "$dir/$format" >> "$dir/$format.summary"
        measure "$build/tdprobe" replay --uarch spr --format csv "$dir/$format" >> "$dir/$format.output"
    done
done
base=$(median "$dir/csv.split")
[ "$base" -ge 50 ] || { echo "$size bytes are too few to measure: $base ms" >&2; exit 1; }
echo "CPU time, median of 5 runs; least rates as asked: -x 1/4 and 1/2, -j and text 1/6, perf.data 2/3 of libcsv's"
report() { # FORMAT NAME, least rate with --summary-only, with csv output
    split=$(median "$dir/$1.split")
    echo "$2: $(wc -c < "$dir/$1") bytes; libcsv, splitting only  $split ms"
    for what in summary output; do
        awk -v t="$(median "$dir/$1.$what")" -v b="$split" -v least="$([ $what = summary ] && echo "$3" || echo "$4")" \
            -v name="$([ $what = summary ] && echo '--summary-only' || echo 'csv output')" -v format="$2" \
            'BEGIN { printf "replay, %-18s %-16s %5d ms  %.2f of libcsv (least %.2f)%s\n", format, name, t, b / t, least, (b < least * t) ? "  TOO SLOW" : "" }'
    done
}
report csv 'perf stat -x' 0.5 0.25
report json 'perf stat -j' 0.166 0.166
report text "perf stat's text" 0.166 0.166
report data 'perf.data, 1 CPU' 0.666 0.666
report data-16 'perf.data, 16' 0.666 0.666
report data-A 'perf.data, 16, -A' 0.666 0.666

# peak memory, whole and tenth: must not grow with length
peak() { "$build/tests/bench/peak" "$@" 2>&1 > /dev/null | tail -n 1; }
for file in tenth csv json text; do
    for options in --summary-only ''; do
        # shellcheck disable=SC2086
        echo "peak memory, $file${options:+ $options}: $(peak "$build/tdprobe" replay --uarch spr --format csv $options "$dir/$file") KiB (below 8192)"
    done
done
for file in data data-16 data-A; do # kept as a whole
    echo "peak memory, $file: $(peak "$build/tdprobe" replay --uarch spr --format csv --summary-only "$dir/$file") KiB (below 65536)"
done
