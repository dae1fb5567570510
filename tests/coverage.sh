#!/bin/sh
# SPDX-License-Identifier: MIT
# Every CPU and every formula has a vector, and every vector is on the list.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
traces=$TD_SRCDIR/traces
cpus=$(sed -n 's/^cpu: *//p' "$traces"/*.expect | sort -u)
formulas=$(sed -n 's/^formula: *//p' "$traces"/*.expect | sed 's/ without .*//' | sort -u)

for cpu in $("$TDPROBE" list uarchs | awk '{ print $1 }'); do
    echo "$cpus" | grep -qx -- "$cpu" || fail "no vector in traces/ says 'cpu: $cpu'"
done
for formula in $("$TDPROBE" list metrics | awk '/^  / { print $1 }' | sort -u); do
    echo "$formulas" | grep -qx -- "$formula" || fail "no vector in traces/ says 'formula: $formula'"
done
for file in "$traces"/*.expect "$traces"/*.trace "$traces"/*.csv; do
    name=traces/$(basename "$file")
    grep -qE "^	$name( |\$)" "$traces/vectors.mk" || fail "$name is not in traces/vectors.mk"
done
for name in $(sed -n 's/^	\(traces\/[^ ]*\).*/\1/p' "$traces/vectors.mk"); do
    [ -e "$TD_SRCDIR/$name" ] || fail "traces/vectors.mk names $name, which is not there"
done
for file in "$traces"/*.expect; do
    grep -q '^expect: ' "$file" || fail "$file expects nothing"
    grep -q '^trace: ' "$file" || fail "$file names no trace"
    grep '^# ' "$file" | grep -qv SPDX || fail "$file does not say where it comes from"
done
exit $bad
