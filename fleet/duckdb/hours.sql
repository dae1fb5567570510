-- SPDX-License-Identifier: MIT
-- Each node by the hour of the day (UTC).
SELECT CAST(hour(moment) AS INTEGER) AS hour, node, share(part, valued) AS share, bound(part_low, whole) AS low,
       bound(part_high, whole) AS high, sum(whole) AS passed
FROM nodes
WHERE moment IS NOT NULL
GROUP BY 1, node
ORDER BY hour, node;
