# SPDX-License-Identifier: MIT
"""Runs many checks of pages in one start of Python, and says what is wrong, each with what it is of.

usage: pages.py < CHECKS

  CHECKS  lines of words separated by tabs: what is checked, the script beside this one that checks it, and the script's arguments"""
import contextlib
import importlib
import io
import sys


def run(name, args):
    module, said = importlib.import_module(name.removesuffix('.py')), io.StringIO()
    module.wrong.clear()
    sys.argv = [name, *args]
    with contextlib.redirect_stdout(said):
        try:
            failed = module.main()
        except Exception as e:  # one that cannot be read does not end the others
            failed = f'{type(e).__name__}: {e}'
            print(failed)
    return failed and (said.getvalue().strip() or 'it is wrong')


def main():
    bad = False
    sys.stdout.reconfigure(errors='backslashreplace')
    for line in sys.stdin.buffer:
        what, name, *args = line.decode(errors='backslashreplace').rstrip('\n').split('\t')
        wrong = run(name, args)
        if wrong:
            print(f'{what}: {name}: {wrong}')
            bad = True
    return bad


if __name__ == '__main__':
    sys.exit(main())
