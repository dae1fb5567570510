#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py TRUTH RESULTS: whether the queries of fleet/ give what generate.py knows: shares equal it, bounds hold it, and
the hosts that differ are those that were made to."""
import json
import sys

truth, got = (json.load(open(path)) for path in sys.argv[1:3])
failed = 0
checked = 0


def fail(text):
    global failed
    failed += 1
    if failed <= 10:
        print(f"FAIL: {text}")


def shares(kind):
    return {tuple(str(word) for word in row[:-3]): row[-3] for row in truth[kind]}


def same(kind, columns, skip=lambda key: False):
    """Each share of the truth has its row, whose bounds hold it."""
    global checked
    wanted = {key: share for key, share in shares(kind).items() if not skip(key)}
    rows = {tuple(str(row[column]) for column in columns): row for row in got[kind]}
    if set(rows) != set(wanted):
        fail(f"{kind}: rows {sorted(set(rows) ^ set(wanted))[:4]} are on one side alone")
    for key in set(rows) & set(wanted):
        row, share = {name: float(rows[key][name]) for name in ("share", "low", "high")}, wanted[key]
        checked += 1
        if abs(row["share"] - share) > 2e-6:
            fail(f"{kind} {key}: share {row['share']}, true {share}")
        if not row["low"] - 1e-6 <= share <= row["high"] + 1e-6:
            fail(f"{kind} {key}: {row['low']} to {row['high']}, true {share}")


same("services", ["service", "node"], lambda key: key[1] == "retiring")
same("hours", ["hour", "node"])
same("generations", ["service", "cpu", "node"])

builds = shares("builds")
changes = {(service, node): builds[service, "b2", node] - builds[service, "b1", node] for service, _, node in builds}
rows = {(row["service"], row["node"]): row for row in got["builds"]}
if set(rows) != set(changes):
    fail(f"builds: {sorted(set(rows) ^ set(changes))[:4]}")
certain = set()
for key in set(rows) & set(changes):
    row, change = rows[key], changes[key]
    checked += 1
    if (row["before"], row["after"]) != ("b1", "b2"):
        fail(f"builds {key}: {row}")
    if abs(float(row["change"]) - change) > 4e-6 or not float(row["low"]) - 1e-6 <= change <= float(row["high"]) + 1e-6:
        fail(f"builds {key}: {row}, true {change}")
    if row["certain"] in (True, 1, "1", "true"):
        certain.add(key)
if not certain <= {key for key, change in changes.items() if abs(change) > 0.005}:
    fail(f"builds: {certain} are certain")

differ = {(row["host"], row["node"]) for row in got["peers"]}
made = {key[2] for key in shares("hosts") if int(key[2][4:]) % 97 == 13}
if {host for host, _ in differ} != made:
    fail(f"peers: {sorted({host for host, _ in differ} ^ made)[:5]} of {len(made)}")
if "rows" in got:
    print(f"{got['rows']} rows: {got['rows'] / got['loading']:.0f} a second, {got['csv'] / got['rows']:.0f} bytes each as csv, "
          f"{got['stored'] / got['rows']:.1f} stored; seconds: " + ", ".join(f"{name} {s:.2f}" for name, s in got["times"].items()))
print(f"{checked} shares, {len(certain)} certain changes of builds, {len(made)} hosts that differ")
sys.exit(failed > 0)
