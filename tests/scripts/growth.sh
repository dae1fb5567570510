#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe phases is linear in scopes, by the instructions that callgrind counts; make bench-hostile has all other ways to read, and shapes.
set -u
skip() { echo "skipped: $*"; exit 77; }
# Another program that starts it (qemu-user) is not counted with it.
head -c 4 "$TDPROBE" | grep -q ELF || skip 'the program is started by another one'
command -v valgrind > /dev/null || skip 'no valgrind: apt-get install valgrind'
valgrind -q --tool=none "$TDPROBE" --version > /dev/null 2>&1 || skip 'valgrind does not run this program, as one that has a sanitizer'
GROWTH_STACKS='' GROWTH_SHAPES=scopes GROWTH_WAYS=phases sh "$TD_SRCDIR/tests/callgrind/growth.sh" "$TD_BUILDDIR" "$TD_SRCDIR"
