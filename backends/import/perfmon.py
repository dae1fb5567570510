# SPDX-License-Identifier: MIT
"""intel/perfmon's metrics (*_metrics*.json): those of the TMA tree, by their BaseFormula."""

import json
import re

from notation import Binary, Call, Event, FormulaError, Name, Number, modifiers_sorted, parse, rebuilt
from rows import Row

WORDS = {"smt_on": Name("SMT"), "num_cpus": Name("cpus"), "duration_time": Name("duration"), "tsc": Name("tsc")}
MODIFIERS = {"sup": "k", "user": "u", "retire_latency": "R", "perf_metrics": ""}
# rows whose percentages are no fractions in this table either
PERCENT = ("bottleneck", "info")


def leaf(word):
    if re.match(r"\d+(\.\d+)?(e\d+)?$", word):
        return Number(str(int(float(word))) if "e" in word else word)
    if word in WORDS:
        return WORDS[word]
    if word.startswith("tma_"):
        return Name(word[len("tma_"):])
    name, *modifiers = word.split(":")
    kept = tuple(k for k in (MODIFIERS.get(m, m) for m in modifiers) if k)
    return Event(name.upper(), modifiers_sorted(kept))


def _known_latency(part):
    """x:retire_latency >= 0 asks whether it is known."""
    if isinstance(part, Binary) and part.op == ">=" and part.right == Number("0") and isinstance(part.left, Event):
        return Call("has", (part.left,))
    return part


def formula(text):
    return rebuilt(parse(text, leaf), _known_latency)


def row_name(metric):
    """Info_Thread_IPC and L1_Bound as they stand, in lower case."""
    return metric.lower()


def sample(text):
    return text[:-len("_PS")] + ":pp" if text.endswith("_PS") else text


class Metrics:
    """One file: rows by name, in the file's order."""

    def __init__(self, text):
        data = json.loads(text)
        header = data["Header"]
        self.version = "TMA %s, version %s" % (header["TmaVersion"], header["Version"])
        self.metrics = [m for m in data["Metrics"] if "BaseFormula" in m]
        self.labels = {m["LegacyName"]: row_name(m["MetricName"]) for m in self.metrics}
        self.rows = {}
        for metric in self.metrics:
            self._add(metric)
        self._chain_thresholds()

    def _add(self, metric):
        name = row_name(metric["MetricName"])
        try:
            tree, unreadable = formula(metric["BaseFormula"]), ""
        except FormulaError as why:
            tree, unreadable = None, str(why)
        kind = "bottleneck" if name.startswith("bottleneck_") else "info" if name.startswith("info_") else "node"
        self.rows[name] = Row(
            kind, name, level=metric["Level"] if kind == "node" else "", toplev_name=metric["MetricName"],
            parent=metric.get("ParentCategory", "").lower(), domain=metric["CountDomain"],
            threshold=self._threshold(metric), samples=self._samples(metric), source="perfmon", formula=tree,
            unreadable=unreadable, groups=sorted(g for g in metric["MetricGroup"].split(";") if g))

    def _samples(self, metric):
        return [sample(s.strip()) for s in metric.get("LocateWith", "").split(";") if s.strip() and "#NA" not in s]

    def _threshold(self, metric):
        """The condition with rows' names in place of labels: metric_TMA_..Memory_Bound(%) > 20"""
        text = metric.get("Threshold", {}).get("BaseFormula", "")
        if not text:
            return None
        for label in sorted(self.labels, key=len, reverse=True):
            text = text.replace(label, self.labels[label])
        return parse(text)

    def _chain_thresholds(self):
        """Writes "x > 5 & parent > 10 & grandparent > 20" as "v > 0.05 & parent"."""
        published = {name: row.threshold for name, row in self.rows.items()}
        for row in self.rows.values():
            if row.threshold:
                row.threshold = self._own_condition(row, published)

    def _own_condition(self, row, published):
        own, *chain = _conjuncts(published[row.name])
        own = _fractions(own) if row.kind == "node" else own
        own = rebuilt(own, lambda part: Name("v") if part == Name(row.name) else part)
        above = published.get(row.parent)
        if chain and above and chain == _conjuncts(above):
            return Binary("&", own, Name("parent"))
        for condition in chain:
            own = Binary("&", own, condition)
        return own


def _conjuncts(tree):
    if isinstance(tree, Binary) and tree.op == "&":
        return _conjuncts(tree.left) + _conjuncts(tree.right)
    return [tree]


def _fractions(tree):
    """Percentages compared with numbers become fractions."""
    def hundredth(part):
        if isinstance(part, Binary) and part.op in "<>" and isinstance(part.right, Number):
            return Binary(part.op, part.left, Number("%g" % (float(part.right.text) / 100)))
        return part

    return rebuilt(tree, hundredth)
