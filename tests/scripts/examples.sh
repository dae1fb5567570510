#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples run, and their output is correct: on simulated machines whose shares
# are known, where there are no counters, and on this machine.
set -u
bad=0
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; bad=1; }
machines=$TD_SRCDIR/sim/machines
examples=$TD_BUILDDIR/examples
# the reader in HOWTO-add-a-trace-format is one
sed '1,/^A reader that is complete/d; s/^    //' "$TD_SRCDIR/doc/HOWTO-add-a-trace-format" > "$tmp/ticks.c"
$CC -std=c11 -Wall -Wextra -Werror -I"$TD_SRCDIR" -I"$TD_BUILDDIR" -include config.h -c -o "$tmp/ticks.o" "$tmp/ticks.c" || fail "the reader of HOWTO-add-a-trace-format"
case $($CC -dumpmachine) in x86_64*) ;; *) echo "the simulated machines of this test are x86-64"; exit 77 ;; esac

# Each reading of a counter is NS after the previous one.
paced() { sed "/^spin/s/\$/ each=$2/" "$machines/$1.machine" > "$tmp/$1"; }
run() { # EXIT PROGRAM ARGUMENT...
    want=$1 name=$2
    shift 2
    "$examples/$name" "$@" > "$tmp/out" 2> "$tmp/err"
    code=$?
    [ $code = "$want" ] || fail "$name $*: exit $code, not $want: $(cat "$tmp/err")"
}
# Every metric of the table on stdin (NAME PERCENT) occurs N times, and has its
# value to within a field's unit; the bounds contain it, and are no wider than WIDTH points.
metrics() { # N WIDTH
    awk -v n="$1" -v width="$2" '
        FILENAME == "-" { want[$1] = $2; next }
        $1 in want && / % of slots, / {
            seen[$1]++
            if ($2 < want[$1] - 0.41 || $2 > want[$1] + 0.41) print "FAIL: " $0 ", not " want[$1]
            if ($6 > want[$1] || $8 < want[$1] || $6 > $2 || $8 < $2) print "FAIL: not within bounds: " $0 ", truth " want[$1]
            if ($8 - $6 > width) print "FAIL: wider than " width ": " $0
        }
        END { for (m in want) if (seen[m] != n) print "FAIL: " m " is there " seen[m] + 0 " times, not " n }' - "$tmp/out" > "$tmp/wrong"
    [ -s "$tmp/wrong" ] && { fail "$name:"; cat "$tmp/wrong"; }
}
# computed by hand in the head of sapphirerapids.machine; without INT_MISC.UOP_DROPPING
cat > "$tmp/spr.shares" << 'END'
retiring 25
bad_speculation 10.9375
frontend_bound 14.0625
backend_bound 50
heavy_operations 6.25
light_operations 18.75
branch_mispredicts 9.375
machine_clears 1.5625
fetch_latency 7.8125
fetch_bandwidth 6.25
memory_bound 37.5
core_bound 12.5
END

# 18e9 slots per second on a core whose other thread is busy too: 9 in each ns
paced sapphirerapids 100000
run 0 regions "$tmp/sapphirerapids"
grep -q 'is simulated' "$tmp/out" || fail "regions does not say that it is simulated"
grep -q '^spr$' "$tmp/out" || fail "regions does not name the CPU"
# a round has five parts: before the sort, sort, before the chase, chase, and the rest
for line in 'round: 20 passes, 90000000 slots' 'sort: 20 passes, 18000000 slots' 'chase: 20 passes, 18000000 slots'; do
    grep -qx "$line; discarded: 0 reset 0 unscheduled 0 other_core" "$tmp/out" || fail "regions: no '$line'"
done
metrics 3 30 < "$tmp/spr.shares"
# for the outermost regions the shares are within the target, two points to either side
sed -n '/^round/,/=>/p' "$tmp/out" > "$tmp/round" && mv "$tmp/round" "$tmp/out"
head -4 "$tmp/spr.shares" > "$tmp/level1"
metrics 1 4 < "$tmp/level1"
grep -q '=> limited by memory_bound' "$tmp/out" || fail "regions: no verdict"

run 0 two-snapshots "$tmp/sapphirerapids"
for line in '900000 slots, 900000 since the reset' '900000 slots, 2700000 since the reset'; do
    grep -qx "$line" "$tmp/out" || fail "two-snapshots: no '$line'"
done
[ "$(grep -c '^900000 slots, 900000 since' "$tmp/out")" = 2 ] || fail "two-snapshots: the reset did nothing"
metrics 3 28 < "$tmp/spr.shares"

# as it is shipped, the machine executes nothing between two readings: a note has what to write, and that gives the answer above
for name in regions two-snapshots; do
    run 0 "$name" "$machines/sapphirerapids.machine"
    grep -q "^note: the simulated machine executes nothing between two readings, .*write each=100000, ns, at the end of its line 'spin'$" "$tmp/err" || fail "$name: $(cat "$tmp/err")"
    run 0 "$name" "$tmp/sapphirerapids"
    grep -q '^note' "$tmp/err" && fail "$name: $(cat "$tmp/err")"
done

# ordinary events: the same program, other counters
# (SMT off: with it on they do not fit the counters)
paced skylake-nosmt 1000000
run 0 regions "$tmp/skylake-nosmt"
grep -qx 'sort: 20 passes; discarded: 0 reset 0 unscheduled 0 other_core' "$tmp/out" || fail "regions on Skylake: $(cat "$tmp/out" "$tmp/err")"
printf '%s\n' 'retiring 25' 'bad_speculation 12.5' 'frontend_bound 12.5' 'backend_bound 50' > "$tmp/level1"
metrics 3 0.05 < "$tmp/level1"
run 1 two-snapshots "$tmp/skylake-nosmt"
grep -q 'no PERF_METRICS on this CPU' "$tmp/out" || fail "two-snapshots on Skylake: $(cat "$tmp/out")"

for name in regions two-snapshots; do
    run 1 "$name" "$machines/guest-without-pmu.machine"
    grep -Eq "^$name: .{20}" "$tmp/err" || fail "$name without a PMU says nothing"
    run 1 "$name" "$tmp/absent"
    grep -q 'No such file' "$tmp/err" || fail "$name without a machine: $(cat "$tmp/err")"
    "$examples/$name" > "$tmp/out" 2> "$tmp/err" # with this machine's counters, or a reason
    case $? in
    0) grep -q 'retiring' "$tmp/out" || fail "$name here: $(cat "$tmp/out")" ;;
    1) grep -q "^$name: ." "$tmp/err" || fail "$name here says nothing" ;;
    *) fail "$name here: $(cat "$tmp/err")" ;;
    esac
done

# one row of JSON for each counter
if [ -x "$examples/benchmark" ]; then
    run 0 benchmark --benchmark_min_time=0.01 --benchmark_format=json "$tmp/sapphirerapids"
    tr -d ' ,"' < "$tmp/out" | awk -F: '
        /^(retiring|bad_speculation|frontend_bound|backend_bound)(_low|_high)?:/ { v[$1] = $2 + 0; n[$1]++ }
        END {
            t["retiring"] = 0.25; t["bad_speculation"] = 0.109375; t["frontend_bound"] = 0.140625; t["backend_bound"] = 0.5
            for (m in t)
                if (n[m] != 2 || n[m "_low"] != 2 || v[m "_low"] > t[m] || v[m "_high"] < t[m] || v[m] < t[m] - 0.005 || v[m] > t[m] + 0.005 || v[m "_high"] - v[m "_low"] > 0.1)
                    print "FAIL: " m " " v[m] " " v[m "_low"] " .. " v[m "_high"] ", " n[m] " times"
        }' > "$tmp/wrong"
    [ -s "$tmp/wrong" ] && { fail "benchmark:"; cat "$tmp/wrong"; }
    run 0 benchmark --benchmark_min_time=0.01 "$machines/guest-without-pmu.machine"
    [ "$(grep -c 'no top-down: .' "$tmp/out")" = 2 ] || fail "benchmark without a PMU gives no reason: $(cat "$tmp/out")"
    run 64 benchmark a b
fi
exit $bad
