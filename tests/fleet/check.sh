#!/bin/sh
# SPDX-License-Identifier: MIT
# make check-fleet: a day of hosts whose slots are known, through replay --archive into DuckDB (npm's @duckdb/node-api, from
# the folder DUCKDB or installed into a temporary one) and into two shards of ClickHouse (Debian's clickhouse-server and
# clickhouse-client), whose queries must give what is known; and a day of three hosts in Prometheus, whose rate() must, and
# three simulated machines under tdprobe collect in it for a minute, as in VictoriaMetrics and node_exporter where these are. HOSTS
# and MINUTES set the size of the first. The dashboard of Grafana, by the types that Grafana publishes.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/fleet.XXXXXX")
trap 'rm -rf "$folder"' EXIT
here=$TD_SRCDIR/tests/fleet
ran=0
python3 "$here/generate.py" "$folder/traces" "${HOSTS:-120}" "${MINUTES:-30}"
"$TDPROBE" replay --archive -J 2 "$folder/traces" > "$folder/archive.csv"
if [ -z "${DUCKDB:-}" ] && command -v npm > /dev/null && mkdir "$folder/npm" &&
    (cd "$folder/npm" && npm install --silent @duckdb/node-api@1.5.6-r.1 > /dev/null 2>&1); then
    DUCKDB=$folder/npm
fi
if [ -n "${DUCKDB:-}" ]; then
    node "$here/duckdb.mjs" "$DUCKDB" "$TD_SRCDIR/fleet/duckdb" "$folder/fleet.db" "$folder/archive.csv" > "$folder/duckdb.json"
    echo DuckDB:
    python3 "$here/check.py" "$folder/traces/truth.json" "$folder/duckdb.json"
    ran=1
else
    echo 'DuckDB is left out: npm or node is not installed, or its registry does not answer (DUCKDB=FOLDER names one with @duckdb/node-api)'
fi
if command -v clickhouse-server > /dev/null && command -v clickhouse-client > /dev/null; then
    python3 "$here/clickhouse.py" "$TD_SRCDIR/fleet/clickhouse" "$folder/shards" "$folder/archive.csv" > "$folder/clickhouse.json"
    echo 'ClickHouse, two shards:'
    python3 "$here/check.py" "$folder/traces/truth.json" "$folder/clickhouse.json"
    ran=1
else
    echo 'ClickHouse is left out: apt-get install clickhouse-server clickhouse-client'
fi
if command -v promtool > /dev/null && command -v prometheus > /dev/null; then
    python3 "$here/generate.py" "$folder/three" 3 10
    echo Prometheus:
    python3 "$here/prometheus.py" "$TDPROBE" "$folder/three" "$folder/prometheus"
    python3 "$here/scrape.py" "$TDPROBE" "$TD_SRCDIR/sim/machines" "$folder/scrapes"
    ran=1
else
    echo 'Prometheus is left out: apt-get install prometheus'
fi
if [ -z "${GRAFANA:-}" ] && command -v npm > /dev/null && mkdir "$folder/types" &&
    (cd "$folder/types" && npm install --silent @grafana/schema typescript > /dev/null 2>&1); then
    GRAFANA=$folder/types
fi
if [ -n "${GRAFANA:-}" ] && command -v promtool > /dev/null; then
    echo 'Dashboard of Grafana:'
    node "$here/dashboard.mjs" "$GRAFANA" "$TD_SRCDIR" "$folder/dashboard"
    ran=1
else
    echo 'The dashboard is left out: it needs promtool, and npm (GRAFANA=FOLDER names one with @grafana/schema and typescript)'
fi
[ $ran = 1 ] || exit 77
