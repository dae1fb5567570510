#!/bin/sh
# SPDX-License-Identifier: MIT
# Names stay apart: containers by their ids, several recordings by their files, in each format.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; : > "$tmp/failed"; }
cd "$tmp" || exit 99
tail=720b1736bf9cdd2ea90361da83546e0490695ce9c3ebce721ec3
group() { # NAME
    printf '1000000,,slots,%s,9,100.00,,\n100000,,topdown-retiring,%s,9,100.00,,\n50000,,topdown-bad-spec,%s,9,100.00,,\n50000,,topdown-fe-bound,%s,9,100.00,,\n800000,,topdown-be-bound,%s,9,100.00,,\n' "$1" "$1" "$1" "$1" "$1"
}
replay() { "$TDPROBE" replay --uarch spr --level 1 "$@" > out 2> err || fail "replay $*: $(cat err)"; }

for name in system.slice/docker-1f97e60132e9$tail.scope system.slice/docker-4283fefc63f0$tail.scope docker/9fb38cf72f32$tail system.slice/very-long-names-of-services-1.service system.slice/very-long-names-of-services-2.service; do group "$name"; done > groups.csv
replay groups.csv
for name in docker-1f97e60132e9 docker-4283fefc63f0 9fb38cf72f32 system.slice/very-long-names-of-services-1.service system.slice/very-long-names-of-services-2.service; do
    [ "$(grep -c "^ *$name  *10.0" out)" = 1 ] || fail "$name: $(cat out)"
done
replay --format csv groups.csv # whole there
grep -q "^,system.slice/docker-4283fefc63f0$tail.scope,cgroup," out || fail "csv: $(head -n 3 out)"

group '' | sed 's/,,9,/,9,/' > a.csv
sed 's/^800000/400000/; s/^100000,/500000,/' a.csv > 'b,c.csv'
replay a.csv b,c.csv
[ "$(grep '^# ' out)" = '# a.csv
# b,c.csv' ] || fail "text: $(cat out)"
replay --format csv a.csv b,c.csv
awk -F, '$6 == "retiring" && /,a\.csv$/ && $7 == "0.100000" { a = 1 } $6 == "retiring" && /,"b,c\.csv"$/ && $7 == "0.500000" { b = 1 } /^time,/ && !/,file$/ { bad = 1 } END { exit bad || !a || !b }' out || fail "csv: $(cat out)"
replay --format json a.csv b,c.csv
[ "$(grep -o '"file":"[^"]*"' out | tr '\n' ' ')" = '"file":"a.csv" "file":"b,c.csv" ' ] || fail "json: $(cat out)"
# of one there is no word
replay a.csv; grep -q a.csv out && fail "text of one: $(cat out)"
replay --format csv a.csv; grep -q 'a.csv\|,file' out && fail "csv of one: $(cat out)"
[ ! -e failed ]
