#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts that no program can have made: events that a hypervisor hides count 0 while cycles and
# instructions run. No number rests on them, replayed or live, the doctor names them, and no
# recording of a healthy machine is taken for one.
set -u
bad=0
fail() { echo "FAIL: $what: $*"; bad=1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
t() { what="$*"; "$TDPROBE" "$@" > "$dir/out" 2> "$dir/err"; code=$?; }
exits() { [ $code -eq "$1" ] || fail "exit $code, not $1"; }
prints() { cat "$dir/out" "$dir/err" | grep -q -e "$1" || fail "it does not print '$1': $(tail -n 3 "$dir/out")"; }
lacks() { ! grep -q -e "$1" "$dir/out" "$dir/err" || fail "it prints '$1'"; }
# EVENT=COUNT...: what perf stat -x, writes, all of the time
csv() { for c in "$@"; do echo "${c#*=},,${c%=*},1001002003,100.00,,"; done; }

# ---- replayed ----
SKL="cpu_clk_unhalted.thread_any=4000000000 inst_retired.any=8000000000"
csv uops_retired.retire_slots=0 uops_issued.any=0 idq_uops_not_delivered.core=0 int_misc.recovery_cycles_any=0 $SKL > "$dir/zero-skl"
t replay "$dir/zero-skl"; exits 69; lacks '100.0 %$'; prints 'backend_bound .* impossible:UOPS_ISSUED.ANY'; prints '=> no verdict: UOPS_RETIRED.RETIRE_SLOTS is counted wrongly'
grep -q "'tdprobe doctor'" "$dir/err" || fail 'no next step'
csv uops_retired.retire_slots=5000000000 uops_issued.any=6000000000 idq_uops_not_delivered.core=0 int_misc.recovery_cycles_any=0 $SKL > "$dir/zero-one"
t replay "$dir/zero-one"; lacks impossible; prints 'frontend_bound *0.0 %' # nothing shows that it is hidden
csv slots=24000000000 uops_retired.slots=0 topdown.backend_bound_slots=0 idq_bubbles.core=0 cpu-cycles=4000000000 instructions=8000000000 > "$dir/zero-spr"
t replay "$dir/zero-spr"; exits 69; lacks '100.0 %$'; lacks 'icl'; prints 'bad_speculation .* impossible:UOPS_RETIRED.SLOTS' # five slots per cycle are too few
t replay --uarch spr --format json "$dir/zero-spr"; exits 69; prints '"contradictions":\["INST_RETIRED.ANY <= 2 \* UOPS_RETIRED.SLOTS does not hold: 8000000000 > 0"\]'
t replay --uarch spr --format csv "$dir/zero-spr"; exits 69; prints ',retiring,.*,impossible:UOPS_RETIRED.SLOTS,'
t replay --uarch spr -M info_thread_ipc,ipc --level 1 "$dir/zero-spr"; exits 69; prints ' 2.000 *per cycle' # it does not rest on them
csv slots=20000000000 uops_retired.slots=10000000000 topdown.backend_bound_slots=4000000000 idq_bubbles.core=2000000000 cpu-cycles=4000000000 instructions=8000000000 > "$dir/five"
t replay --uarch spr "$dir/five"; exits 0; prints other_width
t replay --strict --uarch spr "$dir/five"; exits 3; prints other_width
t replay --uarch icl "$dir/five"; exits 0; lacks other_width
t replay --uarch icl "$dir/zero-spr"; exits 69; prints 'width \* CPU_CLK_UNHALTED.THREAD does not hold: 24000000000 > 20000000000'

# ---- an event that was recorded twice ----
twice() { # COUNT NAME [COVERAGE]: that count of the cycles beside 1,000,000,000 of them, before and after it
    csv uops_retired.retire_slots=1000000000 uops_issued.any=1200000000 idq_uops_not_delivered.core=900000000 int_misc.recovery_cycles=1000000 > "$dir/others"
    echo "1000000000,,cpu_clk_unhalted.thread,1001002003,100.00,," > "$dir/one"
    echo "$1,,$2,${4:-1001002003},${3:-100.00},," > "$dir/two"
    cat "$dir/one" "$dir/two" "$dir/others" > "$dir/before"
    cat "$dir/two" "$dir/others" "$dir/one" > "$dir/after"
}
for name in cpu/event=0x3c/ CPU_CLK_UNHALTED.THREAD; do
    twice 5000000000 $name
    for file in "$dir/before" "$dir/after"; do
        t replay --uarch skl --format json "$file"; exits 69; prints '"contradictions":\["CPU_CLK_UNHALTED.THREAD was counted twice at the same time, as 5000000000 and 1000000000"\]'
        t replay --uarch skl "$file"; exits 69; prints counts_doubtful; prints 'retiring .*no bounds'
    done
    twice 1040000000 $name # one after the other
    for file in "$dir/before" "$dir/after"; do t replay --uarch skl "$file"; exits 0; lacks counts_doubtful; done
    twice 5000000000 $name 50.00 500501001 # in another time
    t replay --uarch skl "$dir/before"; lacks 'counted twice'
done
for name in cpu/event=0x3c/k CPU_CLK_UNHALTED.THREAD:k cpu/event=0x3d/; do # another event
    twice 5000000000 $name
    t replay --uarch skl "$dir/before"; exits 0; lacks counts_doubtful
done

# ---- live ----
machine=$TD_SRCDIR/sim/machines/skylake-nosmt.machine
t -a --machine "$machine" -- app; exits 0; prints 'retiring *25.0 %'
sed 's/^count 0x2c2 [0-9.]*/count 0x2c2 0/' "$machine" > "$dir/hides"
! cmp -s "$machine" "$dir/hides" || fail 'the description has no such event'
t -a --machine "$dir/hides" -- app; exits 69; prints 'retiring .* impossible:UOPS_RETIRED.RETIRE_SLOTS'
t doctor --machine "$machine"; exits 0; prints 'is plausible'; lacks contradict
t doctor --machine "$dir/hides"; exits 69; prints 'OBSTACLE *lies .*INST_RETIRED.ANY <= 2 \* UOPS_RETIRED.RETIRE_SLOTS does not hold'

# ---- recordings of healthy machines ----
for file in "$TD_SRCDIR"/traces/*.trace "$TD_SRCDIR"/traces/*.csv "$TD_SRCDIR"/traces/*.txt "$TD_SRCDIR"/traces/*.json "$TD_SRCDIR"/traces/*.data; do
    args=$(sed -n 's/^args: *//p' "${file%.*}.expect" 2> "$dir/none")
    t replay $args --format json "$file"; lacks '"contradictions"'; lacks counts_doubtful
done
for file in "$TD_SRCDIR"/tests/samples/*.data; do # of a PMU made of software, whose counts between two samples are not of one time
    t replay --uarch spr --format json "$file"; lacks '"contradictions"'
done
exit $bad
