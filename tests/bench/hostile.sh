#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench-hostile: CPU time and memory of recordings of samples that were made to cost much, by each way that costs: to be a second
# for 8 MB, of what is read or unpacked. Figures only. BENCH_BYTES: the size of each, 8 MB unless told otherwise; BENCH_SHAPES: which.
set -eu
build=$1 source=$2
for tool in python3 zstd readelf; do command -v $tool > /dev/null || { echo "bench-hostile: there is no $tool"; exit 0; }; done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make="$source/tests/bench/hostile_samples.py"

# user and system time of a command in ms, by the shell's own times, and how many bytes it wrote
measure() { sh -c '"$@" 2> /dev/null | wc -c >&3; times' sh "$@" 3> "$dir/bytes" | tail -n 1 | awk '{ t = 0; for (i = 1; i <= 2; i++) { split($i, p, "m"); t += p[1] * 60000 + p[2] * 1000 } printf "%d\n", t }'; }
row() { # OPTION...
    ms=$(measure "$build/tdprobe" "$@" --uarch spr "$dir/data")
    peak=$("$build/tests/bench/peak" "$build/tdprobe" "$@" --uarch spr "$dir/data" 2>&1 > /dev/null | tail -n 1)
    awk -v shape="$shape" -v way="$*" -v t="$ms" -v kib="$peak" -v out="$(cat "$dir/bytes")" -v most="$most" \
        'BEGIN { printf "%-20s %-36s %6d ms %8d KiB  %10d bytes out%s\n", shape, way, t, kib, out, (t > most) ? "  TOO SLOW" : "" }'
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
