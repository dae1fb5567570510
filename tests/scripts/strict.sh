#!/bin/sh
# SPDX-License-Identifier: MIT
# --strict and --min-coverage of replay and stat: exit code 3 in place of 0, of nothing else.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
rows() { # PERCENT: counted exactly, but in so much of the time
    for row in 1000,,slots 200,,topdown-retiring 100,,topdown-bad-spec 300,,topdown-fe-bound 400,,topdown-be-bound 0,,int_misc.uop_dropping; do echo "$row,900,$1,,"; done
}
rows 100.00 > whole.csv
rows 50.00 > half.csv
{ rows 100.00 | sed 's/^/1.000000000,/'; rows 30.00 | sed 's/^/2.000000000,/'; rows 80.00 | sed 's/^/3.000000000,/'; } > mixed.csv

t replay --uarch spr --strict whole.csv; exits 0; empty err; mv out wanted
t replay --uarch spr whole.csv; cmp -s out wanted || fail "$what: --strict shows something else"
t replay --uarch spr half.csv; exits 0
t replay --uarch spr --strict half.csv; exits 3; warns '1 of 1 results .* multiplexed'; says 'retiring'
t replay --uarch spr --strict mixed.csv; exits 3; warns '2 of 3 results'
t replay --uarch spr --strict --summary-only mixed.csv; exits 3; warns '1 of 1 results'
t replay --uarch spr --min-coverage 0.5 half.csv; exits 0; empty err
t replay --uarch spr --min-coverage 0.51 half.csv; exits 3; warns 'counted in 0.5 of the time only'
t replay --uarch spr --min-coverage 0.3 mixed.csv; exits 0
t replay --uarch spr --min-coverage 0.31 mixed.csv; exits 3; warns 'counted in 0.3 of'
t replay --uarch spr --min-coverage 1 --strict whole.csv; exits 0
t replay --uarch spr --min-coverage 0 half.csv; exits 0
# several recordings: of one that is doubtful
t replay --uarch spr --strict -J 2 whole.csv half.csv; exits 3
t replay --uarch spr --strict -J 2 whole.csv whole.csv; exits 0
# what is wrong anyway keeps its code
t replay --uarch spr --strict nonesuch.csv; exits 65
t replay --uarch spr --min-coverage 2 half.csv; exits 64; warns "'2' is not a share"
t replay --uarch spr --min-coverage x half.csv; exits 64
t replay --uarch spr --min-coverage nan half.csv; exits 64
t convert --uarch spr --strict half.csv; exits 64
# a value that is not there is not flagged: only what is shown counts
head -n 2 half.csv > few.csv
t replay --uarch spr --strict few.csv; [ $code -ne 3 ] || fail "$what: nothing is shown, but that is doubtful"

machine=$TD_SRCDIR/sim/machines/sapphirerapids.machine
t stat --machine "$machine" --strict --min-coverage 1 -a --timeout 100; exits 0
t stat --machine "$machine" --level 4 --min-coverage 0.9 -a --timeout 100; exits 3; warns 'min-coverage 0.9: a result was counted in'
t stat --machine "$machine" --level 4 --strict -a --timeout 100; exits 3; warns 'strict: '
t stat --machine "$machine" --level 4 -a --timeout 100; exits 0
t stat --machine "$machine" --level 4 -j --strict -a --timeout 100; exits 3
[ ! -e failed ]
