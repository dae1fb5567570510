-- SPDX-License-Identifier: MIT
-- What each build changed against the one that was seen first before it, in each service: certain where the bounds of the
-- change exclude 0.
WITH sums AS (
    SELECT service, node, build, min(moment) AS since, share(part, valued) AS share, bound(part_low, whole) AS low,
           bound(part_high, whole) AS high
    FROM nodes
    WHERE build <> ''
    GROUP BY service, node, build),
pairs AS (
    SELECT service, node, lag(build) OVER w AS before, build AS after, share - lag(share) OVER w AS change,
           low - lag(high) OVER w AS low, high - lag(low) OVER w AS high
    FROM sums
    WINDOW w AS (PARTITION BY service, node ORDER BY since, build))
SELECT service, node, before, after, change, low, high, low > 0 OR high < 0 AS certain
FROM pairs
WHERE before IS NOT NULL
ORDER BY service, node, after;
