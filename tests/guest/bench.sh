# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# CPU time of tdprobe and of perf stat, both counting all CPUs every 10 ms for
# 3 s (perf does not accept --timeout with -I, so both run sleep). Alternating rounds, medians.
. /tests/lib.sh
rounds=5
reload || exit 1
if [ "$kind" = n2 ]; then uarch_option="--uarch n2-r0p3"; else uarch_option=; fi
can_measure=0
measures && can_measure=1

median() { sort -n "$1" | sed -n "$((rounds / 2 + 1))p"; }

: > /tmp/perf.us
: > /tmp/td.us
round=0
while [ $round -lt $rounds ]; do
    load cputime perf stat -x, -o /tmp/csv -a -I 10 -e "$group" -- sleep 3 >> /tmp/perf.us
    if [ $can_measure = 1 ]; then
        # shellcheck disable=SC2086
        load cputime tdprobe stat $uarch_option --level 1 --format csv -o /tmp/td.csv -a -I 10 -- sleep 3 >> /tmp/td.us
    fi
    round=$((round + 1))
done
perf=$(median /tmp/perf.us)
# how often each of them actually read: under emulation 10 ms is short
perf_reads=$(grep -v '^#' /tmp/csv | cut -d, -f1 | sort -u | grep -c '[0-9]')
printf '=\tperf stat -a -I 10, 3 s: %s ms CPU time, %s intervals in the last round\n' $((perf / 1000)) "$perf_reads"
if [ $can_measure = 0 ]; then
    skip bench "this tdprobe does not measure"
    exit 0
fi
td=$(median /tmp/td.us)
td_reads=$(sed 1d /tmp/td.csv | cut -d, -f1 | sort -u | grep -c '[0-9]')
printf '=\ttdprobe -a -I 10, 3 s:   %s ms CPU time, %s intervals in the last round\n' $((td / 1000)) "$td_reads"
awk -v a="$td" -v b="$perf" -v m="$td_reads" -v n="$perf_reads" 'BEGIN {
    printf "=\ttdprobe / perf: %.2f, for each interval %.2f\n", a / b, m && n ? a / m / (b / n) : 0 }'
ok bench
