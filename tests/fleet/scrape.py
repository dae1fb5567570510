#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Three simulated machines under tdprobe collect, scraped by a real Prometheus for a minute, by VictoriaMetrics where it is
installed, and one through node_exporter's textfile collector: rate() has to give the shares that each machine's description
says must be found, within what they are rounded to and inside the bounds.

scrape.py TDPROBE MACHINES WORK-FOLDER [SECONDS]"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

tdprobe, machines, work = sys.argv[1:4]
seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 60
HOSTS = ["sapphirerapids", "genoa", "graviton4"]
LEVEL1 = ["retiring", "bad_speculation", "frontend_bound", "backend_bound"]
PORT, PROMETHEUS, VICTORIA, EXPORTER = 19401, 19411, 19412, 19413
running = []


def start(*command):
    running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return running[-1]


def get(port, path, accept=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def wait_for(port, path):
    for _ in range(150):
        try:
            return get(port, path)
        except (OSError, urllib.error.HTTPError):
            time.sleep(0.2)
    sys.exit(f"scrape.py: nothing answers at port {port}, {path}")


def truth(host):
    with open(os.path.join(machines, f"{host}.machine")) as file:
        text = " ".join(line[1:].strip() for line in file if line.startswith("#"))
    said = text[text.index("What must be found"):]
    return {node: float(re.search(rf"\b{node} ([0-9.]+) %", said).group(1)) / 100 for node in LEVEL1}


def ask(port, query):
    result = json.loads(get(port, "/api/v1/query?" + urllib.parse.urlencode({"query": query})))
    assert result["status"] == "success", result
    return {(one["metric"].get("host", ""), one["metric"].get("node", "")): float(one["value"][1]) for one in result["data"]["result"]}


def check(port, what):
    parts = {kind: ask(port, f'sum by (host, node) (rate(tdprobe_slots{kind}_total{{level="1"}}[{seconds // 2}s]))'
                             f' / on (host) group_left () sum by (host) (rate(tdprobe_slots_all_total[{seconds // 2}s]))')
             for kind in ("", "_low", "_high")}
    for host in HOSTS:
        for node, share in truth(host).items():
            got, low, high = (parts[kind][host, node] for kind in ("", "_low", "_high"))
            assert abs(got - share) < 0.002, (what, host, node, got, share)
            assert low - 5e-5 <= share <= high + 5e-5, (what, host, node, low, share, high)
    slots = ask(port, f"sum by (host) (rate(tdprobe_slots_all_total[{seconds // 2}s]))")
    fleet = ask(port, f'sum by (node) (rate(tdprobe_slots_total{{level="1"}}[{seconds // 2}s]))'
                      f' / on () group_left () sum (rate(tdprobe_slots_all_total[{seconds // 2}s]))')
    for node in LEVEL1:
        share = sum(truth(host)[node] * slots[host, ""] for host in HOSTS) / sum(slots[host, ""] for host in HOSTS)
        assert abs(fleet["", node] - share) < 0.003, (what, node, fleet["", node], share)
    print(f"{what}: {len(HOSTS) * len(LEVEL1)} shares of hosts and {len(LEVEL1)} of all")


def main():
    os.makedirs(os.path.join(work, "text"), exist_ok=True)
    jobs = []
    for i, host in enumerate(HOSTS):
        start(tdprobe, "collect", "--machine", os.path.join(machines, f"{host}.machine"), "-I", "200", "--listen", str(PORT + i),
              *(["--textfile", os.path.join(work, "text")] if not i else []))
        jobs.append(f"  - targets: ['127.0.0.1:{PORT + i}']\n    labels: {{host: {host}}}\n")
    for i in range(len(HOSTS)):
        wait_for(PORT + i, "/metrics")
    for accept in (None, "application/openmetrics-text"):
        text = get(PORT, "/metrics", accept)
        assert text.endswith("# EOF\n") == bool(accept), text[-200:]
    said = subprocess.run(["promtool", "check", "metrics"], input=get(PORT, "/metrics"), text=True, capture_output=True)
    assert said.returncode == 0 and not said.stderr, said.stderr
    config = os.path.join(work, "prometheus.yml")
    with open(config, "w") as out:
        out.write("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: tdprobe\n  static_configs:\n" + "".join(jobs))
    start("prometheus", f"--config.file={config}", f"--storage.tsdb.path={work}/tsdb", f"--web.listen-address=127.0.0.1:{PROMETHEUS}")
    wait_for(PROMETHEUS, "/-/ready")
    victoria = shutil.which("victoria-metrics")
    if victoria:
        start(victoria, f"-promscrape.config={config}", f"-storageDataPath={work}/victoria", f"-httpListenAddr=127.0.0.1:{VICTORIA}")
        wait_for(VICTORIA, "/health")
    exporter = shutil.which("prometheus-node-exporter")
    if exporter:
        start(exporter, f"--web.listen-address=127.0.0.1:{EXPORTER}", "--collector.disable-defaults", "--collector.textfile",
              f"--collector.textfile.directory={work}/text")
        text = wait_for(EXPORTER, "/metrics")
        assert 'tdprobe_slots_total{' in text and "node_textfile_scrape_error 0" in text, text[:2000]
        print("node_exporter: the file is read without an error")
    time.sleep(seconds)
    check(PROMETHEUS, "Prometheus")
    if victoria:
        check(VICTORIA, "VictoriaMetrics")


try:
    main()
finally:
    for one in reversed(running):
        one.send_signal(signal.SIGTERM)
    for one in running:
        one.wait()
if os.path.exists(os.path.join(work, "text", "tdprobe.prom")):
    sys.exit("scrape.py: tdprobe.prom is still there after the end")
