-- SPDX-License-Identifier: MIT
-- Which services lose most slots, and to what: the nodes below retiring are left out.
SELECT service, node, sum(part) / sum(valued) AS share, sum(part_low) / sum(whole) AS low, sum(part_high) / sum(whole) AS high,
       sum(part_likely_low) / sum(whole) AS likely_low, sum(part_likely_high) / sum(whole) AS likely_high, sum(part) AS lost,
       uniqExact(host) AS hosts
FROM nodes
WHERE node != 'retiring' AND parent != 'retiring'
GROUP BY service, node
ORDER BY lost DESC, service, node
