-- SPDX-License-Identifier: MIT
-- Which services lose most slots, and to what: the nodes below retiring are left out.
SELECT service, node, share(part, valued) AS share, bound(part_low, whole) AS low, bound(part_high, whole) AS high,
       bound(part_likely_low, whole) AS likely_low, bound(part_likely_high, whole) AS likely_high, sum(part) AS lost,
       count(DISTINCT host) AS hosts
FROM nodes
WHERE node <> 'retiring' AND parent <> 'retiring'
GROUP BY service, node
ORDER BY lost DESC, service, node;
