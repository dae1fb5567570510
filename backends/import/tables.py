# SPDX-License-Identifier: MIT
"""The CSV files: lines of comment, a header, rows; only a last column may need quotes."""

import csv
import io

from notation import write

METRICS = ("kind", "level", "name", "alias", "parent", "domain", "unit", "threshold", "samples", "groups", "next",
           "needs", "source", "formula")
EVENTS = ("name", "config", "config1", "counters", "counters_htoff", "taken_alone", "modifier", "errata",
          "latency_toplev", "latency_perfmon", "perf_name")


def read(path):
    """The rows of a CSV file as dictionaries; lines of comment begin with #."""
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def _text(columns, rows, comment):
    out = io.StringIO()
    for line in ["SPDX-License-Identifier: MIT", *comment]:
        out.write("# %s\n" % line)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    text = out.getvalue()
    text.encode("ascii")
    return text


def plain(columns, rows, comment):
    return _text(columns, rows, comment)


def body(text):
    """A table without its comment."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def metrics(rows, comment):
    def cells(row):
        return (row.kind, row.level, row.name, " ".join(row.alias), row.parent, row.domain, row.unit,
                write(row.threshold) if row.threshold else "", " ".join(row.samples), " ".join(row.groups),
                " ".join(row.next), " ".join(row.needs), row.source, write(row.formula) if row.formula else "")

    return _text(METRICS, [cells(row) for row in rows], comment)


def events(encodings, comment):
    def cells(event):
        return (event.name, " ".join("%#x" % c for c in event.config), "%#x" % event.config1 if event.config1 else "",
                event.counters, event.counters_htoff if event.counters_htoff != event.counters else "",
                int(event.alone), event.modifier, " ".join(event.errata), *(event.latencies or ("", "")),
                event.perf_name)

    return _text(EVENTS, [cells(event) for event in encodings], comment)
