#!/bin/sh
# SPDX-License-Identifier: MIT
# A command on every simulated machine that counts, with and without the NMI watchdog: tasks
# are counted exactly if one group can, and the printed values are what the machine executed.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }

# MACHINE: what its workload "mixed" does, as "core metric share" lines; core is - if there is one kind. Published
# formulas move what INT_MISC.UOP_DROPPING and, on Ice Lake, CLEARS_COUNT count (intel.md 1.3, C and D).
truth() {
    awk '
    function value(name,    i) { for (i = 2; i <= NF; i++) if (index($i, name "=") == 1) return substr($i, length(name) + 2); return 0 }
    function add(metric, share) { sum[core "," metric] += length_ms * share; if (!seen[core "," metric]++) order[++n] = core "," metric }
    $1 == "pmu" { kind[$2] = $2 == "cpu_core" ? "P" : $2 == "cpu_atom" ? "E" : "-"; if (first == "") first = $2 }
    $1 == "workload" { on = $2 == "mixed"; core = kind[value("pmu") ? value("pmu") : first] }
    $1 == "count" && on && ($2 == "0x10ad" || $2 == "0x100d") { add("frontend_bound", -$3); add("bad_speculation", $3) }
    $1 == "count" && on && $2 == "0x104010d" { add("backend_bound", 5 * $3); add("bad_speculation", -5 * $3) }
    $1 == "phase" && on {
        length_ms = value("ms")
        ms[core] += length_ms
        add("retiring", value("retiring")); add("bad_speculation", value("bad")); add("frontend_bound", value("frontend")); add("backend_bound", value("backend"))
        if (value("memory")) {
            add("heavy_operations", value("heavy")); add("branch_mispredicts", value("mispredict")); add("memory_bound", value("memory"))
            add("core_bound", value("backend") - value("memory")); add("light_operations", value("retiring") - value("heavy"))
        }
    }
    END { for (i = 1; i <= n; i++) { split(order[i], a, ","); print a[1], a[2], sum[order[i]] / ms[a[1]] } }' "$1"
}
# FILE: each share of level 1 and 2 that the truth names is present, with sound bounds that contain it, to the precision of the machine's own rates
holds() {
    awk -F, -v wanted="$2" '
    FNR == NR { split($0, a, " "); truth[a[1] "," a[2]] = a[3]; next }
    ($4 == "" ? "-" : $4) "," $6 in truth {
        key = ($4 == "" ? "-" : $4) "," $6; seen[key] = 1; off = $7 - truth[key]
        if ($12 != "ok" || $9 == "" || $13 ~ /no_bounds|likely|multiplexed/ || off > 3e-4 || off < -3e-4 || $9 - 3e-4 > truth[key] || $10 + 3e-4 < truth[key]) { print; wrong = 1 }
    }
    END { for (key in truth) if (key ~ /retiring|backend_bound|frontend_bound|bad_spec/ || wanted == 2) if (!seen[key]) { print "missing: " key; wrong = 1 } exit wrong }' "$tmp/truth" "$1"
}

# FILE LEVEL: the same for likely bounds
likely() {
    awk -F, -v wanted="$2" '
    FNR == NR { split($0, a, " "); truth[a[2]] = a[3]; next }
    $2 != "scope" && $1 != "all" && $6 in truth {
        seen[$6]++
        if ($12 != "ok" || $14 != "likely" || $13 ~ /switches/ || $9 > truth[$6] || $10 < truth[$6] || $10 - $9 > 0.3 || $10 - $9 < 0.005) { print; wrong = 1 }
    }
    END { for (key in truth) if (key ~ /retiring|backend_bound|frontend_bound|bad_spec/ || wanted == 2) if (!seen[key]) { print "missing: " key; wrong = 1 } exit wrong }' "$tmp/truth" "$1"
}

# machine, watchdog, form of its (P-)cores, level; those whose level 1 takes turns are not exact
exact='sapphirerapids off glc-events 2
sapphirerapids on glc-events 2
graniterapids off glc-events 2
graniterapids on glc-events 2
alderlake off glc-events 2
alderlake on glc-events 2
lunarlake off lnc-events 2
lunarlake on lnc-events 2
icelake off icl-events 1
icelake on icl-events 1
sierraforest off crestmont 1
sierraforest on crestmont 1
elkhartlake off tremont 1
skylake-nosmt off skl 1
skylake-nosmt on skl 1
graviton4 off neoverse 1
n2-r0p3 off neoverse 1
yitian710 off neoverse-less-cycles 1'
echo "$exact" > "$tmp/exact"
while read -r name watchdog form level; do
    machine=$tmp/$name.$watchdog.machine
    { cat "$TD_SRCDIR/sim/machines/$name.machine"; echo "watchdog $watchdog"; } > "$machine"
    truth "$machine" > "$tmp/truth"
    what="$name, watchdog $watchdog"
    "$TDPROBE" --machine "$machine" --fast --format csv -v -o "$tmp/csv" -- ./app 2> "$tmp/err" || fail "$what: exit $?: $(cat "$tmp/err")"
    grep -q "form $form, level $level, 1 task, all .*at the same time" "$tmp/err" || fail "$what: $(grep ' form ' "$tmp/err")"
    holds "$tmp/csv" "$level" > "$tmp/wrong" || fail "$what: $(head -n 2 "$tmp/wrong")"
    case $form in
    glc-* | lnc-* | icl-*)
        grep -q 'ordinary events count tasks exactly' "$tmp/err" || fail "$what: -v does not say why"
        # the register can be used: for CPUs, and if it is asked for
        "$TDPROBE" --machine "$machine" --dry-run -a > "$tmp/out" 2>&1; grep -q 'perf-metrics, level' "$tmp/out" || fail "$what, -a: $(grep ' form ' "$tmp/out")"
        "$TDPROBE" --machine "$machine" --dry-run --fixed -- ./app > "$tmp/out" 2>&1; grep -q 'perf-metrics, level' "$tmp/out" || fail "$what, --fixed: $(grep ' form ' "$tmp/out")"
        "$TDPROBE" --machine "$machine" --dry-run --level 1 -- ./app > "$tmp/out" 2>&1; grep -q "form $form, level 1, .* all at the same time" "$tmp/out" || fail "$what, --level 1: $(grep ' form ' "$tmp/out")"
        "$TDPROBE" doctor --machine "$machine" > "$tmp/out" 2>&1; grep -q "^ok .*tasks on .* by the form $form, level $level" "$tmp/out" || fail "$what: doctor does not say how tasks are counted"
        ;;
    esac
    # cycles and instructions too, if they are free
    case $form,$watchdog in
    glc-*,on | icl-*,on)
        grep -q 'cycles, for IPC and GHz, are not counted: the NMI watchdog' "$tmp/err" || fail "$what: -v does not say that cycles are missing"
        grep -q ' CPU_CLK_UNHALTED.THREAD ' "$tmp/err" && fail "$what: cycles would be one event too many" ;;
    glc-*,off | icl-*,off) grep -q ' CPU_CLK_UNHALTED.THREAD ' "$tmp/err" || fail "$what: no cycles" ;;
    esac
done < "$tmp/exact"

# level 2 of Ice Lake takes more than one group: level 1 uses the register, and the levels below take turns
"$TDPROBE" --machine "$tmp/icelake.off.machine" --dry-run --level 2 -- ./app > "$tmp/out" 2>&1; grep -q 'form icl-perf-metrics, level 2, .*take turns' "$tmp/out" || fail "icelake, --level 2: $(cat "$tmp/out")"
grep -q 'PERF_METRICS, which loses a part at each switch' "$tmp/out" || fail "icelake, --level 2: it is not said what is lost"
# other programs hold a counter: level 1; nearly all: the register
truth "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > "$tmp/truth"
for taken in 1 4 6; do
    sed "s/^pmu .*/& taken=$taken/" "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > "$tmp/taken.machine"
    "$TDPROBE" --machine "$tmp/taken.machine" --fast --format csv -v -o "$tmp/csv" -- ./app 2> "$tmp/err" || fail "taken=$taken: exit $?"
    case $taken in
    1 | 4) grep -q 'form glc-events, level 1, ' "$tmp/err" && holds "$tmp/csv" 1 > "$tmp/wrong" || fail "taken=$taken: $(grep ' form ' "$tmp/err"; head -n 2 "$tmp/wrong")" ;;
    *) grep -q 'form glc-perf-metrics, level 2, ' "$tmp/err" && grep -q ',retiring,0.2[45]' "$tmp/csv" || fail "taken=$taken: $(grep ' form ' "$tmp/err")" ;;
    esac
done
# cgroups and tasks that are already running
for words in '--for-each-cgroup app' '-p 701' '-p 701 --per-thread' '-t 701' '-I 30 -p 701'; do
    # shellcheck disable=SC2086 # words
    "$TDPROBE" --machine "$tmp/sapphirerapids.on.machine" --timeout 100 --format csv -o "$tmp/csv" $words 2> "$tmp/err" || fail "$words: exit $?"
    holds "$tmp/csv" 2 > "$tmp/wrong" || fail "$words: $(head -n 2 "$tmp/wrong")"
done

# a command's tree shows how fast it ran, if cycles were counted. A core of the first machine has 18e9 slots per s, 9e9 for
# each thread: a clock of 0.166667 * 18e9, 0.1875 * 9e9 instructions per s; the other one 14e9: a clock of 0.25 of them, and
# as many instructions
head() { # MACHINE LINE WORDS...: after the first line of the report; '': there is none
    machine=$1 line=$2
    shift 2
    "$TDPROBE" --machine "$tmp/$machine.machine" --fast --format tree -o "$tmp/out" "$@" 2> "$tmp/err" || fail "$machine, $*: exit $?"
    [ "$(sed -n '2s/^ *//p' "$tmp/out" | grep elapsed)" = "$line" ] || fail "$machine, $*: not '$line' but $(sed -n 2p "$tmp/out")"
}
head sapphirerapids.off '0.200 s elapsed, IPC 0.56, 3.00 GHz' -- ./app
head sapphirerapids.on '0.200 s elapsed' -- ./app # the watchdog has the counter of cycles: -v reports it, above
head sapphirerapids.off '0.200 s elapsed, IPC 0.56' --all-user -- ./app
head sapphirerapids.off '' -a -- ./app
head sapphirerapids.off '' --timeout 100 -p 701
head skylake-nosmt.off '0.200 s elapsed, IPC 1.00, 3.50 GHz' -- ./app

# the register, for tasks: likely bounds from how often they were switched from their CPU. The command has 200 ms in slices of 20:
# 9 moves and its end; each thread of 701 moves after 50 and 100 ms
spr=$tmp/sapphirerapids.on.machine
switches() { # NUMBER TIME WORDS...: at that time (a pattern), as in a trace
    number=$1 at=$2
    shift 2
    "$TDPROBE" record --machine "$spr" --fixed --fast -o "$tmp/trace" "$@" > "$tmp/out" 2>&1 || fail "record $*: exit $?"
    grep -q "^$at,.*,switches,$number,0,0\$" "$tmp/trace" || fail "$*: not $number switches at $at: $(grep ',switches,' "$tmp/trace")"
    [ "$(grep -c ',switches,' "$tmp/trace")" -gt 1 ] || fail "$*: the trace does not say where counting began"
}
for words in '-- ./app' '-I 50 -- ./app' '--timeout 100 -p 701' '--timeout 100 -p 701 --per-thread' '--timeout 100 -t 702' '--timeout 100 -I 30 -p 701'; do
    for name in icelake sapphirerapids; do
        truth "$tmp/$name.off.machine" > "$tmp/truth"
        # shellcheck disable=SC2086 # words
        "$TDPROBE" --machine "$tmp/$name.off.machine" --fixed --fast --format csv -o "$tmp/csv" $words 2> "$tmp/err" || fail "$name, --fixed $words: exit $?"
        level=2; [ $name = icelake ] && level=1
        likely "$tmp/csv" $level > "$tmp/wrong" || fail "$name, --fixed $words: $(head -n 2 "$tmp/wrong")"
        grep -q ',verdict,.*,likely,.*,probably backend_bound' "$tmp/csv" || fail "$name, --fixed $words: $(grep verdict "$tmp/csv")"
    done
done
switches 10 '2000[0-9]*' -- ./app
switches 2 '500[0-9]*' -I 50 -- ./app
switches 4 '1000[0-9]*' --timeout 100 -p 701
switches 2 '1000[0-9]*' --timeout 100 -t 702
switches 2 '1000[0-9]*,server-702' --timeout 100 -p 701 --per-thread

# the mean of identical runs has the bounds of each; its truth is the machine's
for words in '-r 1' '-r 2' '-r 4'; do
    # shellcheck disable=SC2086 # words
    "$TDPROBE" --machine "$spr" --fixed --fast $words -o "$tmp/out" -- ./app 2> "$tmp/err" || fail "--fixed $words: exit $?"
    grep -q '^ *retiring  *25.0 %.*  ~ 20.7 .. 29.9$' "$tmp/out" || fail "--fixed $words: $(grep retiring "$tmp/out")"
done

# what is not known: processes that ended, and so threads that are not seen; whose files are missing; cgroups
unknown() { # WHAT WORDS...
    what=$1
    shift
    "$TDPROBE" --machine "$spr" --fixed --fast --format csv -o "$tmp/csv" "$@" 2> "$tmp/err" || fail "$what: exit $?"
    grep -q ',retiring,.*,no_bounds.*switches_unknown,,' "$tmp/csv" || fail "$what: $(grep retiring "$tmp/csv")"
}
known() { # WHAT WORDS...
    what=$1
    shift
    "$TDPROBE" --machine "$spr" --fixed --fast --format csv -o "$tmp/csv" "$@" 2> "$tmp/err" || fail "$what: exit $?"
    grep -q ',retiring,.*,likely,' "$tmp/csv" || fail "$what: $(grep retiring "$tmp/csv")"
}
{ sed '/^task/d; /^cgroup/d' "$tmp/sapphirerapids.on.machine"; echo 'task 701 server mixed cpus=1-2 slice=50 threads=702'; echo 'task 801 short mixed cpus=3 ms=50'; echo 'task 802 brief mixed cpus=4 ms=8'; } > "$tmp/ending.machine"
spr=$tmp/ending.machine
unknown 'a process that ended' --timeout 100 -p 701,801
known 'a process that ended, but ran for next to nothing' --timeout 100 -p 701,802
# the same from its trace, whose later readings do not know it
"$TDPROBE" record --machine "$spr" --fixed --fast -o "$tmp/trace" --timeout 100 -I 30 -p 701,801 > "$tmp/out" 2>&1 || fail "record: exit $?"
"$TDPROBE" --machine "$spr" --fixed --fast --summary --format csv -o "$tmp/csv" --timeout 100 -I 30 -p 701,801 2> "$tmp/err"
"$TDPROBE" replay --summary --format csv "$tmp/trace" > "$tmp/again" 2> "$tmp/err" || fail "replay: $(cat "$tmp/err")"
cmp -s "$tmp/csv" "$tmp/again" || fail "another answer from the trace: $(diff "$tmp/csv" "$tmp/again" | head -n 3)"
grep -q '^0.03.*,retiring,.*,likely,' "$tmp/again" && grep -q '^0.09.*,retiring,.*switches_unknown,,' "$tmp/again" || fail "intervals before and after the end of a process: $(grep retiring "$tmp/again")"
unknown 'all processes ended' --timeout 100 -p 801
for file in task/701/status task/702/schedstat; do
    { cat "$tmp/sapphirerapids.on.machine"; echo "absent /proc/701/$file"; } > "$tmp/hidden.machine"
    spr=$tmp/hidden.machine
    unknown "no $file" --timeout 100 -p 701
done
spr=$tmp/sapphirerapids.on.machine
unknown 'a cgroup' --timeout 100 --for-each-cgroup app
"$TDPROBE" record --machine "$spr" --fast -o "$tmp/trace" -- ./app 2> "$tmp/err" || fail "record: exit $?"
grep -q ',switches,' "$tmp/trace" && fail 'switches, where no register is counted'
exit $bad
