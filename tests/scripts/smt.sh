#!/bin/sh
# SPDX-License-Identifier: MIT
# Whether SMT was on, where a recording does not say it: exactly the metrics that depend on it are flagged and have no sound bounds, a message
# names --smt, and with it they are exact. By hand: 4,000 uops in 2,000 cycles of the core, of both threads, are 4 per cycle
# with SMT (2,000 / 2 = 1,000), and 4,000 / 800 = 5 without (the thread executed in 800 cycles).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
rows() { printf '%s\n' 4000,,uops_executed.thread,9,100.00,, 2000,,uops_executed.core_cycles_ge_1,9,100.00,, '800,,cpu/event=0xb1,umask=0x1,cmask=0x1/,9,100.00,,' \
    3000,,inst_retired.any,9,100.00,, 9000,,slots,9,100.00,, 1500,,cpu_clk_unhalted.thread,9,100.00,, "$@"; }
distributed=1000,,cpu_clk_unhalted.distributed,9,100.00,,
# OPTIONS METRIC: value, low, high, flags and kind of bounds
of() { t replay -M all -x, "$@"; exits 0; }
is() { # METRIC WANTED
    got=$(awk -F, -v m="$1" '$6 == m { print $7, $9, $10, $13, $14 }' out)
    [ "$got" = "$2" ] || fail "$what: $1 '$got', not '$2'"
}
note='whether SMT was on is not recorded, and .* on it: --smt on or --smt off says it'
for cpu in icl tgl icx adl-p spr mtl-p gnr; do
    rows "$distributed" > file
    of --uarch $cpu file; warns "$note"
    is info_pipeline_execute '4.000000 4.000000 5.000000 smt_unknown likely'
    is info_core_core_clks '1000.000000 1000.000000 1500.000000 smt_unknown likely'
    is info_core_coreipc '3.000000 2.000000 3.000000 smt_unknown likely'
    is info_thread_ipc '2.000000 2.000000 2.000000  sound'
    is info_thread_clks '1500.000000 1500.000000 1500.000000  sound'
    # the advice
    of --uarch $cpu --smt on file; empty err
    is info_pipeline_execute '4.000000 4.000000 4.000000  sound'
    is info_core_core_clks '1000.000000 1000.000000 1000.000000  sound'
    of --uarch $cpu --smt off file; empty err
    is info_pipeline_execute '5.000000 5.000000 5.000000  sound'
    is info_core_core_clks '1500.000000 1500.000000 1500.000000  sound'
    # without the core's clock: that of the thread, of which a sibling has half at most
    rows > file
    of --uarch $cpu file; warns "$note"
    is info_core_core_clks '1500.000000 750.000000 1500.000000 smt_unknown likely'
    is info_core_coreipc '2.000000 2.000000 4.000000 smt_unknown likely'
    of --uarch $cpu --smt on file; empty err
    is info_core_core_clks '1500.000000 750.000000 1500.000000 smt_unknown likely'
    of --uarch $cpu --smt off file; empty err
    is info_core_core_clks '1500.000000 1500.000000 1500.000000  sound'
    is info_core_coreipc '2.000000 2.000000 2.000000  sound'
    # of the other form the events are missing: what it would give is not known
    rows "$distributed" | grep -v cmask > file
    of --uarch $cpu file
    is info_pipeline_execute '4.000000   smt_unknown '
done
rows "$distributed" > file
# cores that have one thread only, and forms that the events settle
for cpu in lnl-p skl adl-e; do t replay --uarch $cpu -M all -x, file; ! grep -q 'whether SMT' err || fail "$what: $(cat err)"; done

# a trace keeps it, and says so; what is asked overrides it, with a note
t convert --uarch spr -o unknown.trace file; exits 0; grep -qx '# smt: unknown' unknown.trace || fail "$what: $(grep smt unknown.trace)"
for smt in on off; do
    other=$(echo onoff | sed "s/$smt//")
    of --uarch spr --smt $smt file; cp out wanted
    t convert --uarch spr --smt $smt -o trace file; exits 0; grep -qx "# smt: $smt" trace || fail "$what: $(grep smt trace)"
    of trace; empty err; cmp -s out wanted || fail "$what: $(diff wanted out)"
    of --smt $smt trace; empty err
    t convert --smt $smt -o again.trace unknown.trace; exits 0
    of again.trace; empty err; cmp -s out wanted || fail "$what: $(diff wanted out)"
    grep -v '# smt' unknown.trace > silent.trace
    t convert --smt $smt -o again.trace silent.trace; exits 0
    of again.trace; empty err; cmp -s out wanted || fail "$what: $(diff wanted out)"
    of --smt $other trace; warns "the file says that SMT was $smt; read as $other, as asked"
    cp out back
    of --uarch spr --smt $other file; cmp -s out back || fail "$what: $(diff out back)"
done
for command in replay convert phases; do t $command --uarch spr --smt maybe file; exits 64; warns "smt is on or off, not 'maybe'"; done
t compare --uarch spr --smt of file file; exits 64; warns "smt is on or off, not 'of'"
t report --smt; exits 64
t compare --uarch spr -M info_pipeline_execute --smt off unknown.trace unknown.trace
grep -q 'without GSL' err || { exits 0; empty err; }
# perf.data has the lists of sibling threads, PerfSpect's metadata the threads of a core: without siblings no second thread runs, with them the
# event that counts it is missing
alone=info_system_smt_2t_utilization
known() { # WANTED ARGS...: value, low, high, status of the first interval
    wanted=$1
    shift
    t "$@" -x, -M $alone; exits 0
    got=$(awk -F, -v m=$alone '$6 == m { print $7, $9, $10, $12; exit }' out)
    [ "$got" = "$wanted" ] || fail "$what: '$got', not '$wanted'"
}
off='0.000000 0.000000 0.000000 ok' on='   missing_event:CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE'
says_on='the file says that SMT was on; read as off, as asked' says_off='the file says that SMT was off; read as on, as asked'
quiet() { ! grep -q 'SMT was' err || fail "$what: $(cat err)"; }
data=$TD_SRCDIR/traces/spr-perf61-stat-record.data # its machine had two threads a core
known "$on" replay --uarch spr "$data"; quiet
known "$on" replay --uarch spr --smt on "$data"; quiet
known "$off" replay --uarch spr --smt off "$data"; warns "$says_on"
t convert --uarch spr --smt off "$data" -o trace; exits 0; known "$off" replay trace; quiet
for threads in 2 1 ''; do
    rm -rf folder; mkdir folder
    cp "$TD_SRCDIR/traces/spr-lkml-perfspect_events.jsonl" folder/x_events.jsonl
    sed "s/\"ThreadsPerCore\":2,/${threads:+\"ThreadsPerCore\":$threads,}/" "$TD_SRCDIR/traces/spr-lkml-perfspect_metadata.json" > folder/x_metadata.json
    grep -q 'ThreadsPerCore":2' folder/x_metadata.json && [ "$threads" != 2 ] && fail 'the test tests nothing'
    case $threads in 1) known "$off" replay folder ;; *) known "$on" replay folder ;; esac; quiet
    known "$on" replay --smt on folder; case $threads in 1) warns "$says_off" ;; *) quiet ;; esac
    known "$off" replay --smt off folder; case $threads in 2) warns "$says_on" ;; *) quiet ;; esac
done
t report --smt on "$TD_SRCDIR/tests/samples/long.data"; exits 0; warns "$says_off"; t report --smt off "$TD_SRCDIR/tests/samples/long.data"; exits 0; quiet
for smt in on off ''; do # a machine that does not say it
    t report --uarch spr ${smt:+--smt $smt} -x, -M $alone "$TD_SRCDIR/tests/samples/pairs.data"; exits 0; quiet
    grep -q ",$alone,0,,fraction,0,.*,ok," out && got=off || got=
    case $smt in off) [ "$got" ] || fail "$what: $alone is not 0: $(grep $alone out | head -n 1)" ;; *) [ ! "$got" ] || fail "$what: $alone is 0" ;; esac
done
# Raw counts of the kernel's topdown events are scaled by what depends on SMT: of an interval without it 17.5, 10.5, 15 and 57 % of the slots,
# with it 35, 18, 30 and 17 %, as the vector of the file has it. The advice decides it.
sed '/^# smt:/d' "$TD_SRCDIR/traces/skl-kernel-topdown-smt.trace" > scaled.trace
t replay -x, scaled.trace; exits 0; warns "whether SMT was on is not recorded, and retiring and other metrics depend on it: --smt on or --smt off says it"
grep '^2.0' out > last; cp last out
is retiring '0.175000 0.175000 0.350000 smt_unknown likely'
is bad_speculation '0.105000 0.105000 0.180000 smt_unknown likely'
is frontend_bound '0.150000 0.150000 0.300000 smt_unknown likely'
is backend_bound '0.570000 0.170000 0.570000 smt_unknown likely'
says ',verdict,.*,undecided,.*undecided between .*; --smt on or --smt off decides more'
for row in 'on 0.350000 0.180000 0.300000 0.170000 frontend_bound' 'off 0.175000 0.105000 0.150000 0.570000 backend_bound'; do
    # shellcheck disable=SC2086 # words
    set -- $row
    t replay --smt $1 -x, scaled.trace; exits 0; empty err
    grep '^2.0' out > last; cp last out
    is retiring "$2 $2 $2  sound"; is bad_speculation "$3 $3 $3  sound"; is frontend_bound "$4 $4 $4  sound"; is backend_bound "$5 $5 $5  sound"
    says ",verdict,.*,decided,.*limited by $6"; ! grep -q 'decides more' out || fail "$what: $(grep verdict out)"
done
# what no metric asked for depends on is not asked
t replay --uarch spr -M info_thread_ipc file; exits 0; empty err
[ ! -e failed ]
