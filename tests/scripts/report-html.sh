#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report --format html: what Python's parsers read in the page, beside the csv of the same recording; names that would be more than text.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo 'skipped: no python3'; exit 77; }
. "$TD_SRCDIR/tests/scripts/pages.sh"
samples=$TD_SRCDIR/tests/samples
spr="report --uarch spr --symfs $samples/symfs"
page() { # OPTIONS...: page.html is right, and agrees with the csv
    # shellcheck disable=SC2086
    t $spr --format csv "$@"
    mv out page.csv
    # shellcheck disable=SC2086
    t $spr --format html "$@"
    mv out page.html
    check html_page.py page.html page.csv
    cp page.html out
}

for name in long nest regs throttled perthread pairs; do page "$samples/$name.data"; exits 0; done
page "$samples/system.data"
# without names each address is a place of its own, none of which has an estimate there
if grep -q 'built without elfutils' out; then exits 69; else exits 0; fi
page "$samples/fast.data"; exits 69; says 'No function has a value'; says 'smeared: '
page --level 1 "$samples/nest.data"; exits 0
page -M all "$samples/nest.data"; exits 0
page --limit 0 "$samples/nest.data"; exits 0; ! grep -q 'shows all' out || fail "$what: not all"
page --limit 2 "$samples/nest.data"; exits 0; [ "$(grep -c '^<tbody>' out)" -eq 2 ] || fail "$what: not two functions"; says '<p class="soft">[0-9]+ more, with [0-9.]+ % of the slots: <code>--limit 0'
for by in dso line source thread comm cpu stack; do page --by $by "$samples/nest.data"; done
page --by dso "$samples/nest.data"; says '<h1>[^<]*: programs and libraries</h1>'
page --children "$samples/nest.data"; says '<h1>[^<]*: functions, each with all that it calls</h1>'
page --callers chase "$samples/nest.data"; exits 0; says '<h1>[^<]*: callers of chase</h1>'
page --callees lookup "$samples/nest.data"; exits 0; says '<h1>[^<]*: what is called by lookup</h1>'

# the recording, as perf report --header-only has it; notes and next steps
page "$samples/nest.data"
says '<dt>host</dt><dd><bdi>guest</bdi></dd>'; says '<dt>command</dt><dd><bdi>/usr/bin/perf record -o /out/nest.data -F 4000 -g .* nest</bdi>'
says '<dt>CPU</dt><dd><bdi>spr</bdi>'; says '<dt>formula</dt><dd><bdi>glc-perf-metrics'; says "<dt>date</dt><dd><bdi>$(date -u -r "$samples/nest.data" '+%Y-%m-%d %H:%M') UTC"
says '<li>left out: 2 intervals counted since counting was enabled'; says '<li>.*multiplexing would not be seen; perf record --running-time records it</li>'; warns 'multiplexing would not be seen'
[ "$(grep -c 'multiplexing would not' err)" -eq 1 ] || fail "$what: notes come twice: $(cat err)"
says '<pre><code>'

# the flame graph is that of --format svg, where there are call chains; a pipe is read only once
# shellcheck disable=SC2086
{
frames() { grep -o '<g class="frame".*' "$1"; }
frames out > drawn
t $spr --format svg "$samples/nest.data"; frames out > alone
[ -s drawn ] && cmp -s drawn alone || fail "the flame graph of a page is not that of its own file"
t $spr --format html "$samples/long.data"; says 'no call chains were recorded'; ! grep -q 'class="frame"' out || fail "$what: a flame graph without chains"
"$under_test" $spr --format html - < "$samples/nest.data" > out 2> err; says 'can be read only once'; ! grep -q '<dt>date' out || fail "a date of stdin"
t $spr --format html -o page.html "$samples/nest.data"; exits 0; empty out; cmp -s page.html - < page.html || fail "$what: no page"
}

# names that would be markup, in other directions, or commands of a terminal: of the file, of programs, of symbols
hostile='</script><script>document.title=1</script><img/src=x/onerror=alert(1)>&amp;"'\''`--><svg/onload=alert(2)>]]>'
controls=$(printf 'a\302\233b\033[31m\177\342\200\256c\357\277\277d\377')
{
    echo "map 0x10000 0x1000 0 - /opt/$hostile"
    echo "map 0x20000 0x1000 0 - /opt/$controls"
    i=0
    while [ $i -lt 40 ]; do echo 'at 0x10040 1 0x20050'; i=$((i + 1)); done
    while [ $i -gt 0 ]; do echo 'at 0x20040 1 0x10050'; i=$((i - 1)); done
} > places
PYTHONIOENCODING=utf-8:surrogateescape PYTHONUTF8=1 python3 - places made.data "$TD_SRCDIR/tests/scripts/sampled_at.py" << 'END' || exit 99
import runpy, sys
lines, out, program = sys.argv[1:]
sys.stdin = open(lines, encoding='utf-8', errors='surrogateescape')
source = open(program).read().replace("path.encode()", "path.encode('utf-8', 'surrogateescape')")
sys.argv = [program, out]
exec(compile(source, program, 'exec'))
END
page made.data; exits 0
says 'class="frame"'
page --by dso made.data; exits 0
mkdir dir && cp made.data "dir/$(printf '<b>\302\233\377\177"&.data')"
page dir/*; exits 0; says '<title>&lt;b&gt;\\xc2\\x9b\\xff\\x7f&quot;&amp;.data: where the slots went</title>'
# shellcheck disable=SC2086
t $spr --format html --callers '<i>"&' made.data; check html_page.py out

if command -v gcc > /dev/null && command -v readelf > /dev/null; then
    cat > names.s << 'END'
.text
.macro function name
.globl "\name"
.type "\name", @function
"\name": .skip 64, 0x90
.size "\name", 64
.endm
function _ZN5StoreISt6vectorIiSaIiEEE4findILb1EEEbRKS2_
function "</script><script>document.title=2</script>"
function "a&lt;b' onmouseover=alert(3)"
.section .note.GNU-stack,"",@progbits
END
    so='<i>&"/names.so' # a path that is shown below the names of its functions
    mkdir '<i>&"' && gcc -shared -nostdlib -Wl,--build-id -o "$so" names.s || exit 99
    id=$(readelf -n "$so" | sed -n 's/.*Build ID: //p')
    readelf -lW "$so" | awk '/LOAD.*R E/ { print $2, $3 }' > segment
    read -r offset address < segment
    readelf -sW "$so" | awk '$4 == "FUNC" && !seen[$2]++ { print "0x" $2 }' > starts
    {
        echo "map 0x550000000000 0x1000000 0 $id $PWD/$so"
        while read -r start; do i=0; while [ $i -lt 30 ]; do echo "at $((0x550000000000 + start + offset - address))"; i=$((i + 1)); done; done < starts
    } | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" made.data
    spr="report --uarch spr --symfs /"
    page made.data; exits 0
    if ! grep -q '^\[names.so+' page.csv; then
        says '<bdi>bool Store&lt;std::vector&lt;int, std::allocator&lt;int&gt; &gt; &gt;::find&lt;true&gt;\(std::vector'
        says '<small>[^<]*/&lt;i&gt;&amp;&quot;/names.so</small>'
        says '<bdi>&lt;/script&gt;&lt;script&gt;document.title=2&lt;/script&gt;</bdi>'
    fi
fi

checked
[ ! -e failed ]
