-- SPDX-License-Identifier: MIT
-- The same services on several generations of CPUs.
SELECT service, node, cpu, share(part, valued) AS share, bound(part_low, whole) AS low, bound(part_high, whole) AS high,
       count(DISTINCT host) AS hosts
FROM nodes
GROUP BY service, node, cpu
ORDER BY service, node, cpu;
