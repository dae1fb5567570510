#!/bin/sh
# SPDX-License-Identifier: MIT
# --no-multiplex: each group of events in a run of its own, live, recorded, by --drilldown and by perf.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines
runs() { sed -n 's/.* elapsed in \([0-9]*\) runs$/\1/p' err; }

# as tests/scripts/deep-machines.sh: what tests/sim/level4.txt has of the machine
expect() { # MACHINE
    awk -F, -v machine="$1" '
        FNR == NR { if (split($0, t, " ") == 5 && t[1] == machine) { truth[t[4], t[3] ~ /-e$/ ? "E" : t[3] ~ /-p$/ ? "P" : ""] = t[5]; left++ } next }
        /multiplexed/ { print "FAIL: " machine ": multiplexed: " $0; bad = 1 }
        ($6, $4) in truth && truth[$6, $4] != "absent" {
            left--
            d = $7 - truth[$6, $4]
            if ($12 != "ok" || d * d > 1e-4) { print "FAIL: " machine ": " $0 ", not " truth[$6, $4]; bad = 1 }
            if ($9 != "") { bounded++; if ($9 > truth[$6, $4] + 1e-4 || $10 < truth[$6, $4] - 1e-4) { print "FAIL: " machine ": " truth[$6, $4] " is not within: " $0; bad = 1 } }
            if ($13 ~ /split_groups/) { apart++; likely += $14 == "likely" } else if ($9 != "" && $14 == "sound") sound++
        }
        END {
            if (bounded < 10 || sound < 10 || left > 60) { print "FAIL: " machine ": " bounded " have bounds, " sound " sound ones, " left " are missing"; bad = 1 }
            print apart + 0, likely + 0 > "apart"
            exit bad }' "$TD_SRCDIR/tests/sim/level4.txt" csv || touch failed
}

# one run of each: what one group holds has sound bounds, what needs several none; eight runs of each give it likely ones
t --machine "$machines/skylake.machine" --fast -a --level 4 --no-multiplex --format csv -o csv -- mixed; exits 0
expect skylake
read -r apart likely < apart
[ "$apart" -gt 3 ] && [ "$likely" = 0 ] || fail "one run of each: $apart of several groups, $likely with bounds"
t --machine "$machines/skylake.machine" --fast -a --level 4 --no-multiplex -- mixed; exits 0
once=$(runs)
t --machine "$machines/skylake.machine" --fast --level 4 --no-multiplex -- mixed; exits 0
tasks=$(runs)
warns 'backend_bound .* no bounds .*split_groups'
warns 'undecided: .*; more runs of each group decide more \(-r 8, or more\)'
t record --machine "$machines/skylake.machine" --fast -a --level 4 --no-multiplex -r 8 --format csv -o deep.trace -- mixed; exits 0
grep -v '^tdprobe:' err > csv
expect skylake
read -r apart likely < apart
[ "$apart" -gt 3 ] && [ "$likely" = "$apart" ] || fail "eight runs of each: $apart of several groups, $likely with bounds"
t replay --level 4 --summary-only --format csv deep.trace; exits 0
cmp -s out csv || fail "replay differs: $(diff csv out | head -n 3)"
empty err
[ "$(grep -c ',begin,' deep.trace)" -ge $((8 * once - 1)) ] || fail "$once groups, $(grep -c ',begin,' deep.trace) beginnings"
t --machine "$machines/skylake.machine" --fast --level 4 --no-multiplex -r 8 -- mixed; exits 0
[ "$(runs)" = $((8 * tasks)) ] || fail "-r 8: $(runs) runs, not 8 times $tasks"
warns 'probably backend_bound: memory_bound: l1_bound \(likely\)'
for machine in sapphirerapids lunarlake; do
    t --machine "$machines/$machine.machine" --fast --level 4 --no-multiplex --format csv -o csv -- mixed; exits 0
    if grep multiplexed csv; then fail "$machine: multiplexed"; fi
    grep -qE ',l2_bound,.*,ok,,sound,' csv || fail "$machine: l2_bound has no sound bounds: $(grep l2_bound csv)"
done
[ "$(grep -c ',P,lnl-p,l2_bound,' csv)" = 1 ] && [ "$(grep -c ',E,lnl-e,icache_misses,' csv)" = 1 ] || fail "kinds of core: $(cut -d, -f4-6 csv | sort | uniq -c | sort -n | tail -n 3)"
# with all counters at once there is nothing to repeat
t --machine "$machines/icelake.machine" --fast --level 1 --no-multiplex -- mixed; exits 0
grep -q 'runs$' err && fail "one group: $(runs) runs"

# runs that differ: bad_speculation is 0.1 in all of them, but needs what several counted
for seed in 1 2 3; do
    awk -v seed=$seed -v stretches=200 -v ms=100 -v scatter=0.03 -v short=0 -v stays=0 -v drift=0 -v more=0 -v counters=2 -v run=100 \
        -f "$TD_SRCDIR/tests/support/programs.awk" > machine
    t --machine machine --fast --no-fixed --level 2 --no-multiplex -r 8 --format csv -o csv -- app; exits 0
    awk -F, '$6 == "bad_speculation" { n++; bad = !($9 < 0.1 && $10 > 0.1 && $10 - $9 > 0.01 && $13 ~ /split_groups/ && $14 == "likely") } END { exit n != 1 || bad }' csv ||
        fail "runs that differ: $(grep bad_speculation csv)"
done

# level after level, each by runs of its groups
t --machine "$machines/skylake.machine" --fast --drilldown --no-multiplex -r 8 --format csv -o csv -- mixed; exits 0
warns '^tdprobe: drilldown: limited by backend_bound: memory_bound: l1_bound \(likely\)'
if grep multiplexed csv; then fail "drilldown is multiplexed"; fi

# what cannot be repeated; what is advised is taken
for args in '-a --level 4' '-p 1' '-t 1 -- mixed' '-I 100 -- mixed' '--until 1pp -- mixed'; do
    t --machine "$machines/skylake.machine" --no-multiplex $args; exits 64
    warns -- '--no-multiplex'
    t --machine "$machines/skylake.machine" --fast --timeout 100 $(echo "$args" | sed 's/-p 1/-a/;s/-t 1//'); [ $code != 64 ] || fail "without --no-multiplex: $(cat err)"
done

# by perf: a command for each group, appended; the events of each run are a group of their own
t perf-command --uarch skl --level 3 --no-multiplex -- ./app; exits 0
[ "$(grep -c '^perf stat -x, -o rec.csv ' out)" = "$(tr -d '\n' < out | grep -o -- '-e .{' | wc -l)" ] || fail "not one group in each: $(cat out)"
[ "$(grep -c '^perf stat .* --append ' out)" = $(($(grep -c '^perf stat ' out) - 1)) ] || fail "what is appended: $(cat out)"
says '^# then: tdprobe replay --uarch skl --summary-only --level 3 rec.csv$'
t perf-command --uarch lnl --level 3 --no-multiplex -- ./app; exits 0
if grep -E "',|,,|,'" out; then fail "an empty group"; fi
t perf-command --uarch skl --level 3 --no-multiplex; exits 64; warns 'needs one'
t perf-command --uarch skl --level 3 --no-multiplex -p 1; exits 64
t perf-command --uarch skl --level 3 --no-multiplex -I 100 -- ./app; exits 64
t perf-command --uarch skl --level 3 -p 1; exits 0
# 2400 of 4000 slots retire in the first run; 600 of 4800 are lost in the third. The second one's bytes: 64 * 50e6 in the time of a run,
# 2 to 6 s, 4 on average
{
    run() { printf '# started on Mon Nov 23 03:00:00 2026\n\n'; for count; do echo "${count%%:*},,${count#*:},9,100.00,,"; done; }
    run 1000:cpu_clk_unhalted.thread 2000:inst_retired.any 2400:uops_retired.retire_slots 2000000000:duration_time
    run 1100:cpu_clk_unhalted.thread 50000000:l1d.replacement 4000000000:duration_time
    run 1200:cpu_clk_unhalted.thread 600:idq_uops_not_delivered.core 6000000000:duration_time
} > rec.csv
t replay --uarch skl --summary-only -M info_memory_l1d_cache_fill_bw,info_thread_ipc --format csv rec.csv; exits 0
says ',retiring,0.600000,slots,0.600000,0.600000,'
says ',frontend_bound,0.125000,slots,0.125000,0.125000,'
says ',info_thread_ipc,2.000000,per cycle,2.000000,2.000000,'
says ',info_memory_l1d_cache_fill_bw,0.800000,GB/s,0.533333,1.600000,'
[ ! -e failed ]
