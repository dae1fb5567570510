# SPDX-License-Identifier: MIT
"""Metrics as the kernel's tools/perf/pmu-events writes them: MetricExpr, ScaleUnit, MetricGroup."""

import re

from notation import Binary, Call, Event, Name, Number, modifiers_sorted, parse, rebuilt

# perf's generic names
GENERIC = {"instructions": "INST_RETIRED", "duration_time": "duration"}
TERMS = {"cmask": "c", "edge": "e", "inv": "i", "umask": "u"}


def expression(text, is_metric, slots=None):
    """A tree; is_metric tells a metric's name from an event's."""
    def leaf(word):
        if re.match(r"\d+(\.\d+)?(e\d+)?$", word):
            return Number(str(int(float(word))) if "e" in word else word)
        if is_metric(word):
            return Name(word)
        name, *modifiers = GENERIC.get(word, word).split(":")
        return Name(name) if name == "duration" else Event(name.upper(), modifiers_sorted(tuple(modifiers)))

    text = re.sub(r"cpu@([^@]*)@", _event_with_terms, text)
    if slots:
        text = text.replace("#slots", str(slots))
    return rebuilt(parse(text, leaf), _plain)


def _event_with_terms(match):
    r"""cpu@name\,cmask\=0x8@ as name:c8"""
    name, *terms = match.group(1).replace("\\", "").split(",")
    modifiers = []
    for term in terms:
        key, value = term.split("=")
        number = int(value, 0)
        modifiers.append("u%#x" % number if key == "umask" else "%s%d" % (TERMS[key], number))
    return ":".join([name] + modifiers)


def _plain(part):
    """d_ratio(a, b) is a / b: without b there is no ratio, and 0 would be a claim."""
    if isinstance(part, Call) and part.function == "d_ratio":
        return Binary("/", *part.arguments)
    return part


def percent_of(scale):
    """The unit that a ScaleUnit ("100%", "1MPKI", "1e3per_1k_instr") prints, and the factor that the formula lacks."""
    if not scale:
        return "ratio", 1
    factor, unit = re.match(r"([0-9.]+(?:e\d+)?)(.*)$", scale).groups()
    unit = {"%": "fraction", "PKI": "per kilo-instruction", "MPKI": "MPKI", "per_1k_instr": "per kilo-instruction",
            "per_branch": "per branch"}.get(unit, unit)
    factor = int(float(factor))
    if factor == 100:  # perf prints the fraction in percent
        return "fraction", 1
    return unit, factor


def scaled(tree, factor):
    return tree if factor == 1 else Binary("*", tree, Number(str(factor)))


def groups(metric):
    return sorted(g for g in metric.get("MetricGroup", "").split(";") if g and g != "Default")
