# SPDX-License-Identifier: MIT
"""What a browser made of a page of tdprobe report --format html, beside the csv of the same recording and the truth: html_drawn.py NAME TRUTH.

Reads, where report-html-browser.sh wrote them: drawn.1 and drawn.0 (light and dark), page.csv, paths.csv (--by stack)."""
import csv
import json
import sys

COLOUR = {'retiring': 'rgb(0,158,115)', 'backend_bound': 'rgb(213,94,0)', 'frontend_bound': 'rgb(230,159,0)', 'bad_speculation': 'rgb(204,121,167)'}
UNDECIDED, NO_ESTIMATE = 'rgb(217,210,182)', 'rgb(220,220,220)'


def rows(path):
    places = {}
    for row in csv.DictReader(open(path, newline='')):
        places.setdefault(row['scope'].replace(' ', '_'), {})[row['metric']] = row
    return places


def light(text):
    """Relative luminance of WCAG 2."""
    part = [int(c) / 255 for c in text[4:-1].split(',')]
    part = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in part]
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]


def contrast(a, b):
    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def top(place):
    return [(m['metric'], float(m['value'])) for m in place.values() if m['level'] == '1' and m['status'] == 'ok']


wrong = []


def check(good, *words):
    if not good:
        wrong.append(' '.join(str(w) for w in words))


def check_scheme(drawn, dark):
    pages = [w for w in drawn if w[0] == 'page']
    check(sorted(w[1] for w in pages) == ['1200', '400'], 'pages:', pages)
    for _, width, scroll, client, paper, ink, soft, scripts, alien in pages:
        check(int(scroll) <= int(client), width, 'pixels: the page scrolls to', scroll)
        check(contrast(paper, ink) >= 7 and contrast(paper, soft) >= 4.5, 'too little contrast:', paper, ink, soft)
        check((light(paper) < 0.1) == dark, 'paper is', paper)
        check(alien == 'alone', 'an alien script ran')


def check_bars(drawn, places):
    estimated = {name for name, place in places.items() if top(place)}
    for width in ('1200', '400'):
        bars = {w[2]: w for w in drawn if w[0] == 'bar' and w[1] == width}
        check(set(bars) == estimated, width, 'bars:', *bars)
        for name, bar in bars.items():
            check(float(bar[3]) >= 0 and float(bar[4]) >= 150 and float(bar[3]) + float(bar[4]) <= int(width) and float(bar[5]) > 15, name, 'bar', *bar)
            at = 0
            parts = [w for w in drawn if w[0] == 'part' and w[1] == width and w[2] == name]
            shares = [s for s in top(places[name]) if s[1] > 0]
            check([p[3] for p in parts] == [s[0] for s in shares], name, 'parts', [p[3] for p in parts])
            for part, (node, share) in zip(parts, shares):
                check(abs(float(part[4]) - at) < 0.004 and abs(float(part[5]) - share) < 0.004, name, node, 'is', part[5], 'wide from', part[4], 'not', share, 'from', at)
                check(part[6] == COLOUR[node], name, node, 'is', part[6])
                check(part[7] == 'fits', name, node, ': its name is wider than it is')
                at += share
        for w in drawn:
            if w[0] == 'cell' and w[1] == width:
                check(-0.5 <= float(w[4]) and float(w[5]) <= int(width) + 0.5, width, *w)
    for w in drawn:
        if w[0] == 'head':
            check(w[3] == COLOUR[w[2]], 'the heading of', w[2], 'is', w[3])
    check(sum(w[0] == 'head' for w in drawn) == 16, 'not four headings with a colour in two tables, twice')


def check_truth(drawn, places, truth):
    near = 0
    for f, true in truth.items():
        for w in drawn:
            if w[0] == 'part' and w[2] == f and int(places[f]['retiring']['pure']) >= 50:
                near += 1
                check(abs(float(w[5]) - true[w[3]]) < 0.015 + 0.004, f, w[3], 'is', w[5], 'wide, the truth is', true[w[3]])
    check(near >= 16, 'only', near, 'parts of bars beside the truth')


def check_frames(drawn, paths):
    slots = sum(float(p['retiring']['slots_share']) for name, p in paths.items() if ';' not in name)
    frames = [w for w in drawn if w[0] == 'frame' and w[1] == '1200']
    for w in frames:
        place = paths[w[2]]
        share = float(place['retiring']['slots_share']) / slots
        check(abs(float(w[3]) - share * 1180 / 1200) < 0.0005, w[2], 'is', w[3], 'of the picture, not', share)
        verdict = place['retiring']['verdict']
        node = next((n for n in COLOUR if n in verdict.split(';')[0].split(':')[0]), None) if not verdict.startswith('undecided') else None
        told = NO_ESTIMATE if not top(place) else COLOUR['retiring'] if 'not stalled' in verdict else COLOUR[node] if node else UNDECIDED
        check(w[4] == told, w[2], 'is', w[4], 'not', told, verdict)
    wide = [p for p in paths.values() if float(p['retiring']['slots_share']) / slots * 1180 > 0.11]
    chains = any(';' in name for name in paths)
    check(len(frames) >= len(wide) if chains else not frames, len(frames), 'frames of', len(wide))
    zoomed = [w for w in drawn if w[0] == 'zoomed' and w[1] == '1200']
    if chains:
        check(zoomed and len(zoomed) < len(frames) and all(abs(float(w[3]) - 1180 / 1200) < 0.001 for w in zoomed if w[2].endswith(';main')), 'a click does not zoom in')


def check_order(drawn, places):
    keys = {'slots-descending': lambda n: -float(places[n]['retiring']['slots_share']), 'slots-ascending': lambda n: float(places[n]['retiring']['slots_share']),
            'name-ascending': lambda n: n.lower(), 'retiring-descending': lambda n: -float(places[n]['retiring']['value'])}
    orders = {w[2]: w[3:] for w in drawn if w[0] == 'order'}
    check(list(orders) == list(keys), 'orders:', *orders)
    for how, names in orders.items():
        names = [n for n in names if n[0].isalpha()]  # where '[' and '_' come is the browser's affair
        check(len(names) > 1 and names == sorted(names, key=keys[how]), how, 'is', *names)


def main():
    data = sys.argv[1] + '.data'
    truth = next(t for t in json.load(open(sys.argv[2])) if t['file'] == data)['functions']
    places, paths = rows('page.csv'), rows('paths.csv')
    for scheme, dark in (('1', False), ('0', True)):
        drawn = [line.split(' ') for line in open('drawn.' + scheme).read().splitlines()]
        check_scheme(drawn, dark)
        check_bars(drawn, places)
        check_truth(drawn, places, {f: true['fractions'] for f, true in truth.items()})
        check_frames(drawn, paths)
        check_order(drawn, places)
    print(*wrong, sep='\n', end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
