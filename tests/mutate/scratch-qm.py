#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes one operator, comparison, constant or sign of the code at a time, and sees whether the tests of its room notice.

For each mutant one file is compiled and tests/unit linked with it, in a folder of its own. The room's suites run one after another,
those that mirror the file first, until one fails; where the file has scripts, they follow with the program linked likewise. A mutant
that gives the same machine code changes nothing and does not count, nor do those of the file "accepted", each with its reason."""
import argparse
import concurrent.futures
import fcntl
import math
import os
import queue
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

# room: its sources, its tests, the scripts (only for what the unit tests let pass; vectors: all of traces/) of those of its files that the table
# "scripts" does not name, the score that is wanted in per cent
ROOMS = {
    "core": (["core", "util"], ["tests/core", "tests/util"], [], 90),
    "stats": (["stats"], ["tests/stats"], [], 90),
    "session": (["session"], ["tests/session", "tests/live", "tests/sim/replay", "tests/formats"], [], 90),
    "live": (["live"], ["tests/live", "tests/session"], [], 80),
    "replay": (["sim/replay", "formats", "samples"], ["tests/sim/replay", "tests/formats", "tests/samples"], [], 80),
    "report": (["report"], ["tests/report"], [], 80),
    "cli": (["cli"], [], [], 0),
    "sim": (["sim/machine", "sim/kernel", "sim/describe"], ["tests/sim/machine", "tests/sim/kernel", "tests/sim/describe"], [], 0),
    "backends": (["backends"], ["tests/backends"], [], 0),
}
HUGE = 1e9
MEMORY = 4 << 30 # bytes of data: a loop that no longer ends must not take the machine's
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


def run(command, seconds, limits, **how):
    """The exit code; that of the time limit is None. What it started ends with it."""
    with subprocess.Popen(["prlimit", *limits, "--core=0", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True, **how) as child:
        try:
            return child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


class Tree:
    """How the build compiles and links, once for all workers."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.find_compile()
        # the address sanitizer takes terabytes of addresses: it has a limit of its own, and notices besides what reads beyond an end, or leaks
        self.sanitized = any(word.startswith("-fsanitize=") for word in self.compile)
        self.limits = [] if self.sanitized else [f"--data={MEMORY}"]
        self.linkers = {"unit": self.find_link("tests/unit", "tests/support/unit.c"), "tdprobe": self.find_link("tdprobe", "cli/main.c")}
        # the library's archive in place of the shared one, which does not give its inner functions
        libraries = [word for word in self.linkers["unit"] if word.startswith("-l")]
        self.linkers["tdprobe"] = [re.sub(r"libtdprobe\.so$", "libtd.a", word) for word in self.linkers["tdprobe"]] + libraries
        self.seconds, self.scripts, self.lock = {}, table_of(os.path.join(source, "tests/mutate/scripts")), threading.Lock()
        # the quickest that is here
        self.faster = next(([f"-fuse-ld={name}"] for name in ("mold", "lld", "gold") if subprocess.run(
            [*self.linkers["unit"][:1], f"-fuse-ld={name}", "-Wl,--version"], capture_output=True).returncode == 0), [])

    def dry(self, *arguments):
        return subprocess.run(["make", "-n", "V=1", *arguments], cwd=self.build, capture_output=True, text=True, check=True).stdout.replace("\\\n", " ")

    def find_compile(self):
        # make knows the file by the one name or the other, as it was configured
        out = self.dry("-W", "core/bounds/likely.c", "-W", os.path.join(self.source, "core/bounds/likely.c"), "core/bounds/likely.lo")
        line = next(l for l in out.splitlines() if "--mode=compile" in l)
        words = shlex.split(line[line.index("--mode=compile"):])[1:]
        self.compile = words[:words.index("-MT")] + ["-g0", "-w"]

    def find_link(self, program, main):
        out = self.dry("-W", main, "-W", os.path.join(self.source, main), program)
        line = next(l for l in out.splitlines() if "--mode=link" in l and f"-o {program} " in l)
        shown = subprocess.run(shlex.split(line.replace("--mode=link", "--dry-run --mode=link")), cwd=self.build, capture_output=True, text=True, check=True).stdout
        line = next(l for l in shown.splitlines() if l.startswith("libtool: link: ") and " -o " in l)
        return shlex.split(line[len("libtool: link: "):])


    def passing(self, worker, scripts):
        """Those of the scripts that pass with the program as it is, which is tried when the first mutant needs it; how long each takes."""
        with self.lock:
            for script in [script for script in scripts if script not in self.seconds]:
                begin = time.monotonic()
                passes = worker.script(script, 600, os.path.join(self.build, "tdprobe")) == 0
                self.seconds[script] = time.monotonic() - begin if passes else None
                if not passes:
                    print(f"mutate: {script} does not pass as it is, and is left out", flush=True)
        return [script for script in scripts if self.seconds[script] is not None]


class Worker:
    """A folder of its own: a mutant's source, object and programs."""

    def __init__(self, tree, number):
        self.tree, self.folder = tree, os.path.join(tree.build, "tests/mutate/scratch", str(number))
        os.makedirs(self.folder, exist_ok=True)
        self.object = os.path.join(self.folder, "mutant.o")

    def object_of(self, text, level="-O1"):
        """Compiles; the object's bytes, or None."""
        name = os.path.join(self.folder, "mutant.c")
        with open(name, "w") as file:
            file.write(text)
        if subprocess.run([*self.tree.compile, level, "-c", "-o", self.object, name], cwd=self.tree.build, capture_output=True).returncode:
            return None
        with open(self.object, "rb") as file:
            return file.read()

    def linked(self, program, name):
        """Links with the mutant of the file in place of its object, if that is named; else before the archives, from which it is not taken then."""
        own = name[:-len(".c")] + ".o"
        command = [word for word in self.tree.linkers[program] if word != own]
        at = command.index("-o")
        command[at + 1:at + 2] = [os.path.join(self.folder, program), "-s", self.object, *self.tree.faster]
        return subprocess.run(command, cwd=self.tree.build, capture_output=True).returncode == 0

    def environment(self, program=None):
        return dict(os.environ, ASAN_OPTIONS=f"hard_rss_limit_mb={MEMORY >> 20}", MALLOC_PERTURB_="165", TD_SRCDIR=self.tree.source, TD_BUILDDIR=self.tree.build, TD_QUICK="1",
                    LC_ALL="C", CC=self.tree.compile[0], TDPROBE=program or os.path.join(self.folder, "tdprobe"))

    def suite(self, name, seconds):
        return run([os.path.join(self.folder, "unit"), name], seconds, self.tree.limits, cwd=self.folder, env=self.environment())

    def script(self, name, seconds, program=None):
        command = ["sh", os.path.join(self.tree.source, f"tests/scripts/{name}.sh")]
        if name == "vectors":
            command = ["sh", "-c", 'for vector in "$1"/traces/*.expect; do sh "$1/tests/scripts/run-vector" "$vector" || exit 1; done', "vectors", self.tree.source]
        return run(command, seconds, self.tree.limits, cwd=self.folder, env=self.environment(program))


def table_of(path):
    """file: its scripts."""
    with open(path) as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {row[0]: row[1:] for row in rows}


def files_of(source, folder):
    for path, _, names in sorted(os.walk(os.path.join(source, folder))):
        for name in sorted(names):
            if name.endswith(".c"):
                yield os.path.relpath(os.path.join(path, name), source)


def suites_of(source, folder):
    """(name, file) of each suite."""
    found = []
    for name in files_of(source, folder):
        with open(os.path.join(source, name)) as file:
            found += [(suite, name) for suite in re.findall(r'^UNIT_SUITE(?:_FIRST)?\("((?:\\.|[^"\\])+)"', file.read(), re.M)]
    return [(suite.replace('\\"', '"'), name) for suite, name in found]


def key_of(name, text, at, token, other):
    """What names a mutant in "accepted", wherever its line moves to: the line, and the how-manieth token of it."""
    begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return (name, text[begin:end].strip(), f"{text.count(token, begin, at) + 1} {token} -> {other}".strip())


class Accepted:
    """The mutants of the file "accepted": by name, or, with the file *, by the form of the line and of the change."""

    def __init__(self, path):
        self.names, self.forms = set(), []
        with open(path) as file:
            for line in file:
                if not line.strip() or line.startswith("#"):
                    continue
                name, text, change, _ = line.rstrip("\n").split("\t")
                if name == "*":
                    self.forms.append((re.compile(text), re.compile(change)))
                else:
                    self.names.add((name, text, change))

    def has(self, key):
        _, text, change = key
        return key in self.names or any(line.fullmatch(text) and what.fullmatch(change) for line, what in self.forms)


class Room:
    def __init__(self, tree, room, accepted, only, given):
        self.tree, self.accepted, self.slow, self.below = tree, accepted, given.slow, given.below
        folders, tests, self.scripts, self.target = ROOMS[room]
        self.room, self.suites = room, [suite for folder in tests for suite in suites_of(tree.source, folder)]
        self.texts, self.originals, self.first, self.pool, self.seconds = {}, {}, {}, [], tree.seconds
        for name in [name for folder in folders for name in files_of(tree.source, folder)]:
            with open(os.path.join(tree.source, name)) as file:
                self.texts[name] = file.read()
            self.pool += [(name, *site) for site in sites(self.texts[name])]
        random.Random(f"{given.seed} {room}").shuffle(self.pool)
        if only:
            self.pool = [mutant for mutant in self.pool if mutant[0] in only]

    def measure(self, workers, threads):
        """The suites as they are: they must pass; how long each takes."""
        name = self.pool[0][0]
        program = "unit" if self.suites else "tdprobe"

        def take(worker):
            if worker.object_of(self.texts[name]) is None or not worker.linked(program, name):
                sys.exit(f"mutate: {name} cannot be compiled and linked as the build does")
            while left:
                suite, file = left.pop()
                begin = time.monotonic()
                if worker.suite(suite, 600) != 0:
                    sys.exit(f"mutate: {file} fails as it is: run 'make check TESTS=tests/unit' first")
                self.seconds[suite] = time.monotonic() - begin

        left = [(suite, file) for suite, file in self.suites if suite not in self.seconds]
        list(threads.map(take, workers))
        self.suites = [(suite, file) for suite, file in self.suites if self.seconds[suite] <= self.slow]

    def ordered(self, name):
        """The suites: first what has found a mutant of this file, then those named like it, then the quick ones."""
        stem = os.path.basename(name)[:-2]
        first = self.first.get(name, [])
        return sorted((suite for suite, _ in self.suites), key=lambda suite: (suite not in first, not any(
            file.endswith(f"test_{stem}.c") for other, file in self.suites if other == suite), self.seconds[suite]))

    def noticed(self, worker, name):
        """By which of them: killed, by the suites; scripts, by these alone; None."""
        for suite in self.ordered(name):
            if worker.suite(suite, 20 + 20 * self.seconds[suite]) != 0:
                self.first.setdefault(name, []).append(suite)
                return "killed"
        scripts = self.tree.passing(worker, self.tree.scripts.get(name, self.scripts))
        if scripts and worker.linked("tdprobe", name):
            for script in scripts:
                if worker.script(script, 20 + 20 * self.seconds[script]) != 0:
                    return "scripts"
        return None

    def fate(self, worker, mutant):
        """accepted, same, killed, scripts (killed by these alone), survived; None: it cannot be compiled."""
        name, at, token, other = mutant
        text = self.texts[name]
        changed = text[:at] + other + text[at + len(token):]
        if self.accepted.has(key_of(name, text, at, token, other)):
            return "accepted"
        if name not in self.originals:
            self.originals[name] = worker.object_of(text)
        made = worker.object_of(changed)
        if made is None or (self.suites and not worker.linked("unit", name)):
            return None
        if made == self.originals[name]:
            return "same"
        by = self.noticed(worker, name)
        if by:
            return by
        return "same" if worker.object_of(text, "-O2") == worker.object_of(changed, "-O2") else "survived"

    def say(self, mutant):
        name, at, token, other = mutant
        text = self.texts[name]
        _, line, change = key_of(name, text, at, token, other)
        print(f"survives: {name}:{text.count(chr(10), 0, at) + 1}\t{line}\t{change}", flush=True)

    def score(self, count):
        """How many were killed, of how many that count, and the 95 % interval of their share."""
        killed = count["killed"] + count["scripts"]
        return killed, killed + count["survived"], *wilson(killed, killed + count["survived"])

    def has_enough(self, count, number):
        """Whether so many were tried; where the score lies below what is wanted, three times as many, so that few do not fail by chance."""
        _, n, _, high = self.score(count)
        return number and n >= (number if self.may_be_wanted(high) else 3 * number)

    def may_be_wanted(self, high):
        return 100 * high >= self.target - self.below

    def run(self, workers, number):
        """Whether the score may be what is wanted. In the order of the pool, however many work at it."""
        count, begin, idle, ahead, at = dict.fromkeys(["accepted", "same", "killed", "scripts", "survived", None], 0), time.monotonic(), queue.Queue(), [], 0
        for worker in workers:
            idle.put(worker)

        def work(mutant):
            worker = idle.get()
            try:
                return self.fate(worker, mutant)
            finally:
                idle.put(worker)

        with concurrent.futures.ThreadPoolExecutor(len(workers)) as threads:
            if self.pool:
                self.measure(workers, threads)
            while at < len(self.pool) and not self.has_enough(count, number):
                while len(ahead) < 2 * len(workers) and at + len(ahead) < len(self.pool):
                    ahead.append(threads.submit(work, self.pool[at + len(ahead)]))
                fate = ahead.pop(0).result()
                count[fate] += 1
                if fate == "survived":
                    self.say(self.pool[at])
                at += 1
            for left in ahead:
                left.cancel()
        killed, n, low, high = self.score(count)
        print(f"{self.room:<9} {killed:>4} of {n:<4} killed: {100 * killed / n if n else 0:5.1f} % ({100 * low:.1f} to {100 * high:.1f}); wanted {self.target} %; "
              f"by unit tests alone {100 * count['killed'] / n if n else 0:.1f} %; "
              f"{count['same']} same code, {count['accepted']} accepted, of {len(self.pool)} possible; {time.monotonic() - begin:.0f} s", flush=True)
        return self.may_be_wanted(high)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--number", default="300", help="mutants of each room, or 'all'")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--slow", type=float, default=HUGE, help="leave out suites that take more seconds: quick looks only")
    parser.add_argument("--below", type=float, default=0, help="fail only so many points below what is wanted")
    parser.add_argument("rooms", nargs="*", help=" ".join(ROOMS) + ", or files of one")
    given = parser.parse_args()
    if given.number != "all" and not given.number.isdigit():
        sys.exit(f"mutate: MUTATE={given.number}: how many of each room, or all")
    files = [name for name in given.rooms if "/" in name]
    unknown = [room for room in given.rooms if room not in ROOMS and room not in files]
    if unknown:
        sys.exit(f"mutate: no room {unknown[0]}: {' '.join(ROOMS)}")
    os.nice(max(0, 10 - os.nice(0)))
    tree = Tree(os.path.abspath(given.source), os.path.abspath(given.build))
    scratch = os.path.join(tree.build, "tests/mutate/scratch")
    os.makedirs(scratch, exist_ok=True)
    lock = open(os.path.join(scratch, "lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"mutate: another run is under way here ({scratch}): each overwrites the other's mutants")
    print(f"mutate: {given.number} of each room, seed {given.seed}", flush=True)
    workers = [Worker(tree, number) for number in range(given.jobs)]
    accepted = Accepted(os.path.join(tree.source, "tests/mutate/accepted"))
    rooms = [room for room in ROOMS if room in given.rooms or any(name.startswith(f"{folder}/") for name in files for folder in ROOMS[room][0])]
    enough = [Room(tree, room, accepted, files, given).run(workers, 0 if given.number == "all" else int(given.number)) for room in rooms or ROOMS]
    sys.exit(0 if all(enough) else 1)


main()
