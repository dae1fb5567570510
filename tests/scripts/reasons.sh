#!/bin/sh
# SPDX-License-Identifier: MIT
# Messages that give a reason: each with a recording that makes it true, and with one beside it that makes its neighbour true.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

count() { for c; do printf '%s,,%s,1000000,100.00,,\n' "${c%%=*}" "${c#*=}"; done; } # VALUE=EVENT...
made() { count "$@" > made; } # the recording that t replay reads

# ---- whose events these are ----
clocks='5000000=cpu_clk_unhalted.thread' retired='4000000=inst_retired.any'
slots=6000000=slots retiring=1400000=topdown-retiring bad=1000000=topdown-bad-spec frontend=1500000=topdown-fe-bound backend=2100000=topdown-be-bound
none='none of the events is one that the formulas of'
# two events that the CPU knows, for other metrics; what is advised shows them
made $clocks $retired
t replay --uarch spr made; exits 65
warns 'no top-down events were recorded: what spr has of the events are cpu_clk_unhalted.thread, inst_retired.any, of other metrics than those of levels 1 and 2; -M all says what they give, and what is missing'
! grep -q "$none" err || fail "$what: $(cat err)"
t replay --uarch spr -M all made; exits 0; says 'info_thread_cpi +1.250'
# one that gives nothing alone: what is advised says so of each metric
made 80=cycle_activity.stalls_l3_miss; t replay --uarch skl made; exits 65; warns 'what skl has of the events are cycle_activity.stalls_l3_miss, of other'
t replay --uarch skl -M all --format csv made; grep -q ',dram_bound,.*missing_event' out || fail "$what: $(grep dram_bound out)"
# none that it knows
t replay --uarch zen4 made; exits 65; warns "$none zen4 use: another CPU was recorded"; ! grep -q 'what zen4 has' err || fail "$what: $(cat err)"
# one of them, and one of level 1: neither
made $retired; t replay --uarch spr made; exits 65; warns 'what spr has of the events are inst_retired.any, of other'
made $retired $slots $retiring $bad $frontend $backend; t replay --uarch spr made; exits 0; says 'retiring +23.3 %'
# five of them: as many as there is room for
made $clocks $retired 1=br_inst_retired.all_branches 2=br_misp_retired.all_branches 3=inst_retired.any_p
t replay --uarch spr made; exits 65; warns 'are cpu_clk_unhalted.thread, inst_retired.any, br_inst_retired.all_branches, br_misp_retired.all_branches, \.\.\., of other'

# ---- which CPU nearly fits, and what it lacks; with it, it fits ----
nearest() { warns "fit no CPU that tdprobe knows; nearest is $1: 'tdprobe perf-command --uarch ${1%%,*}' prints what to record"; }
made $slots $bad; t replay made; exits 69; nearest 'icl, but topdown-retiring, topdown-fe-bound, topdown-be-bound are missing'
made 300=idq_uops_not_delivered.core 300=uops_retired.retire_slots 300=uops_issued.any 5=int_misc.recovery_cycles
t replay made; exits 69; nearest 'snb, but CPU_CLK_UNHALTED.THREAD is missing'
# a fourth field is what the three others leave of the slots
made $slots $bad $retiring $frontend; t replay --uarch icl made; exits 0; says 'probably '; says 'rest_of_slots'
made $slots $bad $retiring $frontend $backend; t replay --uarch icl made; exits 0; ! grep -q 'nearest' err || fail "$what: $(cat err)"
# of CPUs that agree all are named, whatever kind of core they have
made 0=cycles 0=topdown_fe_bound.all 0=topdown_be_bound.all; t replay --level 1 made; exits 69; says 'ehl.snr.adl-e.srf.grr.cwf '
# where other metrics are asked for, too few events of level 1 are another thing than none
made $slots $bad $retired; t replay -M info_thread_clks made; exits 64; warns 'what was recorded of level 1 does not show which CPU it was: name it with --uarch'
made 80=cycle_activity.stalls_l3_miss; t replay -M dram_bound made; exits 64; warns 'no events of level 1 were recorded, which tell the CPU: name it with --uarch'
# each event is of some CPU, and no CPU has both
made 5=ex_ret_ops $slots; t replay made; exits 69; nearest "icl, but it has no 'ex_ret_ops'"
made 5=ex_ret_ops; t replay made; exits 69; warns 'nearest is zen4, but .*LS_NOT_HALTED_CYC.* are missing'; ! grep -q 'has no' err || fail "$what: $(cat err)"
t replay --backend arm-neoverse made; exits 65; warns 'no top-down events were recorded'; ! grep -q 'nearest' err || fail "$what: $(cat err)"

# ---- ratios without counts, and lines that only look like them ----
ratios='ratios without counts \(perf stat --metric-only\)'
true_of() { printf "$1" > made; t replay --uarch spr made; exits 65; warns "$2"; }
not_ratios() { true_of "$1" "$2"; ! grep -qE "$ratios" err || fail "$what: $(cat err)"; }
true_of 'core,cpus,retiring,bad speculation\nS0-C0,1,,3.9,26.0,,\n' "$ratios" # one node alone is no level 1
true_of ',,,,,10.2,Retiring\n' "$ratios"
not_ratios ',,,,,,\n' 'the file ends without a single count'
not_ratios '17,host,6000000,,slots,1000000,100.00,,\n' "the number '6000000' is where a count has its event: is there more before the counts, as a log has it\?"
not_ratios '2024-01-01T00:00:00Z \n' "the number '01' is where a count has its unit"
not_ratios '12:00:01 \n' 'a line of numbers without a name'
not_ratios '1,6000000,,slots,1000000,100.00,,\n' "the number '6000000' is where a count has its unit"
true_of 'S56-D0-CLS158,4,0.03,0.00,0.96,0.00,\n' "$ratios"
true_of '0,81,msec,task-clock,809778,100,00,0,504,CPUs utilized\n' "a decimal comma beside the separator ','"
true_of '{"interval" : 1.0, "retiring" : "25.0"}\n' "no line has a 'counter-value': $ratios"
true_of '{"metric-value" : "25.0", "metric-unit" : "%%  tma_retiring"}\n' "no line has a 'counter-value': $ratios"
not_ratios '{"level":"info","event":"started","node":"web-1"}\n' "no line has a 'counter-value', which perf stat -j writes for each count"
not_ratios '{"interval" : 1.0, "counter-value" : "5' "no line has a 'counter-value', which perf stat -j writes for each count"

# ---- what calls of a comparison come from: the bounds of their rows, whatever the number of intervals ----
intervals() { awk -v n="$1" -v r="$2" 'BEGIN { for (i = 1; i <= n; i++) { d = i % 3 * 1000
    printf "%d.000000000,6000000,,slots,1000000,100.00,,\n%d.000000000,%d,,topdown-retiring,1000000,100.00,,\n%d.000000000,1000000,,topdown-bad-spec,1000000,100.00,,\n", i, i, r + d, i
    printf "%d.000000000,1500000,,topdown-fe-bound,1000000,100.00,,\n%d.000000000,%d,,topdown-be-bound,1000000,100.00,,\n", i, i, 3500000 - r - d
    printf "%d.000000000,0,,int_misc.uop_dropping,1000000,100.00,,\n", i } }'; } # without it bounds are likely ones
intervals 62 1400000 > a; intervals 62 1500000 > b
t compare --uarch spr a --vs b
if ! grep -q 'built without GSL' err; then
    exits 0; says "^each call follows from the bounds in its row, which are wider by Holm's method for the [0-9]+ values compared"
    ! grep -q 'one interval each' out || fail "$what: $(grep 'one interval' out)"
    intervals 1 1400000 > a; intervals 1 1500000 > b
    t compare --uarch spr a --vs b; exits 0; says '^one value a side, with sound bounds'; ! grep -q Holm out || fail "$what: $(grep Holm out)"
fi

# ---- nothing to compare: a scope that both have, and of which one has no value, is a scope in common ----
t compare --uarch spr a --vs b
if ! grep -q 'built without GSL' err; then
    made $slots $retiring $bad $frontend $backend; cp made a
    sed 's/^[0-9]*/<not counted>/' a > b
    for words in '' '--by system'; do
        # shellcheck disable=SC2086
        t compare --uarch spr $words a --vs b; exits 65; warns 'have no scope of .*the same name in common with a value in both: '; ! grep -q 'in common: ' err || fail "$what: $(cat err)"
        # shellcheck disable=SC2086
        t compare --uarch spr $words a --vs a; exits 0; ! grep -q 'in common' err || fail "$what: $(cat err)"
    done
    t compare --uarch spr --by cpu a --vs a; exits 65; warns 'no scope of kind cpu and the same name in common with a value in both'
fi

# ---- why there is no call: one recording a side, or equal ones without bounds, which scatter cannot tell from chance; what scatters has one ----
made $slots $retiring $bad $frontend $backend; cp made a
made 6600000=slots 2000000=topdown-retiring $bad $frontend $backend; cp made b
t compare --uarch spr a --vs b
if ! grep -q 'built without GSL' err; then
    equal='equal values on each side: no scatter to judge by'
    says '^ +slots .* one recording a side$'; ! grep -q "$equal" out || fail "$what: $(grep slots out)"
    # a node with as many slots of more: none were saved
    says '^ +backend_bound .* less: a smaller share of more slots, no gain; as many slots of this node$'; ! grep -qE '(^|[^0-9])0 slots|e-[0-9]+ slots' out || fail "$what: $(grep backend out)"
    for sides in 'a a a a a --vs b b b b b' 'a --vs b b b' '--paired a a --vs b b'; do
        # shellcheck disable=SC2086
        t compare --uarch spr $sides; says "^ +slots .* $equal\$"; ! grep -q 'one recording' out || fail "$what: $(grep ' slots ' out)"
    done
    sed 's/^6600000/6610000/' b > c
    t compare --uarch spr a a --vs b c; says '^ +slots .* more'; ! grep -qE "one recording|$equal" out || fail "$what: $(grep ' slots ' out)"
    made 5800000=slots $retiring $bad $frontend 1900000=topdown-be-bound; cp made c
    t compare --uarch spr a --vs c; says '^ +backend_bound .* less: better; 2e\+05 slots fewer$'
fi

# ---- samples: what has no name took as many slots with --annotate as without; where no interval began is not how often it stayed ----
pairs=$TD_SRCDIR/tests/samples/pairs.data
for options in --limit=1 '--annotate main'; do
    # shellcheck disable=SC2086
    t report --uarch spr $options "$pairs"
    cat out err > both; grep -q 'functions of /sim/fast, with 100.0 % of the slots, have no names' both || fail "$what: $(grep 'have no names' both)"
done
if command -v python3 > /dev/null; then
    { echo 'map 0x550000000000 0x1000000 0 - /x/program'; for _ in 1 2 3 4 5 6 7 8; do echo 'at 0x550000001000'; done; echo 'at 0x550000102000'; } |
        python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
    t report --uarch spr --by address made.data
    says '^ +87.5 .* 0.88  \[program\+0x1000\]$'; says '^ +12.5 .* -  \[program\+0x102000\]$'; ! grep -q nan out || fail "$what: $(grep nan out)"
fi

# ---- samples: no function has a value for lack of samples, of nearness, of values, or there is no interval ----
a='at 0x550000001000' b='at 0x550000102000' c='at 0x550000203000' spread="record at a higher rate \(perf record -F\)"
sampled() { { echo 'map 0x550000000000 0x1000000 0 - /x/program'; for s; do echo "$s" | tr _ ' '; done; } | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data; }
many() { i=0; while [ $i -lt "$1" ]; do echo "$a"; echo "$b"; i=$((i + 1)); done; } # in turns
silent() { t report --uarch spr --by address made.data; exits 69; warns "$1"; }
if command -v python3 > /dev/null; then
    sampled "$a" "$a" "$a"; silent 'no address has a value: the samples are too few: record for longer; '; ! grep -q 'higher rate' err || fail "$what: $(cat err)"
    t report --uarch spr made.data; exits 69; warns "no function has a value: the samples are too few: record for longer; '--by dso' puts more of them together"
    t report --uarch spr --by address made.data; warns "'--by function' puts more of them together"
    t report --uarch spr --by dso made.data; exits 69; warns 'no dso has a value: the samples are too few: record for longer$'
    t report --uarch spr --by address --format html made.data; says 'No address has a value: the samples are too few: record for longer'
    many 60 | { echo 'map 0x550000000000 0x1000000 0 - /x/program'; cat; } > lines; python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data < lines
    silent "has a value: the samples are too far apart: $spread; "; ! grep -q longer err || fail "$what: $(cat err)"
    { cat lines; echo "$c"; echo "$c"; } | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
    silent 'has a value: the samples are too few in some and too far apart in others: record for longer, and record at'
    # shellcheck disable=SC2046
    # four nodes of 60 % each: no share, however many samples
    sampled 'from 60 60 60 60' $(yes "$a" | head -n 20 | tr ' ' _)
    silent 'no address has a value: no interval between two samples has one: retiring: impossible'; ! grep -q 'too few' err || fail "$what: $(cat err)"
    sampled 'from 40 20 20 20' $(yes "$a" | head -n 20 | tr ' ' _); t report --uarch spr made.data; exits 0; empty err
    sampled "$a"; silent 'made.data: it holds no interval between two samples: record for longer'
    sampled "$a" lost "$a"; silent 'each interval between two samples has lost samples in it and is left out: record at a lower rate'; ! grep -q longer err || fail "$what: $(cat err)"
    sampled "$a" lost "$a" "$a"; silent 'has a value: the samples are too few'
fi

# ---- a command in a message is one that the shell takes as it is meant ----
if command -v xz > /dev/null; then
    made $slots $bad; xz -c made > 'two words.xz'; xz -c made > word.xz
    t replay 'two words.xz'; exits 65; warns "decompress it first: xz -dc 'two words.xz' \\| tdprobe replay -"
    t replay word.xz; exits 65; warns 'decompress it first: xz -dc word.xz \\| tdprobe replay -'
fi
mkdir 'a folder' folder
t compare --baseline 'a folder' made
if grep -q 'without GSL' err; then
    echo "compare's commands are skipped: tdprobe was built without GSL"
else
    exits 65; warns "'tdprobe record --baseline 'a folder' -- command' adds one"
    t compare --baseline folder made; exits 65; warns "'tdprobe record --baseline folder -- command' adds one"
fi

# ---- libraries that are loaded when they are needed: a file of that name that is none, and the library itself ----
mkdir none
echo none > none/libzstd.so.1; echo none > none/libdebuginfod.so.1
without() { (LD_LIBRARY_PATH=$PWD/none; export LD_LIBRARY_PATH; t "$@"; echo "$code" > code); read -r code < code; what="without the library: tdprobe $*"; }
t replay --uarch spr "$TD_SRCDIR/tests/samples/system-z.data"
if [ $code -eq 0 ]; then
    ! grep -q libzstd err || fail "$what: $(cat err)"
    without replay --uarch spr "$TD_SRCDIR/tests/samples/system-z.data"
    exits 65; empty out; warns "perf.data, compressed \(perf record -z\): libzstd.so.1 is missing: install zstd's library, or record without -z\$"
    without replay --uarch spr "$TD_SRCDIR/tests/samples/system.data"; exits 0; ! grep -q libzstd err || fail "$what: $(cat err)"
fi
t report --uarch spr --debuginfod=http://127.0.0.1:1 "$TD_SRCDIR/tests/samples/pairs.data"
if ! grep -q 'servers cannot be asked' err; then
    without report --uarch spr --debuginfod=http://127.0.0.1:1 "$TD_SRCDIR/tests/samples/pairs.data"
    exits 69; empty out; warns 'debuginfod servers cannot be asked: libdebuginfod.so.1 of elfutils is not installed \(Debian: libdebuginfod1\)$'
    without report --uarch spr "$TD_SRCDIR/tests/samples/pairs.data"; exits 0; ! grep -q libdebuginfod err || fail "$what: $(cat err)"
fi

# ---- a file that stands where the output is written at first: a leftover of this user's, another's, or one that a process has locked ----
keeps() { t replay -x, --uarch spr -o kept made; }
made $slots $retiring $bad $frontend $backend
echo left > kept.tdpart; keeps; exits 0; empty err; [ ! -e kept.tdpart ] || fail "$what: the leftover is still there"
echo left > other; ln other kept.tdpart # which has a name elsewhere, so that it may be wanted
keeps; exits 74; warns 'kept.tdpart is there, and whether another process is writing it cannot be told; if none is, remove that file$'
[ "$(cat other)" = left ] || fail "$what: it is changed"
rm kept.tdpart; keeps; exits 0; empty err # as it was told to
if command -v flock > /dev/null; then
    echo left > kept.tdpart
    flock kept.tdpart "$TDPROBE" replay -x, --uarch spr -o kept made > out 2> err < /dev/null; code=$? what='a file that is locked'
    exits 74; warns 'is writing it: wait until it has ended, or name another file$'; ! grep -q 'cannot be told' err || fail "$what: $(cat err)"
    rm kept.tdpart
fi

# ---- the NMI watchdog: on is no proof that it holds a counter ----
doctor() { { cat "$TD_SRCDIR/sim/machines/sapphirerapids.machine"; echo "watchdog $1"; } > made.machine; t doctor --machine made.machine; }
doctor on; says 'NMI watchdog is on, which holds a counter of each CPU unless it is the kernel.s buddy detector'
doctor off; ! grep -q 'NMI' out || fail "$what: $(grep NMI out)"

# ---- hybrids: a task that was never on one kind of core; perf's recordings show 0.00 % for that and for held counters alike ----
kind_of_task() { sed "s/^task 701 .*/task 701 server mixed cpus=$1 slice=50/" "$TD_SRCDIR/sim/machines/alderlake.machine" > made.machine; }
only() { # CPUS RAN-ON NEVER-ON: the values of the one, and the other is idle, with no event lost and none that took turns
    kind_of_task "$1"
    for words in '--level 1' '-I 50' '--per-thread' '--fixed'; do
        # shellcheck disable=SC2086
        t --machine made.machine --fast --timeout 200 -p 701 --format csv -o made.csv $words; exits 0; mv made.csv out; says ",$2,adl.*,retiring,0\.[0-9]+,.*,ok,"
        says ",$3,adl.*,retiring,,.*,not_counted,,"; says ",$3,adl.*,verdict,.*,idle: nothing ran,"
        ! grep -qE 'multiplexed|no verdict|without' out || fail "$what: $(grep -m 1 -E 'multiplexed|no verdict|without' out)"
        ! grep -q 'never ran' err || fail "$what: $(cat err)"
        t record --machine made.machine --fast --timeout 200 -p 701 -o made.trace $words; exits 0
        t replay --format tree made.trace; exits 0; says '^ *=> idle: nothing ran$'; says '^ +retiring +-  idle$'
    done
}
only 10,11 E P
only 1,2 P E
kind_of_task 1,11
t --machine made.machine --fast --timeout 200 -p 701; exits 0; ! grep -q idle err || fail "$what: $(cat err)"
atom='500000=cpu_atom/TOPDOWN_RETIRING.ALL/ 100000=cpu_atom/TOPDOWN_FE_BOUND.ALL/ 300000=cpu_atom/TOPDOWN_BE_BOUND.ALL/ 200000=cpu_atom/CPU_CLK_UNHALTED.CORE/'
# shellcheck disable=SC2086
count $atom > made
for event in slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound; do echo "<not counted>,,cpu_core/$event/,0,0.00,,"; done >> made
says_kind() { t replay --uarch adl --format tree made; exits 0; says "^ *=> $1\$"; says '^ *=> limited by backend_bound$'; ! grep -qE 'multiplexed|^ +retiring +[0-9.]+ %.*no' out || fail "$what: $(cat out)"; }
says_kind 'no verdict: nothing ran on P-cores, or others held their counters'; ! grep -q 'idle' out || fail "$what: $(cat out)"
sed -i 's/,0,0.00/,0,100.00/' made; says_kind 'idle: nothing ran'; ! grep -q 'others held' out || fail "$what: $(cat out)"
# of a CPU with one kind, counters that others hold are all that there is to it
made '<not counted>=slots' '<not counted>=topdown-retiring' '<not counted>=topdown-bad-spec' '<not counted>=topdown-fe-bound' '<not counted>=topdown-be-bound'
sed -i 's/,1000000,100.00/,0,0.00/' made; t replay --uarch spr --format tree made; says '^ *=> no verdict: no metric has a value$'

[ ! -e failed ]
