#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A perf.data as perf record -z writes it, and as perf record -z -o - does: pack.py IN OUT-z OUT-pipe. Needs the program zstd.
pack.py IN OUT: the same file without the room that tdprobe record --functions leaves before the data."""
import struct
import subprocess
import sys

data = open(sys.argv[1], 'rb').read()
COMPRESSED, PIECE = 27, 20001  # a feature; an odd size, so that pieces end within records


def u(form, at):
    return struct.unpack_from('<' + form, data, at)


attr_size, attrs, attrs_size, begin, size = u('5Q', 16)
bits = int.from_bytes(data[72:104], 'little')
features = [i for i in range(256) if bits >> i & 1]
sections = {f: u('2Q', begin + size + 16 * k) for k, f in enumerate(features)}
payload = {f: data[at:at + n] for f, (at, n) in sections.items()}
if len(sys.argv) == 3:
    ids = b''
    entries = bytearray(data[attrs:attrs + attrs_size])
    for at in range(0, attrs_size, attr_size):
        place, n = struct.unpack_from('<2Q', entries, at + attr_size - 16)
        struct.pack_into('<Q', entries, at + attr_size - 16, 104 + len(ids))
        ids += data[place:place + n]
    front = 104 + len(ids) + len(entries)
    table = bytearray(data[begin + size:begin + size + 16 * len(features)])
    for k in range(len(features)):
        struct.pack_into('<Q', table, 16 * k, struct.unpack_from('<Q', table, 16 * k)[0] - (begin - front))
    head = bytearray(data[:104])
    struct.pack_into('<QQQ', head, 24, 104 + len(ids), attrs_size, front)
    with open(sys.argv[2], 'wb') as f:
        f.write(head + ids + entries + data[begin:begin + size] + table + data[begin + size + len(table):])
    sys.exit()
payload[COMPRESSED] = struct.pack('<5I', 1, 1, 3, 8, 1 << 20)  # version, zstd, level, ratio, bytes of perf's buffers
records = data[begin:begin + size]

# ID_INDEX (69) and what precedes the first record of the kernel stay as they are
plain = 0
while struct.unpack_from('<I', records, plain)[0] >= 64:
    plain += struct.unpack_from('<H', records, plain + 6)[0]
out = records[:plain]
for at in range(plain, len(records), PIECE):
    packed = subprocess.run(['zstd', '-c', '-19'], input=records[at:at + PIECE], stdout=subprocess.PIPE, check=True).stdout
    out += struct.pack('<IHH', 81, 0, 8 + len(packed)) + packed
out += struct.pack('<IHH', 68, 0, 8)  # FINISHED_ROUND

with open(sys.argv[2], 'wb') as f:
    order = sorted(payload)
    table = begin + len(out)
    at = table + 16 * len(order)
    head = bytearray(data[:begin])
    struct.pack_into('<Q', head, 48, len(out))
    head[72:104] = sum(1 << i for i in order).to_bytes(32, 'little')
    f.write(head + out)
    for i in order:
        f.write(struct.pack('<2Q', at, len(payload[i])))
        at += len(payload[i])
    f.write(b''.join(payload[i] for i in order))

with open(sys.argv[3], 'wb') as f:
    f.write(b'PERFILE2' + struct.pack('<Q', 16))
    for at in range(attrs, attrs + attrs_size, attr_size):
        ids, ids_size = u('2Q', at + attr_size - 16)
        body = data[at:at + attr_size - 16] + data[ids:ids + ids_size]
        f.write(struct.pack('<IHH', 64, 0, 8 + len(body)) + body)
    for i in sorted(payload):
        if i in (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 21, 22, 25, 26, 27, 31):  # those that perf writes there
            f.write(struct.pack('<IHHQ', 80, 0, 16 + len(payload[i]), i) + payload[i])
    f.write(out)
