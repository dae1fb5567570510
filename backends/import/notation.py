# SPDX-License-Identifier: MIT
"""Formulas as trees: read from text and written back in the notation of backends/NOTATION."""

import re
from dataclasses import dataclass


class FormulaError(ValueError):
    """A formula that cannot be read; the text says where."""


@dataclass(frozen=True)
class Number:
    text: str


@dataclass(frozen=True)
class Name:
    """Another row, or one of INPUTS."""
    name: str


@dataclass(frozen=True)
class Event:
    name: str
    modifiers: tuple = ()

    def text(self):
        return ":".join((self.name,) + self.modifiers)


@dataclass(frozen=True)
class Minus:
    of: object


@dataclass(frozen=True)
class Binary:
    op: str
    left: object
    right: object


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple


@dataclass(frozen=True)
class Choice:
    """yes if condition else no"""
    condition: object
    yes: object
    no: object


CONDITIONS = ("SMT", "EBS", "FIXED")
INPUTS = CONDITIONS + ("tsc", "duration", "cpus")

_STRENGTH = {"|": 1, "&": 2, "<": 3, ">": 3, "<=": 3, ">=": 3, "+": 4, "-": 4, "*": 5, "/": 5}
_CHOICE, _MINUS, _LEAF = 0, 6, 7

_TOKEN = re.compile(r"\s*(?:([A-Za-z0-9_][A-Za-z0-9_.]*(?::[A-Za-z0-9_=]+)*)|(<=|>=|[-+*/()<>&|,]))")
_NUMBER = re.compile(r"\d+(\.\d+)?$")


def _tokens(text):
    at, end, found = 0, len(text.rstrip()), []
    while at < end:
        match = _TOKEN.match(text, at)
        if not match:
            raise FormulaError("%r: %r is no part of a formula" % (text, text[at:].lstrip()[:12]))
        found.append(match.group(1) or match.group(2))
        at = match.end()
    return found


def modifiers_sorted(modifiers):
    """One spelling for one event: umask, cmask, edge, inv, eq, register, then privilege, percore, R."""
    order = ("u0x", "c", "e", "i", "eq", "ocr_msr_val", "k", "u", "percore", "R")

    def place(modifier):
        stem = "u0x" if modifier.startswith("u0x") else re.match(r"[A-Za-z_]+", modifier).group()
        return order.index(stem) if stem in order else len(order)

    def shortest(modifier):
        return "u%#x" % int(modifier[1:], 16) if modifier.startswith("u0x") else modifier

    return tuple(shortest(m) for m in sorted(modifiers, key=place))


def leaf(word):
    """What a word of the notation itself stands for."""
    if _NUMBER.match(word):
        return Number(word)
    name, *modifiers = word.split(":")
    if name in INPUTS or name[0].islower() or name[0].isdigit():
        return Name(word)
    return Event(name, tuple(modifiers))


class _Parser:
    """Recursive descent; leaf_of tells what a word stands for."""

    def __init__(self, text, leaf_of):
        self.text, self.leaf_of = text, leaf_of
        self.words, self.at = _tokens(text), 0

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, wanted=None):
        word = self.peek()
        if not word or wanted and word != wanted:
            raise FormulaError("%r: %r where %r was expected" % (self.text, word or "the end", wanted or "a term"))
        self.at += 1
        return word

    def choice(self):
        value = self.binary(1)
        if self.peek() != "if":
            return value
        self.take()
        condition = self.binary(1)
        self.take("else")
        return Choice(condition, value, self.choice())

    def binary(self, strength):
        if strength == _MINUS:
            return self.minus()
        value = self.binary(strength + 1)
        while _STRENGTH.get(self.peek()) == strength:
            op = self.take()
            value = Binary(op, value, self.binary(strength + 1))
        return value

    def minus(self):
        if self.peek() == "-":
            self.take()
            return Minus(self.minus())
        return self.term()

    def term(self):
        word = self.take()
        if word == "(":
            value = self.choice()
            self.take(")")
            return value
        if self.peek() == "(":
            return Call(word, self.arguments())
        if word in _STRENGTH or word in ("(", ")", ",", "if", "else"):
            raise FormulaError("%r: %r where a term was expected" % (self.text, word))
        return self.leaf_of(word)

    def arguments(self):
        self.take("(")
        values = [self.choice()]
        while self.peek() == ",":
            self.take()
            values.append(self.choice())
        self.take(")")
        return tuple(values)


def parse(text, leaf_of=leaf):
    parser = _Parser(text, leaf_of)
    value = parser.choice()
    if parser.peek():
        raise FormulaError("%r: %r after the end" % (text, parser.peek()))
    return value


def _strength(tree):
    if isinstance(tree, Choice):
        return _CHOICE
    if isinstance(tree, Binary):
        return _STRENGTH[tree.op]
    return _MINUS if isinstance(tree, Minus) else _LEAF


def _inside(tree, least):
    text = write(tree)
    return "(%s)" % text if _strength(tree) < least else text


def write(tree):
    """The text of a tree, with the parentheses that it needs to be read back as the same tree."""
    if isinstance(tree, Number):
        return tree.text
    if isinstance(tree, Name):
        return tree.name
    if isinstance(tree, Event):
        return tree.text()
    if isinstance(tree, Minus):
        return "-" + _inside(tree.of, _MINUS)
    if isinstance(tree, Call):
        return "%s(%s)" % (tree.function, ", ".join(write(a) for a in tree.arguments))
    if isinstance(tree, Choice):
        return "%s if %s else %s" % (_inside(tree.yes, 1), _inside(tree.condition, 1), write(tree.no))
    strength = _STRENGTH[tree.op]
    return "%s %s %s" % (_inside(tree.left, strength), tree.op, _inside(tree.right, strength + 1))


def rebuilt(tree, change):
    """The tree with change() done to each of its parts, innermost first."""
    if isinstance(tree, Minus):
        tree = Minus(rebuilt(tree.of, change))
    elif isinstance(tree, Binary):
        tree = Binary(tree.op, rebuilt(tree.left, change), rebuilt(tree.right, change))
    elif isinstance(tree, Call):
        tree = Call(tree.function, tuple(rebuilt(a, change) for a in tree.arguments))
    elif isinstance(tree, Choice):
        tree = Choice(rebuilt(tree.condition, change), rebuilt(tree.yes, change), rebuilt(tree.no, change))
    return change(tree)


def parts(tree):
    """Each part of a tree once, outermost first."""
    yield tree
    if isinstance(tree, Minus):
        yield from parts(tree.of)
    elif isinstance(tree, Binary):
        yield from parts(tree.left)
        yield from parts(tree.right)
    elif isinstance(tree, Call):
        for argument in tree.arguments:
            yield from parts(argument)
    elif isinstance(tree, Choice):
        for part in (tree.condition, tree.yes, tree.no):
            yield from parts(part)


def events(tree):
    return [part for part in parts(tree) if isinstance(part, Event)]


def names(tree):
    return [part.name for part in parts(tree) if isinstance(part, Name) and part.name not in INPUTS]
