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
t compare --uarch spr -M info_pipeline_execute --smt off unknown.trace unknown.trace; exits 0; empty err
# what no metric asked for depends on is not asked
t replay --uarch spr -M info_thread_ipc file; exits 0; empty err
[ ! -e failed ]
