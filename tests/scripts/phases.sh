#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe phases and replay --time: what a phase says is what replay says of its time.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
gzip -dc "$TD_SRCDIR/traces/series/spr-infersuite-sympy.csv.gz" > sympy.csv
# 20 intervals of 30 % retiring, 15 of 20 %, 12 of 30 %
awk 'BEGIN {
    for (i = 1; i <= 47; i++) {
        ret = (i > 20 && i <= 35 ? 2000 : 3000) + (i * 7) % 11
        printf "%d.000000000,1000000,,slots,9,100.00,,\n%d.000000000,%d,,topdown-retiring,9,100.00,,\n%d.000000000,100000,,topdown-bad-spec,9,100.00,,\n%d.000000000,100000,,topdown-fe-bound,9,100.00,,\n%d.000000000,%d,,topdown-be-bound,9,100.00,,\n", i, i, ret * 100, i, i, i, 800000 - ret * 100
        printf "%d.000000000,0,,int_misc.uop_dropping,9,100.00,,\n", i # without it bounds are likely ones
    }
}' > steps.csv

# ---- replay --time ----
t replay --uarch spr -x, --time 20,22 steps.csv; exits 0
[ "$(awk -F, '$6 == "retiring" { printf "%s ", $1 }' out)" = '21.000000000 22.000000000 ' ] || fail "$what: $(grep retiring out)"
t replay --uarch spr -x, --time ,2 steps.csv; exits 0
[ "$(awk -F, '$6 == "retiring"' out | wc -l)" -eq 2 ] || fail "$what: $(grep retiring out)"
t replay --uarch spr -x, --time 45.5, steps.csv; exits 0
[ "$(awk -F, '$6 == "retiring"' out | wc -l)" -eq 2 ] || fail "$what: $(grep retiring out)"
t replay --uarch spr --time 50,60 steps.csv; exits 65; warns 'no interval ends after 50 s and not after 60 s'
for wrong in 5 5,4 5,5 a,b -1,2 1,2,3 1e20,2 nan, ''; do
    t replay --uarch spr --time "$wrong" steps.csv; exits 64; warns '^tdprobe: --time: '
done

# ---- phases ----
t phases; exits 64; warns 'no file to phases'
t phases --help; exits 0; says '^usage: tdprobe phases'
t phases --uarch spr steps.csv steps.csv; exits 64; warns 'takes one file'
t phases --uarch spr steps.csv
if grep -q 'without GSL' err; then
    exits 69
    [ ! -e failed ]
    exit
fi
exits 0
says '^3 phases in 47 intervals  system$'
says '^# +from +to  scope .* verdict$'; lines out 6
# retiring by hand, 30.053, 20.046 and 30.054 %: what (i * 7) % 11 adds is 5.3, 4.6 and 5.4 in the mean
says '^ +0\.000 +20\.000  system +30\.1 +10\.0 +10\.0 +49\.9 .*backend_bound$'
says '^ +20\.000 +35\.000  system +20\.0 +10\.0 +10\.0 +60\.0 .*backend_bound$'
says '^ +35\.000 +47\.000  system +30\.1 +10\.0 +10\.0 +49\.9 .*backend_bound$'
says '^  1{20}2{15}3{12}$'
t phases --uarch spr -v steps.csv; exits 0
says '^phase 2 of 3, 20 to 35 s, 15 intervals$'
[ "$(grep -c 'limited by' out)" -eq 3 ] || fail "$what: $(grep limited out)"
"$TDPROBE" phases --uarch spr - < steps.csv > out 2> err; code=$?
exits 64; warns 'can be read only once: save it to a file first'
t phases --uarch spr none.csv; exits 65
t phases --uarch spr -o kept.csv none.csv; [ ! -e kept.csv ] || fail "$what: wrote a file"
t phases --uarch spr --time 20,35 steps.csv; exits 0; says '^1 phase in 15 intervals  system$'; says '^ +20\.000 +35\.000  system '
if grep -q 'one interval' err; then fail "15 intervals: $(cat err)"; fi
t phases --uarch spr --time 20,21 steps.csv; exits 0; says '^1 phase in 1 interval  system$'; says '^ +20\.000 +21\.000  system '
warns '^tdprobe: steps.csv: one interval shows no phases: record with -I'
t phases "$TD_SRCDIR/traces/icl-lkml-not-counted-csv.csv"; exits 69; says 'not_counted'
t phases --uarch spr --format json steps.csv; exits 0
[ "$(grep -c '"summary":true,.*"verdict"' out)" -eq 3 ] || fail "$what: $(head -c 300 out)"

# what each phase says is what replay says of that time
for file in steps sympy; do
    t phases --uarch spr -x, $file.csv; exits 0
    mv out phases
    awk -F, 'NR > 1 && $6 == "retiring" { print $2, $1, $2 in last ? last[$2] : 0; last[$2] = $1 }' phases > ends
    [ "$(wc -l < ends)" -ge 3 ] || fail "$file: $(cat ends)"
    [ $file != steps ] || [ "$(awk '{ printf "%s ", $2 }' ends)" = '20.000000000 35.000000000 47.000000000 ' ] || fail "$what: $(cat ends)"
    while read -r scope end from; do
        "$TDPROBE" replay --uarch spr -x, --summary-only --time "$from,$end" $file.csv 2> /dev/null | grep -F ",$scope," > there
        grep -F "$end,$scope," phases > here
        cmp -s there here || fail "$file, $scope until $end: not what replay --time $from,$end says: $(diff there here | head -n 4)"
    done < ends
done
[ ! -e failed ]
