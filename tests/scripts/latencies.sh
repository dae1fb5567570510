#!/bin/sh
# SPDX-License-Identifier: MIT
# Retire latencies, sampled: metrics of simulated machines whose true latencies are in their descriptions, as worked out here
# by awk from the description alone; what stands for them where they cannot be sampled; and their traces.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines

# Each event that retires has a latency of its own, another one in the second phase.
describe() { # MACHINE [PMU]
    awk -v pmu="${2-cpu}" '
        /^caps .* max_precise/ { next }
        $1 == "event" && $2 == pmu && !capped++ { print "caps " pmu " max_precise = 3" }
        /^workload/ { work++; phase = 0 }
        /^phase/ { phase++ }
        /^count/ { sub(/ latency=[0-9]+/, "") }
        /^count .*(MEM_INST_RETIRED|MEM_LOAD|FRONTEND_RETIRED)/ { sub(/ #/, " latency=" 20 + FNR * 97 % 500 + 40 * phase " #") }
        { print }' "$machines/$1.machine"
}

# The count of an event times its latency, a cycle: the phases of the first workload count as long as they last.
share() { # FILE CONFIG [EXTRA]
    awk -v config="$2" -v extra="${3+ extra=$3 }" '
        function value(key) { return match($0, key "=[0-9.]+") ? substr($0, RSTART + length(key) + 1, RLENGTH - length(key) - 1) : 0 }
        function units(rate) { rate = rate * 65536; return rate > int(rate) ? int(rate) + 1 : rate }
        /^cpus/ { threads = /smt=2/ ? 2 : 1 }
        /^workload/ && ++works == 2 { exit }
        /^phase/ { ms = value("ms") }
        $1 == "count" && $2 == config && (extra == "" || index($0, extra)) { cost += ms * units($3) / threads * value("latency") }
        $1 == "count" && $2 == "0x3c" { clocks += ms * units($3) }
        END { printf "%.6f\n", cost / clocks }' "$1"
}

# Within its bounds, which are likely, and 12 % (or so many) of what it should be.
is() { # METRIC VALUE [CORE [PERCENT]]
    awk -F, -v metric="$1" -v want="$2" -v core="${3-}" -v percent="${4-12}" '
        $6 == metric && $4 == core && $NF != "summary" {
            d = $7 > want ? $7 - want : want - $7
            if (want + 0 <= 0 || d > percent / 100 * want || $9 == "" || $9 > want || $10 < want || !/,likely,/ || /latency_assumed/) exit 1
            n++
        }
        END { exit !n }' csv || fail "$what: $1 is not $2: $(grep ",$1," csv)"
}

describe graniterapids > gnr.machine
for scope in '-C 0' -a; do
    for metric in lock_latency:0x21d0 code_l2_miss:0x3c6:0x13 code_stlb_miss:0x3c6:0x15; do
        t --machine gnr.machine $scope --timeout 4000 -M "${metric%%:*}" --format csv -o csv; exits 0
        empty err
        is "${metric%%:*}" "$(share gnr.machine $(echo "${metric#*:}" | tr : ' '))"
    done
done
# all at one time, each with its own event's latency; two values of the register of FRONTEND_RETIRED take turns
t --machine gnr.machine -a --timeout 8000 -M lock_latency,code_l2_miss,code_stlb_miss --format csv -o csv; exits 0
is lock_latency "$(share gnr.machine 0x21d0)" '' 15
is code_l2_miss "$(share gnr.machine 0x3c6 0x13)" '' 15
is code_stlb_miss "$(share gnr.machine 0x3c6 0x15)" '' 15
grep -q ',lock_latency,.*,ok,multiplexed,likely,' csv || fail "its latency is not of the group that counts it: $(grep lock_latency csv)"
describe lunarlake cpu_core > lnl.machine
t --machine lnl.machine -C 0 --timeout 4000 -M lock_latency --format csv -o csv; exits 0
is lock_latency "$(share lnl.machine 0x21d0)" P

# a command: what its children inherit is sampled on each CPU, in a group of its own; user mode only where more is forbidden
for rights in yes no; do
    { sed '/^command/s/ms=200 /ms=4000 /' gnr.machine; echo "privileged $rights"; } > command.machine
    t --machine command.machine --fast -M lock_latency --format csv -o csv -- ./app; exits 0
    is lock_latency "$(share gnr.machine 0x21d0)"
done
t --machine gnr.machine --fast --no-multiplex -M lock_latency --level 3 --format csv -- ./app
warns 'retire latencies are published means: sampling them would take turns'

# Each reading of a trace has the number of samples: one of 10007 of what the event counted since the beginning. Replay gives
# what was measured.
t --machine gnr.machine record -C 0 -I 500 --timeout 4000 -M lock_latency -o gnr.trace; exits 0
awk -F, '$7 == "MEM_INST_RETIRED.LOCK_LOADS" { count = $8 }
    $7 == "MEM_INST_RETIRED.LOCK_LOADS:R" { latency = $8 }
    $7 == "latency_samples" { n++; if ($8 != int(count / 10007)) bad = 1; if (count > 1e6 && (latency / $8 < 20 || latency / $8 > 600)) bad = 1 }
    END { exit bad || n < 8 }' gnr.trace || fail "samples of the trace: $(grep -E 'LOCK_LOADS|latency' gnr.trace)"
t --machine gnr.machine -C 0 -I 500 --timeout 4000 -M lock_latency --format csv -o live; exits 0
t replay -M lock_latency --format csv gnr.trace; exits 0
grep -v ',summary$' live | cut -d, -f2- > live.rows
grep -v ',summary$' out | cut -d, -f2- > replayed.rows
cmp live.rows replayed.rows || fail "replay differs: $(diff live.rows replayed.rows)"

# 100 samples of 40 and 60: 50 on average, deviation 10; 2.2 * 10 / sqrt(99) on both sides of 10 loads * 50 / 1000 cycles.
# Then 29 of 90 more, which are too few: the published mean of 63.76; but 129 in the sum, of 58.992.
reading() { # TIME CYCLES LOADS SUM SAMPLES SQUARES
    for event in "slots,$(($2 * 6))" "CPU_CLK_UNHALTED.THREAD,$2" "MEM_INST_RETIRED.LOCK_LOADS,$3" "MEM_INST_RETIRED.LOCK_LOADS:R,$4" "latency_samples,$5" "latency_squares,$6"; do
        case $event in latency*) times=0,0 ;; *) times=$1,$1 ;; esac
        echo "$1,CPU0,cpu,,0,0,$event,$times"
    done
    echo "$1,CPU0,cpu,,,0,end,6,,"
}
trace() { # MORE
    printf '# tdprobe-trace: 1\n# cpu: gnr\n# source: perf\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n0,CPU0,cpu,,,0,start,,,\n'
    reading 1000000 1000 10 5000 100 260000
    reading 2000000 2000 20 $((5000 + $1 * 90)) $((100 + $1)) $((260000 + $1 * 8100))
}
trace 29 > hand.trace
t replay -M lock_latency --summary --format csv hand.trace; exits 0
cut -d, -f1,6,7,9,10,13,14,20- out | grep lock_latency > rows
grep -qE '^0.001000000,lock_latency,0.500000,0.477889,0.522111,,likely' rows || fail "by hand: $(cat rows)"
grep -qE '^0.002000000,lock_latency,0.637600,,,latency_assumed:perfmon' rows || fail "29 samples: $(cat rows)"
grep -qE '^0.002000000,lock_latency,0.589922,.*likely.*summary' rows || fail "sum: $(cat rows)"
trace 30 > hand.trace
t replay -M lock_latency --format csv hand.trace; exits 0; says '^0.002000000,.*,lock_latency,0.900000,cycles,0.900000,0.900000'
sed '/LOCK_LOADS/d; /CPU_CLK/d; /,slots,/d; s/,end,6/,end,2/' hand.trace > nothing.trace
t replay nothing.trace; exits 65; warns 'latency_samples comes after no count'
# recorded as a mean, of nobody knows how many samples, it gives no bounds
sed '/latency_s/d; s/,end,6/,end,4/; 13,$d' hand.trace > mean.trace
t replay -M lock_latency --format csv mean.trace; exits 0; says ',lock_latency,50.000000,cycles,,,.*no_bounds'

# published means where nothing can be sampled, and why
assumed() { # FILE WHY
    t --machine "$1" -a --timeout 2000 -M lock_latency --format csv -o csv; exits 0
    grep -q ',lock_latency,.*latency_assumed:perfmon' csv || fail "$what: $(grep lock_latency csv)"
    warns "$2"
}
sed '/^count/s/ latency=[0-9]*//' "$machines/graniterapids.machine" > none.machine
assumed none.machine 'published means, not sampled: the samples have none \(Linux 6.3'
sed 's/max_precise = 3/max_precise = 0/' gnr.machine > no-pebs.machine
assumed no-pebs.machine 'published means, not sampled: this PMU has no precise events \(PEBS'
t --machine no-pebs.machine --fast -M lock_latency -- ./app; warns 'no precise events'
t --machine gnr.machine -C 0 --timeout 100 -M lock_latency --format csv -o csv; exits 0
grep -q ',lock_latency,.*latency_assumed:perfmon' csv || fail "few: $(grep lock_latency csv)"
warns '1 of 1 have fewer than 30 samples, and the published means stand for them'

# a CPU that goes and comes back is sampled again
{ cat gnr.machine; printf 'hotplug 1 off at=1000\nhotplug 1 on at=2000\n'; } > hotplug.machine
t --machine hotplug.machine -C 0,1 -A -I 1000 --timeout 5000 -M lock_latency --format csv -o csv
awk -F, '$2 == "CPU1" && $6 == "lock_latency" && $NF != "summary" && /,likely,/ { n++ } END { exit n < 3 }' csv || fail "hotplug: $(grep lock_latency csv)"

# 1 of 10007 is listed with the plan
t --machine gnr.machine -a --dry-run -M lock_latency; exits 0
cat out err | grep -qE 'LOCK_LOADS .* latency of 1 in 10007' || fail "$what: $(cat out err)"
[ ! -e failed ]
