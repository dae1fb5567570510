#!/bin/sh
# SPDX-License-Identifier: MIT
# The windows of perf stat's text, which has percentages and no times: whole CPUs are enabled from the beginning to the end, so
# that the elapsed time tells them. The same counts by perf stat -x, with its times, have the same bounds.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
counts='12000000000:cycles 15000000000:uops_issued.any 14400000000:uops_retired.retire_slots 75000000:int_misc.recovery_cycles 9600000000:idq_uops_not_delivered.core'
text() { # WHAT PERCENT SECONDS [CGROUP [CPU]]
    case $1 in 'process id '* | 'thread id '*) printf " Performance counter stats for %s '%s':\n\n" "${1% *}" "${1##* }" ;; *) printf " Performance counter stats for '%s':\n\n" "$1" ;; esac
    for count in $counts; do printf '%s %20s      %-40s %s (%s%%)\n' "${5-}" "${count%:*}" "${count#*:}" "${4-}" "$2"; done
    printf '\n       %s seconds time elapsed\n\n' "$3"
}
# as perf prints it with -a -I of four CPUs: times are sums over these
csv() { # PERCENT SECONDS
    for count in $counts; do echo "$count" | awk -F : -v p="$1" -v s="$2" '{ printf "%.9f,%s,,%s,%.0f,%s,,\n", s, $1, $2, p / 100 * s * 4e9, p }'; done
}
bounds() { t replay --uarch skl --level 1 -x, "$1"; exits 0; sed 's/"[^"]*"//' out | awk -F, '$6 != "verdict" && $1 != "time" { print $6, $7, $9, $10, $13, $20 }'; }

for times in '25.00 1.000000000' '50.00 10.000000000' '12.50 0.400000000' '10.00 0.200000000'; do
    # shellcheck disable=SC2086
    set -- $times
    csv "$1" "$2" > csv
    bounds csv > wanted
    for what in 'CPU(s) 4-7' 'CPU(s) 0,2-3,9'; do
        text "$what" "$1" "$2" > text
        bounds text > got
        cmp -s wanted got || fail "$what, $times: $(diff wanted got)"
    done
done
grep -q few_windows wanted || fail 'five windows are not few'
# where it is not known how many CPUs were counted
unknown() { grep -q "cpus_unknown$1" "$2" && ! grep -v cpus_unknown "$2" | grep -q .; }
for what in 'pipe' 'system wide' 'CPU(s) 4-x'; do
    text "$what" 25.00 1.000000000 > text
    bounds text > got
    unknown '' got || fail "$what: $(cat got)"
done
# A command ran on one CPU at a time for all that is known, and no longer than the whole time: its bounds are at least as wide as those of one CPU.
text 'CPU(s) 3' 25.00 1.000000000 > one; bounds one > wanted
text './app' 25.00 1.000000000 > text; bounds text > got
paste -d ' ' wanted got | awk '$5 != $10 || $9 - $8 < $4 - $3 || $7 != $2 || $10 !~ /mux_interval_assumed/ { exit 1 } END { exit NR < 4 }' ||
    fail "a command beside one CPU: $(paste wanted got)"
# and so did the tasks of a process, or some of its threads
for what in 'process id 5' 'thread id 5,6'; do
    text "$what" 25.00 1.000000000 > text
    bounds text | cmp -s - got || fail "$what: $(bounds text)"
done
# of a recording of both there is no sum
for other in './app' 'CPU(s) 0-4' 'system wide'; do
    { text 'CPU(s) 4-7' 25.00 1.000000000; text "$other" 25.00 1.000000000; } > both
    t replay --uarch skl --level 1 --summary -x, both; exits 0
    awk -F, '$6 == "retiring" { n++; if ((n == 1) != ($14 == "likely") || (n == 1) == ($13 ~ /cpus_unknown/)) exit 1 } END { exit n != 3 }' out || fail "and $other: $(grep retiring out)"
done
text 'system wide' 25.00 1.000000000 '' CPU3 > one
bounds one | grep retiring > got
text 'CPU(s) 3' 25.00 1.000000000 > alone
bounds alone | grep retiring | cmp -s - got || fail "CPU3 of the whole system: $(cat got)"
grep -q 'mux_interval_assumed' got || fail "CPU3 of the whole system: $(cat got)"
text 'CPU(s) 4-7' 25.00 1.000000000 a.slice > cgroup
t replay --uarch skl --level 1 -x, cgroup; exits 0
grep -q 'a.slice,cgroup' out || fail "a cgroup: $(grep retiring out)"
# its tasks are counted as those of a command are, on however many CPUs
bounds cgroup | grep retiring > got
text './a.out' 25.00 1.000000000 > command
bounds command | grep retiring | cmp -s - got || fail "a cgroup: $(cat got)"
grep -q 'mux_interval_assumed' got || fail "a cgroup: $(cat got)"

# a trace keeps it
text 'CPU(s) 4-7' 25.00 1.000000000 > text
bounds text > wanted
t convert --uarch skl -o trace text; exits 0
grep -qx '# x-times: cpus 4' trace || fail "$what: $(grep x-times trace)"
bounds trace > got
cmp -s wanted got || fail "its trace: $(diff wanted got)"
for wrong in some cpu 'cpus 0' 'cpus 65537' 'cpus x' 'cpus 4 4' 'relative 4' 'cpus '; do
    sed "s/x-times: cpus 4/x-times: $wrong/" trace > wrong
    t replay wrong; exits 65; warns "x-times is '$(echo "$wrong" | sed 's/ $//') ?', not recorded, relative, tasks, cpus or cpus NUMBER"
done
[ ! -e failed ]
