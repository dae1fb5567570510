#!/bin/sh
# SPDX-License-Identifier: MIT
# Every feature on every simulated machine, as doc/FEATURES has it, which `tdprobe doctor --features` shows, too. "make features"
# writes that page anew (TD_FEATURES: where to).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: the program is started by another one'; exit 77; }
machines=$TD_SRCDIR/sim/machines

# The reasons why a feature is missing: what the program says, and what the page says of the hardware.
cat > reasons << 'END'
no PMU of the cores@the hypervisor gives the guest no PMU
without a PMU@the hypervisor gives the guest no PMU
counts contradict each other@the hypervisor gives the guest counters that lie, and the counts are refused
retiring: impossible@the hypervisor gives the guest counters that lie, and the counts are refused
,retiring,,[^,]*,,,[^,]*,impossible,@the hypervisor gives the guest counters that lie, and the counts are refused
not pairs: the counters do not hold two further events@no counters are left for the two further events of cycles that mark a pair
regions need all events of .* at the same time@a region's events do not fit the counters at once
read by an instruction that this program's processor@untested: counters are read by an instruction of Arm's, and these tests may run on another processor
which Linux allows on x86 only@the kernel lets nobody write the registers of Arm's counters
take [0-9]+ groups here, which no sample has together@the events do not fit the counters at once, and functions are not sampled by turns
take several groups here, which no sample has together@the events do not fit the counters at once, and functions are not sampled by turns
END

cell() { printf '%s %s\n' $machine "$1" >> cells; }
# Gives the cell of a run that failed: the letter of its reason, in the order in which reasons appear on the page; u where it could not be
# tried.
no() {
    text=$(awk -F@ 'NR == FNR { said = said $0 "\n"; next } match(said, $1) { print $2; exit }' err reasons)
    [ -n "$text" ] || { fail "$what: exit $code, and no known reason: $(cat err)"; text=unknown; }
    case $text in untested:*) echo "${text#untested: }" > untried; cell u; return ;; esac
    grep -qxF "$text" why 2> why.err || echo "$text" >> why
    cell "$(awk -v n="$(grep -nxF "$text" why | cut -d: -f1)" 'BEGIN { print substr("ABCDEFGHIJ", n, 1) }')"
}
# measure SUFFIX ARGS...: counts, which says whether groups took turns. Level 1 must have its values.
measure() {
    suffix=$1; shift
    t --machine $machines/$machine.machine --format csv -o report "$@"
    cat report >> err
    if [ $code -ne 0 ] || ! grep -qE ',(retiring|bad_speculation),[0-9.]+,.*,ok,' report; then no
    elif grep -q ',[^,]*multiplexed[^,]*,' report; then cell t$suffix; else cell y$suffix; fi
}
# As measure, and for as long as the machine's description is simulated as fast as possible.
fast() { suffix=$1; shift; measure "$suffix" --fast "$@"; }
# samples NOTE ARGS...: records samples, of which a report has level 1; NOTE: what must not be among the notes
samples() {
    note=$1; shift
    t record --functions -a --timeout 200 "$@" --machine $machines/$machine.machine --fast -o functions.data
    if [ $code -ne 0 ] || grep -q "$note" err; then no; rm -f functions.data; return; fi
    cp err notes
    t report --format csv functions.data
    rm -f functions.data
    if [ $code -ne 0 ] || ! grep -qE ',(retiring|bad_speculation),[0-9.]+,' out; then no
    elif grep -q 'take turns' notes; then cell t; else cell y; fi
}
answers() { command=$1; shift; t $command --machine $machines/$machine.machine "$@"; if [ $code -eq 0 ]; then cell y; else no; fi; }

for file in $machines/*.machine; do
    machine=$(basename $file .machine)
    fast '' -a --timeout 100
    fast '' -a -A --timeout 100
    fast '' mixed
    fast '' -p 701 --timeout 100
    fast '' --for-each-cgroup app --timeout 100
    fast '' -a --level 2 --timeout 100
    t -a --level 6 --timeout 20 --machine $file --fast
    deepest=$(sed -n 's/.* ends at level \([0-9]\).*/\1/p' err)
    deepest=${deepest:-6}
    fast $deepest -a --level $deepest --timeout 100
    fast '' -a -M all --timeout 100
    fast '' -a --drilldown --timeout 400
    t record -a --timeout 100 --machine $file --fast --format csv -o a.trace; recorded=$code
    if [ $recorded -ne 0 ]; then no; else
        grep -v '^summary,' err > live
        t replay --format csv a.trace
        if cmp -s live out; then cell y; else fail "$what: not what was measured: $(diff live out | head -n 5)"; fi
    fi
    rm -f a.trace
    samples 'not pairs'
    samples ' ^' --leader
    samples ' ^' --level 2
    # regions: what doctor says of the way of counting that they need
    t doctor --machine $file
    if grep -q 'rdpmc: usable' out; then cell y; else grep -E 'rdpmc|OBSTACLE' out > err; no; fi
    answers bench -C 0 -r 2 mixed
    answers perf-command -a
    answers perf-command --functions -a
done

{
    sed '/^machine /,$d' "$TD_SRCDIR/doc/FEATURES"
    awk '
        BEGIN { printf "%-16s", "machine"; n = split("-a -A cmd -p cgrp lv2 deep -M dril rec pair one fn2 reg bnch perf pfn", name); for (i = 1; i <= n; i++) printf " %4s", name[i] }
        $1 != last { printf "\n%-16s", last = $1 }
        { printf " %4s", $2 }
        END { print "" }' cells
    echo
    awk '{ print "  " substr("ABCDEFGHIJ", NR, 1) "  " $0 }' why
    sed 's/^/  u  /' untried
    echo
    awk '{ c[substr($2, 1, 1) ~ /[ytu]/ ? substr($2, 1, 1) : "no"]++ } END { print "Cells: " c["y"] + 0 " yes, " c["t"] + 0 " by turns, " c["u"] + 0 " untested, " c["no"] + 0 " no." }' cells
} > page
if [ -n "${TD_FEATURES-}" ]; then cp page "$TD_FEATURES"; [ ! -e failed ]; exit; fi
diff "$TD_SRCDIR/doc/FEATURES" page > different || fail "doc/FEATURES is not what the program does; if that is meant: make features; $(cat different)"

# doctor --features has the row of each CPU that a machine stands for
sed -n '/^A machine stands/,/^None/s/^  //p' page | while read -r machine cpus; do
    for cpu in $cpus; do
        t doctor --features --uarch $cpu; exits 0; says "on the simulated machine $machine, "
        awk -v machine=$machine '
            NR == FNR { if (/^[a-z]/ && $1 == machine) for (i = 2; i <= NF; i++) cell[++n] = $i ~ /^y/ ? "yes" : $i ~ /^t/ ? "turns" : $i == "u" ? "untested" : "no"; next }
            /^#/ { next }
            $1 != cell[++k] { print "line " k " has " $1 ", not " cell[k] }
            $1 ~ /^(no|untested)$/ && !/: / { print "line " k " has no reason" }
            END { if (k != n || !n) print k " lines, not " n }' page out > wrong
        [ ! -s wrong ] || fail "$what: $(cat wrong)"
    done
done
t list uarchs; cp out uarchs
for cpu in $(cut -d' ' -f1 uarchs); do # no CPU is forgotten
    t doctor --features --uarch $cpu
    case $cpu in neoverse-n1 | zen[123]) exits 69; warns 'no top-down tree is published' ;; *) exits 0 ;; esac
done
t doctor --features --uarch adl; exits 0; says 'machine alderlake' # a hybrid
t doctor --features --uarch neoverse-v2; exits 0; says "^untested regions .*: counters are read by an instruction of Arm's"; says '^no +bench, .*: the kernel lets'
t doctor --features --uarch neoverse-v2 --json; exits 0; says '"works":"untested","reason":"counters are read by'
t doctor --features --uarch skx --json; exits 0; says '"feature":"a command","works":"turns","reason":null'; says '"works":"no","reason":"no counters'
t doctor --features --machine $machines/genoa.machine; exits 0; says 'machine genoa'
t doctor --features --backend intel-atom; exits 64; warns 'exclude each other'
t doctor --features --machine $machines/guest-without-pmu.machine; exits 69; warns 'name the CPU by --uarch'
[ ! -e failed ]
