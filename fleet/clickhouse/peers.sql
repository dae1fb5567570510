-- SPDX-License-Identifier: MIT
-- Which hosts differ from their peers, those with the same service and CPU: their bounds lie beyond the middle ones of
-- the group (the lower of two).
SELECT service, cpu, node, h.1 AS host, h.2 AS share, h.3 AS low, h.4 AS high, peers_share, peers_low, peers_high, peers
FROM (
    SELECT service, cpu, node, groupArray((host, share, low, high)) AS hosts, count() AS peers,
           arraySort(groupArray(share))[intDiv(peers + 1, 2)] AS peers_share,
           arraySort(groupArray(low))[intDiv(peers + 1, 2)] AS peers_low,
           arraySort(groupArray(high))[intDiv(peers + 1, 2)] AS peers_high
    FROM (
        SELECT service, cpu, node, host, sum(part) / sum(valued) AS share, sum(part_low) / sum(whole) AS low,
               sum(part_high) / sum(whole) AS high
        FROM nodes
        GROUP BY service, cpu, node, host)
    GROUP BY service, cpu, node)
ARRAY JOIN hosts AS h
WHERE peers > 2 AND (low > peers_high OR high < peers_low)
ORDER BY abs(share - peers_share) DESC, host, node
