#!/bin/sh
# SPDX-License-Identifier: MIT
# What the doctor says of the counters, each reason beside its neighbour: cycles that are impossible and those of a CPU that is slow or
# was taken away; counters that others hold and those that are free.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
# RATE ADDITIONS: that machine, whose measuring process executes what its command does, at so many slots a second, 6 in each cycle, with so
# many additions
machine() {
    { grep -v '^spin' "$spr"; sed -n '/^workload mixed/,/^run/{/^run/!p}' "$spr" | sed "s/^workload mixed rate=.*/workload slow rate=$1/"; echo "spin slow adds=$2"; } > this.machine
}

# 2.4e8 slots a second are 0.04 cycles a ns; 6 additions a cycle are the most that a core could make
while IFS=: read -r adds code words; do
    machine 240000000 "$adds"
    t doctor --machine this.machine
    exits "$code"; says "$words"
    case $code in 0) ! grep -q impossible out || fail "$what: $adds additions: $(grep impossible out)" ;; *) ! grep -q steal out || fail "$what: $adds additions: $(grep steal out)" ;; esac
done << END
20000000:0:^note +pmu +cpu: a loop of 5[0-9.]* ms had the CPU for only 2[0-9]{6} cycles, which its [0-9]+ additions confirm: .*steal
230000000:0:^note +pmu +cpu: .*steal
250000000:69:^OBSTACLE +lies +cpu: 2[0-9]{6} cycles in 5[0-9.]* ms of a loop of 12[0-9]{6} additions are impossible
3000000000:69:^OBSTACLE +lies .* of a loop of 15[0-9]{7} additions are impossible
END
# at 0.15 cycles a ns there is nothing to say
machine 900000000 20000000
t doctor --machine this.machine; exits 0; ! grep -qE 'steal|impossible' out || fail "$what: $(grep -E 'steal|impossible' out)"

[ ! -e failed ]
