#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes backends/VENDOR/NAME-metrics.csv and NAME-events.csv from the vendors' publications.

    python3 backends/import SRC                  writes the tables
    python3 backends/import --check SRC          compares them with those that are checked in

SRC has a folder for each line of publications.csv (perfmon, pmu-tools, telemetry-solution, linux, perfspect): its
files, or a git repository that has the commit. PUBLICATION=FOLDER names one elsewhere. Maintainers only; Python 3.9.
"""

import argparse
import hashlib
import os
import sys

sys.dont_write_bytecode = True

import amd  # noqa: E402
import arm  # noqa: E402
import intel  # noqa: E402
import tables  # noqa: E402
from corrections import CorrectionError, Corrections  # noqa: E402
from merging import Undecided  # noqa: E402
from notation import FormulaError  # noqa: E402
from publication import Publication, PublicationError  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    parser = argparse.ArgumentParser(prog="backends/import", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a checked-in table would change")
    parser.add_argument("--out", default=os.path.dirname(HERE),
                        help="the folder of intel/, arm/, amd/ (default: backends)")
    parser.add_argument("source", nargs="+", metavar="SRC|PUBLICATION=FOLDER")
    return parser.parse_args()


def publications(sources):
    """name -> Publication, from the command line's folders."""
    given = dict(s.split("=", 1) for s in sources if "=" in s)
    above = [s for s in sources if "=" not in s]
    found = {}
    for line in tables.read(os.path.join(HERE, "publications.csv")):
        name = line["publication"]
        where = given.pop(name, None) or (above and os.path.join(above[-1], name))
        if not where:
            raise PublicationError("%s: give its folder, as %s=FOLDER" % (name, name))
        found[name] = Publication(name, line["repository"], line["commit"], where)
    if given:
        raise PublicationError("no publication named %s; publications.csv has them" % ", ".join(sorted(given)))
    return found


def made(published):
    """Every table, by its name below backends/."""
    corrections, files, problems = Corrections(os.path.join(HERE, "corrections.csv")), {}, []
    for vendor in (intel, arm, amd):
        vendor_tables = vendor.Tables(HERE, published, corrections)
        files.update(vendor_tables.files)
        problems += vendor_tables.problems
    problems += ["corrections.csv: %s changes nothing" % " ".join(key) for key in corrections.unused()]
    if problems:
        raise CorrectionError("\n".join(problems))
    return files


def compare(files, out):
    """True if the files of out are the same, byte for byte; says which are not."""
    same = True
    for name, text in sorted(files.items()):
        path = os.path.join(out, name)
        data = open(path, "rb").read() if os.path.exists(path) else b""
        if data != text.encode():
            print("%s: differs" % name, file=sys.stderr)
            same = False
    return same


def write(files, out):
    for name, text in files.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".tmp", "w", encoding="ascii", newline="") as file:
            file.write(text)
        os.replace(path + ".tmp", path)


def main():
    asked = arguments()
    try:
        files = made(publications(asked.source))
    except (PublicationError, CorrectionError, FormulaError, Undecided) as why:
        print("import: %s" % why, file=sys.stderr)
        return 1
    for name, text in sorted(files.items()):
        print("%s  %s" % (hashlib.sha256(text.encode()).hexdigest(), name))
    if asked.check:
        return 0 if compare(files, asked.out) else 1
    write(files, asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
