#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --annotate: each instruction of programs that are compiled here at the address and with the text that objdump
# gives it and the line that addr2line gives it, each line with the text of its file; all of them together are their function.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
for tool in gcc addr2line objdump readelf strip python3; do
    command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }
done

mkdir -p src
cat > src/util.h << 'END'
static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
    x ^= x >> 7;
    return x * 2654435761u;
}
END
printf '%s\n' '#include "util.h"' '__attribute__((noinline)) unsigned work(unsigned n)' '{' '    unsigned sum = 0;' '' '    for (unsigned i = 0; i < n; i++)' \
    "$(printf '\tsum += mix(i); /* \303\251 */')" '    return sum;' '}' > src/work.c
printf '%s\n' 'unsigned work(unsigned);' 'int main(int argc, char **argv)' '{' '    (void)argv;' '    return (int)work((unsigned)argc);' '}' > src/main.c
touch -d 2020-01-01 src/*
build() { gcc -Wl,--build-id -g -O2 "$@" "$PWD/src/work.c" "$PWD/src/main.c"; }
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# the addresses of a function's instructions as objdump has them, those of all of them, and what to add for an offset in the file
list() { # PROGRAM FUNCTION
    size=$(readelf -sW "$1" | awk -v name="$2" '$8 == name { print $3 }')
    objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" '$2 == name { on = 1; next } /^$/ { on = 0 } on' > listing
    first=$(sed -n '1s/^ *\([0-9a-f]*\):.*/0x\1/p' listing)
    sed 's/^ *\([0-9a-f]*\):.*/0x\1/' listing | while read -r a; do [ $((a)) -ge $((first + size)) ] || echo "$a"; done > addresses
    objdump -d --no-show-raw-insn "$1" | awk '/^ *[0-9a-f]+:\t/ { sub(":", ""); print "0x" $1 }' > all
    readelf -lW "$1" | awk '/LOAD.*R E/ { print $2, $3 }' > segment
    read -r offset address < segment
    delta=$((offset - address))
}
# so many samples at the k-th instruction: one and k mod 4 more
samples() { # START < ADDRESSES
    k=0
    while read -r a; do
        for i in 0 1 2 3; do [ $i -gt $((k % 4)) ] || echo "at $(($1 + a + delta))"; done
        k=$((k + 1))
    done
}
# a recording of them; the first sample begins no interval
record() { # PATH ID < ADDRESSES
    { echo "map 0x550000000000 0x1000000 0 $2 $1"; echo "at $((0x550000000000 + $(head -n 1 all) + delta))"; samples 0x550000000000; } |
        python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
}
annotate() { t report --uarch spr "$@" made.data; }
# columns of the rows of one kind, for one metric
rows() { # KIND COLUMN,...
    awk -v kind="$1" -v columns="$2" '
    function parts(line, field,   n) { # of a line of csv, whose fields may be quoted
        for (n = 1; ; n++) {
            if (line ~ /^"/) { match(line, /^"([^"]|"")*"/); field[n] = substr(line, 2, RLENGTH - 2); gsub(/""/, "\"", field[n]) }
            else { match(line, /^[^,]*/); field[n] = substr(line, 1, RLENGTH) }
            if (RLENGTH >= length(line)) return n
            line = substr(line, RLENGTH + 2)
        }
    }
    FNR == 1 { for (i = parts($0, field); i; i--) at[field[i]] = i; n = split(columns, column, ","); next }
    { parts($0, field) }
    field[at["kind"]] == kind && field[at["metric"]] == "retiring" { for (i = 1; i <= n; i++) printf "%s%s", field[at[column[i]]], i < n ? "\t" : "\n" }' out
}

build -o program
list program work
record "$PWD/program" "$(id_of program)" < all
annotate --annotate work --symfs / --format csv
if [ $code -ne 0 ]; then
    annotate
    grep -q 'built without elfutils' out && { echo 'skipped: no lines without elfutils'; exit 77; }
fi

# the function is its lines, and these are their instructions, which have no values
cat > sums.py << 'END'
import csv, collections
rows = [r for r in csv.DictReader(open('out', newline='')) if r['metric'] == 'retiring']
of = collections.defaultdict(lambda: [0, 0])
for r in rows:
    for key in (r['kind'], (r['kind'], r['file'], r['line'])):
        of[key][0] += float(r['slots_share'])
        of[key][1] += int(r['intervals'])
same = lambda a, b: abs(a[0] - b[0]) < 1e-12 and a[1] == b[1]
whole = of['function']
assert same(whole, of['line']) and same(whole, of['instruction']), 'sums %s' % dict(of)
for r in rows:
    key = r['file'], r['line']
    assert r['kind'] != 'line' or same(of[('line',) + key], of[('instruction',) + key]), 'line %s:%s' % key
    assert abs(float(r['function_share']) - float(r['slots_share']) / whole[0]) < 1e-12, 'share of %s' % r['scope']
    assert r['kind'] != 'instruction' or r['status'] == 'smeared' and not r['value'], 'an instruction with a value'
END
for flags in '-O0' '-O2' '-O2 -no-pie' '-O2 -gdwarf-4'; do
    # shellcheck disable=SC2086
    build $flags -o program 2> err || { echo "not built: $flags"; continue; }
    list program work
    record "$PWD/program" "$(id_of program)" < all
    annotate --symfs / --format csv
    rows function scope,slots_share,intervals,pure,stay,value > functions # what tdprobe report has for them
    for function in work main; do
        [ $function = work ] || list program $function
        annotate --annotate $function --symfs / --format csv; exits 0
        rows instruction address | sort > got
        sort addresses | cmp -s - got || fail "$what, $flags: instructions at $(tr '\n' ' ' < got), not at $(tr '\n' ' ' < addresses)"
        rows instruction address,file,line | awk -F '\t' '{ print $1, ($2 == "" ? "??:?" : $2 ":" $3) }' | sort > got
        addr2line -e program < addresses | sed 's/ (discriminator.*//; s/^.*:[?0]$/??:?/' | paste -d ' ' addresses - | sort > wanted
        cmp -s wanted got || fail "$what, $flags: $(diff wanted got | head -n 4)"
        python3 sums.py 2> sums || fail "$what, $flags: $(tail -n 1 sums)"
        rows function scope,slots_share,intervals,pure,stay,value > got
        grep "^$function	" functions | cmp -s - got || fail "$what, $flags: $(cat functions got)"
    done
done

# the text of lines is their files', with blanks for tabs
list program work
record "$PWD/program" "$(id_of program)" < all
annotate --annotate work --symfs / --format csv; exits 0
rows line file,line,text > got
while IFS='	' read -r file line text; do
    [ "$text" = "$(sed -n "${line}p" "$file" | expand)" ] || fail "line $line of $file is '$text'"
done < got
grep -q 'util.h' got && grep -q '	        sum += mix(i); /\* é \*/$' got || fail "lines: $(cat got)"
[ "$(rows instruction text | grep -c .)" -gt 0 ] && disassembles=yes || disassembles=
if [ "$disassembles" ]; then
    # that of instructions is objdump's, but for the suffix of a size
    rows instruction address,text | while IFS='	' read -r a text; do
        theirs=$(sed -n "s/^ *${a#0x}:[[:space:]]*\([a-z]*\).*/\1/p" listing)
        case ${text%% *} in "$theirs" | "$theirs"[bwlq]) ;; *) echo "$a: '$text', not '$theirs'" ;; esac
    done > difference
    [ ! -s difference ] || fail "$(head -n 3 difference)"
    # all of them, with those that were not seen
    head -n 3 addresses > some; record "$PWD/program" "$(id_of program)" < some
    annotate --annotate work --symfs / --limit 0
    while read -r a; do grep -qE "^ +[0-9.]* +${a#0x}  [a-z]" out || fail "no $a in the text"; done < addresses
    annotate --annotate work --symfs / -j; exits 0
    says '"scope_kind":"function".*"code":\{.*"instructions":"ok","sources":\[\{"file":"/[^"]*","status":"found"\}'
else
    annotate --annotate work --symfs / -j; exits 0; says '"instructions":"(not_built|no_library)"'
    annotate --annotate work --symfs /; exits 0; says 'instructions have no text'
fi
# the lines with most slots, and how many there are besides
record "$PWD/program" "$(id_of program)" < all
annotate --annotate work --symfs / --format csv; all=$(rows line scope | wc -l)
annotate --annotate work --symfs / --limit 1 --format csv
rows line scope > first
lines first 1
annotate --annotate work --symfs / --limit 1; says "^$((all - 1)) more lines? with slots: --limit 0"
# where all have the same slots, too
{ echo "map 0x550000000000 0x1000000 0 - $PWD/program"; for a in $(head -n 1 all) $(cat addresses); do echo "at $((0x550000000000 + a + delta))"; done; } |
    python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
annotate --annotate work --symfs / --limit 2 --format csv; exits 0
rows line scope > first; lines first 2
[ "$(rows instruction scope | wc -l)" -le 2 ] || fail "$what: $(rows instruction scope)"
record "$PWD/program" "$(id_of program)" < all

# what is known of the source: another one is never shown as if it were the program's without a word
source_is() { # STATUS WORDS
    annotate --annotate work --symfs / -j; exits 0
    says "\"file\":\"$PWD/src/work.c\",\"status\":\"$1\""
    annotate --annotate work --symfs /; exits 0
    [ -z "$2" ] || says "^# $PWD/src/work.c: $2"
    ! grep -q "$(printf '\033')" out || fail "$what: an escape sequence"
}
cp -p src/work.c kept
source_is found ''
! grep -q '^# /.*work.c' out || fail "$what: $(grep '^# /' out)"
touch -d 2038-01-01 src/work.c; source_is newer 'it was written after'; says 'sum \+= mix'
head -n 3 kept > src/work.c; touch -d 2020-01-01 src/work.c; source_is changed 'it is not shown: it has fewer lines'
! grep -q 'unsigned work' out || fail "$what: lines of another file"
rm src/work.c; source_is no_file 'there is no such file'; says '^ *[0-9.]+ .* 7  $'
mkdir src/work.c; source_is no_file 'there is no such file'; rmdir src/work.c
if mkfifo src/work.c; then source_is no_file 'there is no such file'; rm src/work.c; fi
printf 'a\000b\n1\n2\n3\n4\n5\n6\n7\n8\n9\n' > src/work.c; touch -d 2020-01-01 src/work.c; source_is not_text 'it is not shown: it is no text'
{ head -n 5 kept; printf 'for (;;) /* \033[31m \377 */\r\n'; head -c 100000 /dev/zero | tr '\0' x; echo; tail -n 2 kept; } > src/work.c; touch -d 2020-01-01 src/work.c
source_is found ''; says ' 6  for \(;;\) /\* \?\[31m \? \*/$'
[ "$(awk '{ if (length > most) most = length } END { print most }' out)" -lt 1000 ] || fail "$what: a line of 100 kB is whole"
if [ "$(id -u)" -ne 0 ]; then chmod 0 src/work.c; source_is denied 'it may not be read'; chmod 600 src/work.c; fi
rm -f src/work.c; cp -p kept src/work.c
# below --symfs, and what is not there where it is
mkdir -p "root$PWD/src"; cp -p program "root$PWD/"; sed 's/unsigned sum/unsigned all/' kept > "root$PWD/src/work.c"; touch -d 2020-01-01 "root$PWD/src/work.c"
annotate --annotate work --symfs "$PWD/root" --limit 0; exits 0; says 'unsigned all'; says 'x \^= x >> 7'

# without debug information: by instruction; of another build, no function is found
cp program whole
strip -g program
annotate --annotate work --symfs / --format csv; exits 0
rows instruction address | sort > got; sort addresses | cmp -s - got || fail "$what: instructions without lines"
annotate --annotate work --symfs /; exits 0; says "^# work: no line of it is known: .*or build it with -g"; says '^\[unknown line\]:$'
cp whole program
record "$PWD/program" "$(id_of program | tr 0-9a-f 1-9a-f0)" < all
annotate --annotate work; exits 69; warns "no interval ended in a function 'work'"; warns 'functions of .*/program, with .* has another build-id.*--symfs'
empty out
record "$PWD/program" "$(id_of program)" < all
annotate --annotate wrok; exits 69; warns "did you mean 'work'"
annotate --annotate frobnicate; exits 69; warns "those with most slots: '.*work'"
annotate --annotate '[program+0x10]'; exits 69; warns 'shows functions with names, and \[program\+0x10\] has none'
# what it is not made for
for words in --children '--callers main' '--callees main' --inline '--by dso' '--sort name' '--format svg' '--format folded'; do
    # shellcheck disable=SC2086
    annotate --annotate work $words; exits 64; empty out
done
annotate --dso program; exits 64

# one name in two programs: both, or the one that is asked for
build -O1 -o other
{
    echo "map 0x550000000000 0x1000000 0 $(id_of program) $PWD/program"; echo "map 0x560000000000 0x1000000 0 $(id_of other) $PWD/other"
    echo "at $((0x550000000000 + $(head -n 1 all) + delta))"
    list program work; samples 0x550000000000 < addresses
    list other work; samples 0x560000000000 < addresses
} | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
annotate --annotate work --symfs /; exits 0; says 'work is in several programs and libraries: --dso /.* shows only that one'
annotate --annotate work --symfs / --format csv; exits 0
[ "$(rows function dso | sort | tr '\n' ' ')" = "$PWD/other $PWD/program " ] || fail "$what: $(rows function dso)"
rows instruction dso,address | sort > got
for of in other program; do list $of work; sed "s,^,$PWD/$of	," addresses; done | sort > wanted
cmp -s wanted got || fail "$what: $(diff wanted got | head -n 4)"
for dso in other "$PWD/other"; do
    annotate --annotate work --dso "$dso" --symfs / --format csv; exits 0
    [ "$(rows function dso)" = "$PWD/other" ] || fail "$what: $(rows function dso)"
    list other work
    rows instruction address | sort > got; sort addresses | cmp -s - got || fail "$what: instructions of another program"
done
annotate --annotate work --dso third --symfs /; exits 69; warns "'work' is not in third, but in /.*: --dso /.*/"
command=$(sed -n 's/.*: --dso \([^,]*\), or leave --dso out.*/\1/p' err)
annotate --annotate work --dso "$command" --symfs /; exits 0

# the kernel's: by address (its build-id and _text: report-unnamed.sh)
samples=$TD_SRCDIR/tests/samples
mkdir -p kernel/sys/kernel kernel/proc
printf '\004\000\000\000\024\000\000\000\003\000\000\000GNU\000\073\103\372\325\003\110\164\111\004\222\111\135\125\054\012\366\245\372\262\065' > kernel/sys/kernel/notes
printf 'ffffffff8c800000 T _text\nffffffff8c800010 T a_function\nffffffff8d600000 T after\n' > kernel/proc/kallsyms
t report --uarch spr --symfs "$PWD/kernel" --annotate a_function "$samples/long.data"; exits 0
says "a_function: it is the kernel's, which is in no file"
says '^ +[0-9.]+ +ffffffff8c[0-9a-f]{6}'

# with call chains: a function's own samples, not those of what it calls
t report --uarch spr --symfs "$samples/symfs" --annotate chase --format csv "$samples/nest.data"; exits 0
python3 sums.py 2> sums || fail "$what: $(tail -n 1 sums)"
rows function scope,slots_share,intervals,pure,stay,value > got
t report --uarch spr --symfs "$samples/symfs" --format csv "$samples/nest.data"
rows function scope,slots_share,intervals,pure,stay,value | grep '^chase	' > wanted
cmp -s wanted got || fail "$what: $(cat wanted got)"

# what is next leads somewhere, with all that the recording needs, and where it does not it is not named
t report --uarch spr --symfs "$samples/symfs" "$samples/long.data"; exits 0
next=$(sed -n 's/^tdprobe \(report .*--annotate.*\)/\1/p' out)
[ -n "$next" ] || fail "$what: no --annotate is next: $(tail -n 3 out)"
sh -c "\"\$TDPROBE\" $next" > out 2> err || fail "$next: $(cat err)"
says ' (chase|branchy)$'
! grep -q -- '--annotate' out || fail "$next: names itself"
for words in --children --inline '--by dso' "--symfs $PWD/none"; do
    # shellcheck disable=SC2086
    t report --uarch spr --symfs "$samples/symfs" $words "$samples/long.data"
    next=$(sed -n 's/^tdprobe \(report .*--annotate.*\)/\1/p' out)
    [ -z "$next" ] || sh -c "\"\$TDPROBE\" $next" > out 2> err || fail "$what: next is $next: $(cat err)"
done
"$under_test" report --uarch spr --symfs "$samples/symfs" - < "$samples/long.data" > out 2> err
! grep -q -- '--annotate' out || fail "what was read from a pipe cannot be read again"
"$under_test" report --uarch spr --symfs "$samples/symfs" --annotate chase - < "$samples/long.data" > out 2> err || fail "from a pipe: $(cat err)"
says ' chase$'

# code of other CPUs: of arm64, each four bytes; none of RISC-V (e_machine of elf(5))
cp whole program
list program work
record "$PWD/program" - < addresses
machine() { printf "\\$(printf %o "$1")\\000" | dd of=program bs=1 seek=18 conv=notrunc 2> dd; }
if [ "$disassembles" ]; then
    machine 183
    annotate --annotate work --symfs / --limit 0; exits 0
    size=$(readelf -sW whole | awk '$8 == "work" { print $3 }')
    grep -cE ' [0-9a-f]*[048c]  [a-z.]+' out > words
    [ "$(cat words)" -ge $((size / 4)) ] || fail "$what: $(cat words) instructions of arm64 in $size bytes"
    machine 243
    annotate --annotate work --symfs /; exits 0; says 'for another CPU than x86 or arm64'
fi

# a file that is cut off or changed: no crash, whatever it says
record "$PWD/hurt" - < addresses
size=$(wc -c < whole)
python3 - whole << 'END'
import random, sys
whole = open(sys.argv[1], 'rb').read()
for i in range(1, 21):
    data = bytearray(whole)
    random.seed(i)
    for _ in range(40):
        data[random.randrange(len(data) if i % 2 else 4096)] = random.randrange(256)
    open('hurt%d' % i, 'wb').write(data)
END
for i in $(seq 20); do
    head -c $((size * i / 21)) whole > hurt
    annotate --annotate work --symfs / --limit 0; [ $code -le 77 ] || fail "$what: exit $code: $(tail -n 3 err)"
    mv "hurt$i" hurt
    annotate --annotate work --symfs / --limit 0; [ $code -le 77 ] || fail "$what: exit $code: $(tail -n 3 err)"
done

# on a terminal: no line of the table is longer than it is wide; the node that limits has a colour
if command -v script > /dev/null && script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
    escape=$(printf '\033')
    for columns in 120 80 50; do
        env -u NO_COLOR TERM=xterm script -qec "stty cols $columns; '$TDPROBE' report --uarch spr --symfs '$samples/symfs' --annotate branchy '$samples/long.data' 2> /dev/null" /dev/null < /dev/null |
            tr -d '\r' > screen
        grep -q "$escape" screen || fail "$columns columns: no colour"
        sed "s/$escape\[[0-9;]*m//g" screen | awk -v most=$columns '/^next:$/ { exit } !/^#/ && length > most' > long
        [ ! -s long ] || fail "$columns columns: $(head -n 2 long)"
        grep -q 13e0 screen || fail "$columns columns: $(cat screen)"
    done
fi

[ ! -e failed ]
