# SPDX-License-Identifier: MIT
"""Intel's tables: pmu-tools' models and intel/perfmon's metrics side by side, one row where both agree."""

import json
from dataclasses import replace

import lint
import perfmon
import tables
import tma_csv
import toplev
import units
from intel_events import Events
from merging import Merge, Undecided
from notation import CONDITIONS, INPUTS, Binary, Call, Event, Name, events, names, parse, parts, rebuilt

OFFCORE, FRONTEND, UNCORE = ("OCR.", "OFFCORE_RESPONSE."), "0x3F7", ("UNC_", "FREERUN_")


class Cpu:
    """One line of intel-cpus.csv and what its publications say."""

    def __init__(self, line, published, corrections):
        self.name, self.line, self.corrections = line["cpu"], line, corrections
        self.files = {"toplev": line["toplev"] and line["toplev"] + "_ratios.py"}
        tools, intel = published["pmu-tools"], published["perfmon"]
        self.tools, self.intel = tools, intel
        self.versions = {}
        self.events = Events(intel.text(line["events"]), dict(self.corrections.rows(self.name, "event")))
        self.versions["events"] = "version " + self.events.version if self.events.version else ""
        self.latencies = [_means(p.text(line[key])) if line[key] else {}
                          for p, key in ((tools, "latency_toplev"), (intel, "latency_perfmon"))]
        if not line["metrics_of"]:
            model = toplev.Model(tools.text(self.files["toplev"]))
            self.versions["toplev"] = "TMA " + model.version
            self.toplev = {row.name: self._corrected(row) for row in model.rows()}
            self.perfmon = self._perfmon_rows(intel) if line["metrics"] else {}

    def comment(self, table):
        """Where a table comes from: each file with its version and commit."""
        cited = [(self.tools, "toplev"), (self.intel, "metrics")] if table == "metrics" else [
            (self.intel, "events"), (self.tools, "latency_toplev"), (self.intel, "latency_perfmon")]
        lines = ["Made by backends/import; do not edit. Notation and columns: backends/NOTATION."]
        for publication, key in cited:
            path = self.files.get(key) or self.line.get(key)
            if path:
                version = self.versions.get(key, "")
                lines.append("From %s%s" % (publication.cite(path), version and ", " + version))
        return lines

    # ---- corrections --------------------------------------------------------

    def find(self, row, what):
        return self.corrections.find(self.name, row, what)

    def _corrected(self, row):
        formula = self.find(row.name, "formula")
        return replace(row, formula=parse(formula) if formula else row.formula, threshold=self._threshold(row))

    def _threshold(self, row):
        corrected = self.find(row.name, "threshold")
        return parse(corrected) if corrected else row.threshold

    def _perfmon_rows(self, intel):
        text, column = intel.text(self.line["metrics"]), self.line["column"]
        published = tma_csv.Metrics(text, column) if column else perfmon.Metrics(text)
        self.versions["metrics"] = published.version
        new_name = {row: self._name_of(row) for row in published.rows}
        rows = {}
        for row in published.rows.values():
            if self.find(row.name, "drop") is None:
                new = new_name[row.name]
                formula = _renamed_tree(self._perfmon_formula(row), new_name)
                rows[new] = replace(row, name=new, formula=formula, threshold=self._threshold(row),
                                    alias=[row.name] if new != row.name else [])
        return rows

    def _name_of(self, row):
        """toplev's name of a row of perfmon, which leaves the Pct_ of the E-cores' names out."""
        with_percent = [name for name in self.toplev if name.replace("_pct_", "_") == row]
        return self.find(row, "perfmon-name") or (with_percent or [row])[0]

    def _perfmon_formula(self, row):
        repaired = self.find(row.name, "perfmon-formula") or self.find(row.name, "formula")
        if repaired:
            return parse(repaired)
        if not row.formula:
            raise Undecided("%s: perfmon's %s cannot be read: %s" % (self.name, row.name, row.unreadable))
        return row.formula

    def rows(self):
        """The rows of the table, in its order."""
        merge = Merge(self.name, self.toplev, self.perfmon, self._identity, lambda name: self.find(name, "source"))
        finished = [self._finished(row) for row in merge.rows()]
        finished = _without_unused_helpers(self._renamed(finished))
        self._derive(finished)
        return finished

    def _identity(self, event):
        if self._known(event):
            return self.events.encoding(event).identity()
        return event.text().replace(":R", "")

    # ---- finishing ----------------------------------------------------------

    def _finished(self, row):
        """absent, optional and cancelled terms"""
        if self.find(row.name, "absent") is not None:
            return replace(row, formula=None, needs=["model_switch"])
        formula = row.formula
        cancelled = self.find("PERF_METRICS.*", "cancel")
        if cancelled:
            formula = rebuilt(formula, lambda part: _cancel(part, cancelled))
        optional = self.find(row.name, "optional")
        for event in (optional or "").split():
            formula = rebuilt(formula, lambda part: _optional(part, parse(event)))
        return replace(row, formula=formula)

    def _renamed(self, rows):
        new = {old: name for old, name in self.corrections.rows(self.name, "name")
               if any(row.name == old for row in rows)}
        return [replace(row, name=new.get(row.name, row.name), parent=new.get(row.parent, row.parent),
                        alias=row.alias + ([row.name] if row.name in new else []),
                        formula=_renamed_tree(row.formula, new), threshold=_renamed_tree(row.threshold, new))
                for row in rows]

    def _derive(self, rows):
        """Units, aliases, needs."""
        by_name = {row.name: row for row in rows}
        taken = [row.name for row in rows] + [row.toplev_name.lower() for row in rows]
        needs = {}
        for row in rows:
            short = row.toplev_name.lower()
            if row.kind != "node" and short and short not in row.alias and taken.count(short) == 1:
                row.alias.append(short)
            if "_pct_" in row.name and row.name.replace("_pct_", "_") not in row.alias:
                row.alias.append(row.name.replace("_pct_", "_"))
            row.samples = self._samples(row)
            row.needs = row.needs or sorted(self._needs(row, by_name, needs))
            row.unit = self.find(row.name, "unit") or units.unit_of(row)

    def _samples(self, row):
        """The row's sampling events; perfmon's where toplev's model is another CPU's and names events not here."""
        known = [s for s in row.samples if self._known(toplev.event_of(s.replace(":pp", "")))]
        if len(known) < len(row.samples) and row.name in self.perfmon:
            return self.perfmon[row.name].samples
        return known

    def _known(self, event):
        try:
            return bool(self.events.encoding(event))
        except KeyError:
            return False

    def _needs(self, row, by_name, known):
        """What a row needs beyond core events, its own and that of the rows it uses."""
        if row.name not in known:
            found = known[row.name] = set()
            for part in parts(row.formula) if row.formula else ():
                if isinstance(part, Event):
                    found |= self._event_needs(part)
                elif isinstance(part, Name) and part.name in by_name:
                    found |= self._needs(by_name[part.name], by_name, known)
                elif isinstance(part, Name) and part.name in INPUTS and part.name not in CONDITIONS:
                    found.add({"tsc": "tsc", "duration": "time", "cpus": "topology"}[part.name])
        return known[row.name]

    def _event_needs(self, event):
        if event.name.startswith(UNCORE):
            return {"uncore"}
        found = {"retire_latency"} if "R" in event.modifiers else set()
        if event.name.startswith(OFFCORE):
            found.add("offcore")
        if self._known(event) and self.events.encoding(event).msr == FRONTEND:
            found.add("frontend_msr")
        return found

    # ---- events -------------------------------------------------------------

    def encodings(self, rows):
        """The events of the rows' formulas and samples; absent: those that this CPU does not have."""
        wanted = {event.text(): event for row in rows for event in _row_events(row)}
        found = [self._with_latency(self.events.encoding(e)) for _, e in sorted(wanted.items()) if self._known(e)]
        return found, [text for text, event in sorted(wanted.items()) if not self._known(event)]

    def unknown_events(self, row):
        return [event.text() for event in _row_events(row) if not self._known(event)]

    def _with_latency(self, encoding):
        means = [table.get(encoding.name, "") for table in self.latencies]
        if self.find(encoding.name, "latency") is not None:
            means[0] = ""
        return replace(encoding, latencies=tuple(means))


def _row_events(row):
    """The core events that a row counts or samples, without the mark of a latency."""
    counted = events(row.formula) if row.formula else []
    plain = [Event(e.name, tuple(m for m in e.modifiers if m != "R")) for e in counted]
    plain += [toplev.event_of(s.replace(":pp", "")) for s in row.samples]
    return [e for e in plain if not e.name.startswith(UNCORE)]


def _means(text):
    return {name: "%g" % entry["MEAN"] for name, entry in json.loads(text)["Data"].items()}


def _renamed_tree(tree, new):
    return tree and rebuilt(tree, lambda part: Name(new.get(part.name, part.name)) if isinstance(part, Name) else part)


def _cancel(part, slots):
    """PERF_METRICS.X / TOPDOWN.SLOTS stands for a share; over the sum of such shares the slots cancel."""
    if isinstance(part, Binary) and part.op == "/" and isinstance(part.left, Event) and isinstance(part.right, Event):
        if part.left.name.startswith("PERF_METRICS.") and part.right.text() == slots:
            return part.left
    return part


def _optional(part, event):
    if part == event:
        return Call("optional", (event,))
    return part


def _without_unused_helpers(rows):
    by_name = {row.name: row for row in rows}
    used, queue = set(), [row for row in rows if row.kind != "aux"]
    while queue:
        row = queue.pop()
        for name in (names(row.formula) if row.formula else []) + (names(row.threshold) if row.threshold else []):
            if name in by_name and name not in used:
                used.add(name)
                queue.append(by_name[name])
    return [row for row in rows if row.kind != "aux" or row.name in used]


class Tables:
    """All of Intel's files: name -> text, and what is wrong with them."""

    def __init__(self, folder, published, corrections):
        self.files, self.problems, self.rows, self.users = {}, [], {}, []
        for line in tables.read(folder + "/intel-cpus.csv"):
            self._add(Cpu(line, published, corrections))
        comment = ["Made by backends/import; do not edit. The tables of each CPU: NAME-metrics.csv, NAME-events.csv."]
        self.files["intel/intel-tables.csv"] = tables.plain(("cpu", "metrics", "events"), self.users, comment)

    def _add(self, cpu):
        of = cpu.line["metrics_of"] or cpu.name
        if of == cpu.name:
            self.rows[of] = cpu.rows()
            self.files["intel/%s-metrics.csv" % of] = tables.metrics(self.rows[of], cpu.comment("metrics"))
            self.problems += lint.problems(cpu.name, self.rows[of], cpu.unknown_events)
        encodings, absent = cpu.encodings(self.rows[of])
        lacking = ["Of %s's events not on this CPU: %s" % (of, name) for name in absent]
        text = tables.events(encodings, cpu.comment("events") + lacking)
        shared = self.files.get("intel/%s-events.csv" % of)
        if shared and tables.body(shared) == tables.body(text):
            self.users.append((cpu.name, of, of))
            return
        self.users.append((cpu.name, of, cpu.name))
        self.files["intel/%s-events.csv" % cpu.name] = text
