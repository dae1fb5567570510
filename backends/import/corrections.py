# SPDX-License-Identifier: MIT
"""corrections.csv: what is not taken as published. Each line must be needed."""

import os

import tables

KINDS = ("absent", "cancel", "drop", "event", "formula", "latency", "name", "optional", "perfmon-formula",
         "perfmon-name", "source", "threshold", "unit")


class CorrectionError(Exception):
    """A correction that changes nothing, or that contradicts another."""


class Corrections:
    def __init__(self, path):
        self.lines = tables.read(path)
        self.used = set()
        self.by_key = {}
        for number, line in enumerate(self.lines):
            if line["what"] not in KINDS or not line["reason"]:
                raise CorrectionError("%s: %s" % (os.path.basename(path), line))
            for cpu in line["cpu"].split():
                for row in line["row"].split():
                    self._enter((cpu, row, line["what"]), number)

    def _enter(self, key, number):
        if key in self.by_key:
            raise CorrectionError("two corrections of %s" % " ".join(key))
        self.by_key[key] = number

    def find(self, cpu, row, what):
        """The value of the correction, or None."""
        for key in ((cpu, row, what), ("*", row, what)):
            if key in self.by_key:
                self.used.add(key)
                return self.lines[self.by_key[key]]["value"]
        return None

    def rows(self, cpu, what):
        """The rows of a CPU that have a correction of this kind, with its value."""
        return [(row, self.find(cpu, row, what)) for c, row, w in list(self.by_key) if w == what and c in (cpu, "*")]

    def unused(self):
        return sorted(set(self.by_key) - self.used)
