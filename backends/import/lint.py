# SPDX-License-Identifier: MIT
"""What must hold in every table, whatever the publications say."""

from notation import INPUTS, Call, Event, Name, parse, parts, write

KINDS = ("node", "bottleneck", "info", "aux")
ARGUMENTS = {"min": 2, "max": 2, "per_cpu": 1, "has": 1, "optional": 1}
UNITS = ("fraction", "percent", "ratio", "cycles", "slots", "instructions", "per instruction", "per kilo-instruction",
         "MPKI", "per kilo-uop", "per cycle", "operations per cycle", "per branch", "per TLB access",
         "per cache access",
         "per cache read access", "CPUs", "ns", "s", "GHz", "GB/s", "MB/s", "GFLOP/s", "million per second", "W",
         "percent of cycles", "percent of slots", "percent of operations", "percent of bus cycles")


def problems(table, rows, unknown_events):
    """Sentences about a table's rows; none if it is sound. unknown_events(row): events that no events table has."""
    by_name, found = {}, []
    for row in rows:
        if row.name in by_name:
            found.append("duplicate name %s" % row.name)
        by_name[row.name] = row
    for row in rows:
        found += _row(row, by_name) + _formula(row, by_name)
        found += ["%s: no event %s" % (row.name, e) for e in unknown_events(row)]
    found += _aliases(rows, by_name) + _cycles(by_name) + _tree_order(rows)
    return ["%s: %s" % (table, text) for text in found]


def _row(row, by_name):
    found = []
    if row.kind not in KINDS:
        found.append("%s: kind %s" % (row.name, row.kind))
    if row.kind == "node" and (row.level == 1) == bool(row.parent):
        found.append("%s: level %s, parent %s" % (row.name, row.level, row.parent or "none"))
    if row.parent and row.parent not in by_name:
        found.append("%s: no parent %s" % (row.name, row.parent))
    elif row.parent and row.level <= by_name[row.parent].level:  # toplev leaves a level out where a CPU lacks a node
        found.append("%s: level %s under %s of level %s" % (row.name, row.level, row.parent, by_name[row.parent].level))
    if row.kind != "aux" and row.unit not in UNITS:
        found.append("%s: unit %s" % (row.name, row.unit or "missing"))
    return found


def _formula(row, by_name):
    found = []
    for tree in (row.formula, row.threshold):
        for part in parts(tree) if tree else ():
            if isinstance(part, Name) and not _is_known(part.name, by_name, tree is row.threshold):
                found.append("%s: no row %s" % (row.name, part.name))
            if isinstance(part, Call):
                found += ["%s: %s" % (row.name, text) for text in _call(part)]
        if tree and parse(write(tree)) != tree:
            found.append("%s: %s does not read back as the same formula" % (row.name, write(tree)))
    return found


def _call(call):
    if len(call.arguments) != ARGUMENTS.get(call.function):
        yield "%s(...) of %d terms" % (call.function, len(call.arguments))
    elif call.function in ("has", "optional") and not isinstance(call.arguments[0], Event):
        yield "%s(...) of something that is no event" % call.function


def _is_known(name, by_name, in_threshold):
    if in_threshold and (name in ("v", "parent") or name.endswith(".over")):
        return name in ("v", "parent") or name[:-len(".over")] in by_name
    return name in by_name or name in INPUTS


def _aliases(rows, by_name):
    seen, found = {}, []
    for row in rows:
        for alias in row.alias:
            if alias in by_name or alias in seen:
                found.append("%s: alias %s is another row's" % (row.name, alias))
            seen[alias] = row
    return found


def _cycles(by_name):
    done, found = set(), []

    def visit(name, path):
        if name in path:
            found.append("a circle: %s" % " -> ".join(path[path.index(name):] + [name]))
        elif name in by_name and name not in done:
            formula = by_name[name].formula
            for part in parts(formula) if formula else ():
                if isinstance(part, Name):
                    visit(part.name, path + [name])
            done.add(name)

    for name in by_name:
        visit(name, [])
    return found


def _tree_order(rows):
    """A node comes after its parent, with nothing but the parent's other descendants between them."""
    path, found = [], []
    for row in rows:
        if row.kind == "node":
            while path and path[-1] != row.parent:
                path.pop()
            if row.parent and not path:
                found.append("%s is not among the children of %s" % (row.name, row.parent))
            path.append(row.name)
    return found
