# SPDX-License-Identifier: MIT
"""Reads trace events (--format chrome) beside the json of the same results: results_chrome.py EVENTS JSON, and says what is wrong with
them. The form is that of the Trace Event Format: an object with traceEvents, each with ph, pid, tid and name; a slice (X) has ts and dur in
microseconds, a counter (C) numbers as arguments, and metadata (M) names a process or a thread."""
import json
import sys

wrong = []


def check(good, *words):
    if not good:
        wrong.append(' '.join(str(w) for w in words))


def check_form(events):
    for e in events:
        check(e.get('ph') in ('M', 'C', 'X') and type(e.get('pid')) is int and type(e.get('tid')) is int and type(e.get('name')) is str, 'no event:', e)
        check(e['ph'] == 'M' or type(e['ts']) in (int, float) and e['ts'] >= 0, 'no time:', e)
        check(e['ph'] != 'X' or e['dur'] >= 0, 'no duration:', e)
        check(e['ph'] != 'C' or all(type(v) in (int, float) for v in e['args'].values()), 'a counter without numbers:', e)
        check(e['ph'] != 'M' or e['name'] in ('process_name', 'thread_name') and list(e['args']) == ['name'], 'metadata:', e)


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        whole = json.load(f)
    with open(sys.argv[2], encoding='utf-8') as f:
        results = [o for o in map(json.loads, f) if 'type' not in o and not o.get('summary')]
    results = [r for r in results if r['time'] is not None and 'duration' in r]
    events = whole['traceEvents']
    check_form(events)
    threads = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name' and e['ph'] == 'M'}
    scopes = {(r['scope'][:900], r.get('core')) for r in results}
    check(set(threads.values()) == {s + (', ' + core if core else '') for s, core in scopes} and len(threads) == len(scopes), 'threads', threads)
    check(sum(e['ph'] == 'M' and e['name'] == 'process_name' for e in events) == bool(results), 'not one process')
    slices, counters = ([e for e in events if e['ph'] == ph] for ph in 'XC')
    check(len(slices) == len(counters) == len(results), len(slices), 'slices of', len(results), 'intervals')
    for s, c, r in zip(slices, counters, results):
        check(threads[s['tid']] == threads[c['tid']] == c['name'] == r['scope'][:900] + (', ' + r['core'] if r.get('core') else ''), 'scope', s['tid'], 'is not', r['scope'][:80])
        check(abs(s['ts'] + s['dur'] - 1e6 * r['time']) < 0.01 and abs(s['dur'] - 1e6 * r['duration']) < 0.01 and c['ts'] == s['ts'], 'times', s['ts'], s['dur'])
        check(s['name'] == r['verdict']['text'] and s['args']['status'] == r['verdict']['status'], 'verdict', s['name'])
        for name, m in r['metrics'].items():
            if m.get('status'):
                check(name not in s['args'] and name not in c['args'], name, 'has no value')
            else:
                check(s['args'][name]['value'] == m['value'] and s['args'][name].get('low') == (m['low'] if 'bounds' in m else None) and s['args'][name].get('high') == (m['high'] if 'bounds' in m else None), name, s['args'][name])
                check(name not in c['args'] or abs(c['args'][name] - 100 * m['value']) < 1e-9, name, 'is', c['args'].get(name), 'percent')
        check(len(c['args']) <= 5 and (not s['args'].get('retiring') or 'retiring' in c['args']), 'counters', c['args'])
    print(*wrong[:8], sep='\n', end='\n' if wrong else '')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
