#!/bin/sh
# SPDX-License-Identifier: MIT
# Of two that write one file the second is refused before it has done anything, whatever both are; what a killed one left
# goes with the next; what is kept is on the disk. A trace that two wrote gives nothing as sound.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
cp "$spr" m
sed 's/^command mixed ms=200/command mixed ms=20000/' m > long
t record --machine m -a -I 20 --timeout 200 -o a.trace; exits 0
t record --functions --machine m --fast -o samples -- x; exits 0
strace=false
head -c 4 "$TDPROBE" | grep -q ELF && strace -o strace.log "$TDPROBE" --version > out 2> err && strace=true # with the leak sanitizer it ends with an error under strace

# hold CONDITION ARGS...: runs tdprobe until the condition holds, and stops it there; holder is its pid
hold() {
    condition=$1
    shift
    "$TDPROBE" "$@" > held.out 2> held.err < /dev/null &
    holder=$!
    n=0
    until eval "$condition"; do
        n=$((n + 1))
        [ $n -lt 400 ] || { fail "tdprobe $* never began: $(cat held.err)"; break; }
        sleep 0.05
    done
    kill -STOP $holder
}
# Ends it; its exit code is held.
release() {
    kill -TERM $holder
    kill -CONT $holder
    wait $holder
    held=$?
}
die() {
    kill -KILL $holder
    wait $holder 2> /dev/null
}

# ---- the second is refused, whatever both are ----
refused() { # ARGS...: nothing is changed, nothing is begun, and it says who
    rm -f begun
    cp X before 2> /dev/null || rm -f before
    ls | grep -v '^files' > files
    t "$@"; exits 74; empty out; lines err 1
    warns "^tdprobe: X cannot be written: process $holder is writing it: wait until it has ended, or name another file"
    ls | grep -v '^files' > files.now
    cmp -s files files.now || fail "$what: other files: $(diff files files.now)"
    [ ! -e before ] || cmp -s X before || fail "$what: the file has changed"
    [ ! -e begun ] || fail "$what: the command has run"
}
all() {
    refused record --machine m --fast -o X -- x
    refused record --machine m --fast -o X -- sh -c ': > begun'
    refused record --functions --machine m --fast -o X -- x
    refused stat --machine m --fast -x, -o X -- x
    refused stat --machine m --fast -x, --append -o X -- x
    refused convert a.trace -o X
    refused replay -x, -o X a.trace
    refused replay -J 2 -x, -o X a.trace a.trace
    refused phases -o X a.trace
    refused report -o X samples
}
rm -f X
hold '[ -s X ]' record --machine long -I 20 -o X -- x; all; release
t replay X; exits 0
grep -q 'cannot be' held.err && fail "the first one: $(cat held.err)"
echo old > X
hold '[ -s X ] && ! grep -q old X' stat --machine long -I 20 -x, -o X -- x; all; release
rm -f X
hold '[ -s X.tdpart ]' record --functions --machine long -o X -- x; all; [ ! -e X ] || fail 'the file is there before it is whole'; release
t report X; exits 0; [ ! -e X.tdpart ] || fail 'a leftover'
echo old > X
hold '[ -s X.tdpart ]' record --functions --machine long -o X -- x; all; [ "$(cat X)" = old ] || fail 'the old file is gone'; release
# others append where the first one appends, and nobody empties it
rm -f X
hold '[ -s X ]' stat --machine long -I 20 -x, --append -o X -- x
t stat --machine m --fast -x, --append -o X -- y; exits 0; grep -q ',y,' X || fail "$what: nothing is appended"
refused stat --machine m --fast -x, -o X -- x
refused convert a.trace -o X
release
# names that lead to one file
rm -f X; ln -s X link
hold '[ -s X ]' record --machine long -I 20 -o X -- x
cp X before
t convert a.trace -o link; exits 74; warns '^tdprobe: link cannot be written: process [0-9]+ is writing it'; cmp -s X before || fail "$what: the file has changed"
t record --machine m --fast -o link -- x; exits 74; cmp -s X before || fail "$what: the file has changed"
release
# what is no regular file has as many writers as it gets
mkfifo fifo 2> /dev/null && {
    cat fifo > got &
    reader=$!
    hold '[ -s got ]' record --machine long -I 20 -o fifo -- x
    t convert a.trace -o fifo; exits 0
    t record --machine m --fast -o /dev/null -- x; exits 0
    release
    wait $reader
}
"$TDPROBE" convert a.trace -o /dev/stdout > stdout.trace 2> err; code=$? what='-o /dev/stdout'; exits 0; t replay stdout.trace; exits 0
"$TDPROBE" record --machine m --fast -o /dev/stdout -- x 2> err | "$TDPROBE" replay - > out; says 'retiring'

# ---- leftovers of a kill go with the next run, and nothing else does ----
for words in 'convert a.trace -o X' 'record --machine m --fast -o X -- x' 'stat --machine m --fast -o X -- x' 'record --functions --machine m --fast -o X -- x'; do
    rm -f X X.*
    hold '[ -s X.tdpart ]' record --functions --machine long -o X -- x; die
    [ -s X.tdpart ] || fail 'a kill leaves nothing: the test tests nothing'
    : > X.abcdef; : > X.backup; : > Y.tdpart; : > X.tdpart.old
    # shellcheck disable=SC2086 # words
    t $words; exits 0
    [ ! -e X.tdpart ] || fail "$what: the leftover stays"
    for file in X.abcdef X.backup Y.tdpart X.tdpart.old; do [ -e $file ] || fail "$what: $file is gone"; done
done
# what is not proven to be a leftover stays, and is named
for make in 'mkdir' 'ln -s nowhere' 'ln a.trace' 'mkfifo'; do
    rm -rf X X.*
    $make X.tdpart
    for words in 'convert a.trace -o X' 'record --machine m --fast -o X -- x'; do
        # shellcheck disable=SC2086
        t $words; exits 74; warns 'X cannot be written: X.tdpart is there, .* remove that file'
        [ ! -e X ] || fail "$what: the file is there"
        ls -d X.tdpart > /dev/null 2>&1 || fail "$what: it was removed"
    done
    rm -rf X.tdpart # as the message says
    t convert a.trace -o X; exits 0
done
rm -rf X X.*
# a history: each run has another name
mkdir past
hold 'ls past/*.tdpart > /dev/null 2>&1' record --baseline past --machine long -I 20 -- x; die
left=$(ls past)
case $left in *.trace.tdpart) ;; *) fail "a kill leaves $left" ;; esac
: > past/mine.trace.tdpart; : > past/20260101T000000.000Z-x.trace.tdpart; : > past/20260101T000000.000Z-7.trace.abcdef
hold '[ "$(ls past/*Z-[0-9]*.tdpart 2> /dev/null | grep -c -v "'"$left"'")" -eq 1 ]' record --baseline past --machine long -I 20 -- x
[ ! -e "past/$left" ] || fail 'a leftover of the history stays'
ls past > files
t record --baseline past --machine m --fast -- x; exits 0
[ "$(ls past | wc -l)" -eq $(($(wc -l < files) + 1)) ] || fail "another run's unfinished file was removed: $(ls past | diff files -)"
release
for file in mine.trace.tdpart 20260101T000000.000Z-x.trace.tdpart 20260101T000000.000Z-7.trace.abcdef; do [ -e past/$file ] || fail "past/$file is gone"; done

# ---- on the disk, or an error ----
kept='convert a.trace -o X|record --machine m --fast -o X -- x|record --functions --machine m --fast -o X -- x|replay -o X a.trace'
each() { # COMMAND: for the words of each of them
    rest=$kept
    while [ "$rest" ]; do
        words=${rest%%|*}
        case $rest in *'|'*) rest=${rest#*|} ;; *) rest='' ;; esac
        "$1"
    done
}
# shellcheck disable=SC2086 # words
traced() { # STRACE-WORDS
    : > err
    rm -f X X.*
    strace -f -qq -y -o strace.log "$@" "$TDPROBE" $words > out 2> err < /dev/null
    code=$?
    what="tdprobe $words, with $*"
}
synced() {
    traced -e trace=fsync,rename
    exits 0
    awk '/fsync.*tdpart|fsync.*\/X>/ { file = 1 } /rename\(/ { if (!file) exit 1; named = 1 } /fsync/ && !/tdpart>|\/X>/ { folder = file } END { exit !folder }' strace.log || fail "$what: not synced in this order: $(cat strace.log)"
    traced -e trace=fsync -e inject=fsync:error=EIO
    exits 74; warns '^tdprobe: X cannot be written: Input/output error'; [ "$(grep -c 'cannot be written' err)" -eq 1 ] || fail "$what: $(cat err)"
    [ ! -e X.tdpart ] || fail "$what: a leftover"
    traced -e trace=fsync -e inject=fsync:error=EIO:when=2
    exits 74; warns '^tdprobe: X cannot be written: Input/output error'
    traced -e trace=fsync -e inject=fsync:error=EINVAL
    exits 0
    traced -e trace=rename -e inject=rename:error=EACCES
    case $words in 'record --machine'*) exits 0 ;; *) exits 77; [ ! -e X ] || fail "$what: named"; [ ! -e X.tdpart ] || fail "$what: a leftover" ;; esac
    # a file system without locks: it goes on; what is there cannot be told then
    traced -e trace=flock -e inject=flock:error=ENOLCK
    exits 0; [ -s X ] || fail "$what: no file"
    : > X.tdpart
    # shellcheck disable=SC2086
    strace -f -qq -o strace.log -e trace=flock -e inject=flock:error=EOPNOTSUPP "$TDPROBE" $words > out 2> err < /dev/null
    code=$?; exits 74; warns 'X.tdpart is there'; [ -e X.tdpart ] || fail "$what: removed"
    rm -f X.tdpart
}
if $strace; then
    each synced
    # a folder that cannot be opened any more: then the file is not put there either
    mkdir sub
    for words in 'convert a.trace -o sub/X' 'replay -o sub/X a.trace'; do
        : > sub/.old; echo old > sub/X
        # shellcheck disable=SC2086
        strace -f -qq -P sub -o strace.log -e trace=openat -e inject=openat:error=EMFILE "$TDPROBE" $words > out 2> err < /dev/null
        code=$? what="tdprobe $words, whose folder cannot be opened"
        exits 74; warns 'sub/X cannot be written: Too many open files'
        [ "$(cat sub/X)" = old ] && [ ! -e sub/X.tdpart ] || fail "$what: it is there: $(ls sub)"
        # a folder that may not be read; the sandbox, which opens it without reading it, would take it for one that cannot be found
        # shellcheck disable=SC2086
        TDPROBE_SANDBOX=off strace -f -qq -P sub -o strace.log -e trace=openat -e inject=openat:error=EACCES "$TDPROBE" $words > out 2> err < /dev/null
        code=$? what="tdprobe $words, whose folder may not be read"
        exits 0; [ "$(cat sub/X)" != old ] || fail "$what: the old file stays"
    done
    rm -rf past && mkdir past
    strace -f -qq -o strace.log -e trace=fsync -e inject=fsync:error=EIO "$TDPROBE" record --baseline past --machine m --fast -- x > out 2> err < /dev/null
    code=$? what='record --baseline, a failing fsync'; exits 74; warns 'cannot be written: Input/output error'; [ -z "$(ls past)" ] || fail "$what: past holds $(ls past)"
else
    echo 'failing fsync, rename and flock are skipped: strace is missing, or may not trace'
fi
# a file system that is full
mkdir full
if mount -t tmpfs -o size=64k none full 2> /dev/null; then
    dd if=/dev/zero of=full/much bs=1k count=60 2> /dev/null
    full() {
        # shellcheck disable=SC2086
        t $(echo "$words" | sed 's|-o X|-o full/X|')
        exits 74; warns 'full/X cannot be written: No space left'; [ ! -e full/X.tdpart ] || fail "$what: a leftover"
        rm -f full/X
    }
    awk 'BEGIN { for (i = 0; i < 2000; i++) print "# note: " i }' > notes
    { head -n 2 a.trace; cat notes; tail -n +3 a.trace; } > big.trace
    kept='convert big.trace -o X|record --machine m -a -I 1 --timeout 200 -o X|record --functions --machine m --fast -o X -- x'
    each full
    umount full
else
    echo 'the full file system is skipped: a tmpfs cannot be mounted here'
fi
# a folder in which nothing can be made, and a file in it that may be written
mkdir closed; : > closed/X; chmod 555 closed
if ! : 2> /dev/null > closed/new; then
    t record --machine m --fast -o closed/X -- x; exits 0; t replay closed/X; exits 0
else
    rm -f closed/new
    echo 'the folder that may not be written is skipped: this user may'
fi
chmod 755 closed

# ---- a trace that two wrote: the file is what two 'tdprobe record -o X' of the simulated machine made of X before they excluded each other ----
mixed=$TD_SRCDIR/traces/damaged/two-recorders.trace
said='two-recorders.trace:154: 3 columns, not 10; a trace of one recorder has no such line, so nothing of it is given as sound: record it again$'
for words in 'replay' 'replay -x,' 'replay -j' 'replay --summary' 'replay --summary-only' 'phases' 'convert'; do
    # shellcheck disable=SC2086
    t $words "$mixed"; exits 65; empty out; warns "$said"; lines err 1
done
"$TDPROBE" replay - < "$mixed" > out 2> err; code=$? what='replay - < FILE'; exits 65; empty out
t compare "$mixed" a.trace; [ $code -ne 0 ] || fail "$what: exit 0"; empty out
# from a pipe: what was given is withdrawn, and there is no sum
cat "$mixed" | "$TDPROBE" replay -x, --summary - > out 2> err; code=$? what='cat FILE | replay'
exits 65; says ',retiring,'; ! tail -n +2 out | grep -q ',summary$' || fail "$what: a summary"; warns 'stdin:154: 3 columns, not 10; .* so what was given before it is not sound either'
cat "$mixed" | "$TDPROBE" replay --summary-only - > out 2> err; code=$? what='cat FILE | replay --summary-only'; exits 65; empty out
# each way in which readings of two can follow each other
head -n 153 "$mixed" > whole; t replay -x, whole; exits 0; cp out wanted
damage() { # NAME AWK-PROGRAM PATTERN
    awk "$2" whole > damaged
    t replay damaged; exits 65; empty out; warns "$3.*nothing of it is given as sound"
}
damage 'a second header' '{ print } NR == 100 { while ((getline line < "'"$mixed"'") > 0 && line ~ /^#/) print line }' ':101: a header line'
damage 'an earlier time' '{ print } { kept[NR] = $0 } NR == 101 { for (i = 50; i < 63; i++) print kept[i] }' 'time goes backwards'
damage 'a reading without an end' 'NR != 101' 'has no end'
damage 'another number of rows' '{ sub(/end,12/, NR == 101 ? "end,11" : "end,12"); print }' 'has 12 rows, not 11'
damage 'a line that was overwritten' 'NR == 100 { print substr($0, 1, 20) substr($0, 30); next } 1' 'columns'
awk '{ print } NR == 100 { printf "%c%c\n", 0, 0 }' whole > damaged; t replay damaged; exits 65; empty out; warns 'nothing of it is given as sound'
# what a crash leaves is no damage, nor is what is wrong before the first interval other than before
head -c 9000 "$mixed" > cut; t replay -x, cut; exits 0; warns 'was cut off'
awk 'NR == 12 { next } 1' whole > early; t replay early; exits 65; ! grep -q 'as sound' err || fail "$what: $(cat err)"
t replay -x, whole; cmp -s out wanted || fail "$what: another answer"

# ---- lines of two that join without a seam: two machines that differ in the kernel's random numbers alone ----
for run in 5f3a99c1 0b1dd00d; do { cat m; echo "file /proc/sys/kernel/random/uuid = $run-1111-4222-8333-444455556666"; } > m.$run; t record --machine m.$run -a -I 20 --timeout 200 -o $run; exits 0; done
grep -qx '# x-run: 5f3a99c1' 5f3a99c1 || fail "no run in the header: $(head -n 12 5f3a99c1)"
[ "$(grep -c ',end,' 5f3a99c1)" -gt 5 ] && ! grep ',end,' 5f3a99c1 | grep -qv ',end,[0-9]*,5f3a99c1,$' || fail "a reading without its run: $(grep ',end,' 5f3a99c1 | head -n 2)"
sed '/^# x-run/d; s/,5f3a99c1,$/,,/' 5f3a99c1 > one; sed '/^# x-run/d; s/,0b1dd00d,$/,,/' 0b1dd00d > other
cmp -s one other || fail 'the test tests nothing: the two recordings differ'
t record --machine m -a -I 20 --timeout 200 -o other; exits 0; cmp -s one other || fail "a machine without random numbers: $(diff one other | head -n 4)"
t replay -x, one; exits 0; cp out wanted
t replay -x, 5f3a99c1; exits 0; empty err; cmp -s out wanted || fail "$what: another answer"
t convert 5f3a99c1 -o again; exits 0; cmp -s 5f3a99c1 again || fail "$what: $(diff 5f3a99c1 again | head -n 4)"
seamless='the run .0b1dd00d., not of .5f3a99c1. as the header says; a trace of one recorder has no such line, so nothing of it is given as sound'
whole=$(wc -l < 5f3a99c1)
for at in 60 73 100 $((whole - 1)); do # within a reading and at its end
    { head -n $at 5f3a99c1; tail -n +$((at + 1)) 0b1dd00d; } > joined
    t replay joined; exits 65; empty out; warns "$seamless"
    t convert joined; exits 65; empty out; warns "$seamless"
    cat joined | "$TDPROBE" replay --summary-only - > out 2> err; code=$? what="cat | replay, joined at $at"; exits 65; empty out; warns 'not sound either'
done
awk 'NR == FNR { line[FNR] = $0; next } FNR >= 60 && FNR < 100 { $0 = line[FNR] } 1' 0b1dd00d 5f3a99c1 > joined; t replay joined; exits 65; empty out; warns "$seamless"
sed 's/,5f3a99c1,$/,,/' 5f3a99c1 > joined; t replay joined; exits 65; warns "the run '', not of '5f3a99c1'"
for run in 5F3A99C1 12345678901234567 x ''; do sed "s/^# x-run: .*/# x-run: $run/" 5f3a99c1 > joined; t replay joined; exits 65; warns "x-run is '$run', not 1 to 16 hexadecimal digits"; done

[ ! -e failed ]
