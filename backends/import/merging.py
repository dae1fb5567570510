# SPDX-License-Identifier: MIT
"""One CPU's rows of two publications, side by side: one row where both give the same number, else the one that
corrections.csv chooses."""

import random
from dataclasses import replace

from evaluate import Absent, Evaluation
from notation import Choice, parse, write

TRIALS = 40


class Undecided(Exception):
    """What a maintainer has to decide: two publications differ, an event is unknown."""


class Merge:
    """identity(event) tells events apart; chosen(row) is what corrections.csv says, or None."""

    def __init__(self, cpu, toplev, perfmon, identity, chosen):
        self.cpu, self.toplev, self.perfmon = cpu, toplev, perfmon
        self.identity, self.chosen = identity, chosen

    def rows(self):
        """toplev's rows in their order; each that only perfmon has comes after the one that precedes it there."""
        differing = self._differing()
        merged = [self._row(row, differing) for row in self.toplev.values()]
        previous = None
        for name, row in self.perfmon.items():
            if name not in self.toplev:
                places = [r.name for r in merged]
                merged.insert(places.index(previous) + 1 if previous else 0, replace(row))
            previous = name
        return merged

    def _differing(self):
        """The names of metrics for which the two publications give different numbers for some counts."""
        found = set()
        shared = [name for name, row in self.toplev.items() if name in self.perfmon and row.kind != "aux"]
        for trial in range(TRIALS if shared else 0):
            sides = self._evaluations(random.Random(trial), smt=trial & 1)
            found |= {name for name in shared if not _same(*(_value(side, name) for side in sides))}
        return found

    def _evaluations(self, chance, smt):
        counts = {}

        def count(event):
            latency = "R" in event.modifiers
            key = (self.identity(event), latency)
            if key not in counts:
                counts[key] = chance.uniform(1, 300) if latency else chance.uniform(1, 1e6)
            return counts[key]

        inputs = dict(SMT=smt, EBS=0, FIXED=1, tsc=chance.uniform(1e5, 1e6), duration=chance.uniform(0.1, 2), cpus=8)
        return [Evaluation({name: row.formula for name, row in rows.items()}, count, inputs)
                for rows in (self.toplev, self.perfmon)]

    def _row(self, row, differing):
        """A row of toplev with the formula of the publication that holds."""
        if row.name not in self.perfmon or row.kind == "aux":  # helpers are compared by the metrics that use them
            return row
        theirs, choice = self.perfmon[row.name], self.chosen(row.name)
        row = replace(row, alias=row.alias + theirs.alias)
        if row.name not in differing:
            if choice is not None:
                raise Undecided("%s: both publications agree on %s" % (self.cpu, row.name))
            return replace(row, source="toplev=perfmon")
        if choice is None:
            raise Undecided(
                "%s: toplev and perfmon differ on %s; corrections.csv has to say which holds:\n"
                "  toplev  %s\n  perfmon %s" % (self.cpu, row.name, write(row.formula), write(theirs.formula)))
        return _by_choice(row, theirs.formula, choice)


def _by_choice(row, theirs, choice):
    if choice == "toplev":
        return replace(row, source="toplev!perfmon")
    if choice == "perfmon":
        return replace(row, source="perfmon!toplev", formula=theirs)
    return replace(row, source="toplev!perfmon", formula=Choice(parse(choice), row.formula, theirs))


def _value(evaluation, name):
    try:
        return evaluation.row(name)
    except Absent:
        return None


def _same(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
