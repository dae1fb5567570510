#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe collect for three simulated days, of make check-long: cgroups come and go, all counted or by turns. In the last hour there are as many
# descriptors and as much memory as in the first, no counter ever falls, and in the end all add up.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
trap '[ -z "${pid:-}" ] || kill "$pid" 2> /dev/null; rm -rf "$tmp"' EXIT
seconds=$((3 * 86400))
"$CC" -std=gnu11 -shared -fPIC -o clocks.so "$TD_SRCDIR/tests/scripts/clocks.c" || fail 'clocks.c' # keeps the last text
# One that stays has a task, for half a core: 9e9 slots a second. Another comes every 18 s, 14,400 in three days, for which a description of
# 1 MiB has room. For half an hour each goes after 100 s, so that 6 or 7 are there, and each that goes is closed alone; in the next half each
# goes after 300 s: 17 or 18, and so many opened one by one are opened anew. The counters' descriptors are simulated: they show as memory.
{
    grep -v '^task 701 \|^cgroup app' "$TD_SRCDIR/sim/machines/sapphirerapids.machine"
    printf '%s\n' 'task 800 t mixed cpus=12' 'cgroup churn/stays tasks=800'
    seq 1 18 $seconds | awk '{ printf "cgroup churn/n%d from=%d500 until=%d500\n", NR, $1, $1 + ($1 % 3600 < 1800 ? 100 : 300) }'
    echo "signal SIGTERM at=$((seconds + 1))000"
} > days.machine
cat > falls.awk << 'EOT'
/^#/ || $1 !~ /_total/ { next }
NR == FNR { old[$1] = $2; next }
$1 in old && $2 + 0 < old[$1] + 0 { print $1 " falls from " old[$1] " to " $2 }
EOT
cat > sums.awk << 'EOT'
{ scope = ""; if (match($1, /scope="[^"]*/)) scope = substr($1, RSTART + 7, RLENGTH - 7) }
/^tdprobe_slots_total.*level="1"/ { sum[scope] += $2 }
/^tdprobe_slots_all_total/ { all[scope] = $2 }
/^tdprobe_measured_seconds_total/ { s[scope] = $2 }
/^tdprobe_intervals_total/ { n[scope] += $2 }
/^tdprobe_intervals_total.*"exact"/ { exact[scope] = $2 }
/^tdprobe_intervals_total.*"partial"/ { partial[scope] = $2 }
/^tdprobe_cgroups/ { there += $2 }
END {
    for (scope in all) {
        off = sum[scope] - all[scope]
        if (off > 1e-6 * all[scope] || off < -1e-6 * all[scope]) printf "%s: nodes of level 1 have %.0f of %.0f slots\n", scope, sum[scope], all[scope]
        # opening counters anew takes some simulated milliseconds, in which nothing is counted
        if (s[scope] < 9.99 * n[scope] || s[scope] > 10 * n[scope] + 1) print scope ": " n[scope] " intervals are " s[scope] " s"
    }
    it = "churn/stays"
    if (all[it] / s[it] < 8.9e9 || all[it] / s[it] > 9.1e9) print all[it] / s[it] " slots a second"
    if (s[it] < 0.9999 * 10 * n[it]) print it ": " n[it] " intervals are " s[it] " s"
    # by turns: the fifth comes after 55.5 s, in the sixth interval
    if (exact[it] != (turns ? 6 : seconds / 10) || exact[it] + partial[it] != n[it]) print exact[it] " exact and " partial[it] " partial intervals of " n[it]
    # 4 places for 6.6 and for 17.7, half of the time each: 0.42
    if (turns && (n[it] < seconds / 10 * 0.37 || n[it] > seconds / 10 * 0.47)) print n[it] " intervals by turns"
    if (there < 17 || there > 18) print there " cgroups"
}
EOT
for most in 100 4; do
    what="three days, $most cgroups at a time"
    rm -rf dir && mkdir dir && : > before && : > samples && : > wrong
    KEEP=1 LD_PRELOAD=$PWD/clocks.so "$TDPROBE" collect --textfile dir --machine days.machine --fast -I 10000 --max-cgroups $most --for-each-cgroup 'churn/*' > out 2> err < /dev/null &
    pid=$! began=$(date +%s)
    while kill -0 "$pid" 2> /dev/null; do
        sleep 0.05
        cp dir/tdprobe.prom text 2> /dev/null || continue
        echo "$(sed -n 's,^tdprobe_measured_seconds_total{scope="churn/stays".*} ,,p' text) $(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status") $(ls "/proc/$pid/fd" | wc -l)" >> samples 2> /dev/null
        awk -f falls.awk before text >> wrong
        mv text before
    done 2> /dev/null
    wait "$pid"
    code=$? pid=; exits 0
    # The task is counted as often in each hour, also by turns. A descriptor more: a file is written.
    awk -v hour="$(awk -v s=$seconds 'NF == 3 { last = $1 } END { print last * 3600 / s }' samples)" -v all="$(awk 'NF == 3 { last = $1 } END { print last }' samples)" '
        NF != 3 { next }
        $1 <= hour { n++; kb = $2 > kb ? $2 : kb; fds = $3 > fds ? $3 : fds }
        $1 >= all - hour { m++; now_kb = $2 > now_kb ? $2 : now_kb; now_fds = $3 > now_fds ? $3 : now_fds }
        END {
            print "# the first hour, and the last: " kb " and " now_kb " KiB, " fds " and " now_fds " descriptors (" n " and " m " looks)" > "/dev/stderr"
            if (!n || !m) print "no look in the first hour, or in the last"
            if (now_kb > kb + 512) print now_kb " KiB, in the first hour " kb
            if (now_fds > fds + 1) print now_fds " descriptors, in the first hour " fds
        }' samples >> wrong
    echo "# $((seconds / 10)) intervals in $(($(date +%s) - began)) s, $(wc -l < samples) looks"
    awk -f falls.awk before dir/tdprobe.prom >> wrong
    awk -v seconds=$seconds -v turns=$((most < 6)) -f sums.awk dir/tdprobe.prom >> wrong
    [ ! -s wrong ] || fail "$what: $(head -n 8 wrong)"
done
[ ! -e failed ]
