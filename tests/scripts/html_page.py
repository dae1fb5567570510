# SPDX-License-Identifier: MIT
"""Reads a page of tdprobe report --format html by Python's parsers, and says what is wrong with it.

usage: html_page.py PAGE [CSV]

  PAGE  must be XML and HTML whose elements are closed in their order, load nothing, run nothing of its own but what its
        Content-Security-Policy names, and give headings of tables a scope
  CSV   of the same recording (--format csv): each place of the page has its numbers, to a digit after the point"""
import base64
import csv
import hashlib
import html.parser
import math
import re
import sys
import xml.etree.ElementTree

VOID = {'meta', 'wbr'}
LOADS = {'link', 'img', 'iframe', 'object', 'embed', 'form', 'base', 'audio', 'video', 'image', 'use', 'a', 'foreignobject'}
OUTSIDE = {'src', 'href', 'xlink:href', 'srcset', 'action', 'formaction', 'background', 'poster', 'style', 'ping'}
wrong = []


def check(good, text):
    if not good:
        wrong.append(text)


class Element:
    def __init__(self, tag, attrs, parent):
        self.tag, self.attrs, self.parent, self.children, self.texts = tag, dict(attrs), parent, [], []

    def text(self):
        return ''.join(c if isinstance(c, str) else c.text() for c in self.texts)

    def all(self, tag, **attrs):
        for c in self.children:
            if c.tag == tag and all(c.attrs.get(k.replace('_', '-').rstrip('-')) == v for k, v in attrs.items()):
                yield c
            yield from c.all(tag, **attrs)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element('', {}, None)
        self.order = []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.at = self.at.children[-1]

    def handle_startendtag(self, tag, attrs):
        new = Element(tag, attrs, self.at)
        self.at.children.append(new)
        self.at.texts.append(new)
        self.order.append(new)
        check(len(new.attrs) == len(attrs), f'<{tag}> has an attribute twice')
        check(tag not in LOADS, f'<{tag}>')
        for name, value in attrs:
            check(not name.startswith('on') and name not in OUTSIDE, f'<{tag} {name}="{value}">')

    def handle_endtag(self, tag):
        check(tag == self.at.tag, f'</{tag}> at line {self.getpos()[0]} ends <{self.at.tag}>')
        if self.at.parent:
            self.at = self.at.parent

    def handle_data(self, data):
        self.at.texts.append(data)


def read(path):
    with open(path, 'rb') as f:
        text = f.read().decode('utf-8')  # of valid UTF-8
    check(text.startswith('<!DOCTYPE html>\n'), 'no doctype')
    bad = sorted({f'U+{ord(c):04X}' for c in text if ord(c) < 32 and c != '\n' or 0x7f <= ord(c) < 0xa0 or ord(c) & 0xfffe == 0xfffe})
    check(not bad, f'characters that HTML cannot have: {bad}')
    try:
        xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as e:
        wrong.append(f'no XML: {e}')
    page = Page()
    page.feed(text.replace('<![CDATA[', '').replace(']]>', ''))
    page.close()
    check(page.at is page.root, f'<{page.at.tag}> is not closed')
    return page


def check_policy(page):
    code = [e for e in page.order if e.tag in ('style', 'script')]
    policy = next((e for e in page.order if e.tag == 'meta' and e.attrs.get('http-equiv') == 'Content-Security-Policy'), None)
    if not policy:
        return wrong.append('no Content-Security-Policy')
    parts = dict(p.strip().split(' ', 1) for p in policy.attrs['content'].split(';'))
    check(parts.get('default-src') == "'none'" and 'unsafe' not in policy.attrs['content'], policy.attrs['content'])
    for tag in ('style', 'script'):
        for e in code:
            told = "'sha256-" + base64.b64encode(hashlib.sha256(e.text().encode()).digest()).decode() + "'"
            check(e.tag != tag or told in parts.get(f'{tag}-src', ''), f'this {tag} must have the hash {told}: {e.text()[:60]!r}')
    check(all(page.order.index(policy) < page.order.index(e) for e in code), 'the policy comes after what it is of')
    for e in code:
        check('url(' not in e.text().replace('url(#', '') and '@import' not in e.text() and 'http' not in e.text(), f'a {e.tag} loads something')


def check_form(page):
    first = {tag: list(page.root.all(tag)) for tag in ('html', 'title', 'h1', 'main', 'table', 'caption', 'th')}
    check(first['html'][0].attrs.get('lang') == 'en', 'no language')
    first['title'] = [t for t in first['title'] if t.parent.tag == 'head']  # pictures have titles of their own
    check(len(first['title']) == len(first['h1']) == len(first['main']) == 1 and first['title'][0].text() and first['h1'][0].text(), 'not one title, heading and main')
    check(all(th.attrs.get('scope') in ('col', 'row', 'rowgroup') for th in first['th']), 'a <th> without scope')
    for table in first['table']:
        check(table.attrs.get('class') == 'nodes' or list(table.all('caption')), 'a table without caption')
        columns = sum(int(c.attrs.get('colspan', 1)) for c in next(table.all('tr')).children)
        for body in (b for b in table.children if b.tag == 'tbody'):
            down = 0  # columns of a cell that spans the next row
            for tr in (t for t in body.children if t.tag == 'tr'):
                cells = sum(int(c.attrs.get('colspan', 1)) for c in tr.children)
                check(cells + down == columns, f'{cells + down} columns of {columns}: {tr.text()[:60]!r}')
                down = sum(int(c.attrs.get('rowspan', 1)) > 1 for c in tr.children)


def number(text):
    word = text.split()[0]
    return None if word == '\u2013' else float(word)


def same(shown, share):
    """A share in percent, with a digit after the point."""
    if shown is None or share == '' or math.isnan(float(share)):
        return shown is None and (share == '' or math.isnan(float(share)))
    return abs(shown - 100 * float(share)) <= 0.0501


def check_words(page, rows):
    """What limits most, and how many places have an estimate."""
    lead, tally = [p for p in page.root.all('p')][:2]
    places = {}
    for row in rows:
        places[row['scope'], row['dso'], row['core']] = row
    status = [re.match('(smeared:|few_samples:|)', p['verdict'])[1] for p in places.values()]
    told = re.fullmatch(r'Of (\d+) .*, (\d+) have an estimate.*, (\d+) are smeared.* and (\d+) have too few samples.*', tally.text())
    if not told or len(status) < int(told[1]):
        return check(told and any('--limit 0' in c.text() for c in page.root.all('code')), tally.text())  # both were limited
    counts = [len(status)] + [status.count(s) for s in ('', 'smeared:', 'few_samples:')]
    check([int(n) for n in told.groups()] == counts, f'{tally.text()}, not {counts}')
    decided = [p for p in places.values() if p['lost'] and re.match('(probably|limited by) (?!not stalled)', p['verdict'])]
    if decided:
        first = max(decided, key=lambda p: float(p['lost']))
        wanted = f'. Of all slots, {100 * float(first["slots_share"]):.1f} % are counted there, and {100 * float(first["lost"]):.1f} % are lost there to '
        check(lead.text().startswith(first['scope'] + ' loses most: ' + first['verdict'] + wanted), f'{lead.text()}, not of {first["scope"]}')


def check_folded(body, one, bars):
    folded = body.parent.parent.tag == 'details'
    check(folded == (not bars and float(one['slots_share']) < 0.01), f'{one["scope"]}: is {"" if folded else "not "}folded away')


def check_numbers(page, path):
    places = {}
    with open(path, newline='') as f:
        rows = list(csv.DictReader(f))
        for row in rows:
            name, dso = (row[k].replace('\ufffe', '?').replace('\uffff', '?') for k in ('scope', 'dso'))  # no characters of XML
            places.setdefault((name, row['core'], '' if name.startswith('[') else dso), {})[row['metric']] = row
    check_words(page, rows)
    bodies = [b for t in page.root.all('table', class_='places') for b in t.children if b.tag == 'tbody']
    check(bodies, 'no places')
    for body in bodies:
        head = next(body.all('th'))
        name = next(head.all('bdi')).text()
        dso = next((e.text() for e in head.children if e.tag == 'small'), '')
        core = head.text()[len(name):].lstrip(' (').split(')')[0] if ' (' in head.text()[len(name):][:2] else ''
        metrics = places.get((name, core, dso))
        if not metrics:
            wrong.append(f'{name} is not in the csv')
            continue
        one = next(iter(metrics.values()))
        cell = {c.attrs['data-label']: c.text() for c in body.all('td') if 'data-label' in c.attrs}
        check(same(number(cell['slots']), one['slots_share']), f'{name}: slots {cell["slots"]}, not {one["slots_share"]}')
        check(same(number(cell['lost']), one['lost']), f'{name}: lost {cell["lost"]}, not {one["lost"]}')
        check(cell['pure'].split() == [one['pure'], 'of', one['intervals']], f'{name}: pure {cell["pure"]}')
        check(one['verdict'] in body.text(), f'{name}: without its verdict, {one["verdict"]}')
        top = [m for m in metrics.values() if m['level'] == '1' and m['status'] == 'ok']
        for m in top:
            words = cell[m['metric']].split()
            check(same(float(words[0]), m['value']), f'{name}: {m["metric"]} {words}, not {m["value"]}')
            if m['bounds']:
                check(same(float(words[1]), m['low']) and same(float(words[3]), m['high']), f'{name}: {m["metric"]} {words}, not {m["low"]} .. {m["high"]}')
        bars = [(s.attrs['data-node'], float(s.attrs['x'][:-1]), float(s.attrs['width'][:-1])) for s in body.all('svg') if 'data-node' in s.attrs]
        check_folded(body, one, bars)
        at = 0
        for m, (node, x, width) in zip([m for m in top if float(m['value']) > 0], bars):
            check(node == m['metric'] and abs(x - at) < 0.01 and abs(width - 100 * float(m['value'])) < 0.001, f'{name}: a bar of {node}, {x} % to {width} %')
            at += 100 * float(m['value'])
        check(len(bars) == len([m for m in top if float(m['value']) > 0]), f'{name}: {len(bars)} parts of its bar')
        deep = {next(tr.all('th')).text(): [td.text() for td in tr.all('td')] for d in body.all('details') for tr in d.all('tr') if any(tr.all('td'))}
        for m in metrics.values():
            if not top or m['status'] in ('not_on_this_cpu', 'not_in_this_formula'):
                check(m['metric'] not in deep, f'{name}: has {m["metric"]}')
            elif m['status'] == 'ok' and m['level'] != '0':
                check(same(number(deep[m['metric']][0]), m['value']) and same(number(deep[m['metric']][2]), m['all_intervals']), f'{name}: {m["metric"]} {deep[m["metric"]]}')


def main():
    page = read(sys.argv[1])
    check_policy(page)
    check_form(page)
    if len(sys.argv) > 2:
        check_numbers(page, sys.argv[2])
    print(*wrong[:8], sep='\n', end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
