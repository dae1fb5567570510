#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record --functions on every family of CPUs: what the machine does, and two functions of known shares, are found as
# they are by counting, in pairs of samples, single ones, or those of groups that take turns.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
. "$TD_SRCDIR/tests/scripts/machine_shares.sh"
machines=$TD_SRCDIR/sim/machines

# the value within 2 points of the truth, and the truth within the bounds, which only a build without GSL lacks
bounded=1
near() { # PLACE CORE METRIC PERCENT
    ! grep -q 'without GSL' err || bounded=0
    awk -F, -v place="$1" -v core="$2" -v metric="$3" -v truth="$4" -v bounded=$bounded '
        $1 == place && $4 == core && $10 == metric {
            found = 1
            off = 100 * $14 - truth
            if ($18 != "ok") print place ", " metric ": " $18
            else if (off > 2 || off < -2) print place ", " metric ": " 100 * $14 ", not " truth
            else if ($15 == "" && bounded) print place ", " metric " has no bounds"
            else if ($15 != "" && !(100 * $15 <= truth && truth <= 100 * $16)) print place ", " metric ": " truth " is not in " 100 * $15 " .. " 100 * $16
        }
        END { if (!found) print place " has no " metric }' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
}

# how each is sampled
shares | while read -r machine core ret bad fe be; do
    [ "$core" != - ] || core=
    case $machine in
    knightslanding) how='single samples of 2 groups of events that take turns \(multiplexing\): .* for a part of the time$' ;; # two counters for three events
    skylake | cascadelake | elkhartlake | yitian710 | n2-r0p3 | graviton4 | genoa | turin) how='single samples, not pairs' ;;
    *) how=cycles, ;;
    esac
    [ -e $machine.data ] || { t record --functions -a --machine $machines/$machine.machine --fast --timeout 400 -o $machine.data; exits 0; warns "$how"; }
    t report --format csv $machine.data; exits 0
    near '[unknown+0x0]' "$core" retiring $ret
    near '[unknown+0x0]' "$core" bad_speculation $bad
    near '[unknown+0x0]' "$core" frontend_bound $fe
    near '[unknown+0x0]' "$core" backend_bound $be
done

# Two functions that take turns of 7 and 11 ms on one CPU: 90, 2, 4, 4 and 10, 5, 5, 80 percent. The counts are these shares of the
# slots, by each family's formulas; each COUNTS has a count of the first and of the second function.
two() { # MACHINE RATE OPTIONS, then COUNTS from the input
    sed '/^workload /,$d' $machines/$1.machine > two.machine
    cat > counts
    {
        echo "workload two rate=$2 file=/sim/two at=0x400000 size=0x10000"
        echo 'phase ms=7 function=0x401000 retiring=0.9 bad=0.02 frontend=0.04 backend=0.04'
        awk '{ print "count", $1, $2, $4 }' counts
        echo 'phase ms=11 function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8'
        awk '{ print "count", $1, $3, $4 }' counts
        echo 'command two ms=1500 cpus=0 name=two'
    } >> two.machine
    # shellcheck disable=SC2086
    t record --functions ${3-} --machine two.machine --fast -o two.data -- two; exits 0
    [ -z "${3-}" ] || warns 'groups of events that take turns .*; --level 1 takes fewer'
    t report --by address --format csv two.data; exits 0
    # 7 and 11 of 18 ms
    awk -F, '$10 == "retiring" { truth = $1 == "[two+0x1000]" ? 700 / 18 : 1100 / 18; n++; if (100 * $5 - truth > 1 || truth - 100 * $5 > 1) print $1 " has " 100 * $5 " % of the slots, not " truth } END { if (n != 2) print n " functions" }' out > wrong
    [ ! -s wrong ] || fail "$what: $1: $(cat wrong)"
}
both() { # all is as if each thread had its core
    near '[two+0x1000]' '' retiring 90; near '[two+0x1000]' '' bad_speculation 2; near '[two+0x1000]' '' frontend_bound 4; near '[two+0x1000]' '' backend_bound 4
    near '[two+0x2000]' '' retiring 10; near '[two+0x2000]' '' bad_speculation 5; near '[two+0x2000]' '' frontend_bound 5; near '[two+0x2000]' '' backend_bound 80
}
# CPU_CLK_UNHALTED.THREAD, NO_ALLOC_CYCLES.MISPREDICTS, _NOT_DELIVERED, UOPS_RETIRED.ALL; 2 slots a cycle, and of the cycles, half as many as slots,
# the allocator stands for a mispredict in 2 and 5 %, for the frontend in 4 and 5 %. The three take turns
two knightslanding 5200000000 << 'END'
0x3c 0.5 0.5 clock
0x4ca 0.01 0.025
0x90ca 0.02 0.025
0x10c2 0.9 0.1
END
both
# ls_not_halted_cyc, ex_ret_ops, de_src_op_disp.all, no_ops_from_frontend, backend_stalls, smt_contention; 6 slots a cycle
two genoa 22200000000 << 'END'
0x76 0.166667 0.166667 clock
0xc1 0.9 0.1
0x7aa 0.92 0.15
0x1000001a0 0.04 0.05
0x100001ea0 0.04 0.8
0x1000060a0 0 0
END
both
# Level 2 takes turns. Of 4 % and 5 % of the frontend, latency is 6 slots of each cycle without any, cmask=6: 3 and 2 %. Of 2 and 5 % of bad
# speculation 3/4 and 1/5 are mispredicts, 0.003 and 0.001 against resyncs of 0.001 and 0.004. Of 4 and 80 % of the backend 1/2 and 7/8 are
# memory, load_not_complete over not_complete. 1/9 and 1/10 of the operations that retire are microcode's
two genoa 22200000000 '--level 2' << 'END'
0x76 0.166667 0.166667 clock
0xc1 0.9 0.1
0x7aa 0.92 0.15
0x1000001a0 0.04 0.05
0x1060001a0 0.005 0.003333
0x100001ea0 0.04 0.8
0x1000060a0 0 0
0xc3 0.003 0.001
0x96 0.001 0.004
0x2d6 0.1 0.1
0xa2d6 0.05 0.0875
0x1000000c2 0.1 0.01
END
both
near '[two+0x1000]' '' frontend_bound_latency 3; near '[two+0x1000]' '' bad_speculation_mispredicts 1.5; near '[two+0x1000]' '' backend_bound_memory 2; near '[two+0x1000]' '' retiring_microcode 10
near '[two+0x2000]' '' frontend_bound_latency 2; near '[two+0x2000]' '' bad_speculation_mispredicts 1; near '[two+0x2000]' '' backend_bound_memory 70; near '[two+0x2000]' '' retiring_microcode 1
# CPU_CYCLES, OP_SPEC, OP_RETIRED, STALL_SLOT, _FRONTEND, _BACKEND, BR_MIS_PRED; 8 slots a cycle: 0.9 of 0.92 operations are kept, and
# bad speculation is the rest of them, as no branch is mispredicted
two graviton4 22400000000 << 'END'
0x11 0.125 0.125 clock
0x3b 0.92 0.15
0x3a 0.9 0.1
0x3f 0.08 0.85
0x3e 0.04 0.05
0x3d 0.04 0.8
0x10 0 0
END
both
# CPU_CLK_UNHALTED.CORE, TOPDOWN_RETIRING.ALL, _BAD_SPECULATION, _FE_BOUND, _BE_BOUND; 4 slots a cycle
two elkhartlake 7200000000 << 'END'
0x3c 0.25 0.25 clock
0xc0 0.9 0.1
0xc2 0.9 0.1
0x673 0.02 0.05
0x71 0.04 0.05
0x74 0.04 0.8
END
both
# Level 2, in five groups: ITLB, ICACHE, BRANCH_DETECT, _RESTEER are fetch latency, 3 and 4 %; CISC, DECODE, PREDECODE, OTHER; MISPREDICT,
# MACHINE_CLEARS; UOPS_RETIRED.MS; stalls by L2 hits, LLC hits, DRAM and full store buffers, of the cycles, are memory bound, 3 and 70 %
two elkhartlake 7200000000 '--level 2' << 'END'
0x3c 0.25 0.25 clock
0xc0 0.9 0.1
0xc2 0.9 0.1
0x673 0.02 0.05
0x71 0.04 0.05
0x74 0.04 0.8
0x1071 0.01 0.01
0x2071 0.005 0.02
0x271 0.005 0.005
0x4071 0.01 0.005
0x171 0.002 0.002
0x871 0.003 0.002
0x471 0.004 0.003
0x8071 0.001 0.003
0x473 0.015 0.01
0x273 0.005 0.04
0x1c2 0.1 0.01
0x134 0.0025 0.05
0x234 0.0025 0.05
0x434 0.0025 0.05
0x4034 0 0.025
END
both
near '[two+0x1000]' '' fetch_latency 3; near '[two+0x1000]' '' branch_mispredicts 1.5; near '[two+0x1000]' '' memory_bound 3; near '[two+0x1000]' '' core_bound 1; near '[two+0x1000]' '' ms_uops 10
near '[two+0x2000]' '' fetch_latency 4; near '[two+0x2000]' '' branch_mispredicts 1; near '[two+0x2000]' '' memory_bound 70; near '[two+0x2000]' '' core_bound 10; near '[two+0x2000]' '' ms_uops 1
# CPU_CLK_UNHALTED.THREAD, _ANY, INST_RETIRED.ANY, IDQ_UOPS_NOT_DELIVERED.CORE, UOPS_ISSUED.ANY, UOPS_RETIRED.RETIRE_SLOTS,
# INT_MISC.RECOVERY_CYCLES_ANY; 4 slots a cycle. The sibling idles, which is not seen: the first function would retire 180 % if it did not, and
# so has its own shares; the second has those of a thread whose sibling is busy, and bounds that hold its own
two skylake 14000000000 << 'END'
0x3c 0.25 0.25 clock
0x20003c 0.25 0.25 core
0xc0 0.9 0.1
0x19c 0.04 0.05
0x10e 0.92 0.15
0x2c2 0.9 0.1
0x20010d 0 0 core
END
near '[two+0x1000]' '' retiring 90
near '[two+0x1000]' '' backend_bound 4
near '[two+0x2000]' '' retiring 20
[ $bounded = 0 ] || awk -F, '
    BEGIN { truth["retiring"] = 0.1; truth["frontend_bound"] = truth["bad_speculation"] = 0.05; truth["backend_bound"] = 0.8 }
    $1 == "[two+0x2000]" && $11 == 1 { n++; if (!($15 <= truth[$10] && truth[$10] <= $16)) print $10 ": " truth[$10] " is not in " $15 " .. " $16 }
    END { if (n != 4) print n " nodes" }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"

# what is not as it was asked for is told once, of the samples that are taken
t record --functions -a -c 20000 --machine $machines/genoa.machine --fast --timeout 50 -o hot.data; exits 0
warns 'the period is 750000 cycles \(--overhead\)'; [ "$(grep -c 'the period is [0-9]' err)" -eq 1 ] || fail "$what: $(cat err)"
# what is not allowed, and why a group does not fit
with() { { cat $machines/$1.machine; shift; printf '%s\n' "$@"; } > with.machine; }
with genoa 'privileged no'; t record --functions --machine with.machine --fast -o user.data -- mixed; exits 0
warns 'user mode only: kernel.perf_event_paranoid'; warns 'single samples, not pairs'
sed 's/^cpus .*/&\nwatchdog on/' $machines/genoa.machine > with.machine
t record --functions -a --machine with.machine --fast --timeout 400 -o turns.data; exits 0
warns '2 groups .*; one counter is left to the NMI watchdog: sysctl kernel.nmi_watchdog=0'
t report --format csv turns.data; exits 0
near '[unknown+0x0]' '' retiring 25; near '[unknown+0x0]' '' backend_bound 37.5
warns 'groups of events took turns'; warns 'left out: 16 intervals' # two groups of 8 CPUs: the first of each only
with skylake 'privileged no'; t record --functions --machine with.machine --fast -o turns.data -- mixed; exits 0
warns '2 groups .*; CAP_PERFMON, or sysctl kernel.perf_event_paranoid=0, allows the clock of whole cores'
t report --format csv turns.data; exits 0
near '[unknown+0x0]' '' retiring 25; near '[unknown+0x0]' '' backend_bound 50
# of a task the register's fields are off by what its switches leave open, besides chance: a node of several groups has no bounds by one of the two
t record --functions --level 2 --machine $machines/icelake.machine --fast -o turns.data -- mixed; exits 0
t report --format csv turns.data; exits 0
near '[unknown+0x0]' '' retiring 25; near '[unknown+0x0]' '' heavy_operations 6.25
awk -F, '$10 == "memory_bound" { n++; if ($15 != "" || 100 * $14 < 35.5 || 100 * $14 > 39.5) print $14 " in " $15 " .. " $16 } END { if (!n) print "nothing" }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"
# a PMU with fewer counters than the CPU reports, of which one alone holds no event beside cycles
for n in 5 2 1; do
    sed "s/general=6/general=$n/" $machines/genoa.machine > with.machine
    t record --functions -a --machine with.machine --fast --timeout 400 -o fewer.data
    [ $n -gt 1 ] || continue
    exits 0; warns "$((n == 5 ? 2 : 5)) groups of events that take turns"
    t report --format csv fewer.data; exits 0
    near '[unknown+0x0]' '' retiring 25; near '[unknown+0x0]' '' bad_speculation 12.5; near '[unknown+0x0]' '' backend_bound 37.5
done
exits 69; warns "do not hold cycles and any of the formulas' events together: end other users of the counters; without functions 'tdprobe -a' measures the whole system$"
t -a --machine with.machine --fast --timeout 100; exits 0 # what is advised
# each kind of core has turns of its own, and what perf-command prints has the same groups
t record --functions --level 2 -a --machine $machines/alderlake.machine --fast --timeout 400 -o turns.data; exits 0
warns '2 groups of events that take turns'
t report --format csv turns.data; exits 0
near '[unknown+0x0]' P fetch_latency 6.25; near '[unknown+0x0]' P memory_bound 37.5
near '[unknown+0x0]' E fetch_latency 18.75; near '[unknown+0x0]' E core_bound 6.25
t perf-command --functions --level 2 --machine $machines/alderlake.machine; exits 0
says "\{cpu_core/slots/,[^}]*\}:S,\{cpu_atom/cpu_clk_unhalted.core/,[^}]*\}:S,\{cpu_atom/cpu_clk_unhalted.core/,[^}]*\}:S'"
says '2 groups take turns'
# threads and children that start, and end, while groups take turns
{
    sed '/^run /d; /^command mixed /d; /^task /d; /^cgroup /d' $machines/knightslanding.machine
    echo 'command mixed ms=400 cpus=1 name=tree'
    echo 'start mixed at=50 ms=300 cpus=2 thread'
    echo 'start mixed at=100 ms=300 cpus=3 name=kid'
} > with.machine
t record --functions --machine with.machine --fast -o turns.data -- tree; exits 0; warns 'samples of 3 threads'
t report --by thread --format csv turns.data; exits 0
for thread in tree-5000 tree-5001 kid-5002; do near $thread '' retiring 25; near $thread '' backend_bound 50; done
# a program that is back after exactly the usual period of groups in turns, 754.7 us, and its functions' 40 and 60 % of the slots
{
    sed '/^workload /,$d' $machines/knightslanding.machine
    cat << 'END'
workload two rate=5200000000 file=/sim/two at=0x400000 size=0x10000
phase us=302 function=0x401000 retiring=0.9 bad=0.02 frontend=0.04 backend=0.04
count 0x3c 0.5 clock
count 0x4ca 0.01
count 0x90ca 0.02
count 0x10c2 0.9
phase us=453 function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8
count 0x3c 0.5 clock
count 0x4ca 0.025
count 0x90ca 0.025
count 0x10c2 0.1
command two ms=1500 cpus=0 name=two
END
} > with.machine
t record --functions --machine with.machine --fast -o turns.data -- two; exits 0; warns '2 groups of events that take turns'
t report --by address --format csv turns.data
awk -F, '$10 == "retiring" { n++; if ($18 == "ok") print $1 ": " $14 } END { if (n != 2) print n " functions" }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"
for machine in sapphirerapids genoa knightslanding; do
    case $machine in
    genoa) how="single samples, by the formulas' own cycles" ;;
    knightslanding) how='single samples of 2 groups of events that take turns' ;;
    *) how='pairs of samples' ;;
    esac
    t doctor --machine $machines/$machine.machine; says "sampling +record --functions: can take $how"
done
[ ! -e failed ]
