#!/bin/sh
# SPDX-License-Identifier: MIT
# More levels do not make the answer worse: on simulated machines of all families the node of level 1 that -a names is the
# one that --level 3, --drilldown and -M all name, and each measuring ends with one verdict for each kind of core.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines

# The nodes of level 1 that verdicts name, a line for each; by sound bounds or by likely ones.
named() { sed -nE 's/^ *=> (limited by|probably) ([a-z_]+).*/\2/p'; }
verdicts() { grep -cE '^ *=> ' "$1"; }

# MACHINE NODE: as worked out by hand in its description; of hybrids the P-cores', then the E-cores'. At the 4 s that Cascade
# Lake and Zen 5 have in every second turn, their two largest nodes, 6.25 points apart, are not told apart: 20 s do it.
for case in alderlake:backend_bound,frontend_bound cascadelake:backend_bound elkhartlake:frontend_bound genoa:backend_bound \
    graniterapids:backend_bound graviton4:backend_bound icelake:backend_bound knightslanding:backend_bound \
    lunarlake:backend_bound,frontend_bound n2-r0p3:backend_bound sapphirerapids:backend_bound sierraforest:frontend_bound \
    skylake-nosmt:backend_bound skylake:backend_bound turin:frontend_bound yitian710:backend_bound; do
    machine=${case%%:*}
    echo "${case#*:}" | tr , '\n' > want
    cores=$(wc -l < want)
    case $machine in cascadelake | turin) ms=20000 ;; *) ms=4000 ;; esac
    for how in '' '--level 3' '-M all'; do
        t --machine "$machines/$machine.machine" -a $how --timeout $ms
        # Arm, AMD and Knights Landing publish no level 3
        grep -q 'what is published for .* ends at level' err && continue
        exits 0
        cat out err > both
        named < both > got
        cmp -s want got || fail "$machine $how: names $(tr '\n' ' ' < got), not $(tr '\n' ' ' < want): $(grep '=>' both)"
        [ "$(verdicts both)" = "$cores" ] || fail "$machine $how: $(verdicts both) verdicts of $cores kinds of core"
    done
    t --machine "$machines/$machine.machine" -a --drilldown --timeout 4000; exits 0
    sed -nE 's/^tdprobe: drilldown: ([PE]-cores: )?limited by ([a-z_]+).*/\2/p' err > got
    cmp -s want got || fail "$machine --drilldown: $(grep drilldown: err)"
    [ "$(tail -n "$cores" err | grep -c '^tdprobe: drilldown: ')" = "$cores" ] || fail "$machine --drilldown: $(tail -n 3 err)"
done

# Where level 1 takes half of the counters at most, it is counted all the time: not multiplexed, with bounds that are sound.
level1() { awk -F, '$18 == 1 && $6 ~ /^(retiring|bad_speculation|frontend_bound|backend_bound)$/' csv; }
for machine in icelake sapphirerapids graniterapids sierraforest skylake-nosmt; do
    t --machine "$machines/$machine.machine" -a -M all --timeout 1000 --format csv -o csv; exits 0
    [ "$(level1 | wc -l)" = 4 ] || fail "$machine: no level 1"
    if level1 | grep -E 'multiplexed|split_groups|likely'; then fail "$machine: level 1 is not counted all the time"; fi
done
# Where it takes more, in every second turn: of many groups about half of the time, where each of 40 had 2 %
for machine in skylake genoa n2-r0p3 elkhartlake; do
    t record --machine "$machines/$machine.machine" -a -M all --timeout 4000 -o half.trace; exits 0
    # time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
    awk -F, '$5 == 0 && $9 > 0 { share = $10 / $9; n++; if (share < 0.45 || share > 0.55) bad = 1 } END { exit bad || !n }' half.trace ||
        fail "$machine: level 1 had no half of the time: $(awk -F, '$5 == 0 && $9 > 0' half.trace | head -n 3)"
done

# What a plan prints of it
t --machine "$machines/sapphirerapids.machine" -a --level 3 --dry-run; exits 0
says 'group 0: .*pinned'
t --machine "$machines/skylake.machine" -a --level 3 --dry-run; exits 0
says 'group 0: .*every second turn'
t --machine "$machines/skylake.machine" -a --dry-run; exits 0
if grep -qE 'pinned|second turn' out; then fail "alone, level 1 takes no turns: $(cat out)"; fi
# perf pins the same group
t perf-command --machine "$machines/sapphirerapids.machine" --level 3; exits 0
[ "$(grep -o '}:D' out | wc -l)" = 1 ] || fail "not one pinned group: $(cat out)"
if grep -q 'in one of' out; then fail "it is pinned: $(cat out)"; fi
# where it cannot, it says what perf does instead: 13 groups of Skylake's level 3, as a dry run has them
t perf-command --machine "$machines/skylake.machine" --level 3; exits 0
groups=$(grep -o '},{' out | wc -l)
says "^# perf counts level 1 in one of $((groups + 1)) turns, and tdprobe stat in every second one or all the time, if one group holds it: --level 1 counts it alone"
t --machine "$machines/skylake.machine" -a --level 3 --dry-run; exits 0
[ "$(grep -c '^  group ' out)" = $((groups + 1)) ] || fail "the dry run has other groups: $(grep '^  group ' out)"
for words in '--level 1' '--functions' '--level 3 --no-multiplex -- true'; do
    t perf-command --machine "$machines/skylake.machine" $words; exits 0
    if grep -q 'in one of' out; then fail "$what: nothing takes turns with level 1: $(cat out)"; fi
done

# Others hold counters, so that the rest would never run beside level 1: it takes turns as the rest does
sed 's/^\(pmu cpu .*\)$/\1 taken=2/' "$machines/skylake-nosmt.machine" > taken.machine
t --machine taken.machine -a --level 2 --timeout 2000 --format csv -o csv; exits 0
grep -q ',memory_bound,.*,ok,.*multiplexed' csv || fail "taken counters: $(cat csv)"

# A recording in which level 1 was counted all the time, and two deeper groups took turns and have some of its events, too:
# 1000 slots, of which 250 retired and 500 were backend-bound all the time, but others while the second group was counted.
cat > own.trace << 'END'
# tdprobe-trace: 1
# cpu: srf
# smt: off
# source: perf
time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
END
rows() { # TIME SCALE
    for e in CPU_CLK_UNHALTED.CORE:1000 TOPDOWN_RETIRING.ALL:1500 TOPDOWN_BAD_SPECULATION.ALL:750 TOPDOWN_FE_BOUND.ALL:750 TOPDOWN_BE_BOUND.ALL:3000; do
        echo "$1,system,system,,0,0,${e%:*},$((${e#*:} * $2)),$1,$1"
    done
    for e in CPU_CLK_UNHALTED.CORE:500 TOPDOWN_BE_BOUND.ALL:300; do
        echo "$1,system,system,,1,0,${e%:*},$((${e#*:} * $2)),$1,$(($1 / 2))"
    done
    echo "$1,system,system,,,0,end,7,,"
}
{ rows 0 0; rows 1000000000 1000000; } >> own.trace
t replay --level 1 --format csv own.trace; exits 0
says ',backend_bound,0.500000,'
[ ! -e failed ]
