#!/bin/sh
# SPDX-License-Identifier: MIT
# replay --archive: one table of all recordings of a folder, whose sums of shares by slots are those of a query; labels of
# record and convert; what is refused.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

# Two hosts by hand: slots and fractions of a metrics register, 255 being all: 51/255 is 0.2.
trace() { # HOST LABELS SLOTS RETIRING/255
    printf '# tdprobe-trace: 1\n# cpu: spr\n# smt: off\n# source: perf\n# x-clock: 5000000000 1795690961000000000\n# x-host: %s\n# x-labels: %s\n# command: ./app "a b"\n' "$1" "$2"
    echo 'time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns'
    for at in 0 1; do
        ns=$((at * 1000000000))
        printf '%s,system,system,,0,0,%s,%s,%s,%s\n' \
            $ns slots $((at * $3)) $ns $ns $ns topdown-retiring $((at * $3 / 255 * $4)) $ns $ns $ns topdown-bad-spec 0 $ns $ns \
            $ns topdown-fe-bound 0 $ns $ns $ns topdown-be-bound $((at * $3 / 255 * (255 - $4))) $ns $ns
        printf '%s,system,system,,,0,end,5,,\n' $ns
    done
}
mkdir -p all/b/c all/none empty
trace one 'build=1;service=web' 2550000 51 > all/a.trace
trace 'two, "2"' 'build=2' 7650000 102 > all/b/c/z.trace
gzip -c all/b/c/z.trace > all/b/y.trace.gz 2> /dev/null
cp all/a.trace all/none/.hidden.trace
echo text > all/none/notes.txt
mkdir -p linked
trace linked 'a=b' 2550000 51 > linked/x.trace
ln -s ../linked all/link
readable=2
"$TDPROBE" replay all/b/y.trace.gz > /dev/null 2>&1 && readable=3
[ $readable = 3 ] || rm all/b/y.trace.gz

for jobs in 1 4; do
    "$TDPROBE" replay --archive -J $jobs --level 1 all > out.$jobs 2> err || fail "replay --archive -J $jobs: $(cat err)"
done
cmp -s out.1 out.4 || fail "-J 4 changes the archive"
[ "$(grep -c '^time,' out.1)" = 1 ] || fail "$(grep -c '^time,' out.1) headers"
head -n 1 out.1 | grep -q ',parent,summary,archive,ended,whole,file,host,labels,command$' || fail "columns: $(head -n 1 out.1)"
wanted='1.000000000,system,system,,spr,retiring,0.200000,slots,0.19[0-9]*,0.20[0-9]*,1.000000,ok,,sound,,,1.000000000,1,,,1,1795690962.000000000,2550000.000000,all/a.trace,one,build=1;service=web,"./app ""a b"""'
grep -qx "$wanted" out.1 || fail "no such row: $wanted: $(grep retiring out.1)"
grep -q 'verdict,.*,1,1795690962.000000000,,all/a.trace,one,build=1;service=web,' out.1 || fail "verdict: $(grep verdict out.1)"
grep -q ',7650000.000000,all/b/c/z.trace,"two, ""2""",build=2,' out.1 || fail "the second host: $(grep all/b/c out.1)"
grep -qE 'hidden|notes|linked' out.1 && fail "what is hidden or a link is read: $(grep -E 'hidden|notes|linked' out.1)"

# 0.2 of 2.55 million slots and 0.4 of 7.65 million, once or twice
if command -v python3 > /dev/null; then
    python3 - $readable << 'END' || fail 'the sum of shares is not that of the hosts'
import csv, sys
rows = [row for row in csv.DictReader(open("out.1")) if row["metric"] == "retiring"]
hosts = int(sys.argv[1])
assert len(rows) == hosts, rows
share = sum(float(r["value"]) * float(r["whole"]) for r in rows) / sum(float(r["whole"]) for r in rows)
wanted = (0.2 * 2.55 + (hosts - 1) * 0.4 * 7.65) / (2.55 + (hosts - 1) * 7.65)
assert abs(share - wanted) < 1e-6, (share, wanted)
assert all(None not in r and r["archive"] == "1" for r in csv.DictReader(open("out.1")))
END
fi

# the sum beside the intervals, and alone
"$TDPROBE" replay --archive --level 1 --summary-only all/a.trace > out 2> err || fail "--summary-only: $(cat err)"
grep -q ',1,,summary,1,1795690962.000000000,2550000.000000,all/a.trace,one,' out || fail "--summary-only: $(cat out)"
# a recording that cannot be read is named, and the others are there
echo broken > all/none/broken.trace
"$TDPROBE" replay --archive --level 1 all > out 2> err
[ $? = 65 ] && grep -q 'all/none/broken.trace' err || fail "broken.trace: $(cat err)"
cmp -s out out.1 || fail "broken.trace changes the others: $(diff out out.1)"

"$TDPROBE" replay --archive --format json all/a.trace > out 2> err
[ $? = 64 ] && grep -q 'archive is csv, and --format json is given: leave one of them out' err || fail "--format json: $(cat err)"
"$TDPROBE" replay --archive empty > out 2> err
[ $? = 65 ] && grep -q "empty: a directory without recordings, in it or below" err || fail "empty: $(cat err)"

# labels
label() { grep '^# x-labels' out; }
"$TDPROBE" convert --label build=7 --label zone=a all/a.trace > out 2> err || fail "convert --label: $(cat err)"
[ "$(label)" = '# x-labels: build=7;zone=a;service=web' ] || fail "convert --label: $(label)"
"$TDPROBE" convert all/a.trace > out && cmp -s out all/a.trace || fail "convert without labels changes the trace: $(diff out all/a.trace)"
"$TDPROBE" convert --label zone=a "$TD_SRCDIR/traces/adl-hybrid-csv.csv" --uarch adl > out 2> err || fail "convert of csv: $(cat err)"
[ "$(label)" = '# x-labels: zone=a' ] || fail "convert of csv: $(label)"
machine=$TD_SRCDIR/sim/machines/sapphirerapids.machine
"$TDPROBE" record --machine "$machine" --label build=1 --label 'who=a b' -a --timeout 50 -o out > /dev/null 2> err || fail "record --label: $(cat err)"
[ "$(label)" = '# x-labels: build=1;who=a b' ] || fail "record --label: $(label)"
for wrong in build =1 'a;b=1' 'a b=1'; do
    "$TDPROBE" record --machine "$machine" --label "$wrong" -a --timeout 50 -o never > out 2> err
    [ $? = 64 ] && grep -q 'is no label such as build=4711' err && [ ! -e never ] || fail "--label '$wrong': $(cat err)"
done
"$TDPROBE" record --machine "$machine" --label a=1 --label a=2 -a --timeout 50 -o never > out 2> err
[ $? = 64 ] && grep -q 'its key has been given already' err || fail "--label twice: $(cat err)"
[ ! -e failed ]
