# SPDX-License-Identifier: MIT
"""What a browser made of a page of results, beside the json of the same: results_drawn.py, after page-browser.sh wrote drawn.1 and drawn.0
(light and dark) and page.json."""
import json
import re
import statistics

from html_drawn import contrast, light

wrong = []


def check(good, *words):
    if not good:
        wrong.append(' '.join(str(w) for w in words))


def inside(share):
    return min(max(share, 0), 1)


def percent(text):
    return float(text.split()[0]) / 100


def same_interval(words, one):
    """Whether a readout has the numbers of an interval: values to 0.5 %, bounds at most a step further out."""
    for part in words.split(';'):
        node, value, bounds = part.split('=')
        m = one['metrics'][node]
        if m.get('status'):
            check(value == '\u2013', node, 'is', value, 'without a value')
            continue
        check(abs(percent(value) - inside(m['value'])) <= 0.002501, node, 'is', value, 'not', m['value'])
        if 'bounds' in m:
            low, high = (percent(b) for b in bounds.split(' .. '))
            check(-1e-9 <= inside(m['low']) - low <= 0.005001 and -1e-9 <= high - inside(m['high']) <= 0.005001, node, 'is within', bounds, 'not', m['low'], m['high'])
        else:
            check(bounds == 'no bounds', node, 'has', bounds)


def phase_of(one, phases):
    mine = [p for p in phases if p['scope'] == one['scope'] and p.get('core') == one.get('core')]
    return next((k for k, p in enumerate(mine, 1) if one['time'] <= p['time']), None), len(mine)


def check_reads(reads, mine, second, phases):
    n = len(mine)
    wanted = {'start': 1, 'ArrowRight': 2, 'End': n, 'Home': 1, 'Shift-ArrowRight': min(11, n), '+': min(11, n), 'Escape': min(11, n)}
    seen_left = 0
    for how, role, now, most, caption, words, axis in reads:
        now = int(now)
        check(role == 'slider' and (how == 'second' or int(most) == n), how, role, most, 'of', n)
        if how == 'ArrowLeft':
            seen_left += 1
            check(now == (n - 1 if seen_left == 1 else 1), 'ArrowLeft comes to', now)
        elif how in wanted:
            check(now == wanted[how], how, 'comes to', now, 'not', wanted[how])
        one = (second if how == 'second' else mine)[now - 1]
        check(not phases or caption.endswith(', in phase {} of {}'.format(*phase_of(one, phases))), caption, 'is not of', phase_of(one, phases))
        check(caption.startswith('until {:.3f} s: '.format(one['time'])) and all(p in caption for p in one['verdict']['path']), how, caption, 'is not', one['time'], one['verdict'])
        same_interval(words, one)
        first, last = (float(w.split()[0]) for w in axis.split(' to '))
        whole = (mine[0]['time'] - mine[0]['duration'], mine[-1]['time'])
        if how in ('start', 'Escape', 'double'):
            check(abs(first - whole[0]) < 0.001 and abs(last - whole[1]) < 0.001, how, 'shows', axis, 'not', whole)
        if how == 'hover':
            time = whole[0] + 0.6 * (whole[1] - whole[0])
            check(one['time'] - one['duration'] - 0.01 * whole[1] <= time <= one['time'] + 0.01 * whole[1], 'hover at', time, 'reads', one['time'])
        if how == 'drag':
            for end, share in ((first, 0.25), (last, 0.75)):
                check(abs(end - whole[0] - share * (whole[1] - whole[0])) < 0.01 * (whole[1] - whole[0]), 'drag shows', axis)
        if how == '+':
            check(last - first < whole[1] - whole[0] or n < 3, '+ shows', axis)


def mean_of(intervals, node):
    """A node's mean over the time that it has a value; None: it has none."""
    values = [(i['duration'], inside(i['metrics'][node]['value'])) for i in intervals if i['metrics'].get(node, {}).get('value') is not None]
    return sum(d * v for d, v in values) / sum(d for d, _ in values) if values else None


def check_cell(words, node, lines, means, far):
    """The words of a cell of the heat map; the number of its scope, and of its interval."""
    found = re.fullmatch(r'(.*), until ([0-9.]+) s: (\S+) ([0-9.]+) %; in the mean ([0-9.]+) %(, an outlier)?', words)
    if not found or found[3] != node:
        return check(False, words, 'is no cell of', node)
    number = next(k for k, s in enumerate(lines) if s[0]['scope'] + (', ' + s[0]['core'] if s[0].get('core') else '') == found[1])
    at, one = next((k, i) for k, i in enumerate(lines[number]) if abs(i['time'] - float(found[2])) < 0.00051)
    check(abs(float(found[4]) / 100 - inside(one['metrics'][node]['value'])) <= 0.002501, words, 'is not', one['metrics'][node]['value'])
    check(abs(float(found[5]) / 100 - means[number]) <= 0.003, words, 'is not', means[number], 'in the mean')
    check(bool(found[6]) == (number in far), words, 'against', far)
    return number, at


def check_heat(told, lines):
    """What the heat map says after each key: the rule for outliers is that of the page."""
    check(bool(told) == bool(lines), len(told), 'readings of a heat map of', len(lines), 'scopes')
    place, seen = {}, set()
    for how, node, order, outliers, cell, scope in told:
        means = {k: m for k, m in ((k, mean_of(s, node)) for k, s in enumerate(lines)) if m is not None}
        middle = statistics.median(means.values())
        off = {k: abs(m - middle) for k, m in means.items()}
        far = {k for k in off if off[k] > max(0.01, 5 * statistics.median(off.values()))}
        check(all((lines[k][0]['scope'] + ' ' in outliers) == (k in far) for k in means) and f'the median of {len(means)} scope{"s" if len(means) > 1 else ""} is' in outliers, outliers, 'are not', far)
        check(abs(float(outliers.rsplit(' is ')[-1].split()[0]) / 100 - middle) <= 0.003, outliers, 'not', middle)
        place[how] = check_cell(cell, node, lines, means, far)
        seen.add(node)
        if how == 'Enter':
            check(scope.startswith(lines[place[how][0]][0]['scope'] + ' ('), how, 'shows', scope, 'for', cell)
        if how in ('start', 'ArrowDown'):
            rank = sorted(means, key=lambda k: -means[k]).index(place[how][0])
            check(rank == (how == 'ArrowDown'), how, 'is at rank', rank)
    if told and all(place.values()):
        n = len(lines[0])
        check([place[k][1] for k in ('start', 'End', 'ArrowLeft', 'Home')] == [0, n - 1, n - 2, 0], 'cells', place)
        check(place['ArrowUp'][0] == place['start'][0] and place['ArrowDown'][0] == place['End'][0] and place['order'][0] == min(means), 'rows', place)
        check(place['hover'][1] in (n // 2 - 1, n // 2) and place['hover'][0] == min(means, key=means.get) if len(seen) == 1 else True, 'hover', place)
        check(seen >= {m for m in ('retiring', 'backend_bound') if m in lines[0][0]['metrics']}, 'nodes', seen)


def check_scheme(drawn, dark, sums, lines):
    pages = [w for w in drawn if w[0] == 'page']
    check(sorted(w[1] for w in pages) == ['1280', '390'], 'pages:', pages)
    for width, scroll, client, paper, scripts, title, alien in (w[1:] for w in pages):
        check(int(scroll) <= int(client), width, 'pixels: the page scrolls to', scroll)
        check((light(paper) < 0.1) == dark and alien == 'alone', 'paper', paper, alien)
        for w in (w for w in drawn if w[0] == 'ink' and w[1] == width):
            check(contrast(paper, w[3]) >= 4.5, w[2], 'has too little contrast:', paper, w[3])
    for w in (w for w in drawn if w[0] == 'bar'):
        check(any(abs(float(w[3]) - inside(s['metrics'].get(w[2], {}).get('value') or 0)) < 0.003 for s in sums), w[2], 'is', w[3], 'wide')
        check(float(w[4]) >= 0 and float(w[5]) <= int(w[1]) + 0.5 and float(w[6]) >= 10, 'a bar at', *w)
    for width in ('1280', '390'):
        reads = [w[2:] for w in drawn if w[0] == 'read' and w[1] == width]
        check(len(reads) in ((12, 13) if lines else (0,)), len(reads), 'readings')
        if reads:
            check(any(w[:3] == ['focus', width, 'yes'] for w in drawn), 'the plot takes no focus')
            check_reads(reads, lines[0], lines[1 if len(lines) > 1 else 0], sums if any(s['time'] != sums[0]['time'] for s in sums) else [])
        check_heat([w[2:] for w in drawn if w[0] == 'heat' and w[1] == width], lines if len(lines) > 1 else [])
    for w in (w for w in drawn if w[0] == 'pixels'):
        check(w[2] == '0,158,115,255', 'the foot of the stack is', w[2], 'not of retiring')


def main():
    objects = [json.loads(line) for line in open('page.json')]
    results = [o for o in objects if 'type' not in o]
    scopes = {}
    for r in results:
        if not r.get('summary'):
            scopes.setdefault((r['scope'], r.get('core')), []).append(r)
    lines = list(scopes.values()) if any(len(s) > 1 for s in scopes.values()) else []
    for scheme in ('1', '0'):
        drawn = [line.rstrip('\n').split('\t') for line in open('drawn.' + scheme)]
        check_scheme(drawn, scheme == '0', [r for r in results if r.get('summary')], lines)
    print(*wrong, sep='\n')
    return bool(wrong)


raise SystemExit(main())
