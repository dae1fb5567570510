#!/bin/sh
# SPDX-License-Identifier: MIT
# td.hpp compiles by each compiler of C++ that is here, without exceptions and run-time types, before and after the other headers; a
# program of it finds in a recording and in regions of a simulated machine what their own heads say.
set -u
skip() { echo "skipped: $*"; exit 77; }
library=$TD_BUILDDIR/.libs
[ -e "$library/libtdprobe.so" ] || skip 'no shared library was built'
case $("$CC" -dumpmachine) in x86_64*) ;; *) skip 'the simulated machine of this test is x86-64' ;; esac
. "$TD_SRCDIR/tests/scripts/checks.sh"
sed '/^spin/s/$/ each=100000/' "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > spr.machine
# of adl-hybrid-intervals.expect; half of the slots are backend bound, as the machine's head has it
cat > wanted << 'END'
open: 0 
no error: ''
outer 1 passes, backend_bound 0.50
inner 3 passes, backend_bound 0.50
0
END
tried=0
for cxx in g++ clang++; do
    command -v $cxx > /dev/null || continue
    for flags in '-fno-exceptions -fno-rtti' '-O2'; do
        # shellcheck disable=SC2086
        $cxx -std=c++17 $flags -Wall -Wextra -Wshadow -Wconversion -Werror -I"$TD_SRCDIR/include" -o cxx "$TD_SRCDIR/tests/include/cxx.cc" -L"$library" -Wl,-rpath,"$library" -ltdprobe 2> err ||
            { fail "$cxx $flags: $(head -n 10 err)"; continue; }
        tried=$((tried + 1))
        ./cxx "$TD_SRCDIR/traces/adl-hybrid-intervals.trace" spr.machine > out 2> err || fail "$cxx: exit $?: $(cat err)"
        what="$cxx $flags"
        says '^P retiring [0-9.]*$'
        says '^E retiring [0-9.]*$'
        says '^4 intervals, status 0$'
        says '^2 sums, 0, then 0$'
        says '^moved from: 0 1 1 0$'
        says '^missing: 1 /missing.csv cannot be opened: No such file or directory'
        says '^status 1$'
        ! grep -q 'level 2\|0x' out || fail "$what: $(cat out)"
        sed -n '/^open/,$p' out | diff - wanted || fail "$what: regions"
        for value in $(sed -n 's/^expect:.* retiring *\([0-9.]*\).*/\1/p' "$TD_SRCDIR/traces/adl-hybrid-intervals.expect"); do
            grep -q " retiring $value" out || fail "$what: no retiring $value: $(cat out)"
        done
    done
    for order in 'td.hpp tdprobe.h td_run.h' 'td_run.h tdprobe.h td.hpp' 'td.hpp td.hpp'; do
        printf '#include <%s>\n' $order > order.cc
        $cxx -std=c++17 -Wall -Wextra -Werror -I"$TD_SRCDIR/include" -fsyntax-only order.cc 2> err || fail "$cxx, $order: $(head -n 5 err)"
    done
done
[ $tried -gt 0 ] || skip 'no compiler of C++'
[ ! -e failed ]
