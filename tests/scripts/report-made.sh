#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report of code that was made while the program ran, as JIT compilers do: its functions have the names of
# tmp/perf-PID.map. The recording is one of a program in a file; where the file's name is made "//anon", and a map has the
# addresses and sizes that nm and perf script --show-mmap-events give of its functions, all numbers must be the same.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
mkdir -p made/tmp
map=made/tmp/perf-102.map

t report --uarch spr --symfs "$samples/symfs" --format csv "$samples/long.data"; exits 0
grep -q '^branchy,' out || { echo 'skipped: functions have no names without elfutils'; exit 77; }
named() { awk -F, -v OFS=, '$1 ~ /^(scan|chase|branchy|lookup|update|main)$/ { $2 = $3 = ""; print }' "$1"; }
named out > want
[ -s want ] || fail 'no function'

LC_ALL=C sed 's|/usr/bin/kernels|//anon\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00|g' "$samples/long.data" > anon.data
t report --uarch spr --symfs made anon.data; exits 0
says '^# functions of //anon, with 78\.9 % of the slots, have no names: .* no /tmp/perf-PID\.map names them; let the program write one'
says '^ +78\.9 .* anon \(no symbols\)$'
t report --uarch spr --symfs made --by address anon.data; says ' \[anon\+0x'
t report --uarch spr --symfs made -j --limit 1 anon.data; exits 0; says '"dso":"//anon","symbols":"no_map"'

# functions are mapped from 0x563b50377000 on, which is 0x1000 in the file
functions() {
    cat << 'END'
563b50377159 f6 scan
563b5037724f fe chase
563b5037734d f5 branchy
563b50377442 31 lookup
563b50377473 11d update
563b50377590 f0 main
END
}
same() { # WHAT: the map gives the functions of the file
    t report --uarch spr --symfs made --format csv anon.data; exits 0
    named out > got
    cmp -s want got || fail "$1: $(diff want got | head -n 4)"
}
functions > $map; same 'a map'
! grep -q 'no_map,' out || fail 'some address has no name'
t report --uarch spr --symfs made anon.data; says ' branchy$'; ! grep -q '//anon' out || fail "$what: $(grep '//anon' out)"
t report --uarch spr --symfs made --by line anon.data; exits 0
t report --uarch spr --symfs made --by dso --format csv anon.data; exits 0; says '^//anon,'
functions | tac > $map; same 'in another order'
functions | sed 's/^/0x/; s/ / 0x/' > $map; same 'with 0x'
# what was at an address before is gone; what is no such line is left out
{
    functions | sed 's/ [a-z]*$/ old/'
    printf 'ffffffffffffff00 200 beyond\n563b50377159 0 empty\n563b50377159\n\n \nzz 10 x\n-1 10 x\n563b50377159 f6\n563b50377159 f6 \n'
    awk 'BEGIN { printf "1000 10 "; for (i = 0; i < 5000; i++) printf "long"; print "" }'
    functions
} > $map; same 'made again'
for size in 0 ffffffffffffff00; do # of no function
    functions | sed "s/ fe chase/ $size chase/" > $map
    t report --uarch spr --symfs made anon.data; says ' branchy$'; ! grep -q ' chase$' out || fail "$what: a function of $size bytes"
done
functions | sed 's/branchy/a\x1b[31m\x07b/' > $map
t report --uarch spr --symfs made anon.data; says ' a.*\[31m.*b$'; ! grep -q "$(printf '\033')" out || fail 'an escape sequence is printed'
# another process's is not taken, nor a link, nor another user's, nor a FIFO
functions > $map; mv $map made/tmp/perf-103.map
t report --uarch spr --symfs made anon.data; says ' anon \(no symbols\)$'
ln -s perf-103.map $map
t report --uarch spr --symfs made -j --limit 1 anon.data; says '"symbols":"no_map"'
rm $map; mkfifo $map
t report --uarch spr --symfs made -j --limit 1 anon.data; exits 0; says '"symbols":"denied"'
rm $map
if [ "$(id -u)" -eq 0 ]; then
    mv made/tmp/perf-103.map $map; chown 65534 $map
    t report --uarch spr --symfs made -j --limit 1 anon.data; says '"symbols":"denied"'
    t report --uarch spr --symfs made anon.data; says "another user's or no regular file; report as its owner \(root takes a map or a jitdump only after 'chown root' of it\)$"
    chown root $map; t report --uarch spr --symfs made anon.data; says ' branchy$' # what is advised
fi

# A child that was forked while it was recorded has its parent's functions, unless it has a map of its own. Of crew, 138 is the
# parent, and parse and checksum run in 140 alone; its functions are mapped from 0x558128e07000 on, which is 0x1000 in the file.
shares() { awk -F, -v OFS=, '$1 ~ /^(parse|checksum)$/ { $2 = $3 = ""; print }' out; }
t report --uarch spr --symfs "$samples/symfs" --format csv "$samples/system.data"; exits 0
shares > want
[ "$(grep -c . want)" -gt 7 ] || fail 'no function of a child'
LC_ALL=C sed 's|/usr/bin/crew\x00\x00|//anon\x00\x00\x00\x00\x00\x00\x00\x00\x00|g' "$samples/system.data" > anon.data
rm -f made/tmp/*
printf '558128e0750a f6 checksum\n558128e07415 f5 parse\n' > made/tmp/perf-138.map
t report --uarch spr --symfs made --format csv anon.data; exits 0
shares > got
cmp -s want got || fail "a child: $(diff want got | head -n 4)"
printf '558128e07415 f5 own\n' > made/tmp/perf-140.map
t report --uarch spr --symfs made --format csv anon.data; exits 0
says '^own,'; ! grep -q '^parse,' out || fail 'the map of the parent goes before that of the child'
[ ! -e failed ]
