# SPDX-License-Identifier: MIT
"""A line of a metrics table, and a line of an events table."""

from dataclasses import dataclass, field


@dataclass
class Row:
    kind: str  # node, bottleneck, info, aux
    name: str
    level: object = ""
    alias: list = field(default_factory=list)
    toplev_name: str = ""
    parent: str = ""
    domain: str = ""
    unit: str = ""
    threshold: object = None
    samples: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    next: list = field(default_factory=list)
    needs: list = field(default_factory=list)
    source: str = ""
    formula: object = None
    unreadable: str = ""  # why there is no formula


@dataclass(frozen=True)
class Encoding:
    name: str
    perf_name: str
    config: tuple  # one, or one per offcore register
    config1: int = 0
    msr: str = ""
    counters: str = ""
    counters_htoff: str = ""
    alone: bool = False
    errata: tuple = ()
    modifier: str = ""
    latencies: tuple = ()

    def identity(self):
        """What tells one event from another: never its name."""
        return self.config, self.config1, self.modifier
