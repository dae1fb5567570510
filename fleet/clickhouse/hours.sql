-- SPDX-License-Identifier: MIT
-- Each node by the hour of the day (UTC).
SELECT toHour(toDateTime(toUInt32(assumeNotNull(moment))), 'UTC') AS hour, node, sum(part) / sum(valued) AS share,
       sum(part_low) / sum(whole) AS low, sum(part_high) / sum(whole) AS high, sum(whole) AS passed
FROM nodes
WHERE isNotNull(moment)
GROUP BY hour, node
ORDER BY hour, node
