# SPDX-License-Identifier: MIT
"""What is compared: the reference of a CPU, and our tables of it, each with its formulas ready to be evaluated."""

import csv
import itertools
import os
import re

from formulas import NoValue, Table

BACKENDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "backends")
FORMS = ("SMT", "EBS", "FIXED")
INPUTS = {"tsc": "tsc", "msr/tsc/": "tsc", "cpus": "cpus",
          "duration": "seconds", "interval-s": "seconds", "duration_time": "seconds"}


def read(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def in_order(name):
    """X:I1:C1 and X:C1:I1 are one name."""
    first, *modifiers = name.split(":")
    return ":".join([first] + sorted(modifiers))


def input_of(word):
    """What a word that is no row and no event stands for, or None."""
    if word in FORMS or word == "smt_on":
        name = "SMT" if word == "smt_on" else word
        return lambda t: t.counts[name]
    if word in INPUTS:
        return lambda t: t.counts[INPUTS[word]]
    if word == "interval-ms":
        return lambda t: t.counts["seconds"] * 1000
    if word in ("num_cores", "num_threads", "num_sockets"):
        return lambda t: t.counts["cpus"] if word == "num_cores" else 1
    return None


class Side:
    """rows: by name; key(word): what tells an event from others."""

    def word(self, word, table):
        """How a word of a formula is evaluated."""
        if word in self.rows:
            return lambda t: t.value(word)
        found = input_of(word)
        if found:
            return found
        key = self.key(word)
        return lambda t: t.counts.count(key)


class Reference(Side):
    """nodes/CPU.csv and events/CPU.csv."""

    def __init__(self, folder, cpu):
        self.cpu = cpu
        self.vendor = "arm" if cpu.startswith("neoverse") else "amd" if cpu.startswith("zen") else "intel"
        self.rows = {row["node"]: row for row in read("%s/nodes/%s.csv" % (folder, cpu))}
        self.events = self._events("%s/events/%s.csv" % (folder, cpu))
        self.table = Table({name: row["formula"] for name, row in self.rows.items()}, self.word)

    def _events(self, path):
        if os.path.exists(path):
            return {in_order(row["event"].upper()): row for row in read(path)}
        pairs = {pair for row in self.rows.values() for pair in row.get("events", "").split()}
        return {name: {"event": name, "config": "%#x" % int(code, 0)} for name, code in (p.split("=") for p in pairs)}

    def key(self, word):
        """The encoding of an event, and whether it is its latency that is meant."""
        name, *modifiers = word.split(":")
        latency = "R" in modifiers or "retire_latency" in modifiers
        kept = [m for m in modifiers if m not in ("R", "retire_latency", "perf_metrics")]
        row = self.events.get(in_order(":".join([name] + kept).upper()))
        return encoding(row, latency) if row else (name.upper(), tuple(sorted(kept)), latency)

    def forms(self):
        """Every setting of the switches that the formulas mention."""
        text = " ".join(row["formula"] for row in self.rows.values()).replace("smt_on", "SMT")
        used = [f for f in FORMS if re.search(r"\b%s\b" % f, text)]
        for setting in itertools.product((0, 1), repeat=len(used)):
            yield dict({f: 0 for f in FORMS}, **dict(zip(used, setting)))

    def cpus(self, form):
        """The number of CPUs that the reference assumes where it has to."""
        self.table.start(dict(form, cpus=8))
        try:
            return self.table.value("Num_CPUs") if "Num_CPUs" in self.rows else 8
        except NoValue:
            return 8

    def scale(self, name):
        """How much larger the reference's values are: Arm's slots are in percent."""
        return 100 if self.rows[name].get("unit") == "percent of slots" else 1


def encoding(row, latency):
    return (row["config"].lower(), row.get("config1", "").lower(), row.get("modifier", ""), latency)


class Ours(Side):
    """backends/VENDOR/NAME-metrics.csv and NAME-events.csv."""

    def __init__(self, reference):
        self.reference = reference
        path = os.path.join(BACKENDS, reference.vendor, reference.cpu.replace("-r0p0", ""))
        self.rows = {row["name"]: row for row in read(path + "-metrics.csv")}
        self.events = {row["name"]: row for row in read(path + "-events.csv")}
        self.table = Table({name: row["formula"] for name, row in self.rows.items()}, self.word)

    def name_of(self, name):
        """The name here of a row of the reference: its own, or that of the row that has it as an alias."""
        if name in self.rows:
            return name
        return next((n for n, row in self.rows.items() if name in row["alias"].split()), None)

    def key(self, word):
        """The encoding as the reference has it for the event of that name (a corrected one is compared elsewhere)."""
        name, *modifiers = word.split(":")
        latency, kept = "R" in modifiers, [m for m in modifiers if m != "R"]
        row = self.events.get(":".join([name] + kept))
        if name.startswith(("UNC_", "PERF_METRICS.")) or not row:
            return self.reference.key(word)
        return encoding(self.reference.events.get(self.theirs(row)) or row, latency)

    def theirs(self, row):
        """An event's name as the reference has it: X:SUP for X:k, umasks of two digits, perf's spelling for AMD."""
        if self.reference.vendor == "amd":
            return in_order(row["perf_name"].upper())
        name = re.sub(r":k$", ":SUP", re.sub(r":u$", ":USER", row["name"]))
        return in_order(re.sub(r":u0x([0-9a-f])\b", r":U0X0\1", name).upper())
