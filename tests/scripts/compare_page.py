# SPDX-License-Identifier: MIT
"""Reads a page of tdprobe compare --format html beside the json of the same, and says what is wrong with it.

usage: compare_page.py PAGE JSON RUNS

  PAGE  is XML; html_page.py looks at its policy and form
  JSON  of the same comparison: rows are the same in the same order, bars end at the values, whiskers and points of the differences are
        where they are on the scale that the table's head has
  RUNS  how many points each bar has"""
import json
import re
import sys
import xml.etree.ElementTree

NAMESPACE = '{http://www.w3.org/1999/xhtml}'
wrong = []


def check(good, *words):
    if not good:
        wrong.append(' '.join(str(w) for w in words))


def percent(text):
    return float(text.rstrip('%'))


def place(share):
    return 100 * min(max(share, 0), 1)


def near(found, wanted):
    return abs(found - wanted) < 0.006


def check_whisker(svg, low, high, what):
    lines = [e for e in svg.iter(NAMESPACE + 'line') if e.attrib['class'] == 'whisker']
    check(len(lines) == (low is not None), what, 'has', len(lines), 'whiskers')
    for e in lines:
        check(near(percent(e.attrib['x1']), place(low)) and near(percent(e.attrib['x2']), place(high)), what, 'is from', e.attrib['x1'], 'to', e.attrib['x2'], 'not', low, high)


def check_row(tr, one, reach, runs):
    name, cells = one['metric'], list(tr)
    check(tr.attrib['data-metric'] == name and tr.attrib['data-call'] == one['call'], 'a row is', tr.attrib, 'not', name, one['call'])
    bars = list(cells[1].iter(NAMESPACE + 'svg'))
    check(len(bars) in (0, 2), name, 'has', len(bars), 'bars')
    for svg, side in zip(bars, ('a', 'b')):
        v = one[side]
        check(svg.attrib['class'] == 'bar ' + side, name, 'has', svg.attrib['class'], 'for', side)
        check(near(percent(svg.find(NAMESPACE + 'rect').attrib['width']), place(v['value'])), name, side, 'is', svg.find(NAMESPACE + 'rect').attrib['width'], 'not', v['value'])
        check_whisker(svg, v['low'], v['high'], f'{name} {side}')
        points = [percent(c.attrib['cx']) for c in svg.iter(NAMESPACE + 'circle')]
        check(len(points) == runs, name, side, 'has', len(points), 'points of', runs)
        check(not points or min(points) - 0.006 <= place(v['value']) <= max(points) + 0.006, name, side, 'is not among its runs', points)
    by = list(cells[5].iter(NAMESPACE + 'svg'))
    check(len(by) == (len(bars) > 0), name, 'has', len(by), 'differences')
    for svg in by:
        d = one['diff']
        scaled = lambda x: None if x is None else 0.5 + x / reach / 2
        check(near(percent(svg.find(NAMESPACE + 'circle').attrib['cx']), place(scaled(d['value']))), name, 'differs by', svg.find(NAMESPACE + 'circle').attrib['cx'], 'not', d['value'])
        check_whisker(svg, scaled(d['low']), scaled(d['high']), f'{name} b - a')
        check(all(x is None or abs(x) <= reach + 1e-9 for x in d.values()), name, 'is beyond', reach)
    if bars:
        for cell, side in ((cells[2], 'a'), (cells[3], 'b')):
            check(abs(float(''.join(cell.itertext()).split()[0]) - 100 * one[side]['value']) <= 0.0501, name, side, 'is', ''.join(cell.itertext()))
    return bool(bars)


def main():
    page = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    rows = [json.loads(line) for line in open(sys.argv[2])]
    runs, at, drawn = int(sys.argv[3]), 0, 0
    for table in page.iter(NAMESPACE + 'table'):
        head = [''.join(th.itertext()) for th in table.find(NAMESPACE + 'thead').iter(NAMESPACE + 'th')]
        reach = float(re.fullmatch(r'-(\d+) to \+\1 points', head[5])[1]) / 100
        for tr in table.find(NAMESPACE + 'tbody'):
            drawn += check_row(tr, rows[at], reach, runs)
            at += 1
    check(at == len(rows) and drawn, at, 'rows of', len(rows), drawn, 'with bars')
    print(*wrong[:8], sep='\n', end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
