# SPDX-License-Identifier: MIT
"""Units of Intel's metrics, which publish none: from the formula's outermost factor, the count domain or the name."""

import re

from notation import write

BY_DOMAIN = {"Clocks_Latency": "cycles", "NanoSeconds": "ns", "Seconds": "s", "GB/sec": "GB/s", "MB/sec": "MB/s",
             "Fraction": "fraction", "Clocks_Retired": "fraction", "Scaled_Slots": "percent"}
BY_FORMULA = (
    (r"100 \*", "percent"),
    (r"1000 \*.*UOPS_RETIRED\.ALL$|1000 \*.*TOPDOWN_RETIRING", "per kilo-uop"),
    (r"1000 \*", "per kilo-instruction"),
    (r"64 \* .*1000000000 /|.* \* 64 / 1000000000 / info_system_time$", "GB/s"),
    (r"(INST_RETIRED\.ANY|info_inst_mix_instructions) / (?!info_(thread_clks|core_core_clks|core_clks)$|clks$)",
     "instructions"),
)
BY_NAME = (
    (r"_bw(_2t)?$", "GB/s"),
    (r"_gflops$", "GFLOP/s"),
    (r"_frequency$", "GHz"),
    (r"_power$", "W"),
    (r"_(latency|cost)$|_cycles_per_demand_", "cycles"),
    (r"_clks(_p)?$", "cycles"),
    (r"_slots$", "slots"),
    (r"_instructions$", "instructions"),
    (r"_(ipc|coreipc|epc|tbpc|flopc|ilp|execute|retire|fetch_(dsb|lsd|mite|ms|upc))$", "per cycle"),
    (r"_(cpi|uoppi|upi)$", "per instruction"),
    (r"_(uptb|bptkbranch)$", "per branch"),
    (r"_utilization$|_coverage$|_c0_wait$|_retire_stall$|_strings_cycles$|_mispredict_ratio$|_useless_hwpf$",
     "fraction"),
    (r"_cpus_utilized$", "CPUs"),
)


def unit_of(row):
    fixed = {"node": "fraction", "bottleneck": "percent", "aux": ""}.get(row.kind)
    if fixed is not None:
        return fixed
    if row.domain in BY_DOMAIN:
        return BY_DOMAIN[row.domain]
    text = write(row.formula) if row.formula else ""
    matched = [unit for pattern, unit in BY_FORMULA if re.match(pattern, text)]
    matched += [unit for pattern, unit in BY_NAME if re.search(pattern, row.name)]
    return matched[0] if matched else "instructions" if row.domain == "Inst_Metric" else "ratio"
