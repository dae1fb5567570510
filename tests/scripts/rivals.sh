#!/bin/sh
# SPDX-License-Identifier: MIT
# A pinned level 1 beside another program's pinned events, which had been opened before it and are enabled while it counts (in a description
# of a machine: "rival"): it is said, at the next interval, and level 1 is counted again once they are gone.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine # 16 CPUs, each with 8 programmable counters, of which level 1 needs one
lost='the level-1 group of cpu lost its counters'
# EVENTS CPU...: so many from 120 to 320 ms on each of these CPUs; the first gets fixed counter 1, and others programmable ones
rivals() {
    n=$1; shift
    { cat "$spr"; for cpu; do echo "rival $cpu $n at=120 until=320"; done; } > rival.machine
}
# the status, and whether it is multiplexed, of retiring in each interval
retiring() { awk -F, '$6 == "retiring" && $20 != "summary" { printf "%s%s ", $12, $13 ~ /multiplexed/ ? "+" : "" }' csv; }

rivals 9 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
t --machine rival.machine -a --level 3 -I 100 --timeout 600 --format csv -o csv; exits 0
warns "$lost on CPU 0: pinned events of somebody else have them .*Level 1 is not counted there until they are free\. What to do: end what else measures"
[ "$(grep -c "$lost" err)" = 1 ] || fail "$what: not told once: $(cat err)"
# in the fourth one it was counted from 320 ms on, of which the reading at 400 ms is the first to enable it again
[ "$(retiring)" = 'ok not_counted not_counted not_counted ok ok ' ] || fail "$what: retiring is $(retiring)"
[ "$(awk -F, '$6 == "retiring" && $1 > 0.45 && $20 != "summary" { print $14 }' csv | sort -u)" = sound ] || fail "$what: no bounds at the end: $(cat csv)"
# the neighbours: rivals that leave level 1 its counter, those of other CPUs, and none
rivals 8 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
t --machine rival.machine -a --level 3 -I 100 --timeout 600 --format csv -o csv; exits 0
! grep -q "$lost" err || fail "$what: it lost nothing: $(cat err)"
[ "$(retiring)" = 'ok ok ok ok ok ok ' ] || fail "$what: retiring is $(retiring)"
rivals 9 4
for cpus in 0-3 0-7; do
    t --machine rival.machine -C $cpus --level 3 -I 100 --timeout 600 --format csv -o csv; exits 0
    case $cpus in 0-3) ! grep -q "$lost" err || fail "$what: it lost nothing: $(cat err)" ;; *) warns "$lost on CPU 4: " ;; esac
done
# at level 1 alone no group is pinned
rivals 9 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
t --machine rival.machine -a --level 1 -I 100 --timeout 600 --format csv -o csv; exits 0
! grep -q "$lost" err || fail "$what: it is not pinned: $(cat err)"

# A command on CPU 0 for 400 ms has a child on CPU 5, which task 701 leaves free, for 200 ms from 100 ms on. A rival on CPU 5 from 200 ms on
# takes the counters from the child alone, which fails alone: of 600 ms the level-1 group was counted for 500, less what passed before the
# command began. One on CPU 6 takes nothing.
for cpu in 5 6; do
    { grep -v '^command\|^start' "$spr"; echo 'command mixed ms=400 cpus=0'; echo 'start mixed at=100 ms=200 cpus=5'; echo "rival $cpu 9 at=200"; } > child.machine
    t record --machine child.machine --level 3 --format csv -o child.trace -- app; exits 0
    case $cpu in
    5)
        warns "$lost in a thread or child: pinned events of somebody else have them"
        least=499000000 ;;
    *)
        ! grep -q "$lost" err || fail "$what: it lost nothing: $(cat err)"
        least=600000000 ;;
    esac
    awk -F, -v least=$least '
        $5 == 0 && $9 > 0 { n++; if ($9 != 600000000 || $10 < least || $10 > least + 1000000) bad = 1 }
        END { exit bad || !n }' child.trace || fail "$what: rival on CPU $cpu: $(awk -F, '$5 == 0 && $9 > 0' child.trace)"
done
# in the command itself
{ grep -v '^command\|^start' "$spr"; echo 'command mixed ms=400 cpus=0'; echo 'rival 0 9 at=200'; } > child.machine
t record --machine child.machine --level 3 --format csv -o child.trace -- app; exits 0
warns "$lost in task [0-9]+: "
[ ! -e failed ]
