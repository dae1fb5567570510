# SPDX-License-Identifier: MIT
"""Arm's tables: Arm's telemetry JSON of each core, perf's older names for the same metrics, perf's AmpereOne."""

import json
import random
from dataclasses import replace

import lint
import perf_json
import tables
from evaluate import Absent, Evaluation
from notation import Binary, Call, Choice, Event, Name, Number, events, parse, parts, rebuilt
from rows import Encoding, Row

LEVEL1 = "Topdown_L1"
PERCENT = Number("100")
# the standard events' codes (Arm ARM D13.11.3) are in any core's file
STANDARD = "data/pmu/cpu/neoverse/neoverse-v3.json"


class Core:
    """One line of arm-cpus.csv."""

    def __init__(self, line, published, corrections):
        self.name, self.line, self.corrections = line["cpu"], line, corrections
        self.published = published
        self.codes = {}

    def find(self, row, what):
        return self.corrections.find(self.name, row, what)

    def rows(self):
        if self.line["telemetry"]:
            rows = self._telemetry(json.loads(self.published["telemetry-solution"].text(self.line["telemetry"])))
            rows += self._perf_names(rows) if self.line["perf_names"] else []
        else:
            rows = self._ampere()
        return [self._optional(row) for row in rows]

    # ---- Arm's JSON ---------------------------------------------------------

    def _telemetry(self, data):
        self.codes = {name: event["code"] for name, event in data["events"].items()}
        tree = {m["name"]: m for m in next(iter(data["methodologies"].values()))["decision_tree"]["metrics"]}
        above = {child: name for name, metric in tree.items()
                 for child in metric["next_items"] if child in data["metrics"]}
        groups = {name: [] for name in data["metrics"]}
        for group, content in data["groups"]["metrics"].items():
            for name in content["metrics"]:
                groups[name].append(group)
        rows = [self._metric(name, metric, groups[name], tree.get(name, {}), above)
                for name, metric in data["metrics"].items()]
        return _in_tree_order(rows, list(tree))

    def _metric(self, name, metric, groups, decision, above):
        row = Row("info", name, unit=metric["units"], samples=metric.get("sample_events", []), groups=groups,
                  source="telemetry-solution", next=decision.get("next_items", []),
                  formula=perf_json.expression(metric["formula"], lambda word: False))
        level = _depth(name, above) if LEVEL1 in groups or name in above else ""
        if LEVEL1 in groups:
            return _as_node(row)
        return replace(row, level=level, parent=above.get(name, ""))

    # ---- perf's older names -------------------------------------------------

    def _perf_names(self, rows):
        """perf's metrics before it took Arm's: aliases where Arm's give the same number, else rows of their own."""
        metrics = [m for m in json.loads(self.published["linux"].text(self.line["perf_names"])) if "MetricName" in m]
        taken = {row.name for row in rows}
        known = taken | {m["MetricName"] for m in metrics}
        found = []
        for metric in metrics:
            row = self._perf_row(metric, known.__contains__)
            twin = _twin(row, rows + found)
            if self.find(row.name, "drop") is not None:
                continue
            if twin:
                twin.groups += [g for g in row.groups if g not in twin.groups]
                twin.alias += [row.name] if row.name != twin.name else []
            else:
                found.append(row)
        return found

    def _perf_row(self, metric, is_metric):
        unit, factor = perf_json.percent_of(metric.get("ScaleUnit"))
        text = metric["MetricExpr"].replace("(#slots - 5)", "0" if self.line["slots"] == "5" else "1")
        tree = perf_json.expression(text, is_metric, self.line["slots"])
        unit = "per cycle" if metric["MetricName"].endswith("ipc") else unit
        return Row("info", metric["MetricName"], unit=unit, groups=perf_json.groups(metric), source="linux",
                   formula=perf_json.scaled(_decided(tree), factor))

    # ---- AmpereOne ----------------------------------------------------------

    def _ampere(self):
        perfspect, folder = self.published["perfspect"], self.line["perf"]
        metrics = json.loads(perfspect.text(folder + "/metrics.json"))
        self.codes = {name: e["code"] for name, e in json.loads(
            self.published["telemetry-solution"].text(STANDARD))["events"].items() if e["architecture_defined"]}
        for file in self.line["events"].split():
            for entry in json.loads(perfspect.text("%s/%s.json" % (folder, file))):
                if "EventCode" in entry:
                    self.codes[entry["EventName"]] = entry["EventCode"]
        named = {self._ampere_name(m): m for m in metrics}
        published = {m.get("MetricName") or m["ArchStdEvent"] for m in metrics}
        rows = [self._ampere_row(name, metric, published) for name, metric in named.items()]
        nodes = {Name(row.name) for row in rows if row.kind == "node"}
        rows = [row if row.kind == "node" else replace(row, formula=_in_percent(row.formula, nodes)) for row in rows]
        return sorted(rows, key=lambda row: row.kind != "node")

    def _ampere_name(self, metric):
        published = metric.get("MetricName") or metric["ArchStdEvent"]
        return self.find(published.replace(";", "_"), "name") or published

    def _ampere_row(self, name, metric, published):
        new = {p: self.find(p, "name") for p in published if ";" not in p}
        corrected = self.find(name, "formula")
        standard = "1percent of slots" if "ArchStdEvent" in metric else None
        unit, factor = perf_json.percent_of(metric.get("ScaleUnit", standard))
        tree = parse(corrected) if corrected else perf_json.expression(
            metric["MetricExpr"], published.__contains__, self.line["slots"])
        tree = rebuilt(tree, lambda part: Name(new.get(part.name) or part.name) if isinstance(part, Name) else part)
        old = metric.get("MetricName", name)
        row = Row("info", name, unit=self.find(name, "unit") or unit, groups=perf_json.groups(metric),
                  alias=[old] if old != name and ";" not in old else [], source="perfspect",
                  formula=perf_json.scaled(tree, factor))
        if "TopdownL1" not in row.groups and "ArchStdEvent" not in metric:
            return row
        row.groups = row.groups or ["TopdownL1"]
        return replace(row, kind="node", level=1, domain="Slots", unit="fraction") if corrected else _as_node(row)

    # ---- corrections --------------------------------------------------------

    def _optional(self, row):
        row.needs = ["time"] if Name("duration") in parts(row.formula) else []
        for text in (self.find(row.name, "optional") or "").split():
            event = parse(text)
            row.formula = rebuilt(row.formula, lambda part: Call("optional", (event,)) if part == event else part)
        return row

    # ---- events -------------------------------------------------------------

    def encodings(self, rows):
        wanted = {e.text(): e for row in rows for e in events(row.formula)}
        wanted.update({s: Event(s) for row in rows for s in row.samples})
        return [self._encoding(event) for _, event in sorted(wanted.items()) if event.name in self.codes]

    def _encoding(self, event):
        counters = "cycle counter" if event.name == "CPU_CYCLES" else self.line["counters"]
        code = int(self.codes[event.name], 0)
        return Encoding(event.name, event.name.lower(), (code,), counters=counters, counters_htoff=counters)

    def unknown_events(self, row):
        return [e.text() for e in events(row.formula) if e.name not in self.codes]

    def comment(self):
        lines = ["Made by backends/import; do not edit. Notation and columns: backends/NOTATION."]
        cited = (("telemetry-solution", "telemetry"), ("linux", "perf_names"), ("perfspect", "perf"))
        return lines + ["From " + self.published[name].cite(self.line[key]) for name, key in cited if self.line[key]]


def _depth(name, above):
    return 1 + (_depth(above[name], above) if name in above else 0)


def _as_node(row):
    """100 * x or x * 100, in percent, as the fraction x."""
    tree = row.formula
    if isinstance(tree, Binary) and tree.op == "*" and PERCENT in (tree.left, tree.right):
        tree = tree.right if tree.left == PERCENT else tree.left
    elif isinstance(tree, Binary) and tree.op == "/" and isinstance(tree.left, Binary) and tree.left.left == PERCENT:
        tree = Binary("/", tree.left.right, tree.right)
    else:
        tree = _without_percent(tree)
    return replace(row, kind="node", level=1, parent="", domain="Slots", unit="fraction", formula=tree)


def _without_percent(tree):
    """a * 100 + b * 100 as a + b"""
    if isinstance(tree, Binary) and tree.op in "+-":
        return Binary(tree.op, _without_percent(tree.left), _without_percent(tree.right))
    if isinstance(tree, Binary) and tree.op == "*" and tree.right == PERCENT:
        return tree.left
    raise ValueError("no factor of 100")


def _in_percent(tree, nodes):
    """Formulas that take a node in percent: here it is a fraction."""
    return rebuilt(tree, lambda part: Binary("*", PERCENT, part) if part in nodes else part)


def _decided(tree):
    """x if 0 else y is y."""
    def decide(part):
        if isinstance(part, Choice) and isinstance(part.condition, Number):
            return part.yes if float(part.condition.text) else part.no
        return part

    return rebuilt(tree, decide)


def _in_tree_order(rows, order):
    """The decision tree first, each branch in one piece, then the others."""
    by_name, placed = {row.name: row for row in rows}, []

    def place(row):
        placed.append(row)
        for name in row.next:
            if name in by_name:
                place(by_name[name])

    for name in order:
        if name in by_name and by_name[name].level == 1:
            place(by_name[name])
    return placed + [row for row in rows if row not in placed]


def _twin(row, rows):
    """The row that gives the same number, or the same in percent, for any counts."""
    for other in rows:
        if _same_number(row, other, rows):
            return other
    return None


def _same_number(row, other, rows):
    formulas = {r.name: r.formula for r in rows}
    for trial in range(5):
        chance, counts = random.Random(trial), {}

        def count(event):
            return counts.setdefault(event, chance.uniform(1, 1e6))

        evaluation = Evaluation(formulas, count, {})
        try:
            a, b = evaluation.value(row.formula), evaluation.value(other.formula)
        except Absent:
            return False
        if not any(abs(a * factor - b) <= 1e-9 * abs(b) for factor in (1, 100)):
            return False
    return True


class Tables:
    def __init__(self, folder, published, corrections):
        self.files, self.problems = {}, []
        for line in tables.read(folder + "/arm-cpus.csv"):
            core = Core(line, published, corrections)
            rows = core.rows()
            self.problems += lint.problems(core.name, rows, core.unknown_events)
            self.files["arm/%s-metrics.csv" % core.name] = tables.metrics(rows, core.comment())
            self.files["arm/%s-events.csv" % core.name] = tables.events(core.encodings(rows), core.comment())
