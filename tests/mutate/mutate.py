#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes one operator, comparison, constant or sign of the code at a time, and sees whether the unit tests of its room notice.

For each mutant one file is compiled and tests/unit linked with it, in a folder of its own; only the suites of the room run. A mutant
that gives the same machine code changes nothing and does not count, nor do those of the file "accepted", each with its reason."""
import argparse
import math
import os
import random
import re
import shlex
import subprocess
import sys
import time

# room: its sources, its tests, the score that is wanted in per cent
ROOMS = {
    "core": ("core", "tests/core", 90),
    "stats": ("stats", "tests/stats", 90),
    "session": ("session", "tests/session", 90),
    "live": ("live", "tests/live", 80),
    "replay": ("sim/replay", "tests/sim/replay", 80),
    "report": ("report", "tests/report", 80),
    "backends": ("backends", "tests/backends", 0),
}
OTHERS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "++": ["--"], "--": ["++"],
    "&": ["|"], "|": ["&"], "|=": ["&="], "&=": ["|="], "<<": [">>"], ">>": ["<<"], "true": ["false"], "false": ["true"],
}
TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | ^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|[-+*/%&|<>!=?:;,.(){}\[\]~^])
""", re.X | re.S | re.M)


def numbers(text):
    """What a constant may become."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if match:
        value = int(match.group(1), 0) if not re.fullmatch(r"0\d+", match.group(1)) else int(match.group(1), 8)
        return [f"{value + 1}{match.group(2)}"] + ([f"{value - 1}{match.group(2)}"] if value else [])
    match = re.fullmatch(r"([\d.]+(?:[eE][+-]?\d+)?)([fFlL]?)", text)
    if not match or float(match.group(1)) == 0:
        return []
    return [f"{float(match.group(1)) * by!r}{match.group(2)}" for by in (2, 0.5)]


def sites(text):
    """(offset, token, what it may become) of each place where the code can be changed."""
    found, before = [], ""
    for match in TOKEN.finditer(text):
        token, at = match.group(), match.start()
        if match.lastgroup == "skip":
            continue
        spaced = text[at - 1:at] in " \n" and text[match.end():match.end() + 1] in (" ", "\n")
        if match.lastgroup == "number":
            if before != "{" or token != "0":
                found.append((at, token, numbers(token)))
        elif token == "!":
            found.append((at, token, [""]))
        elif token == "-" and not spaced: # a sign
            found.append((at, token, [""]))
        elif token in OTHERS and (spaced or token in ("++", "--", "true", "false")):
            found.append((at, token, OTHERS[token]))
        before = token
    return [(at, token, other) for at, token, choices in found for other in choices]


def wilson(killed, n):
    """The 95 % interval of a share."""
    if not n:
        return 0.0, 1.0
    z, p = 1.959964, killed / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


class Tree:
    def __init__(self, source, build, work):
        self.source, self.build, self.work = source, build, work
        os.makedirs(work, exist_ok=True)
        self.program = os.path.join(work, "unit")
        self.find_commands()

    def dry(self, *arguments):
        return subprocess.run(["make", "-n", "V=1", *arguments], cwd=self.build, capture_output=True, text=True, check=True).stdout.replace("\\\n", " ")

    def find_commands(self):
        out = self.dry("-W", os.path.join(self.source, "core/range.h"), "-W", os.path.join(self.source, "core/likely.c"), "core/likely.lo")
        line = next(l for l in out.splitlines() if "--mode=compile" in l)
        words = shlex.split(line[line.index("--mode=compile"):])[1:]
        self.compile = words[:words.index("-MT")] + ["-g0", "-w"]
        out = self.dry("-W", os.path.join(self.source, "tests/support/unit.c"), "tests/unit")
        line = next(l for l in out.splitlines() if "--mode=link" in l and "-o tests/unit" in l)
        shown = subprocess.run(shlex.split(line.replace("--mode=link", "--dry-run --mode=link")), cwd=self.build, capture_output=True, text=True, check=True).stdout
        line = next(l for l in shown.splitlines() if l.startswith("libtool: link: ") and " -o " in l)
        self.link = shlex.split(line[len("libtool: link: "):])
        at = self.link.index("-o")
        # before the archives: then the file's own object is not taken from them
        self.link[at + 1:at + 2] = [self.program, "-s", os.path.join(self.work, "mutant.o")]

    def object_of(self, text):
        """Compiles; the object's bytes, or None."""
        with open(os.path.join(self.work, "mutant.c"), "w") as file:
            file.write(text)
        made = subprocess.run(self.compile + ["-c", "-o", os.path.join(self.work, "mutant.o"), os.path.join(self.work, "mutant.c")], cwd=self.build, capture_output=True)
        if made.returncode:
            return None
        with open(os.path.join(self.work, "mutant.o"), "rb") as file:
            return file.read()

    def linked(self):
        return subprocess.run(self.link, cwd=self.build, capture_output=True).returncode == 0

    def passes(self, suites, seconds):
        environment = dict(os.environ, TD_SRCDIR=self.source, TD_BUILDDIR=self.build, TD_QUICK="1", LC_ALL="C")
        try:
            return subprocess.run([self.program, *suites], cwd=self.work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def files_of(source, folder):
    for path, _, names in sorted(os.walk(os.path.join(source, folder))):
        for name in sorted(names):
            if name.endswith(".c"):
                yield os.path.relpath(os.path.join(path, name), source)


def suites_of(source, folder):
    found = []
    for name in files_of(source, folder):
        with open(os.path.join(source, name)) as file:
            found += re.findall(r'^UNIT_SUITE(?:_FIRST)?\("([^"]+)"', file.read(), re.M)
    return found


def key_of(name, text, at, token, other):
    """What names a mutant in "accepted", wherever its line moves to: the line, and the how-manieth token of it."""
    begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return (name, text[begin:end].strip(), f"{text.count(token, begin, at) + 1} {token} -> {other}".strip())


def read_accepted(path):
    accepted = {}
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, text, change, reason = line.rstrip("\n").split("\t")
                accepted[(name, text, change)] = reason
    return accepted


def run_room(tree, room, number, seed, accepted):
    folder, tests, target = ROOMS[room]
    suites, pool, originals = suites_of(tree.source, tests), [], {}
    texts = {}
    for name in files_of(tree.source, folder):
        with open(os.path.join(tree.source, name)) as file:
            texts[name] = file.read()
        pool += [(name, *site) for site in sites(texts[name])]
    random.Random(f"{seed} {room}").shuffle(pool)
    first = pool[0][0]
    begin = time.monotonic()
    if tree.object_of(texts[first]) is None or not tree.linked() or not tree.passes(suites, 600):
        sys.exit(f"mutate: the tests of {room} fail as they are: run 'make check TESTS=tests/unit' first")
    limit = 10 + 5 * (time.monotonic() - begin)
    killed = survived = same = excused = 0
    for name, at, token, other in pool:
        if number and killed + survived >= number:
            break
        text = texts[name]
        key = key_of(name, text, at, token, other)
        if key in accepted:
            excused += 1
            continue
        if name not in originals:
            originals[name] = tree.object_of(text)
        made = tree.object_of(text[:at] + other + text[at + len(token):])
        if made is None or not tree.linked():
            continue
        if made == originals[name]:
            same += 1
            continue
        if tree.passes(suites, limit):
            survived += 1
            line = text.count("\n", 0, at) + 1
            print(f"survives: {name}:{line}\t{key[1]}\t{key[2]}", flush=True)
        else:
            killed += 1
    low, high = wilson(killed, killed + survived)
    n = killed + survived
    print(f"{room:<9} {killed:>4} of {n:<4} killed: {100 * killed / n if n else 0:5.1f} % ({100 * low:.1f} to {100 * high:.1f}); wanted {target} %; "
          f"{same} same code, {excused} accepted, of {len(pool)} possible", flush=True)
    return 100 * high >= target


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--number", default="300", help="mutants of each room, or 'all'")
    parser.add_argument("--seed", default="1")
    parser.add_argument("rooms", nargs="*", help=" ".join(ROOMS))
    given = parser.parse_args()
    if given.number != "all" and not given.number.isdigit():
        sys.exit(f"mutate: MUTATE={given.number}: how many of each room, or all")
    unknown = [room for room in given.rooms if room not in ROOMS]
    if unknown:
        sys.exit(f"mutate: no room {unknown[0]}: {' '.join(ROOMS)}")
    source, build = os.path.abspath(given.source), os.path.abspath(given.build)
    tree = Tree(source, build, os.path.join(build, "tests/mutate/work"))
    accepted = read_accepted(os.path.join(source, "tests/mutate/accepted"))
    enough = [run_room(tree, room, 0 if given.number == "all" else int(given.number), given.seed, accepted) for room in given.rooms or ROOMS]
    sys.exit(0 if all(enough) else 1)


main()
