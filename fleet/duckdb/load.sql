-- SPDX-License-Identifier: MIT
-- Loads what 'tdprobe replay --archive' wrote, tdprobe-archive(5), from archive.csv or what the variable has:
--     duckdb fleet.db -c "SET VARIABLE archive = 'days/*.csv'" -f load.sql
-- and defines what the queries beside this file ask.
CREATE TABLE IF NOT EXISTS archive (
    time DOUBLE, scope VARCHAR, scope_kind VARCHAR, core VARCHAR, cpu VARCHAR, metric VARCHAR, value DOUBLE, unit VARCHAR,
    low DOUBLE, high DOUBLE, coverage DOUBLE, status VARCHAR, flags VARCHAR, bounds VARCHAR, node VARCHAR, text VARCHAR,
    duration DOUBLE, level TINYINT, parent VARCHAR, summary VARCHAR, archive TINYINT, ended DECIMAL(20, 9), whole DOUBLE,
    file VARCHAR, host VARCHAR, labels VARCHAR, command VARCHAR);

INSERT INTO archive BY NAME
SELECT * FROM read_csv(coalesce(getvariable('archive'), 'archive.csv'), auto_detect = false, header = true, quote = '"', escape = '"',
    columns = {time: 'DOUBLE', scope: 'VARCHAR', scope_kind: 'VARCHAR', core: 'VARCHAR', cpu: 'VARCHAR', metric: 'VARCHAR',
        value: 'DOUBLE', unit: 'VARCHAR', low: 'DOUBLE', high: 'DOUBLE', coverage: 'DOUBLE', status: 'VARCHAR', flags: 'VARCHAR',
        bounds: 'VARCHAR', node: 'VARCHAR', text: 'VARCHAR', duration: 'DOUBLE', level: 'TINYINT', parent: 'VARCHAR',
        summary: 'VARCHAR', archive: 'TINYINT', ended: 'DECIMAL(20, 9)', whole: 'DOUBLE', file: 'VARCHAR', host: 'VARCHAR',
        labels: 'VARCHAR', command: 'VARCHAR'});

-- The value of a label; NULL: there is none.
CREATE OR REPLACE MACRO label(list, name) AS
    nullif(regexp_extract(list, '(?:^|;)' || replace(name, '.', '[.]') || '=([^;]*)', 1), '');

-- Each node of each interval with the slots, or cycles, that it has of the whole: these add up, shares do not. Without
-- sound bounds it may have all of the whole or nothing of it, and so may a node without a value.
CREATE OR REPLACE VIEW nodes AS
SELECT to_timestamp(ended::DOUBLE) AT TIME ZONE 'UTC' AS moment, host, cpu, scope,
       coalesce(label(labels, 'service'), CASE scope_kind WHEN 'cgroup' THEN scope END, command, '') AS service,
       coalesce(label(labels, 'build'), '') AS build,
       metric AS node, level, coalesce(parent, '') AS parent, whole,
       coalesce(value * whole, 0) AS part, CASE WHEN value IS NULL THEN 0 ELSE whole END AS valued,
       CASE bounds WHEN 'sound' THEN low ELSE 0 END * whole AS part_low,
       CASE bounds WHEN 'sound' THEN high ELSE 1 END * whole AS part_high,
       coalesce(low, 0) * whole AS part_likely_low, coalesce(high, 1) * whole AS part_likely_high
FROM archive
WHERE level IS NOT NULL AND summary IS NULL AND whole > 0 AND metric <> 'verdict';

-- What the nodes of any number of intervals have of their whole together, with bounds: low and high are certain,
-- likely_low and likely_high are narrower where some bounds are only likely. NULL: no value is known.
CREATE OR REPLACE MACRO share(part, valued) AS sum(part) / nullif(sum(valued), 0);
CREATE OR REPLACE MACRO bound(part, whole) AS sum(part) / sum(whole);
