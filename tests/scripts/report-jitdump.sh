#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report of code whose names are in a jitdump, which its program mapped. As in report-made.sh the functions of a
# recorded program stand for it: its file's name is made "//anon", and that of another of its mappings the dump's.
# The bytes of the dump are laid out by hand after Linux tools/perf/Documentation/jitdump-specification.txt.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
mkdir -p jit/tmp
dump=jit/tmp/jit-102.dump

t report --uarch spr --symfs "$samples/symfs" --format csv "$samples/long.data"; exits 0
grep -q '^branchy,' out || { echo 'skipped: functions have no names without elfutils'; exit 77; }
named() { awk -F, -v OFS=, '$1 ~ /^(scan|chase|branchy|lookup|update|main)$/ { $2 = $3 = ""; print }' "$1"; }
named out > want
[ -s want ] || fail 'no function'
LC_ALL=C sed 's|/usr/bin/kernels|//anon\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00|g
    s|/lib64/ld-linux-x86-64\.so\.2|/tmp/jit-102.dump\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00|g' "$samples/long.data" > jit.data

# number BYTES VALUE: in the order of bytes that $order has
number() {
    b= v=$2 i=0
    while [ $i -lt "$1" ]; do
        o=\\$((v >> 6 & 3))$((v >> 3 & 7))$((v & 7)) # in octal, with no process for each byte
        if [ "$order" = little ]; then b=$b$o; else b=$o$b; fi
        v=$((v >> 8)) i=$((i + 1))
    done
    printf "$b"
}
header() { # VERSION SIZE
    number 4 $((0x4a695444)); number 4 "$1"; number 4 "$2"; number 4 62; number 4 0; number 4 102; number 8 1; number 8 0
    head -c $(($2 - 40)) /dev/zero
}
# ADDRESS SIZE NAME [SIZE-IN-RECORD [TIME [INDEX]]]: 56 bytes, the name and its NUL, then the code, here zeros
load() {
    number 4 0; number 4 $((56 + ${#3} + 1 + ${4:-$2})); number 8 "${5:-1}"
    number 4 102; number 4 102; number 8 "$1"; number 8 "$1"; number 8 "$2"; number 8 "${6:-1}"
    printf '%s\0' "$3"; head -c $((${4:-$2})) /dev/zero
}
other() { # ID: a record of another kind, of 16 bytes and 24 of its own
    number 4 "$1"; number 4 40; number 8 1; number 8 0x563b50377159; number 8 0x400; number 8 0
}
move() { # TO SIZE INDEX [TIME]: of 16 bytes and 48
    number 4 1; number 4 64; number 8 "${4:-1}"
    number 4 102; number 4 102; number 8 "$1"; number 8 0x1000; number 8 "$1"; number 8 "$2"; number 8 "$3"
}
functions() {
    load 0x563b50377159 0xf6 scan
    load 0x563b5037724f 0xfe chase
    load 0x563b5037734d 0xf5 branchy
    other 2
    load 0x563b50377442 0x31 lookup
    load 0x563b50377473 0x11d update
    load 0x563b50377590 0xf0 main
}
same() { # WHAT: the dump gives the functions of the file
    t report --uarch spr --symfs jit --format csv jit.data; exits 0
    named out > got
    cmp -s want got || fail "$1: $(diff want got | head -n 4)"
}
nameless() { # WHAT
    t report --uarch spr --symfs jit jit.data; exits 0
    grep -q ' anon (no symbols)$' out || fail "$1: something is named"
}

nameless 'no dump'
for order in little big; do
    { header 1 40; functions; } > $dump; same "$order-endian"
done
order=little
{ header 1 48; functions; } > $dump; same 'a longer header'
{ header 1 40; other 3; load 0x563b50377159 0x500 old; functions; } > $dump; same 'loaded again'
# loads that do not fit their records, or the addresses that there are, are left out
{
    header 1 40; functions
    load 0x563b50377159 0xf6 toolong 0xf5; load 0x563b50377159 0 empty
    load 0x563b50377159 0xf6 ''; load -16 0x20 beyond; load 0x563b50377159 -16 negative 16
} > $dump; same 'loads that cannot be'
# code that was loaded elsewhere is found where it was moved, last to the place where it is
{
    header 1 40; load 0x1000 0xf6 scan 0xf6 1 7; load 0x2000 0xf5 branchy 0xf5 1 9; load 0x3000 0xfe chase 0xfe 1 8
    load 0x563b50377442 0x31 lookup; load 0x563b50377473 0x11d update; load 0x563b50377590 0xf0 main
    move 0x563b5037734d 0xfe 8; move 0x563b5037724f 0xfe 8; move 0x563b5037734d 0xf5 9; move 0x563b50377159 0xf6 7
    move 0x563b50377159 0xf6 6; move 0x563b50377159 0 8; move -16 0x20 8
} > $dump; same moved

# At an address where one function took the place of another, samples have the name of the one that was there, if their clock is the
# dump's. perf script has how many samples were there until half of them were taken.
half=$(awk '$5 == "scan" { time[++n] = $1 } END { print time[int(n / 2)] }' "$samples/long.script")
until=$(awk -v half="$half" '$5 == "scan" { n += $1 <= half; all++ } END { print n, all - n }' "$samples/long.script")
ns=$(echo "$half" | sed 's/\.//')999 # perf script has microseconds
clock() { # FLAGS CLOCK [FILE EVENTS-AT EVENTS]: as in struct perf_event_attr, whose flags' fourth byte has the bit that the clock is given
    cp "${3:-jit.data}" clock.data
    attr=${4:-200} # of so many events, each with 16 bytes for its ids
    attrs=$((attr + ${5:-6} * 144))
    while [ $attr -lt $attrs ]; do
        flags=$(od -A n -t u1 -j $((attr + 43)) -N 1 clock.data)
        printf "\\$(printf %03o $((flags | $1)))" | dd of=clock.data bs=1 seek=$((attr + 43)) conv=notrunc 2> err
        printf "\\$(printf %03o "$2")" | dd of=clock.data bs=1 seek=$((attr + 92)) conv=notrunc 2> err
        attr=$((attr + 144))
    done
}
counts() { # the intervals of the names given, one after another
    t report --uarch spr --symfs jit --format csv clock.data; exits 0
    for name; do awk -F, -v name="$name" '$1 == name && $10 == "retiring" { print $7 }' out; done | tr '\n' ' '
}
{ header 1 40; functions; load 0x563b50377159 0xf6 late 0xf6 "$ns"; } > $dump
clock 2 1; got=$(counts scan late)
[ "$got" = "$until " ] || fail "at the time of their samples: $got, not $until"
all=$((${until% *} + ${until#* }))
for other in '0 1' '2 4'; do # no clock is given; CLOCK_MONOTONIC_RAW
    # shellcheck disable=SC2086
    clock $other; got=$(counts scan late)
    [ "$got" = "$all " ] || fail "by clock $other: $got, not $all"
done
# what moved has its name from then on where another one had been
{ header 1 40; load 0x1000 0xf6 moved 0xf6 1 5; functions; move 0x563b50377159 0xf6 5 "$ns"; } > $dump
clock 2 1; got=$(counts scan moved)
[ "$got" = "$until " ] || fail "moved: $got, not $until"
# a dump with times of the CPU's own
{ head -c 32 $dump; number 8 1; tail -c +41 $dump; } > other; mv other $dump
got=$(counts scan moved)
[ "$got" = "$all " ] || fail "by the CPU's clock: $got, not $all"

# A child has its parent's functions as they were when it was forked. Of crew 138 is the parent, whose dump this is, and parse runs in
# 140 alone, which was forked at 76.075 s and is sampled from 76.088 s on.
LC_ALL=C sed 's|/usr/bin/crew\x00\x00|//anon\x00\x00\x00\x00\x00\x00\x00\x00\x00|g
    s|/lib64/ld-linux-x86-64\.so\.2|/tmp/jit-138.dump\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00|g' "$samples/system.data" > child.data
dump=jit/tmp/jit-138.dump
clock 2 1 child.data 280 11
{ header 1 40; load 0x558128e07415 0xf5 parse; } > $dump
all=$(counts parse)
[ "${all% }" -gt 60 ] || fail "a child: $all"
{ header 1 40; load 0x558128e07415 0xf5 parse; load 0x558128e07415 0xf5 late 0xf5 76080000000; } > $dump
got=$(counts parse)
[ "$got" = "$all" ] || fail "code that its parent made after the fork: $got, not $all"
{ header 1 40; load 0x558128e07415 0xf5 late 0xf5 76080000000; } > $dump
got=$(counts parse late)
[ -z "$got" ] || fail "code that its parent alone made: $got"
{ header 1 40; load 0x558128e07415 0xf5 old; load 0x558128e07415 0xf5 parse 0xf5 76070000000; } > $dump
got=$(counts parse)
[ "$got" = "$all" ] || fail "code that its parent made before the fork: $got, not $all"
rm $dump
dump=jit/tmp/jit-102.dump

# a map's names are there, too; those of the dump go before
{ header 1 40; functions; } > $dump
printf '563b50377159 f6 fromthemap\n' > jit/tmp/perf-102.map; same 'beside a map'
rm jit/tmp/perf-102.map

# ---- instructions ----

# A dump with the very bytes of the file's functions: each instruction has the slots and the text of the file's own, which is linked at
# 0x1159 for scan's first, and is 0x563b50376000 further on in memory. Operands that are addresses differ by as much.
rm -f $dump
at() { # OFFSET SIZE: these bytes of the program
    tail -c +$(($1 + 1)) "$samples/symfs/usr/bin/kernels" | head -c $(($2))
}
load_code() { # ADDRESS SIZE NAME OFFSET [TIME [INDEX]]
    load "$1" "$2" "$3" "$2" "${5:-1}" "${6:-1}" | head -c $((56 + ${#3} + 1)); at "$4" "$2"
}
rows() { # DELTA < CSV: the instructions, by address
    python3 -c '
import csv, re, sys
delta = int(sys.argv[1], 16)
for r in sorted(csv.DictReader(sys.stdin), key=lambda r: int(r["address"] or "0", 16)):
    if r["kind"] == "instruction" and r["metric"] == "retiring":
        text = re.sub("0x[0-9a-f]{3,}$", lambda m: hex(int(m[0], 16) - delta) if int(m[0], 16) >= delta else m[0], r["text"])
        print(hex(int(r["address"], 16) - delta), r["slots_share"], r["intervals"], r["scope"], text)' "$1"
}
annotate() { t report --uarch spr --annotate scan --limit 0 "$@"; }
command -v python3 > /dev/null || { [ ! -e failed ]; exit; }
annotate --symfs "$samples/symfs" --format csv "$samples/long.data"; exits 0
rows 0 < out > wanted
[ "$(grep -c . wanted)" -gt 1 ] || fail "instructions of the file: $(cat wanted)"
whole() { header 1 40; load_code 0x563b50377159 0xf6 scan 0x1159; load_code 0x563b5037724f 0xfe chase 0x124f; }
for order in little big; do
    whole > $dump
    annotate --symfs jit --format csv jit.data; exits 0
    rows 563b50376000 < out > got
    cmp -s wanted got || fail "instructions, $order-endian: $(diff wanted got | head -n 4)"
done
order=little
annotate --symfs jit jit.data; exits 0; ! grep -q 'debug information' out || fail "$what: $(grep 'debug information' out)"
annotate --symfs jit -j jit.data; exits 0; says '"instructions":"(ok|not_built|no_library)"'
disassembles=; grep -q '"instructions":"ok"' out && disassembles=yes
# code that was compiled elsewhere and moved here has the addresses where it was compiled
{ header 1 40; load_code 0x1000 0xf6 scan 0x1159 1 5; move 0x563b50377159 0xf6 5; } > $dump
annotate --symfs jit --format csv jit.data; exits 0
rows -159 < out > got
[ ! "$disassembles" ] || cmp -s wanted got || fail "moved: $(diff wanted got | head -n 4)"
# two compilations of one name are one function, each with its instructions: scan, and chase that is named so too
annotate --annotate chase --symfs "$samples/symfs" --format csv "$samples/long.data"; exits 0
rows 0 < out | sed 's/ chase+/ scan+/' | cat wanted - > both
{ header 1 40; load_code 0x563b50377159 0xf6 scan 0x1159; load_code 0x563b5037724f 0xfe scan 0x124f; } > $dump
annotate --symfs jit --format csv jit.data; exits 0
rows 563b50376000 < out > got
[ ! "$disassembles" ] || cmp -s both got || fail "two of one name: $(diff both got | head -n 4)"
# a dump that does not have the code any more: names come first, and then it is read again
{ header 1 40; load_code 0x563b50377159 0xf6 scan 0x1159; } | head -c -1 > $dump
annotate --symfs jit -j jit.data; exits 0; says '"instructions":"no_file"'
# the name alone
rm $dump
printf '563b50377159 f6 scan\n' > jit/tmp/perf-102.map
annotate --symfs jit -j jit.data; exits 0; says '"instructions":"not_kept"'
annotate --symfs jit jit.data; exits 0; says 'scan: instructions have no text: .* a map has its name only'
annotate --symfs jit --format csv jit.data; exits 0
rows 563b50376000 < out | cut -d ' ' -f 1-4 > got
cut -d ' ' -f 1-4 wanted | cmp -s - got || fail "by a map: $(cat got)"
rm jit/tmp/perf-102.map
whole > $dump

# what is before damage is taken
{ header 1 40; load 0x563b5037734d 0xf5 branchy; number 4 0; number 4 15; load 0x563b5037724f 0xfe chase | tail -c +9; } > $dump
t report --uarch spr --symfs jit jit.data; exits 0; says ' branchy$'; ! grep -q ' chase$' out || fail 'records are read beyond damage'
{ header 2 40; functions; } > $dump; nameless 'another version'
{ header 1 40; functions; } | sed 's/^DTiJ/DTiK/' > $dump; nameless 'another magic'
{ header 1 40; functions; } > whole
for n in 0 39 40 60 96 100 111; do
    head -c $n whole > $dump
    t report --uarch spr --symfs jit jit.data; exits 0
done
# any byte may be another one
n=0
while [ $n -lt 160 ]; do
    { head -c $n whole; printf '\377'; tail -c +$((n + 2)) whole; } > $dump
    "$TDPROBE" report --uarch spr --symfs jit jit.data > out 2> err || fail "byte $n of 255: $(tail -n 1 err)"
    n=$((n + 5))
done
# nor is a link taken, nor another user's file
mv whole jit/tmp/whole; rm $dump; ln -s whole $dump; nameless 'a link'
rm $dump
if [ "$(id -u)" -eq 0 ]; then
    mv jit/tmp/whole $dump; chown 65534 $dump
    t report --uarch spr --symfs jit -j --limit 1 jit.data; exits 0; says '"symbols":"denied"'
fi
[ ! -e failed ]
