# SPDX-License-Identifier: MIT
"""AMD's tables: the kernel's pipeline.json and recommended.json of each Zen."""

import itertools
import json
import re

import lint
import perf_json
import tables
from notation import Event, events
from rows import Encoding, Row

# the ratios of recommended.json; its counts of caches and of the fabric are no ratios, and need other PMUs in part
RATIO = re.compile(r".*_(ratio|rate)$")
# counted beside whatever is measured, for the instructions per cycle
SPEED = (Event("LS_NOT_HALTED_CYC"), Event("EX_RET_INSTR"))


class Tables:
    def __init__(self, folder, published, corrections):
        self.files, self.problems = {}, []
        self.linux = published["linux"]
        self.known = tables.read(folder + "/amd-events.csv")
        for line in tables.read(folder + "/amd-cpus.csv"):
            self._add(line)

    def _add(self, line):
        cpu = line["cpu"]
        rows = self._pipeline(line["pipeline"]) if line["pipeline"] else []
        rows += self._ratios(line["recommended"], {row.name for row in rows})
        encodings = {e["event"].upper(): e for e in self.known if cpu in e["cpu"].split()}
        wanted = sorted({e.text(): e for e in itertools.chain(SPEED, *(events(row.formula) for row in rows))}.items())

        def unknown(row):
            return [e.text() for e in events(row.formula) if e.name not in encodings]

        self.problems += lint.problems(cpu, rows, unknown)
        comment = ["Made by backends/import; do not edit. Notation and columns: backends/NOTATION."]
        cited = [self.linux.cite(line[key]) for key in ("pipeline", "recommended") if line[key]]
        self.files["amd/%s-metrics.csv" % cpu] = tables.metrics(rows, comment + ["From " + c for c in cited])
        found = [_encoding(event, encodings[event.name]) for _, event in wanted if event.name in encodings]
        self.files["amd/%s-events.csv" % cpu] = tables.events(
            found, comment + _sources(encodings[event.name] for _, event in wanted if event.name in encodings))

    def _metrics(self, path):
        return [m for m in json.loads(self.linux.text(path)) if "MetricName" in m]

    def _pipeline(self, path):
        """Level 1 by group PipelineL1; level 2 below the node that its other group names."""
        metrics = self._metrics(path)
        names = {m["MetricName"] for m in metrics}
        first, second, helpers = [], [], []
        for metric in metrics:
            row = Row("aux", metric["MetricName"], source="linux", groups=perf_json.groups(metric),
                      formula=perf_json.expression(metric["MetricExpr"], names.__contains__))
            if row.groups:
                _make_node(row)
            (helpers if row.kind == "aux" else first if row.level == 1 else second).append(row)
        ordered = [row for node in first for row in [node] + [r for r in second if r.parent == node.name]]
        return ordered + helpers

    def _ratios(self, path, taken):
        rows = []
        for metric in self._metrics(path):
            name = metric["MetricName"]
            if RATIO.match(name) and "PerPkg" not in metric:
                unit, factor = perf_json.percent_of(metric.get("ScaleUnit"))
                tree = perf_json.expression(metric["MetricExpr"], taken.__contains__)
                rows.append(Row("info", name, source="linux", groups=perf_json.groups(metric),
                                formula=perf_json.scaled(tree, factor), unit="fraction" if unit == "ratio" else unit))
        return rows


def _make_node(row):
    row.kind, row.domain, row.unit = "node", "Slots", "fraction"
    row.level = 1 if "PipelineL1" in row.groups else 2
    if row.level == 2:
        row.parent = next(g for g in row.groups if g.endswith("_group"))[:-len("_group")]


def _sources(entries):
    found = sorted({"%s @%s" % (entry["file"], entry["commit"]) for entry in entries})
    return ["From github.com/torvalds/linux tools/perf/pmu-events/arch/x86/" + text for text in found]


def _encoding(event, entry):
    """Twelve bits of event select: 0-7 and 32-35."""
    select, umask = int(entry["select"], 0), int(entry["umask"] or "0", 0)
    cmask = next((int(m[1:]) for m in event.modifiers if m.startswith("c")), 0)
    config = select & 0xff | (select >> 8) << 32 | umask << 8 | cmask << 24
    name = event.name.lower()
    perf_name = "cpu/%s,cmask=%#x/" % (name, cmask) if cmask else name
    return Encoding(event.text(), perf_name, (config,), counters="0-5", counters_htoff="0-5")
