# SPDX-License-Identifier: MIT
"""The value of a formula for given counts: to see whether two publications give the same number."""

import operator

from notation import Call, Choice, Event, Minus, Name, Number

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
             "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
             "&": lambda a, b: bool(a) and bool(b), "|": lambda a, b: bool(a) or bool(b)}


class Absent(ArithmeticError):
    """A division by zero, or a row that there is not."""


class Evaluation:
    """Rows' formulas over one set of counts; inputs: SMT, EBS, FIXED, tsc, duration, cpus."""

    def __init__(self, formulas, count_of, inputs, recorded=lambda event: True):
        self.formulas, self.count_of, self.inputs, self.recorded = formulas, count_of, inputs, recorded
        self.values = {}

    def row(self, name):
        if name not in self.values:
            if name not in self.formulas:
                raise Absent("no row %s" % name)
            self.values[name] = self.value(self.formulas[name])
        return self.values[name]

    def value(self, tree):
        if isinstance(tree, Number):
            return float(tree.text)
        if isinstance(tree, Event):
            return self.count_of(tree)
        if isinstance(tree, Name):
            return self.inputs[tree.name] if tree.name in self.inputs else self.row(tree.name)
        if isinstance(tree, Minus):
            return -self.value(tree.of)
        if isinstance(tree, Choice):
            return self.value(tree.yes if self.value(tree.condition) else tree.no)
        if isinstance(tree, Call):
            return self._call(tree)
        left, right = self.value(tree.left), self.value(tree.right)
        if tree.op == "/" and right == 0:
            raise Absent("division by zero")
        return OPERATORS[tree.op](left, right)

    def _call(self, tree):
        if tree.function == "has":
            return self.recorded(tree.arguments[0])
        if tree.function == "optional" and not self.recorded(tree.arguments[0]):
            return 0.0
        values = [self.value(a) for a in tree.arguments]
        if tree.function in ("per_cpu", "optional"):  # one logical CPU's counts
            return values[0]
        return {"min": min, "max": max}[tree.function](values)
