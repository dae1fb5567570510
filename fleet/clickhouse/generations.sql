-- SPDX-License-Identifier: MIT
-- The same services on several generations of CPUs.
SELECT service, node, cpu, sum(part) / sum(valued) AS share, sum(part_low) / sum(whole) AS low, sum(part_high) / sum(whole) AS high,
       uniqExact(host) AS hosts
FROM nodes
GROUP BY service, node, cpu
ORDER BY service, node, cpu
