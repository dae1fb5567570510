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
# A library with ASan needs its runtime before all else, and that needs to see the library of C++, which pandas brings along. What of the
# interpreter's own is left at the end has stacks that end in it; so that those of the library, which it calls, do not, they are short.
# The interpreter takes its memory from malloc(), where the sanitizer sees it.
if grep -q __asan_init "$library"; then
    runtime=$(ldd "$library" | sed -n 's/.* => \(.*libasan\.so[^ ]*\) .*/\1/p')
    [ -e "$runtime" ] || skip 'the library has ASan, and no runtime of it that could be loaded before it (gcc has one)'
    # reports go to files, as pytest keeps what is written to stderr, and ends with it
    ASAN_OPTIONS=detect_leaks=1:malloc_context_size=3:exitcode=1:log_path=$tmp/report${ASAN_OPTIONS:+:$ASAN_OPTIONS}
    LSAN_OPTIONS=print_suppressions=0:suppressions=$TD_SRCDIR/tests/python/leaks${LSAN_OPTIONS:+:$LSAN_OPTIONS}
    TD_PRELOAD="$runtime $("$CC" -print-file-name=libstdc++.so.6)" PYTHONMALLOC=malloc
    export ASAN_OPTIONS LSAN_OPTIONS PYTHONMALLOC
fi
# nothing is written beside the sources
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TD_SRCDIR/python TDPROBE_LIBRARY=$library LD_PRELOAD=${TD_PRELOAD:-} \
    "$python" -m pytest -q -p no:cacheprovider --basetemp "$tmp/base" "$TD_SRCDIR/tests/python" || { cat "$tmp"/report.* 2> /dev/null; exit 1; }
