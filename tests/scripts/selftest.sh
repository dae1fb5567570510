#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe selftest: the kernels run; on simulated machines, whose commands have their names, it finds what they are made of, one that
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

# ---- machines with the kernels as commands ----
# KERNEL RETIRING BAD FRONTEND BACKEND LATENCY MISPREDICTS MEMORY in percent, as tests/import/kernels has them in parts of 1: what must
# be found, on any of them. What a thread of two does on Skylake is by its own recovery, not by its core's.
shares() {
    cat << END
adds 87.5 0 6.25 6.25 3.125 0 0
chain 6.25 0 0 93.75 0 0 0
divider 12.5 0 6.25 81.25 3.125 0 6.25
branches 12.5 50 31.25 6.25 25 43.75 0
icache 25 0 75 0 62.5 0 0
chase-l1 6.25 0 0 93.75 0 0 93.75
chase-memory 1.5625 0 0 98.4375 0 0 98.4375
dtlb 3.125 0 0 96.875 0 0 96.875
END
}
shares > shares
# out: eight times ok, with the shares of level 1 within half of the register's 1/255 and what is rounded; with a sibling that is busy
# eight times more, the same shares, as each thread has its part of the slots; then what a reading takes
finds() { # busy | alone
    exits 0; lines err 0
    case $1 in
    busy) lines out 17 ;;
    alone) lines out 10; says '^skipped +sibling busy +CPU [0-9]+ has its core for itself' ;;
    esac
    tail -n 1 out | grep -qE '^reading    [0-9]+ ns by ' || fail "$what: $(tail -n 1 out)"
    grep -vE '^reading |^skipped +sibling busy ' out > kernels
    awk -v what="$what" '
        NR == FNR { for (i = 2; i <= 5; i++) want[$1, i] = $i; next }
        $1 != "ok" { print "FAIL: " what ": " $0; bad = 1 }
        { for (i = 1; i <= 4; i++) { d = $(2 + 2 * i) - want[$2, i + 1]; if (!(($2, i + 1) in want) || d > 0.35 || d < -0.35) { print "FAIL: " what ": " $0; bad = 1 } } }
        END { exit bad }' shares kernels || : > failed
}
# csv of a kernel: of the nodes of level 2 that the table has, N
deeper() { # MACHINE KERNEL N OPTIONS...
    machine=$1 kernel=$2 nodes=$3
    shift 3
    t --machine "$machine" --fast --level 2 --format csv -o csv "$@" -- "$kernel"; exits 0
    awk -F, -v what="$machine $kernel" -v kernel="$kernel" -v n="$nodes" '
        BEGIN {
            while ((getline line < "shares") > 0) { split(line, w, " "); if (w[1] == kernel) { latency = w[6]; mispredicts = w[7]; memory = w[8] } }
            want["fetch_latency"] = want["frontend_bound_latency"] = want["frontend_bound_by_latency"] = latency
            want["branch_mispredicts"] = want["bad_speculation_mispredicts"] = want["bad_speculation_from_mispredicts"] = mispredicts
            want["memory_bound"] = want["backend_bound_memory"] = want["backend_bound_by_memory"] = memory
            if (what !~ /elkhartlake/) # where that is all of backend bound
                want["resource_bound"] = memory
        }
        $6 in want && $12 == "ok" { found++; d = 100 * $7 - want[$6]; if (d > 0.45 || d < -0.45) { print "FAIL: " what ": " $0 ", not " want[$6] " %"; bad = 1 } }
        END { if (found + 0 < n) { print "FAIL: " what ": " found + 0 " nodes of level 2, not " n; bad = 1 } exit bad }' csv || : > failed
}
# MACHINE CPU SIBLING WAYS: whether this CPU has a sibling that can be busy, and by which ways a kernel on it can be measured
while read -r machine cpu sibling ways; do
    t selftest --machine "$machines/$machine.machine" -C "$cpu"; finds "$sibling"
    [ "$(grep -c "% by $ways\$" out)" -eq 8 ] || fail "$what: not all by $ways: $(head -n 1 out)"
    [ "$sibling" = alone ] || [ "$(grep -c "% by $ways, sibling busy\$" out)" -eq 8 ] || fail "$what: not all by $ways with a busy sibling: $(tail -n 2 out)"
done << END
alderlake 0 busy task, cpu, msr
alderlake 8 alone cpu, msr
cascadelake 0 busy task, cpu
elkhartlake 0 alone task, cpu, msr
genoa 0 busy task, cpu, msr
graniterapids 0 busy task, cpu, msr
graviton4 0 alone task, cpu
icelake 0 busy task, cpu, msr
knightslanding 0 alone task, cpu
lunarlake 0 alone task, cpu, msr
lunarlake 4 alone cpu, msr
n2-r0p3 0 alone task, cpu
sapphirerapids 0 busy task, cpu, msr
sierraforest 0 alone task, cpu, msr
skylake 0 busy task, cpu
skylake-nosmt 0 alone task, cpu, msr
turin 0 alone task, cpu, msr
yitian710 0 alone task, cpu
END
# MACHINE, and of branches, icache and divider the nodes: where they are parts of bad speculation or backend bound by a ratio of
# counts, there are none of what is 0
while read -r name branches icache divider; do
    deeper "$machines/$name.machine" branches "$branches"
    deeper "$machines/$name.machine" icache "$icache"
    deeper "$machines/$name.machine" divider "$divider"
done << END
alderlake 6 6 6
cascadelake 3 1 2
elkhartlake 3 3 3
genoa 3 1 2
graniterapids 3 3 3
icelake 3 1 2
lunarlake 6 6 6
sapphirerapids 3 3 3
sierraforest 3 3 3
skylake 3 1 2
skylake-nosmt 3 1 2
turin 3 1 2
END
# a task's level 2 is of ordinary events; a CPU's, on which the kernel stays, is of the register
for name in alderlake graniterapids lunarlake sapphirerapids; do
    for kernel in branches icache divider; do
        sed "s/ slice=20.* name=$kernel\$/ cpus=0 name=$kernel/" "$machines/$name.machine" > "$name.machine"
        deeper "$name.machine" "$kernel" 3 -C 0
    done
done
t selftest --machine "$spr" --kernel icache; exits 0; lines out 3; says '^ok +icache '

# ---- a sibling: the machine's own, busy with the same kernel; what a reading takes is the simulated kernel's: 1 us for a system call,
# of which a task's and a CPU's need one each, for the group that has the register, and the registers one each ----
sed '/^run /d' "$spr" > alone.machine
t selftest --machine alone.machine --kernel chain --bundle alone.tar; exits 0; says '^ok +chain .* msr$'; says '^ok +chain .* msr, sibling busy$'
says '^reading    1000 ns by task, 1000 ns by cpu,( 0 ns by rdpmc,)? [0-9]+000 ns by msr: what counting costs each time$'
# 0.2 s of 18 * 10^9 slots a second; half of them where the sibling is busy
slots() { tar -xOf alone.tar "tdprobe-bundle/traces/$1.trace" | awk -F, '$7 == "TOPDOWN.SLOTS" { n = $8 } END { printf "%.2f", n / 3.6e9 }'; }
[ "$(slots chain-cpu)" = 1.00 ] && [ "$(slots chain-cpu-busy)" = 0.50 ] || fail "slots: $(slots chain-cpu), $(slots chain-cpu-busy) of 3.6e9"
[ "$(slots chain-task)" = 1.00 ] && [ "$(slots chain-task-busy)" = 0.50 ] || fail "slots: $(slots chain-task), $(slots chain-task-busy) of 3.6e9"
t selftest --machine alone.machine --kernel chain --json; exits 0; lines out 3
says '"sibling":null\}$'; says '"sibling":"busy"\}$'; says '^\{"reading_ns":\{"task":1000,"cpu":1000,"rdpmc":(0\.0|null),"msr":[0-9]+000\}\}$'
# what is wrong only while the sibling is busy
sed 's/^count 0x2a4 [0-9.]*/& alone/' alone.machine > shared.machine
t selftest --machine shared.machine --kernel chain; exits 1; says '^ok +chain .* msr$'; says '^off +chain .* sibling busy: bad_speculation is 93\.8 % by task and 0\.0 % by cpu$'

# ---- the files are what tests/import/kernels makes of them ----
if python3 -c '' 2> err; then
    for machine in "$machines"/*.machine; do
        case $machine in */guest-*) continue ;; esac
        python3 "$TD_SRCDIR/tests/import/kernels" "$machine" > made && cmp made "$machine" || fail "$machine: not as tests/import/kernels makes it"
    done
fi

# ---- one event that is wrong ----
# the E-cores' events are the slots' shares, and must sum to 1: each fault is found, 4 of each of 5 events. On Skylake half of the bad
# speculation of branches, 50 %, is of cycles of recovery: half of them or none leave 37.5 or 25 %, above the 15 % that are expected.
if python3 -c '' 2> err; then
    python3 "$TD_SRCDIR/tests/bench/faults" "$TDPROBE" "$machines" elkhartlake skylake-nosmt > out || fail "tests/bench/faults: exit $?"
    what=tests/bench/faults
    lines out 6
    says '^tremont +5/5 +5/5 +5/5 +5/5$'
    says '^skylake +4/5 +5/5 +4/5 +5/5$'
    says '^missed: skylake-nosmt, half, INT_MISC.RECOVERY_CYCLES$'; says '^missed: skylake-nosmt, zero, INT_MISC.RECOVERY_CYCLES$'
    says '^found: 38 of 40, 95.0 %$'
fi

# ---- one share that is not expected ----
sed '/^workload chain/,/^command chain/{s/=0.0625 /=0.5 /; s/=0.9375/=0.5/; s/^\(count 0x2a4\|count 0x2c2\|count 0xc0\) [0-9.]*/\1 0.5/}' "$spr" > half.machine
t selftest --machine half.machine; exits 0; lines out 18; says '^unexpected chain .*: backend_bound is 5[0-9.]* %, not 60 % or more$'; says 'please report'
[ "$(grep -c '^ok' out)" -eq 14 ] || fail "$what: not seven are ok, each twice"
t selftest --machine half.machine --kernel chain --json; exits 0; lines out 3
says '^\{"kernel":"chain","status":"unexpected","why":"backend_bound is 5[0-9.]* %, not 60 % or more","ways":\[\{"way":"task","why":null,"shares":\{"retiring":\{"value":0\.[0-9]+,"low":0\.[0-9]+,"high":0\.[0-9]+\},'

# ---- a share above its limit, counts that contradict each other, and what a guest may hide ----
sed '/^workload chain/,/^command chain/{s/=0.0625 bad=0 /=0.0625 bad=0.15 /; s/=0.9375/=0.7875/; s/^\(count 0x2a4\) [0-9.]*/\1 0.7875/}' "$spr" > above.machine
t selftest --machine above.machine --kernel chain; exits 0; says '^unexpected chain .*: bad_speculation is 1[0-9.]* %, not 10 % or less$'
sed '/^workload chain/,/^command chain/s/^\(count 0xc0\) [0-9.]*/\1 0.5/' "$spr" > apart.machine
t selftest --machine apart.machine --kernel chain; exits 1; says '^off +chain .*: INST_RETIRED\.ANY <= .* does not hold: '
sed '/^workload chain/,/^command chain/s/^\(count 0x3c .*\)/\1\ncount 0x1c2 0.5/' "$spr" > deep.machine
t selftest --machine deep.machine --kernel chain; exits 1; says '^off +chain .*: UOPS_RETIRED\.HEAVY <= UOPS_RETIRED\.SLOTS does not hold: '
sed 's/^\(cpuid 0x1 = .*\) 0x00008000 /\1 0x80008000 /; /^cpuid 0x1 /i cpuid 0x40000000 = 0x40000001 0x4b4d564b 0x564b4d56 0x4d' "$spr" > guest.machine
t selftest --machine guest.machine --kernel adds; exits 0; says '^note +guest +this is a guest of KVMKVMKVM$'; says '^ok +adds'; lines out 4

# ---- counters that cannot be right, and none ----
t selftest --machine "$machines/guest-lying-pmu.machine"; exits 1; says '^OBSTACLE +lies'; says '^off +adds '; says "'tdprobe doctor'"
t selftest --machine "$machines/guest-without-pmu.machine"; exits 69; says '^OBSTACLE +guest'; warns 'no kernel can be measured: the kernel shows no PMU'
none="No kernel could be measured: 'tdprobe doctor' tells what prevents it\\."
sed "/^command/d" "$spr" > idle.machine
t selftest --machine idle.machine; exits 69; lines out 18; says "^$none\$"; ! grep -qE 'please report|contradict' out || fail "$what: $(cat out)"
elsewhere='retiring has no value that can be judged: not_counted$'
t selftest --machine "$machines/alderlake.machine" --uarch adl-e -C 0; exits 69; lines out 18; [ "$(grep -cE "^skipped +[a-z1-]+ +$elsewhere" out)" -eq 8 ] || fail "$what: $(cat out)"
t selftest --machine "$machines/alderlake.machine" --uarch adl-e -C 8 --kernel chain; exits 0; ! grep -q "$elsewhere" out || fail "$what: $(cat out)"
t selftest --machine half.machine --kernel adds; exits 0; ! grep -q "$none" out || fail "$what: $(cat out)"
t selftest --machine no-such.machine; exits 65; warns 'no-such.machine'

[ ! -e failed ]
