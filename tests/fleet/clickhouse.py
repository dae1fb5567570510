#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts two servers of ClickHouse on loopback, a shard each, loads an archive into both through a Distributed table by
the SQL of fleet/clickhouse, and prints what the queries give, as JSON, with the time of each.

clickhouse.py FOLDER-OF-SQL WORK-FOLDER ARCHIVE"""
import json
import os
import signal
import subprocess
import sys
import time

sql, work, archive = sys.argv[1:]
PORT = 19000

CONFIG = """<yandex>
<logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><tcp_port>{port}</tcp_port><http_port>{http}</http_port>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
<users_config>{folder}/users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>268435456</mark_cache_size><timezone>UTC</timezone>
<remote_servers><fleet>{shards}</fleet></remote_servers>
</yandex>"""
USERS = """<yandex><profiles><default><max_memory_usage>4000000000</max_memory_usage>
<insert_distributed_sync>1</insert_distributed_sync></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default></users><quotas><default></default></quotas></yandex>"""


def client(port, *more, **given):
    return subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(port), *more], check=True,
                          stdout=subprocess.PIPE, **given).stdout


def start(number):
    folder = os.path.join(work, f"shard{number}")
    for part in ("data", "tmp"):
        os.makedirs(os.path.join(folder, part), exist_ok=True)
    shards = "".join(f"<shard><replica><host>127.0.0.1</host><port>{PORT + i}</port></replica></shard>" for i in range(2))
    with open(os.path.join(folder, "config.xml"), "w") as out:
        out.write(CONFIG.format(folder=folder, port=PORT + number, http=PORT + 100 + number, shards=shards))
    with open(os.path.join(folder, "users.xml"), "w") as out:
        out.write(USERS)
    return subprocess.Popen(["clickhouse-server", f"--config-file={folder}/config.xml"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def wait_for(port):
    for _ in range(300):
        if not subprocess.run(["clickhouse-client", "--host", "127.0.0.1", "--port", str(port), "--query", "SELECT 1"],
                              capture_output=True).returncode:
            return
        time.sleep(0.2)
    sys.exit(f"clickhouse.py: no server answers on port {port}: see {work}")


def main():
    servers = [start(number) for number in range(2)]
    try:
        for number in range(2):
            wait_for(PORT + number)
        with open(os.path.join(sql, "tables.sql")) as file:
            tables = file.read()
        for number in range(2):
            client(PORT + number, "--multiquery", input=tables.encode())
        begin = time.monotonic()
        with open(archive) as file:
            client(PORT, "--query", "INSERT INTO archive_csv FORMAT CSVWithNames", stdin=file)
        out = {"loading": time.monotonic() - begin, "csv": os.stat(archive).st_size, "times": {}}
        out["rows"] = int(client(PORT, "--query", "SELECT count() FROM archive"))
        out["shards"] = [int(client(PORT + number, "--query", "SELECT count() FROM archive_part")) for number in range(2)]
        out["stored"] = sum(int(client(PORT + number, "--query",
                                       "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'archive_part'"))
                            for number in range(2))
        for name in ("services", "builds", "peers", "hours", "generations"):
            with open(os.path.join(sql, f"{name}.sql")) as file:
                query = file.read()
            begin = time.monotonic()
            text = client(PORT, "--query", query + "\nFORMAT JSONEachRow")
            out["times"][name] = time.monotonic() - begin
            out[name] = [json.loads(line) for line in text.decode().splitlines()]
        print(json.dumps(out))
    finally:
        for server in servers:
            server.send_signal(signal.SIGTERM)
        for server in servers:
            server.wait()


main()
