#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench-hostile: CPU time and memory of recordings that were made to cost much, of samples and of counters, by each way that costs: to
# be a second and 128 MB for 8 MB, of what is read or unpacked (of two files that are compared, in both). What seems too slow is run three
# times, of which the least counts: others may use the machine. Figures only.
# BENCH_BYTES: the size of each, 8 MB unless told otherwise; BENCH_SHAPES: which recordings of samples, BENCH_COUNTERS: which of counters.
set -eu
build=$1 source=$2
for tool in python3 zstd readelf; do command -v $tool > /dev/null || { echo "bench-hostile: there is no $tool"; exit 0; }; done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make="$source/tests/bench/hostile_samples.py"

measure() { # SHAPE WAY TDPROBE-WORDS...
    shape=$1 way=$2
    shift 2
    rm -f "$dir/used"
    for time in 1 2 3; do
        out=$({ "$build/tests/bench/peak" "$build/tdprobe" "$@" 2> "$dir/stderr" || :; } | wc -c)
        tail -n 1 "$dir/stderr" >> "$dir/used"
        [ "$(tail -n 1 "$dir/used" | cut -d ' ' -f 2)" -gt "$most" ] || break
    done
    sort -n -k 2 "$dir/used" | head -n 1 | awk -v shape="$shape" -v way="$way" -v out="$out" -v most="$most" \
        '{ printf "%-20s %-36s %6d ms %8d KiB  %10d bytes out%s%s%s\n", shape, way, $2, $1, out, ($2 > most) ? "  TOO SLOW" : "", ($1 > 131072) ? "  TOO LARGE" : "", out ? "" : "  NOTHING" }'
}
row() { # OPTION...
    measure "$shape" "$*" "$@" --uarch spr "$dir/data"
}
for shape in ${BENCH_SHAPES:-$(python3 "$make" list)}; do
    records=$(python3 "$make" "$shape" "$dir/data" "${BENCH_BYTES:-8000000}")
    most=$((records / 8000 + 100))
    row report
    case $shape in
    deep* | shallow | packed-deep)
        for way in '--children' '--callers f1' '--by stack' '--by stack --format csv' '--by stack -j' '--format folded' '--format svg'; do
            # shellcheck disable=SC2086
            row report $way
        done
        row replay --by stack --format csv
        row replay --by stack --summary-only ;;
    one-file | builds-*)
        row report --by line
        row report --inline
        row report --by dso ;;
    threads* | *forks | execs | comms*)
        row report --by thread
        row report --by comm ;;
    cgroups*) row report --by cgroup ;;
    cpus | ids | lost) row report --by cpu ;;
    esac
    row report --format csv
    row replay --format csv
done

make="$source/tests/bench/hostile_traces.py" bytes=${BENCH_BYTES:-8000000}
most=$((bytes / 8000 + 100))
"$build/tdprobe" perf-command --uarch spr -M all > "$dir/events" 2> /dev/null
for shape in ${BENCH_COUNTERS:-$(python3 "$make" list)}; do
    python3 "$make" "$shape" "$dir/data" "$bytes" "$dir/events"
    python3 "$make" "$shape" "$dir/half" $((bytes / 2)) "$dir/events"
    rm -rf "$dir/past"
    mkdir "$dir/past"
    for name in 1 2 3; do python3 "$make" "$shape" "$dir/past/$name.trace" $((bytes / 4)) "$dir/events"; done
    for way in 'replay -x,' 'replay -M all -j' 'replay --summary-only -M all' phases 'phases -M all' convert; do
        # shellcheck disable=SC2086 # words
        measure "$shape" "$way" $way "$dir/data"
    done
    for way in compare 'compare -M all' "compare --fail-if 'verdict changes'"; do
        eval "set -- $way"
        measure "$shape" "$way" "$@" "$dir/half" "$dir/half"
    done
    measure "$shape" 'compare --baseline' compare --baseline "$dir/past" "$dir/past/3.trace"
done
