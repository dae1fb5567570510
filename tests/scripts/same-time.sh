#!/bin/sh
# SPDX-License-Identifier: MIT
# Events that ran equally long, of which one was enabled for longer: nothing that needs both is exact, in whichever format, nor in the
# trace of it. Skylake: one event at another share than the rest; Sapphire Rapids: slots at another than the fields.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
skl='1000000,CPU_CLK_UNHALTED.THREAD 20000,INT_MISC.RECOVERY_CYCLES 800000,IDQ_UOPS_NOT_DELIVERED.CORE 1700000,UOPS_ISSUED.ANY 1600000,UOPS_RETIRED.RETIRE_SLOTS'
spr='1000000,slots 400000,topdown-retiring 110000,topdown-bad-spec 210000,topdown-fe-bound 280000,topdown-be-bound'
# COUNTS ODD RUN PERCENT RUN2 PERCENT2: in csv, and in json; the events that ODD matches have the second times
csv() {
    for count in $1; do
        case ${count#*,} in $2) echo "${count%,*},,${count#*,},$5,$6,,";; *) echo "${count%,*},,${count#*,},$3,$4,,";; esac
    done
}
json() {
    csv "$@" | awk -F, '{ printf "{\"counter-value\" : \"%s.000000\", \"unit\" : \"\", \"event\" : \"%s\", \"event-runtime\" : %s, \"pcnt-running\" : %s}\n", $1, $3, $4, $5 }'
}
# FILE UARCH METRIC: its coverage, flags and kind of bounds, from all intervals and the sum
standing() {
    t replay --uarch "$2" --level 1 --summary -x, "$1"; exits 0
    awk -F, -v m="$3" '$6 == m { sub(/;?smt_unknown/, "", $13); print $11, $13, $14 }' out | sort -u
}
# UARCH METRIC WANTED, of file and of its trace
is() {
    got=$(standing file "$1" "$2")
    [ "$got" = "$3" ] || fail "$2 of $case: '$got', not '$3'"
    t convert --uarch "$1" -o file.trace file; exits 0
    got=$(standing file.trace "$1" "$2")
    [ "$got" = "$3" ] || fail "$2 of the trace of $case: '$got', not '$3'"
}
apart='0.500000 multiplexed;split_groups;cpus_unknown '
for form in csv json; do
    case="$form, equal running"
    $form "$skl" 'IDQ*' 1000000000 100.00 1000000000 50.00 > file
    is skl retiring '0.500000  sound'
    is skl frontend_bound "$apart"
    is skl backend_bound "$apart"
    $form "$spr" 'topdown*' 1000000000 100.00 1000000000 50.00 > file
    is spr retiring '0.500000 multiplexed;cpus_unknown '
    is spr frontend_bound "0.500000 multiplexed;split_groups;cpus_unknown;correction_missing:INT_MISC.UOP_DROPPING "
    case="$form, equal enabled"
    $form "$skl" 'IDQ*' 1000000000 100.00 500000000 50.00 > file
    is skl retiring '0.500000  sound'
    is skl frontend_bound "$apart"
    case="$form, both equal"
    $form "$skl" 'IDQ*' 500000000 50.00 500000000 50.00 > file
    is skl frontend_bound '0.500000 multiplexed;cpus_unknown '
    case="$form, all of the time"
    $form "$skl" 'IDQ*' 1000000000 100.00 999999990 100.00 > file
    is skl frontend_bound '1.000000  sound'
done

# perf's text has shares and no times: another share is another time
text() {
    printf " Performance counter stats for 'system wide':\n\n"
    csv "$skl" 'IDQ*' 1 "$1" 1 "$2" | awk -F, '{ printf "%20s      %-40s (%s%%)\n", $1, $3, $5 }'
    printf '\n       1.000000000 seconds time elapsed\n\n'
}
case='text, another share'
text 60.00 50.00 > file
is skl frontend_bound "$apart"
is skl retiring '0.500000 multiplexed;cpus_unknown '
case='text, the same share'
text 50.00 50.00 > file
is skl frontend_bound '0.500000 multiplexed;cpus_unknown '

# intervals whose times add up to the same: the sum is of different times too
case='intervals in turns'
{
    csv "$skl" 'IDQ*' 1000000000 100.00 1000000000 50.00 | sed 's/^/1.000000000,/'
    csv "$skl" '[!I]*' 1000000000 100.00 1000000000 50.00 | sed 's/^/2.000000000,/'
} > file
t replay --uarch skl --level 1 --summary-only -x, file; exits 0
awk -F, '$6 == "frontend_bound" { print $11, $13 }' out | grep -q '^0.666667 multiplexed;split_groups;' || fail "$case: $(grep frontend_bound out)"
t replay --uarch skl --level 1 --summary-only -x, --min-coverage 0.7 file; exits 3

# shares of level 1 that cannot add up to 1, whatever the one of another time is, are marked and have no bounds; others are as they are
shares() { # OF-THREE: their slots of 4,000,000; the fourth has 400,000 in half of the time
    printf '# tdprobe-trace: 1\n# cpu: GenuineIntel-6-96-1\n# smt: off\n# source: perf\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n0,CPU0,cpu,,,0,start,,,\n'
    for count in 1000000=CPU_CLK_UNHALTED.CORE "$1=TOPDOWN_RETIRING.ALL" "$1=TOPDOWN_BAD_SPECULATION.ALL" "$1=TOPDOWN_FE_BOUND.ALL"; do
        printf '1000000000,CPU0,cpu,,0,0,%s,%s,1000000000,1000000000\n' "${count#*=}" "${count%%=*}"
    done
    printf '1000000000,CPU0,cpu,,1,0,TOPDOWN_BE_BOUND.ALL,400000,1000000000,500000000\n1000000000,CPU0,cpu,,,0,end,5,,\n'
}
retiring() { t replay --summary-only -x, file; awk -F, '$6 == "retiring" { print $7, $9, $10, $13 }' out; }
case='three shares of 0.43'; shares 1720000 > file
[ "$(retiring)" = '0.430000   sum_off' ] || fail "$case: $(retiring)"
case='three shares of 0.35'; shares 1400000 > file # 1.05: as much as counters may be apart
[ "$(retiring)" = '0.350000 0.350000 0.350000 ' ] || fail "$case: $(retiring)"
[ ! -e failed ]
