#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record --functions where groups of events take turns: two functions, each of which does one of two things for times of random length,
# take turns of random length. Their shares are those of all slots that they had, and bounds hold them in 95 of 100 cases.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines
seeds='1 2 3'
[ -n "${TD_QUICK-}" ] || seeds='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'

# What the functions do, in shares of the slots, and how each CPU counts that (functions-machines.sh has the formulas); of the frontend's
# slots, latency takes a part. The random numbers are those of Park and Miller.
program() { # MACHINE RATE SEED, and the mean lengths of what is done and of both functions' turns, in ms; writes the file truth, too
    sed '/^workload /,$d' $machines/$1.machine
    echo "workload two rate=$2 file=/sim/two at=0x400000 size=0x10000"
    awk -v machine="$1" -v seed="$3" -v inner="$4" -v one="$5" -v two="$6" '
        function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        function length_of(mean) { return -mean * log(random()) }
        function count(event, rate) { print "count", event, rate }
        function counts(s) {
            if (machine == "knightslanding") {
                count("0x3c", "0.5 clock"); count("0x4ca", s[2] / 2); count("0x90ca", s[3] / 2); count("0x10c2", s[1])
                return
            }
            count("0x76", "0.166667 clock"); count("0xc1", s[1]); count("0x7aa", s[1] + s[2]); count("0x1000001a0", s[3])
            count("0x100001ea0", s[4]); count("0x1000060a0", 0); count("0x1060001a0", s[5] / 6)
        }
        BEGIN {
            does[1, 0] = "0.9 0.02 0.04 0.04 0.03"; does[1, 1] = "0.3 0.1 0.4 0.2 0.12"
            does[2, 0] = "0.1 0.05 0.05 0.8 0.03"; does[2, 1] = "0.5 0.05 0.25 0.2 0.18"
            split("retiring bad_speculation frontend_bound backend_bound frontend_bound_latency", metric, " ")
            for (at = 1; all < 1500; at = 3 - at)
                for (left = length_of(at == 1 ? one : two); left > 0; left -= us / 1000) {
                    us = int(1000 * length_of(inner)) + 20
                    us = us < 1000 * left ? us : int(1000 * left) + 1
                    split(does[at, random() < 0.5], s, " ")
                    printf "phase us=%d function=0x40%d000 retiring=%s bad=%s frontend=%s backend=%s\n", us, at, s[1], s[2], s[3], s[4]
                    counts(s)
                    all += us / 1000; of[at] += us / 1000
                    for (i = 1; i <= 5; i++) sum[at, i] += s[i] * us / 1000
                }
            printf "command two ms=%d cpus=0 name=two\n", all
            for (at = 1; at <= 2; at++)
                for (i = 1; i <= (machine == "genoa" ? 5 : 4); i++)
                    print "[two+0x" at "000]", metric[i], sum[at, i] / of[at], of[at] / all > "truth"
        }'
}

# MACHINE RATE OPTIONS: adds to the file judged, for each node of each function, whether the bounds hold the truth
judge() {
    for seed in $seeds; do
        for lengths in '1 7 11' '1 40 60' '3 7 11' '10 40 60'; do
            # shellcheck disable=SC2086
            program $1 $2 $seed $lengths > random.machine
            # shellcheck disable=SC2086
            t record --functions $3 --machine random.machine --fast -o random.data -- two; exits 0; warns 'groups of events that take turns'
            t report --by address --format csv random.data; exits 0
            awk -F, -v what="$1, seed $seed, $lengths" '
                FNR == NR { split($0, f, " "); truth[f[1] "," f[2]] = f[3]; time[f[1]] = f[4]; n++; next }
                ($1 "," $10) in truth {
                    seen++
                    share = truth[$1 "," $10]
                    held = $15 == "" ? "none" : $15 <= share && share <= $16 ? "held" : "missed"
                    print held, what, $1, $10 ": " share " in " $15 " .. " $16
                    if ($5 - time[$1] > 0.02 || time[$1] - $5 > 0.02) print "time", what, $1 " has " $5 ", not " time[$1]
                }
                END { if (seen != n) print "time", what, seen + 0 " values, not " n }' truth out >> judged
        done
    done
}
: > judged
judge knightslanding 5200000000 ''
judge genoa 22200000000 '--level 2'
! grep '^time' judged > wrong || fail "$(head -n 3 wrong)"
if ! grep -q 'without GSL' err; then
    # of each CPU, and of each CPU and lengths where there are enough for it: those of one program depend on each other
    awk '
        { of[1] = $2; of[2] = $2 " " $5 " " $6 " " $7; for (i = 1; i <= 2; i++) { all[of[i]]++; held[of[i]] += $1 == "held" } }
        END { for (i in all) if ((i !~ / / || all[i] > 100) && held[i] < 0.95 * all[i]) print i ": " held[i] " of " all[i] " bounds hold"; if (!NR) print "none" }' judged > wrong
    [ ! -s wrong ] || fail "$(cat wrong): $(grep -v '^held' judged | head -n 3)"
fi
[ ! -e failed ]
