#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table "scripts": which scripts of tests/scripts run the lines of each file of cli/ and report/, the fastest first.

To be run, seldom, in a folder of its own that was configured with --disable-shared CFLAGS='-O0 --coverage' LDFLAGS=--coverage and built. Of
each file so few scripts are named that each of its lines is run by two of them, if as many run it; those first that run the most in a second,
and no more than take SECONDS together, as a mutant that survives runs them all. Seconds are those of the CPU, so that what else runs here does
not count. With --scripts only these are run, and the rows that there are stay."""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ["cli", "report"]
MOST = 5 # scripts of a file
SECONDS = 20 # of all scripts of a file
# scripts about the sources, the manuals or an installed tdprobe
OTHERS = {"abi", "apart", "architecture", "circles", "coverage", "headers", "installed", "layout", "lint", "manuals", "words", "examples", "features"}
HEAD = """# Which scripts run the lines of a file, the fastest first; vectors are all of traces/. Written by tests/mutate/touches.py.
"""


def lines_of(build, name):
    """The lines of a file that have been run."""
    notes = os.path.join(build, name[:-len(".c")] + ".gcno")
    if not os.path.exists(notes[:-len("gcno")] + "gcda"):
        return set()
    found = json.loads(subprocess.run(["gcov", "--json-format", "--stdout", notes], cwd=build, capture_output=True, check=True).stdout)
    return {line["line_number"] for file in found["files"] if file["file"].endswith(name) for line in file["lines"] if line["count"]}


def run(source, build, script):
    """The script's seconds; None: it does not pass, or takes too long. In its sandbox the program could not write what it ran."""
    command = ["sh", os.path.join(source, f"tests/scripts/{script}.sh")]
    if script == "vectors":
        command = ["sh", "-c", 'for vector in "$1"/traces/*.expect; do sh "$1/tests/scripts/run-vector" "$vector" || exit 1; done', "vectors", source]
    folder, begin = tempfile.mkdtemp(), sum(os.times()[2:4])
    try:
        code = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20 * SECONDS,
                              env=dict(os.environ, TD_SRCDIR=source, TD_BUILDDIR=build, TDPROBE=os.path.join(build, "tdprobe"), TD_QUICK="1", LC_ALL="C", CC="gcc",
                                       TDPROBE_SANDBOX="off")).returncode
    except subprocess.TimeoutExpired:
        code = None
    shutil.rmtree(folder, ignore_errors=True)
    return sum(os.times()[2:4]) - begin if code == 0 else None


def chosen(scripts, seconds):
    """Of {script: lines} a few that run each line twice, if so many do, the fastest first."""
    left = {line: min(2, sum(line in lines for lines in scripts.values())) for line in set().union(*scripts.values())}
    few = []
    while any(left.values()) and len(few) < MOST:
        spent = sum(seconds[script] for script in few)
        worth = {script: sum(left[line] > 0 for line in lines) / seconds[script] for script, lines in scripts.items()
                 if script not in few and spent + seconds[script] <= SECONDS}
        if not any(worth.values()):
            break
        few.append(max(worth, key=worth.get))
        for line in scripts[few[-1]]:
            left[line] = max(0, left[line] - 1)
    return sorted(few, key=seconds.get)


def rows_of(path):
    with open(path) as file:
        return {line.split()[0]: line.split()[1:] for line in file if line.strip() and not line.startswith("#")}


def write(path, rows, touched, seconds):
    rows = dict(rows, **{name: chosen(scripts, seconds) for name, scripts in touched.items()})
    with open(path, "w") as file:
        file.write(HEAD)
        file.writelines(" ".join([name, *rows[name]]) + "\n" for name in sorted(rows) if rows[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--scripts", nargs="+")
    given = parser.parse_args()
    source, build = os.path.abspath(given.source), os.path.abspath(given.build)
    names = sorted(os.path.relpath(path, source) for folder in FOLDERS for path in glob.glob(f"{source}/{folder}/**/*.c", recursive=True))
    scripts = {os.path.basename(path)[:-len(".sh")] for path in glob.glob(f"{source}/tests/scripts/*.sh") if os.access(path, os.R_OK)}
    with open(os.path.join(source, "tests/sources.mk")) as file:
        listed = file.read()
    table = os.path.join(source, "tests/mutate/scripts")
    rows = {name: row for name, row in rows_of(table).items() if given.scripts and name in names}
    touched, seconds = {name: {} for name in names if name not in rows}, {}
    for script in given.scripts or ["vectors", *sorted(script for script in scripts - OTHERS if f"tests/scripts/{script}.sh" in listed.split("check_scripts")[1])]:
        for path in glob.glob(f"{build}/**/*.gcda", recursive=True):
            os.remove(path)
        seconds[script] = run(source, build, script)
        print(script, seconds[script], file=sys.stderr, flush=True)
        for name in touched if seconds[script] else []:
            lines = lines_of(build, name)
            if lines:
                touched[name][script] = lines
        write(table, rows, touched, seconds)


main()
