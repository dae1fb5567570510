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

row() { # OPTION...
    out=$({ "$build/tests/bench/peak" "$build/tdprobe" "$@" --uarch spr "$dir/data" 2> "$dir/used" || :; } | wc -c)
    tail -n 1 "$dir/used" | awk -v shape="$shape" -v way="$*" -v out="$out" -v most="$most" \
        '{ printf "%-20s %-36s %6d ms %8d KiB  %10d bytes out%s\n", shape, way, $2, $1, out, ($2 > most) ? "  TOO SLOW" : "" }'
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
