#!/bin/sh
# SPDX-License-Identifier: MIT
# An interval's result is that of the interval alone, whatever came before it: alone.py.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo 'skipped: no python3'; exit 77; }
for seed in 1 2 3; do
    python3 "$TD_SRCDIR/tests/scripts/alone.py" "$TDPROBE" $seed > out 2>&1 || fail "seed $seed: $(head -n 6 out)"
done
[ ! -e failed ]
