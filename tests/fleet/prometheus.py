#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hours of counters of three hosts in a real Prometheus, with a restart of each (their counters begin anew) and a host that
vanishes: rate() has to give the shares of each host and of all, by the intervals that generate.py has written.

prometheus.py TDPROBE FOLDER WORK-FOLDER: FOLDER is what generate.py FOLDER 3 MINUTES wrote."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

tdprobe, folder, work = sys.argv[1:]
PORT = 19390
HOUR = 3600
VANISHES = "host0002"  # after its first build


def scrape(trace, seconds):
    """The counters of a trace after so many seconds, as lines of families."""
    text = subprocess.run([tdprobe, "replay", "--format", "openmetrics", "--level", "1", "--time", f",{seconds}", trace], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    family, out = None, []
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            family = line.split()[2]
        if line != "# EOF":
            out.append((family, line))
    return out


def history(intervals):
    """All scrapes as one text, each line with its host and time."""
    families, began = {}, {}
    for one in intervals:
        key = one["host"], one["build"]
        began.setdefault(key, one["ended"] - step)
        if key == (VANISHES, "b2"):
            continue
        for family, line in scrape(os.path.join(folder, "{}.{}.trace".format(*key)), one["ended"] - began[key]):
            head, lines = families.setdefault(family, ([], []))
            if line.startswith("#"):
                if line not in head:
                    head.append(line)
                continue
            name, labels, value = re.fullmatch(r"([a-z_]+)(?:\{(.*)\})? (\S+)", line).groups()
            lines.append((name, labels or "", key[0], one["ended"], value))
    with open(os.path.join(work, "history.om"), "w") as out:
        for head, lines in families.values():
            out.write("".join(f"{line}\n" for line in head))
            for name, labels, host, at, value in sorted(lines):
                out.write(f'{name}{{{labels}{"," if labels else ""}instance="{host}"}} {value} {at}\n')
        out.write("# EOF\n")


def ask(query, at):
    url = f"http://127.0.0.1:{PORT}/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": at})
    with urllib.request.urlopen(url) as answer:
        result = json.load(answer)
    assert result["status"] == "success", result
    return {(one["metric"].get("instance", ""), one["metric"]["node"]): float(one["value"][1]) for one in result["data"]["result"]}


def truth(intervals, at, hosts):
    mine = [one for one in intervals if at - HOUR < one["ended"] <= at and one["host"] in hosts]
    slots = sum(one["slots"] for one in mine)
    return {node: sum(one["part"][node] for one in mine) / slots for node in mine[0]["part"]} if mine else {}


def check(intervals):
    checked = 0
    for at in range(intervals[0]["ended"] - step + 2 * HOUR, intervals[-1]["ended"] - HOUR, HOUR // 2):
        parts = {}
        for by in ("instance", ""):
            for kind in ("", "_low", "_high"):
                by_node = f"sum by ({by + ',' if by else ''}node) (rate(tdprobe_slots{kind}_total[1h]))"
                all_slots = f"sum by ({by}) (rate(tdprobe_slots_all_total[1h]))"
                on = f"on ({by})" if by else "on ()"
                parts[by, kind] = ask(f"{by_node} / {on} group_left () {all_slots}", at)
        gone = at - HOUR >= vanished
        hosts = sorted({one["host"] for one in intervals} - ({VANISHES} if gone else set()))
        if vanished < at and not gone:
            continue  # rate() extrapolates what ended inside its window
        seen = {host for host, _ in parts["instance", ""]}
        assert seen == set(hosts), (at, seen, hosts)
        for host in [*hosts, ""]:
            by = "instance" if host else ""
            for node, share in truth(intervals, at, [host] if host else hosts).items():
                got, low, high = (parts[by, kind][host, node] for kind in ("", "_low", "_high"))
                assert abs(got - share) < (2e-6 if host else 5e-3), (at, host, node, got, share)
                assert low - 1e-6 <= share <= high + 1e-6, (at, host, node, low, share, high)
                checked += 1
    return checked


with open(os.path.join(folder, "intervals.json")) as file:
    rows = json.load(file)
rows.sort(key=lambda one: (one["ended"], one["host"]))
step = 24 * HOUR // len({one["ended"] for one in rows})
vanished = max(one["ended"] for one in rows if (one["host"], one["build"]) == (VANISHES, "b1"))
os.makedirs(os.path.join(work, "blocks"), exist_ok=True)
history(rows)
subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", os.path.join(work, "history.om"), os.path.join(work, "blocks")],
               check=True, stdout=subprocess.DEVNULL)
with open(os.path.join(work, "prometheus.yml"), "w") as config:
    config.write("{}\n")
server = subprocess.Popen(["prometheus", f"--config.file={work}/prometheus.yml", f"--storage.tsdb.path={work}/blocks",
                           "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{PORT}", "--log.level=error"])
try:
    for _ in range(150):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/-/ready").close()
            break
        except OSError:
            time.sleep(0.2)
    print(f"{check(rows)} shares of hosts and of all of them are true and inside their bounds")
finally:
    server.send_signal(signal.SIGTERM)
    server.wait()
