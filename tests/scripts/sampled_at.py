# SPDX-License-Identifier: MIT
"""Writes a perf.data of samples of one group (slots, cycles, which samples, and the four nodes of level 1) at given places.

usage: sampled_at.py OUT < lines

  map START SIZE OFFSET BUILD-ID PATH   PERF_RECORD_MMAP2 of process 42; BUILD-ID in hex, or - for none
  cgroup ID PATH                        PERF_RECORD_CGROUP; samples then have PERF_SAMPLE_CGROUP
  at ADDRESS [CGROUP [CALLER ...]]      a sample, 1 ms after the previous one; with callers samples have chains
  lost                                  PERF_RECORD_LOST of one sample
  from R S F B                          from here on the shares of retiring, bad speculation, frontend, backend (percent)

Layout: linux/perf_event.h (struct perf_event_attr, enum perf_event_type), perf.data-file-format.txt of the kernel's tools."""
import struct
import sys

MMAP2, SAMPLE, CGROUP, LOST = 10, 9, 19, 2
IP, TID, TIME, READ, CHAIN, ID, CPU, PERIOD, SAMPLE_CGROUP = 1, 2, 4, 16, 32, 64, 128, 256, 1 << 21
PID, FIRST_ID, HEADER = 42, 11, 104
CONFIG = (0x400, 0, 0x8000, 0x8100, 0x8200, 0x8300)


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def text(path):
    raw = path.encode() + b'\0'
    return raw + b'\0' * (-len(raw) % 8)


def main():
    asked = [line.split() for line in sys.stdin if line.strip()]
    grouped = any(a[0] == 'cgroup' for a in asked)
    chained = any(a[0] == 'at' and len(a) > 3 for a in asked)
    fields = IP | TID | TIME | READ | ID | CPU | PERIOD | (SAMPLE_CGROUP if grouped else 0) | (CHAIN if chained else 0)
    shares, totals, data, time = [25, 25, 25, 25], [0] * 6, b'', 1000000
    trailer = lambda: struct.pack('<IIQQII', PID, PID, time, FIRST_ID, 0, 0)
    for a in asked:
        if a[0] == 'map':
            known = a[4] != '-'
            other = struct.pack('<B3x20s', len(a[4]) // 2, bytes.fromhex(a[4])) if known else b'\0' * 24
            body = struct.pack('<IIQQQ', PID, PID, int(a[1], 0), int(a[2], 0), int(a[3], 0)) + other + struct.pack('<II', 5, 2)
            data += record(MMAP2, 2 | (1 << 14 if known else 0), body + text(a[5]) + trailer())
        elif a[0] == 'cgroup':
            data += record(CGROUP, 0, struct.pack('<Q', int(a[1], 0)) + text(a[2]) + trailer())
        elif a[0] == 'lost':
            data += record(LOST, 0, struct.pack('<QQ', FIRST_ID, 1) + trailer())
        elif a[0] == 'from':
            shares = [int(x) for x in a[1:5]]
        else:
            time += 1000000
            for i, add in enumerate([6000000, 1000000] + [60000 * x for x in shares]):
                totals[i] += add
            body = struct.pack('<QIIQQIIQ', int(a[1], 0), PID, PID, time, FIRST_ID, 0, 0, 1000000)
            body += struct.pack('<QQQ', 6, time, time) + b''.join(struct.pack('<QQ', totals[i], FIRST_ID + i) for i in range(6))
            if chained:
                chain = [(1 << 64) - 512, int(a[1], 0)] + [int(x, 0) for x in a[3:]]
                body += struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
            if grouped:
                body += struct.pack('<Q', int(a[2], 0) if len(a) > 2 else 1)
            data += record(SAMPLE, 2, body)
    ids = b''.join(struct.pack('<Q', FIRST_ID + i) for i in range(6))
    attrs = b''
    for i, config in enumerate(CONFIG):
        attrs += struct.pack('<IIQQQQQ', 4 if config else 0, 64, config, 1000000 if i == 1 else 0, fields, 15, 1 << 18).ljust(64, b'\0')
        attrs += struct.pack('<QQ', HEADER + 8 * i, 8)
    at = HEADER + len(ids)
    head = struct.pack('<8sQQQQQQQQ', b'PERFILE2', HEADER, 80, at, len(attrs), at + len(attrs), len(data), 0, 0)
    with open(sys.argv[1], 'wb') as out:
        out.write(head.ljust(HEADER, b'\0') + ids + attrs + data)


main()
