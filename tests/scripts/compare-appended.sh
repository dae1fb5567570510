#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe compare of runs that perf stat appended to one file (--append): the same as of one file for each, in text and CSV, of one
# scope and of several. What is not the same thing several times stays one recording: other events, or intervals with times.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
"$TDPROBE" compare x y 2>&1 | grep -q 'without GSL' && exit 77

# one SIDE RUN SCOPE...: counts of one run, in each of the scopes
slots() { # SIDE RUN SCOPE-NUMBER: COUNT EVENT lines
    awk -v side="$1" -v run="$2" -v scope="$3" 'BEGIN {
        retiring = (side == "a" ? 250000 : 350000) + 3000 * (run * 7 % 5) + 500 * scope; bad = 125000 + 100 * run; frontend = 130000 - 700 * (run * 3 % 5)
        printf "1000000 slots\n%d topdown-retiring\n%d topdown-bad-spec\n%d topdown-fe-bound\n%d topdown-be-bound\n", retiring, bad, frontend, 1000000 - retiring - bad - frontend }'
}
text() { printf "\n Performance counter stats for './x':\n\n"; slots "$1" "$2" 0 | sed 's/^/     /'; printf '\n       1.0%d seconds time elapsed\n\n' "$2"; }
each_cpu() { printf "\n Performance counter stats for 'system wide':\n\n"; for cpu in 0 1; do slots "$1" "$2" $cpu | sed "s/^/CPU$cpu     /"; done; printf '\n       1.0%d seconds time elapsed\n\n' "$2"; }
csv() { printf '# started on Tue Jul 14 22:2%d:44 2026\n\n' "$2"; slots "$1" "$2" 0 | awk '{ print $1 ",," $2 ",1000000,100.00,," }'; }

for form in text each_cpu csv; do
    for side in a b; do
        rm -f $side.all
        for run in 1 2 3 4 5; do $form $side $run > $side.$run; cat $side.$run >> $side.all; done
    done
    t compare --uarch icx -x, a.? --vs b.?; exits 0
    sed '1!s/^a\.1,b\.1,/a.all,b.all,/' out > want
    grep -q ',5,5$' want || fail "$form: not five runs a side: $(head -n 2 want)"
    t compare --uarch icx -x, a.all --vs b.all; exits 0
    cmp -s out want || fail "$form: $(diff out want | head -n 4)"
    t compare --uarch icx -x, a.all --vs b.?; exits 0 # one beside the other
    sed '1!s/^a\.1,b\.1,/a.all,b.1,/; s/^a\.all,b\.all,/a.all,b.1,/' want > mixed
    cmp -s out mixed || fail "$form: $(diff out mixed | head -n 4)"
done
t compare --uarch icx a.all --vs b.all; exits 0; says '^  a: a\.all, 5 recordings$'

# runs of other events each give one recording together, as before
{ csv a 1 | grep -v 'topdown-[bf]e'; csv a 2 | grep -vE 'retiring|bad-spec'; } > other
t compare --uarch icx -x, other a.1; exits 0; says ',retiring,slots,.*,1,1$'
# with times it is a series of intervals
{ csv a 1 | sed '/^[0-9]/s/^/     1.000000000,/'; csv a 2 | sed '/^[0-9]/s/^/     1.000000000,/'; } > timed
t compare --uarch icx timed a.1; exits 0; says '^  a: timed'; ! grep -q 'recordings$' out || fail "$what: intervals are recordings: $(grep recordings out)"
[ ! -e failed ]
