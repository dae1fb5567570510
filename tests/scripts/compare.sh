#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe compare: its formats, read by what reads them elsewhere, conditions and exit codes, what belongs together, wrong usage.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
traces=$TD_SRCDIR/traces

# ---- wrong usage: the same without GSL ----
t compare --help; exits 0; says '^usage: tdprobe compare'
t compare; exits 64; warns 'takes two recordings or more, not 0'
t compare a; exits 64; warns 'not 1'
t compare --margin x a b; exits 64; warns "'x' is not a number of points"
t compare --margin -1 a b; exits 64
t compare --by nothing a b; exits 64; warns '--by is function, dso'
t compare --seed 1.5 a b; exits 64; warns 'whole number'
t compare --format jnit a b; exits 64; warns 'the nearest is junit'
t compare --fail-if 'memory_bound' a b; exits 64; warns 'is no condition'
t compare --fail-if 'ipc < -3%, x' a b; exits 64; warns 'is no condition'
# a metric that no CPU has, whatever else is given, and before anything is read; what is advised is then accepted:
# the files are the next obstacle, or the library that is missing
accepted=65; t compare a b; ! grep -q 'without GSL' err || accepted=69
unknown() { # CONDITION ADVISED
    for more in '' '--inconclusive pass' '--inconclusive fail' '--fail-if retiring>-99pp'; do
        # shellcheck disable=SC2086 # words
        t compare --fail-if "$1" $more nosuch-a nosuch-b; exits 64; warns "^tdprobe: --fail-if '$1': no CPU has a metric '[a-z]*'; the nearest is [a-z_]*: '$2'; see"
    done
    t compare --fail-if "$(sed -n "s/.*: '\([^']*\)'; see.*/\1/p" err)" nosuch-a nosuch-b; exits $accepted; warns 'nosuch-a cannot be opened|without GSL'
}
unknown 'corebound > 2' 'core_bound > .2pp'
unknown 'corebound > -2pp' 'core_bound > -2pp'
unknown 'corebound < 2%' 'core_bound < .2%'
unknown 'ipcc < 3pp' 'ipc < .3%'
unknown 'ipcc < -0.5' 'ipc < -0.5'
unknown 'instruktions > 5%' 'instructions > .5%'
t compare --fail-if 'qqqqqqqq > 1' a b; exits 64; warns "no CPU has a metric 'qqqqqqqq'; 'tdprobe list metrics' lists them"
t compare --fail-if 'info_thread_ipc > 1%' nosuch-a nosuch-b; exits $accepted # some CPU has it
t compare --inconclusive maybe a b; exits 64; warns 'pass or fail'
t compare --vs a b; exits 64; warns 'no recording before'
t compare a b --vs; exits 64; warns 'no recording after'
t compare --paired a b; exits 64; warns 'runs are paired'
t compare --nonesuch a b; exits 64
t compare - -; exits 64; warns 'stdin'

# ---- recordings of a Sapphire Rapids: N intervals of these shares, RETIRING and BACKEND in 10000ths, in turn a little more and less ----
series() { # FILE INTERVALS RETIRING BACKEND SCATTER [TIMES]
    awk -v n="$2" -v ret="$3" -v be="$4" -v scatter="$5" -v times="${6:-1}" 'BEGIN {
        for (i = 1; i <= n; i++) {
            off = scatter * ((i * 7) % 11 - 5) / 5 # 7 and 11: no two neighbours alike
            s = 100000000 * times
            printf "%d.000000000,%d,,slots,900,100.00,,\n", i, s
            printf "%d.000000000,%d,,topdown-retiring,900,100.00,,\n", i, s * (ret + off) / 10000
            printf "%d.000000000,%d,,topdown-bad-spec,900,100.00,,\n", i, s * (10000 - ret - be) / 20000
            printf "%d.000000000,%d,,topdown-fe-bound,900,100.00,,\n", i, s * (10000 - ret - be) / 20000
            printf "%d.000000000,%d,,topdown-be-bound,900,100.00,,\n", i, s * (be - off) / 10000
            printf "%d.000000000,0,,int_misc.uop_dropping,900,100.00,,\n", i # without it bounds are likely ones
        }
    }' > "$1"
}
series one-a.csv 1 3000 4000 0
series one-b.csv 1 2000 5000 0
series a.csv 33 3000 4000 100
series again.csv 33 3000 4000 100
series b.csv 33 2500 4500 100
series near.csv 33 2980 4020 100
series c.csv 33 2000 5000 100 2
t compare --uarch spr one-a.csv one-b.csv
if grep -q 'without GSL' err; then
    exits 69
    [ ! -e failed ]
    exit
fi
exits 0; says 'retiring +30.0 % +20.0 % +-10.0 points'; says 'less: worse'; says 'sound bounds'

# ---- one interval a side: by the bounds that replay gives ----
if command -v jq > /dev/null; then
    for file in a b; do
        "$TDPROBE" replay --uarch spr --format json one-$file.csv | jq -c 'select(.type == null) | .metrics.retiring | {value, low, high}' > one-$file.json
    done
    t compare --uarch spr -j one-a.csv one-b.csv; exits 0; warns 'sound bounds'
    jq -e -n --slurpfile a one-a.json --slurpfile b one-b.json --slurpfile out out '$out[] | select(.metric == "retiring") |
        .a == $a[0] and .b == $b[0] and ((.diff.low - ($b[0].low - $a[0].high)) | fabs) < 1e-12 and
        ((.diff.high - ($b[0].high - $a[0].low)) | fabs) < 1e-12 and .call == "less"' > /dev/null || fail "$what: not the bounds of replay: $(grep retiring out)"
    # the contract: these members and no others
    t compare --uarch spr --format json a.csv b.csv; exits 0
    jq -e -s 'length >= 5 and all(keys_unsorted == ["schema", "scope", "scope_kind", "metric", "a", "b", "diff", "call"] and .schema == "tdprobe-compare/1" and
        all(.a, .b, .diff; keys_unsorted == ["value", "low", "high"]) and (.call | IN("more", "less", "same", "unknown")))' out > /dev/null ||
        fail "$what: not the schema: $(head -n 1 out)"
    # calls and bounds never disagree
    jq -e -s 'all(if .call == "more" then .diff.low > 0 elif .call == "less" then .diff.high < 0 else true end)' out > /dev/null || fail "$what: calls against bounds"
    jq -e -s '[.[] | select(.call == "less") | .metric] | sort == ["retiring"]' out > /dev/null || fail "$what: not only retiring is less"
    t compare --uarch spr --format gitlab a.csv b.csv --fail-if 'retiring < -1pp'; exits 1
    jq -e 'length >= 2 and all(.description and .check_name and .fingerprint and .severity and .location.path and .location.lines.begin) and
        ([.[].fingerprint] | unique | length) == length' out > /dev/null || fail "$what: no code quality report: $(cat out)"
    t compare --uarch spr -j a.csv b.csv c.csv; exits 0
    [ "$(jq -s '[.[].recording] | unique | length' out)" -eq 2 ] || fail "$what: does not tell B from C"
fi

# ---- series ----
t compare --uarch spr a.csv again.csv; exits 0
grep -qE ' (more|less)[:;]? ' out && fail "$what: equal recordings are said to differ: $(cat out)"
says 'backend_bound .* same, within 1 pp'
t compare --uarch spr a.csv near.csv; exits 0; says 'retiring .* same, within'
t compare --uarch spr --margin 0 a.csv near.csv; exits 0; says 'retiring .* no difference shown'
t compare --uarch spr a.csv c.csv; exits 0; says 'slots .*\+100.0 %'; says 'backend_bound .* more: worse; [0-9.e+]+ slots more'
says "Holm's method for the 4 values"; says 'seed 1$'
# units of all values; how many recordings a side has, where there are several
says '^  slots +3\.3e\+09 slots +6\.6e\+09 slots '; says '^  backend_bound .* points   [-+][0-9.]+ \.\. [-+][0-9.]+ points '; says '^  a: a.csv$'
cp a.csv a2.csv; cp c.csv c2.csv
t compare --uarch spr a.csv a2.csv --vs c.csv c2.csv; exits 0; says '^  a: a.csv, 2 recordings$'; says '^  b: c.csv, 2 recordings$'
# a smaller share of more slots: 40 % of 100, then 35 % of 200
series d.csv 33 3500 3500 100 2
t compare --uarch spr a.csv d.csv; exits 0; says 'backend_bound .*less: a smaller share of more slots, no gain'
t compare --uarch spr --seed 7 a.csv b.csv; exits 0; says 'seed 7$'; mv out seven
t compare --uarch spr --seed 7 a.csv b.csv; cmp -s out seven || fail "$what: the same seed gives another answer"
# the difference is that of the counts
t compare --uarch spr -x ';' a.csv b.csv; exits 0
[ "$(awk -F';' '$6 == "retiring" { printf "%.4f %s %s", $14, $17, $18 }' out)" = '-0.0500 less intervals' ] || fail "$what: $(grep retiring out)"
[ "$(head -n 1 out | tr ';' '\n' | wc -l)" -eq "$(sed -n 2p out | tr ';' '\n' | wc -l)" ] || fail "$what: rows unlike their head"
# a trend, and two phases
awk 'BEGIN { for (i = 1; i <= 40; i++) { r = 2000 + 50 * i + (i * 7) % 11; printf "%d.000000000,1000000,,slots,9,100.00,,\n%d.000000000,%d,,topdown-retiring,9,100.00,,\n%d.000000000,100000,,topdown-bad-spec,9,100.00,,\n%d.000000000,100000,,topdown-fe-bound,9,100.00,,\n%d.000000000,%d,,topdown-be-bound,9,100.00,,\n", i, i, r * 100, i, i, i, 800000 - r * 100 } }' > trend.csv
t compare --uarch spr a.csv trend.csv; exits 0; says 'trend.csv, system: retiring has a trend, from 20.* to 40'
{ series first.csv 20 3000 4000 20; series then.csv 20 2000 5000 20; awk -F. 'NR == FNR { print; next } { $1 += 20 } 1' OFS=. first.csv then.csv; } > phases.csv
t compare --uarch spr a.csv phases.csv; exits 0; says 'phases.csv, system: retiring has two phases, 30.0 % and from interval 21 on 20.0 %'
says 'make five of each: tdprobe compare a\*.csv --vs phases\*.csv$'

# its first line says it: frontend 30 to 20 %, backend 40 to 50 % of the slots; the time of one recording, 0.2 and 0.25 s
one() { printf '%s\n' 1000000,,slots,9,100.00,, 200000,,topdown-retiring,9,100.00,, 100000,,topdown-bad-spec,9,100.00,, "$1,,topdown-fe-bound,9,100.00,," "$2,,topdown-be-bound,9,100.00,,"; }
one 300000 400000 > first.csv; one 200000 500000 > then.csv
t compare --uarch spr first.csv then.csv; exits 0; [ "$(head -n 1 out)" = 'b: backend_bound +10.0 points' ] || fail "$what: begins with '$(head -n 1 out)'"
t compare --uarch spr then.csv first.csv; [ "$(head -n 1 out)" = 'b: frontend_bound +10.0 points' ] || fail "$what: begins with '$(head -n 1 out)'"
sed 's/^command mixed ms=200/command mixed ms=250/' "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > slow.machine
t record --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --fast -o quick.trace -- x; t record --machine slow.machine --fast -o slow.trace -- x
t compare quick.trace slow.trace; exits 0; [ "$(head -n 1 out)" = 'b took 25.0 % more time: no node is shown to differ' ] || fail "$what: begins with '$(head -n 1 out)'"
says '^  time +0\.2 s +0\.25 s +\+25\.0 %'
t compare slow.trace quick.trace; [ "$(head -n 1 out)" = 'b took 20.0 % less time: no node is shown to differ' ] || fail "$what: begins with '$(head -n 1 out)'"
# runs of 200 to 208 ms, and of 250 to 260: 204 and 255 on average
for ms in 200 202 204 206 208 250 253 255 257 260; do
    sed "s/^command mixed ms=200/command mixed ms=$ms/" "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > some.machine
    t record --machine some.machine --fast -o run-$ms.trace -- x
done
t compare run-20?.trace --vs run-25?.trace run-260.trace; exits 0; [ "$(head -n 1 out)" = 'b is 25.0 % slower: no node is shown to differ' ] || fail "$what: begins with '$(head -n 1 out)'"
t compare run-25?.trace run-260.trace --vs run-20?.trace; [ "$(head -n 1 out)" = 'b is 20.0 % faster: no node is shown to differ' ] || fail "$what: begins with '$(head -n 1 out)'"
# whose runs do not say it
t compare --uarch spr a.csv a.csv --vs phases.csv phases.csv; exits 0; grep -q 'make five' out && fail "$what: $(grep 'make five' out)"
t compare --uarch spr a.csv a.csv; exits 0; grep -q 'make five' out && fail "$what: $(grep 'make five' out)"
grep -q 'a.csv, system' out && fail "$what: a.csv has neither: $(cat out)"

# ---- runs, in pairs ----
for i in 1 2 3 4; do
    series run-a$i.csv 1 $((3000 + 100 * i)) 4000 0
    series run-b$i.csv 1 $((2800 + 100 * i + i % 2)) 4200 0 2
done
t compare --uarch spr --format csv run-a?.csv --vs run-b?.csv; exits 0
[ "$(awk -F, '$6 == "retiring" { print $17, $18, $21, $22 }' out)" = 'unknown runs 4 4' ] || fail "$what: $(grep retiring out)"
t compare --uarch spr --paired --format csv run-a?.csv --vs run-b?.csv; exits 0
[ "$(awk -F, '$6 == "retiring" { print $17, $18, $21, $22 }' out)" = 'less pairs 4 4' ] || fail "$what: $(grep retiring out)"
[ "$(awk -F, '$6 == "slots" { print $17 }' out)" = unknown ] || fail "$what: totals that do not scatter have no bounds: $(grep slots out)"
t compare --uarch spr --format csv run-a?.csv --vs run-b1.csv; exits 0
[ "$(awk -F, '$6 == "retiring" { print $18, $21, $22 }' out)" = 'runs 4 1' ] || fail "$what: $(grep retiring out)"
t compare --uarch spr --paired run-a?.csv --vs run-b1.csv; exits 64; warns '4 and 1 runs'

# ---- conditions ----
gate() { # EXIT CONDITION ARGS...
    want=$1 condition=$2
    shift 2
    t compare --uarch spr --fail-if "$condition" "$@" a.csv b.csv; exits "$want"
}
for condition in 'core_bound > +2pp' 'l3_bound > 1pp'; do # known, but not recorded
    gate 2 "$condition"; gate 0 "$condition" --inconclusive pass
done
gate 1 'retiring < -2pp'; says "^--fail-if 'retiring < -2pp' holds: system: retiring -5.0 points"
gate 1 'retiring < -2%'
gate 0 'retiring > +1pp'; says 'does not hold'
gate 0 'retiring < -7pp'
gate 2 'retiring < -5pp'; says 'cannot be told'
gate 0 'retiring < -5pp' --inconclusive=pass
gate 1 'retiring < -5pp' --inconclusive=fail
gate 1 'retiring > +1pp, backend_bound > 2pp'
gate 1 'retiring > +1pp' --fail-if 'backend_bound > 2pp'
gate 2 'core_bound > 2pp'; says 'have no core_bound in common' # some CPU has it
gate 2 'slots > 5%'
gate 64 'slots > 5pp'; warns 'slots is no share'
gate 64 'retiring > 5'; warns 'retiring is a share'
gate 0 'verdict changes'
t compare --uarch spr --fail-if 'verdict changes' one-a.csv one-b.csv; exits 0
gate 1 'retiring < -2pp' --format csv; warns 'holds'

# ---- the formats for a CI ----
t compare --uarch spr --format junit --fail-if 'retiring < -2pp, retiring < -5pp, retiring > +1pp' a.csv b.csv; exits 1
if command -v python3 > /dev/null; then
    python3 - out << 'PYTHON' || fail "$what: not the JUnit that was expected"
import sys, xml.etree.ElementTree as tree
suite, = tree.parse(sys.argv[1]).getroot().findall('testsuite')
cases = suite.findall('testcase')
assert len(cases) == int(suite.get('tests')) and len(cases) > 6, len(cases)
assert suite.get('failures') == '1' and suite.get('skipped') == '1' and suite.get('errors') == '0'
assert [c.get('name') for c in cases if c.find('failure') is not None] == ['retiring < -2pp']
assert [c.get('name') for c in cases if c.find('skipped') is not None] == ['retiring < -5pp']
assert all(c.get('classname') and c.get('time') for c in cases)
PYTHON
fi
t compare --uarch spr --format github --fail-if 'retiring < -2%' a.csv b.csv; exits 1
says '^::error title=tdprobe compare::--fail-if .retiring < -2%25. holds'; says '^::warning title=retiring::system: 30'
t compare --uarch spr --format markdown a.csv b.csv; exits 0; says '^\| metric \| a.csv \| b.csv \|'; says '\*\*less: worse\*\*'
[ "$(grep -c '^|' out)" -eq 8 ] || fail "$what: not 2 + 6 rows"
awk '/^\|/ { gsub(/\\\|/, ""); if (gsub(/\|/, "") != 7) exit 1 }' out || fail "$what: a row has not six cells"
# as it is rendered: names are what they were, whatever is in them
if command -v cmark-gfm > /dev/null && command -v python3 > /dev/null; then
    name='x|y<b>*z*_q_`c`'
    for i in a b; do NAME=$name awk -F, -v OFS=, '{ print $1, $2, $3, $4, ENVIRON["NAME"], $5, $6, "", "" }' $i.csv > 'odd|'$i.csv; done
    t compare --uarch spr --format markdown 'odd|a.csv' 'odd|b.csv'; exits 0
    cmark-gfm -e table < out > html || fail "$what: cmark-gfm"
    NAME=$name python3 - html << 'PYTHON' || fail "$what: rendered as $(cat html)"
import os, sys
from html.parser import HTMLParser

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.titles, self.rows = [], []

    def handle_starttag(self, tag, attrs):
        self.open = tag
        if tag == 'h3': self.titles.append('')
        if tag == 'tr': self.rows.append([])
        if tag in ('td', 'th'): self.rows[-1].append('')
        assert tag not in ('b', 'em', 'code')

    def handle_data(self, data):
        if self.open == 'h3': self.titles[-1] += data
        if self.open in ('td', 'th'): self.rows[-1][-1] += data

    def handle_endtag(self, tag):
        self.open = ''

page = Page()
page.feed(open(sys.argv[1]).read())
assert page.titles == [os.environ['NAME']], page.titles
assert len(page.rows) == 7 and all(len(r) == 6 for r in page.rows), page.rows
assert page.rows[0][1:3] == ['odd|a.csv', 'odd|b.csv']
assert {'retiring', 'backend_bound', 'bad_speculation', 'frontend_bound', 'slots'} <= {r[0] for r in page.rows}
PYTHON
fi
t compare --uarch spr -o made --format junit a.csv b.csv; exits 0; empty out; grep -q '</testsuites>' made || fail "$what: no file"

# ---- what belongs together ----
t compare --uarch spr "$traces/spr-infersuite-cgroup.csv" "$traces/spr-infersuite-cgroup.csv" --by cgroup; exits 0; lines err 0
t compare --uarch spr --by cpu a.csv b.csv; exits 65; warns 'no scope of kind cpu'
t compare a.csv nonesuch.csv --uarch spr; exits 65; warns 'nonesuch.csv cannot be opened'
"$TDPROBE" convert --uarch icl a.csv > icl.trace 2> err || fail "convert: $(cat err)"
"$TDPROBE" convert --uarch spr b.csv > spr.trace 2> err || fail "convert: $(cat err)"
t compare icl.trace spr.trace; exits 0; says 'different CPUs, icl and spr'
[ ! -e failed ]
