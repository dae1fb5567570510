#!/bin/sh
# SPDX-License-Identifier: MIT
# Reasons of limits: each with a recording that has one more than there may be, and with one beside it that has as many.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

level1() { # SECOND
    for c in 6000000=slots 1400000=topdown-retiring 1000000=topdown-bad-spec 1500000=topdown-fe-bound 2100000=topdown-be-bound; do
        printf '%d.000000000,%s,,%s,1000000,100.00,,\n' "$1" "${c%%=*}" "${c#*=}"
    done
}
events() { # SECOND FIRST LAST EACH: from this event on, so many, each of them so many times
    awk -v t="$1" -v first="$2" -v last="$3" -v each="$4" 'BEGIN {
        for (i = first; i <= last; i++) for (n = 0; n < each; n++)
            printf "%d.000000000,1000,,cpu/event=0x%x,umask=0x%x/,1000000,100.00,,\n", t, i / 256 + 1, i % 256
    }'
}
refused() { [ $code -eq 65 ] || fail "$line: exit $code, not 65"; grep -qE -- "$1" err || fail "$line: stderr lacks '$1': $(cat err)"; }
accepted() { [ $code -eq 0 ] || fail "$line: exit $code: $(cat err)"; ! grep -qE -- "$1" err || fail "$line: stderr has '$1': $(cat err)"; }
read_it() { line=$1; shift; t replay --uarch spr --summary-only "$@" a; }

# ---- events: as many names as there may be, in all intervals together
names='a:[0-9]+: more than 4096 different events$'
{ level1 1; events 1 1 2045 1; level1 2; events 2 3001 5046 1; } > a; read_it '4096 events'; accepted "$names"
{ level1 1; events 1 1 2045 1; level1 2; events 2 3001 5047 1; } > a; read_it '4097 events'; refused "$names"

# ---- counts that are added up: an event counts as often as an interval has it, and what is advised is taken
counts='a:[0-9]+: the sum of all intervals has more than 4096 counts of events; --time sums a part of them$'
{ level1 1; events 1 1 20 100; level1 2; events 2 101 119 110; events 2 120 120 1; } > a; read_it '4096 counts'; accepted "$counts"
{ level1 1; events 1 1 20 100; level1 2; events 2 101 119 110; events 2 120 120 2; } > a; read_it '4097 counts'; refused "$counts"
read_it 'a part of 4097 counts' --time 0,1; accepted "$counts"

# ---- sets of metrics beside counts, of which the empty one is one: those of a recording, and those that its sum makes of them
sets='a:[0-9]+: more than 4096 different sets of metrics beside counts$'
all='retiring bad_speculation frontend_bound backend_bound light_operations heavy_operations fetch_latency fetch_bandwidth branch_mispredicts machine_clears core_bound memory_bound'
beside() { # SECOND EVENT SET PREFIX: as many counts as sets up to this one, or, with an event, one; each with the metrics whose bits the set has
    awk -v t="$1" -v event="$2" -v set="$3" -v prefix="$4" -v names="$all" 'BEGIN {
        n = split(names, name, " ")
        for (s = event ? set : 1; s <= set; s++) {
            e = event ? event : s
            begun = sprintf("%d.000000000,1000,,cpu/event=0x%x,umask=0x%x/,1000000,100.00", t, e / 256 + 1, e % 256)
            for (b = 0; b < n; b++)
                if (int(s / 2 ^ b) % 2) {
                    print begun ",23.0," prefix name[b + 1]
                    begun = sprintf("%d.000000000,,,,,", t)
                }
        }
    }'
}
interval() { level1 1; beside 1 0 4085 tma_; level1 2; for s in 4086 4087 4088 4089 4090 4091 4092 4093 4094; do beside 2 $((s - 2048)) $s tma_; done; }
interval > a
beside 2 4086 1 '' >> a; read_it '4096 sets'; accepted "$sets"
cp a full
beside 2 4086 2 '' >> a; read_it '4097 sets'; refused "$sets"
# what one interval has beside the first event, and another one, are together a set that neither has
{ cat full; level1 3; beside 3 1 4093 tma_; } > a; read_it '4096 sets, of which the sum needs no other'; accepted "$sets"
{ cat full; level1 3; beside 3 1 4094 tma_; } > a; read_it '4096 sets, and another one in the sum'; refused "$sets"

# ---- samples that say no time, and those that do
times='the samples have no times, as with perf record --per-thread, which leaves out threads that are started later: record without it$'
t report --uarch spr "$TD_SRCDIR/tests/samples/perthread.data"; exits 0; warns "$times"
t report --uarch spr "$TD_SRCDIR/tests/samples/pairs.data"; exits 0; ! grep -qE "$times" err || fail "$what: $(cat err)"

# ---- intervals that are so short that reading counters takes much of them
short='-I [0-9]+: below 10 ms, measuring itself may take much of the time$'
t stat --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --fast -a -I 9 --timeout 20; exits 0; warns "$short"
t stat --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --fast -a -I 10 --timeout 20; exits 0; ! grep -qE -- "$short" err || fail "$what: $(cat err)"
[ ! -e failed ]
