#!/bin/sh
# SPDX-License-Identifier: MIT
# make fuzz: runs the targets named, two at a time, each for FUZZ_TIME seconds, in the
# folder of the build. The targets themselves check what an input costs (see
# fuzz.h: a second of CPU time without the sanitizers, 64 MB of heap), so that a busy machine and the
# sanitizers' own memory do not count; libFuzzer checks for a single allocation over 64 MB and a real hang (a minute of any clock).
set -u
dir=tests/fuzz/corpus
max=8388608 # bytes of an input
longest_names=65536 # of a map or dump: all that there is to find needs but a few of its functions
failed=$(mktemp)
trap 'rm -f "$failed"' EXIT

# FOLDER: its largest text again and again, doubled until it is long enough
repeat() {
    # shellcheck disable=SC2012 # the names are ours
    largest=$1/$(ls -S "$1" | sed '/^long-/d; /\.data$/d' | sed q)
    [ -s "$largest" ] || return
    long=$1/long-$(basename "$largest")
    cp "$largest" "$long"
    while [ "$(wc -c < "$long")" -lt $max ]; do
        cat "$long" "$long" > "$1/long-twice" && mv "$1/long-twice" "$long" || return
    done
    head -c $max "$long" > "$1/long-cut" && mv "$1/long-cut" "$long"
}
# TARGET: as large a recording as is tried, as that of many hours with perf stat -I 100 is
lengthen() {
    generate=tests/bench/generate
    case $1 in
    perf-csv | perf-json | perf-text) $generate "${1#perf-}" $max | head -c $max > "$dir/$1/long-generated" ;;
    tar) ;;
    names) awk -v max=$longest_names 'BEGIN { for (n = 0; n < max; n += length(line)) printf "%s", line = sprintf("%x 30 f%d\n", 4096 + n, n) }' > "$dir/$1/long-map" ;;
    perf-data) $generate data-A $((max - 100000)) 16 > "$dir/$1/long-generated" ;;
    *) repeat "$dir/$1" ;;
    esac
}
seed() { # TARGET: makes its seeds, under names of their own
    mkdir -p "$dir/$1"
    case $1 in
    machine)
        # from ! on: sampled
        for f in "$SRCDIR"/sim/machines/*.machine; do
            for n in 0 1 2 7 8 p q '!' '"' '*' a b; do { printf '%s' $n; cat "$f"; } > "$dir/$1/$(printf %d "'$n")-$(basename "$f")"; done
        done
        return ;;
    names) cp "$SRCDIR"/tests/fuzz/names/* "$dir/$1"; return ;;
    tar)
        for format in ustar gnu pax; do tar --format=$format -cf "$dir/$1/$format" -C "$SRCDIR" tests/fuzz/names tests/fuzz/run.sh; done
        return ;;
    perf-csv) ends=csv ;;
    perf-json) ends='json jsonl' ;;
    arm-events) ends= ;;
    perfspect) ends= ;;
    perf-text) ends=txt ;;
    perf-data) ends=data ;;
    tdprobe-trace) ends=trace ;;
    *) ends='csv json jsonl txt data trace' ;;
    esac
    [ "$1" != perf-data ] || cp "$SRCDIR"/tests/samples/system-*.data "$dir/$1"
    for end in $ends; do cp "$SRCDIR"/traces/*."$end" "$dir/$1"; done
    if [ "$1" = any ]; then cp "$SRCDIR"/tests/fuzz/seeds/*/* "$dir/$1"; else cp "$SRCDIR/tests/fuzz/seeds/$1"/* "$dir/$1"; fi
}
fuzz() { # TARGET
    dict=$SRCDIR/tests/fuzz/text.dict
    [ "$1" != perf-data ] || dict=$SRCDIR/tests/fuzz/perf-data.dict
    if [ "$1" = names ]; then most=$longest_names; elif [ "$1" = tar ]; then most=1048576; else most=$max; fi
    seed "$1"
    lengthen "$1"
    if "tests/fuzz/fuzz-$1" -max_total_time="$FUZZ_TIME" -timeout=60 -rss_limit_mb=2048 -malloc_limit_mb=64 -max_len=$most -dict="$dict" \
        -artifact_prefix="$dir/$1-" -print_final_stats=1 -verbosity=0 "$dir/$1" > "$dir/$1.log" 2>&1; then
        echo "fuzz-$1: $(awk '/number_of_executed_units/ { print $2 }' "$dir/$1.log") inputs in $FUZZ_TIME s, nothing found"
    else
        echo "fuzz-$1: FAILED"
        tail -n 60 "$dir/$1.log"
        echo "$1" >> "$failed"
    fi
}

while [ $# -gt 0 ]; do
    fuzz "$1" & first=$!
    shift
    if [ $# -gt 0 ]; then
        fuzz "$1"
        shift
    fi
    wait $first
done
[ ! -s "$failed" ]
