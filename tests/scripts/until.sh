#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe --until: runs a command until its shares are known well enough.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
awk -v seed=1 -v stretches=200 -v ms=100 -v scatter=0.015 -v short=0 -v stays=0 -v drift=0 -v more=0 -v counters=8 -v run=100 \
    -f "$TD_SRCDIR/tests/support/programs.awk" > machine
# the widest share's bounds, each way, and the runs
widest() { awk '/ \+- .* \.\. / { half = ($NF - $(NF - 2)) / 2; if (half > most) most = half } END { print most }' err; }
runs() { sed -n 's/.* elapsed in \([0-9]*\) runs$/\1/p' err; }

t --until 2pp --machine machine --fast -- app; exits 0; [ "$(runs)" = 8 ] || fail "$what: $(runs) runs, not 8"
t --until 0.7 --machine machine --fast -- app; exits 0
[ "$(runs)" -gt 8 ] && [ "$(runs)" -lt 50 ] || fail "$what: $(runs) runs"
awk -v half="$(widest)" 'BEGIN { exit !(half > 0.5 && half <= 0.75) }' || fail "$what: bounds reach $(widest) points" # printed to 0.1
grep -q -- '--until' err && fail "$what: $(grep -- '--until' err)"
t --until 0.3pp --max-runs 12 --machine machine --fast -- app; exits 0; [ "$(runs)" = 12 ] || fail "$what: $(runs) runs, not 12"
warns '^tdprobe: --until 0.3pp: [a-z_]* is known within [0-9.]* points after 12 runs; about [0-9]* runs would do'
needs=$(sed -n 's/.*about \([0-9]*\) runs would do.*/\1/p' err)
t --until 0.3pp --max-runs $((needs * 2)) --machine machine --fast -- app; exits 0
[ "$(runs)" -ge $((needs / 3)) ] && [ "$(runs)" -lt $((needs * 2)) ] || fail "$what: $(runs) runs, where $needs were foretold"
# the register's own bounds are wider
t --until 0.1 --fixed --machine machine --fast -- app; exits 0; [ "$(runs)" = 8 ] || fail "$what: $(runs) runs, not 8"
warns "more runs cannot do it: each run's own bounds are wider"

t --until 0 -- true; exits 64; warns "'0' is not a number of points"
t --until 1% -- true; exits 64
t --until 1pp -r 5 -- true; exits 64; warns 'exclude each other'
t --until 1pp -r 5 --max-runs 9 -- true; exits 64; warns 'exclude each other'
t --until 1pp -I 100 -- true; exits 64; warns '--until and -I exclude'
t --until 1pp -a; exits 64; warns '--until needs a command'
t --max-runs 9 -- true; exits 64; warns '--max-runs is for --until'
t --until 1pp --max-runs 7 -- true; exits 64; warns 'from 8'
t record --until 1pp -o x -- true; exits 64
sed 's/name=app /&exit=4 /' machine > failing
t --until 2pp --machine failing --fast -- app; exits 4
[ ! -e failed ]
