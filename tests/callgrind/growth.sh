#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench-hostile: instructions of each way to read recordings that were made to cost much, of one, two and four times as many bytes.
# What is linear takes twice as many more for the second doubling as for the first; what is quadratic, four times.
#   growth.sh BUILD SOURCE    GROWTH_BYTES: of the smallest of counters, 30 kB unless told otherwise; GROWTH_SHAPES: which of these
#                             GROWTH_SAMPLES: of the smallest of samples, 250 kB; GROWTH_STACKS: which of these
# Exit code 1: one grows faster; 77: valgrind or python3 is missing.
#                             GROWTH_WAYS: a line for each way to read counters
set -eu
build=$1 source=$2 bytes=${GROWTH_BYTES:-30000} samples=${GROWTH_SAMPLES:-250000}
for tool in valgrind python3; do command -v $tool > /dev/null || { echo "growth.sh: there is no $tool: skipped"; exit 77; }; done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ways=${GROWTH_WAYS-"replay --summary-only
replay -j
replay -M all -x,
replay --drilldown
phases
phases -M all -j
convert
compare
compare -M all -x,
compare --fail-if 'verdict changes'"}
make="$source/tests/bench/hostile_traces.py" make_samples="$source/tests/bench/hostile_samples.py"
"$build/tdprobe" perf-command --uarch spr -M all > "$tmp/events" 2> /dev/null

count() { # FILE WAY...: instructions
    file=$1
    shift
    case $1 in compare) set -- "$@" "$file" "$file" ;; *) set -- "$@" "$file" ;; esac
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/tdprobe" "$@" 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
counts() { # SHAPE WAY: a line of the three files' counts
    eval "set -- \"\$1\" $2"
    shape=$1
    shift
    echo "$(count "$tmp/1" "$@") $(count "$tmp/2" "$@") $(count "$tmp/4" "$@") $shape: $*"
}
{
    for shape in ${GROWTH_STACKS-shallow functions deep}; do
        for times in 1 2 4; do python3 "$make_samples" "$shape" "$tmp/$times" $((times * samples)) > /dev/null; done
        counts "$shape" 'report --uarch spr --children'
        [ "$shape" != deep ] || continue # its paths are too many to be told apart
        for way in '--by stack' '--by stack -x,' '--format folded'; do counts "$shape" "report --uarch spr $way"; done
    done
    for shape in ${GROWTH_SHAPES-$(python3 "$make" list)}; do
        for times in 1 2 4; do python3 "$make" "$shape" "$tmp/$times" $((times * bytes)) "$tmp/events"; done
        echo "$ways" | while read -r way; do counts "$shape" "$way" < /dev/null; done
    done
} | awk '{
    name = substr($0, length($1 $2 $3) + 4)
    by = $2 > $1 ? ($3 - $2) / ($2 - $1) : 0
    why = $2 > $1 ? "MORE THAN LINEAR" : "NOT READ"
    bad = by > 2.6 || !($2 > $1)
    failed += bad
    printf "%-52s %12d %12d %12d instructions, growth %.2f%s\n", name, $1, $2, $3, by, bad ? "  " why : ""
    fflush()
} END { exit NR == 0 || failed > 0 }'
