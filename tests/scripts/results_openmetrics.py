# SPDX-License-Identifier: MIT
"""Reads counters (--format openmetrics or prometheus) beside the json of the same results, with --counts:
results_openmetrics.py TEXT JSON DIALECT SLOTS, and says what is wrong. SLOTS is the event that counted the slots, or
EVENT*WIDTH. Lines are read by the grammar of OpenMetrics 1.0; sums are worked out from json anew."""
import json
import math
import re
import sys

wrong = []


def check(good, *words):
    if not good:
        wrong.append(' '.join(str(w) for w in words))


LABEL = r'[a-z_]+="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(r'([a-z_]+)(?:\{(' + LABEL + r'(?:,' + LABEL + r')*)\})? ([-+0-9.e]+)')
SUFFIXES = {'counter': '_total', 'info': '_info', 'gauge': ''}


def read(text, dialect):
    """{name of the sample: {labels: value}}; families follow one another, each with its type first."""
    lines = text.split('\n')
    check(lines[-1] == '', 'the last line does not end')
    lines.pop()
    if dialect == 'openmetrics':
        check(lines and lines.pop() == '# EOF', 'no EOF')
    samples, families, now = {}, {}, None
    for line in lines:
        meta = re.fullmatch(r'# (TYPE|UNIT|HELP) ([a-z_]+) (.+)', line)
        if meta:
            key, name, value = meta.groups()
            if key == 'TYPE':
                check(name not in families, 'twice:', name)
                now = name
                families[name] = value
            check(name == now, line, 'is not of', now)
            check(key != 'UNIT' or dialect == 'openmetrics' and name.endswith('_' + value), line)
            continue
        sample = SAMPLE.fullmatch(line)
        check(sample, 'no sample:', line)
        if not sample:
            continue
        name, labels, value = sample.groups()
        expected = now + SUFFIXES[families[now]] if dialect == 'openmetrics' else now
        check(name == expected, name, 'in family', now)
        labels = tuple(sorted(re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', labels or '')))
        check(len(dict(labels)) == len(labels), 'a label twice:', line)
        check(labels not in samples.setdefault(name, {}), 'twice:', line)
        samples[name][labels] = float(value)
    return samples


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-3)


def clamp(x):
    return min(1, max(0, x))


def main():
    dialect, slots_of = sys.argv[3:5]
    with open(sys.argv[1], encoding='utf-8') as f:
        samples = read(f.read(), dialect)
    with open(sys.argv[2], encoding='utf-8') as f:
        results = [o for o in map(json.loads, f) if 'type' not in o]
    results = [r for r in results if not r.get('summary')] or results
    event, _, width = slots_of.partition('*')
    sums = {}
    for r in results:
        counted = r['counts'].get(event)
        if counted is None:
            continue
        slots = (counted[0] if isinstance(counted, list) else counted) * int(width or 1)
        whole = sums.setdefault((r['scope'], r['scope_kind'], r.get('core')), [0, {}])
        whole[0] += slots
        for name, m in r['metrics'].items():
            if m.get('unit', 'slots') != 'slots' or m.get('status') == 'not_on_this_cpu':
                continue
            parts = whole[1].setdefault(name, [0] * 4)
            sound = m.get('bounds') == 'sound'
            if m['value'] is not None:
                parts[0] += clamp(m['value']) * slots
            parts[1] += clamp(m['low']) * slots if sound else 0
            parts[2] += clamp(m['high']) * slots if sound else slots
            parts[3] += m['value'] is not None
    check(sums, 'no slots are in the json')
    for (scope, kind, core), (slots, nodes) in sums.items():
        def of(name, node=None):
            found = [v for labels, v in samples.get(name, {}).items()
                     if (d := dict(labels))['scope'] == scope.replace('\\', '\\\\').replace('"', '\\"') and d['scope_kind'] == kind and d.get('core') == core and d.get('node') == node]
            return found[0] if len(found) == 1 else math.nan
        check(near(of('tdprobe_slots_all_total'), slots), scope, 'slots', of('tdprobe_slots_all_total'), 'are not', slots)
        for name, parts in nodes.items():
            for family, value in zip(('', '_low', '_high'), parts):
                got = of(f'tdprobe_slots{family}_total', name)
                check(near(got, value) if parts[3] else math.isnan(got), scope, name, family, got, 'is not', value)
    intervals = sum(samples['tdprobe_intervals_total'].values()) + sum(samples.get('tdprobe_discarded_intervals_total', {}).values())
    check(intervals == len(results), intervals, 'intervals of', len(results))
    if dialect == 'openmetrics':
        try:
            from prometheus_client.openmetrics.parser import text_string_to_metric_families as strict
        except ImportError:
            strict = None
        if strict:
            with open(sys.argv[1], encoding='utf-8') as f:
                list(strict(f.read()))
    print('\n'.join(wrong[:20]))
    sys.exit(bool(wrong))


main()
