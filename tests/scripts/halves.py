# SPDX-License-Identifier: MIT
"""What 'tdprobe compare -x,' says of recorded series, computed once more from the counts, by another method: batch means.

usage: halves.py RECORDING_A SCOPE_A RECORDING_B SCOPE_B < comparison.csv

The shares are those of Sapphire Rapids' published formulas over the four level-1 counts, without INT_MISC.UOP_DROPPING, which these
recordings lack. The error of a mean is that of the means of about sqrt(n) stretches of equal length. Exits with 1 after a line for
each value that is not the counts', each claim without two standard errors, and each value that is 8 standard errors
away, by at least six stretches' worth of slots, without a claim."""
import csv
import math
import sys

LEVEL_1 = ['topdown-retiring', 'topdown-bad-spec', 'topdown-fe-bound', 'topdown-be-bound']
NODES = {
    'retiring': ['topdown-retiring'],
    'bad_speculation': ['topdown-bad-spec'],
    'frontend_bound': ['topdown-fe-bound'],
    'backend_bound': ['topdown-be-bound'],
    'heavy_operations': ['topdown-heavy-ops'],
    'light_operations': ['topdown-retiring', '-topdown-heavy-ops'],
    'branch_mispredicts': ['topdown-br-mispredict'],
    'machine_clears': ['topdown-bad-spec', '-topdown-br-mispredict'],
    'fetch_latency': ['topdown-fetch-lat'],
    'fetch_bandwidth': ['topdown-fe-bound', '-topdown-fetch-lat'],
    'memory_bound': ['topdown-mem-bound'],
    'core_bound': ['topdown-be-bound', '-topdown-mem-bound'],
}


def read(path, scope):
    """The counts of each interval, by event."""
    times = {}
    for line in open(path):
        fields = line.strip().split(',')
        if len(fields) > 6 and fields[4] == scope and fields[1].isdigit():
            times.setdefault(fields[0], {})[fields[3]] = int(fields[1])
    return [counts for counts in times.values() if sum(counts.get(e, 0) for e in LEVEL_1) > 0 and all(e in counts for e in LEVEL_1)]


def parts(intervals, node):
    """Numerators and denominators of a node's share."""
    out = []
    for counts in intervals:
        if all(e.lstrip('-') in counts for e in NODES[node]):
            top = sum(-counts[e[1:]] if e[0] == '-' else counts[e] for e in NODES[node])
            out.append((top, sum(counts[e] for e in LEVEL_1)))
    return out


def mean(pairs):
    return sum(p[0] for p in pairs) / sum(p[1] for p in pairs)


def error(pairs):
    """Of the ratio's mean, by batches; and how many batches of equal weight that is worth."""
    share, n = mean(pairs), len(pairs)
    batches = max(4, int(math.sqrt(n)))
    off, weight = [0.0] * batches, [0.0] * batches
    for i, (top, bottom) in enumerate(pairs):
        off[i * batches // n] += top - share * bottom
        weight[i * batches // n] += bottom
    return math.sqrt(sum(x * x for x in off) * batches / (batches - 1)) / sum(weight), sum(weight) ** 2 / sum(w * w for w in weight)


def main():
    a, b = read(*sys.argv[1:3]), read(*sys.argv[3:5])
    wrong = compared = claimed = 0
    for row in csv.DictReader(sys.stdin):
        if row['metric'] not in NODES or not row['diff_value'] or row['scope'] != sys.argv[2]:
            continue
        x, y = parts(a, row['metric']), parts(b, row['metric'])
        compared += 1
        for side, pairs in (('a', x), ('b', y)):
            if abs(mean(pairs) - float(row[side + '_value'])) > 1e-9:
                print(row['metric'], side, 'is', mean(pairs), 'by the counts, not', row[side + '_value'])
                wrong += 1
        difference = mean(y) - mean(x)
        (error_a, worth_a), (error_b, worth_b) = error(x), error(y)
        errors = abs(difference) / math.hypot(error_a, error_b)
        plain = errors > 8 and min(worth_a, worth_b) >= 6  # of fewer batches the error itself is not known
        claim = row['call'] in ('more', 'less')
        claimed += claim
        if claim and (errors < 2 or (row['call'] == 'more') != (difference > 0)) or row['call'] == 'same' and abs(difference) > 0.01 or row['call'] == 'unknown' and plain:
            print(row['metric'], row['call'], 'but the counts differ by', difference, 'which is', errors, 'standard errors')
            wrong += 1
    print(compared, 'compared,', claimed, 'claims')
    return 1 if wrong or not compared else 0


sys.exit(main())
