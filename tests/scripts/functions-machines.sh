#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record --functions on every family of CPUs: what the machine does, and two functions of known shares, are found as
# they are by counting, in pairs of samples or single ones.
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
    knightslanding) # two counters: the three events of level 1 take turns
        t record --functions -a --machine $machines/$machine.machine --fast --timeout 100 -o refused.data; exits 69
        warns 'take 2 groups here, which no sample has together: this CPU has too few counters'
        [ ! -e refused.data ] || fail "$what: a file is left"
        t --machine $machines/$machine.machine --fast --timeout 100 -a; exits 0 # what is advised
        continue ;;
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
two() { # MACHINE RATE, then COUNTS from the input
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
    t record --functions --machine two.machine --fast -o two.data -- two; exits 0
    t report --by address --format csv two.data; exits 0
    # 7 and 11 of 18 ms
    awk -F, '$10 == "retiring" { truth = $1 == "[two+0x1000]" ? 700 / 18 : 1100 / 18; n++; if (100 * $5 - truth > 1 || truth - 100 * $5 > 1) print $1 " has " 100 * $5 " % of the slots, not " truth } END { if (n != 2) print n " functions" }' out > wrong
    [ ! -s wrong ] || fail "$what: $1: $(cat wrong)"
}
both() { # all is as if each thread had its core
    near '[two+0x1000]' '' retiring 90; near '[two+0x1000]' '' bad_speculation 2; near '[two+0x1000]' '' frontend_bound 4; near '[two+0x1000]' '' backend_bound 4
    near '[two+0x2000]' '' retiring 10; near '[two+0x2000]' '' bad_speculation 5; near '[two+0x2000]' '' frontend_bound 5; near '[two+0x2000]' '' backend_bound 80
}
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
t record --functions -a --machine with.machine --fast --timeout 50 -o no.data; exits 69
warns 'one counter is left to the NMI watchdog; sysctl kernel.nmi_watchdog=0'; ! grep -q 'too few' err || fail "$what: $(cat err)"
with skylake 'privileged no'; t record --functions --machine with.machine --fast -o no.data -- mixed; exits 69
warns 'CAP_PERFMON, or sysctl kernel.perf_event_paranoid=0, allows the clock of whole cores'
for machine in sapphirerapids genoa; do
    how='pairs of samples'; [ $machine != genoa ] || how="single samples, by the formulas' own cycles"
    t doctor --machine $machines/$machine.machine; says "sampling +record --functions: can take $how"
done
[ ! -e failed ]
