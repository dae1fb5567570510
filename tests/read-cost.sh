#!/bin/sh
# SPDX-License-Identifier: MIT
# What one td_point_read() costs where nothing comes between: 2 rdpmc, at most 32
# other instructions, no call; counted in what the compilers make of it at -O2.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
case $($CC -dumpmachine) in x86_64*) ;; *) echo "no rdpmc on this processor"; exit 77 ;; esac
command -v objdump > /dev/null || { echo "no objdump"; exit 77; }
cat > "$tmp/reading.c" << 'END'
#include "td_read.h"
int reading(const struct td_self *self, struct td_point *out);
int reading(const struct td_self *self, struct td_point *out)
{
    return td_point_read(self, out);
}
END
bad=0
for compiler in "$CC" gcc clang; do
    command -v "${compiler%% *}" > /dev/null || continue
    # the compiler may come with options of its own (a sanitizer's), which would be counted too
    # shellcheck disable=SC2086
    ${compiler%% *} -std=c11 -O2 -fPIC -Wall -Werror -I"$TD_SRCDIR/core" -c "$tmp/reading.c" -o "$tmp/reading.o" || { bad=1; continue; }
    # the way with no jump taken: from the beginning to the first return
    objdump -d --no-show-raw-insn "$tmp/reading.o" | awk '/<reading>:/ { on = 1; next } on && /^ +[0-9a-f]+:/ { print $2 } on && $2 ~ /^ret/ { exit }' > "$tmp/way"
    rdpmc=$(grep -c '^rdpmc' "$tmp/way") calls=$(grep -c '^call' "$tmp/way") returns=$(grep -c '^ret' "$tmp/way")
    others=$(($(wc -l < "$tmp/way") - rdpmc))
    echo "${compiler%% *}: $rdpmc rdpmc, $others other instructions, $calls calls"
    [ "$rdpmc" = 2 ] && [ "$others" -le 32 ] && [ "$calls" = 0 ] && [ "$returns" = 1 ] || { echo "FAIL: that is too much"; cat "$tmp/way"; bad=1; }
done
exit $bad
