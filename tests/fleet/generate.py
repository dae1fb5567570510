#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A day of a fleet: traces of hosts whose slots are known, and what the queries of fleet/ have to give of them, worked out
from these slots rather than from what tdprobe prints.

generate.py FOLDER HOSTS MINUTES: writes FOLDER/HOST.BUILD.trace, an interval each MINUTES minutes, and FOLDER/truth.json; of
few hosts also FOLDER/intervals.json."""
import json
import os
import random
import sys

DAY = 24 * 60
NODES = ["retiring", "bad_speculation", "frontend_bound", "backend_bound"]
EVENTS = ["topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"]
CORRECTIONS = ["INT_MISC.UOP_DROPPING", "INT_MISC.CLEARS_COUNT"]  # never happened; a host in ten did not count them
SERVICES = {  # shares in 255ths of retiring, bad speculation and frontend; the rest is the backend
    "web": (90, 30, 60),
    "search": (60, 15, 30),
    "batch": (140, 10, 20),
    "cache": (40, 5, 25),
}


def fields(service, build, host, hour, cpu):
    retiring, bad, frontend = SERVICES[service]
    if build == "b2" and service == "search":
        retiring -= 25  # what the second build lost to memory
    if cpu == "icl":
        retiring -= 10
    if host % 97 == 13:
        frontend += 40  # a host that differs from its peers
        retiring -= 20
    if 8 <= hour < 18:
        retiring += 5
    return [retiring, bad, frontend, 255 - retiring - bad - frontend]


class Sums(dict):
    def add(self, key, node, part, whole):
        old = self.get((*key, node), (0, 0))
        self[(*key, node)] = (old[0] + part, old[1] + whole)


FEW = 10  # hosts whose intervals are written, too


def write_host(folder, number, minutes, sums, intervals):
    name = f"host{number:04}"
    service = list(SERVICES)[number % len(SERVICES)]
    cpu = "icl" if number // len(SERVICES) % 3 == 0 else "spr"
    noise = random.Random(number)
    begin = 1795651200 * 10**9  # 2026-11-26 00:00 UTC
    for half, build in enumerate(["b1", "b2"]):
        path = os.path.join(folder, f"{name}.{build}.trace")
        start = half * DAY // 2
        with open(path, "w") as out:
            out.write(f"# tdprobe-trace: 1\n# cpu: {cpu}\n# smt: off\n# source: perf\n# level: 1\n"
                      f"# x-clock: 5000000000 {begin + start * 60 * 10**9}\n# x-host: {name}\n"
                      f"# x-labels: build={build};service={service}\n"
                      "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n")
            total = [0] * (1 + len(EVENTS))
            for step in range(DAY // 2 // minutes + 1):
                ns = step * minutes * 60 * 10**9
                if step:
                    ended = start + step * minutes
                    hour = ended // 60 % 24
                    part = fields(service, build, number, ((ended - minutes) // 60) % 24, cpu)
                    slots = 255 * noise.randrange(10**9, 4 * 10**9)
                    total[0] += slots
                    if number < FEW:
                        intervals.append({"host": name, "build": build, "ended": begin // 10**9 + ended * 60, "slots": slots,
                                          "part": {node: slots // 255 * field for node, field in zip(NODES, part)}})
                    for i, field in enumerate(part):
                        total[1 + i] += slots // 255 * field
                        for kind, key in (("services", (service,)), ("builds", (service, build)), ("hosts", (service, cpu, name)),
                                          ("hours", (hour,)), ("generations", (service, cpu))):
                            sums[kind].add(key, NODES[i], slots // 255 * field, slots)
                counts = list(zip(["slots"] + EVENTS, total)) + [(name, 0) for name in CORRECTIONS if number % 10 != 9]
                for event, value in counts:
                    out.write(f"{ns},system,system,,0,0,{event},{value},{ns},{ns}\n")
                out.write(f"{ns},system,system,,,0,end,{len(counts)},,\n")


def main():
    folder, hosts, minutes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    sums = {kind: Sums() for kind in ("services", "builds", "hosts", "hours", "generations")}
    intervals = []
    for number in range(hosts):
        write_host(folder, number, minutes, sums, intervals)
    with open(os.path.join(folder, "truth.json"), "w") as out:
        json.dump({kind: [[*key, part / whole, part, whole] for key, (part, whole) in sorted(s.items())] for kind, s in sums.items()}, out)
    if hosts <= FEW:
        with open(os.path.join(folder, "intervals.json"), "w") as out:
            json.dump(intervals, out)


main()
