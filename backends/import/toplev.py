# SPDX-License-Identifier: MIT
"""pmu-tools' generated models (*_ratios.py): read as a syntax tree, never run."""

import ast
import operator

from notation import Binary, Call, Choice, Event, FormulaError, Minus, Name, Number, modifiers_sorted, names, rebuilt
from rows import Row

# toplev's switches, and what the notation calls them
SWITCHES = {"smt_enabled": "SMT", "ebs_mode": "EBS", "topdown_use_fixed": "FIXED", "num_cores": "cpus"}
CLOCKS = {"msr/tsc/": Name("tsc"), "interval-s": Name("duration"),
          "interval-ms": Binary("*", Name("duration"), Number("1000"))}
RETIRE_LATENCY = 999
COMPARISONS = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">="}
FOLD = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
        ast.Gt: operator.gt, ast.Eq: operator.eq}
FIELDS = ("name", "area", "domain", "level", "sample", "metricgroup")
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.And: "&", ast.Or: "|"}


def event_of(text, latency=False):
    """X.Y:c1:SUP as toplev writes it; latency: the cycles that its retirement waited."""
    if text in CLOCKS:
        return CLOCKS[text]
    name, *modifiers = text.split(":")
    kept = [{"sup": "k", "user": "u"}.get(m.lower(), m) for m in modifiers]
    return Event(name.upper(), modifiers_sorted(tuple(kept) + (("R",) if latency else ())))


def number_of(value):
    return Number(str(int(value)) if float(value).is_integer() else repr(value))


class Model:
    """One *_ratios.py: its nodes, metrics and helpers as rows, in the order in which toplev runs them."""

    def __init__(self, text):
        self.constants, self.functions, self.classes = {}, {}, {}
        for part in ast.parse(text).body:
            if isinstance(part, ast.FunctionDef):
                self.functions[part.name] = part
            elif isinstance(part, ast.ClassDef):
                self.classes[part.name] = part
            elif isinstance(part, ast.Assign):
                self._constant(part.targets[0].id, part.value)
        self.version = self.constants.get("version", "")
        self.order, self.parents = self._setup(self.classes["Setup"])
        self.node_names, self.metric_names = {}, {}
        for name in self.order:
            fields = self._fields(name)
            if name.startswith("Metric_"):
                self.metric_names[name[len("Metric_"):]] = self._metric_name(fields)
            else:  # class G4K_Aliasing, name "4K_Aliasing"
                self.node_names[name] = fields["name"].lower()

    def rows(self):
        """Nodes and metrics in toplev's order, then the helpers that they use."""
        found = [self._row(name) for name in self.order]
        used = self._used_helpers(found)
        helpers = [f for f in self.functions if f in used]
        return found + [Row("aux", f.lower(), formula=self._function(f), source="toplev") for f in helpers]

    def _constant(self, name, value):
        try:
            self.constants[name] = self._folded(value)
        except FormulaError:
            pass  # print_error, a lambda

    def _folded(self, value):
        """The value of an expression of constants; FormulaError if it has another term."""
        if isinstance(value, ast.Constant):
            return value.value
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            return -self._folded(value.operand)
        if isinstance(value, ast.Name) and value.id in self.constants and value.id not in SWITCHES:
            return self.constants[value.id]
        if isinstance(value, ast.BinOp):
            return FOLD[type(value.op)](self._folded(value.left), self._folded(value.right))
        if isinstance(value, ast.Compare) and type(value.ops[0]) in FOLD:
            return FOLD[type(value.ops[0])](self._folded(value.left), self._folded(value.comparators[0]))
        if isinstance(value, ast.IfExp):
            return self._folded(value.body if self._folded(value.test) else value.orelse)
        raise FormulaError("not constant")

    def _setup(self, cls):
        """The order of "n = X() ; r.run(n)", and the assignments to .parent."""
        order, parents = [], {}
        for part in ast.walk(cls):
            if not isinstance(part, ast.Assign):
                continue
            target, value = part.targets[0], part.value
            if isinstance(target, ast.Name) and isinstance(value, ast.Call) and not value.args and target.id == "n":
                order.append((part.lineno, value.func.id))
            elif isinstance(target, ast.Attribute) and target.attr == "parent":
                parents[target.value.slice.value] = value.slice.value
        return [name for _, name in sorted(order)], parents

    def _fields(self, name):
        """The constants of a class: level, domain, area, sample, metricgroup."""
        fields = {}
        for part in self.classes[name].body:
            if isinstance(part, ast.Assign) and part.targets[0].id in FIELDS:
                value = part.value.args[0] if isinstance(part.value, ast.Call) else part.value
                fields[part.targets[0].id] = ast.literal_eval(value)
        return fields

    def _metric_name(self, fields):
        """Info.Inst_Mix and IpTB -> info_inst_mix_iptb"""
        area = fields["area"].strip().replace(".", "_")
        return ("%s_%s" % (area, fields["name"])).lower()

    def _row(self, name):
        fields = self._fields(name)
        body = self._computed(name)
        common = dict(toplev_name=fields["name"], domain=fields["domain"], groups=sorted(fields["metricgroup"]),
                      source="toplev", formula=self._formula(body["val"]), threshold=self._threshold(body["thresh"]))
        if not name.startswith("Metric_"):
            return Row("node", self.node_names[name], level=fields["level"], samples=fields["sample"],
                       parent=self.node_names.get(self.parents.get(name), ""), **common)
        short = name[len("Metric_"):]
        common["formula"] = self._function(short)
        kind = "bottleneck" if fields["area"] == "Bottleneck" else "info"
        return Row(kind, self.metric_names[short], **common)

    def _computed(self, name):
        """What compute() assigns to self.val and self.thresh."""
        compute = next(p for p in self.classes[name].body if isinstance(p, ast.FunctionDef))
        body = next(p for p in compute.body if isinstance(p, ast.Try)).body
        return {p.targets[0].attr: p.value for p in body if isinstance(p, ast.Assign)}

    def _function(self, name):
        """What a helper returns: "return x", or "val = x ... return val"."""
        for part in self.functions[name].body:
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                return self._formula(part.value)
            if isinstance(part, ast.Return):
                return self._formula(part.value)
        raise FormulaError("%s: returns nothing" % name)

    def _used_helpers(self, rows):
        used, queue = set(), [row.formula for row in rows]
        by_name = {f.lower(): f for f in self.functions if f not in self.metric_names}
        while queue:
            for word in names(queue.pop()):
                if word in by_name and by_name[word] not in used:
                    used.add(by_name[word])
                    queue.append(self._function(by_name[word]))
        return used

    def _threshold(self, value):
        if isinstance(value, ast.Constant):
            return None  # True: always shown
        return self._formula(value)

    # ---- expressions --------------------------------------------------------

    def _formula(self, value):
        return rebuilt(self._expression(value), _simpler)

    def _expression(self, value):
        if isinstance(value, ast.Constant):
            return number_of(value.value)
        if isinstance(value, ast.Name):
            return self._name(value.id)
        if isinstance(value, ast.Attribute):
            return self._attribute(value)
        if isinstance(value, ast.BinOp):
            return self._binary(OPERATORS[type(value.op)], value.left, value.right)
        if isinstance(value, ast.BoolOp):
            return self._all_of(value)
        if isinstance(value, ast.Compare):
            return self._binary(COMPARISONS[type(value.ops[0])], value.left, value.comparators[0])
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            return Minus(self._expression(value.operand))
        if isinstance(value, ast.IfExp):
            return self._choice(value)
        if isinstance(value, ast.Call):
            return self._call(value)
        raise FormulaError("line %d: %s" % (value.lineno, ast.dump(value)[:60]))

    def _name(self, name):
        if name in SWITCHES:
            return Name(SWITCHES[name])
        if name == "val":
            return Name("v")
        return number_of(self.constants[name])

    def _attribute(self, value):
        """self.val, self.parent.thresh, self.X.thresh"""
        if value.attr == "val":
            return Name("v")
        if value.attr == "thresh" and isinstance(value.value, ast.Attribute):
            of = value.value.attr
            return Name("parent" if of == "parent" else self.node_names[of] + ".over")
        raise FormulaError("line %d: attribute %s" % (value.lineno, value.attr))

    def _binary(self, op, left, right):
        """interval-ms / 1000 is the duration in seconds."""
        tree = Binary(op, self._expression(left), self._expression(right))
        if tree == Binary("/", CLOCKS["interval-ms"], Number("1000")):
            return Name("duration")
        return tree

    def _all_of(self, value):
        terms = [self._expression(v) for v in value.values]
        tree = terms[0]
        for term in terms[1:]:
            tree = Binary(OPERATORS[type(value.op)], tree, term)
        return tree

    def _choice(self, value):
        """A condition of constants alone is decided here."""
        try:
            kept = self._folded(value.test)
        except FormulaError:
            return Choice(*(self._expression(part) for part in (value.test, value.body, value.orelse)))
        return self._expression(value.body if kept else value.orelse)

    def _call(self, value):
        if isinstance(value.func, ast.Attribute):  # self.X.compute(EV)
            return Name(self.node_names[value.func.value.attr])
        name = value.func.id
        if name == "EV":
            return self._counted(value.args)
        if name in ("min", "max"):
            return Call(name, tuple(self._expression(a) for a in value.args))
        if name not in self.functions:
            raise FormulaError("line %d: function %s" % (value.lineno, name))
        return Name(self.metric_names.get(name, name.lower()))

    def _counted(self, arguments):
        """EV("X", level), EV("X", 999) for its latency, EV(lambda EV, level: ...) once per logical CPU"""
        if isinstance(arguments[0], ast.Lambda):
            return Call("per_cpu", (self._expression(arguments[0].body),))
        latency = isinstance(arguments[1], ast.Constant) and arguments[1].value == RETIRE_LATENCY
        return event_of(arguments[0].value, latency)


def _simpler(part):
    """x if c else x is x."""
    if isinstance(part, Choice) and part.yes == part.no:
        return part.yes
    return part

