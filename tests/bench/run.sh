#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: how fast replay reads and prints each format, as a multiple of what libcsv
# takes merely to split the same bytes. Medians of 5 runs, taken in turn in one go. Figures
# only: nothing fails because it is slow.
set -eu
build=$1 source=$2
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
for format in data data-16 data-A; do "$build/tdprobe" replay --uarch spr --format csv "$dir/$format" > "$dir/$format.csv"; done

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
    for format in data data-16 data-A; do
        measure sh -c "exec '$build/tests/bench/split' < '$dir/$format.csv'" >> "$dir/$format.csv.split"
    done
    for format in json text; do
        measure "$build/tdprobe" replay --uarch spr --format $format "$dir/csv" >> "$dir/print-$format"
    done
done
base=$(median "$dir/csv.split")
[ "$base" -ge 50 ] || { echo "$size bytes are too few to measure: $base ms" >&2; exit 1; }
echo "CPU time, median of 5 runs; least rates as asked: -x 1/4 and 1/2, -j and text 1/6, perf.data 2/3 of libcsv's"
# What was asked of perf.data, 2/3 of libcsv's rate, is a rate of reading: an interval of one CPU is 456 bytes. As csv it is 13
# rows of 1.9 KB, four times as many bytes to write as were read, and its metrics are solved. So the yardstick of csv output is
# libcsv splitting what is read and what is written, of whose time replay is to take at most 2/3. The rate beside what is read alone is
# printed as well.
report() { # FORMAT NAME, least rate with --summary-only, with csv output
    split=$(median "$dir/$1.split")
    echo "$2: $(wc -c < "$dir/$1") bytes; libcsv, splitting only  $split ms"
    rate "$2" --summary-only "$(median "$dir/$1.summary")" "$split" "$3" ''
    [ ! -e "$dir/$1.csv" ] || split=$((split + $(median "$dir/$1.csv.split")))
    rate "$2" 'csv output' "$(median "$dir/$1.output")" "$split" "$4" "$(median "$dir/$1.split")"
}
rate() { # FORMAT WHAT MILLISECONDS, LIBCSV'S, LEAST RATE, LIBCSV'S FOR WHAT IS READ
    awk -v format="$1" -v name="$2" -v t="$3" -v b="$4" -v least="$5" -v alone="$6" 'BEGIN {
        printf "replay, %-18s %-16s %5d ms  %.2f of libcsv (least %.2f)%s", format, name, t, b / t, least, (b < least * t) ? "  TOO SLOW" : ""
        printf "%s\n", alone && alone != b ? sprintf(", %.2f of what is read", alone / t) : ""
    }'
}
report csv 'perf stat -x' 0.5 0.25
report json 'perf stat -j' 0.166 0.166
report text "perf stat's text" 0.166 0.166
report data 'perf.data, 1 CPU' 0.666 1.5
report data-16 'perf.data, 16' 0.666 1.5
report data-A 'perf.data, 16, -A' 0.666 1.5

# ---- the cost, as the ratio that it is to have ----------------------------------------

# instructions a line of input, of two recordings, so that what happens once does not count
if command -v valgrind > /dev/null; then
    for lines in 900 9900; do
        for format in csv json; do head -n $((lines + 2)) "$dir/$format" > "$dir/$lines.$format"; done
    done
fi
instructions() { # COMMAND...: all of them
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
each_line() { # FORMAT OPTION...: of replay; FORMAT of the input
    format=$1
    shift
    command -v valgrind > /dev/null || { echo -; return; }
    few=$(instructions "$build/tdprobe" replay --uarch spr "$@" "$dir/900.$format")
    many=$(instructions "$build/tdprobe" replay --uarch spr "$@" "$dir/9900.$format")
    echo $(((many - few) / 9000))
}
row() { # NAME, FIRST COMMIT, GOAL, NOW, INSTRUCTIONS
    printf '%-44s %12s %8s %8s %14s\n' "$@"
}
ratio() { # TIMES, TIMES OF LIBCSV
    awk -v t="$(median "$1")" -v b="$(median "$2")" 'BEGIN { printf "%.2f\n", t / b }'
}
echo
row 'CPU time, of libcsv merely splitting the input' 'first commit' goal now 'instr. a line'
row 'perf -x in, --summary-only' '1.9 to 2.0' 1.0 "$(ratio "$dir/csv.summary" "$dir/csv.split")" "$(each_line csv --summary-only)"
row 'perf -x in, csv out' '3.7 to 4.4' 2.5 "$(ratio "$dir/csv.output" "$dir/csv.split")" "$(each_line csv --format csv)"
row 'perf -x in, json out' '28 to 30' 3.0 "$(ratio "$dir/print-json" "$dir/csv.split")" "$(each_line csv --format json)"
row 'perf -x in, text out' 7 2.5 "$(ratio "$dir/print-text" "$dir/csv.split")" "$(each_line csv --format text)"
row 'perf -j in, --summary-only' 3.8 1.5 "$(ratio "$dir/json.summary" "$dir/json.split")" "$(each_line json --summary-only)"
echo
row instructions 'first commit' goal now ''
region() { # MACHINE: of a pass through a region, beside its rdpmc
    "$build/tests/bench/steps" < "$source/sim/machines/$1.machine" | awk '/^td_region_begin\(\) and/ { print $(NF - 2) - $(NF - 1); n = 1 } END { if (!n) print "-" }'
}
row "a region's begin and end, 8 fields" 1104 170 "$(region sapphirerapids)" ''
row "a region's begin and end, 4 fields" 1104 145 "$(region icelake)" ''
if command -v valgrind > /dev/null; then
    head -n 102 "$dir/csv" > "$dir/hundred"
    solving() { instructions "$build/tests/bench/engine" "$1"; }
    row '300 metrics of 500 copies: each, an interval' - 2000 "$((($(solving 110) - $(solving 10)) / 100 / 300))" ''
    row 'replay of 100 lines without --uarch' 10.8e6 4e6 "$(instructions "$build/tdprobe" replay "$dir/hundred" | awk '{ printf "%.1fe6\n", $1 / 1e6 }')" ''
fi
echo

# the machine that starts within 5 s
sed 's/0-15/0-4095/' "$source/sim/machines/sapphirerapids.machine" > "$dir/many.machine"
many=$(measure "$build/tdprobe" --machine "$dir/many.machine" -A --timeout 100 --format csv -o /dev/null)
echo "4096 simulated CPUs, each measured: $many ms (below 5000)$([ "$many" -lt 5000 ] || echo '  TOO SLOW')"

# peak memory, whole and tenth: must not grow with length
peak() { "$build/tests/bench/peak" "$@" 2>&1 > /dev/null | tail -n 1 | cut -d ' ' -f 1; }
for file in tenth csv json text; do
    for options in --summary-only ''; do
        # shellcheck disable=SC2086
        echo "peak memory, $file${options:+ $options}: $(peak "$build/tdprobe" replay --uarch spr --format csv $options "$dir/$file") KiB (below 8192)"
    done
done
echo "peak memory, 300 metrics of 500 copies: $(peak "$build/tests/bench/engine" 100) KiB (below 8192)"
for file in data data-16 data-A; do # kept as a whole
    echo "peak memory, $file: $(peak "$build/tdprobe" replay --uarch spr --format csv --summary-only "$dir/$file") KiB (below 65536)"
done
