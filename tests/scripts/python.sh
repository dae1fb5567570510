#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python module, by tests of its own (tests/python), with the shared library that was built and the first python3 that has pytest.
set -u
skip() { echo "skipped: $*"; exit 77; }
library=$TD_BUILDDIR/.libs/libtdprobe.so
[ -e "$library" ] || skip 'no shared library was built'
case $("$CC" -dumpmachine) in x86_64*) ;; *) skip 'the simulated machines of these tests are x86-64' ;; esac
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pytest' 2> /dev/null && break
done || skip "no python3 with pytest: apt-get install python3-pytest python3-pandas"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
# nothing is written beside the sources
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TD_SRCDIR/python TDPROBE_LIBRARY=$library \
    "$python" -m pytest -q -p no:cacheprovider --basetemp "$tmp/base" "$TD_SRCDIR/tests/python" || exit 1
