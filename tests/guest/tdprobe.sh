# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# tdprobe on the software PMU, compared with perf stat with the same options.
. /tests/lib.sh
. /tests/modes.sh

. /tests/td.sh

mean() { awk '{ for (i = 2; i <= 5; i++) s[i] += $i } END { for (i = 2; i <= 5; i++) printf "%.5f ", s[i] / NR }' "$1"; }

# The means over the scopes of both tools, with the same options; perf's scopes have the true shares too
beside() {
    if ! perf stat -x, -o /tmp/csv -e "$group" "$@" > /tmp/out 2>&1; then
        not_ok "$name-beside-perf" "perf stat $* failed" /tmp/out
        return
    fi
    # shellcheck disable=SC2086
    shares $assign < /tmp/csv > /tmp/perf.shares
    cp /tmp/check /tmp/td.shares
    check "perf-${name#tdprobe-}" "$scopes" < /tmp/perf.shares
    problem=$(echo "$(mean /tmp/td.shares) $(mean /tmp/perf.shares)" | awk '{
        for (i = 1; i <= 4; i++) { d = $i - $(i + 4); if (d > 0.002 || d < -0.002) print "share " i ": tdprobe " $i ", perf " $(i + 4) } }' | head -n 1)
    if [ -z "$problem" ]; then ok "$name-beside-perf"; else not_ok "$name-beside-perf" "$problem"; fi
}

run() {
    name=tdprobe-$1 scopes=$2 assign=
    shift 2
    while [ "$1" != -- ]; do
        assign="-v $1"
        shift
    done
    shift
    if ! td --level 1 "$@"; then
        not_ok "$name" "tdprobe $* failed" /tmp/out
        return
    fi
    td_shares | check "$name" "$scopes"
    check_bounds "$name"
    beside "$@"
}

level2() {
    [ "$kind" != n2 ] || return 0 # an N2 has none
    name=tdprobe-level2
    if ! td --level 2 -a -- sleep 0.5; then
        not_ok "$name" "tdprobe --level 2 failed" /tmp/out
        return
    fi
    td_shares | check "$name-level1" 1
    # heavy operations, mispredicts, fetch latency; memory bound means something else on an Atom
    problem=$(awk -F, -v truth="$truth" '
        BEGIN { split(truth, t, " "); n["heavy_operations"] = 5; n["branch_mispredicts"] = 6; n["fetch_latency"] = 7; n["memory_bound"] = 8 }
        !header { for (i = 1; i <= NF; i++) c[$i] = i; header = 1; next }
        ($(c["metric"]) in n) && $(c["value"]) != "" {
            seen++
            d = $(c["value"]) - t[n[$(c["metric"])]]
            if (d > 0.004 || d < -0.004) print $(c["metric"]) " is " $(c["value"]) ", set was " t[n[$(c["metric"])]]
        }
        END { if (!seen) print "no metric of level 2" }' /tmp/td.csv | head -n 1)
    if [ -z "$problem" ]; then ok "$name"; else not_ok "$name" "$problem" /tmp/td.csv; fi
}

# There are more events than counters: the groups take turns. An N2's one group then leaves
# BR_MIS_PRED out, which changes the value; this must be reported.
rotation() {
    reload counters=4
    if ! td --level 2 -a -- sleep 1; then
        not_ok tdprobe-rotation "it failed" /tmp/out
    elif [ "$kind" != n2 ]; then
        td_shares | check tdprobe-rotation 1
    elif grep -q 'correction_missing:BR_MIS_PRED' /tmp/td.csv; then
        ok tdprobe-rotation
    else
        td_shares | check tdprobe-rotation 1
    fi
    reload
}

# The same from ordinary events on a CPU with PERF_METRICS
no_fixed() {
    [ "$kind" = metrics ] || return 0
    if td --no-fixed --level 1 -a -- sleep 0.5; then td_shares | check tdprobe-no-fixed 1; else not_ok tdprobe-no-fixed "it failed" /tmp/out; fi
}

# An N2 before r0p3 counts one STALL_SLOT and one STALL_SLOT_FRONTEND too many in each cycle.
early_n2() {
    [ "$kind" = n2 ] || return 0
    flavour=n2r0p0 uarch_option="--uarch n2-r0p0"
    reload
    if td --level 1 -a -- sleep 0.5; then td_shares | check tdprobe-n2-r0p0 1; else not_ok tdprobe-n2-r0p0 "it failed" /tmp/out; fi
    flavour=n2 uarch_option="--uarch n2-r0p3"
    reload
}

# expect NAME COUNT: /tmp/td.csv has this many scopes and intervals, besides the summary
expect() {
    td_shares | grep -v ^summary/ > /tmp/check
    if [ "$(wc -l < /tmp/check)" = "$2" ]; then ok "$1"; else not_ok "$1" "not $2 of them" /tmp/td.csv; fi
}

ends() {
    td --level 1 -a -I 100 --interval-count 3
    expect tdprobe-interval-count 3
    td --level 1 -a --timeout 300
    expect tdprobe-timeout 1
}

# Without a PMU it reports that, and does not crash.
no_pmu() {
    unload
    td --level 1 -a -- sleep 0.1
    status=$?
    if [ $status -gt 0 ] && [ $status -lt 126 ]; then ok tdprobe-no-pmu; else not_ok tdprobe-no-pmu "status $status" /tmp/out; fi
    reload
}

# Another program holds the counters half of the time; the values are scaled.
multiplexing() {
    case $kind in metrics) ;; n2) reload counters=6 ;; *) reload counters=4 ;; esac
    perf stat -x, -o /tmp/csv -e "$group" -a -- sleep 1.5 > /tmp/out.perf 2>&1 &
    usleep 200000
    if td --level 1 -a -- sleep 0.8; then td_shares | check tdprobe-multiplexed 1; else not_ok tdprobe-multiplexed "it failed" /tmp/out; fi
    wait
    problem=$(awk -F, '!header { for (i = 1; i <= NF; i++) c[$i] = i; header = 1; next }
        $(c["metric"]) == "retiring" && !($(c["coverage"]) > 0.1 && $(c["coverage"]) < 0.95) { print "coverage is " $(c["coverage"]) }
        $(c["metric"]) == "retiring" && $(c["flags"]) !~ /multiplexed/ { print "not flagged: " $(c["flags"]) }' /tmp/td.csv | head -n 1)
    if [ -z "$problem" ]; then ok tdprobe-multiplexed-flag; else not_ok tdprobe-multiplexed-flag "$problem" /tmp/td.csv; fi
    [ "$kind" = metrics ] || reload
}

# mixes that the register cannot hold exactly: bounds, and every rounding
other_mixes() {
    for rounding in 0 1 2; do
        reload phases=4001,1003,1999,2997,1000,500,900,1500 rounding=$rounding
        td --level 1 -a -I 50 -- sleep 0.4
        td_shares | check "tdprobe-rounding-$rounding" 3 0.009
        check_bounds "tdprobe-rounding-$rounding"
    done
    reload 'phases=204,17,17,17,51,11,10,10@2;17,34,102,102,10,20,60,85@2'
    td --level 1 -a -- sleep 1
    td_shares | check tdprobe-two-phases 1 0.005
    reload
}

# A recording gives the same result later, wherever it is replayed.
record() {
    # shellcheck disable=SC2086
    if ! tdprobe record $uarch_option --level 1 -a -I 100 -o /tmp/recording -- sleep 0.5 > /tmp/out 2>&1; then
        not_ok tdprobe-record "it failed" /tmp/out
        return
    fi
    ok tdprobe-record
    if ! tdprobe replay --format csv /tmp/recording > /tmp/td.csv 2> /tmp/out; then
        not_ok tdprobe-replay "it failed" /tmp/out
        return
    fi
    td_shares | check tdprobe-replay 3
    check_bounds tdprobe-replay
    cp /tmp/td.csv /tmp/first.csv
    if reload phases=17,34,102,102 && tdprobe replay --format csv /tmp/recording > /tmp/td.csv && cmp -s /tmp/td.csv /tmp/first.csv; then
        ok tdprobe-replay-again
    else
        not_ok tdprobe-replay-again "another PMU, another answer" /tmp/td.csv
    fi
    reload
}

# A recording made together with a live report (record prints one on standard
# error when it is asked for a format): the same metrics to the last digit. The
# live report ends with a summary.
record_beside_live() {
    # shellcheck disable=SC2086
    tdprobe record $uarch_option --level 1 --format csv -a -I 100 -o /tmp/recording -- sleep 0.5 > /dev/null 2> /tmp/live.csv
    if ! grep -q '^time,scope,' /tmp/live.csv; then
        skip tdprobe-record-live "record prints no csv of its own"
        return
    fi
    tdprobe replay --format csv /tmp/recording | grep -v ',summary$' > /tmp/td.csv
    if grep -vE ',summary$|^tdprobe: ' /tmp/live.csv | cmp -s - /tmp/td.csv; then ok tdprobe-record-live; else not_ok tdprobe-record-live "they differ" /tmp/live.csv; fi
}

# The real perf runs what perf-command prints for this machine, and tdprobe replays it.
perf_command() {
    if [ "$kind" = n2 ]; then
        skip tdprobe-perf-command "perf of x86 has no lists of Arm's events"
        return
    fi
    uarch=$(tdprobe perf-command | sed -n 's/.*--uarch \([^ ]*\).*/\1/p')
    for level in 1 2; do
        name=tdprobe-perf-command-$level
        tdprobe perf-command --level $level -a -I 200 -o /tmp/recording.csv -- sleep 1 > /tmp/command
        if ! sh /tmp/command > /tmp/out 2>&1 && grep -q 'parser error' /tmp/out; then # this perf lacks a name
            tdprobe perf-command --encodings --level $level -a -I 200 -o /tmp/recording.csv -- sleep 1 > /tmp/command
        fi
        if ! sh /tmp/command > /tmp/out 2>&1; then
            not_ok "$name" "perf refuses it" /tmp/out
        elif ! tdprobe replay --uarch "$uarch" --level $level --format csv /tmp/recording.csv > /tmp/td.csv 2> /tmp/out; then
            not_ok "$name" "replay of it failed" /tmp/out
        elif grep -q missing_event /tmp/td.csv; then
            not_ok "$name" "$(grep -m 1 missing_event /tmp/td.csv)"
        elif [ $level = 1 ]; then
            td_shares | check "$name" 3
        else
            ok "$name"
        fi
    done
}

# What perf-command prints for another machine, on one whose watchdog is on: an N2's group takes the counter of cycles, and
# the real perf counts nothing; with --watchdog, it counts all of the time.
perf_command_watchdog() {
    [ "$kind" = n2 ] || return 0
    if ! watchdog 1; then
        skip tdprobe-perf-command-watchdog "this kernel cannot switch its NMI watchdog on"
        return
    fi
    problem=
    for option in '' --watchdog; do
        # shellcheck disable=SC2086
        tdprobe perf-command $uarch_option $option --encodings -a -I 200 -o /tmp/csv -- sleep 0.5 > /tmp/command
        sh /tmp/command > /tmp/out 2>&1 || problem="perf refuses it: $option"
        [ "$option$(grep -c '<not counted>, and the NMI watchdog is on' /tmp/command)" = "${option:-1}${option:+0}" ] || problem="the hint: $option"
        if grep -q '<not counted>' /tmp/csv; then not_counted=1; else not_counted=0; fi
        [ "$option$not_counted" = "${option:-1}${option:+0}" ] || problem="<not counted>: $option$not_counted"
    done
    # shellcheck disable=SC2086
    tdprobe replay $uarch_option --format csv /tmp/csv > /tmp/td.csv 2> /tmp/out || problem="replay of it failed"
    [ -n "$problem" ] || problem=$(awk -F, -v truth="${truth%% *}" '!header { for (i = 1; i <= NF; i++) c[$i] = i; header = 1; next }
        $(c["metric"]) == "retiring" { n++; d = $(c["value"]) - truth; if (d > 0.002 || d < -0.002 || $(c["coverage"]) != 1) print "retiring: " $0 }
        END { if (!n) print "no retiring" }' /tmp/td.csv | head -n 1)
    if [ -z "$problem" ]; then ok tdprobe-perf-command-watchdog; else not_ok tdprobe-perf-command-watchdog "$problem" /tmp/csv; fi
    watchdog 0
}

doctor() {
    # shellcheck disable=SC2086
    if tdprobe doctor $uarch_option > /tmp/out 2>&1; then ok tdprobe-doctor; else not_ok tdprobe-doctor "it failed" /tmp/out; fi
}

# The module counts one mix, whatever runs: a kernel may be unexpected, but the ways agree, and no count contradicts another.
self_test() {
    # shellcheck disable=SC2086
    tdprobe selftest $uarch_option --kernel adds --time 0.1 > /tmp/out 2>&1
    code=$?
    if [ $code -eq 0 ] && grep -qE '^(ok|unexpected) +adds +retiring .* % by task' /tmp/out && ! grep -q '^off' /tmp/out; then
        ok tdprobe-selftest
        echo "| $flavour | selftest | $(grep -E '^(ok|unexpected) +adds' /tmp/out | head -n 1)"
    else
        not_ok tdprobe-selftest "exit code $code" /tmp/out
    fi
}

doctor
self_test
modes
level2
rotation
no_fixed
early_n2
ends
multiplexing
other_mixes
record
record_beside_live
perf_command
perf_command_watchdog
no_pmu
