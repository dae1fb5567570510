#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe selftest: the kernels run; on a simulated machine whose commands have their names it finds what they are made of, one that
# is not as expected, counters that contradict each other, and ways that disagree.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

machines=$TD_SRCDIR/sim/machines spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
kernels='adds chain divider branches icache chase-l1 chase-memory dtlb'

# ---- the kernels themselves ----
t selftest --list; exits 0; lines err 0
for kernel in $kernels; do says "^$kernel +[a-z]"; done
says '^ +expected: retiring >= 0.5$'
for kernel in $kernels; do t selftest --run $kernel --time 0.01; case $kernel:$code in icache:69) warns 'SELinux' ;; *) exits 0; lines err 0; lines out 0 ;; esac; done
t selftest --run chane; exits 64; warns "the kernel is adds, chain, .* or dtlb, not 'chane'"
t selftest --run chain --time 0; exits 64; warns 'above 0'
t selftest --run chain --machine "$spr"; exits 64; warns '--run'
t selftest chain; exits 64; warns '--kernel or --run'

# ---- a machine with the kernels as commands ----
# each with shares that are within what is expected of it
like() { # NAME RETIRING BAD FRONTEND BACKEND MEMORY
    sed -n '/^workload mixed/,/^run/{/^run/!p}' "$spr" | sed -e "s/^workload mixed/workload $1/" \
        -e "s/^phase .*/phase ms=10 retiring=$2 bad=$3 frontend=$4 backend=$5 heavy=0.01 mispredict=$3 latency=$4 memory=$6/" \
        -e 's/^count 0x10ad .*/count 0x10ad 0/' -e 's/^count 0xc0 .*/count 0xc0 0.01/' \
        -e "s/^count 0x2a4 [0-9.]*/count 0x2a4 $5/" -e "s/^count 0x4a4 [0-9.]*/count 0x4a4 $3/" -e "s/^count 0x8a4 [0-9.]*/count 0x8a4 $3/" \
        -e "s/^count 0x10a4 [0-9.]*/count 0x10a4 $6/" -e "s/^count 0x19c [0-9.]*/count 0x19c $4/" -e "s/^count 0x2c2 [0-9.]*/count 0x2c2 $2/" \
        -e "s/^count 0x1c2 [0-9.]*/count 0x1c2 0.01/" -e "s/^count 0x600019c [0-9.]*/count 0x600019c $(awk "BEGIN { printf \"%.6f\", $4 / 6 }")/"
    echo "command $1 ms=200 slice=20 name=$1"
}
{
    cat "$spr"
    like adds 0.875 0 0.0625 0.0625 0
    like chain 0.0625 0 0 0.9375 0
    like divider 0.125 0 0.0625 0.8125 0.0625
    like branches 0.125 0.5 0.3125 0.0625 0
    like icache 0.25 0 0.75 0 0
    like chase-l1 0.0625 0 0 0.9375 0.9375
    like chase-memory 0.015625 0 0 0.984375 0.984375
    like dtlb 0.03125 0 0 0.96875 0.96875
} > kernels.machine
# the divider's node is of events that are not in phases
sed '/^workload divider/,/^command divider/s/^count 0x10009b0 .*/count 0x10009b0 0.15/' kernels.machine > known.machine
t selftest --machine known.machine; exits 0; lines err 0; lines out 8
for kernel in $kernels; do says "^ok +$kernel +retiring [0-9.]+ .* % by task, cpu, msr$"; done
says '^ok +adds +retiring 87.[0-9] bad_speculation 0.[0-4] frontend_bound 6.[0-9] backend_bound 6.[0-9] %'
says '^ok +branches +retiring 12.[0-9] bad_speculation (49|50).[0-9] '
t selftest --machine known.machine --kernel icache; exits 0; lines out 1; says '^ok +icache '

# ---- one share that is not expected ----
{
    sed '/^workload chain/,/^command chain/d' known.machine
    like chain 0.5 0 0 0.5 0
} > half.machine
t selftest --machine half.machine; exits 0; lines out 9; says '^unexpected chain .*: backend_bound is 5[0-9.]* %, not 60 % or more$'; says 'please report'
[ "$(grep -c '^ok' out)" -eq 7 ] || fail "$what: not seven are ok"
t selftest --machine half.machine --kernel chain --json; exits 0; lines out 1
says '^\{"kernel":"chain","status":"unexpected","why":"backend_bound is 5[0-9.]* %, not 60 % or more","ways":\[\{"way":"task","why":null,"shares":\{"retiring":\{"value":0\.[0-9]+,"low":0\.[0-9]+,"high":0\.[0-9]+\},'

# ---- counters that cannot be right, and none ----
t selftest --machine "$machines/guest-lying-pmu.machine"; exits 1; says '^OBSTACLE +lies'; says '^off +adds '; says "'tdprobe doctor'"
t selftest --machine "$machines/guest-without-pmu.machine"; exits 69; says '^OBSTACLE +guest'; warns 'no kernel can be measured: the kernel shows no PMU'
none="No kernel could be measured: 'tdprobe doctor' tells what prevents it\\."
sed '/^command/d' known.machine > idle.machine
t selftest --machine idle.machine; exits 69; lines out 9; says "^$none\$"; ! grep -qE 'please report|contradict' out || fail "$what: $(cat out)"
t selftest --machine half.machine --kernel adds; exits 0; ! grep -q "$none" out || fail "$what: $(cat out)"
t selftest --machine no-such.machine; exits 65; warns 'no-such.machine'

[ ! -e failed ]
