#!/bin/sh
# SPDX-License-Identifier: MIT
# The line that shows how much of a large file has been read, and which kernel selftest measures: only on a terminal, which
# script(1) provides, and erased before anything else is printed.
set -u
command -v script > /dev/null || { echo "script(1) is missing"; exit 77; }
script -qec true /dev/null < /dev/null > /dev/null 2>&1 || { echo "no terminal can be made: /dev/ptmx and devpts are missing"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
bad=0
fail() { echo "FAIL: $*"; bad=1; }
rows() { # INTERVALS, in JSON lines that take long for their size
    awk -v n="$1" 'BEGIN {
        e = split("slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound", event, " ")
        more = sprintf("%500s", ""); gsub(/ /, "0,", more)
        for (t = 1; t <= n; t++)
            for (i = 1; i <= e; i++)
                printf "{\"interval\" : %d.000000000, \"counter-value\" : \"%d\", \"unit\" : \"\", \"event\" : \"%s\", \"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \"more\" : [%s0]}\n", t, i == 1 ? 400000000 : 100000000, event[i], more
    }'
}
terminal() { script -qec "$*" /dev/null < /dev/null > seen; } # COMMAND
rows 3000 > big.json
# Most of what is seen is seen before a wrong line ends it, which is a hole: it is too long, and nobody reads on in it.
cp big.json bad.json
cp big.json less.json
truncate -s 50000001 bad.json
truncate -s 50000000 less.json
yes "#$(printf '%998s' '')" | head -n 45000 >> big.json
[ "$(wc -c < big.json)" -gt 60000000 ] || fail "the file is not as large as it should be"

began=$(date +%s)
terminal "$TDPROBE replay --uarch spr --summary-only big.json"
took=$(($(date +%s) - began + 1))
lines=$(tr '\r' '\n' < seen | grep -cE '^big.json: [0-9]+ %  [0-9]+ MB/s  [0-9]+ s left$')
[ "$lines" -ge 1 ] || fail "no line while reading: $(head -c 200 seen)"
[ "$lines" -le $((5 * took)) ] || fail "$lines lines in $took s"
tr '\r' '\n' < seen | awk '/s left$/ { drawn = length($0); next } drawn && /^ *$/ { wiped = length($0) >= drawn; drawn = 0; if (!wiped) bad = 1; next } drawn { bad = 1 } END { exit bad || drawn }' \
    || fail "the line is not taken away"
grep -q 'retiring  *25.0' seen || fail "the result is missing"

wrong='^tdprobe: [a-z]*.json:15001: the line is longer'
large() { # WHAT COMMAND
    what=$1
    shift
    terminal "$@"
    grep -q 's left' seen || fail "$what has no line"
}
large 'a file that is wrong' "$TDPROBE replay --uarch spr --summary-only bad.json"
tr '\r' '\n' < seen | grep -q "$wrong" || fail "the message does not stand alone: $(tail -c 200 seen)"
large convert "$TDPROBE convert --uarch spr bad.json -o trace"
large 'convert to elsewhere' "$TDPROBE convert --uarch spr bad.json > trace"

none() { # WHAT COMMAND
    what=$1
    shift
    terminal "$@"
    grep -q 's left' seen && fail "a line, but $what"
}
none 'the file is not large' "$TDPROBE replay --uarch spr --summary-only less.json"
grep -q "$wrong" seen || fail "less.json is not read to its wrong line: $(head -c 200 seen)"
none 'stderr is no terminal' "$TDPROBE replay --uarch spr --summary-only bad.json 2> err"
{ [ "$(wc -l < err)" -eq 1 ] && grep -q "$wrong" err; } || fail "stderr has: $(head -n 1 err)"
none 'the trace goes to the same terminal' "$TDPROBE convert --uarch spr bad.json"

# ---- selftest: each kernel in each way, and the line is gone before the next one and at the end ----
machine=$TD_SRCDIR/sim/machines/sapphirerapids.machine
terminal "$TDPROBE selftest --machine $machine --kernel chain > out"
tr '\r' '\n' < seen | sed 's/ *$//' | grep . > drawn
for sibling in '' ', sibling busy'; do for way in task cpu rdpmc msr; do echo "chain, by $way$sibling"; done; done | cmp - drawn || fail "selftest draws $(cat drawn)"
tr '\r' '\n' < seen | awk '/^chain, by/ { if (drawn) bad = 1; drawn = length($0); next } drawn { if (length($0) < drawn || /[^ ]/) bad = 1; drawn = 0 } END { exit bad || drawn }' ||
    fail "selftest's line is not taken away"
grep -q '^ok  *chain ' out || fail "selftest: $(cat out)"
terminal "$TDPROBE selftest --machine $machine --kernel chain 2> err"
[ -s err ] && fail "selftest: stderr is no terminal, and has: $(head -n 1 err)"
tr '\r' '\n' < seen | grep -q '^ok  *chain ' || fail "selftest: $(cat seen)"
exit $bad
