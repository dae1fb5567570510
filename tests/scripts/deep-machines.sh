#!/bin/sh
# SPDX-License-Identifier: MIT
# Simulated machines down to level 4, or as deep as is published, multiplexed and by --drilldown: each node is what
# tests/sim/level4.txt says, which neither tdprobe nor its tables made. All of what is measured in one go is stationary but
# on Granite Rapids, which has two phases.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines
truth=$TD_SRCDIR/tests/sim/level4.txt

# every node of the machine in csv: the value within 1 point or 1 % (with phases: within its bounds, or 3 points), the truth
# within the bounds, and the flags that say how it was counted. A drilldown measures some of the nodes.
expect() { # MACHINE PHASES [some]
    awk -F, -v machine="$1" -v phases="$2" -v some="${3-}" '
        FNR == NR { if (split($0, t, " ") == 5 && t[1] == machine) { truth[t[4], t[3] ~ /-e$/ ? "E" : t[3] ~ /-p$/ ? "P" : ""] = t[5]; left++ } next }
        ($6, $4) in truth {
            want = truth[$6, $4]
            left--
            if (want == "absent") {
                if ($12 == "ok") { print "FAIL: " machine ": there is a value: " $0; bad = 1 }
                next
            }
            if ($12 == "impossible" && (want < -0.05 || want > 1.05))
                next
            d = $7 - want
            d = d < 0 ? -d : d
            allowed = phases ? 0.03 + 0.2 * (want < 0 ? -want : want) : 0.01
            if ($12 != "ok" || d > allowed) { print "FAIL: " machine ": " $0 ", not " want; bad = 1 }
            if ($9 != "") { bounded++; outside += ($9 > want + 1e-4 || $10 < want - 1e-4) }
            if ($9 != "" && !phases && ($9 > want + 1e-4 || $10 < want - 1e-4)) { print "FAIL: " machine ": " want " is not within: " $0; bad = 1 }
            flagged += /multiplexed/
            n++
        }
        END {
            if (some) exit bad
            if (left > 0) { print "FAIL: " machine ": " left " nodes are not there"; bad = 1 }
            if (bounded < 10 || outside > bounded / 20 + 1) { print "FAIL: " machine ": " outside " of " bounded " are outside their bounds"; bad = 1 }
            if (flagged < n / 2) { print "FAIL: " machine ": only " flagged " of " n " are multiplexed"; bad = 1 }
            exit bad }' "$truth" csv || touch failed
}

for machine in skylake icelake sapphirerapids graniterapids lunarlake; do
    t --machine "$machines/$machine.machine" -a --level 4 --timeout 4000 --format csv -o csv; exits 0
    expect $machine $([ $machine = graniterapids ] && echo 1 || echo 0)
done

# the workload of which one node of level 4 is the limit: dram_bound of the stalls, and bandwidth of these; on Lunar Lake fences
# that serialize, and an E-core that waits for its instruction cache
limited() { # MACHINE
    case $1 in
    skylake | icelake) set -- "$1" 0xc000ca3=0.16 0x50005a3=0.155 0x60006a3=0.15 0x4000860=0.14 0x1000860=0.15 ;;
    sapphirerapids | graniterapids) set -- "$1" 0x3000347=0.16 0x5000547=0.155 0x9000947=0.15 0xc000820=0.14 0x1000820=0.15 ;;
    lunarlake) set -- "$1" 0x2a2=0.03 0x2071=0.12 ;;
    esac
    cp "$machines/$1.machine" limit.machine
    shift
    for count; do sed -i "s/^count ${count%=*} [0-9.]*/count ${count%=*} ${count#*=}/" limit.machine; done
}
# of one CPU: of several, mem_bandwidth may be anything from 0 on, as min() of each CPU is not min() of the sum
names() { warns "^tdprobe: drilldown: $1limited by $2( \\(likely\\))?(;| \\('tdprobe explain)"; }
for machine in skylake icelake sapphirerapids graniterapids lunarlake; do
    phases=$([ $machine = graniterapids ] && echo 1 || echo 0)
    limited $machine
    scope='-C 0'
    [ $machine != lunarlake ] || scope=-a
    t --machine limit.machine -a --level 4 --timeout 4000 --format csv -o csv; exits 0
    expect $machine-limit $phases
    t --machine limit.machine $scope --drilldown --timeout 100000 --format csv -o csv; exits 0
    expect $machine-limit $phases some
    case $machine in
    lunarlake) names 'P-cores: ' 'backend_bound: core_bound: serializing_operation: memory_fence'; names 'E-cores: ' 'frontend_bound: fetch_latency: icache_misses' ;;
    *) names '' 'backend_bound: memory_bound: dram_bound: mem_bandwidth'; grep -q ',mem_bandwidth,' csv || fail "$machine: no mem_bandwidth" ;;
    esac
done

# as deep as published: level 1 of Neoverse N2, level 2 of Zen 4 and 5
for machine in yitian710:backend_bound n2-r0p3:backend_bound genoa:backend_bound:\ backend_bound_memory turin:frontend_bound:\ frontend_bound_by_latency; do
    for how in '--level 2' --drilldown; do
        [ "$how ${machine%%:*}" != '--level 2 yitian710' ] && [ "$how ${machine%%:*}" != '--level 2 n2-r0p3' ] || how='--level 1 -M all'
        t --machine "$machines/${machine%%:*}.machine" -a $how --timeout 20000 --format csv -o csv; exits 0
        expect "${machine%%:*}" 0 some
        [ "$how" != --drilldown ] || names '' "${machine#*:}"
        [ "$(cut -d, -f6 csv | grep -xE 'retiring|backend_bound' | sort -u | wc -l)" = 2 ] || fail "${machine%%:*} $how: $(cat csv)"
    done
done
[ ! -e failed ]
