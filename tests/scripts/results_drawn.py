# SPDX-License-Identifier: MIT
"""What a browser made of a page of results, beside the json of the same: results_drawn.py, after page-browser.sh wrote drawn.1 and drawn.0
(light and dark) and page.json."""
import json

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


def check_reads(reads, mine, second):
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
            check_reads(reads, lines[0], lines[-1])
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
