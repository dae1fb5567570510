#!/bin/sh
# SPDX-License-Identifier: MIT
# What the shared library exports is what tdprobe.h declares, and each
# declaration stands under a comment.
set -u
bad=0
library=$(ls "$TD_BUILDDIR"/.libs/libtdprobe.so 2>/dev/null) || { echo "no shared library was built"; exit 77; }
header=$TD_SRCDIR/core/tdprobe.h
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

nm -D --defined-only "$library" | awk '$2 ~ /[TDBR]/ { print $3 }' | grep -v '^_' | sort > "$tmp/exported"
grep '^TD_EXPORT' "$header" | sed 's/.*[ *]\(td_[a-z0-9_]*\)(.*/\1/' | sort > "$tmp/declared"
[ -s "$tmp/declared" ] || { echo "FAIL: nothing declared"; bad=1; }
diff "$tmp/declared" "$tmp/exported" || { echo "FAIL: < declared in tdprobe.h only, > exported only"; bad=1; }
awk '/^TD_EXPORT/ && !covered { print "FAIL: no comment above: " $0; bad = 1 }
     { covered = /\*\/$/ || (covered && /^TD_EXPORT|^ /) || /^TD_EXPORT.*\/\*/ || (/^TD_EXPORT/ && covered) }
     END { exit bad }' "$header" || bad=1
for key in Name Version Libs Cflags; do
    grep -q "^$key: ." "$TD_BUILDDIR/core/tdprobe.pc" || { echo "FAIL: tdprobe.pc has no $key"; bad=1; }
done
exit $bad
