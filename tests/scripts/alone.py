# SPDX-License-Identifier: MIT
"""An interval's result is that of the interval alone: what is kept from one to the next, so that the next costs less, shows in none.
alone.py TDPROBE SEED. The intervals of a Sapphire Rapids, a second each, lack events by turns that formulas can do without, or counted
them for half of the time; each is replayed among all, and alone, as the first second."""
import random
import subprocess
import sys

EVENTS = {'slots': 6e9, 'topdown-retiring': 1.5e9, 'topdown-bad-spec': 6e8, 'topdown-fe-bound': 9e8, 'topdown-be-bound': 3e9,
          'topdown-mem-bound': 2e9, 'topdown-br-mispredict': 5e8, 'topdown-fetch-lat': 5e8, 'topdown-heavy-ops': 2e8,
          'INT_MISC.UOP_DROPPING': 5e7, 'INT_MISC.CLEARS_COUNT': 1e6, 'cpu_clk_unhalted.thread': 1e9, 'inst_retired.any': 1.5e9,
          'MEMORY_ACTIVITY.STALLS_L1D_MISS': 3e8, 'MEMORY_ACTIVITY.STALLS_L2_MISS': 2e8, 'EXE_ACTIVITY.BOUND_ON_STORES': 1e7}
SPARED = ('INT_MISC.UOP_DROPPING', 'INT_MISC.CLEARS_COUNT', 'topdown-mem-bound', 'MEMORY_ACTIVITY.STALLS_L1D_MISS')


def interval(absent):
    lines = []
    for name, value in EVENTS.items():
        if name in absent:
            continue
        lost, half = (name in SPARED and random.random() < share for share in (0.2, 0.4))
        count = random.choice(('<not counted>', '<not supported>')) if lost else int(value * (1 if name == 'slots' else random.uniform(0.8, 1.2)))
        running = 0 if lost else 500000000 if half else 1000000000
        lines.append(f'.000000000,{count},,{name},{running},{running / 1e7:.2f},,\n')
    return lines


def replay(program, text):
    with open('alone.csv', 'w', encoding='ascii') as f:
        f.write(text)
    run = subprocess.run([program, 'replay', '--uarch', 'spr', '-M', 'all', '--format', 'csv', 'alone.csv'], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 69), run.stderr # 69: random counts contradict each other
    rows = {}
    for line in run.stdout.splitlines()[1:]:
        time, rest = line.split(',', 1)
        rows.setdefault(time, []).append(rest)
    return rows


def main():
    program, seed = sys.argv[1:]
    random.seed(int(seed))
    intervals = []
    for _ in range(3): # the same events for a while, of which some are not counted, or not all of the time
        absent = [name for name in SPARED if random.random() < 0.3]
        intervals += [interval(absent) for _ in range(6)]
    among = replay(program, ''.join(f'{i + 1}{line}' for i, lines in enumerate(intervals) for line in lines))
    wrong = 0
    for i, lines in enumerate(intervals):
        alone = replay(program, ''.join('1' + line for line in lines))['1.000000000']
        both = among[f'{i + 1}.000000000']
        assert len(both) > 200
        if alone != both:
            wrong += 1
            print(f'interval {i + 1}:', *next(pair for pair in zip(alone, both) if pair[0] != pair[1]), sep='\n  ')
    sys.exit(wrong > 0)


main()
