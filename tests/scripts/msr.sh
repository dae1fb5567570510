#!/bin/sh
# SPDX-License-Identifier: MIT
# The source msr and tdprobe bench on simulated machines, with a program that ends
# with 99 if a register was not restored (tests/support/msr_cli.c).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
program=${TD_MSR_CLI:-$TD_BUILDDIR/tests/msr_cli}
under_test=$program
[ -x "$program" ] || { echo "tests/msr_cli is not built"; exit 99; }

silent() { ! grep -qE -- "$1" err || fail "$what: stderr has '$1'"; }
usage() { # PATTERN ARGS...
    pattern=$1
    shift
    t "$@"; exits 64; warns "$pattern"
}
# NAME BASE COMMAND-OPTIONS LINES...: a machine of the tree with changes
machine() {
    name=$1 base=$2 options=$3
    shift 3
    { sed "s/^command .*/& $options/" "$TD_SRCDIR/sim/machines/$base.machine"; [ $# -eq 0 ] || printf '%s\n' "$@"; } > "$name.machine"
}
# FILE NAME LOW HIGH [COLUMN]: all values of the metric are within the limits
within() {
    awk -F, -v m="$2" -v lo="$3" -v hi="$4" '$6 == m { n++; if ($7 < lo || $7 > hi) bad++ } END { exit !n || bad }' "$1" ||
        fail "$what: $2 is not $3..$4: $(grep "$2" "$1" | head -n 2)"
}
machine spr sapphirerapids ''
machine skl skylake ''

# ---- usage ----
t --help-all; exits 0; says '--source NAME'; says 'tdprobe bench'
usage 'counts whole CPUs' --source=msr -- x
usage 'counts whole CPUs' --source=msr -p 1
usage 'counts whole CPUs' --source=msr --for-each-cgroup a
usage 'td_open_self' --source=rdpmc -- x
usage "not 'nonesuch'" --source=nonesuch -- x

# ---- measuring: all registers are restored, the numbers are the description's ----
for name in skylake-nosmt icelake sapphirerapids alderlake sierraforest elkhartlake lunarlake graniterapids genoa turin; do
    t --machine "$TD_SRCDIR/sim/machines/$name.machine" --source=msr -C 3 -x , -o csv -I 50 --timeout 200; exits 0
    [ "$(grep -c ',retiring,[0-9.]*,slots,' csv)" -eq 5 ] || fail "$what: not 4 intervals and their summary"
    t --machine "$TD_SRCDIR/sim/machines/$name.machine" --source=perf -C 3 --level 1 -x , -o perf.csv --timeout 200; exits 0
    awk -F, 'NR > 1 && $6 != "verdict" && $12 != "ok" { print; bad = 1 } END { exit bad }' csv > bad || fail "$what: $(head -n 2 bad)"
    for m in retiring bad_speculation frontend_bound backend_bound; do # the same as with perf
        v=$(awk -F, -v m=$m '$6 == m { v = $7 } END { print v }' perf.csv)
        grep ',summary$' csv > sum.csv
        within sum.csv $m "$(awk "BEGIN { print $v - 0.006 }")" "$(awk "BEGIN { print $v + 0.006 }")"
    done
done
t --machine spr.machine --source=msr -C 2-4 -A -x , --timeout 100 -o csv; exits 0
[ "$(awk -F, '$6 == "retiring" { printf "%s ", $2 }' csv)" = 'CPU2 CPU3 CPU4 ' ] || fail "$what: other scopes"
within csv memory_bound 0.365 0.385
t --machine spr.machine --source=msr -a --per-socket -x , --timeout 100 -o csv; exits 0; within csv memory_bound 0.365 0.385
t --machine "$TD_SRCDIR/sim/machines/alderlake.machine" --source=msr -C 3,9 -x ';' --timeout 100 -o csv; exits 0
[ "$(awk -F';' '$6 == "retiring" { printf "%s ", $4 }' csv)" = 'P E ' ] || fail "$what: not both kinds of core"
t --machine skl.machine --source=msr -C 3 --timeout 100; exits 0; warns 'all threads of the core'; warns 'smt_unknown'
t --machine skl.machine --source=msr -C 3,7 --timeout 100 -x ';' -o csv; exits 0; tr -d , < csv | tr ';' , > plain.csv; within plain.csv retiring 0.249 0.251; silent 'all threads'
t --machine "$TD_SRCDIR/sim/machines/skylake-nosmt.machine" --source=msr -C 3 --level 2 --timeout 100; exits 69; warns '--level 1'
t --machine "$TD_SRCDIR/sim/machines/knightslanding.machine" --source=msr -C 3 --timeout 100; exits 69; warns 'more counters'

# ---- the command is bound to the CPU, and measuring ends with it ----
machine busy sapphirerapids ''
sed -i -e '/^run /d' -e '/^task /d' -e '/^cgroup /d' busy.machine # no other program runs
t --machine busy.machine --source=msr -C 5 -x , -o csv --counts -- x; exits 0
awk -F, '$6 == "TOPDOWN.SLOTS" { n = $7 } END { exit !(n > 3.55e9 && n < 3.65e9) }' csv || fail "$what: not 0.2 s of 18e9 slots: $(grep SLOTS csv)"
t --machine spr.machine --source=msr -C 5 -- x; exits 0
for number in 2 9 11 15; do
    machine killed sapphirerapids "signal=$number"
    t --machine killed.machine --source=msr -C 5 -- x; exits $((128 + number)); warns 'retiring'
done
machine exits sapphirerapids 'exit=7'
t --machine exits.machine --source=msr -C 5 -r 3 -- x; exits 7; warns 'in 3 runs'
t --machine spr.machine --source=msr -C 5 -- no-such-command; exits 127

# ---- signals: a last interval, and the registers ----
for name in SIGINT SIGTERM SIGHUP; do
    machine signal sapphirerapids '' "signal $name at=100"
    t --machine signal.machine --source=msr -C 5 -x , -o csv -- x; within csv retiring 0.245 0.255
    t --machine signal.machine --source=msr -C 5 -I 30 -x , -o csv; exits 0; within csv retiring 0.245 0.255
    t bench --machine signal.machine -C 5 -r 100 -- x; silent 'runs on'
done
# the file of the report, or of the trace, cannot grow
(ulimit -f 4; exec "$program" --machine spr.machine --source=msr -C 5 -I 5 --timeout 3000 -x , -o small) > out 2> err < /dev/null; code=$? what='a report of at most 4 blocks'
exits 74; warns 'small cannot be written: File too large'; [ "$(wc -c < small)" -le 4096 ] || fail "$what: it has $(wc -c < small) bytes"
machine toggled sapphirerapids '' 'signal SIGUSR2 at=50' 'signal SIGUSR2 at=100' 'signal SIGUSR1 at=120'
t --machine toggled.machine --source=msr -C 5 -x , -o csv --timeout 200; exits 0; within csv retiring 0.245 0.255

# ---- obstacles ----
machine busy sapphirerapids '' 'msr 0x187 = 0x4300c0'
t --machine busy.machine --source=msr -C 5 --timeout 100; exits 69; warns 'programmable counter 1 is enabled'; warns 'What to do'
sed 's/metrics=8/metrics=8 taken=2/' spr.machine > taken.machine
t --machine taken.machine --source=msr -C 5 --timeout 100; exits 69; warns 'in use'
machine watchdog sapphirerapids '' 'file /proc/sys/kernel/nmi_watchdog = 1\n'
t --machine watchdog.machine --source=msr -C 5 --timeout 100; exits 69; warns 'nmi_watchdog=0'
machine absent sapphirerapids '' 'msr absent'
t --machine absent.machine --source=msr -C 5 --timeout 100; exits 69; warns 'modprobe msr'
machine locked sapphirerapids '' 'msr locked' 'file /sys/kernel/security/lockdown = none [integrity] confidentiality\n'
t --machine locked.machine --source=msr -C 5 --timeout 100; exits 77; warns 'locked down'
# During the measurement: what was there before cannot be written back, which is reported, and the registers stay changed.
machine later sapphirerapids '' 'msr locked at=150'
"$TDPROBE" --machine later.machine --source=msr -C 5 --timeout 200 2> err < /dev/null
[ $? -eq 77 ] && grep -q 'could not be given back' err || fail "a lockdown while it measures: $(cat err)"
# Measuring ends after 100 ms, and the command, which continues, does not keep the registers.
t --machine later.machine --source=msr -C 5 -I 50 --interval-count 2 -- x; exits 0; silent 'given back'
machine user sapphirerapids '' 'privileged no'
t --machine user.machine --source=msr -C 5 --timeout 100; exits 77; warns 'CAP_SYS_RAWIO'
t --machine "$TD_SRCDIR/sim/machines/yitian710.machine" --source=msr -C 1 --timeout 100; exits 69; warns 'x86 only, not on neoverse-n2'
t --machine "$TD_SRCDIR/sim/machines/guest-without-pmu.machine" --source=msr -C 0 --timeout 100; exits 69

# ---- the doctor ----
for name in busy:'is enabled' watchdog:'NMI watchdog' absent:'modprobe' locked:'locked down' user:'CAP_SYS_RAWIO' spr:'usable for whole CPUs'; do
    t doctor --machine "${name%%:*}.machine"; says "msr: .*${name#*:}"
done

# ---- what is opened, in words ----
t --machine spr.machine --source=msr -C 5 --dry-run; exits 0
says 'TOPDOWN.SLOTS +fixed counter 3 \(0x30c\)'; says 'topdown-mem-bound +a field of PERF_METRICS'; says 'GLOBAL_CTRL 0x38f = 0x1000800000001'

# ---- a trace of it replays ----
t record --machine spr.machine --source=msr -C 5 -I 50 -o trace --timeout 100; exits 0
"$program" replay --format csv trace > csv || fail "the trace of $what cannot be replayed"
within csv memory_bound 0.365 0.385

# ---- bench ----
t bench --help-all; exits 0; says '^usage: tdprobe bench'
for option in -C -r -e --all-user --all-kernel --level --uarch --no-fixed --machine --format -x -j -o -h; do says "(^|[ ,])$option([ ,]|\$)"; done
usage 'needs -C' bench -- x
usage 'no command' bench -C 1
usage 'not one CPU' bench -C 1-2 -- x
for value in 0 x 100001; do usage '-r' bench -C 1 -r $value -- x; done
# bench has no --source: what is advised instead is taken on the same machine
t bench --machine "$TD_SRCDIR/sim/machines/yitian710.machine" -C 0 -r 2 -- mixed; exits 69; warns "measure by perf \\('tdprobe stat -r 2 -- COMMAND'\\)$"
t stat --machine "$TD_SRCDIR/sim/machines/yitian710.machine" --fast -r 2 -- mixed; exits 0
# By the description's 22.2e9 slots a second for 0.2 s: cycles are a sixth of them; its thread has half of them, with 0.4 instructions,
# 0.5 ops (0xc1) and 0.25 slots without ops from the frontend (0x1a0, a number of 12 bits) each.
t bench --machine "$TD_SRCDIR/sim/machines/genoa.machine" -C 0 -r 2 -e cycles -e instructions -e branch-misses -e 0xc1 -e 0x1a0,0x1 -x ';' -o csv -- mixed; exits 0
awk -F';' 'BEGIN { want["cycles"] = 740e6; want["instructions"] = 888e6; want["0xc1"] = 1110e6; want["0x1a0,0x1"] = 555e6 }
    $1 in want { n++; if ($6 < 0.999 * want[$1] || $6 > 1.001 * want[$1]) print } END { if (n != 4) print n " events" }' csv > bad
[ ! -s bad ] || fail "$what: $(head -n 2 bad)"
sed -i -e '/^run /d' -e '/^task /d' -e '/^cgroup /d' spr.machine
t bench --machine spr.machine -C 5 -r 20 -x , -o csv -- x; exits 0
# 0.2 s of 18e9 slots per second: a 6th of them cycles, 0.1875 instructions, 256 and 65 in 65536 misses
check() { # EVENT VALUE
    awk -F, -v e="$1" -v v="$2" '$1 == e { n++; if ($4 != 20 || $5 > $6 || $6 > $9 || $6 < v || $6 > v * 1.0001 + 1 || $8 != 0 || $11 != 0) bad++ } END { exit n != 1 || bad }' csv ||
        fail "$what: $1 is not $2: $(grep "^$1," csv)"
}
# CPU 5 is idle while nothing runs: starting and stopping costs nothing there
check cycles 600000000
check instructions 675000000
check branch-misses 14062500
check cache-misses 3570556
# From 500 ms on another task has half of the core: the four runs of 200 ms have 675e6 instructions, twice, then
# 3/4 and 1/2 of that. By hand: median (675e6 + 506.25e6) / 2; the squared deviations from the mean 548.4375e6 sum to 78311e12.
{ cat spr.machine; echo 'task 900 other mixed cpus=2,13 slice=500'; } > moving.machine
t bench --machine moving.machine -C 5 -r 4 -x , -o csv -- x; exits 0
awk -F, 'function near(x, y) { return x > 0.999 * y && x < 1.001 * y }
    $1 == "instructions" { ok = near($5, 337.5e6) && near($6, 590.625e6) && near($7, 548.4375e6) && near($8, 161.566e6) && near($9, 675e6) }
    END { exit !ok }' csv || fail "$what: other statistics: $(grep instructions csv)"
t bench --machine spr.machine -C 5 -r 3 -e 0xc2,0x02 -e UOPS_RETIRED.HEAVY -e 0x9c,1,6 -x , -o csv -- x; exits 0
[ "$(cut -d , -f 1-4 csv | tail -n 3 | tr '\n' ' ')" = '"0xc2,0x02",0x2c2,5 UOPS_RETIRED.HEAVY,0x1c2,5,3 "0x9c,1,6",0x600019c ' ] || fail "$what: other events: $(cat csv)"
t bench --machine spr.machine -C 5 -r 3 -- x; exits 0; warns '3 runs on CPU 5  spr'; warns 'memory_bound +37'
t bench --machine skl.machine -C 5 -r 3 -- x; exits 0; warns 'cycles'; silent 'retiring' # there are four counters: the added events hold them
awk '$1 == "cycles" { exit !($6 == 3500) }' err || fail "$what: the cost is not 1 us of 3.5 GHz: $(grep cycles err)"
t bench --machine spr.machine -C 5 -r 3 -j -o json -- x; exits 0
grep -q '"type":"bench","cpu":"spr","on":5,"runs":3' json && grep -q '"memory_bound"' json || fail "$what: $(cat json)"
for event in 0 0x1c2 0x100,1 1,2,3,2 1,2,3,1,1,1 nonesuch topdown-retiring ''; do usage 'no event of spr' bench --machine spr.machine -C 5 -e "$event" -- x; done
t bench --machine spr.machine -C 5 -e 0xc1 -e 0xc2 -e 0xc3 -e 0xc4 -e 0xc5 -e 0xc6 -e 0xc7 -e 0xc8 -e 0xc9 -- x; exits 69; warns 'add fewer'
t bench --machine killed.machine -C 5 -r 3 -- x; exits 143; warns '3 runs'
t bench --machine exits.machine -C 5 -r 3 -- x; exits 7; warns '3 runs'
t bench --machine spr.machine -C 5 -- no-such-command; exits 127
t bench --machine locked.machine -C 5 -- x; exits 77
# an output that cannot be written is reported before the first run; existing content stays if there is no report
t bench --machine exits.machine -C 5 -o /nonexistent/file -- x; exits 74; warns '/nonexistent/file'
echo old > kept
t bench --machine locked.machine -C 5 -o kept -- x; exits 77; [ "$(cat kept)" = old ] || fail "$what: the file has lost what it held"
t bench --machine spr.machine -C 77 -- x; exits 69

[ ! -e failed ] || exit 1
