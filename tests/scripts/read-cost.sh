#!/bin/sh
# SPDX-License-Identifier: MIT
# The cost of one undisturbed td_point_read(): 2 rdpmc, at most 32
# other instructions, no call; counted in the compilers' output at -O2.
# And it can be used anywhere: in inline functions of C++, and where fibers move.
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
void yield(void);
int twice(const struct td_self *self, struct td_point *out);
int twice(const struct td_self *self, struct td_point *out)
{
    int err = td_point_read(self, out);

    yield();
    return err ? err : td_point_read(self, out);
}
END
# the linker keeps one of the two functions, and what belongs to it
cat > "$tmp/inline.h" << 'END'
#include "td_read.h"
__attribute__((noinline)) inline int reading(const td_self *self, td_point *out)
{
    return td_point_read(self, out);
}
END
printf '#include "inline.h"\nint other(const td_self *self, td_point *out)\n{\n    return reading(self, out);\n}\n' > "$tmp/one.cc"
printf '%s\n' '#include "inline.h"' 'extern "C" int td__point_retry(const td_self *, td_point *)' '{' '    return -EAGAIN;' '}' \
    'int other(const td_self *self, td_point *out);' 'int main()' '{' '    td_self self = td_self();' '    td_point point;' '' \
    '    return reading(&self, &point) == -EAGAIN && other(&self, &point) == -EAGAIN ? 0 : 1;' '}' > "$tmp/two.cc"
bad=0
for compiler in "$CC" gcc clang; do
    command -v "${compiler%% *}" > /dev/null || continue
    # the compiler may have options of its own (a sanitizer's), whose code would be counted too
    # shellcheck disable=SC2086
    ${compiler%% *} -std=c11 -O2 -fPIC -Wall -Werror -I"$TD_SRCDIR/include" -c "$tmp/reading.c" -o "$tmp/reading.o" || { bad=1; continue; }
    # the path with no jump taken: from the beginning to the first return
    objdump -d --no-show-raw-insn "$tmp/reading.o" | awk '/<reading>:/ { on = 1; next } on && /^ +[0-9a-f]+:/ { print $2 } on && $2 ~ /^ret/ { exit }' > "$tmp/way"
    rdpmc=$(grep -c '^rdpmc' "$tmp/way") calls=$(grep -c '^call' "$tmp/way") returns=$(grep -c '^ret' "$tmp/way")
    others=$(($(wc -l < "$tmp/way") - rdpmc))
    echo "${compiler%% *}: $rdpmc rdpmc, $others other instructions, $calls calls"
    [ "$rdpmc" = 2 ] && [ "$others" -le 32 ] && [ "$calls" = 0 ] && [ "$returns" = 1 ] || { echo "FAIL: that is too much"; cat "$tmp/way"; bad=1; }
    # after yield() the caller may run on another thread: %fs is read again
    threads=$(objdump -d --no-show-raw-insn "$tmp/reading.o" | awk '/<twice>:/ { on = 1 } on && /%fs:0x0,/ { n++ } END { print n + 0 }')
    [ "$threads" = 2 ] || { echo "FAIL: ${compiler%% *}: two readings ask $threads times which thread it is"; bad=1; }
done
# a reading of ordinary events waits for preceding code, as that of each register does
set -- "-I$TD_SRCDIR" -include config.h
if ${CC%% *} -std=gnu11 -D_GNU_SOURCE -O2 -I"$TD_BUILDDIR" "$@" -c "$TD_SRCDIR/live/thread/thread_read.c" -o "$tmp/self.o" 2> "$tmp/err"; then
    waits=$(objdump -d --no-show-raw-insn "$tmp/self.o" | grep -c 'lfence') registers=$(objdump -d --no-show-raw-insn "$tmp/self.o" | grep -c 'mov *\$0x20000000,%ecx')
    [ "$registers" -gt 0 ] && [ "$waits" -gt "$registers" ] || { echo "FAIL: $waits lfence, $registers readings of the registers"; bad=1; }
else
    cat "$tmp/err"
    bad=1
fi
for compiler in g++ clang++; do
    command -v "$compiler" > /dev/null || continue
    "$compiler" -O2 -Wall -Werror -I"$TD_SRCDIR/include" "$tmp/one.cc" "$tmp/two.cc" -o "$tmp/both" && "$tmp/both" || { echo "FAIL: $compiler: an inline function of two files"; bad=1; }
done
exit $bad
