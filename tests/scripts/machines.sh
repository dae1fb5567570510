#!/bin/sh
# SPDX-License-Identifier: MIT
# From end to end on simulated machines: each must give the shares that its
# description derives by hand from the vendor's formulas, in every mode.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
machines=$TD_SRCDIR/sim/machines
# WHAT ended with the code for no answer, and names the command that looks into it
unanswered() { code=$?; [ $code -eq 69 ] || fail "$1: exit $code, not 69"; grep -q "'tdprobe doctor'" "$dir/out" || fail "$1: no next step"; }

. "$TD_SRCDIR/tests/scripts/machine_shares.sh"

# MACHINE CORE METRIC PERCENT for level 2, and for the fifth node of level 1
level2() {
    cat << END
skylake-nosmt - fetch_latency 6.25
skylake-nosmt - branch_mispredicts 9.375
skylake-nosmt - heavy_operations 6.25
skylake-nosmt - memory_bound 37.5
skylake - fetch_bandwidth 6.25
skylake - machine_clears 3.125
skylake - light_operations 18.75
skylake - core_bound 12.5
cascadelake - memory_bound 15.625
cascadelake - heavy_operations 3.125
icelake - fetch_latency 6.25
icelake - memory_bound 37.5
icelake - heavy_operations 6.25
sapphirerapids - fetch_latency 6.25
sapphirerapids - branch_mispredicts 9.375
sapphirerapids - memory_bound 37.5
graniterapids - fetch_latency 3.125
graniterapids - heavy_operations 9.375
graniterapids - memory_bound 25
alderlake P memory_bound 37.5
alderlake E fetch_latency 18.75
alderlake E core_bound 6.25
alderlake E resource_bound 18.75
lunarlake P branch_mispredicts 4.6875
lunarlake P memory_bound 12.5
lunarlake E branch_mispredicts 4.6875
elkhartlake - fetch_latency 25
elkhartlake - memory_bound 18.75
sierraforest - core_bound 6.25
genoa - smt_contention 12.5
genoa - frontend_bound_latency 6.25
genoa - bad_speculation_mispredicts 9.375
genoa - backend_bound_memory 28.125
genoa - retiring_microcode 3.125
turin - smt_contention 0
turin - frontend_bound_by_latency 18.75
turin - bad_speculation_from_pipeline_restarts 1.5625
turin - backend_bound_by_cpu 6.25
turin - retiring_from_fastpath 31.25
END
}

# csv of a machine, followed by options
csv() {
    on=$1
    shift
    "$TDPROBE" --machine "$machines/$on.machine" --format csv -o "$dir/csv" "$@" 2> "$dir/err" || fail "$on $*: exit $?: $(cat "$dir/err")"
}

# every row of the metric in csv (at least one): the value, and the truth within its bounds
expect() { # WHAT CORE METRIC PERCENT
    awk -F, -v what="$1" -v core="${2#-}" -v metric="$3" -v percent="$4" '
        $6 == metric && $4 == core {
            n++
            d = $7 - percent / 100
            if ($12 != "ok" || d > 0.0045 || d < -0.0045 || ($9 != "" && ($9 > percent / 100 + 1e-4 || $10 < percent / 100 - 1e-4))) {
                print "FAIL: " what ": " $0 ", not " percent " %"; bad = 1
            }
        }
        END { if (!n) print "FAIL: " what ": no " metric; exit bad || !n }' "$dir/csv" || bad=1
}

expect_level1() { # WHAT CORE RET BAD FE BE
    expect "$1" "$2" retiring "$3"
    expect "$1" "$2" bad_speculation "$4"
    expect "$1" "$2" frontend_bound "$5"
    expect "$1" "$2" backend_bound "$6"
}

# the shares of a machine, each kind of core, in one mode
mode() { # MACHINE OPTIONS
    csv "$@"
    shares > "$dir/shares"
    while read -r of core ret bs fe be; do
        [ "$of" = "$1" ] && expect_level1 "$*" "$core" "$ret" "$bs" "$fe" "$be"
    done < "$dir/shares"
}

for machine in $(shares | cut -d' ' -f1 | uniq); do
    mode "$machine" -a --timeout 400
    mode "$machine" -a -A --level 1 --timeout 400
    mode "$machine" -a -I 200 --timeout 400
    mode "$machine" --fast -- work
    mode "$machine" -p 701 --timeout 400
    # replay shows what record writes: the same rows
    csv "$machine" -a -I 100 --timeout 400 && mv "$dir/csv" "$dir/live"
    "$TDPROBE" record --machine "$machines/$machine.machine" -a -I 100 --timeout 400 -o "$dir/trace" > /dev/null 2>&1 || fail "$machine: record"
    "$TDPROBE" replay --summary --format csv "$dir/trace" > "$dir/replayed" 2> /dev/null || fail "$machine: replay"
    cmp -s "$dir/live" "$dir/replayed" || fail "$machine: replay differs from the live run: $(diff "$dir/live" "$dir/replayed" | head -4)"
done
level2 > "$dir/level2"
while read -r machine core metric percent; do
    csv "$machine" -a --level 2 --timeout 2000
    expect "$machine level 2" "$core" "$metric" "$percent"
done < "$dir/level2"

# grouped by core, socket and node, whole cores only
mode cascadelake -a --per-core --timeout 400
grep -q '^[^,]*,S1-D0-C4,core,' "$dir/csv" || fail "no core S1-D0-C4"
mode cascadelake -a --per-socket --timeout 400
[ "$(cut -d, -f2 "$dir/csv" | sort -u | grep -c '^S[01]$')" = 2 ] || fail "not two sockets"
mode sapphirerapids -a --per-node --timeout 400
# the formula and the reason depend on what can be counted
form() { # PATTERN MACHINE OPTIONS
    pattern=$1
    shift
    machine=$1
    shift
    "$TDPROBE" --machine "$machines/$machine.machine" -v "$@" > "$dir/out" 2>&1
    grep -q -- "$pattern" "$dir/out" || fail "$machine $*: not $pattern: $(head -3 "$dir/out")"
}
form 'form skl-thread-any,' skylake -a --timeout 100
form 'form skl-ebs,' skylake --fast -- work
form 'form skl-ebs,' skylake -a -A --timeout 100
form 'form skl-ebs,' skylake -C 0 --timeout 100
form 'form skl,' skylake-nosmt --fast -- work
form 'form icl-events,' icelake --no-fixed -a --timeout 100
form 'form glc-perf-metrics, level 2, .* at the same time' sapphirerapids -a --timeout 100
form 'the groups take turns' skylake --level 2 -a --timeout 100
form 'form neoverse-less-cycles, .* all at the same time' yitian710 -a --timeout 100
# if the kernel does not offer the register: ordinary events, and the reason
sed 's/^event cpu slots.*//; s/^event cpu topdown.*//; s/ metrics=[48]//' "$machines/sapphirerapids.machine" > "$dir/old.machine"
"$TDPROBE" --machine "$dir/old.machine" -a --timeout 400 --format csv -o "$dir/csv" 2> "$dir/err" || fail "old kernel: exit $?"
expect_level1 "old kernel" - 25 12.5 12.5 50
grep -q 'form glc-events (PERF_METRICS: the kernel offers no slots' "$dir/err" || fail "old kernel: no reason: $(cat "$dir/err")"
# a CPU that goes offline and comes back does not get another CPU's numbers
{ cat "$machines/alderlake.machine"; echo 'hotplug 9 off at=150'; echo 'hotplug 9 on at=300'; } > "$dir/plug.machine"
"$TDPROBE" --machine "$dir/plug.machine" -a --timeout 400 -I 100 --format csv -o "$dir/csv" 2> "$dir/err" || fail "hotplug: exit $?"
expect_level1 hotplug P 25 12.5 12.5 50
expect_level1 hotplug E 37.5 6.25 31.25 25
grep -q 'CPU 9 went offline' "$dir/err" || fail "hotplug: not said: $(cat "$dir/err")"
# a CPU that goes and comes back: the intervals in which this happened report it and what is missing, and it is measured again.
# The workload uses 18e9 slots per second on a core; 5, then 4 of 10 intervals have all of CPU 1
{ cat "$machines/sapphirerapids.machine"; echo 'hotplug 1 off at=1050'; echo 'hotplug 1 on at=1700'; } > "$dir/back.machine"
"$TDPROBE" record -o "$dir/back.trace" --machine "$dir/back.machine" -A -I 200 --timeout 2600 -x , --log-fd 3 3> "$dir/csv" 2> "$dir/err" || fail "a CPU that comes back: exit $?"
grep -q 'CPU 1 went offline: it is not measured until it is back' "$dir/err" && grep -q 'CPU 1 is online again: it is measured from now on' "$dir/err" || fail "a CPU that comes back: $(cat "$dir/err")"
[ "$(grep -c . "$dir/err")" -eq 2 ] || fail "a CPU that comes back: $(cat "$dir/err")"
"$TDPROBE" replay --summary --format csv "$dir/back.trace" > "$dir/again" 2> "$dir/err"; cmp -s "$dir/again" "$dir/csv" || fail "a CPU that comes back: another answer from its trace"
awk -F, '$6 == "retiring" && $20 != "summary" && $2 == "CPU1" { n++; split("ok ok ok ok ok not_counted not_counted not_counted not_counted ok ok ok ok", s, " "); if ($12 != s[n] || ($13 == "cpus_changed") != (n == 6 || n == 9)) exit 1 }
    $6 == "retiring" && $20 != "summary" && $2 != "CPU1" && ($12 != "ok" || $13 != "" || $11 != 1) { exit 1 } END { exit n != 13 }' "$dir/csv" || fail "CPU 1: $(grep CPU1,.*retiring "$dir/csv")"
"$TDPROBE" --machine "$dir/back.machine" -a -I 200 --timeout 2600 --format csv -o "$dir/csv" 2> "$dir/err" || fail "system: exit $?"
# 15 of 16 CPUs in the two intervals; in the sum of 13, 3 of which have only 15, two are missing
awk -F, '$6 == "retiring" { n++; changed = n == 6 || n == 9 || n == 14; want = n == 14 ? 1 - 2 / (13 * 16 - 2) : changed ? 15 / 16 : 1
    if ($7 < .249 || $7 > .251 || ($13 ~ /cpus_changed/) != changed || $11 < want - .0005 || $11 > want + .0005 || ($9 == "") != changed) exit 1 } END { exit n != 14 }' "$dir/csv" ||
    fail "system with a CPU that comes back: $(grep retiring "$dir/csv")"
"$TDPROBE" --machine "$dir/back.machine" -a --timeout 2600 --format json -o "$dir/json" 2> "$dir/err" || fail "one interval: exit $?"
grep -q '"coverage":0\.937[0-9]*,.*cpus_changed' "$dir/json" || fail "one interval: $(cut -c 1-400 "$dir/json")"
"$TDPROBE" --machine "$dir/back.machine" --source=msr -A -I 200 --timeout 2600 --format csv -o "$dir/csv" 2> "$dir/err" || fail "msr: exit $?"
awk -F, '$6 == "retiring" && $2 == "CPU1" && $20 != "summary" { n++; if (($13 ~ /cpus_changed/) != (n == 6) || (n > 5) == ($12 == "ok")) exit 1 } END { exit n != 13 }' "$dir/csv" || fail "msr: $(grep CPU1,.*retiring "$dir/csv")"
# another program holds counters: level 1 is multiplexed, and this is reported
sed 's/^\(pmu cpu .*\)$/\1 taken=2/' "$machines/skylake-nosmt.machine" > "$dir/taken.machine"
"$TDPROBE" --machine "$dir/taken.machine" -a --level 2 --timeout 2000 --format csv -o "$dir/csv" 2> "$dir/err" || fail "taken: exit $?"
expect_level1 "taken counters" - 25 12.5 12.5 50
sed 's/^\(pmu cpu .*\)$/\1 taken=2/' "$machines/skylake.machine" > "$dir/starved.machine"
"$TDPROBE" --machine "$dir/starved.machine" -a --timeout 100 > "$dir/out" 2>&1
unanswered starved
grep -q 'the level-1 group of cpu never ran: others hold some of the 4 programmable counters' "$dir/out" || fail "starved: no reason: $(cat "$dir/out")"
grep -q 'retiring  *-  not_counted' "$dir/out" || fail "starved: $(cat "$dir/out")"
grep -q ',memory_bound,.*multiplexed' "$dir/csv" || fail "taken counters: not multiplexed"
# the NMI watchdog holds fixed counter 1: level 1 of Skylake with SMT, which takes all others too, is planned without it,
{ cat "$machines/skylake.machine"; echo 'watchdog on'; } > "$dir/watchdog.machine"
"$TDPROBE" --machine "$dir/watchdog.machine" -a --timeout 400 --format csv -o "$dir/csv" 2> "$dir/err" || fail "watchdog: exit $?"
expect_level1 "the NMI watchdog" - 25 12.5 12.5 50
# and never runs if the kernel does not report it
echo 'file /proc/sys/kernel/nmi_watchdog = 0\n' >> "$dir/watchdog.machine"
"$TDPROBE" --machine "$dir/watchdog.machine" -a --timeout 100 > "$dir/out" 2>&1
unanswered 'hidden watchdog'
grep -q 'the level-1 group of cpu never ran: others hold some of the 4 programmable counters, or the fixed ones,' "$dir/out" || fail "hidden watchdog: $(cat "$dir/out")"
# AMD's watchdog holds one of the six counters that level 1 takes: five are planned, in turns
{ cat "$machines/genoa.machine"; echo 'watchdog on'; } > "$dir/watchdog.machine"
"$TDPROBE" --machine "$dir/watchdog.machine" -a --timeout 2000 --format csv -o "$dir/csv" 2> "$dir/err" || fail "AMD's watchdog: exit $?"
expect_level1 "AMD's watchdog" - 25 12.5 12.5 37.5
expect "AMD's watchdog" - smt_contention 12.5
"$TDPROBE" --machine "$dir/watchdog.machine" --dry-run -a > "$dir/out" 2>&1
grep -q ' of 5 programmable counters, one counter is left to the NMI watchdog' "$dir/out" || fail "AMD's watchdog: $(cat "$dir/out")"
# Arm's kernel does not tell how many counters there are: a group that is full but for the watchdog's opens, does not run, and
# is planned with a counter less, until it does (without BR_MIS_PRED, as in the description of the machine)
for n in 5 4 3; do
    { sed "s/general=6/general=$n/" "$machines/yitian710.machine"; echo 'watchdog on'; } > "$dir/watchdog.machine"
    "$TDPROBE" --machine "$dir/watchdog.machine" -a --timeout 2000 --format csv -v -o "$dir/csv" 2> "$dir/err" || fail "watchdog of $n counters: exit $?"
    expect_level1 "watchdog of $n counters" - 25 6.25 20.3125 48.4375
    grep -q "group 0: $n events, $n programmable counters" "$dir/err" || fail "watchdog of $n counters: $(grep 'group 0' "$dir/err")"
done
# a core with one thread online has no sibling whose counts could be halved
{ cat "$machines/skylake.machine"; echo 'hotplug 4 off at=0'; } > "$dir/single.machine"
"$TDPROBE" --machine "$dir/single.machine" -a --per-core --timeout 400 --format csv -o "$dir/csv" 2> "$dir/err" || fail "single: exit $?"
expect_level1 "an offline sibling" - 25 12.5 12.5 50
{ cat "$machines/skylake.machine"; echo 'hotplug 4 off at=450'; } > "$dir/single.machine"
"$TDPROBE" --machine "$dir/single.machine" -a --per-core -I 200 --timeout 800 --format csv -o "$dir/csv" 2> "$dir/err" || fail "single: exit $?"
awk -F, '$2 == "S0-D0-C0" && $6 == "retiring" { n += $12 == "not_counted"; if ($12 == "ok" && ($7 < .249 || $7 > .251)) exit 1 } END { exit n != 2 }' "$dir/csv" ||
    fail "a sibling that goes: $(grep C0,.*retiring "$dir/csv")"
# the counts of a task on a hybrid: time on the other kind of core is not multiplexing (6 slots per cycle, 12e9 per second, half of 200 ms)
for how in '--level 1' --backend=intel-perf-metrics; do
    csv alderlake --fast $how --counts -- work
    awk -F, '$4 == "P" && $6 == "TOPDOWN.SLOTS" { n++; if ($7 < 1.199e9 || $7 > 1.201e9 || $11 < .999) exit 1 } END { exit n != 1 }' "$dir/csv" ||
        fail "hybrid task $how: $(grep SLOTS "$dir/csv")"
done
# a CPU that is named twice is counted once
csv sapphirerapids --for-each-cgroup app --counts --timeout 100 && mv "$dir/csv" "$dir/once"
csv sapphirerapids --for-each-cgroup app,app --counts --timeout 100
[ "$(grep -c ',TOPDOWN\.SLOTS,' "$dir/csv")" = 1 ] || fail "a cgroup twice"
awk -F, 'NR == FNR { if ($6 == "TOPDOWN.SLOTS") once = $7; next } $6 == "TOPDOWN.SLOTS" && ($7 > 1.01 * once || $7 < .99 * once) { exit 1 }' "$dir/once" "$dir/csv" ||
    fail "a cgroup twice is counted twice"
# 4,096 CPUs: as one scope the shares of 16, and one scope each
sed 's/0-15/0-4095/' "$machines/sapphirerapids.machine" > "$dir/many.machine"
"$TDPROBE" --machine "$dir/many.machine" -a --timeout 20 --format csv -o "$dir/csv" 2> "$dir/err" || fail "4096 CPUs: exit $?"
expect_level1 "4096 CPUs" - 25 12.5 12.5 50
"$TDPROBE" --machine "$dir/many.machine" -A --timeout 20 --format csv -o "$dir/csv" 2> "$dir/err" || fail "4096 CPUs, -A: exit $?"
awk -F, '$6 == "retiring" { n++; seen[$2]++; if ($7 < .249 || $7 > .251 || seen["CPU" n - 1] != 1) exit 1 } END { exit n != 4096 }' "$dir/csv" ||
    fail "4096 CPUs, -A: $(grep -c retiring "$dir/csv") scopes, $(grep -m 1 retiring "$dir/csv")"
# programmable counters held by another program starve the group, which is reported
sed 's/metrics=8/metrics=8 taken=8/' "$machines/sapphirerapids.machine" > "$dir/held.machine"
"$TDPROBE" --machine "$dir/held.machine" -a --level 1 --timeout 100 > "$dir/out" 2>&1
unanswered held
grep -q 'the level-1 group of cpu never ran: others hold the programmable counter, or one of the fixed ones' "$dir/out" || fail "held: $(cat "$dir/out")"
exit $bad
