# SPDX-License-Identifier: MIT
"""One CPU's column of intel/perfmon's spreadsheets: TMA_Metrics-full.csv, E-core_TMA_Metrics.csv, Atom_TMA.csv.

An empty cell of TMA_Metrics-full.csv says the same as the next one to its right: of any CPU for a server, of a client
for a client; #NA means that the CPU does not have the row. #X is a helper, ##X the sum of X's children, P the parent.
"""

import csv
import io
import re

from notation import Binary, Event, FormulaError, Name, Number, modifiers_sorted, parse
from rows import Row

INPUTS = {"#SMT_on": Name("SMT"), "#ebs_mode": Name("EBS"), "#EBS_Mode": Name("EBS"),
          "#PERF_METRICS_MSR": Name("FIXED"), "TSC": Name("tsc"), "#Num_CPUs": Name("num_cpus"),
          "#DurationTimeInSeconds": Name("duration"),
          "DurationTimeInMilliSeconds": Binary("*", Name("duration"), Number("1000")),
          "#OneMillion": Number("1000000"), "#OneBillion": Number("1000000000")}
MODIFIERS = {"sup": "k", "user": "u", "perf_metrics": ""}
NOT_AVAILABLE = "#NA"
NUMBER = re.compile(r"\d+(\.\d+)?$")
LATENCIES = (  # X * $PEBS and X * min($PEBS, ...): X's retire latency
    (r"([A-Z][A-Z0-9_.]*)\s*\*\s*\$PEBS", r"(\1 * \1:R)"),
    (r"([A-Z][A-Z0-9_.]*)\s*\*\s*min\(\s*\$PEBS", r"\1 * min(\1:R"),
)
MARKS = (  # what the notation's words cannot have: "event/term", ##X, #X
    (r'"([^"/]*)/([^"]*)"', r"\1:\2"),
    (r"##(\w+)", r"children_of_\1"),
    (r"#(\w+)", r"helper_\1"),
)


class Metrics:
    """The rows by name, in the file's order."""

    def __init__(self, text, column):
        lines = list(csv.reader(io.StringIO(text)))
        self.header = lines[2]
        self.version = "TMA " + lines[0][2]
        self.levels = [i for i, name in enumerate(self.header) if re.match(r"Level\d$", name)]
        self.columns = self._columns(lines[1], self.header.index(column))
        self.cells, self.children, self.names, self.rows = {}, {}, {}, {}
        path = []
        for line in lines[3:]:
            self._add(line, path)
        for name, cell in self.cells.items():
            self.rows[name].formula = self._formula(cell)

    def _columns(self, servers, own):
        """The columns that may fill the cell, nearest first."""
        if "SNB" not in self.header:
            return [own]
        after = self.header.index("Locate-with")
        return [c for c in range(own, after) if servers[own] == "Server" or servers[c] != "Server"]

    def _add(self, line, path):
        named = [i for i in self.levels if line[i].strip()]
        if not named or line[0] == ".":
            return
        area, title = line[0].strip(), line[named[0]].strip()
        kind = {"Aux": "aux", "Bottleneck": "bottleneck"}.get(area, "info" if area.startswith("Info") else "node")
        if kind == "node":
            path[self.levels.index(named[0]):] = [title]
        cell = next((line[c].strip() for c in self.columns if line[c].strip()), NOT_AVAILABLE)
        if cell == NOT_AVAILABLE:
            return
        name = _row_name(kind, area, title)
        self.cells[name] = cell
        self.names.setdefault(title, name)
        self.rows[name] = Row(kind, name, toplev_name=title, domain=self._of(line, "Count Domain"), source="perfmon",
                              groups=sorted(g for g in self._of(line, "Metric Group").split(";") if g),
                              threshold=_threshold(self._of(line, "Threshold")))
        if kind == "node":
            self._place(self.rows[name], path)

    def _of(self, line, title):
        return line[self.header.index(title)].strip()

    def _place(self, row, path):
        row.level = len(path)
        if row.level > 1:
            row.parent = path[-2].lower()
            self.children.setdefault(path[-2], []).append(row.name)

    def _formula(self, cell):
        for pattern, replacement in LATENCIES + MARKS:
            cell = re.sub(pattern, replacement, cell)
        return parse(cell, self._leaf)

    def _leaf(self, word):
        if NUMBER.match(word):
            return Number(word)
        if word.startswith("children_of_"):
            return self._sum(word[len("children_of_"):])
        title = re.sub("^helper_", "#", word)
        if title in INPUTS:
            return INPUTS[title]
        if title in self.names:
            return self._row(self.names[title])
        name, *modifiers = title.split(":")
        if name != name.upper():
            raise FormulaError("%r is neither a row nor an event" % title)
        kept = tuple(k for k in (MODIFIERS.get(m.lower(), m) for m in modifiers) if k)
        return Event(re.sub("_PS$", "", name), modifiers_sorted(kept))

    def _row(self, name):
        """A row, or the number that a helper stands for."""
        cell = self.cells[name]
        return Number(cell) if self.rows[name].kind == "aux" and NUMBER.match(cell) else Name(name)

    def _sum(self, title):
        first, *others = self.children[title]
        tree = Name(first)
        for name in others:
            tree = Binary("+", tree, Name(name))
        return tree


def _row_name(kind, area, title):
    name = title.lstrip("#").replace("%", "pct").lower()
    return name if kind in ("node", "aux") else "%s_%s" % (area.replace(".", "_").lower(), name)


def _threshold(text):
    """"> 0.1 & P; $issueBW" says v > 0.1 & parent."""
    condition = re.sub(r"(^|[(|&])\s*([<>])", r"\1 v \2", text.split(";")[0])
    condition = re.sub(r"\bP\b", "parent", condition.replace("#", ""))
    if not condition:
        return None
    return parse(condition, lambda word: Number(word) if word[0].isdigit() else Name(word.lower()))
