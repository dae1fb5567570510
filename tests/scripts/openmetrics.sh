#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe replay and stat --format openmetrics and prometheus: the grammar, and sums that Python works out from json; names that would be
# more than text; what has no slots.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo 'skipped: no python3'; exit 77; }
traces=$TD_SRCDIR/traces
counters() { # SLOTS WORD...: both dialects agree with the json
    slots=$1; shift
    t "$@" --format json --counts; mv out all.json
    for dialect in openmetrics prometheus; do
        t "$@" --format $dialect; exits 0; mv out text
        python3 "$TD_SRCDIR/tests/scripts/results_openmetrics.py" text all.json $dialect "$slots" > wrong || fail "$what: $(cat wrong)"
        ! command -v promtool > /dev/null || [ $dialect = openmetrics ] || promtool check metrics < text > wrong 2>&1 || fail "$what: promtool: $(cat wrong)"
    done
    mv text out
}

# one reading, intervals, a sum without intervals, several scopes, likely bounds, none, two kinds of core, cycles times the width
counters slots replay "$traces/spr-perf-metrics-l2.trace"; says 'node="memory_bound",level="2"} [0-9]+'; ! grep -q _likely_ out || fail "$what: likely bounds of none"
counters slots replay "$traces/icx-perf-metrics-intervals.trace"
counters slots replay --summary-only "$traces/icx-perf-metrics-intervals.trace"; says '^tdprobe_intervals_total\{.*,standing="exact"\} 1$'
counters slots replay "$traces/spr-multiplexed-split-groups.trace"; says '^tdprobe_intervals_total\{.*,standing="multiplexed"\} [1-9]'; says '^tdprobe_slots_high_total'
t replay --format openmetrics "$traces/adl-hybrid-intervals.trace"; exits 0; says '^tdprobe_slots_total.*core="P"'; says '^tdprobe_slots_total.*core="E"'
t replay --format openmetrics --level 2 "$traces/hip08-l2.trace"; exits 0

# names from others: quotes and backslashes are escaped, a cgroup's unit and container are told, and two of one name but of different kinds stay apart
id=4283fefc63f0aabbccddeeff00112233445566778899aabbccddeeff00112233
{
    for scope in '/system.slice/nginx.service' "/system.slice/docker-$id.scope" '/a"b\c' '/user.slice'; do
        for e in 'slots 4000' 'topdown-retiring 1000' 'topdown-bad-spec 500' 'topdown-fe-bound 500' 'topdown-be-bound 2000'; do
            printf '%s\n' "1.000000000,${e#* },,${e% *},$scope,1000000,100.00,,"
        done
    done
} > cgroups.csv
t replay --uarch icl --format openmetrics cgroups.csv
exits 0
says 'scope="/system.slice/nginx.service",scope_kind="cgroup",cpu="icl",unit="nginx.service",node="retiring",level="1"} 1000$'
says 'container="docker-4283fefc63f0",node="backend_bound",level="1"} 2000$'
says 'scope="/user.slice",scope_kind="cgroup",cpu="icl",node='
grep -qF 'scope="/a\"b\\c"' out || fail "$what: quotes are not escaped: $(grep 'scope="/a' out | head -n 1)"

# what has no slots: percentages that a tool printed; no interval at all is still a whole text
printf 'retiring 30.0%%\nfrontend_bound 20.0%%\nbad_speculation 10.0%%\nbackend_bound 40.0%%\n' > printed
t replay --uarch spr --format openmetrics printed; says '^# EOF$'; ! grep -q '^tdprobe_slots_total' out || fail "$what: slots of percentages"
t replay --format openmetrics "$traces/spr-perf-metrics-l2.trace" "$traces/spr-perf-metrics-l2.trace"; exits 64; warns 'is of one recording'

# live: a command, intervals, in a file that has its name when it is complete
machine="--machine $TD_SRCDIR/sim/machines/sapphirerapids.machine --fast"
# shellcheck disable=SC2086
{
t stat $machine -I 50 --timeout 300 -A -a --format prometheus -o node.prom; exits 0; mv node.prom out; says '^tdprobe_slots_total\{scope="CPU[0-9]+",scope_kind="cpu",cpu="spr",node="retiring",level="1"\} '
t stat $machine --format openmetrics --append -o node.prom -- app; exits 64; warns 'format openmetrics and --append exclude each other'
}
[ ! -e failed ]
