#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report and replay --by line and source: each instruction of programs that are compiled here has the line that addr2line
# of binutils gives it, from the program or from its separate debug information.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
for tool in gcc addr2line objdump readelf objcopy strip python3; do
    command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }
done

mkdir -p src/one src/two
cat > src/one/util.h << 'END'
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
    x ^= x >> 7;
    return x * 2654435761u;
}
static inline __attribute__((always_inline)) unsigned twice(unsigned x)
{
    unsigned y = mix(x);

    return mix(y + 1);
}
END
cat > src/one/work.c << 'END'
#include "util.h"
__attribute__((noinline)) unsigned work(unsigned n)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += twice(i);
    return sum;
}
END
cat > src/two/work.c << 'END'
#include "../one/util.h"
unsigned work(unsigned);
int main(int argc, char **argv)
{
    (void)argv;
    return (int)mix(work((unsigned)argc));
}
END
build() { gcc -Wl,--build-id "$@" src/one/work.c src/two/work.c; }

id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# the addresses of all instructions, and where these are in the file: all of them are in one segment
places_of() {
    readelf -lW "$1" | awk '/LOAD.*R E/ { print $2, $3 }' > segment
    read -r offset address < segment
    objdump -d "$1" | awk '/^ *[0-9a-f]+:\t/ { sub(":", ""); print "0x" $1 }' > addresses
    delta=$((offset - address))
}
# a recording with a sample at each address of a list, of a program at a path with a build-id; the first begins no interval
record() { # PATH ID
    {
        echo "map 0x550000000000 0x1000000 0 $2 $1"
        echo "at $((0x550000000000 + $(head -n 1 addresses) + delta))"
        while read -r a; do echo "at $((0x550000000000 + a + delta))"; done < addresses
    } | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
}
# what addr2line says of each, of a file with debug information
expect() { # FILE
    addr2line -e "$1" < addresses | sed 's/ (discriminator [0-9]*)//' > expected
}
# the scope of each interval in order, "?" for what is not known
seen() { # WAY OPTIONS...
    way=$1
    shift
    t replay --uarch spr --by "$way" --format csv "$@" made.data
    exits 0
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } $column["metric"] == "retiring" { print $column["scope"] }' out > scopes
}
# each place is the expected one; where addr2line knows none, so says tdprobe
agree() {
    sed 's/^.*:[?0]$/?/' expected > wanted
    sed 's/^\[.*+unknown [a-z]*\]$/?/' scopes | tail -n "$(wc -l < wanted)" > got
    diff wanted got > difference || fail "$what: $(grep -A3 -m 4 "^[<>]" difference | head -n 6; grep -m 3 "^>" difference)"
    [ "$(grep -vc '^?' got)" -ge "$1" ] || fail "$what: only $(grep -vc '^?' got) lines are known"
}

# by all line tables: of gcc with and without optimising, old and new forms, with view numbers; of clang, which writes no .debug_aranges
built=
for flags in '-g -O0' '-g -O2' '-g -O2 -gdwarf-4' '-g -O2 -gvariable-location-views -gno-strict-dwarf' '-g -O2 -no-pie' '-g -O2 -ffunction-sections -Wl,--gc-sections'; do
    # shellcheck disable=SC2086
    build $flags -o program 2> err || { echo "not built: $flags"; continue; }
    places_of program
    expect program
    record "$PWD/program" "$(id_of program)"
    seen line --symfs /
    if [ -z "$built" ] && ! grep -q "^$PWD/src/one/work.c:[0-9]" scopes; then
        "$under_test" report --uarch spr --by line made.data > out 2> err
        grep -q 'built without elfutils' out && { echo 'skipped: no lines without elfutils'; exit 77; }
    fi
    built=$flags
    agree 25
done
if command -v clang > /dev/null && clang -Wl,--build-id -g -O2 -o program src/one/work.c src/two/work.c 2> err; then
    places_of program; expect program; record "$PWD/program" "$(id_of program)"; seen line --symfs /; agree 15
fi

# several rows of one address: the last of them, as in the decoded table
build -g -O2 -o program
places_of program
readelf --debug-dump=decodedline program | awk '$3 ~ /^0x/ && $2 ~ /^[0-9]+$/ { n[$3]++ } END { for (a in n) twice += n[a] > 1; print twice + 0 }' > twice
[ "$(cat twice)" -gt 0 ] || fail "no address has two rows in the line table"

# files of one name in two folders, and the header in both; totals by source are those of its lines
record "$PWD/program" "$(id_of program)"
expect program
seen line --symfs /
agree 25
for file in one/work.c two/work.c one/util.h; do grep -q "^$PWD/src/.*$file:" scopes || fail "no line of $file"; done
seen source --symfs /
sed 's/^.*:[?0]$/?:?/; t; s/:[0-9]*$//' expected > by-source
mv by-source expected
agree 25
t report --uarch spr --by line -j --limit 1 --sort intervals made.data
says '"scope_kind":"line".*"dso":"/.*/program","symbols":"(found|no_lines)"'

# separate debug information: by build-id and by link, beside the program, in .debug, and below usr/lib/debug; an other file is not used
expect program
id=$(id_of program)
strip -o stripped program
objcopy --only-keep-debug program program.debug
objcopy --add-gnu-debuglink=program.debug stripped linked
store=usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)
debug=$store/$(echo "$id" | cut -c3-).debug
record /opt/app "$id"
root() { rm -rf root; mkdir -p root/opt/.debug "root/$store" root/usr/lib/debug/opt; cp "$1" root/opt/app; }
root stripped; seen line --symfs "$PWD/root"
[ "$(sort -u scopes | grep -c unknown)" -ge 1 ] && ! grep -qv '^\[.*+unknown line\]$' scopes || fail "$what: lines of a stripped file: $(sort -u scopes | head -n 3)"
t report --uarch spr --by line --symfs "$PWD/root" --limit 0 made.data
says 'lines of /opt/app, with .* are not known: the file has no'
root stripped; cp program.debug "root/$debug"; seen line --symfs "$PWD/root"; agree 25
for at in opt/program.debug opt/.debug/program.debug usr/lib/debug/opt/program.debug; do
    root linked; cp program.debug "root/$at"; seen line --symfs "$PWD/root"; agree 25
    root stripped; cp program.debug "root/$at"; seen line --symfs "$PWD/root"
    ! grep -q 'work.c:' scopes || fail "$what: $at is used without a link"
    root linked; cp program.debug "root/$at"; printf x >> "root/$at"; seen line --symfs "$PWD/root"
    ! grep -q 'work.c:' scopes || fail "$what: $at is used with another checksum"
done
# with another build-id, nothing is known; the same program beside, by its name
record /opt/app "$(echo "$id" | tr 0-9a-f 1-9a-f0)"
root program; seen line --symfs "$PWD/root"
! grep -q 'work' scopes || fail "$what: lines of another build: $(grep -m 1 work scopes)"
record /somewhere/else/app "$id"
rm -rf root; mkdir root; cp program root/app; seen line --symfs "$PWD/root"; agree 25
# without a build-id: only below a root
record "$PWD/program" -
seen line; ! grep -q 'work' scopes || fail "$what: a file that may be another"
seen line --symfs /; agree 25

# two programs whose offsets have different lines
sed 's/^/\n\n/' src/two/work.c > src/two/other.c
gcc -g -O2 -Wl,--build-id -o other src/one/work.c src/two/other.c
head -n 40 addresses > some
mv some addresses
addr2line -e program < addresses | sed 's/ (discriminator [0-9]*)//' > first
addr2line -e other < addresses | sed 's/ (discriminator [0-9]*)//' > second
paste -d '\n' first second > expected
cmp -s first second && fail "the two programs have the same lines"
{
    echo "map 0x550000000000 0x1000000 0 $(id_of program) $PWD/program"
    echo "map 0x560000000000 0x1000000 0 $(id_of other) $PWD/other"
    echo "at 0x550000001000"
    while read -r a; do echo "at $((0x550000000000 + a + delta))"; echo "at $((0x560000000000 + a + delta))"; done < addresses
} | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
seen line --symfs /; agree 15
# a line of the header in both programs is two places
t report --uarch spr --by line --symfs / --format csv made.data
awk -F, '$1 ~ /util.h:3$/ && $2 == "line" { print $3 }' out | sort -u > programs
lines programs 2

# debug information that is cut off or changed: no crash, whatever it says
places_of program
record "$PWD/hurt" -
size=$(wc -c < program)
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    head -c $((size * i / 21)) program > hurt
    seen line --symfs /
    python3 - program hurt $i << 'END'
import random, sys
data = bytearray(open(sys.argv[1], 'rb').read())
random.seed(int(sys.argv[3]))
for _ in range(40):
    data[random.randrange(len(data) // 3, len(data))] = random.randrange(256)
open(sys.argv[2], 'wb').write(data)
END
    seen line --symfs /
done

[ ! -e failed ]
