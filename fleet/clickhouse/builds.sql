-- SPDX-License-Identifier: MIT
-- What each build changed against the one that was seen first before it, in each service: certain where the bounds of the
-- change exclude 0.
SELECT service, node, builds[i - 1].2 AS before, builds[i].2 AS after, builds[i].3 - builds[i - 1].3 AS change,
       builds[i].4 - builds[i - 1].5 AS low, builds[i].5 - builds[i - 1].4 AS high, low > 0 OR high < 0 AS certain
FROM (
    SELECT service, node, arraySort(groupArray((since, build, share, low, high))) AS builds
    FROM (
        SELECT service, node, build, min(ifNull(moment, 0)) AS since, sum(part) / sum(valued) AS share,
               sum(part_low) / sum(whole) AS low, sum(part_high) / sum(whole) AS high
        FROM nodes
        WHERE build != ''
        GROUP BY service, node, build)
    GROUP BY service, node)
ARRAY JOIN arrayEnumerate(builds) AS i
WHERE i > 1
ORDER BY service, node, after
