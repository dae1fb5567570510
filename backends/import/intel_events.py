# SPDX-License-Identifier: MIT
"""Events of Intel CPUs: intel/perfmon's *_core.json, with the modifiers of formulas applied."""

import json
import re
from dataclasses import replace

from corrections import CorrectionError
from rows import Encoding

CODES = {"umask": 8, "edge": 18, "any": 21, "inv": 23, "cmask": 24, "eq": 36, "umaskext": 40}
# placeholders of the JSON for events of fixed counters, and what perf takes (Linux arch/x86/events/intel/core.c)
GENERAL = {0x0100: 0x00c0, 0x0200: 0x003c}
# a field of PERF_METRICS as perf's event (the same file): topdown-retiring, ...
FIELDS = ("RETIRING", "BAD_SPECULATION", "FRONTEND_BOUND", "BACKEND_BOUND",
          "HEAVY_OPERATIONS", "BRANCH_MISPREDICTS", "FETCH_LATENCY", "MEMORY_BOUND")
FIELD_NAMES = ("topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound",
               "topdown-heavy-ops", "topdown-br-mispredict", "topdown-fetch-lat", "topdown-mem-bound")


def number(text):
    return int(str(text).split(",")[0], 0)


def counters(text):
    """"0,1,2,3" as 0-3, "Fixed counter 1" as fixed1"""
    if "ixed" in text:
        return "fixed" + text.split()[-1]
    numbers = sorted(int(n) for n in text.split(",") if n.strip())
    runs = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return " ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in runs)


class Events:
    """One *_core.json."""

    def __init__(self, text, corrections=None):
        data = json.loads(text)
        self.version = data["Header"]["Version"] if isinstance(data, dict) else ""
        listed = data["Events"] if isinstance(data, dict) else data
        self.by_name = {e["EventName"].upper(): e for e in listed}
        for name, fields in (corrections or {}).items():
            if name not in self.by_name:
                raise CorrectionError("an event correction of %s, which the file does not have" % name)
            self.by_name[name].update(field.split("=") for field in fields.split(";"))

    def encoding(self, event):
        """An event of a formula; KeyError if the JSON does not have it."""
        if event.name.startswith("PERF_METRICS."):
            return self._field(event)
        found = self._plain(event.name)
        for modifier in event.modifiers:
            if modifier != "R":
                found = _modified(found, modifier)
        return replace(found, name=event.text(), perf_name=_perf_name(event))

    def _field(self, event):
        field = FIELDS.index(event.name.split(".")[1])
        return Encoding(event.text(), FIELD_NAMES[field], (0x8000 + (field << 8),),
                        counters="metrics", counters_htoff="metrics")

    def _plain(self, name):
        entry = self.by_name[name]
        fields = {"umask": "UMask", "edge": "EdgeDetect", "any": "AnyThread", "inv": "Invert", "cmask": "CounterMask",
                  "eq": "Equal", "umaskext": "UMaskExt"}
        bits = sum(number(entry.get(key, "0") or "0") << CODES[code] for code, key in fields.items())
        config = tuple(sorted({int(c, 0) | bits for c in entry["EventCode"].split(",")}))
        if "ixed" in entry["Counter"] and not name.endswith("PREC_DIST"):  # 0x0100 is an event of its own there
            config = tuple(_general(c) for c in config)
        return Encoding(name, "", config, _register_value(entry), _register(entry), counters(entry["Counter"]),
                        counters(entry.get("CounterHTOff") or entry["Counter"]), _alone(entry), _errata(entry))


def _general(config):
    """The JSON's 0x00/0x01 and 0x00/0x02 of fixed counters are INST_RETIRED.ANY and CPU_CLK_UNHALTED.THREAD."""
    flags, code = config & ~0xffff, config & 0xffff
    return flags | GENERAL.get(code, code)


def _register(entry):
    text = entry.get("MSRIndex", "0")
    return "" if re.match(r"0(x0+)?$", text) else " ".join(n.strip() for n in text.split(","))


def _register_value(entry):
    return number(entry.get("MSRValue", "0") or "0") if _register(entry) else 0


def _alone(entry):
    return entry.get("TakenAlone", "0") == "1" or "0x3F7" in entry.get("MSRIndex", "")


def _errata(entry):
    text = entry.get("Errata", "null") or "null"
    return () if text in ("null", "0", "None") else tuple(re.split(r"[,;\s]+", text.strip()))


def _modified(found, modifier):
    """c4, e1, i1, eq1, u0x18, ocr_msr_val=0x1, k, u, percore"""
    if modifier in ("k", "u", "percore"):
        return replace(found, modifier=modifier)
    if modifier.startswith("ocr_msr_val="):
        return replace(found, config1=int(modifier.split("=")[1], 0))
    if modifier.startswith("u0x"):
        return replace(found, config=tuple(_with(c, "umask", 0xff, int(modifier[1:], 16)) for c in found.config))
    code, value = re.match(r"(eq|c|e|i)(\d+)$", modifier).groups()
    field = {"c": "cmask", "e": "edge", "i": "inv", "eq": "eq"}[code]
    mask = 0xff if field == "cmask" else 1
    return replace(found, config=tuple(_with(c, field, mask, int(value)) for c in found.config))


def _with(config, field, mask, value):
    return config & ~(mask << CODES[field]) | value << CODES[field]


def _perf_name(event):
    """perf's spelling: cpu/name,cmask=0x1,edge=1/, name:k; the kernel's own name of the leader of topdown-*"""
    if event.text() == "TOPDOWN.SLOTS":
        return "slots"
    name, terms, privilege = event.name.lower(), [], ""
    spelled = {"c": "cmask", "e": "edge", "i": "inv", "eq": "eq"}
    for modifier in event.modifiers:
        if modifier in ("k", "u"):
            privilege = ":" + modifier
        elif modifier == "percore":
            terms.append(modifier)
        elif modifier.startswith("ocr_msr_val="):
            terms.append("offcore_rsp=" + modifier.split("=")[1])
        elif modifier.startswith("u0x"):
            terms.append("umask=%#x" % int(modifier[1:], 16))
        elif modifier != "R":
            code, value = re.match(r"([a-z]+)(\d+)$", modifier).groups()
            terms.append("%s=%s" % (spelled[code], "%#x" % int(value) if code == "c" else value))
    return "cpu/%s/%s" % (",".join([name] + terms), privilege) if terms else name + privilege
