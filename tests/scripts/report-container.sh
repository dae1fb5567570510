#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe record keeps the maps in which processes name code that they made, as a process in a container sees them, and report names
# functions by them wherever it runs. The machine is simulated; the bytes of the recording are those of util/made_files.h.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
cat > base << 'END'
# tdprobe-machine: 1
cpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69
cpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0
cpuid 0xa = 0x08300805 0x0 0xf 0x8604
cpus 0-3
pmu cpu type=4 cpus=0-3 general=8 fixed=0-3 metrics=8
event cpu slots = event=0x00,umask=0x4
event cpu topdown-retiring = event=0x00,umask=0x80
event cpu topdown-bad-spec = event=0x00,umask=0x81
event cpu topdown-fe-bound = event=0x00,umask=0x82
event cpu topdown-be-bound = event=0x00,umask=0x83
workload made rate=18000000000 file=//anon at=0x400000 size=0x10000
phase us=2310 function=0x401000 retiring=0.7 bad=0.1 frontend=0.1 backend=0.1
count 0x3c 0.166667 clock
phase us=4700 function=0x402000 retiring=0.1 bad=0.05 frontend=0.05 backend=0.8
count 0x3c 0.166667 clock
command made ms=500 cpus=0 name=made
END
names='401000 1000 one\n402000 1000 two\n'
record() { # MACHINE: records it as MACHINE.data
    cat base - > "$1.machine"
    t record --functions --fast --machine "$1.machine" -o "$1.data" -- made; exits 0
}
# report names the two functions, with their retiring, 70 % and 10 %
named() { # DATA
    t report --format csv "$1"; exits 0
    awk -F, '$10 == "retiring" && ($1 == "one" && $14 > 0.68 && $14 < 0.72 || $1 == "two" && $14 > 0.08 && $14 < 0.12)' out > both
    [ "$(grep -c . both)" = 2 ] || fail "$what: $(grep retiring out | cut -c1-150)"
}
nameless() { # DATA
    t report "$1"; exits 0; says 'anon \(no symbols\)$'
}
# bit 240 of the header's features, in its byte 30
feature() { od -A n -t u1 -j $((72 + 30)) -N 1 "$1" | tr -d ' '; }

record none < /dev/null
nameless none.data
[ "$(feature none.data)" = 0 ] || fail 'a recording of nothing that was made has a copy of it'

# in a container the process is 7, and its files are below its root
inside='Name:\tmade\nUid:\t1000\t1000\t1000\t1000\nNStgid:\t5000\t7\nNSpid:\t5000\t7\nNSpgid:\t5000\t7\n'
record inside << END
file /proc/5000/status = $inside
file /proc/5000/root/tmp/perf-7.map = $names
file /proc/5000/root/tmp/perf-5000.map = 401000 2000 ofanother\n
file /tmp/perf-5000.map = 401000 2000 ofnobody\n
END
[ "$(feature inside.data)" = 1 ] || fail 'there is no copy of a map in a container'
mkdir -p elsewhere/tmp
printf '401000 2000 later\n' > elsewhere/tmp/perf-5000.map
named inside.data
t report --symfs elsewhere inside.data; says ' one$'; ! grep -q ' later$' out || fail 'a map of another machine goes before the copy'
# the same bytes as in the file, after the process's number, as tdprobe sees it, no path, and its size
size=$(printf "$names" | wc -c)
{
    printf 'tdprobe: kept 1\0\210\023\0\0\0\0\0\0'; printf "\\$(printf %03o "$size")"; printf '\0\0\0\0\0\0\0'; printf "$names"
} > copy
tail -c $((16 + 16 + size)) inside.data | cmp -s - copy || fail "the copy: $(tail -c $((16 + 16 + size)) inside.data | od -c | head)"

# not in a container, though it has ended, which no root is there of
record outside << END
file /tmp/perf-5000.map = $names
END
named outside.data
record gone << END
file /proc/5000/status = $inside
file /tmp/perf-5000.map = $names
file /tmp/perf-7.map = $names
END
nameless gone.data

# damage: what is not whole is left out, and no byte of it ends report
n=$(($(wc -c < inside.data) - 32 - size))
for at in $(seq 0 31); do
    { head -c $((n + at)) inside.data; printf '\377'; tail -c +$((n + at + 2)) inside.data; } > damaged.data
    t report damaged.data; exits 0
    [ $at -lt 20 ] || [ $at -gt 31 ] || ! grep -q ' one$' out || fail "byte $at of the copy's front"
done
[ ! -e failed ]
