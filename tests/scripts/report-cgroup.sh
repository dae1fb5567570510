#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --by cgroup: the slots of two cgroups, of a made recording as of perf record --all-cgroups.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo 'skipped: no python3'; exit 77; }
make() { python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data; }
repeat() { i=0; while [ $i -lt "$1" ]; do echo "$2"; i=$((i + 1)); done; }
# of a scope: intervals, and a metric's value to three digits
value() { awk -F, -v scope="$1" -v metric="$2" '$1 == scope && $10 == metric { printf "%d %.3f\n", $7, $14 }' out; }

{
    echo 'map 0x10000 0x100000 0 - /opt/app'
    echo 'cgroup 7001 /system.slice/web'
    echo 'cgroup 18446744073709551615 /user.slice'
    echo 'from 10 10 10 70'
    repeat 61 'at 0x10040 7001'
    echo 'from 60 5 25 10'
    repeat 61 'at 0x10040 18446744073709551615'
    repeat 3 'at 0x10040 9'
    echo 'cgroup 7001 /system.slice/next'
    repeat 61 'at 0x10040 7001'
    echo 'cgroup 7001 /system.slice/next'
    repeat 2 'at 0x10040 7001'
} | make
t report --uarch spr --by cgroup --format csv made.data
exits 0
# the first sample began no interval
[ "$(value /system.slice/web backend_bound)" = '60 0.700' ] || fail "web: $(value /system.slice/web backend_bound)"
[ "$(value /user.slice retiring)" = '61 0.600' ] || fail "user: $(value /user.slice retiring)"
[ "$(value /system.slice/next frontend_bound)" = '63 0.250' ] || fail "next: $(value /system.slice/next frontend_bound)"
says '^\[cgroup 9\],cgroup,'
[ "$(awk -F, 'NR > 1 { print $1 }' out | sort -u | wc -l)" -eq 4 ] || fail "not four cgroups: $(awk -F, 'NR > 1 { print $1 }' out | sort -u | tr '\n' ' ')"
t report --uarch spr --by cgroup -j --limit 1 made.data
exits 0
says '"scope_kind":"cgroup"'
t replay --uarch spr --by cgroup made.data
exits 0
t report --uarch spr --by cgroup --children made.data
exits 0
# a name that a terminal would obey
printf 'map 0x10000 0x100000 0 - /opt/app\ncgroup 5 /a\033b\nat 0x10040 5\nat 0x10040 5\nat 0x10040 5\n' | make
t report --uarch spr --by cgroup --format csv made.data
says '^/a\\x1bb,cgroup,'
# not recorded
t report --uarch spr --by cgroup "$TD_SRCDIR/tests/samples/long.data"
exits 65
warns 'perf record --all-cgroups'
# cut off anywhere: no crash
size=$(wc -c < made.data)
cp made.data whole
i=0
while [ $i -lt 60 ]; do
    head -c $((size - i * 8)) whole > made.data
    "$under_test" report --uarch spr --by cgroup made.data > out 2> err
    [ $? -lt 128 ] || fail "cut by $((i * 8)) bytes: $(cat err)"
    i=$((i + 1))
done

[ ! -e failed ]
