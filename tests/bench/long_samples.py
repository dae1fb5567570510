#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A long recording of samples: long_samples.py IN OUT BYTES, the data of a perf.data again and again. Counters start anew each time."""
import struct
import sys

data = open(sys.argv[1], 'rb').read()
begin, size = struct.unpack_from('<2Q', data, 40)
features = bin(int.from_bytes(data[72:104], 'little')).count('1')
records = data[begin:begin + size] + struct.pack('<IHH', 68, 0, 8)  # FINISHED_ROUND
times = max(1, int(sys.argv[3]) // len(records))
head = bytearray(data[:begin])
struct.pack_into('<Q', head, 48, len(records) * times)
table = bytearray(data[begin + size:begin + size + 16 * features])
for i in range(features):
    struct.pack_into('<Q', table, 16 * i, struct.unpack_from('<Q', table, 16 * i)[0] + len(records) * times - size)
with open(sys.argv[2], 'wb') as out:
    out.write(head)
    for _ in range(times):
        out.write(records)
    out.write(table + data[begin + size + 16 * features:])
