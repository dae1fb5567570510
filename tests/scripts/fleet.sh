#!/bin/sh
# SPDX-License-Identifier: MIT
# fleet/: rules and alerts name only counters that tdprobe-openmetrics(5) has; promtool's own tests of them, where it is installed.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
folder=$TD_SRCDIR/fleet/prometheus
names=0
for name in $(cat "$folder"/*.yml | grep -oE '\btdprobe_[a-z_]+_total' | sort -u); do
    names=$((names + 1))
    grep -qw "$name" "$TD_SRCDIR/doc/tdprobe-openmetrics.5" || fail "tdprobe-openmetrics(5) has no $name, which fleet/ uses"
done
[ $names -ge 7 ] || fail "only $names names are used"
for name in $(grep -ohE '(instance|unit|fleet):tdprobe_[a-z_]+:rate5m' "$folder/tdprobe.alerts.yml" | sort -u); do
    grep -q "record: $name\$" "$folder/tdprobe.rules.yml" || fail "no rule records $name"
done
if command -v promtool > /dev/null; then
    promtool check rules "$folder/tdprobe.rules.yml" "$folder/tdprobe.alerts.yml" > out 2>&1 || fail "promtool: $(cat out)"
    promtool test rules "$folder/tdprobe.tests.yml" > out 2>&1 || fail "promtool: $(cat out)"
else
    echo 'promtool is not installed: its tests are left out'
fi
[ ! -e failed ]
