-- SPDX-License-Identifier: MIT
-- Which hosts differ from their peers, those with the same service and CPU: their bounds lie beyond the middle ones of
-- the group (the lower of two).
WITH hosts AS (
    SELECT service, cpu, node, host, share(part, valued) AS share, bound(part_low, whole) AS low, bound(part_high, whole) AS high
    FROM nodes
    GROUP BY service, cpu, node, host),
peers AS (
    SELECT service, cpu, node, count(*) AS hosts, quantile_disc(share, 0.5) AS share, quantile_disc(low, 0.5) AS low,
           quantile_disc(high, 0.5) AS high
    FROM hosts
    GROUP BY service, cpu, node)
SELECT h.service, h.cpu, h.node, h.host, h.share, h.low, h.high, p.share AS peers_share, p.low AS peers_low, p.high AS peers_high,
       p.hosts AS peers
FROM hosts h JOIN peers p USING (service, cpu, node)
WHERE p.hosts > 2 AND (h.low > p.high OR h.high < p.low)
ORDER BY abs(h.share - p.share) DESC, h.host, h.node;
