#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record --functions on simulated machines, whose functions have known shares; and what perf(1) reads of the result.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

# Three functions that take turns of 23 to 47 us, and a program of two whose turns take ms. 6 slots are a cycle, at 3 GHz.
cat > base << 'END'
# tdprobe-machine: 1
cpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69
cpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0
cpuid 0xa = 0x08300805 0x0 0xf 0x8604
cpus 0-3
pmu cpu type=4 cpus=0-3 general=8 fixed=0-3 metrics=8
event cpu slots = event=0x00,umask=0x4
event cpu topdown-retiring = event=0x00,umask=0x80
event cpu topdown-bad-spec = event=0x00,umask=0x81
event cpu topdown-fe-bound = event=0x00,umask=0x82
event cpu topdown-be-bound = event=0x00,umask=0x83
event cpu topdown-heavy-ops = event=0x00,umask=0x84
event cpu topdown-br-mispredict = event=0x00,umask=0x85
event cpu topdown-fetch-lat = event=0x00,umask=0x86
event cpu topdown-mem-bound = event=0x00,umask=0x87
workload fast rate=18000000000 file=/sim/fast at=0x400000 size=0x10000
phase us=31 function=0x401000 retiring=0.7 bad=0.1 frontend=0.1 backend=0.1
count 0x3c 0.166667 clock
phase us=47 function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8 memory=0.7
count 0x3c 0.166667 clock
phase us=23 function=0x403000 retiring=0.25 bad=0.05 frontend=0.6 backend=0.1 latency=0.5
count 0x3c 0.166667 clock
workload slow rate=18000000000 file=/sim/slow at=0x400000 size=0x10000
phase ms=7 function=0x401000 retiring=0.9 bad=0.02 frontend=0.04 backend=0.04
count 0x3c 0.166667 clock
phase ms=11 function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8 memory=0.7
count 0x3c 0.166667 clock
END
machine() { { cat base; cat; } > "$1.machine"; }
machine fast << 'END'
command fast ms=2000 cpus=0 name=fast
END
record="record --functions --fast"

# the value within 1.5 points of the truth, and the truth within the bounds, which only a build without GSL lacks
bounded=1
near() { # PLACE METRIC TRUTH
    ! grep -q 'without GSL' err || bounded=0
    awk -F, -v place="$1" -v metric="$2" -v truth="$3" -v bounded=$bounded '
        $1 == place && $10 == metric {
            found = 1
            off = 100 * ($14 - truth)
            if ($18 != "ok") print place ": " $18
            else if (off > 1.5 || off < -1.5) print place ", " metric ": " $14 ", not " truth
            else if ($15 == "" && bounded) print place ", " metric " has no bounds"
            else if ($15 != "" && !($15 <= truth && truth <= $16)) print place ", " metric ": " truth " is not in " $15 " .. " $16
        }
        END { if (!found) print place " has no " metric }' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
}
# the same of three of four shares
shares() { near "$1" retiring "$2"; near "$1" frontend_bound "$3"; near "$1" backend_bound "$4"; }

# pairs resolve turns of microseconds, which single samples at the same rate do not
# shellcheck disable=SC2086
{
t $record --machine fast.machine -o fast.data -- fast; exits 0; empty out
warns "fast.data: 4000 samples of 1 thread, a period of 3000000 cycles, 5.0 us a sample \(assumed\); 'tdprobe report fast.data'"
lines err 1
t report --by address --format csv fast.data; exits 0
shares '[fast+0x1000]' 0.7 0.1 0.1
shares '[fast+0x2000]' 0.1 0.05 0.8
shares '[fast+0x3000]' 0.25 0.6 0.1
# the only task of its CPU is not switched, which would leave two units of 8 bits open
awk -F, '$1 == "[fast+0x2000]" && $10 == "retiring" && $16 - $15 > 0.015 { print "the bounds are " $15 " .. " $16 }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"
t report fast.data; says 'samples are pairs: 2000 of them, 1[0-9]{4} cpu-cycles apart'
t $record --machine fast.machine --leader -c 3137777 -o leader.data -- fast; exits 0
t report --by address leader.data; says '=> smeared'; ! grep -q '=> probably' out || fail "$what: estimates: $(cat out)"

# a clock of 10 MHz, where what is usual is much too close: the distance of pairs is found
sed '/^workload fast/s/rate=[0-9]*/rate=60000000/; s/phase us=\([0-9]*\)/phase us=\1000/' fast.machine > crawl.machine
sed -i 's/ms=2000/ms=8000/' crawl.machine
t $record --machine crawl.machine --overhead 100 -c 200000 -o crawl.data -- fast; exits 0; lines err 1
t report crawl.data; says 'samples are pairs: .*, ([5-9][0-9]{3}|[1-4][0-9]{4}) cpu-cycles apart'

# what would resolve turns of 1 to 3 us, in which 12,000 cycles at 3 GHz are the same as 36,000 at 12 GHz: a fifth of those is less than the 5,000
# that pairs are apart at least, and of these it is not. At 16.7 GHz the shortest distance is too long, and pairs cannot be set.
clock() { # SLOTS-PER-SECOND
    sed "/^workload fast/s/rate=[0-9]*/rate=$1/; s/us=31/us=2/; s/us=47/us=3/; s/us=23/us=1/; s/ms=2000/ms=500/" fast.machine > clock.machine
    t $record --machine clock.machine -c 10000000 -o clock.data -- fast; exits 0
}
far='only 0 of [1-9][0-9]* pairs were 5,000 to 50,000 cycles apart: functions of short turns may be smeared$'
short='its turns are too short for pairs, which are at least 5000 cpu-cycles apart$' closer='pairs [5-9][0-9]{3} cpu-cycles apart may resolve it$'
clock 18000000000; ! grep -qE "$far" err || fail "$what: $(cat err)"
t report --by address clock.data; says "^# \[fast\+0x2000\]: $short"; ! grep -qE ": $closer" out || fail "$what: $(cat out)"
clock 72000000000; ! grep -qE "$far" err || fail "$what: $(cat err)"
t report --by address clock.data; says "^# \[fast\+0x2000\]: $closer"; ! grep -qE "$short" out || fail "$what: $(cat out)"
clock 100000000000; warns "^tdprobe: $far"

# of single samples five times as many may resolve them, unless that is more than the kernel allows
sed 's/us=31/us=3/; s/us=47/us=5/; s/us=23/us=4/; s/ms=2000/ms=200/' fast.machine > short.machine
short='its turns are too short for any rate that the kernel allows \(100000 per second\)$' more='^perf record -F [1-9][0-9]{4} .* # may resolve \[fast\+0x2000\]'
for period in 120000 300000; do
    t $record --machine short.machine --leader -c $period --overhead 100 -o short.data -- fast; exits 0
    t report --by address short.data
    case $period in
    120000) says "^# \[fast\+0x2000\]: $short"; ! grep -qE "$more" out || fail "$what: $(cat out)" ;;
    *) says "$more"; ! grep -qE "$short" out || fail "$what: $(cat out)" ;;
    esac
done

# a kernel from before its fix: only user mode, unless the handler's slots are wanted
{ cat fast.machine; echo 'sampling handler=1000'; } > old.machine
t $record --machine old.machine -o old.data -- fast; exits 0; warns 'user mode only: before Linux 6.14'
t report --by address --format csv old.data; exits 0; shares '[fast+0x2000]' 0.1 0.05 0.8
t $record --machine old.machine --handler -o old.data -- fast; exits 0; lines err 1
t report --by address --format csv old.data
awk -F, '$1 == "[fast+0x2000]" && $10 == "frontend_bound" && $14 < 0.06 { exit 1 }' out || fail "$what: nothing of the handler is seen"
warns 'samples hold slots of the interrupt'
# values are off by it, but the truth is within bounds
awk -F, '
    BEGIN { split("0.7 0.1 0.1 0.1 0.05 0.8 0.25 0.6 0.1", truth, " "); split("retiring frontend_bound backend_bound", metric, " ") }
    { for (i = 0; i < 9; i++)
        if ($1 == "[fast+0x" int(i / 3) + 1 "000]" && $10 == metric[i % 3 + 1]) {
            seen++
            off += $14 - truth[i + 1] > 0.05 || truth[i + 1] - $14 > 0.05
            if ($15 != "" && ($15 > truth[i + 1] || truth[i + 1] > $16)) print $1 ": " $10 " is " truth[i + 1] ", bounds are " $15 " .. " $16
        } }
    END { if (seen != 9 || !off) print seen " values, " off + 0 " of them off" }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"

# threads, and a child that executes a program; a thread that ends at once is missed
machine tree << 'END'
command slow ms=1000 cpus=1 name=tree
start slow at=100 ms=500 cpus=2 thread
start slow at=200 ms=1200 cpus=3 name=kid
start slow at=301 ms=1 cpus=0 thread
END
t $record --machine tree.machine -o tree.data -- ./tree; exits 0; warns 'samples of 3 threads'; warns 'not sampled.*: 1; -a samples them'
t report --by address --format csv tree.data; exits 0
shares '[slow+0x1000]' 0.9 0.04 0.04
shares '[slow+0x2000]' 0.1 0.05 0.8
t report --by thread --format csv tree.data; exits 0
[ "$(cut -d, -f1 out | sort -u | tr '\n' ' ')" = 'kid-5002 scope tree-5000 tree-5001 ' ] || fail "$what: $(cut -d, -f1 out | sort -u | tr '\n' ' ')"

# single samples are inherited: nothing is missed, and a thread of N ms has N samples, as 3,000,000 cycles are 1 ms. A kernel that refuses it
# has each thread opened when it is seen
intervals() { awk -F, '$10 == "retiring" { print $1, $7 }' out | sort | tr '\n' ' '; }
{ cat tree.machine; echo 'sampling inherit=no'; } > older.machine
t $record --leader -c 3000000 --machine tree.machine -o inherited.data -- ./tree; exits 0; warns '2301 samples of 4 threads'; lines err 1
t report --by address --format csv inherited.data; exits 0
shares '[slow+0x1000]' 0.9 0.04 0.04
shares '[slow+0x2000]' 0.1 0.05 0.8
t report --by thread --format csv inherited.data; exits 0; warns 'multiplexing would not be seen'
[ "$(intervals)" = 'kid-5002 799 tree-5000 999 tree-5001 499 ' ] || fail "$what: $(intervals)"
t $record --leader -c 3000000 --machine older.machine -o followed.data -- ./tree; exits 0; warns 'samples of 3 threads'; warns 'not sampled.*: 1; -a samples them'
t report --by address --format csv followed.data; exits 0
shares '[slow+0x1000]' 0.9 0.04 0.04
shares '[slow+0x2000]' 0.1 0.05 0.8
# one that is on two CPUs in turns has as many slots as one that stays
machine moves << 'END'
command slow ms=1001 cpus=0,1 slice=5 name=moves
start slow at=1 ms=1000 cpus=2 thread
END
{ cat moves.machine; echo 'sampling inherit=no'; } > moves-older.machine
for kernel in moves moves-older; do
    t $record --leader --machine $kernel.machine -o moves.data -- moves; exits 0; warns 'samples of 2 threads'
    t report --by thread --format csv moves.data; exits 0
    awk -F, '$10 == "retiring" { n++; if ($5 < 0.49 || $5 > 0.51) print $1 " has " $5 } END { if (n != 2) print n " threads" }' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
done
# the records begin soon after the header; the ids of more threads than have room there are at the end
at=$(od -An -tu8 -j40 -N8 fast.data | tr -d ' ')
[ "$at" -lt 20000 ] || fail "the records of fast.data begin at $at"
{
    cat base
    echo 'command slow ms=3900 cpus=1 name=many'
    i=0
    while [ $i -lt 150 ]; do echo "start slow at=$((10 + 25 * i)) ms=45 cpus=$((i % 3 + (i % 3 > 0))) thread"; i=$((i + 1)); done
} > many.machine
t $record --machine many.machine -o many.data -- many; exits 0; warns 'of 151 threads'; lines err 1
t report --by thread --format csv many.data; exits 0
[ "$(grep -c ',retiring,1,' out)" -eq 151 ] || fail "$what: $(grep -c ',retiring,1,' out) threads"

# the machine: what runs already has its names and files; Ctrl-C ends with a whole file
machine whole << 'END'
task 77 busy slow cpus=0,1 slice=5 threads=78
run fast cpus=3
signal SIGINT at=1500
END
t $record -a --machine whole.machine -o all.data; exits 0; warns 'samples of 4 CPUs'
t report --by address --format csv all.data; exits 0
shares '[slow+0x1000]' 0.9 0.04 0.04
shares '[slow+0x2000]' 0.1 0.05 0.8
t $record -p 77 --timeout 700 --machine whole.machine -o pid.data; exits 0; warns 'samples of 2 threads'
t report --by thread --format csv pid.data; exits 0; says '^busy-77,'; says '^busy-78,'
t $record -p 77 --leader -c 3000000 --timeout 700 --machine whole.machine -o pid.data; exits 0; warns '1400 samples of 2 threads'; lines err 1
t report --by thread --format csv pid.data; exits 0; says '^busy-77,'; says '^busy-78,'
# two tasks in turns of 5 ms on one CPU: single samples each 8 ms of one are over a switch or more, and each may have taken the fields off
sed 's/cpus=0,1 slice=5/cpus=0 slice=5/' whole.machine > shared.machine
t $record -p 77 --leader -c 24000000 --timeout 1400 --machine shared.machine -o shared.data
t report --by thread --format csv shared.data
awk -F, -v bounded=$bounded '$10 == "retiring" { n++; if (bounded && $16 - $15 < 0.1) print $1 ": the bounds are " $15 " .. " $16 } END { if (!n) print "nothing" }' out > wrong
[ ! -s wrong ] || fail "$what: $(cat wrong)"

# A thread has its CPU for 15 ms, then another one for 5 ms, about as long as single samples are apart: a third of the triples are of
# both. The switches between them are recorded, which tells these from returns within the thread's turn.
machine turns << 'END'
workload long rate=18000000000 file=/sim/long at=0x500000 size=0x10000
phase ms=7 function=0x501000 retiring=0.9 bad=0.02 frontend=0.04 backend=0.04
count 0x3c 0.166667 clock
workload short rate=18000000000 file=/sim/short at=0x600000 size=0x10000
phase ms=7 function=0x601000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8 memory=0.7
count 0x3c 0.166667 clock
task 60 short short cpus=0-3 slice=5
task 70 long long cpus=0
task 80 fast fast cpus=1
signal SIGINT at=1000
END
for period in 12900000 14100000; do
    t $record -a --leader -c $period --machine turns.machine -o turns.data; exits 0
    t report --by thread --format csv turns.data; exits 0
    shares long-70 0.9 0.04 0.04
    t report --by address --format csv turns.data; exits 0
    shares '[long+0x1000]' 0.9 0.04 0.04
    # functions in turns of 23 to 47 us, of which the period is no near multiple, stay smeared
    awk -F, '$1 ~ /^\[fast/ && $10 == "retiring" && $18 != "smeared" && $18 != "few_samples"' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
done

# A program that is back where it was after exactly the period of 1 ms, or a half or a quarter of it, does not keep step with a rate that
# varies: neither of its functions, of 40 and 60 % of the slots, has a value, which would be of both.
for us in 500 250 125; do
    { cat base; cat; } > step.machine << END
workload step rate=18000000000 file=/sim/step at=0x400000 size=0x10000
phase us=$((us * 4 / 5)) function=0x401000 retiring=0.9 bad=0.02 frontend=0.04 backend=0.04
count 0x3c 0.166667 clock
phase us=$((us * 2 - us * 4 / 5)) function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8
count 0x3c 0.166667 clock
command step ms=1000 cpus=0 name=step
start step at=0 ms=1000 cpus=1 thread
END
    for how in '' -a; do
        t $record --leader $how --machine step.machine -o step.data -- step; exits 0
        t report --by address --format csv step.data
        awk -F, '$10 == "retiring" { n++; truth = $1 == "[step+0x1000]" ? 0.4 : 0.6; if ($18 == "ok" || $5 - truth > 0.03 || truth - $5 > 0.03) print $1 ": " $18 ", " $14 " with " $5 " of the slots" } END { if (n != 2) print n " functions" }' out > wrong
        [ ! -s wrong ] || fail "$what: $us: $(cat wrong)"
    done
done

# -F is a number of pairs a second, whatever the clock is: 2 s of 1.5 GHz, where 3 GHz are assumed at first, and a clock that changes
taken() { # LEAST MOST
    n=$(sed -n 's/.*: \([0-9]*\) samples of .*/\1/p' err)
    [ "$n" -ge "$1" ] && [ "$n" -le "$2" ] || fail "$what: $n samples, not $1 to $2"
}
sed '/^workload fast/s/rate=18000000000/rate=9000000000/' fast.machine > half.machine
{ cat base; cat; } > change.machine << 'END'
workload change rate=9000000000 file=/sim/change at=0x400000 size=0x10000
phase ms=500 function=0x401000 retiring=1 bad=0 frontend=0 backend=0
count 0x3c 0.333333 clock
phase ms=500 function=0x402000 retiring=0 bad=0 frontend=0 backend=1
count 0x3c 0.166667 clock
command change ms=2000 cpus=0 name=change
END
t $record --machine half.machine -o rate.data -- fast; exits 0; taken 3940 4000; lines err 1
t report --by address --format csv rate.data
shares '[fast+0x1000]' 0.7 0.1 0.1
shares '[fast+0x2000]' 0.1 0.05 0.8
t $record --machine change.machine -o rate.data -- change; exits 0; taken 3880 4120
t $record -F 250 --machine half.machine -o rate.data -- fast; exits 0; taken 950 1000
t $record -c 3000000 --machine half.machine -o rate.data -- fast; exits 0; taken 1998 2000; warns ' 3000000 cycles'
t $record -a --timeout 2000 --machine half.machine -o rate.data -- fast; exits 0; taken 3940 4000
# the rate of single samples varies: as many as asked for at the most, and a tenth less at the least
t $record --leader -F 5000 --machine half.machine -o rate.data -- fast; exits 0; taken 7200 8000; warns '5000 samples a second would take more than 2 % of the time, at 5 us a sample: the rate is 4000 '
t $record --leader --machine half.machine -o rate.data -- fast; exits 0; taken 1800 2000
t report rate.data; exits 0
{ cat half.machine; echo 'file /proc/sys/kernel/perf_event_max_sample_rate = 500\n'; } > most.machine
t $record --leader --machine most.machine -o rate.data -- fast; exits 0; taken 900 1000; warns 'max_sample_rate allows 500 samples'

# what a sample costs is measured, also where the kernel's mode is not counted or all CPUs are; without it 5 us are assumed
for cost in 1500 25000; do
    { cat half.machine; echo "sampling cost=$cost"; } > cost.machine
    for how in '' --all-user -a; do
        t $record $how --machine cost.machine -o cost.data -- fast; exits 0
        awk -v cost=$cost '/us a sample;/ { seen = 1; sub(/ us a sample;.*/, ""); if ($NF < cost / 1000 * 0.9 || $NF > cost / 1000 * 1.1) print $NF } END { if (!seen) print "nothing" }' err > wrong
        [ ! -s wrong ] || fail "$what: $(cat wrong), not $cost ns: $(cat err)"
        # 2 % of 2 s, and as many as 5 us would allow for the first 100 ms
        if [ $cost = 25000 ]; then taken 1500 1800; warns 'fewer pairs than -F asks for'; else taken 3900 4000; lines err 1; fi
    done
done

# a rate above what is stated, and one above what the kernel takes and has room for
t $record --machine fast.machine -c 20000 -o hot.data -- fast; exits 0; warns 'more than 2 % of the time, at 5 us a sample: the period is 1500000 cycles'
t $record --machine fast.machine -c 20000 --overhead 100 -o hot.data -- fast; exits 0; warns 'lost.*: [0-9]+; a larger -c takes fewer'
t report hot.data; exits 0; says 'left out: [0-9]+ intervals over lost samples'
}

# what goes wrong leaves no file and no old one without its content
echo old > kept.data
t $record --machine fast.machine -o kept.data -- no-such-command; exits 127; [ "$(cat kept.data)" = old ] || fail "$what: the file is lost"
sed 's/general=8/general=0/' fast.machine > few.machine
t $record --machine few.machine -o kept.data -- fast; exits 69; warns '(--leader|general|counters)'; [ "$(cat kept.data)" = old ] || fail "$what: the file is lost"
{ cat fast.machine; echo 'privileged no'; } > user.machine
t $record -a --machine user.machine -o kept.data; exits 77; warns 'CAP_PERFMON'
t $record --machine user.machine -o mine.data -- fast; exits 0; warns 'user mode only'
if [ -w /dev/full ]; then t $record --machine fast.machine -o /dev/full -- fast; exits 74; warns '/dev/full cannot be written: No space left'; fi
t $record --machine fast.machine -o no/such.data -- fast; exits 74; warns 'no/such.data'
[ "$(echo ./*.data* | tr ' ' '\n' | grep -vcE '^\./[a-z]+\.data$')" -eq 0 ] || fail "files are left: $(echo ./*)"
t record --functions -F 0 -- fast; exits 64
t record --functions -F 10 -c 10 -- fast; exits 64; warns 'exclude'
t record --functions -p 1 -a; exits 64
t record --functions --level 3 -- fast; exits 64
t record --functions -o - -- fast; exits 64; warns 'needs a file'
t record --functions --help; exits 0; says '^usage: tdprobe record --functions'
t record -o trace -- ./app --functions; [ ! -e tdprobe.data ] || fail "$what: its command's option was taken"

t doctor --machine fast.machine; says '^ok +sampling +record --functions: can take pairs of samples$'
t doctor --machine old.machine; says '^ok +sampling +record --functions: can take pairs of samples, user mode only'
t doctor --machine few.machine; says '^note +sampling +record --functions: .*counters'

# perf reads the same samples: their number, names and values
if command -v perf > /dev/null && perf --version > /dev/null 2>&1; then
    perf script -i fast.data -F comm,tid,time,event,period,ip,dso > script 2> /dev/null || fail "perf script cannot read the file"
    # comm tid time period event address (dso)
    [ "$(awk '$5 == "slots:"' script | wc -l)" -eq 4000 ] || fail "perf script has $(awk '$5 == "slots:"' script | wc -l) samples, not 4000"
    awk '$5 == "slots:" && ($1 != "fast" || $NF != "(/sim/fast)" || $6 !~ /^40[123]000$/) { print; exit }' script > wrong
    [ ! -s wrong ] || fail "perf script: $(cat wrong)"
    # the second sample of a pair that lies in one function has exactly its share, within the 8 bits
    awk '$5 == "slots:" { turn++; slots = $4; back = before; before = $6 }
        $5 == "topdown-be-bound:" && turn % 2 == 0 && back == "402000" && $6 == "402000" { n++; if ($4 / slots < 0.79 || $4 / slots > 0.81) print }
        END { if (n < 500) print n " pairs" }' script > wrong
    [ ! -s wrong ] || fail "perf script, pairs: $(head -n 3 wrong)"
    perf script -i many.data -F tid,event 2> /dev/null | awk '$2 == "slots:" && !seen[$1]++' | wc -l > threads
    [ "$(cat threads)" -eq 151 ] || fail "perf script has $(cat threads) threads of many.data, not 151"
    perf script -i tree.data --show-task-events 2> /dev/null | grep -c PERF_RECORD_FORK > forks
    [ "$(cat forks)" -eq 3 ] || fail "perf script shows $(cat forks) FORK records, not 3"
fi
[ ! -e failed ]
