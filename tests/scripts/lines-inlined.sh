#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --inline: each instruction of a program that is compiled here is of the function that addr2line -i of binutils
# says it was inlined of.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
for tool in gcc addr2line objdump readelf python3; do
    command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }
done
grep -q 'define HAVE_ELFUTILS 1' "$TD_BUILDDIR/config.h" || { echo 'skipped: no lines without elfutils'; exit 77; }

cat > work.c << 'END'
#define INLINED static inline __attribute__((always_inline))
INLINED unsigned mix(unsigned x)
{
    x ^= x >> 7;
    return x * 2654435761u;
}
INLINED unsigned twice(unsigned x)
{
    unsigned y = mix(x);

    return mix(y + 1);
}
__attribute__((noinline)) unsigned work(unsigned n)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += twice(i);
    return sum;
}
int main(int argc, char **argv)
{
    (void)argv;
    return (int)mix(work((unsigned)argc)) + 1;
}
END
# what a file's code was inlined of, by its path and build-id
record() { # CALLER...
    id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
    objdump -d "$1" | awk '/^ *[0-9a-f]+:\t/ { sub(":", ""); print "0x" $1 }' > addresses
    readelf -lW "$1" | awk '/LOAD.*R E/ { print $2, $3 }' > segment
    read -r offset address < segment
    delta=$((offset - address))
    {
        echo "map 0x550000000000 0x1000000 0 $id $PWD/$1"
        echo "at $((0x550000000000 + $(head -n 1 addresses) + delta)) 1 ${2-}"
        while read -r a; do echo "at $((0x550000000000 + a + delta)) 1 ${2-}"; done < addresses
    } | sed 's/ 1 *$//' | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
}
# how many instructions of lines that are known are of each function
expect() {
    addr2line -a -fi -e "$1" < addresses | awk '
        function put() { if (n && file !~ /:[?0]$/ && file !~ /^\?/) print (n > 1 ? name " (inlined)" : name) }
        /^0x/ { put(); n = 0; next }
        { if (!odd) { n++; if (n == 1) name = $0 } else if (n == 1) file = $0; odd = !odd }
        END { put() }' | sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2) "," n }' > expected
}
counts() { awk -F, 'NR > 1 && !seen[$1]++ { print $1 "," $7 }' out > counted; }

for flags in '-g -O2' '-g -O0' '-g -O3 -gdwarf-4' '-g -O2 -gno-strict-dwarf -gvariable-location-views'; do
    # shellcheck disable=SC2086
    gcc $flags -Wl,--build-id -o program work.c || exit 99
    record program
    expect program
    t report --uarch spr --inline --symfs / --format csv made.data
    if grep -q '^\[program+' out && ! grep -q '^work,' out; then echo 'skipped: no inlined functions without elfutils'; exit 77; fi
    counts
    grep -q '^mix (inlined),[1-9]' expected && grep -q '^main,' expected || fail "$flags: nothing was inlined: $(cat expected)"
    while IFS= read -r line; do grep -qxF "$line" counted || fail "$flags: not $line, but: $(grep -F "${line%,*}," counted)"; done < expected
    t report --uarch spr --symfs / --format csv made.data
    ! grep -q inlined out || fail "$what: inlined functions that were not asked for"
done

# call chains: all functions that the innermost is in; work was called by main
gcc -g -O2 -Wl,--build-id -o program work.c
after=$(objdump -d program | awk '/<main>:/ { on = 1 } found { sub(":", "", $1); print "0x" $1; exit } on && /call.*<work>/ { found = 1 }')
record program $((0x550000000000 + after))
[ "$delta" -eq 0 ] || echo "the segment is not at its address"
t report --uarch spr --inline --by stack --symfs / --format csv made.data
says '^main;work;twice \(inlined\);mix \(inlined\),stack,'
t report --uarch spr --by stack --symfs / --format csv made.data
says '^main;work,stack,'
! grep -q inlined out || fail "$what: inlined functions that were not asked for"
t report --uarch spr --inline --callers 'mix (inlined)' --symfs / --format csv made.data
says '^twice \(inlined\),'
says '^main,'
t report --uarch spr --inline --format svg --symfs / made.data
says 'mix \(inlined\)'

# hurt debug information: no crash
record program
cp program whole
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    python3 - whole program $i << 'END'
import random, sys
data = bytearray(open(sys.argv[1], 'rb').read())
random.seed(int(sys.argv[3]))
for _ in range(30):
    data[random.randrange(len(data) // 3, len(data))] = random.randrange(256)
open(sys.argv[2], 'wb').write(data)
END
    "$under_test" report --uarch spr --inline --symfs / made.data > out 2> err
    [ $? -lt 128 ] || fail "hurt debug information $i: $(cat err)"
done

[ ! -e failed ]
