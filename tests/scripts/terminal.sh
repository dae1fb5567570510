#!/bin/sh
# SPDX-License-Identifier: MIT
# What a terminal shows, which script(1) provides: colour for the node that limits and a bar, unless NO_COLOR or TERM
# disables them; with --interval-clear each interval replaces the previous one. Elsewhere none of this.
set -u
command -v script > /dev/null || { echo "script(1) is missing"; exit 77; }
script -qec true /dev/null < /dev/null > /dev/null 2>&1 || { echo "no terminal can be made: /dev/ptmx and devpts are missing"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }
machine=$TD_SRCDIR/sim/machines/sapphirerapids.machine
escape=$(printf '\033')
unset NO_COLOR
export TERM=xterm COLUMNS=80

terminal() { script -qec "stty cols 80; $*" /dev/null < /dev/null | tr -d '\r' > "$tmp/seen"; } # COMMAND
colours() { grep -c "${escape}\[[0-9;]*m" "$tmp/seen"; } # lines that have any
bars() { grep -c '|#*  *|$' "$tmp/seen"; }
run="$TDPROBE --machine $machine --fast -- ./app"

# the machine's memory_bound limits, and so does its parent backend_bound: these two lines are highlighted, each to its end
terminal "$run"
[ "$(colours)" -eq 2 ] && grep -q "^ *${escape}\[[0-9;]*mbackend_bound${escape}\[0*m " "$tmp/seen" && grep -q "^ *${escape}\[[0-9;]*mmemory_bound${escape}\[0*m " "$tmp/seen" ||
    fail "colours: $(grep "$escape" "$tmp/seen")"
[ "$(bars)" -eq 4 ] || fail "$(bars) bars of level 1"
sed "s/${escape}\[[0-9;]*m//g" "$tmp/seen" > "$tmp/plain"
awk 'length > 80' "$tmp/plain" | grep . && fail "lines are longer than the screen"
for columns in 80 50; do
    for words in "--machine $machine --fast --format tree" "--machine $machine --fast -r 3" "bench --machine $machine -C 0 -r 2"; do
        script -qec "stty cols $columns; $TDPROBE $words -- ./app" /dev/null < /dev/null | tr -d '\r' | sed "s/${escape}\[[0-9;]*m//g" > "$tmp/narrow"
        awk -v most=$columns 'length > most' "$tmp/narrow" | grep . && fail "$words: lines are longer than $columns columns"
        [ "$(grep -c . "$tmp/narrow")" -gt 4 ] || fail "$words: $(cat "$tmp/narrow")"
    done
done
for no in NO_COLOR=1 NO_COLOR=0 TERM=dumb TERM=; do
    terminal "env $no $run"
    [ "$(colours)" -eq 0 ] || fail "$no: colours: $(grep "$escape" "$tmp/seen")"
    cmp -s "$tmp/seen" "$tmp/plain" || fail "$no changes more than the colours: $(diff "$tmp/seen" "$tmp/plain" | head -n 3)"
done
terminal "env NO_COLOR= $run" # no-color.org: if it is not empty
[ "$(colours)" -eq 2 ] || fail "an empty NO_COLOR: $(colours) lines have colours"
for elsewhere in '2> ' '-o '; do
    terminal "$TDPROBE --machine $machine --fast ${elsewhere}$tmp/file -- ./app"
    grep -q "$escape\||#" "$tmp/file" && fail "$elsewhere: a file has colours or bars: $(grep "$escape\||#" "$tmp/file" | head -n 1)"
    grep -q retiring "$tmp/file" || fail "$elsewhere: no report"
done

# of intervals a last column draws the share of what limits, where there is room: in the locale's characters, and in no file
script -qec "stty cols 100; $TDPROBE --machine $machine --fast -I 50 -- ./app" /dev/null < /dev/null | tr -d '\r' | sed "s/${escape}\[[0-9;]*m//g" > "$tmp/seen"
[ "$(grep -c 'memory_bound  *##*$' "$tmp/seen")" -eq 4 ] && grep -q 'verdict  *share$' "$tmp/seen" || fail "not a bar of each interval: $(cat "$tmp/seen")"
awk 'length > 100' "$tmp/seen" | grep . && fail "lines are longer than 100 columns"
script -qec "stty cols 100; LC_ALL=C.UTF-8 $TDPROBE --machine $machine --fast -I 50 -- ./app" /dev/null < /dev/null | grep -q "memory_bound.* $(printf '\342\226\210')" || fail "no blocks in a locale of UTF-8"
terminal "$TDPROBE --machine $machine --fast -I 50 -- ./app"
grep -q '#$' "$tmp/seen" && fail "bars without room: $(cat "$tmp/seen")"
COLUMNS=200 $TDPROBE --machine "$machine" --fast -I 50 -- ./app 2>&1 | grep '#$' && fail "bars in a pipe"

# 200 ms of a command, every 50: each interval begins with the cursor at the top and an empty screen, and has its header again
terminal "$TDPROBE --machine $machine --fast -I 50 --interval-clear -- ./app"
[ "$(grep -c "${escape}\[H${escape}\[J" "$tmp/seen")" -eq 4 ] || fail "the screen is cleared $(grep -c "${escape}\[H${escape}\[J" "$tmp/seen") times"
tr '\033' '\n' < "$tmp/seen" | awk '/^\[J/ { if (n && !(head && line)) bad = 1; n++; head = line = 0 } /time *scope/ { head = 1 } /^ *0\.[0-9]* *app/ { line++; if (line > 1) bad = 1 } END { exit bad || n != 4 || !head || !line }' ||
    fail "an interval is not alone on the screen: $(head -c 600 "$tmp/seen")"
terminal "env NO_COLOR=1 $TDPROBE --machine $machine --fast -I 50 --interval-clear -- ./app"
[ "$(grep -c "${escape}\[H${escape}\[J" "$tmp/seen")" -eq 4 ] || fail 'NO_COLOR keeps the screen from being cleared'
terminal "env TERM=dumb $TDPROBE --machine $machine --fast -I 50 --interval-clear -- ./app"
grep -q "$escape" "$tmp/seen" && fail "TERM=dumb: $(grep "$escape" "$tmp/seen" | head -n 1)"
[ "$(grep -c '^ *0\.[0-9]*  app' "$tmp/seen")" -eq 4 ] || fail "TERM=dumb: $(cat "$tmp/seen")"
terminal "$TDPROBE --machine $machine --fast -I 50 -- ./app"
grep -q "${escape}\[[HJ]" "$tmp/seen" && fail "the screen is cleared without --interval-clear"
[ "$(grep -c 'time *scope' "$tmp/seen")" -eq 1 ] || fail "the head is there $(grep -c 'time *scope' "$tmp/seen") times"
for elsewhere in '2> ' '-o '; do
    terminal "$TDPROBE --machine $machine --fast -I 50 --interval-clear ${elsewhere}$tmp/file -- ./app"
    grep -q "$escape" "$tmp/file" && fail "$elsewhere: a file is cleared"
    [ "$(grep -c '^ *0\.[0-9]*  app' "$tmp/file")" -eq 4 ] || fail "$elsewhere: $(cat "$tmp/file")"
done
for format in csv json; do
    terminal "$TDPROBE --machine $machine --fast -I 50 --interval-clear --format $format -- ./app"
    grep -q "$escape" "$tmp/seen" && fail "$format has escape sequences"
done
exit $bad
