#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe compare on simulated machines: of comparisons of equal programs, recorded or run in turn, at most 5 % claim
# anything; true changes are found. A fiftieth of the 1,000 rounds, with TD_LONG all, with TD_QUICK a few.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
rounds=20
[ -z "${TD_QUICK-}" ] || rounds=4
[ -z "${TD_LONG-}" ] || rounds=1000
programs=$TD_SRCDIR/tests/support/programs.awk
machine() { # FILE SEED VARIABLE=VALUE...
    file=$1
    shift
    set -- seed="$@"
    for word; do set -- "$@" -v "$word"; shift; done
    awk -v stretches=60 -v ms=100 -v scatter=0.015 -v short=0 -v stays=0 -v drift=0 -v more=0 -v counters=8 -v run=100 "$@" -f "$programs" > "$file"
}

t compare -r 2 --machine none -- app --vs app
if grep -q 'without GSL' err; then
    exits 69
    [ ! -e failed ]
    exit
fi

# ---- wrong usage, and commands that fail ----
exits 65
machine m 1
t compare -r 2 --machine m; exits 64; warns 'measures commands, which follow --'
t compare -r 2 --machine m a.trace -- app --vs app; exits 64; warns 'a.trace is before it'
t compare -r 2 --machine m -- app; exits 64; warns 'no --vs and second command after -- app'
t compare -r 2 --machine m -- app --vs; exits 64; warns 'no command after --vs'
t compare -r 2 --machine m -- --vs app; exits 64; warns 'no command before --vs'
t compare -r 0 -- app --vs app; exits 64; warns 'whole number from 1'
t compare --machine m a b; exits 64; warns 'needs -r'
t compare -r 2 --machine m -- app --vs no-such-command; exits 127; empty out
sed 's/name=app-changed/& exit=3/' m > fails
t compare -r 2 --machine fails -o kept -- app --vs 'app-changed' 'an argument'; exits 69
warns "^tdprobe: app-changed 'an argument': run 1 failed with exit status 3, so it cannot be compared"; [ ! -e kept ] || fail "$what: wrote a report"
sed 's/name=app-changed/& signal=9/' m > killed
t compare -r 2 --machine killed -- app --vs app-changed; exits 69; warns 'run 1 was killed by signal 9'
{ cat m; echo 'signal SIGINT at=550'; } > interrupted # in the third round app-changed
t compare -r 9 --machine interrupted -- app --vs app-changed; exits 0; warns 'ended by Interrupt after 2 of 9 rounds'; warns '^  retiring '; empty out
t compare -r 9 --machine interrupted -o - -x, -- app --vs app-changed; exits 0
[ "$(awk -F, '$6 == "retiring" { print $18, $21, $22 }' out)" = 'pairs 2 2' ] || fail "$what: a round that is not whole is compared: $(grep retiring out)"
{ cat m; echo 'signal SIGINT at=150'; } > early
t compare -r 9 --machine early -- app --vs app-changed; exits 130; warns 'before each command had run once'
grep -v '^command' m > none
t compare -r 2 --machine none -- app --vs app-changed; exits 126
cp "$TD_SRCDIR/sim/machines/guest-lying-pmu.machine" lies
t compare -r 2 --machine lies -- app --vs app; exits 69; warns "'tdprobe doctor' shows"; warns '^  time '

# ---- what is run in turn ----
machine m 3 scatter=0.001 more=0.03
t compare -r 5 --machine m -o - -x, -- app --vs app-changed; exits 0
[ "$(awk -F, '$6 == "memory_bound" { print $1, $2, $17, $18, $21, $22 }' out)" = 'app app-changed more pairs 5 5' ] || fail "$what: $(grep memory_bound out)"
awk -F, '$6 == "memory_bound" && ($14 < 0.028 || $14 > 0.032 || $15 > 0.03 || $16 < 0.03) { exit 1 }' out || fail "$what: 3 points are not within: $(grep memory_bound out)"
t compare -r 5 --machine m -j -- app --vs app-changed --fail-if 'memory_bound > 1pp'; exits 0 # these words are the command's
t compare -r 5 --machine m --fail-if 'memory_bound > 1pp' -- app --vs app-changed; exits 1; warns 'holds'; empty out

# in turn, backwards every second time: what drifts from run to run is no difference
machine m 3 scatter=0 drift=0.002
t compare -r 10 --margin 0 --machine m -o - -x, -- app --vs app-changed; exits 0
awk -F, '$17 == "more" || $17 == "less" { exit 1 }' out || fail "$what: drift is called a difference: $(cat out)"

# ---- rates ----
# judge NAME WRONG OF: at most 5 %, and what chance leaves open of that: three standard deviations
judge() { awk -v wrong="$2" -v n="$3" 'BEGIN { exit !(wrong <= n * 0.05 + 3 * sqrt(n * 0.05 * 0.95)) }' || fail "$1: $2 of $3 comparisons of equal programs claim something"; echo "$1: $2 of $3 claim"; }
claims() { awk -F, '$17 == "more" || $17 == "less" { n++ } END { exit !n }' out; }
series() { # NAME VARIABLE=VALUE...: two recordings of 30 intervals
    name=$1 wrong=0
    shift
    for i in $(seq "$rounds"); do
        for side in a b; do
            machine m "$i$side" "$@"
            "$TDPROBE" record --machine m -a -I 100 --timeout 3000 --no-fixed --level 2 -o $side.trace 2> err || fail "$name: $(cat err)"
        done
        t compare -x, a.trace b.trace; exits 0
        claims && wrong=$((wrong + 1))
    done
    judge "$name" "$wrong" "$rounds"
}
for seen in 8:100 5:50 2:20; do
    fast='ms=100 stretches=60'
    [ $seen = 8:100 ] || fast='ms=5 stretches=600 short=0.05'
    # shellcheck disable=SC2086
    series "stationary, counted ${seen#*:} % of the time" counters=${seen%:*} $fast
    # shellcheck disable=SC2086
    series "in phases, counted ${seen#*:} % of the time" counters=${seen%:*} $fast stays=$([ $seen = 8:100 ] && echo 3 || echo 60)
done
wrong=0
found=0
for i in $(seq "$rounds"); do
    machine m "$i" stretches=200 drift=0.001
    t compare -r 20 --machine m -o - -x, -- app --vs app; exits 0
    claims && wrong=$((wrong + 1))
    machine m "$i" ms=100
    "$TDPROBE" record --machine m -a -I 100 --timeout 3000 -o a.trace 2> err
    machine m "$i" ms=100 more=0.02
    "$TDPROBE" record --machine m -a -I 100 --timeout 3000 -o b.trace 2> err
    t compare -x, a.trace b.trace; exits 0
    [ "$(awk -F, '$6 == "memory_bound" { print $17 }' out)" != more ] || found=$((found + 1))
done
judge 'drifting, run in turn' "$wrong" "$rounds"
awk -v found="$found" -v n="$rounds" 'BEGIN { exit !(found >= n * 0.95 - 3 * sqrt(n * 0.05 * 0.95)) }' || fail "2 points more: found in $found of $rounds"
echo "2 points more: found in $found of $rounds"
[ ! -e failed ]
