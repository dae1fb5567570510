#!/bin/sh
# SPDX-License-Identifier: MIT
# Words that a person types: help, version, a recording where a command should be, no file at all, times with units, and what
# explain knows.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
hint() { # EXIT PATTERN ARGS...: one line on stderr
    want=$1 pattern=$2
    shift 2
    t "$@"; exits "$want"; lines err 1; warns "$pattern"; empty out
}
same() { cmp -s "$2" "$3" || { fail "$1: not the same:"; diff "$2" "$3" | head -n 6; }; }
machine="--machine $TD_SRCDIR/sim/machines/sapphirerapids.machine --fast"
printf '%s\n' 1000,,slots,9,100.00,, 200,,topdown-retiring,9,100.00,, 100,,topdown-bad-spec,9,100.00,, 300,,topdown-fe-bound,9,100.00,, 400,,topdown-be-bound,9,100.00,, > rec.csv
t replay --uarch spr rec.csv; cp out text

# ---- help and version, as words ----
t --help; cp out about; t help; exits 0; same 'tdprobe help' about out
t --version; cp out version; t version; exits 0; same 'tdprobe version' version out
for command in stat replay explain help version; do
    t $command --help; exits 0; cp out by-option; t help $command; exits 0; same "help $command" by-option out
done
t record --functions --help; cp out by-option; t help record --functions; exits 0; same 'help record --functions' by-option out
t help replay --help-all; says '^Reading:'
hint 64 "there is no 'stats'; the nearest is stat" help stats
hint 64 'version takes no word' version x
hint 127 "'tdprobe stat' is the nearest" stats -- true
hint 127 "'tdprobe help'" hlep

# ---- a recording where a command should be ----
hint 64 '^tdprobe: rec.csv is a recording, no program to measure: tdprobe replay rec.csv$' rec.csv
hint 64 'tdprobe replay ./rec.csv rec.csv$' -j ./rec.csv rec.csv
cp rec.csv "two words.csv"; hint 64 "tdprobe replay 'two words.csv'\$" "two words.csv"
t record $machine --functions -o samples.data -- x; exits 0; hint 64 'tdprobe report samples.data$' samples.data
echo 'no recording' > notes; t $machine notes; exits 0
cp rec.csv runs; chmod +x runs; t $machine ./runs; exits 0

# ---- a report where a recording should be ----
report='this is a report, not a recording'
for command in "$machine -a --timeout 200" "$machine -a -I 100 --timeout 200" "$machine -a -A --timeout 100" 'replay --uarch spr rec.csv' 'replay --uarch spr --summary-only rec.csv'; do
    for format in text tree csv json '-x;' "-x$(printf '\t')" '-x||'; do
        case $format in -x*) set -- "$format" ;; *) set -- --format $format ;; esac
        # shellcheck disable=SC2086
        t $command "$@" -o report; exits 0
        hint 65 "^tdprobe: report:[12]: $report: it has shares, and no counts .*'tdprobe record' writes a recording$" replay report
    done
done
hint 65 "$report" convert report
t record $machine -a -I 10 --timeout 200 -o long.trace
t compare long.trace long.trace
if grep -q 'without GSL' err; then
    echo 'what compare and phases print is skipped: tdprobe was built without GSL'
else
    hint 65 "$report" compare report rec.csv
    t phases -o report long.trace; exits 0; hint 65 "$report" replay report
    for format in text csv json markdown; do
        t compare -o report --format $format long.trace long.trace; exits 0
        hint 65 "^tdprobe: report:[13]: this is a comparison, not a recording: .*'tdprobe record' writes a recording$" replay report
        hint 65 'this is a comparison, not a recording' compare report long.trace
    done
fi
for format in text csv json; do
    t report -o report --format $format samples.data; exits 0; hint 65 "$report" replay report
done

# ---- what a recording's header says stands in the head of the text, once ----
{ echo '# started on Tue Nov 24 10:00:00 2026'; echo; cat rec.csv; } > dated.csv
t replay --uarch spr --summary dated.csv; exits 0; says '^# started Tue Nov 24 10:00:00 2026$'; [ "$(grep -c 2026 out)" = 1 ] || fail "$what: $(cat out)"
t replay --uarch spr --format tree dated.csv; exits 0; says '^# started Tue Nov 24 10:00:00 2026$'
t replay --uarch spr --format csv dated.csv; exits 0; ! grep 2026 out || fail "$what: csv has no head"
t record $machine -o head.trace -- x
sed -i 's/^# command: .*/# command: make -j8\n# started: today/; s/^# x-host: .*/# x-host: box/' head.trace
t replay --summary head.trace; exits 0; says '^# make -j8 on box started today$'; [ "$(grep -c 'make -j8 on' out)" = 1 ] || fail "$what: $(cat out)"

# ---- without a file: what record wrote ----
mkdir own-folder; cd own-folder || exit 99
t record $machine -I 10ms -- x; exits 0; grep -q "^tdprobe: tdprobe.trace holds the readings; 'tdprobe replay' prints them again$" err || fail "$what: $(cat err)"
t replay tdprobe.trace; cp out named; t replay; exits 0; same 'replay' named out; [ ! -s err ] || fail "$what: $(cat err)"
t phases tdprobe.trace; cp out named; t phases; same 'phases' named out
hint 64 'no file to report, and no tdprobe.data in this folder, as .tdprobe record --functions. writes;' report
t record $machine --functions -- x; exits 0
t report tdprobe.data; cp out named; t report; exits 0; same report named out
touch -d 2020-01-01 tdprobe.data
t replay tdprobe.trace; cp out named; t replay; same 'the younger' named out; grep -q 'tdprobe.trace is read, the younger' err || fail "$what: $(cat err)"
touch -d 2019-01-01 tdprobe.trace
t replay tdprobe.data; cp out named; t replay; same 'the younger' named out; grep -q 'tdprobe.data is read, the younger' err || fail "$what: $(cat err)"
"$TDPROBE" replay --uarch spr < ../rec.csv > out 2> err; same 'what is piped' ../text out
hint 64 'no file to convert' convert
t record --dry-run $machine -o other.trace -- x; exits 0; [ ! -e other.trace ] || fail "$what: a file"
[ ! -e failed ] || : > ../failed # fail() writes it where the script is
cd ..

# ---- times with units ----
for time in 200 200ms 0.2s .2s; do
    t $machine --all-cpus -I 100ms --timeout $time -x,; exits 0
    sort -u -t , -k 1,1 err | awk -F , '$1 + 0 > 0 { n++ } END { exit n != 2 }' || fail "$what: not two intervals: $(cut -d, -f1 err | sort -u)"
done
t perf-command --uarch spr -I 2s; says ' -I 2000 '
for time in 1x 1e3s 0.1ms s 1.5 '1 s' ' 1s' -5s 99999999999999999h; do hint 64 "-I: '$time' is not a time from 1 to .* ms such as 500, 500ms, 1.5s or 2m" -I "$time" true; done

# ---- explain ----
t explain; exits 0
# the tree: each node below its own, with its threshold (tdprobe-metrics(7) has those of levels 1 and 2)
t explain --uarch spr; exits 0
says '^bad_speculation +.*; above 15 %$'; says '^  branch_mispredicts +.*; above 10 %$'; says '^    l3_bound +'
awk '/^backend_bound/ { b = 1 } /^[a-z]/ && !/^backend_bound/ { b = 0 } b && /^  memory_bound/ { m = 1 } m && /^    l3_bound/ { ok = 1 } END { exit !ok }' out || fail "$what: l3_bound is not below memory_bound"
t explain --uarch zen4; tr -s '\n ' ' ' < out > one-line; grep -q ' backend_bound_memory loads and stores waited for caches or memory; above 20 % ' one-line || fail "$what: $(head -n 20 out)"
# flags, statuses, words
t explain; cp out listed
for flag in $(sed -n '/^\.Sh STATUSES/,/^\.Sh SEE/{s/^\.It Cm \(.*\)/\1/p}' "$TD_SRCDIR/doc/tdprobe-metrics.7" | sed 's/ : Ns.*//; s/impossible.*/impossible/; s/,//g'); do
    t explain "$flag"; exits 0; says "^$flag, a (flag|status): "; says '^Means '
    grep -qE "^$flag +[a-z]" listed || fail "explain does not list $flag"
done
t explain no_bounds; says '^no_bounds, a flag: nothing certain'; says '^Try  *- measure whole CPUs: -a'
t explain missing_event:INST_RETIRED.ANY; exits 0; says '^missing_event, a status'
t explain undecided; exits 0; says '^undecided, a word of a verdict'
hint 64 'the nearest is no_bounds' explain nobounds
"$TDPROBE" __complete explain no_b > out; says '^no_bounds	'
[ ! -e failed ]
