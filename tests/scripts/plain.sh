#!/bin/sh
# SPDX-License-Identifier: MIT
# What is plain in text: doubts are said once and explained, idle scopes are called idle, and no verdict is a bare mark.
. "$TD_SRCDIR/tests/scripts/checks.sh"
traces=$TD_SRCDIR/traces

# rows TIME SLOTS RETIRING BAD FE BE: perf stat -x of one interval
rows() {
    at=$1; shift
    for event in slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound; do
        printf '     %s,%s,,%s,%s,,\n' "$at" "$1" "$event" "${ran:-1000000000,100.00}"
        shift
    done
}

# once 'TEXT': in out, exactly one line has it
once() { [ "$(grep -cF -e "$1" out)" -eq 1 ] || fail "$what: not once: $1: $(cat out)"; }

# ---- flags of all rows stand once, below; what they mean too
ran=500000000,50.00 rows 1.000000000 1000 200 100 300 400 > some
t replay --uarch spr --format tree some; exits 0; once 'multiplexed'; once '! multiplexed (counted for part of the time'
ran=500000000,50.00 rows 2.000000000 1000 200 100 300 400 >> some
t replay --uarch spr --format tree some; exits 0
[ "$(grep -c '! multiplexed' out)" -eq 2 ] || fail "$what: not below each tree: $(cat out)"
once 'counted for part of the time'
! grep -q 'no_bounds' out || fail "$what: no bounds and no_bounds: $(cat out)"
t replay --uarch spr --format csv some; exits 0; says ',multiplexed'

# ---- bounds and the flag that there are none
t replay "$traces/spr-lkml-default-events-capitalised.trace"; exits 0; ! grep -q 'no_bounds' out || fail "$what: $(cat out)"

# ---- idle: no slot passed; its events were never enabled; enabled and not counted is another thing
rows 1.000000000 0 0 0 0 0 > idle
t replay --uarch spr idle; says '^ +retiring +-  idle$'; says '^ *=> idle: no slot passed$'
t replay --uarch spr --format csv idle; says ',retiring,.*,no_slots,'
ran=0,100.00 rows 1.000000000 '<not counted>' '<not counted>' '<not counted>' '<not counted>' '<not counted>' > never
t replay --uarch spr never; says '^ +retiring +-  idle$'; says '^ *=> idle: nothing ran$'
t replay --uarch spr --format csv never; says ',retiring,.*,not_counted,'
sed 's/,0,100.00/,0,0.00/' never > starved
t replay --uarch spr starved; says '^ +retiring +-  not_counted'; ! grep -q idle out || fail "$what: $(cat out)"

# ---- several in lines: each mark is explained once, before the first line that has it; no verdict is '-'
{
    rows 1.000000000 1000000 690000 100000 110000 100000
    rows 2.000000000 1000000 700000 100000 100000 100000
    rows 3.000000000 0 0 0 0 0
    rows 4.000000000 1000000 400000 160000 150000 290000
} > lines
t replay --uarch spr lines; exits 0
says '  none: 69 % retiring$'; says '  none: 70 % retiring$'; says '  idle$'
! grep -qE ' (-|retiring\?)$' out || fail "$what: $(cat out)"
ran=500000000,50.00 rows 5.000000000 1000000 400000 160000 150000 290000 >> lines
ran=500000000,50.00 rows 6.000000000 1000000 400000 160000 150000 290000 >> lines
t replay --uarch spr lines; exits 0
mark=$(sed -n 's/.*29\.0\([?~]\).*/\1/p' out | sed -n 1p)
case $mark in '?') once '# number?: without bounds' ;; '~') once '# ~: by likely bounds' ;; *) fail "$what: $(cat out)" ;; esac
t replay --uarch spr --format tree lines; exits 0; says '=> none: 69 % retiring, no node but retiring can be above its threshold$'
[ ! -e failed ]
