#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe compare of recordings of samples: functions are compared by their estimates. The recordings' kernel counted by a known
# truth, the same in all of them: what differs by dso is how much of the time each function ran.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
spr="compare --uarch spr --symfs $samples/symfs"

# shellcheck disable=SC2086
{
t $spr -x, "$samples/long.data" "$samples/regs.data"
if grep -q 'without GSL' err; then
    exits 69
    [ ! -e failed ]
    exit
fi
exits 0

# the same functions: nothing is claimed, and what is true, no difference, is within the bounds
if grep -q ',scan,function,' out; then
    for pair in long:regs long:nest regs:nest; do
        t $spr --by function -x, "$samples/${pair%:*}.data" "$samples/${pair#*:}.data"; exits 0
        awk -F, '$6 != "slots" && NR > 1 { n++; if (!($15 <= 0 && 0 <= $16) || $17 == "more" || $17 == "less" || $18 != "likely") exit 1 } END { if (n != 12) exit 1 }' out ||
            fail "$what: $(grep -v slots, out)"
        [ "$(cut -d, -f 3 out | grep -cE '^(scan|chase|branchy)$')" = 15 ] || fail "$what: $(cut -d, -f 3,6 out)"
    done
    t $spr -j "$samples/long.data" "$samples/nest.data"; says '"scope":"scan","scope_kind":"function","metric":"retiring","a":\{"value":0\.70'
    t $spr "$samples/long.data" "$samples/nest.data"; says '^scan$'; warns 'only one side has|multiplexing' # update is in one of them only
    t $spr --fail-if 'backend_bound > 20pp' "$samples/long.data" "$samples/nest.data"; exits 0
else
    echo 'skipped: functions have no names without elfutils'
fi

# by program, the truth is the mean of the functions' fractions by the time that each ran (truth.json: equal slots a time)
truth() { # FILE
    awk -v file="$1.data" '/"file"/ { gsub(/[",]/, ""); at = $2 } /"retiring"/ { gsub(/,/, ""); share = $2 } /"share_of_named_functions"/ && at == file { sum += share * $2 } END { print sum }' \
        "$samples/truth.json"
}
t $spr --by dso -x, "$samples/long.data" "$samples/nest.data"; exits 0
awk -F, -v a="$(truth long)" -v b="$(truth nest)" '$3 == "/usr/bin/kernels" && $6 == "retiring" { found = 1; if (!($9 <= a && a <= $10 && $12 <= b && b <= $13 && $15 <= b - a && b - a <= $16)) exit 1 } END { exit !found }' out ||
    fail "$what: $(truth long) and $(truth nest) are not within: $(grep kernels out)"
t $spr --by thread -x, "$samples/system.data" "$samples/system.data"; exits 0; says ',retiring,'
awk -F, 'NR > 1 && ($4 != "thread" || $17 == "more" || $17 == "less") { exit 1 }' out || fail "$what: $(head -n 3 out)"
t $spr --by region "$samples/long.data" "$samples/nest.data"; exits 65; warns 'no scope of kind region'
t $spr --by cgroup "$samples/long.data" "$samples/nest.data"; exits 65; warns 'perf record --all-cgroups'
t compare --by functoin a b; exits 64; warns "function"
}
[ ! -e failed ]
