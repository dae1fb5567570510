#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench-samples: CPU time and memory of tdprobe report on a long recording of samples, beside perf script on the same file.
# Figures only. BENCH_BYTES: its size, 100 MB unless told otherwise.
set -eu
build=$1 source=$2
for tool in perf python3; do command -v $tool > /dev/null || { echo "bench-samples: there is no $tool"; exit 0; }; done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 "$source/tests/bench/long_samples.py" "$source/tests/samples/nest.data" "$dir/long.data" "${BENCH_BYTES:-100000000}"

# user and system time of a command in milliseconds
measure() { sh -c '"$@" > /dev/null 2>&1 || exit 1; times' sh "$@" | tail -n 1 | awk '{ t = 0; for (i = 1; i <= 2; i++) { split($i, p, "m"); t += p[1] * 60000 + p[2] * 1000 } printf "%d\n", t }'; }
symfs=$source/tests/samples/symfs
perf=$(measure perf script --symfs "$symfs" -i "$dir/long.data")
echo "$(wc -c < "$dir/long.data") bytes of samples: perf script $perf ms"
for options in '' --children '--format svg'; do
    # shellcheck disable=SC2086
    ours=$(measure "$build/tdprobe" report --uarch spr --symfs "$symfs" $options "$dir/long.data")
    awk -v t="$ours" -v p="$perf" -v name="tdprobe report${options:+ $options}" \
        'BEGIN { printf "%-28s %6d ms  %.1f times the rate of perf script (least 0.5)%s\n", name, t, p / t, p < t / 2 ? "  TOO SLOW" : "" }'
done
echo "peak memory: $("$build/tests/bench/peak" "$build/tdprobe" report --uarch spr --symfs "$symfs" "$dir/long.data" 2>&1 > /dev/null | tail -n 1 | cut -d ' ' -f 1) KiB (below 98304)"
