#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of samples that cost as much as their size allows: hostile_samples.py SHAPE OUT BYTES, or list. It prints how many bytes
there are to read. Each SHAPE is a way to make a reader of perf.data slow or large: what it keeps, looks up, sorts or prints grows with
something else than the file. The layout is that of tools/perf/Documentation/perf.data-file-format.txt and of perf_event_open(2)."""
import os
import random
import struct
import subprocess
import sys

IP, TID, TIME, READ, CHAIN, ID, CPU = 1, 1 << 1, 1 << 2, 1 << 4, 1 << 5, 1 << 6, 1 << 7
BRANCHES, USER_STACK, IDENTIFIER, CGROUP = 1 << 11, 1 << 13, 1 << 16, 1 << 21
INHERIT, SAMPLE_ID_ALL = 1 << 1, 1 << 18
MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2, KSYMBOL, CGROUP_NAME = 1, 2, 3, 4, 5, 7, 9, 10, 17, 19
BUILD_ID, FINISHED_ROUND, ID_INDEX, COMPRESSED, UNKNOWN = 67, 68, 69, 81, 60000
USER, KERNEL, EXEC, HAS_ID = 2, 1, 1 << 13, 1 << 14
EVENTS = [('slots', 0x400), ('topdown-retiring', 0x8000), ('topdown-bad-spec', 0x8100), ('topdown-fe-bound', 0x8200), ('topdown-be-bound', 0x8300)]
PAIRED = EVENTS[:1] + [('cpu-cycles', 0x3c), ('instructions', 0xc0)] + EVENTS[1:]
PID = 100

rand = random.Random(1)


class Recording:
    def __init__(self, kind, events=EVENTS, flags=0, ids=1, sampling=(0,)):
        self.kind, self.events, self.flags, self.ids = kind | IP | TID | TIME | READ | IDENTIFIER, events, flags, ids
        self.sampling = sampling  # the events that take samples
        self.unpacked = None  # bytes, where it is compressed
        self.data, self.size, self.time = [], 0, 1000
        self.value = {}

    def add(self, kind, misc, body):
        body += bytes(-len(body) % 8)
        self.data.append(struct.pack('<IHH', kind, misc, len(body) + 8) + body)
        self.size += len(body) + 8

    # what follows a record that is no sample: TID, TIME, CPU, IDENTIFIER
    def record(self, kind, misc, body, time=None, cpu=0):
        self.time += 1
        end = b''
        if self.flags & SAMPLE_ID_ALL:
            end = struct.pack('<2IQ', PID, PID, self.time if time is None else time)
            end += struct.pack('<II', cpu, 0) if self.kind & CPU else b''
            end += struct.pack('<Q', 1)
        self.add(kind, misc, body + bytes(-len(body) % 8) + end)

    def mmap(self, pid, start, size, path, offset=0, build_id=None, misc=USER):
        body = struct.pack('<2I3Q', pid, pid, start, size, offset)
        body += struct.pack('<B3x20s', len(build_id), build_id) if build_id else bytes(24)
        self.record(MMAP2, misc | (HAS_ID if build_id else 0), body + struct.pack('<2I', 5, 2) + path + b'\0')

    def comm(self, pid, tid, name, misc=0):
        self.record(COMM, misc, struct.pack('<2I', pid, tid) + name + b'\0')

    def task(self, kind, pid, parent, tid, parent_tid):
        self.record(kind, 0, struct.pack('<4IQ', pid, parent, tid, parent_tid, self.time))

    # one more reading of the group; by: the event whose sample it is
    def sample(self, ip, pid=PID, tid=None, chain=(), cpu=0, misc=USER, time=None, nth=0, by=0, middle=b'', end=b'', step=1000, members=None):
        tid = pid if tid is None else tid
        self.time += 1000
        values = self.value.setdefault((nth, tid if self.flags & INHERIT else 0), [0] * len(self.events))
        shares = [rand.random() for _ in self.events]
        for i in range(len(values)):
            values[i] += step if i == 0 else int(step * shares[i] / sum(shares)) + 1
        body = struct.pack('<2Q2IQ', 1 + by + nth * len(self.events), ip, pid, tid, self.time if time is None else time)
        body += struct.pack('<2I', cpu, 0) if self.kind & CPU else b''
        body += struct.pack('<Q', len(values)) if members is None else struct.pack('<Q', len(members))
        for i, value in enumerate(values if members is None else ()):
            body += struct.pack('<2Q', value, 1 + i + nth * len(self.events))
        for value, number in members or ():
            body += struct.pack('<2Q', value, number)
        if self.kind & CHAIN:
            body += struct.pack('<%dQ' % (len(chain) + 1), len(chain), *chain)
        self.add(SAMPLE, misc, body + middle + end)

    def attr(self, i, config):
        a = struct.pack('<IIQQQQQ', 4, 112, config, 1000 if i in self.sampling else 0, self.kind, 4 | 8, self.flags)
        return a + bytes(112 - len(a))

    def write(self, path):
        n = len(self.events)
        attrs = [self.attr(i, config) for i, (_, config) in enumerate(self.events)]
        ids_at, ids = 104, b''
        table = b''
        for i in range(n):
            mine = struct.pack('<%dQ' % self.ids, *(1 + i + k * n for k in range(self.ids)))
            table += attrs[i] + struct.pack('<2Q', ids_at + len(ids), len(mine))
            ids += mine
        data = b''.join(self.data)
        data_at = 104 + len(ids) + len(table)
        desc = struct.pack('<2I', n, 112)
        for i, (name, _) in enumerate(self.events):
            text = name.encode() + bytes(64 - len(name))
            desc += attrs[i] + struct.pack('<II', self.ids, 64) + text + struct.pack('<%dQ' % self.ids, *(1 + i + k * n for k in range(self.ids)))
        with open(path, 'wb') as out:
            out.write(b'PERFILE2' + struct.pack('<2Q', 104, 128) + struct.pack('<6Q', 104 + len(ids), len(table), data_at, len(data), 0, 0))
            out.write(struct.pack('<4Q', 1 << 12, 0, 0, 0) + ids + table + data + struct.pack('<2Q', data_at + len(data) + 16, len(desc)) + desc)


def numbers(r, size, first=1):
    """One after the other, until the recording has that size."""
    while r.size < size:
        yield first
        first += 1


def files(r, n, name=b'/f%d', pid=PID):
    """Maps n files of a page each; their first addresses."""
    for i in range(n):
        r.mmap(pid, 0x1000 * (i + 1), 0x1000, name % i)
    return [0x1000 * (i + 1) for i in range(n)]


def chain_of(at, depth):
    """No function calls itself: each is another than the one before."""
    out = [at[rand.randrange(len(at))]]
    while len(out) < depth:
        one = at[rand.randrange(len(at))]
        if one != out[-1]:
            out.append(one)
    return out


DEEP = 255


def deep(size, different=1 << 30, names=300, name=b'/f%d', events=EVENTS, pairs=False, depth=DEEP, runs=1):
    r = Recording(CHAIN, events, sampling=(1, 2) if pairs else (0,))
    at = files(r, names, name)
    chains = []
    while r.size < size:
        if len(chains) < different:
            chains.append(chain_of(at, depth))
            chain = chains[-1]
        else:
            chain = chains[rand.randrange(different)]
        for _ in range(runs):
            r.sample(chain[0], chain=chain, by=1 if pairs else 0, step=20000)
            if pairs:
                r.sample(chain[0], chain=chain, by=2, step=20000)
    return r


def deep_ladder(size):
    """Each chain is the one before and one function more: as many different paths as there can be of that text."""
    r = Recording(CHAIN)
    at = files(r, 200)
    chain = chain_of(at, DEEP)
    while r.size < size:
        for n in range(1, DEEP):
            r.sample(chain[-n], chain=chain[-n:])
    return r


def functions(size, runs=1, **how):
    """Each address a function of its own, with as many intervals in it as are asked for."""
    r = Recording(0, **how)
    for i in numbers(r, size):
        for _ in range(runs):
            r.sample(i * 64)
    return r


def few_members(size):
    """The shortest samples."""
    r = Recording(0, EVENTS[:1])
    while r.size < size:
        r.sample(rand.randrange(1 << 40))
    return r


def threads(size, name=False):
    r = Recording(0, flags=INHERIT)
    for tid in numbers(r, size, PID + 1):
        r.task(FORK, PID, PID, tid, PID)
        if name:
            r.comm(PID, tid, b'n%x' % tid)
        r.sample(tid * 16, tid=tid)
        r.sample(tid * 16, tid=tid)
    return r


def forks(size, maps=20000):
    """Children that share what a parent has mapped, and map one more."""
    r = Recording(0)
    at = files(r, maps)
    for pid in numbers(r, size, PID + 1):
        r.task(FORK, pid, PID, pid, PID)
        r.mmap(pid, at[rand.randrange(maps)] + 16, 0x2000, b'/x')
        if pid % 2:
            r.task(EXIT, pid, PID, pid, PID)
    r.sample(0x1000)
    r.sample(0x1000)
    return r


def nested_forks(size):
    """Each process the child of the one before."""
    r = Recording(0)
    for pid in numbers(r, size, PID + 1):
        r.task(FORK, pid, pid - 1, pid, pid - 1)
        r.mmap(pid, pid << 12, 0x1800, b'/x')
    r.sample(0x1000)
    r.sample(0x1000)
    return r


def execs(size):
    r = Recording(0)
    while r.size < size:
        r.mmap(PID, rand.randrange(1 << 40) << 12, 0x1000, b'/x')
        r.comm(PID, PID, b'c%d' % rand.randrange(1 << 60), EXEC)
    r.sample(0x1000)
    r.sample(0x1000)
    return r


def maps(size, order=None, length=0x1000, path=b'/x'):
    r = Recording(0)
    for i in numbers(r, size):
        start = {'up': i, 'down': (1 << 40) - i, None: rand.randrange(1 << 40)}[order] << 12
        r.mmap(PID, start, length, path % i if b'%' in path else path)
        if i % 8 == 0:
            r.sample(start)
    return r


def overlapping(size):
    """Each mapping takes many small ones away, which then come again."""
    r = Recording(0)
    while r.size < size:
        for i in range(64):
            r.mmap(PID, i << 12, 0x1000, b'/x')
        r.mmap(PID, 0, 64 << 12, b'/y')
        r.sample(0x1000)
    return r


def ids(size):
    """A counter for each of very many CPUs."""
    n = size // 8 // 2 // len(EVENTS) // 2
    r = Recording(CPU, ids=n)
    for i in range(2 * n):
        if r.size >= size // 2:
            break
        r.sample(64 * (i % 100), nth=(i * 7919) % n, cpu=i % 4096)
    return r


def id_index(size):
    r = Recording(0)
    while r.size < size:
        r.add(ID_INDEX, 0, struct.pack('<Q', 2000) + struct.pack('<4Q', 1, 0, 0, 0) * 2000)
    r.sample(0x1000)
    r.sample(0x1000)
    return r


def strangers(size):
    """Samples with readings of thousands of counters that no event has."""
    r = Recording(0)
    members = [(5, 1 << 40)] * 4000
    while r.size < size:
        r.sample(0x1000, members=members)
    r.sample(0x1000)
    r.sample(0x1000)
    return r


def same_member(size):
    """One counter again and again in one reading."""
    r = Recording(0)
    for i in numbers(r, size):
        r.sample(0x1000 + i * 64, members=[(i * 1000, 1 + k % 5) for k in range(4000)])
    return r


def changing_members(size):
    """The group is another one each time."""
    r = Recording(0)
    for i in numbers(r, size):
        r.sample(64 * i, members=[(i * 1000, 1 + (i + k) % 5) for k in range(5)])
    return r


def times(size, rounds=0, backwards=False):
    """Times out of order, without the ends of passes, or with too many."""
    r = Recording(0)
    for n in numbers(r, size):
        r.sample(64 * (n % 50), time=(1 << 50) - n if backwards else 1 + rand.randrange(1 << 50))
        if rounds and n % rounds == 0:
            r.add(FINISHED_ROUND, 0, b'')
    return r


def rounds(size, early=False):
    """Many late records wait while passes end all the time, each with one early record or with none."""
    r = Recording(0)
    while r.size < size // 2:
        r.sample(64 * rand.randrange(50), time=(1 << 60) + rand.randrange(1 << 50))
    while r.size < size:
        r.add(FINISHED_ROUND, 0, b'')
        if early:
            r.sample(64)
    return r


def lost(size, cpus=4096):
    r = Recording(CPU, flags=SAMPLE_ID_ALL)
    for n in numbers(r, size):
        cpu = rand.randrange(cpus)
        r.record(LOST, 0, struct.pack('<2Q', 1, 1), cpu=cpu)
        if n % 4 == 0:
            r.sample(64 * (n % 50), cpu=cpu)
    return r


def throttles(size):
    r = Recording(0)
    for n in numbers(r, size):
        r.record(THROTTLE, 0, struct.pack('<3Q', n, 1, 1))
        if n % 2 == 0:
            r.sample(64 * (n % 50))
    return r


def comms(size, length=8):
    """One thread with another name each time."""
    r = Recording(0)
    for n in numbers(r, size):
        r.comm(PID, PID, b'%0*d' % (length, n))
        r.sample(64 * (n % 50))
        r.sample(64 * (n % 50))
    return r


def branches(size):
    r = Recording(BRANCHES)
    while r.size < size:
        r.sample(64 * rand.randrange(50), middle=struct.pack('<Q', 2000) + bytes(24 * 2000))
    return r


def user_stacks(size):
    r = Recording(USER_STACK)
    while r.size < size:
        r.sample(64 * rand.randrange(50), middle=struct.pack('<Q', 60000) + bytes(60000) + struct.pack('<Q', 60000))
    return r


def long_names(size, length=4000):
    r = Recording(0)
    for n in numbers(r, size):
        r.mmap(PID, n << 12, 0x1000, b'/' + b'x' * (length - 8) + b'%06d' % n)
        r.sample(n << 12)
        r.sample(n << 12)
    return r


def build_ids(size, paths=1):
    """Build-ids apart from the mappings, each for every file of that path."""
    r = Recording(0)
    for i in range(200):
        r.mmap(PID, i << 12, 0x1000, b'/x%d' % (i % paths))
    for n in numbers(r, size):
        r.add(BUILD_ID, 0, struct.pack('<I24s', 0, b'%020d' % n) + b'/x%d\0' % (n % paths))
        if n % 8 == 0:
            r.sample(n % 200 << 12)
    return r


def builds_of_one_path(size):
    """One path with another build-id in each mapping."""
    r = Recording(0)
    for n in numbers(r, size):
        r.mmap(PID, n << 12, 0x1000, b'/x', build_id=b'%020d' % n)
        r.sample(n << 12)
        r.sample(n << 12)
    return r


def build_id_of(path):
    out = subprocess.run(['readelf', '-n', path], capture_output=True, text=True, check=True).stdout
    return bytes.fromhex(out.split('Build ID: ')[1].split()[0])


def one_file(size):
    """A large file of this machine by very many paths."""
    path = os.path.realpath('/lib/x86_64-linux-gnu/libc.so.6')
    folder, name = os.path.split(path)
    r = Recording(0)
    build_id = build_id_of(path)
    for n in numbers(r, size):
        alias = folder + ''.join('/.' if n >> bit & 1 else '/' for bit in range(20)) + '/' + name
        r.mmap(PID, n << 24, 0x200000, alias.encode(), build_id=build_id)
        r.sample((n << 24) + 0x50000)
        r.sample((n << 24) + 0x50000)
    return r


def cgroups(size, rename=False):
    r = Recording(CGROUP)
    for n in numbers(r, size):
        r.record(CGROUP_NAME, 0, struct.pack('<Q', 7 if rename else n) + b'/g/%d\0' % n)
        r.sample(64, end=struct.pack('<Q', 7 if rename else n))
        r.sample(64, end=struct.pack('<Q', 7 if rename else n))
    return r


def kernel_functions(size):
    r = Recording(0)
    for n in numbers(r, size):
        r.record(KSYMBOL, 0, struct.pack('<QI2H', (1 << 63) + rand.randrange(1 << 20) * 64, 64, 1, 0) + b'bpf_%d\0' % n)
        r.record(KSYMBOL, 0, struct.pack('<QI2H', (1 << 63) + rand.randrange(1 << 20) * 64, 64, 1, 1) + b'bpf_%d\0' % n)
        r.sample((1 << 63) + rand.randrange(1 << 26), misc=KERNEL)
    return r


def modules(size):
    """Modules of the kernel that are loaded again elsewhere."""
    r = Recording(0)
    for n in numbers(r, size):
        r.mmap(0xffffffff, (1 << 63) + n * 0x1000, 0x1000, b'[m%d]' % (n % 100), misc=KERNEL)
        r.sample((1 << 63) + n * 0x1000, misc=KERNEL)
    return r


def unknown(size):
    r = Recording(0)
    r.sample(64)
    r.sample(64)
    one = struct.pack('<IHH', UNKNOWN, 0, 8)
    r.data.append(one * ((size - r.size) // 8))
    r.sample(64)
    return r


def cpus(size):
    r = Recording(CPU)
    for n in numbers(r, size):
        r.sample(64, cpu=n)
        r.sample(64, cpu=n)
    return r


def pairs_flat(size):
    """Pairs that move from each function to any other."""
    r = Recording(0, PAIRED, sampling=(1, 2))
    while r.size < size:
        r.sample(64 * rand.randrange(1 << 14), by=1, step=20000)
        r.sample(64 * rand.randrange(1 << 14), by=2, step=20000)
    return r


def builds_of_one_file(size):
    """A file of this machine with another build-id each time, so that it has to be looked at."""
    r = Recording(0)
    path = os.path.realpath('/lib/x86_64-linux-gnu/libc.so.6').encode()
    for n in numbers(r, size):
        r.mmap(PID, n << 24, 0x200000, path, build_id=b'%020d' % n)
        r.sample((n << 24) + 0x50000)
        r.sample((n << 24) + 0x50000)
    return r


def pack(inner, size, level):
    """At most so many bytes of it, compressed."""
    out = Recording(inner.kind)
    out.unpacked = sum(len(record) for record in inner.data)
    done = subprocess.run(['zstd', '-q', '-c', '-%d' % level, '--no-check'], input=b''.join(inner.data), capture_output=True, check=True).stdout
    for at in range(0, min(len(done), size), 32768):
        out.data.append(struct.pack('<IHH', COMPRESSED, 0, 8 + len(done[at:at + 32768])) + done[at:at + 32768])
    return out


def packed(size):
    """A quarter of the size, which unpacks to twice of it."""
    inner = Recording(0)
    while inner.size < size * 2:
        inner.sample(64 * rand.randrange(5000))
    return pack(inner, size, 3)


def packed_deep(size):
    """As long as the file may become, and all of it deep chains."""
    inner = deep(size, 1)
    once = inner.data
    inner.data = once * 16 if size < 1 << 20 else once * 4
    return pack(inner, size, 3)


def bomb(size):
    """It becomes longer than that: it is not read so far."""
    inner = Recording(0)
    inner.sample(64)
    inner.sample(64)
    inner.data.append(struct.pack('<IHH', UNKNOWN, 0, 8) * (size * 1000 // 8))
    out = pack(inner, size, 19)
    out.unpacked = None
    return out


SHAPES = {
    'deep': deep,
    'deep-few': lambda size: deep(size, 20),
    'deep-one': lambda size: deep(size, 1),
    'deep-runs': lambda size: deep(size, runs=4),
    'deep-few-runs': lambda size: deep(size, 40, runs=90),
    'deep-some-runs': lambda size: deep(size, 400, depth=120, runs=18),
    'deep-long': lambda size: deep(size, 3, 300, b'/' + b'n' * 200 + b'%d'),
    'deep-two': lambda size: deep(size, names=2),
    'deep-ladder': deep_ladder,
    'deep-pairs': lambda size: deep(size, events=PAIRED, pairs=True),
    'deep-pairs-few': lambda size: deep(size, 20, events=PAIRED, pairs=True),
    'shallow': lambda size: deep(size, depth=10),
    'functions': functions,
    'functions-2': lambda size: functions(size, 2),
    'functions-8': lambda size: functions(size, 8),
    'functions-64': lambda size: functions(size, 64),
    'few-members': few_members,
    'threads': threads,
    'threads-named': lambda size: threads(size, True),
    'forks': forks,
    'nested-forks': nested_forks,
    'execs': execs,
    'maps': maps,
    'maps-up': lambda size: maps(size, 'up', 0x1800),
    'maps-down': lambda size: maps(size, 'down', 0x1800),
    'maps-long': lambda size: maps(size, None, 1 << 45),
    'maps-files': lambda size: maps(size, path=b'/f%d'),
    'overlapping': overlapping,
    'ids': ids,
    'id-index': id_index,
    'strangers': strangers,
    'same-member': same_member,
    'changing-members': changing_members,
    'times': times,
    'times-rounds': lambda size: times(size, 3),
    'times-backwards': lambda size: times(size, 0, True),
    'rounds': rounds,
    'rounds-waiting': lambda size: rounds(size, True),
    'lost': lost,
    'throttles': throttles,
    'comms': comms,
    'comms-long': lambda size: comms(size, 4000),
    'branches': branches,
    'user-stacks': user_stacks,
    'long-names': long_names,
    'build-ids': build_ids,
    'build-ids-paths': lambda size: build_ids(size, 200),
    'builds-of-one-path': builds_of_one_path,
    'builds-of-one-file': builds_of_one_file,
    'one-file': one_file,
    'cgroups': cgroups,
    'cgroups-renamed': lambda size: cgroups(size, True),
    'kernel-functions': kernel_functions,
    'modules': modules,
    'unknown': unknown,
    'cpus': cpus,
    'pairs': pairs_flat,
    'packed': packed,
    'packed-deep': packed_deep,
    'bomb': bomb,
}

if sys.argv[1] == 'list':
    print('\n'.join(SHAPES))
else:
    recording = SHAPES[sys.argv[1]](int(sys.argv[3]))
    recording.write(sys.argv[2])
    print(recording.unpacked or os.path.getsize(sys.argv[2]))
