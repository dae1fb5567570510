-- SPDX-License-Identifier: MIT
-- For each server of the cluster "fleet" (clickhouse client --multiquery < tables.sql): its part of the archive, the
-- table over all parts, and what 'tdprobe replay --archive' wrote goes into, tdprobe-archive(5):
--     clickhouse client --query 'INSERT INTO archive_csv FORMAT CSVWithNames' < archive.csv
-- Servers from 18.16 on take it.
CREATE TABLE archive_part (
    day Date, moment Nullable(Float64), duration Nullable(Float64), file String, host String, labels String, command String,
    service String, build String, scope String, scope_kind String, core String, cpu String, node String, level UInt8,
    parent String, value Nullable(Float64), unit String, low Nullable(Float64), high Nullable(Float64), bounds String,
    coverage Nullable(Float64), status String, flags String, whole Nullable(Float64), limits String, summary UInt8,
    archive UInt8)
ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (service, node, host, day);

CREATE TABLE archive AS archive_part ENGINE = Distributed(fleet, currentDatabase(), archive_part, cityHash64(host));

-- The columns of the contract as text: an empty field is a value that is absent, which not all servers read as such.
CREATE TABLE archive_csv (
    time String, scope String, scope_kind String, core String, cpu String, metric String, value String, unit String,
    low String, high String, coverage String, status String, flags String, bounds String, node String, text String,
    duration String, level String, parent String, summary String, archive String, ended String, whole String, file String,
    host String, labels String, command String)
ENGINE = Null;

CREATE MATERIALIZED VIEW archive_load TO archive AS
SELECT toDate(toUInt32(toFloat64OrZero(ended))) AS day, toFloat64OrNull(ended) AS moment, toFloat64OrNull(duration) AS duration,
       file, host, labels, command,
       multiIf(match(labels, '(?:^|;)service='), extract(labels, '(?:^|;)service=([^;]*)'), scope_kind = 'cgroup', scope,
               command) AS service,
       extract(labels, '(?:^|;)build=([^;]*)') AS build,
       scope, scope_kind, core, cpu, metric AS node, toUInt8OrZero(level) AS level, parent, toFloat64OrNull(value) AS value, unit,
       toFloat64OrNull(low) AS low, toFloat64OrNull(high) AS high, bounds, toFloat64OrNull(coverage) AS coverage, status, flags,
       toFloat64OrNull(whole) AS whole, archive_csv.node AS limits, summary != '' AS summary, toUInt8OrZero(archive) AS archive
FROM archive_csv;

-- Each node of each interval with the slots, or cycles, that it has of the whole: these add up, shares do not. Without
-- sound bounds it may have all of the whole or nothing of it, and so may a node without a value.
CREATE VIEW nodes AS
SELECT moment, host, cpu, scope, service, build, node, level, parent, assumeNotNull(whole) AS whole,
       ifNull(value * whole, 0) AS part, if(isNull(value), 0, assumeNotNull(whole)) AS valued,
       if(bounds = 'sound', assumeNotNull(low), 0) * assumeNotNull(whole) AS part_low,
       if(bounds = 'sound', assumeNotNull(high), 1) * assumeNotNull(whole) AS part_high,
       ifNull(low, 0) * assumeNotNull(whole) AS part_likely_low, ifNull(high, 1) * assumeNotNull(whole) AS part_likely_high
FROM archive
WHERE level > 0 AND NOT summary AND whole > 0 AND node != 'verdict';
