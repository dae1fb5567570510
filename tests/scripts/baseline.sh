#!/bin/sh
# SPDX-License-Identifier: MIT
# A history of recordings: 'tdprobe record --baseline' keeps them, 'tdprobe compare --baseline' compares with the last of
# one machine and CPU. On simulated machines at most 5 % of comparisons of equal programs claim anything.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
rounds=20
[ -z "${TD_QUICK-}" ] || rounds=4
[ -z "${TD_LONG-}" ] || rounds=1000
machine() { # FILE SEED VARIABLE=VALUE...
    file=$1
    shift
    set -- seed="$@"
    for word; do set -- "$@" -v "$word"; shift; done
    awk -v stretches=5 -v ms=100 -v scatter=0.015 -v short=0 -v stays=0 -v drift=0 -v more=0 -v counters=8 -v run=100 "$@" \
        -f "$TD_SRCDIR/tests/support/programs.awk" > "$file"
}
kept() { find "$1" -type f | wc -l; }
holds() { [ "$(kept "$1")" -eq "$2" ] || fail "$what: $1 holds $(kept "$1") files, not $2: $(ls "$1")"; }

t compare nosuch nosuch
grep -q 'without GSL' err && statistics=false || statistics=true

# ---- what is kept ----
machine m 1
t record --baseline kept --machine m --fast -- app; exits 0; holds kept 1
warns "^tdprobe: kept as kept/[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[0-9]+\.trace, the first in kept: 'tdprobe record --baseline kept -- command' adds one to compare with it\$"
t replay "$(find kept -type f)"; exits 0; says 'backend_bound'
t record --baseline kept --machine m -a -I 100 --timeout 300; exits 0; holds kept 2
{ cat m; echo 'file /proc/sys/kernel/hostname = else'; } > elsewhere
t record --baseline kept --machine elsewhere --fast -- app; exits 0; holds kept 3
[ "$(cat kept/* | grep '^# x-host' | sort | uniq -c | awk '{ print $1, $4 }')" = '1 else
2 simulated' ] || fail "hosts: $(cat kept/* | grep '^# x-host')"
# a run that failed, was ended, is doubtful, or whose history is out of reach
sed 's/name=app /&exit=3 /' m > fails
t record --baseline kept --machine fails --fast -- app; exits 3; holds kept 3; warns 'this run ended with status 3, so kept does not keep it'
{ cat m; echo 'signal SIGTERM at=50'; } > ended
t record --baseline kept --machine ended --fast -- app; [ $code -ne 0 ] || fail "$what: exit 0"; holds kept 3
machine few 1 counters=2
t record --baseline kept --min-coverage 1 --level 3 --machine few --fast -- app; exits 3; holds kept 3
t record --baseline kept --machine m -- nosuch; [ $code -ne 0 ] || fail "$what: exit 0"; holds kept 3
t record --baseline a/b --machine m --fast -- app; exits 65; warns "a/b cannot be made: the folder above it does not exist; 'mkdir -p'"
t record --baseline m --machine m --fast -- app; exits 64; warns 'm is no directory'
t record --baseline kept -o x --machine m -- app; exits 64; warns 'exclude each other'
t --baseline kept -- true; exits 64; warns 'belongs to record'
t record --baseline new --dry-run --machine m -- app; exits 0; [ ! -e new ] || fail "$what: makes the folder"

# what is advised after the first, and what after it
t record --baseline twice --machine m --fast -- app; exits 0; warns 'the first in twice: '; ! grep -q 'those before' err || fail "$what: $(cat err)"
t record --baseline twice --machine m --fast -- app; exits 0; warns "twice/.*\.trace; 'tdprobe compare --baseline twice' compares it with those before\$"
! $statistics || { t compare --baseline twice; exits 0; }

if ! $statistics; then
    echo 'the comparisons are skipped: tdprobe was built without GSL'
    [ ! -e failed ]
    exit
fi

# ---- which of them are compared ----
mkdir past
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    machine m $i
    t record --machine m --fast -o "past/2026010${i}T000000.000Z-1.trace" -- app; exits 0
done
for i in 1 2 3 4 5 6 7 8 9; do mv "past/2026010${i}T000000.000Z-1.trace" "past/2026010${i}.trace"; done
mv past/20260101[012]T* . && for i in 0 1 2; do mv "2026010""1${i}T000000.000Z-1.trace" "past/202601""1${i}.trace"; done
sides() { awk -F, '$6 == "retiring" { print $21, $22 }' out; }
t compare --baseline past -x,; exits 0; [ "$(sides)" = '10 1' ] || fail "$what: compares $(sides)"
warns '^tdprobe: compared with 10 recordings of past, from 20260102.trace on'
t compare --baseline past --last 3 -x,; exits 0; [ "$(sides)" = '3 1' ] || fail "$what: compares $(sides)"
# the mean of those before, and the newest, as replay prints them
t compare --baseline past --last 100 -x,; exits 0; [ "$(sides)" = '11 1' ] || fail "$what: compares $(sides)"
awk -F, '$6 == "retiring" { print $8, $11 }' out > compared
for f in past/*; do "$TDPROBE" replay --summary-only -x, "$f"; done | awk -F, '$6 == "retiring" { v[++n] = $7 } END { for (i = 1; i < n; i++) sum += v[i] / (n - 1); print sum, v[n] }' > expected
paste -d' ' compared expected | awk '{ if (($1 - $3) ^ 2 > 1e-12 || ($2 - $4) ^ 2 > 1e-12 || !$1 || !$2) exit 1 }' || fail "$what: $(cat compared), not $(cat expected)"
# a recording of the history itself: those before it; from elsewhere: all
t compare --baseline past -x, past/20260105.trace; exits 0; [ "$(sides)" = '4 1' ] || fail "$what: compares $(sides)"
cp past/20260105.trace outside
t compare --baseline past -x, outside; exits 0; [ "$(sides)" = '10 1' ] || fail "$what: compares $(sides)"; warns 'from 20260103.trace on'
ln past/20260105.trace linked
t compare --baseline past -x, linked; exits 0; [ "$(sides)" = '4 1' ] || fail "$what: compares $(sides)"
t compare --baseline past past/20260101.trace; exits 65; warns 'holds no recording before 20260101.trace'
# other hosts and CPUs are left out, and other commands named
sed 's/^# x-host: .*/# x-host: else/' outside > past/20260106a.trace
sed 's/^# cpu: .*/# cpu: gnr/' outside > past/20260106b.trace
sed 's/^# command: .*/# command: other/' outside > past/20260106c.trace
t compare --baseline past -x, --last 100 outside; exits 0; [ "$(sides)" = '13 1' ] || fail "$what: compares $(sides)"
warns "^tdprobe: 1 of these is of another command than 'app'"
sed 's/^# x-host: .*/# x-host: nowhere/' outside > other
t compare --baseline past other; exits 65; warns 'none is of host nowhere and CPU spr'
sed '/^# x-host: /d; s/^# cpu: .*/# cpu: icx/' outside > other
t compare --baseline past other; exits 65; warns 'none is of host \(not recorded\) and CPU icx'
t compare --baseline past -; exits 64; warns 'name a file instead of -'
t compare --baseline past --paired outside --vs outside; exits 64; warns 'excludes --paired'
t compare --last 3 outside outside; exits 64; warns '--last is for --baseline'
t compare --baseline past --last 0; exits 64
t compare --baseline none; exits 65; warns "none does not exist: 'tdprobe record --baseline none -- command' makes it"
mkdir none
t compare --baseline none; exits 65; warns 'holds no recordings'
# a command that is measured now
machine m 7
t compare --baseline past -r 3 --machine m -o - -x, -- app; exits 0; [ "$(sides)" = '10 3' ] || fail "$what: compares $(sides)"
t compare --baseline none -r 3 --machine m -- app; exits 65; warns 'holds no recordings'
t compare --baseline past -r 3 --machine elsewhere -- app; exits 0; warns 'compared with 1 recording of past, from 20260106a.trace on'
# what cannot be read is named and left out, and nothing is waited for
bad() { # NAME PATTERN: the history has it, of any age, and the answer is as without it
    for at in 20260101a 20260103a 20260105a 20260199; do
        rm -rf with && cp -r past with
        mv bad.trace "with/$at.trace"
        for file in '' with/20260105.trace; do
            # shellcheck disable=SC2086 # no word, or one
            timeout 60 "$TDPROBE" compare --baseline with --last 3 -x, $file > out 2> err < /dev/null
            code=$? what="compare --baseline, with $1 at $at and '$file'"
            exits 0; cmp -s out "wanted$file" || fail "$what: another answer: $(diff out "wanted$file" | head -n 4)"
            case $file$at in
            20260199 | with/20260105.trace20260103a) warns "^tdprobe: --baseline: left out: with/$at.trace[: ].*$2" ;; # one of those that are looked at
            *) ! grep -q 'left out' err || fail "$what: $(cat err)" ;;
            esac
        done
        timeout 60 "$TDPROBE" compare --baseline with --last 12 -r 2 --machine m -o - -x, -- app > out 2> err < /dev/null
        code=$? what="compare --baseline -r, with $1 at $at"
        exits 0; [ "$(sides)" = '12 2' ] || fail "$what: compares $(sides)"; warns "^tdprobe: --baseline: left out: with/$at.trace[: ].*$2"
        mv "with/$at.trace" bad.trace
    done
    rm -rf only && mkdir only
    mv bad.trace only/bad.trace
    timeout 60 "$TDPROBE" compare --baseline only -x, > out 2> err < /dev/null
    code=$? what="compare --baseline, with $1 alone"; exits 65; warns 'only holds no recording that can be read'; warns "left out: only/bad.trace[: ].*$2"
    timeout 60 "$TDPROBE" compare --baseline only -x, outside > out 2> err < /dev/null
    code=$? what="compare --baseline FILE, with $1 alone"; exits 65; warns 'only holds no other recording that can be read'
    rm -rf only/bad.trace
}
rm -f past/20260106?.trace
rm -rf with && cp -r past with && mkdir -p wantedwith
for file in '' with/20260105.trace; do
    # shellcheck disable=SC2086
    t compare --baseline with --last 3 -x, $file; exits 0; cp out "wanted$file" 2> /dev/null || cp out wanted
done
: > bad.trace; bad 'an empty file' 'is empty'
echo 'nothing known' > bad.trace; bad 'a file of another kind' 'bad.trace|:1'
head -n 4 past/20260105.trace > bad.trace; bad 'a header alone' 'ends before the line'
sed '/^# host/d; $d' past/20260105.trace | head -n 20 > bad.trace; bad 'no interval' 'no interval'
sed '$s/,/;/' past/20260105.trace > bad.trace; bad 'a bad last line' 'columns'
sed 's/^# cpu: .*/# cpu: nosuch/' past/20260105.trace > bad.trace; bad 'an unknown CPU' 'nosuch'
mkdir bad.trace; bad 'a folder' 'is a directory, no file'
ln -s nowhere bad.trace; bad 'a link to nothing' 'cannot be opened: No such file'
ln -s /dev/zero bad.trace; bad 'a device' 'is a device, no file'
if mkfifo bad.trace; then bad 'a FIFO' 'is a FIFO, no file'; fi
if command -v python3 > /dev/null && python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("bad.trace")' 2> /dev/null; then bad 'a socket' 'is a socket, no file'; fi
cp past/20260105.trace bad.trace; chmod 0 bad.trace
if [ ! -r bad.trace ]; then bad 'a file that may not be read' 'Permission denied'; fi
rm -f bad.trace
# several runs beside one recording of many intervals, which is one run then
machine m 3
"$TDPROBE" record --machine m -a -I 100 --timeout 500 -o long 2> err || fail "$(cat err)"
t compare -x, past/20260101.trace past/20260102.trace past/20260103.trace --vs long; exits 0
[ "$(awk -F, '$6 == "retiring" { print $18, $21, $22 }' out)" = 'runs 3 1' ] || fail "$what: $(grep ,retiring, out)"

# ---- rates ----
wrong=0 found=0
for i in $(seq "$rounds"); do
    rm -rf past && mkdir past
    for run in 1 2 3 4 5 6 7 8 9 10 11; do
        machine m "$i$run" stretches=2
        "$TDPROBE" record --machine m --fast -o "past/$((10 + run)).trace" -- app 2> err || fail "$(cat err)"
    done
    t compare --baseline past -x,; exits 0
    awk -F, '$17 == "more" || $17 == "less" { n++ } END { exit !n }' out && wrong=$((wrong + 1))
    machine m "${i}12" stretches=2 more=0.12
    "$TDPROBE" record --machine m --fast -o past/22.trace -- app-changed 2> err || fail "$(cat err)"
    t compare --baseline past -x, --fail-if 'memory_bound > 2pp'
    [ "$(awk -F, '$6 == "memory_bound" { print $17 }' out)" != more ] || found=$((found + 1))
done
awk -v wrong=$wrong -v n="$rounds" 'BEGIN { exit !(wrong <= n * 0.05 + 3 * sqrt(n * 0.05 * 0.95)) }' || fail "$wrong of $rounds comparisons of equal programs claim something"
awk -v found=$found -v n="$rounds" 'BEGIN { exit !(found >= n * 0.95 - 3 * sqrt(n * 0.05 * 0.95)) }' || fail "12 points more: found in $found of $rounds"
echo "equal programs: $wrong of $rounds claim; 12 points more: found in $found of $rounds"
[ ! -e failed ]
