# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# tdprobe record --functions of a program that node compiles while it runs: the report has the names that node writes to its map,
# what it counted there is what the PMU was set to, and how much of it is as the program's own clock says: of few samples, within
# a factor of 2.
. /tests/lib.sh
. /tests/td.sh
. /tests/judge.sh

phases='60,20,100,75;180,10,25,40;20,5,10,220'
reload sampling=1 cycles_per_us=10 phases="$phases" || { not_ok node-module "it does not load"; exit 1; }
printf 'scan 180 10 25 40\nchase 20 5 10 220\n' > /tmp/functions

if ! tdprobe record --functions -c 100000 --overhead 100 --level 1 -o /tmp/node.data -- \
    node --perf-basic-prof /tests/hot.js 15 > /tmp/ran 2> /tmp/out; then
    not_ok node-record "it failed" /tmp/out
    exit 0
fi
if ! tdprobe report --uarch spr --level 1 --format csv /tmp/node.data > /tmp/whole.csv 2> /tmp/out; then
    not_ok node-report "it failed" /tmp/out
    exit 0
fi

# node names a function after the compiler ("*": the last one), and where it is in the source; each time that it was compiled it is
# another one: the one with the most slots counts
for name in scan chase; do
    awk -F, -v name="$name" 'index($1, "JS:*" name " /tests/hot.js:") == 1 { rows[$5] = rows[$5] $0 "\n"; if ($5 > most + 0) most = $5 }
        END { printf "%s", rows[most] }' /tmp/whole.csv | sed "s/^[^,]*/$name/"
done > /tmp/report.csv
if grep -q ',few_samples,' /tmp/report.csv; then
    skip pairs-node "the host was too busy for enough samples"
else
    judge node ok scan chase
fi

read -r scan_ms chase_ms rest < /tmp/ran
problem=$(awk -F, -v scan="$scan_ms" -v chase="$chase_ms" '$10 == "retiring" { slots[$1] = $5 }
    END {
        got = slots["chase"] ? slots["scan"] / slots["chase"] : 0
        print "# by its own clock: scan " scan " ms, chase " chase " ms, a ratio of " scan / chase "; by slots " got > "/dev/stderr"
        if (!(got > 0.5 * scan / chase && got < 2 * scan / chase)) print "the ratio of slots is " got ", of time " scan / chase
    }' /tmp/report.csv)
if [ -z "$problem" ]; then ok node-slots; else not_ok node-slots "$problem" /tmp/report.csv; fi
