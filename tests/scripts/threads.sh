#!/bin/sh
# SPDX-License-Identifier: MIT
# Regions that four threads pass at once, each on a simulated machine of its own, one of which is slow: examples/threads
# with pthreads, and with OpenMP by each compiler that has it. merge adds them up by region and names the slow one.
set -u
skip() { echo "skipped: $*"; exit 77; }
case $("$CC" -dumpmachine) in x86_64*) ;; *) skip 'the simulated machines of this test are x86-64' ;; esac
. "$TD_SRCDIR/tests/scripts/checks.sh"
# The slow thread's work takes twice as long, retires half as much of its slots, and waits for memory instead.
machine=$TD_SRCDIR/sim/machines/sapphirerapids.machine
sed '/^spin/s/$/ each=100000/' "$machine" > fast
sed '/^spin/s/$/ each=200000/; s/^phase ms=10 retiring=0.25 bad=0.109375 frontend=0.140625 backend=0.5 heavy=0.0625 mispredict=0.09375 latency=0.078125 memory=0.375/phase ms=10 retiring=0.125 bad=0.109375 frontend=0.140625 backend=0.625 heavy=0.0625 mispredict=0.09375 latency=0.078125 memory=0.5/' "$machine" > slow
grep -q 'backend=0.625' slow || fail "the slow machine: $(grep ^phase slow | head -n 1)"

try() { # PROGRAM
    rm -f t.*
    "$1" t fast fast slow fast 2> err || fail "$1: exit $?: $(cat err)"
    [ "$(ls t.thread*.trace | wc -l)" -eq 4 ] || fail "$1: not a trace for each thread: $(ls)"
    # the third thread's is the one that has twice the slots
    slow=$(grep -l ',TOPDOWN.SLOTS,[0-9]*' t.thread*.trace | while read -r file; do awk -F, -v file="$file" '$2 == "part" && $7 == "TOPDOWN.SLOTS" { n = $8 } END { print n, file }' "$file"; done | sort -n | sed -n '$s/.*\.thread\([0-9]*\)\.trace/\1/p')
    grep -qx "# x-thread: $slow" "t.thread$slow.trace" || fail "$1: no number in $slow"
    t merge t.thread*.trace -o t.trace; exits 0; what="$1, $what"
    for region in part round; do
        # By hand: 20 passes of 9 slots a ns for 100 us, or 200 us; of both regions' 3 times 1 and 2, 0.25 and 0.125
        # retire, so 0.2 of all, and 0.5 and 0.625 are backend bound, so 0.55. A register of 8 bits knows 0.4 points.
        sed -n "/^$region (region): 4 threads/,/^\$/p" out | awk -v slow="thread$slow" -v region=$region '
            function near(value, wanted) { return value >= wanted - 0.41 && value <= wanted + 0.41 }
            $1 == "retiring" { n += near($2, 20) && near($4, 12.5) && near($6, 21.875) && near($8, 25) && $10 == slow }
            $1 == "backend_bound" { n += near($2, 55) && near($4, 50) && near($6, 53.125) && near($8, 62.5) && $10 == slow }
            $1 == "bad_speculation" { n += near($2, 10.9375) && $10 == "none" }
            $1 == "slots" && region == "part" { n += $2 == 9e7 && $3 == 1.8e7 && $4 == 2.25e7 && $5 == 3.6e7 && $6 == slow }
            $1 == "slots" && region == "round" { n += $2 == 2.7e8 && $3 == 5.4e7 && $5 == 1.08e8 && $6 == slow }
            /^  last of all at the end of 20 of 20 passes: / { n += $NF == slow }
            END { exit n != 5 }' || fail "$what: $region: $(cat out)"
    done
    "$TDPROBE" replay --summary-only --format csv t.trace 2> /dev/null | awk -F, '
        $2 == "part" && $6 == "retiring" { n += $9 <= 0.2 && $10 >= 0.2 && $10 - $9 < 0.08 } $2 == "part" && $6 == "backend_bound" { n += $9 <= 0.55 && $10 >= 0.55 }
        END { exit n != 2 }' || fail "$what: bounds: $("$TDPROBE" replay --summary-only --format csv t.trace | grep ',part,')"
}
try "$TD_BUILDDIR/examples/threads"
rm -f t.*; "$TD_BUILDDIR/examples/threads" t fast fast fast fast; t merge t.*.trace -o t.trace; exits 0
grep -q 'last of all' out && fail "threads that are equal have a last one: $(cat out)"

library=$TD_BUILDDIR/.libs
if [ ! -e "$library/libtdprobe.so" ] || grep -qE '^(WARN_)?CFLAGS = .*-fsanitize' "$TD_BUILDDIR/Makefile"; then
    echo 'no OpenMP: no shared library was built, or it needs a sanitizer'
    [ ! -e failed ]; exit
fi
# doc/HOWTO-caliper: its program, and the figures that it names
sed -n '/^    #include "threads.h"/,/^    cc -o marks/{ /^    cc/d; s/^    //; p; }' "$TD_SRCDIR/doc/HOWTO-caliper" > marks.c
sed '/^spin/s/$/ each=5000/' "$machine" > short
"$CC" -Wall -Wextra -Werror -I"$TD_SRCDIR/include" -I"$TD_SRCDIR/examples" -o marks marks.c -L"$library" -Wl,-rpath,"$library" -ltdprobe 2> err || fail "HOWTO-caliper: $(cat err)"
./marks short 2> err || fail "HOWTO-caliper's program: $(cat err)"
t replay --summary-only marks.thread*.trace; exits 0
for figure in 'retiring  ' 'backend_bound  '; do
    grep -qxF "$(grep "^    $figure" "$TD_SRCDIR/doc/HOWTO-caliper" | sed 's/^  //')" out || fail "HOWTO-caliper: $figure: $(cat out)"
done

for cc in gcc clang; do
    $cc -fopenmp -Wall -Wextra -Werror -I"$TD_SRCDIR/include" -o openmp "$TD_SRCDIR/examples/threads.c" -L"$library" -Wl,-rpath,"$library" -ltdprobe 2> err ||
        { grep -qE 'omp|not found' err && { echo "$cc has no OpenMP here"; continue; }; fail "$cc: $(cat err)"; continue; }
    try ./openmp
done
[ ! -e failed ]
