#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe compare on recorded series: each value and claim is computed once more by halves.py; halves of a series
# differ only where its counts do; two programs differ.
# traces/series: github.com/Jerry0209/InferSuite b418c116, openclaw github.com/MohamadAlshaar/InferSuite 91ef2cee; Xeon w5-3425,
# perf 6.8 stat -I 10000 (openclaw: 1000, multiplexed) -x, -a --for-each-cgroup.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
"$TDPROBE" compare x y 2>&1 | grep -q 'without GSL' && exit 77
command -v python3 > /dev/null || exit 77

# again A B SCOPE-A [SCOPE-B]: what compare said, by the counts
again() { python3 "$TD_SRCDIR/tests/scripts/halves.py" "$1" "$3" "$2" "${4:-$3}" < out > found || fail "$what: $3: $(cat found)"; }
claims() { awk -F, -v scope="$1" '$3 == scope && $17 ~ /more|less/ && $6 !~ /^(slots|time|cycles|instructions|ipc)$/ { printf "%s%s %s", n++ ? ", " : "", $6, $17 }' out; }
for name in sympy openclaw phpoffice; do
    gzip -dc "$TD_SRCDIR/traces/series/spr-infersuite-$name.csv.gz" > $name.csv
    # the first and the second half; and every second stretch of ten intervals
    awk -F, '!/^#/ && NF > 6 { n += $1 != last; last = $1; time[NR] = n; line[NR] = $0 }
        END { for (i = 1; i <= NR; i++) if (line[i]) {
            print line[i] > (time[i] <= n / 2 ? "first.csv" : "second.csv")
            print line[i] > (int((time[i] - 1) / 10) % 2 ? "odd.csv" : "even.csv") } }' $name.csv
    for pair in first:second even:odd; do
        a=${pair%:*}.csv b=${pair#*:}.csv
        t compare --uarch spr -x, "$a" "$b"; exits 0
        for scope in $(cut -d , -f 3 out | sed 1d | sort -u); do
            again "$a" "$b" "$scope"
            [ $a = first.csv ] || [ -z "$(claims "$scope")" ] || fail "$what: stretches of ten intervals in turn differ: $(claims "$scope")"
        done
    done
done

# two programs, in the same minutes: the agent retires more, its container speculates worse
agent=measured.slice/glm-rep-phpoffice-bT-r6.scope container=measured.slice/docker-709979983b93a6ea3f0b4f86fdcfa316e5ebc8922035ffb8446949c2ef400c7f.scope
grep -F "$agent" phpoffice.csv > agent.csv
grep -F "$container" phpoffice.csv > container.csv
t compare --uarch spr -x, agent.csv container.csv; exits 0
again agent.csv container.csv $agent $container
[ "$(claims $agent | tr ',' '\n' | grep -cE '(frontend_bound|fetch_latency) more|(backend_bound|memory_bound) less')" -eq 4 ] || fail "$what: $(claims $agent)"
[ ! -e failed ]
