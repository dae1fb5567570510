# SPDX-License-Identifier: MIT
"""Reads a page of results (tdprobe replay or stat --format html) beside the json of the same, and says what is wrong with it.

usage: results_page.py PAGE JSON

  PAGE  is XML; html_page.py looks at its policy and form
  JSON  of the same results with the sums (--format json --summary): each tree has the values of a sum, and the data of the time line
        those of the intervals: values to 0.5 %, bounds rounded outwards by as much"""
import base64
import json
import struct
import sys
import xml.etree.ElementTree
import zlib

NAMESPACE = '{http://www.w3.org/1999/xhtml}'
wrong = []


def check(good, text):
    if not good:
        wrong.append(text)


def all_of(element, tag, **attrs):
    for e in element.iter(NAMESPACE + tag):
        if all(value in e.attrib.get(name.rstrip('_'), '').split() for name, value in attrs.items()):
            yield e


def text_of(element):
    return ''.join(element.itertext())


def read_json(path):
    sums, intervals, nodes = [], [], {}
    with open(path) as f:
        for line in f:
            o = json.loads(line)
            if o.get('type') == 'tree':
                nodes[o['cpu']] = o['nodes']
            elif 'type' not in o:
                (sums if o.get('summary') else intervals).append(o)
    return sums, intervals, nodes


def close(text, value):
    return abs(float(text) - value) < 0.0000006


def check_bar(item, m):
    bar = next(e for e in item.iter(NAMESPACE + 'svg') if e.attrib['class'] == 'bar')
    inside = lambda v: 100 * min(max(v, 0), 1)
    rects = [float(r.attrib['width'][:-1]) for r in bar.iter(NAMESPACE + 'rect')]
    check(rects and all(abs(r - inside(m['value'])) < 0.006 for r in rects), f'bars of {rects}, not {m["value"]}')
    check((len(rects) == 2) == (m.get('bounds') == 'likely'), f'{len(rects)} rects with bounds {m.get("bounds")}')
    lines = [e for e in bar.iter(NAMESPACE + 'line') if e.attrib['class'] == 'whisker']
    check(bool(lines) == ('bounds' in m), 'a whisker without bounds, or none with them')
    for line in lines:
        ends = [float(line.attrib[x][:-1]) for x in ('x1', 'x2')]
        check(abs(ends[0] - inside(m['low'])) < 0.006 and abs(ends[1] - inside(m['high'])) < 0.006, f'a whisker at {ends}, not {m["low"]} .. {m["high"]}')


def check_item(item, m, path):
    name = item.attrib['data-node']
    row = next(e for e in item.iter() if 'row' in e.attrib.get('class', '').split())
    part = {c: text_of(next(e for e in row.iter(NAMESPACE + 'span') if e.attrib['class'].split()[0] == c)) for c in ('name', 'value', 'bounds')}
    check(part['name'].split()[0] == name, f'{name} is called {part["name"]}')
    check(('limits' in item.attrib['class'].split()) == (name in path), f'{name} is marked, or is not, against {path}')
    if m.get('status'):
        return check(part['value'] == '\u2013' and 'data-value' not in item.attrib, f'{name}: {part["value"]} without a value')
    check(close(item.attrib['data-value'], m['value']) and abs(float(part['value'].split()[0]) - 100 * m['value']) < 0.0501, f'{name}: {part["value"]}, not {m["value"]}')
    if 'bounds' in m:
        low, _, high = part['bounds'].rstrip(', likey').split()
        check(close(item.attrib['data-low'], m['low']) and close(item.attrib['data-high'], m['high']), f'{name}: bounds {item.attrib}')
        check(abs(float(low) - 100 * m['low']) < 0.0501 and abs(float(high) - 100 * m['high']) < 0.0501, f'{name}: {part["bounds"]}, not {m["low"]} .. {m["high"]}')
        check(part['bounds'].endswith('likely') == (m['bounds'] == 'likely'), f'{name}: {part["bounds"]} are {m["bounds"]}')
    else:
        check(part['bounds'] == 'no bounds', f'{name}: {part["bounds"]}')
    check_bar(row, m)


def check_trees(page, sums, nodes):
    roots = [u for u in all_of(page, 'ul', class_='tree') if not any(u in list(all_of(li, 'ul', class_='tree')) for li in page.iter(NAMESPACE + 'li'))]
    leads = list(all_of(page, 'p', class_='lead'))
    check([text_of(p) for p in leads] == [s['verdict']['text'] for s in sums], f'verdicts {[text_of(p) for p in leads]}')
    check(len(roots) == len(sums), f'{len(roots)} trees of {len(sums)} sums')
    for root, one in zip(roots, sums):
        items = [li for li in root.iter(NAMESPACE + 'li') if 'data-node' in li.attrib]
        names = [li.attrib['data-node'] for li in items]
        check(len(set(names)) == len(names), f'a node twice: {names}')
        for li in items:
            check_item(li, one['metrics'][li.attrib['data-node']], one['verdict']['path'])
            above = [p.attrib['data-node'] for p in items if li in list(p.iter(NAMESPACE + 'li')) and p is not li]
            parent = nodes[one['cpu']][li.attrib['data-node']]['parent'] if one['cpu'] in nodes else None
            check(not above or above[-1] == parent, f'{li.attrib["data-node"]} is below {above}, not {parent}')
        kinds = nodes.get(one['cpu'], {})
        missing = [n for n, m in one['metrics'].items() if 'status' not in m and kinds.get(n, {}).get('kind') == 'node' and n not in names]
        check(not missing, f'nodes with a value are not on the page: {missing}')


def unpack(div, what):
    data = next((i for i in div if i.attrib['class'] == what), None)
    return None if data is None else unpacked(data)


def unpacked(data):
    found = base64.b64decode(data.text or '', validate=True)
    return zlib.decompress(found) if data.attrib.get('data-packed') == 'deflate' else found


def check_line(div, timer, intervals):
    """A line; timer: the last one before or at it that has times, which are its."""
    mine = [i for i in intervals if (i['scope'][:999], i.get('core') or '', i['cpu']) == (div.attrib['data-scope'][:999], div.attrib['data-core'], div.attrib['data-cpu'])]  # json cuts longer names
    nodes, verdicts = div.attrib['data-nodes'].split('|'), div.attrib['data-verdicts'].split('|')
    times = [t[0] for t in struct.iter_unpack('<I', unpack(timer, 'times'))]
    verdict, n = unpack(div, 'verdict'), len(times)
    value, low, high = (unpack(div, w) for w in ('value', 'low', 'high'))
    # of the last node there is by how much it differs from what the others leave of 200 steps, modulo 256
    value = value[:-n] + bytes((rest + 200 - sum(value[i:-n:n])) % 256 for i, rest in enumerate(value[-n:]))
    check(len(verdict) == n and len(value) == n * len(nodes) and (low is None or len(low) == len(high) == len(value)), f'{n} times, {len(verdict)} verdicts, {len(value)} values')
    points = [i for i in range(n) if verdict[i] != 255]
    check(len(points) == len(mine), f'{len(points)} intervals of {len(mine)} in {div.attrib["data-scope"][:40]}')
    check((low is None) == (len(intervals) > 3600), 'bounds of more than 3,600 intervals, or none of fewer')
    unit, start = int(div.attrib['data-unit']), int(div.attrib['data-start'])
    for i, one in zip(points, mine):
        if one['time'] is not None:
            check(abs(start + times[i] * unit - 1e9 * one['time']) <= unit, f'interval {i} ends at {start + times[i] * unit} ns, not {one["time"]} s')
        path = one['verdict']['path']
        words = verdicts[verdict[i]]
        check(words.endswith(': '.join(path)) if path else words in ('none', 'undecided', 'no value'), f'interval {i}: {words}, not {path}')
        check(words.startswith('limited by') == (one['verdict']['status'] == 'decided'), f'interval {i}: {words} is {one["verdict"]["status"]}')
        for k, node in enumerate(nodes):
            m, at = one['metrics'][node], k * n + i
            if m.get('status'):
                check(value[at] == 255, f'interval {i}: {node} is {value[at]} without a value')
                continue
            check(abs(value[at] / 200 - min(max(m['value'], 0), 1)) <= 0.002501, f'interval {i}: {node} is {value[at]} steps, not {m["value"]}')
            if low is not None and 'bounds' in m:
                inside = lambda v: min(max(v, 0), 1)
                check(-1e-9 <= inside(m["low"]) - low[at] / 200 <= 0.005001 and -1e-9 <= high[at] / 200 - inside(m["high"]) <= 0.005001, f'interval {i}: {node} is {low[at]} .. {high[at]} steps, not {m["low"]} .. {m["high"]}')
            elif low is not None:
                check(low[at] == high[at] == 255, f'interval {i}: {node} has bounds {low[at]} .. {high[at]}')


def check_below(div, intervals):
    """Nodes below level 1, of which a heat map is."""
    mine = [i for i in intervals if (i['scope'][:999], i.get('core') or '', i['cpu']) == (div.attrib['data-scope'][:999], div.attrib['data-core'], div.attrib['data-cpu'])]
    verdict = unpack(div, 'verdict')
    for i in (i for i in div if i.attrib['class'] == 'below'):
        found, node = unpacked(i), i.attrib['data-node']
        check(len(found) == len(verdict), f'{len(found)} values of {node}')
        for steps, one in zip((s for s, v in zip(found, verdict) if v != 255), mine):
            m = one['metrics'][node]
            check(steps == 255 if m.get('status') else abs(steps / 200 - min(max(m['value'], 0), 1)) <= 0.002501, f'{node} is {steps} steps, not {m}')


def check_heat(page, sums, lines):
    several = sum(len(unpack(div, 'verdict')) > 1 for div in lines) > 1
    heat = list(all_of(page, 'section', class_='heat'))
    check(len(heat) == several, f'{len(heat)} heat maps')
    deep = {node for one in sums for node in one['verdict']['path'][1:]}
    for div in lines if heat else ():
        told = {i.attrib['data-node'] for i in div if i.attrib['class'] == 'below'}
        mine = next(s['metrics'] for s in sums if s['scope'][:999] == div.attrib['data-scope'][:999] and (s.get('core') or '') == div.attrib['data-core'])
        if not heat[0].attrib['data-nodes']:
            has = {n for n in deep.intersection(mine) if mine[n].get('status') not in ('not_on_this_cpu', 'not_in_this_formula')}
            check(told == has, f'{told} over time, not {has}')


def check_phases(page, sums, lines):
    """Rows and lines of phases: each has the time, the scope and the verdict of its sum."""
    table = next(all_of(page, 'table', class_='phases'), None)
    if table is None:
        return check(not any('data-phases' in div.attrib for div in lines), 'phases without a table')
    rows = [[text_of(c) for c in tr] for body in table.iter(NAMESPACE + 'tbody') for tr in body]
    check(len(rows) == len(sums), f'{len(rows)} rows of {len(sums)} sums')
    seen = {}
    for row, one in zip(rows, sums):
        mine = (one['scope'], one.get('core'))
        seen.setdefault(mine, []).append(one)
        began, _, ended, _ = row[1].split()
        check(row[0] == f'phase {len(seen[mine])}' and abs(float(ended) - one['time']) < 0.00051 and abs(float(ended) - float(began) - one['duration']) < 0.00101, f'{row}, not {one["time"]}')
        check(row[2][:99] == (one['scope'] + (f', {one["core"]}-cores' if one.get('core') else ''))[:99] and row[4] == one['verdict']['text'], f'{row[2:5]}, not {mine}')
    for div in lines:
        ends = [int(p) for p in div.attrib.get('data-phases', '').split('|') if p]
        check(len(ends) == len(seen.get((div.attrib['data-scope'], div.attrib['data-core'] or None), ends)), f'{ends} are the phases of {div.attrib["data-scope"][:40]}')
        if 'times' in [i.attrib['class'] for i in div]:
            times = [t[0] for t in struct.iter_unpack('<I', unpack(div, 'times'))]
            for end, one in zip(ends, seen[div.attrib['data-scope'], div.attrib['data-core'] or None]):
                check(abs(int(div.attrib['data-start']) + times[end - 1] * int(div.attrib['data-unit']) - 1e9 * one['time']) <= int(div.attrib['data-unit']), f'a phase ends at point {end}, not {one["time"]} s')


def main():
    page = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    sums, intervals, nodes = read_json(sys.argv[2])
    check_trees(page, sums, nodes)
    lines = list(all_of(page, 'div', class_='line'))
    scopes = {(i['scope'], i.get('core'), i['cpu']) for i in intervals}
    check(len(lines) == (len(scopes) if len(intervals) > len(scopes) else 0), f'{len(lines)} time lines of {len(scopes)} scopes')
    timer = None
    for div in lines:
        timer = div if timer is None or any(i.attrib['class'] == 'times' for i in div) else timer
        check_line(div, timer, intervals)
        check_below(div, intervals)
    check_heat(page, sums, lines)
    check_phases(page, sums, lines)
    print(*wrong[:8], sep='\n', end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
