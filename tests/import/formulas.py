# SPDX-License-Identifier: MIT
"""An evaluator of formulas' text, written from the reference's description of its notation alone.

It shares nothing with backends/import: a formula becomes a function of a table's values as it is read."""

import re
from fractions import Fraction

WORD = re.compile(r"\s*(cpu/[^/]*/|msr/tsc/|interval-(?:s|ms)|[A-Za-z0-9_.]+(?::[A-Za-z0-9_=]+)*|<=|>=|.)")
POWER = {"|": 1, "&": 2, "<": 3, ">": 3, "<=": 3, ">=": 3, "+": 4, "-": 4, "*": 5, "/": 5}


class NoValue(Exception):
    """A division by zero, or something that is not there."""


def _divide(a, b):
    if b == 0:
        raise NoValue("division by zero")
    return a / b


APPLY = {"|": lambda a, b: bool(a) | bool(b), "&": lambda a, b: bool(a) & bool(b),
         "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
         "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divide}


def _joined(apply, left, right):
    return lambda t: apply(left(t), right(t))


class Reader:
    """One formula; each method gives a function of a table."""

    def __init__(self, text, lookup):
        self.text, self.lookup = text, lookup
        self.words, self.at = WORD.findall(text.strip()), 0

    def whole(self):
        value = self.choice()
        if self.next() is not None:
            raise ValueError("%s: %r is left over" % (self.text, self.next()))
        return value

    def next(self):
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self, wanted=None):
        word = self.next()
        if word is None or wanted is not None and word != wanted:
            raise ValueError("%s: %r instead of %r" % (self.text, word, wanted))
        self.at += 1
        return word

    def choice(self):
        value = self.operation(1)
        if self.next() != "if":
            return value
        self.take()
        condition = self.operation(1)
        self.take("else")
        other = self.choice()
        return lambda t: value(t) if condition(t) else other(t)

    def operation(self, power):
        left = self.factor()
        while POWER.get(self.next(), 0) >= power:
            op = self.take()
            left = _joined(APPLY[op], left, self.operation(POWER[op] + 1))
        return left

    def factor(self):
        word = self.take()
        if word == "-":
            value = self.factor()
            return lambda t: -value(t)
        if word == "(":
            value = self.choice()
            self.take(")")
            return value
        if self.next() == "(":
            return self.function(word)
        if re.match(r"\d+(\.\d+)?(e\d+)?$", word):
            number, exact = float(word), Fraction(word)
            return lambda t: exact if t.exact else number
        return self.lookup(word)

    def function(self, name):
        self.take("(")
        values = [self.choice()]
        while self.next() == ",":
            self.take()
            values.append(self.choice())
        self.take(")")
        if name in ("min", "max"):
            best = {"min": min, "max": max}[name]
            return lambda t: best([v(t) for v in values])
        if name == "d":  # AMD's ratio
            return _joined(_divide, values[0], values[1])
        if name in ("per_cpu", "optional"):  # the counts are those of one CPU, and all of them are present
            return values[0]
        if name == "has":
            return lambda t: True
        raise ValueError("%s: function %s" % (self.text, name))


class Table:
    """Formulas by name; values for one set of counts at a time, each worked out once."""

    def __init__(self, formulas, word_of):
        self.formulas = {}
        for name, text in formulas.items():
            self.formulas[name] = Reader(text, lambda word: word_of(word, self)).whole() if text else None
        self.start({})

    def start(self, counts, exact=False):
        self.counts, self.known, self.exact = counts, {}, exact

    def value(self, name):
        if name not in self.known:
            self.known[name] = self._worked_out(name)
        if self.known[name] is None:
            raise NoValue(name)
        return self.known[name]

    def _worked_out(self, name):
        try:
            return self.formulas[name](self) if self.formulas[name] else None
        except NoValue:
            return None
