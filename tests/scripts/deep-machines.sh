#!/bin/sh
# SPDX-License-Identifier: MIT
# Levels 3 and 4 of simulated machines, multiplexed: each node is what tests/sim/level4.txt says, which neither tdprobe
# nor its tables made. All of what is measured in one go is stationary but on Granite Rapids, which has two phases.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines
truth=$TD_SRCDIR/tests/sim/level4.txt

# every node of the machine in csv: the value within 1 point or 1 % (with phases: within its bounds, or 3 points), the truth
# within the bounds, and the flags that say how it was counted
expect() { # MACHINE
    awk -F, -v machine="$1" -v phases="$2" '
        FNR == NR { if (split($0, t, " ") == 5 && t[1] == machine) { truth[t[4], t[3] ~ /-e$/ ? "E" : t[3] ~ /-p$/ ? "P" : ""] = t[5]; left++ } next }
        ($6, $4) in truth {
            want = truth[$6, $4]
            left--
            if (want == "absent") {
                if ($12 == "ok") { print "FAIL: " machine ": there is a value: " $0; bad = 1 }
                next
            }
            if ($12 == "impossible" && (want < -0.05 || want > 1.05))
                next
            d = $7 - want
            d = d < 0 ? -d : d
            allowed = phases ? 0.03 + 0.2 * (want < 0 ? -want : want) : 0.01
            if ($12 != "ok" || d > allowed) { print "FAIL: " machine ": " $0 ", not " want; bad = 1 }
            if ($9 != "") { bounded++; outside += ($9 > want + 1e-4 || $10 < want - 1e-4) }
            if ($9 != "" && !phases && ($9 > want + 1e-4 || $10 < want - 1e-4)) { print "FAIL: " machine ": " want " is not within: " $0; bad = 1 }
            flagged += /multiplexed/
            n++
        }
        END {
            if (left > 0) { print "FAIL: " machine ": " left " nodes are not there"; bad = 1 }
            if (bounded < 10 || outside > bounded / 20 + 1) { print "FAIL: " machine ": " outside " of " bounded " are outside their bounds"; bad = 1 }
            if (flagged < n / 2) { print "FAIL: " machine ": only " flagged " of " n " are multiplexed"; bad = 1 }
            exit bad }' "$truth" csv || touch failed
}

for machine in skylake icelake sapphirerapids graniterapids lunarlake; do
    t --machine "$machines/$machine.machine" -a --level 4 --timeout 4000 --format csv -o csv; exits 0
    expect $machine $([ $machine = graniterapids ] && echo 1 || echo 0)
done
[ ! -e failed ]
