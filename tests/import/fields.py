# SPDX-License-Identifier: MIT
"""Everything of a metric and of an event but its value: what differs between the reference and our tables."""

import re

METRIC_FIELDS = ("kind", "level", "domain", "groups", "parent", "threshold", "samples", "needs", "unit", "next")
# the reference's columns by ours, where their names differ
THEIR_NAMES = {"samples": "sample_events", "groups": "group", "latency_toplev": "retlat_mean_toplev",
               "latency_perfmon": "retlat_mean_perfmon"}
EVENT_FIELDS = ("config", "config1", "counters", "counters_htoff", "taken_alone", "modifier", "errata", "perf_name",
                "latency_toplev", "latency_perfmon")


def theirs_of(row, field):
    """A column of the reference, or None where it has none."""
    return row.get(field, row.get(THEIR_NAMES.get(field)))


def metric_fields(reference, theirs, ours, row):
    for field in METRIC_FIELDS:
        there, here = theirs_of(theirs, field), row[field]
        if there is not None and field not in not_comparable(reference, theirs):
            a, b = _comparable(field, there, theirs, reference, ours), _comparable(field, here, row, ours, ours)
            if a != b and not (field == "groups" and reference.vendor != "intel" and set(a) <= set(b)):
                yield _finer(field, a, b), "%s here, %s there" % (here or "none", there or "none")


def _finer(field, there, here):
    """A need of the frontend register alone is a difference of its own."""
    return "frontend_msr" if field == "needs" and set(here) ^ set(there) == {"frontend_msr"} & set(here) else field


def not_comparable(reference, theirs):
    """Arm's and AMD's reference calls every row that is no node a metric, and gives fractions and percent in words."""
    if reference.vendor == "intel":
        return ("unit", "next")
    return ("kind", "unit") if theirs["kind"] == "metric" or reference.vendor == "arm" else ("unit",)


def _comparable(field, text, row, side, ours):
    if field == "threshold":
        return sorted((ours.name_of(n) or n, c) for n, c in _chain(row.get("name") or row["node"], side.rows, text))
    if field == "parent":
        return text and ours.name_of(text)
    if field in ("groups", "samples", "needs", "next"):
        return sorted(set(text.split()) - {"perfmon_only"})
    return text


def _conditions(text):
    """The terms of a conjunction without their parentheses."""
    return [re.sub(r"^\(\s*|\s*\)$", "", t.strip()) for t in text.split("&")] if text else []


def _chain(name, rows, text):
    """A threshold with those of the nodes above it in place of "parent": [(name, condition), ...]"""
    found = []
    for term in _conditions(text):
        if term == "parent":
            above = rows[name]["parent"]
            found += _chain(above, rows, rows[above]["threshold"])
        elif term.startswith("v "):
            found.append((name, term[2:]))
        else:
            of, _, rest = term.partition(" ")
            found.append(_percent(of, rest, rows))
    return found


def _percent(of, rest, rows):
    """Rows that only perfmon has spell the whole chain out, in percent and with its capitals."""
    name, match = of.lower(), re.match(r"([<>]) ([0-9.]+)$", rest)
    if of != name and match and rows.get(name, {}).get("kind") == "node":
        return name, "%s %g" % (match.group(1), float(match.group(2)) / 100)
    return name, rest


# ---- events -------------------------------------------------------------------


def event_fields(reference, ours):
    """(event, field, text) for everything that differs between the events."""
    here = {ours.theirs(row): row for row in ours.events.values()}
    for name, theirs in reference.events.items():
        if name not in here:
            yield name, "event", "not here"
            continue
        row = here.pop(name)
        for field in EVENT_FIELDS:
            there = theirs_of(theirs, field)
            if there is not None and _event_text(field, there, theirs) != _event_text(field, row[field], row):
                yield name, field, "%s here, %s there" % (row[field] or "none", there or "none")
    for name, row in here.items():
        if not name.startswith("PERF_METRICS."):
            yield name, "event", "not there"


def _event_text(field, text, row):
    if field == "counters_htoff":
        text = text or row["counters"]
    if field.startswith("counters"):
        return _ranges(text)
    if field.startswith("latency"):
        return text and float(text)
    if field == "errata":
        return sorted(re.findall(r"\w+", text))
    if field == "perf_name":
        return sorted(re.split(r"[,/]", text))
    return text.lower()


def _ranges(text):
    """0-3 5 as 0 1 2 3 5"""
    numbers = []
    for run in text.split():
        first, _, last = run.partition("-")
        numbers += [str(n) for n in range(int(first), int(last) + 1)] if last else [run]
    return " ".join(numbers)
