#!/bin/sh
# SPDX-License-Identifier: MIT
# Measuring, continued from live.sh: when files lose their content, closed
# descriptors, repeated runs, orders after the end, and the text of messages.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

usage() { # PATTERN ARGS...: exit 64, one line with the error
    pattern=$1
    shift
    t "$@"; exits 64; lines err 1; warns "$pattern"
}
# FILE N: N values of retiring in a csv, all 25 % to within 1/255
right() {
    awk -F, -v want="$2" '$6 == "retiring" && $7 != "" { n++; if ($7 < 0.2461 || $7 > 0.2539) bad++ } END { exit n != want || bad }' "$1" ||
        fail "$what: not $2 times 25 %: $(grep retiring "$1")"
}
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
machine() { # NAME LINES...: that machine with additional lines
    name=$1
    shift
    { cat "$spr"; [ $# -eq 0 ] || printf '%s\n' "$@"; } > "$name.machine"
}
machine plain
machine locked 'privileged no' 'file /proc/sys/kernel/perf_event_paranoid = 3\n'
m="--machine=plain.machine --fast"
command -v mkfifo > /dev/null || { echo "mkfifo is missing"; exit 77; }

# ---- files keep their content, and no empty one is left, if nothing was measured ----
for words in '-o' '-x, -o' '-j -o' '-j --append -o' 'record -o' 'record -j -o'; do
    for where in "$m -- no-such-command" '--machine=locked.machine -- x' "$m -C 99"; do
        echo old > kept
        rm -f new
        : > none
        for file in kept new none; do
            # shellcheck disable=SC2086 # words
            t $words $file $where
            case $where in *no-such*) exits 127 ;; *-C*) exits 69 ;; *) exits 77 ;; esac
            empty out
        done
        [ "$(cat kept)" = old ] || fail "$what: the file was written: $(cat kept)"
        [ ! -e new ] || fail "$what: an empty file is left"
        { [ -e none ] && [ ! -s none ]; } || fail "$what: somebody else's empty file is gone or written"
    done
done
t $m -j -- no-such-command; exits 127; lines err 3 # without a file the errors are in the report
t $m -j -o - -- no-such-command; exits 127; lines out 2; lines err 1
echo old > kept
t $m -x, -o kept -- x; exits 0; right kept 1; ! grep -qx old kept || fail "$what: not emptied"
echo old > kept
t record $m -o kept -- x; exits 0; head -n 1 kept | grep -q '^# tdprobe-trace: 1$' || fail "$what: $(head -n 1 kept)"
printf 'no end' > kept
t $m -x, -o kept --append -- x; exits 0; [ "$(head -n 1 kept)" = 'no end' ] || fail "$what: $(head -n 2 kept)"; right kept 1
t $m -x, -o kept --append -- x; ! grep -q '^$' kept || fail "$what: an empty line"; right kept 2
usage 'empty' -o '' -- x
usage 'empty' record -o '' -- x
usage 'empty' replay -o '' kept
usage 'exclude' record $m -o - --log-fd 1 -- x

# ---- closed descriptors ----
rm -f trace
"$TDPROBE" record $m -o trace -- x > /dev/null 2> err; cp trace wanted
"$TDPROBE" record $m -o trace -- x >&- 2> err; code=$? what='record >&-'; exits 0; cmp -s trace wanted || fail "$what: not the same trace"
"$TDPROBE" record $m -o trace -- x <&- >&- 2>&-; code=$? what='record <&- >&- 2>&-'; exits 0; cmp -s trace wanted || fail "$what: not the same trace"
"$TDPROBE" record $m -o - -- x >&- 2> err; code=$? what='record -o - >&-'; exits 74; warns 'stdout cannot be written: '
"$TDPROBE" $m -x, -o file -- x <&- >&- 2>&-; code=$? what='-o file <&- >&- 2>&-'; exits 0; right file 1
"$TDPROBE" $m -x, -o - -- x >&- 2> err; code=$? what='-o - >&-'; exits 74; warns 'stdout cannot be written: Bad'
"$TDPROBE" $m -x, -- x 2>&-; code=$? what='2>&-'; exits 74 # the report is lost
"$TDPROBE" $m -x, -- x <&- 2> err; code=$? what='<&-'; exits 0; right err 1
"$TDPROBE" --help >&- 2> err; code=$? what='--help >&-'; exits 74; warns 'stdout cannot be written: Bad'
"$TDPROBE" $m --dry-run -a >&- 2> err; code=$? what='--dry-run >&-'; exits 74; warns 'stdout cannot be written: Bad'

# ---- runs: the mean is of those that the command ended ----
runs() { # PATTERN: the runs object of json
    grep '"type":"runs"' err > object
    lines object 1
    grep -qE "$1" object || fail "$what: not $1: $(cat object)"
}
machine second 'signal SIGINT at=330'
t --machine second.machine -j -r 5 -- x; exits 0; runs '"runs":2,"elapsed":{"mean":0.2[0-9]*,"stddev":null,"runs":1},.*"retiring":{"mean":0.2[0-9]*,"stddev":null,"runs":1,"low":0.2[0-9]*,"high":0.2[0-9]*,"bounds":"[a-z]*"}'
t --machine second.machine -r 5 -- x; exits 0; warns '^2 runs  x  spr  \['; warns ' elapsed +0\.200 s  \(mean \+- standard error of the 1 that the command ended\)$'; ! grep -q 'that have it' err || fail "$what: $(cat err)"
t $m -j -r 3 --timeout 130 -- x; exits 143; runs '"runs":3,"elapsed":{"mean":null,"stddev":null,"runs":0},"scope":null,"core":null,"metrics":[{][}]'
t --machine "$TD_SRCDIR/sim/machines/skylake-nosmt.machine" --fast -M info_thread_ipc -r 2 -- x; exits 0; warns '^ *info_thread_ipc  *1\.000  per cycle \+- 0\.000' # as its comments say: one instruction and one cycle per 4 slots
t $m -r 3 --timeout 130 -- x; exits 143; warns 'elapsed .*ended none of the 3 runs'
t $m -x, -r 3 --timeout 130 -- x; exits 143; right err 4
t $m -j -r 2 -D 500 -- x; exits 0; runs '"runs":2,"elapsed":{"mean":0.2[0-9]*,"stddev":.*,"runs":2},"scope":null,"core":null,"metrics":[{][}]'

# ---- --control: pauses last beyond a run, orders beyond the measurement ----
. "$TD_SRCDIR/tests/scripts/orders.sh"
ask 'disable\n' -r 3 -- x; exits 0; acks 1; [ "$(grep -c 'never began' err)" -eq 2 ] || fail "$what: not paused in later runs: $(cat err)"
ask 'disable\nenable\n' -r 2 -- x; exits 0; acks 2; right err 3
ask 'enable\n' -r 2 -D -1 -- x; exits 0; acks 1; right err 3
ask 'ping\n' -r 2 -D -1 -- x; exits 0; acks 1; [ "$(grep -c 'never began' err)" -eq 2 ] || fail "$what: $(cat err)"
ask 'disable\n' -D 50 -- x; exits 0; acks 1; warns 'never began'
ask 'stop\nping\nsnapshot\ndisable\njump\n' -- x; exits 0; acks 4; warns "'jump' is not"; [ "$(grep -c ',retiring,[0-9.]*,slots,' err)" -eq 1 ] || fail "$what: $(cat err)"
printf 'ping\nsnapshot' > orders
"$TDPROBE" $m -x, --control fd:0,8 -- x < orders 2> err; code=$? what='no newline at the end'; exits 0; answered; acks 2
[ "$(grep -c ',retiring,[0-9.]*,slots,' err)" -eq 3 ] || fail "$what: $(cat err)"
printf 'jump' > orders
"$TDPROBE" $m -x, --control fd:0 -- x < orders 2> err; code=$?; exits 0; warns "'jump' is not"
exec 8>&- 9>&-

# ---- a file that cannot grow is a write error, not the end by SIGXFSZ ----
for words in "$m -I 5 -x, -o small -a --timeout 3000" "record $m --summary-only -I 5 -o small -a --timeout 3000" "$m -I 1 -x, -o small -- x" "record $m --summary-only -I 1 -o small -- x"; do
    rm -f small
    # shellcheck disable=SC2086 # words
    (ulimit -f 4; exec "$TDPROBE" $words) > out 2> err < /dev/null; code=$? what="tdprobe $words, a limit of 4 blocks"
    exits 74; warns '^tdprobe: small cannot be written: File too large'
    [ "$(grep -c 'cannot be written' err)" -eq 1 ] || fail "$what: it is said $(grep -c 'cannot be written' err) times"
    [ "$(wc -c < small)" -le 4096 ] || fail "$what: the limit is not in effect"
done
if "$TDPROBE" doctor > doctor.out 2> doctor.err; then
    (ulimit -f 4; "$TDPROBE" -o report -- sh -c 'yes > much') 2> err; code=$? what='a command of large files'
    [ $code -eq 153 ] || fail "$what: it got another SIGXFSZ: $code"
fi

# ---- csv: a field that ends with the beginning of the separator ----
t $m -x '||' -- 'a|'; exits 0; grep -q '||"a|"||command||' err || fail "$what: $(head -n 2 err)"
t $m -x 'd,' -- x; exits 0; grep -q 'd,"frontend_bound"d,' err || fail "$what: $(head -n 9 err)"
t $m -x, -- 'a|'; grep -q ',a|,command,' err || fail "$what: $(head -n 2 err)"

# ---- messages ----
usage "-I: '0' is not a time from 1 to [0-9]+ ms such as 500, 500ms, 1.5s or 2m; see" -I 0 -- x
usage 'from 1 to 1000000' -r 1000001 -- x
usage 'from 0 to 65535' -C 65536
usage 'from 1 to 4194304' -p 4194305
usage '--per may be .*--per-core, --per-socket' --per -a
usage '--summ=x may be --summary, --summary-only' replay --summ=x file
usage 'no option --nonesuch' --nonesuch
sed 's/^cpuid 0x0 .*/cpuid 0x0 = 0x20 0x68747541 0x444d4163 0x69746e65/' "$spr" > amd.machine
sed 's/^cpuid 0x1 = 0x000806f8/cpuid 0x1 = 0x00000f12/' "$spr" > model.machine
t --machine model.machine -- x; exits 69; lines err 1; warns '--uarch'; warns "'tdprobe doctor'"
t --machine amd.machine -- x; exits 69; lines err 1; warns 'Zen'; ! grep -q -- '--uarch' err || fail "$what: its events are not of another CPU: $(cat err)"; warns "'tdprobe doctor'"
t --machine amd.machine --dry-run -- x; exits 69; lines err 1; warns 'Zen'; warns "'tdprobe doctor'"
t --machine "$TD_SRCDIR/sim/machines/guest-without-pmu.machine" -- x; exits 69; ! grep -q -- '--uarch' err || fail "$what: $(cat err)"

# ---- this machine, if it can be measured ----
if "$TDPROBE" doctor > doctor.out 2> doctor.err; then
    (ulimit -Sn 200; "$TDPROBE" -r 3 -o report -- sh -c 'ulimit -Sn >> limits'); printf '200\n200\n200\n' > wanted
    cmp -s limits wanted || fail "the command of -r got another limit of descriptors: $(cat limits)"
    "$TDPROBE" --timeout 300 -o report -- sh -c 'kill -STOP $$'; code=$? what='a stopped command'; exits 143
fi

[ ! -e failed ]
