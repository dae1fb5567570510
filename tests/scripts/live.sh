#!/bin/sh
# SPDX-License-Identifier: MIT
# Measuring, as far as it does not need a PMU: options, exit codes, intervals, signals,
# --control, the files that are written. Time is simulated: on a Sapphire Rapids
# whose command runs for 200 ms, with 25 % retiring (see the description).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

usage() { # PATTERN ARGS...: exit 64, one line with the error and what to do next
    pattern=$1
    shift
    t "$@"; exits 64; lines err 1; warns "$pattern"; warns 'tdprobe (([a-z-]+ )?--help|list)'
}
# FILE TIMES: the intervals of a csv end at TIMES, in s to two decimals
ends() {
    got=$(awk -F, '$6 == "retiring" { printf "%s%s", n++ ? " " : "", $NF == "summary" ? $NF : sprintf("%.2f", $1) }' "$1")
    [ "$got" = "$2" ] || fail "$what: intervals end at '$got', not '$2': $(head -n 3 "$1")"
}
# FILE: all values of retiring are 25 % to within 1/255
right() {
    awk -F, '$6 == "retiring" { n++; if ($7 < 0.2461 || $7 > 0.2539) bad++ } END { exit !n || bad }' "$1" || fail "$what: retiring is not 25 %: $(grep retiring "$1" | head -n 2)"
}
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
# NAME COMMAND-OPTIONS LINES...: that machine with changes
machine() {
    name=$1 options=$2
    shift 2
    { sed "s/^command .*/& $options/" "$spr"; [ $# -eq 0 ] || printf '%s\n' "$@"; } > "$name.machine"
}
machine plain ''
m="--machine=plain.machine --fast"
command -v mkfifo > /dev/null || { echo "mkfifo is missing"; exit 77; }

# ---- help ----
for words in stat record; do
    t $words --help-all; exits 0; empty err; says '^usage: tdprobe'
    for option in -a -C -p -t -I -r -D -A -x -j -o -i -v -h --all-cpus --cpu --pid --tid --for-each-cgroup --interval-print --repeat --delay \
        --timeout --interval-count --no-aggr --per-thread --per-core --per-socket --per-node --all-user --all-kernel --no-inherit --level --td-level \
        --field-separator --json --format --output --append --log-fd --control --counts --summary-only --machine --verbose --dry-run --uarch --backend \
        --no-fixed; do
        [ "$words$option" = record--append ] || says "(^|[ ,|])$option([ ,=]|\$)"
    done
done
t doctor --help; exits 0; says '^usage: tdprobe doctor'
t --help-all; exits 0; says '^usage: tdprobe'; says '--per-core'

# ---- wrong usage ----
usage 'no command after' --
usage 'no command after' -I 100 --
usage 'no command' stat
usage '-q' -q
usage '-q' stat -q -- x
usage 'no option -q' --summary -aq
usage 'all-cpus=1' --all-cpus=1
usage 'nonesuch' --nonesuch
usage '-I lacks' -I
usage 'lacks' --timeout
for value in 0 -1 '' x 1x 1.5 ' 1' +1 99999999999999999999; do usage '-I' -I "$value" -- x; done
for value in 0 -1 x; do usage '-r' -r "$value" -- x; done
for value in -2 x ''; do usage '-D' -D "$value" -- x; done
for value in 0 x; do usage '--timeout' --timeout "$value" -- x; usage '--interval-count' -I 10 --interval-count "$value" -- x; done
for value in '' x 3-1 '1,' ',1' 1-2-3 -1 99999; do usage '-C' -C "$value"; done
for value in '' x 0 1,0 1-2 '1,' -5; do usage '-p' -p "$value"; usage '-t' -t "$value"; done
for value in '' ',' 'a,' ',a'; do usage 'for-each-cgroup' --for-each-cgroup "$value"; done
for value in '' '"' 'a"b' '
'; do usage '-x' -x "$value" -- x; done
usage 'level' --td-level 7 -- x
usage 'format' --format xml -- x
usage 'backend' --backend=nonesuch -- x
usage 'nonesuch' --uarch nonesuch -- x
usage '-p and -t' -p 1 -t 2
usage 'exclude -a' -a -p 1
usage 'exclude' -C 0 -t 1
usage 'exclude' --for-each-cgroup a -p 1
usage 'per-thread' --per-thread -- x
usage 'per-thread' --per-thread -a
for by in -A --no-aggr --per-core --per-socket --per-node; do usage 'need -a' $by -- x; usage 'only results of -a or -C' $by -p 1; usage 'cgroup' $by --for-each-cgroup a; done
usage 'all-user' --all-user --all-kernel -- x
usage '-r needs' -r 2 -a
usage '-r and -I' -r 2 -I 100 -- x
usage 'interval-count needs' --interval-count 2 -- x
usage 'append needs' --append -- x
usage '-o and --log-fd' -o file --log-fd 2 -- x
usage 'append' record --append -o file -- x
usage '-r' record -r 2 -o file -- x
usage '77 is not open' --log-fd 77 -- x
for value in nonesuch fd: fd:x fd:77 fd:0,77 fifo: fifo:nonesuch fifo:plain.machine; do usage 'control' --control "$value" -- x; done
[ ! -e file ] || fail "wrong usage wrote a file"
usage 'doctor' doctor now
usage 'nonesuch' doctor --nonesuch

# ---- a machine that cannot be read, or measured ----
t --machine nonesuch -- x; exits 65; warns 'nonesuch'
echo junk > junk; t --machine junk -- x; exits 65; warns 'junk'
without=--machine=$TD_SRCDIR/sim/machines/guest-without-pmu.machine
t "$without" -- x; exits 69; lines err 1; warns 'PMU'; empty out
t "$without" --backend=auto; exits 69; lines err 1
t "$without" -j -- x; exits 69; warns '^tdprobe: '
tail -n 1 err | grep -q '^{"schema":"tdprobe/1","type":"end",.*"code":69,"status":null,.*"errors":1}$' || fail "$what: the end is not said: $(cat err)"
grep -q '^{"schema":"tdprobe/1","type":"error","code":69,"text":' err || fail "$what: no error object: $(cat err)"
t doctor "$without"; exits 69; empty err; says '^OBSTACLE .*PMU'; says '^ *-> '; tail -n 1 out | grep -q 'cannot' || fail "$what: no answer"
t doctor --json "$without"; exits 69; says '^{"schema":"tdprobe/1","type":"finding","kind":"obstacle","layer":"[a-z]*","text":".*","remedy":".*"}$'
tail -n 1 out | grep -q '^{"schema":"tdprobe/1","type":"diagnosis","usable":false,"code":69,' || fail "$what: no answer"
# aarch64 programs have no rdpmc
t doctor --machine=plain.machine; exits 0; says '^ok '; says 'rdpmc: (usable|the counters of PMU)'; tail -n 1 out | grep -q 'can measure' || fail "$what: no answer"
t doctor --machine "$TD_SRCDIR/sim/machines/guest-lying-pmu.machine"; exits 69; tail -n 1 out | grep -q 'lie' || fail "$what: the lie is not said: $(tail -n 1 out)"
machine locked '' 'privileged no' 'file /proc/sys/kernel/perf_event_paranoid = 3\n'
t --machine locked.machine -- x; exits 77; warns 'paranoid'; empty out
t --machine locked.machine --backend=auto; exits 77; warns 'paranoid'
t doctor --machine locked.machine; exits 77; says '^OBSTACLE *paranoid'
machine user '' 'privileged no'
t --machine user.machine --backend=auto; exits 77; lines err 1; warns 'command'; warns 'paranoid'
t --machine user.machine -x, -- x; exits 0; ends err '0.20'
t $m -p 4000; exits 64; warns '4000'
t $m -C 99; exits 69; warns '99'
t $m --for-each-cgroup nonesuch; exits 65; warns 'nonesuch'
# what a walk would find by '..' is not opened, not even a cgroup
for name in .. ../cgroup/app ../../../../sys/fs/cgroup/app app/.. nonesuch,app/../app; do
    t $m --for-each-cgroup "$name" --timeout 50; exits 64; empty out; warns "'[^']*\.\.[^']*' may lead out of the cgroups.*below /sys/fs/cgroup \(/proc/PID/cgroup"
done
t $m --for-each-cgroup a..b; exits 65; warns 'there is no cgroup'
t $m --for-each-cgroup ./app// --timeout 50; exits 0
long=$(printf '%4100s' '' | tr ' ' x)
t $m --for-each-cgroup "$long" --timeout 50; exits 65; warns 'too long'
# a file keeps its content if nothing was measured
echo old > kept
t --machine locked.machine -o kept -- x; exits 77; [ "$(cat kept)" = old ] || fail "$what: the file was emptied"
t record --machine locked.machine -o kept -- x; exits 77; [ "$(cat kept)" = old ] || fail "$what: the trace was emptied"

# ---- this machine: with a PMU of a known CPU it can be measured, otherwise the reason is reported ----
t doctor; case $code in 0 | 69 | 77) ;; *) fail "$what: exit $code" ;; esac
if [ $code -eq 69 ]; then
    says '^OBSTACLE '
    t -- touch ran; exits 69; warns '^tdprobe: ..........'; empty out; [ ! -e ran ] || fail "$what: the command ran"
fi

# ---- what is opened ----
t $m --dry-run -- x; exits 0; empty err; says 'spr'; says 'config 0x400'; says 'enable_on_exec'
t $m --dry-run -o file -- x; exits 0; [ ! -e file ] || fail "$what: wrote a file"
t $m --dry-run --no-fixed -a; exits 0; says 'config 0x2a4'; ! grep -q 'config 0x1a4' out || fail "$what: SLOTS does for SLOTS_P"
t $m --dry-run --uarch nonesuch; exits 64
t $m -v -o file -- x; exits 0; warns '^tdprobe: .*spr'; warns '^tdprobe: .*0x400'

# ---- exit codes of the command ----
machine three 'exit=3'
machine killed 'signal=9'
t $m -- x; exits 0; empty out; warns '^x  spr '; warns ' retiring  *25\.'; warns '^  0\.20[0-9] s elapsed'; [ "$(grep -c '0\.20[0-9]' err)" = 1 ] || fail "the time stands there more than once: $(cat err)"; ! grep '^ \{6\}' err || fail "leading blanks"
t $m -a -A -- x; exits 0; warns '^# scope  *retiring'; warns '^  CPU0  *25\.'; [ "$(grep -c '0\.20[0-9]' err)" = 1 ] || fail "lines of a whole run have times: $(cat err)"; warns '^0\.20[0-9]* seconds time elapsed$'
t --machine three.machine stat x --counts -I --nonesuch; exits 3
t --machine killed.machine x; exits 137
t --machine three.machine -j -- x; exits 3
tail -n 1 err | grep -q '^{"schema":"tdprobe/1","type":"end","elapsed":0.2[0-9]*,"runs":1,"code":3,"status":3,"signal":null,"errors":0}$' || fail "$what: $(tail -n 1 err)"
t --machine killed.machine -j -- x; exits 137
tail -n 1 err | grep -q '"code":137,"status":137,"signal":9,"errors":0}$' || fail "$what: $(tail -n 1 err)"
t $m -- no-such-command; exits 127; lines err 1; warns "'no-such-command' cannot be run"
t $m -j no-such-command; exits 127; tail -n 1 err | grep -q '"runs":0,"code":127,"status":127,"signal":null,"errors":1}$' || fail "$what: $(tail -n 1 err)"

# ---- intervals ----
t $m -x, -- x; exits 0; ends err '0.20'; right err; grep -q '^0.2[0-9]*,x,command,,spr,retiring,' err || fail "$what: $(cat err)"
t $m -x, -I 60 -- x; ends err '0.06 0.12 0.18 0.20 summary'; right err
t $m -x, -I60 -- x; ends err '0.06 0.12 0.18 0.20 summary'
t $m -x, --interval-print=60 -- x; ends err '0.06 0.12 0.18 0.20 summary'
t $m -x, -I 500 -- x; ends err '0.20 summary'
t $m -x, -I 5 --timeout 12 -- x; warns '^tdprobe: -I 5: '; ends err '0.01 0.01 0.01 summary'
t $m -x, --summary -- x; ends err '0.20 summary'
t $m -x, --summary-only -I 60 -- x; ends err 'summary'; right err
t $m -x, -I 60 --interval-count 2 -- x; exits 0; ends err '0.06 0.12 summary'
t $m -x, -I 60 --interval-count 2 -a; exits 0; ends err '0.06 0.12 summary'
t $m -x, --timeout 130 -- x; exits 143; ends err '0.13'
t $m -x, -I 60 --timeout 130 -- x; exits 143; ends err '0.06 0.12 0.13 summary'
t $m -x, --timeout 500 -- x; exits 0; ends err '0.20'
t $m -x, -D 100 -I 30 -- x; exits 0; ends err '0.13 0.16 0.19 0.20 summary'; right err
t $m -x, -D 100 --timeout 50 -- x; exits 143; ends err '0.15'
t $m -x, -D 500 -- x; exits 0; warns 'never began'; ends err '0.20'
t $m -x, -D 0 -- x; ends err '0.20'

# ---- what is measured, and how it is grouped ----
scopes() { # NUMBER KIND: there are NUMBER scopes of that kind
    got=$(awk -F, -v k="$2" '$6 == "retiring" && $3 == k { n[$2] } END { for (s in n) c++; print c + 0 }' err)
    [ "$got" = "$1" ] || fail "$what: $got scopes of kind $2, not $1: $(head -n 3 err)"
}
for words in --backend=auto -a --timeout=100 -v; do
    t $m -x, --timeout 100 $words; exits 0; ends err '0.10'; scopes 1 system; right err
done
t stat $m -a -x, --timeout 100; exits 0; scopes 1 system
t $m -x, -a --timeout 300 -- x; exits 0; ends err '0.20'; scopes 1 system
t $m -x, -A --timeout 100; scopes 16 cpu
t $m -x, -A -C 0-3,7 --timeout 100; scopes 5 cpu; right err
t $m -x, -a --per-core --timeout 100; scopes 8 core
t $m -x, -a --per-socket --timeout 100; scopes 2 socket
t $m -x, --per-node -a --timeout 100; scopes 2 node
t $m -x, -p 701 --timeout 100; exits 0; scopes 1 thread; right err
t $m -x, -p 701 --per-thread --timeout 100; scopes 2 thread
t $m -x, -t 701 --per-thread --timeout 100; scopes 1 thread
t $m -x, --for-each-cgroup app --timeout 100; scopes 1 cgroup; right err
t $m -x, --all-user -- x; exits 0; right err
t $m -x, --level 1 -- x; ! grep -q memory_bound err || fail "$what: level 2 too"
t $m -x, --no-fixed --counts -- x; grep -q 'TOPDOWN.BACKEND_BOUND_SLOTS' err || fail "$what: not from ordinary events"
machine ends '' 'task 800 brief mixed cpus=3 ms=700'
t --machine ends.machine -x, -p 800; exits 0; ends err '0.80' # it is checked every 0.2 s

# ---- runs ----
t $m -x, -r 3 -- x; exits 0; [ "$(grep -c '^[0-9].*,retiring,.*,$' err)" -eq 3 ] && [ "$(grep -c '^[0-9.]*,x,.*,retiring,.*,summary$' err)" -eq 1 ] || fail "$what: $(grep retiring err)"; right err
t --machine three.machine -r 3 -- x; exits 3; warns '^3 runs  x  spr  \['; ! grep -q summary err || fail "$what: $(grep summary err)"
warns '^ +retiring  *25\.[0-9] % \+- 0\.[0-9]'; [ "$(grep -c ' retiring ' err)" -eq 2 ] || fail "$what: not one tree: $(grep retiring err)" # with the head of the runs' lines
warns ' elapsed  *0\.200 s \+- 0\.000  \(mean \+- standard error of the runs\)$'; warns ' seconds time elapsed in 3 runs$'
t $m -j -r 2 -- x; exits 0; lines err 6
grep -q '^{"schema":"tdprobe/1","type":"runs","runs":2,"elapsed":{"mean":0.2[0-9]*,"stddev":0[.0-9]*,"runs":2},"scope":"x","core":null,"metrics":{"retiring":{"mean":0.2[0-9]*,"stddev":0[.0-9e-]*,"runs":2,"low":0.2[0-9]*,"high":0.2[0-9]*,"bounds":"sound"}' err ||
    fail "$what: $(tail -n 2 err)"

# ---- signals ----
for signal in SIGINT SIGTERM SIGHUP; do
    machine signal '' "signal $signal at=130"
    t --machine signal.machine -x, -a -I 60; exits 0; ends err '0.06 0.12 0.13 summary'
    t --machine signal.machine -x, -p 701; exits 0; ends err '0.13'
    t --machine signal.machine -x, -I 60 -- x
    case $signal in SIGINT) exits 0 ;; SIGTERM) exits 143 ;; SIGHUP) exits 129 ;; esac
    ends err '0.06 0.12 0.13 summary'
done
machine twice '' 'signal SIGINT at=130' 'signal SIGINT at=150'
t --machine twice.machine -x, -- x; exits 137; ends err '0.13'
t --machine twice.machine -x, -r 5 -- x; exits 137; ends err '0.13 summary'
machine now '' 'signal SIGUSR1 at=100'
t --machine now.machine -x, -- x; exits 0; ends err '0.10 0.20 summary'
machine pause '' 'signal SIGUSR2 at=50' 'signal SIGUSR2 at=150'
t --machine pause.machine -x, -I 40 -- x; exits 0; ends err '0.04 0.08 0.16 0.20 summary'

# ---- a simulated machine's clock, and signals that are really sent ----
usage 'fast' --fast -- x
mkfifo lines
paced() { # NUMBER OF LINES, OPTIONS: a SIGINT follows after that number of lines
    n=$1
    shift
    "$TDPROBE" --machine plain.machine -x, --log-fd 3 "$@" 3> lines 2> err < /dev/null &
    pid=$! what="tdprobe --machine $*, interrupted"
    { head -n "$n"; kill -INT $pid; cat; } < lines > got
    wait $pid; code=$?
}
whole=$(t $m -x, -a -I 50 --timeout 60; wc -l < err) # a header, two intervals and the summary
one=$(((whole - 1) / 3))
began=$(date +%s%N)
paced $((1 + 4 * one)) -a -I 50; exits 0; empty err; tail -n 1 got | grep -q ',summary$' || fail "$what: no summary: $(tail -n 1 got)"
took=$((($(date +%s%N) - began) / 1000000))
[ $took -ge 199 ] || fail "$what: four intervals of 50 ms took $took ms"
[ $((($(wc -l < got) - 1) % one)) -eq 0 ] || fail "$what: the last interval is cut: $(wc -l < got) lines, $one each"
end=$(sed -n 's/^\([0-9][0-9.]*\),.*,retiring,.*/\1/p' got | tail -n 1)
awk -v end="$end" -v took="$took" 'BEGIN { exit !(end * 1000 <= took + 1) }' || fail "$what: after $took ms it is $end s"
paced $((1 + 100 * one)) -a -I 500 --fast; exits 0; tail -n 1 got | grep -q ',summary$' || fail "$what: no summary: $(tail -n 1 got)"
paced $((1 + 100 * one)) -a -I 500 --timeout 1000000000; exits 0; tail -n 1 got | grep -q ',summary$' || fail "$what: no summary: $(tail -n 1 got)"
paced $((1 + one)) -I 20 -- x; exits 0; tail -n 1 got | grep -q ',summary$' || fail "$what: no summary: $(tail -n 1 got)"

# ---- --control: orders written earlier are obeyed at once ----
. "$TD_SRCDIR/tests/scripts/orders.sh"
ask 'enable\nping\n' -D -1 -- x; exits 0; ends err '0.20'; acks 2; right err
ask 'ping\n' -D -1 -- x; exits 0; acks 1; warns 'never began'
ask 'disable\n' -I 60 -- x; acks 1; [ "$(grep -c ',retiring,[0-9.]*,slots,' err)" -le 2 ] || fail "$what: $(grep retiring err)"
ask 'snapshot\n' -- x; acks 1; ends err '0.00 0.20 summary'
ask 'ping\nstop\nping\n' -a; exits 0; acks 2; dd bs=64 count=1 <&9 > rest 2> dd.err & dd=$!
printf '.\n' >&9; wait $dd
ask 'jump\n\nping\n' -- x; exits 0; acks 1; warns "^tdprobe: --control: 'jump' is not"
ask 'enable\n' -D 100 -- x; acks 1; ends err '0.20'; right err
printf 'ping\n' >&9
"$TDPROBE" $m -x, --control fd:9,8 -- x 2> err; code=$? what='control fd:'; exits 0; answered; acks 1
exec 8>&- 9>&-

# ---- formats and files ----
t $m -x ';' -- x; head -n 1 err | grep -q '^time;scope;scope_kind;core;cpu;metric;value;unit;low;high;coverage;status;flags;bounds;node;text;duration;level;parent;summary$' || fail "$what: $(head -n 1 err)"
grep -q '^0.2[0-9]*;x;command;;spr;retiring;0.25' err || fail "$what: $(head -n 2 err)"
t $m -x '||' -- x; grep -q '||spr||retiring||0.25' err || fail "$what: $(head -n 2 err)"
t $m -x '\t' -- x; grep -q '	spr	retiring	0.25' err || fail "$what: $(head -n 2 err)"
# RFC 4180, if the separator occurs in a field
t $m -x _ -- x; grep -q '"scope_kind"' err && grep -q '_"memory_bound"_0.3' err || fail "$what: $(head -n 2 err)"
t $m -x 5 -- x; grep -q '5"0.2[0-9]*5[0-9]*"5slots5' err || fail "$what: $(head -n 2 err)"
t $m -x ';' -- 'a;b"c'; grep -q ';"a;b""c";command;' err || fail "$what: $(head -n 2 err)"
t $m -j -I 60 -- x; lines err 7; [ "$(grep -c '^{"schema":"tdprobe/1","time":0\.' err)" -eq 5 ] || fail "$what: $(cut -c 1-60 err)"
grep -q '^{"schema":"tdprobe/1","time":0.2[0-9]*,"summary":true,"scope":"x"' err || fail "$what: no summary"
rm -f file
t $m -x, -I 60 -o file -- x; exits 0; empty err; empty out; ends file '0.06 0.12 0.18 0.20 summary'
t $m -x, -o file -- x; ends file '0.20'; cp file once
t $m -x, -o file --append -- x; ends file '0.20 0.20'; [ "$(grep -c '^time,' file)" -eq 1 ] || fail "$what: a second header"
t $m -x, -o new --append -- x; cmp -s new once || fail "$what: not like the first"
t $m -x, --output=/dev/null -- x; empty err
t $m -x, -o - -- x; empty err; cmp -s out once || fail "$what: not the same report"
"$TDPROBE" $m -x, --log-fd 3 -- x 3> file 2> err; code=$? what=--log-fd; exits 0; empty err; cmp -s file once || fail "$what: not the same report"
"$TDPROBE" $m --log-fd 3 -- x 3< once 2> err; code=$? what='--log-fd read-only'; exits 64
t $m -o nonesuch/file -- x; exits 74; lines err 1; warns 'nonesuch/file'
if [ -w /dev/full ]; then
    t $m -x, -o /dev/full -- x; exits 74; lines err 1; warns 'full'
    t $m -o /dev/full -- x; exits 74; lines err 1; warns 'full'
    t --machine three.machine -o /dev/full -- x; exits 3; lines err 1
    t $m -o /dev/full -a --timeout 50; exits 74; lines err 1
    t record $m -o /dev/full -a --timeout 50; exits 74; lines err 1
fi

# ---- record and replay ----
for words in '-- x' '-I 60 -- x' '-a -I 30 --timeout 100' '-A -C 0-3 -I 30 --timeout 100' '-D 50 -I 30 -- x' '--no-fixed -I 60 -- x' '--per-thread -p 701 -I 60 --timeout 150' \
    '--for-each-cgroup app -I 60 --timeout 100'; do
    rm -f trace
    # shellcheck disable=SC2086 # words
    t record $m --summary -x, --counts -o trace $words; exits 0; empty out; mv err live.csv
    t replay --summary --counts --format csv trace; exits 0; empty err
    cmp -s out live.csv || { fail "$what: not what was live with $words:"; diff live.csv out | head -n 4; }
done
t record $m -o - -I 60 -- x; exits 0; head -n 1 out | grep -q '^# tdprobe-trace: 1$' || fail "$what: $(head -n 1 out)"; warns '^     0\.1[0-9]*  x  '; ! grep -q ' elapsed$' err || fail "the time is said again: $(cat err)"
cp out trace; t replay trace; exits 0
t record --machine three.machine -o trace -- x; exits 3
t record $m -o nonesuch/trace -- x; exits 74; warns 'nonesuch/trace'

[ ! -e failed ]
