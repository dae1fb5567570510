#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of counters that were made to cost much.

hostile_traces.py list
hostile_traces.py SHAPE FILE BYTES [EVENTS]   EVENTS: what 'tdprobe perf-command -M all' prints, for the shape "metrics"

Prints nothing; the file has about so many bytes.
"""
import random
import re
import sys

EVENTS = ['slots', 'topdown-retiring', 'topdown-bad-spec', 'topdown-fe-bound', 'topdown-be-bound']
VALUES = [1000000, 400000, 110000, 210000, 280000]
KINDS = ['system', 'cpu', 'core', 'socket', 'node', 'thread', 'cgroup', 'region']
PHASES = 4096  # intervals that 'tdprobe phases' looks at one by one


class Writer:
    """Readings of a trace, until it is as long as it may be."""

    def __init__(self, path, size):
        self.out = open(path, 'wb')
        self.left = size
        self.sums = {}
        self.put(b'# tdprobe-trace: 1\n# cpu: GenuineIntel-6-8F-8\n# smt: on\n# source: perf\n'
                 b'time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n')

    def put(self, text):
        self.out.write(text)
        self.left -= len(text)

    def reading(self, time, scope, kind='cpu', values=VALUES, events=EVENTS, groups=None):
        sums = self.sums.setdefault((scope, kind), [0] * len(values)) if time else [0] * len(values)
        ns = time * 10**9
        for i, value in enumerate(values):
            sums[i] += value if time else 0
            self.put(b'%d,%s,%s,,%d,0,%s,%d,%d,%d\n' % (ns, scope, kind.encode(), groups[i] if groups else 0, events[i].encode(), sums[i], ns, ns))
        self.put(b'%d,%s,%s,,,0,end,%d,,\n' % (ns, scope, kind.encode(), len(values)))


def rounds(w, scopes, intervals, kind=lambda i: 'cpu', values=lambda t, i: VALUES):
    """All scopes at each time."""
    for t in range(intervals + 1):
        for i, name in enumerate(scopes):
            w.reading(t, name, kind(i), values(t, i))


def scope_bytes(intervals):
    return (340 if intervals < 10 else 420) * (intervals + 1)


def scopes(w):
    rounds(w, [b'CPU%d' % i for i in range(w.left // scope_bytes(2))], 2)


def kinds(w):
    n = w.left // scope_bytes(2)
    rounds(w, [b'X%d' % (i // len(KINDS)) for i in range(n)], 2, lambda i: KINDS[i % len(KINDS)])


def alike(w):
    """Names that are equal up to their last bytes, which need escapes."""
    rounds(w, [b'a' * 60 + b'\xe9\x80%d\xff' % i for i in range(w.left // scope_bytes(2) // 2)], 2, lambda i: 'cgroup')


def reversed_scopes(w):
    """Each time in the other order, so that no guess from the order before holds."""
    names = [b'CPU%d' % i for i in range(w.left // scope_bytes(3))]
    for t in range(4):
        for name in names if t % 2 else names[::-1]:
            w.reading(t, name)


def intervals(w):
    rounds(w, [b'CPU0'], w.left // (scope_bytes(PHASES) // PHASES))


def noise(w, steps=0):
    """As many intervals for each scope as are looked at one by one, of values that scatter, in phases of so many intervals."""
    chance = random.Random(1)
    n = max(1, w.left // scope_bytes(PHASES))
    length = min(PHASES, w.left // (scope_bytes(PHASES) // PHASES))

    def values(t, i):
        off = chance.randrange(50000) + (200000 if steps and t // steps % 2 else 0)
        return [1000000, 400000 - off, 110000, 210000, 280000 + off]

    rounds(w, [b'CPU%d' % i for i in range(n)], length, values=values)


def steps(w):
    noise(w, 8)


def metrics(w):
    text = open(sys.argv[4]).read()
    inside = re.search(r"-e '?([^' ]*)'?", text).group(1)
    groups, events = [], []
    for number, group in enumerate(re.findall(r'\{([^}]*)\}', inside)):
        for event in re.findall(r'(?:cpu/[^/]*/|[^,/]+)[a-zA-Z]*', group):
            name = re.search(r'name=([^,/]*)', event)
            events.append(name.group(1) if name else event.strip('\'').replace(',', '_'))
            groups.append(number)
    values = [VALUES[EVENTS.index(e)] if e in EVENTS else 1000 + 7 * i for i, e in enumerate(events)]
    one = 60 * len(events)
    names = [b'CPU%d' % i for i in range(max(1, w.left // one // 3))]
    for t in range(3):
        for name in names:
            w.reading(t, name, 'cpu', values, events, groups)


def events(w):
    """Names of events that no formula knows, as many as there may be."""
    n = min(3900, w.left // 3 // 50)
    names = EVENTS + ['odd%d' % i for i in range(n)]
    for t in range(max(2, w.left // (n * 50))):
        w.reading(t, b'CPU0', 'cpu', VALUES + [1] * n, names)


SHAPES = {'scopes': scopes, 'kinds': kinds, 'alike': alike, 'reversed': reversed_scopes, 'intervals': intervals, 'noise': noise, 'steps': steps,
          'metrics': metrics, 'events': events}

if __name__ == '__main__':
    if sys.argv[1] == 'list':
        print('\n'.join(SHAPES))
    else:
        SHAPES[sys.argv[1]](Writer(sys.argv[2], int(sys.argv[3])))
