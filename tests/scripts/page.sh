#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe replay and stat --format html, and chrome: what Python's parsers read in the page, beside the json of the same; names that would be more
# than text; what a page cannot be made of.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v python3 > /dev/null || { echo 'skipped: no python3'; exit 77; }
. "$TD_SRCDIR/tests/scripts/pages.sh"
traces=$TD_SRCDIR/traces
machine="--machine $TD_SRCDIR/sim/machines/sapphirerapids.machine --fast"
page() { # WORD...: page.html is right, and agrees with the json
    t "$@" --format json --summary; mv out page.json
    t "$@" --format html; exits 0; mv out page.html
    check html_page.py page.html
    check results_page.py page.html page.json
    t "$@" --format chrome; exits 0; mv out page.chrome
    check results_chrome.py page.chrome page.json
    cp page.html out
}

# recordings: one reading, intervals, two kinds of core, a deep tree, likely bounds, none, several CPUs that fit, no time
for name in spr-perf-metrics-l2 adl-hybrid-intervals knl-l1-intervals hip08-l2 icx-perf-metrics-intervals spr-multiplexed-split-groups; do
    page replay --level 6 "$traces/$name.trace"
done
page replay -M all "$traces/spr-perf-metrics-l2.trace"
page replay --counts "$traces/spr-perf-metrics-l2.trace"; says '<li>[0-9]+ +slots</li>'
page replay --level 1 "$traces/icx-perf-metrics-intervals.trace"; says '<dt>recording</dt><dd><bdi>[^<]*icx-perf-metrics-intervals.trace'
t replay --summary-only --format html "$traces/icx-perf-metrics-intervals.trace"; exits 0; says 'class="tree"'; ! grep -q 'class="time"' out || fail "$what: a time line without intervals"
t replay --format html -o page.html "$traces/spr-perf-metrics-l2.trace"; exits 0; empty out; tail -n 1 page.html | grep -q '^</html>$' || fail "$what: no page"

# more intervals than have bounds
python3 - > long.csv << 'END2'
for i in range(1, 3602):
    print(*(f'{i}.{i % 7:09d},{n},,{e},1000000000,100.00,,' for e, n in (('slots', 4000000), ('topdown-retiring', 1000000 + 500 * i), ('topdown-bad-spec', 100000), ('topdown-fe-bound', 400000 + 7 * i), ('topdown-be-bound', 2500000 - 507 * i))), sep='\n')
END2
page replay --uarch icl long.csv; says '3601 intervals; values to 0.5 %. The page has bounds for at most 3600 intervals'; ! grep -q 'class="low"' out || fail "$what: bounds of too many"
head -n 18000 long.csv > short.csv
page replay --uarch icl short.csv; says '3600 intervals; values to 0.5 %. Below'; says '<i class="low"( data-packed="deflate")?>'

# live: what is measured, where, and what tells more
# shellcheck disable=SC2086
{
t stat $machine --format html -o page.html -- app; exits 0; mv page.html out
says '<title>app: where the slots went</title>'; says '<dt>measured</dt><dd><bdi>app</bdi>'; says '<dt>host</dt><dd><bdi>simulated</bdi>'; says '<pre><code>perf record -e [^<]* -- app</code></pre>'
check html_page.py out
t stat $machine -I 50 --timeout 300 -A -a --format html -o page.html; exits 0; mv page.html out; says '<table class="scopes">'; says 'class="line" hidden'
check html_page.py out
t stat $machine -I 50 --timeout 300 -a --format chrome -o events; exits 0; mv events out; says '"process_name","args":{"name":"simulated"}'
t stat $machine --format chrome --append -o page.html -- app; exits 64; warns 'format chrome and --append exclude each other'
t record $machine --format html -o run.trace -- app; exits 0; mv err page.html; head -n 1 run.trace | grep -q '^# tdprobe-trace' || fail "$what: no trace"
rm run.trace
check html_page.py page.html
t record $machine --format html -o run.html -- app; exits 64; warns "record -o is the trace, not its report: 'tdprobe stat --format html -o run.html' measures without"; [ ! -e run.html ] || fail "$what: wrote it"
t stat $machine -r 3 --format html -o page.html -- app; exits 0; mv page.html out; says '<h2>Runs</h2>'
t stat $machine --format html --append -o page.html -- app; exits 64; warns 'format html and --append exclude each other'
t stat $machine --format html --drilldown -o page.html -- app; exits 64; warns 'format html and --drilldown exclude each other'
}
# the nodes of the heat map
t replay --format html --html-metrics fetch_latency,retiring "$traces/adl-hybrid-intervals.trace"; exits 0; says '<section class="heat" hidden="hidden" data-nodes="fetch_latency[|]retiring">'; says 'class="below" data-node="fetch_latency"'; ! grep -q 'data-node="memory_bound" data-packed\|class="below" data-node="memory_bound"' out || fail "$what: more than was asked for"
t replay --format html --html-metrics memory_bonud x; exits 64; warns "no CPU has a node 'memory_bonud'; the nearest is memory_bound"
t replay --format html --html-metrics retiring,,x x; exits 64; warns "no CPU has a node ''"
t replay --format html "$traces/spr-perf-metrics-l2.trace" "$traces/spr-packed-two-readings.trace"; exits 64; warns 'format html is of one recording, and 2 are given'; empty out
t phases --format chrome "$traces/icx-perf-metrics-intervals.trace"; exits 64; warns "not 'chrome'"

# the time base of events, which convert keeps: an interval of 1 s that began 61 s after the clock did
cat > clock.trace << 'END2'
# tdprobe-trace: 1
# cpu: icl
# started: 2026-11-26T11:02:41Z
# x-clock: 61000000000 1795690961000000000
time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
END2
for at in 0 1; do
    for e in slots:4000 topdown-retiring:1000 topdown-bad-spec:500 topdown-fe-bound:500 topdown-be-bound:2000; do echo "${at}000000000,system,system,,0,0,${e%:*},$((${e#*:} * 1000000 * at)),${at}000000000,${at}000000000"; done
    echo "${at}000000000,system,system,,,0,end,5,,"
done >> clock.trace
t convert -o kept.trace clock.trace; exits 0
t replay --format chrome kept.trace; says '"ph":"X".*"ts":61000000,"dur":1000000,'
t replay kept.trace; says '^# started 2026-11-26T11:02:41Z$'
rm clock.trace kept.trace

# names that would be markup, in other directions, long, or commands of a terminal: of the file, of scopes, of events, of the command
hostile='</script><script>document.title=1</script><img/src=x/onerror=alert(1)>&amp;"'\''`--><svg/onload=alert(2)>]]>'
PYTHONIOENCODING=utf-8 python3 - "$hostile" > "$(printf '<b>\302\233\342\200\256"&.trace')" << 'END2'
import sys
for scope in (sys.argv[1], '\u202egnp.exe\u2066', 'x' * 10240, 'a|b'):
    name = '"' + scope.replace('"', '""') + '"'
    if scope == sys.argv[1]:
        print('# tdprobe-trace: 1', '# cpu: icl', '# source: import', '# scaled: yes', '# command: ' + scope, '# x-host: ' + scope, 'time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns', sep='\n')
for at in range(4):
    for scope in (sys.argv[1], '\u202egnp.exe\u2066', 'x' * 10240, 'a|b'):
        name = '"' + scope.replace('"', '""') + '"'
        for event, n in (('slots', 4000), ('topdown-retiring', 1000), ('topdown-bad-spec', 500), ('topdown-fe-bound', 500), ('topdown-be-bound', 2000), ('"<i>x"', 1)):
            print(f'{at}000000000,{name},cgroup,,0,0,{event},{n * 1000000 * at},{at}000000000,{at}000000000')
        print(f'{at}000000000,{name},cgroup,,,0,end,6,,')
END2
page replay --counts ./*.trace; exits 0; says '&lt;/script&gt;&lt;script&gt;document.title=1'; says '<title>&lt;b&gt;'
[ "$(grep -c '<script>' out)" -eq 2 ] || fail "$what: not two scripts"
! LC_ALL=C grep -q "$(printf '\342\200\256')" out || fail "$what: a control of direction is not escaped"

# comparisons: two recordings, intervals, runs of both sides, a side that has names of its own
t compare x y
if grep -q 'without GSL' err; then
    echo 'pages of comparisons are skipped: tdprobe was built without GSL'
    checked
    [ ! -e failed ]
    exit
fi
compared() { # RUNS WORD...: page.html is right, and agrees with the json
    runs=$1
    shift
    t compare "$@" --format json; mv out page.json
    t compare "$@" --format html; exits 0; mv out page.html
    check html_page.py page.html
    check compare_page.py page.html page.json "$runs"
    cp page.html out
}

# phases, whose page has the intervals that replay tells, and the sums that phases tells: 20 intervals of 30 % retiring, 15 of 20 %, 12 of 30 %
phased() { # WORD...
    t phases "$@" --format json; mv out page.json
    t replay "$@" --format json; cat out >> page.json
    t phases "$@" --format html; exits 0; mv out page.html
    check html_page.py page.html
    check results_page.py page.html page.json
    cp page.html out
}
awk 'BEGIN {
    for (i = 1; i <= 47; i++) {
        ret = i > 20 && i <= 35 ? 200000 : 300000
        printf "%d.000000000,1000000,,slots,9,100.00,,\n%d.000000000,%d,,topdown-retiring,9,100.00,,\n%d.000000000,100000,,topdown-bad-spec,9,100.00,,\n%d.000000000,100000,,topdown-fe-bound,9,100.00,,\n%d.000000000,%d,,topdown-be-bound,9,100.00,,\n", i, i, ret + i * 7 % 11 * 100, i, i, i, 800000 - ret
    }
}' > steps.csv
phased --uarch spr steps.csv; says '<caption>3 phases, cut where'; says 'data-phases="20[|]35[|]47"'; says '<th scope="row">phase 2</th><td>20.000 to 35.000 s</td>'
says '<summary>phase 3, 35.000 to 47.000 s: <bdi>system</bdi>, spr</summary>'; says '<dt>recording</dt><dd><bdi>steps.csv'
phased "$traces/adl-hybrid-intervals.trace"; says 'class="below" data-node='
phased ./*.trace; exits 0; says '&lt;/script&gt;&lt;script&gt;document.title=1'

mkdir runs
for command in app chain; do for run in 1 2 3; do
    # shellcheck disable=SC2086
    t record $machine -o runs/$command$run.trace -- $command; exits 0
done; done
compared 0 runs/app1.trace runs/chain1.trace
says '<h2><bdi>app and chain</bdi></h2>'; says '<p class="lead">[^<]*core_bound \+81.2 points</p>'; says '<tr class="differs" data-metric="core_bound" data-call="more">'
compared 0 runs/chain1.trace runs/app1.trace
compared 3 runs/app[123].trace --vs runs/chain[123].trace; says '<bdi>runs/app1.trace</bdi>, 3 recordings</dd>'
compared 0 --uarch icl short.csv long.csv
compared 0 -M all "$traces/icl-myjoin8.trace" "$traces/icl-myjoin11.trace"; says '<ul class="remarks">'
compared 0 --level 1 --fail-if 'retiring > +90pp' "$traces/icl-myjoin8.trace" "$traces/icl-myjoin11.trace"; says "<li>--fail-if 'retiring &gt; [+]90pp' does not hold"
compared 0 ./*.trace ./*.trace; exits 0; says '&lt;/script&gt;&lt;script&gt;document.title=1'
! grep -q '<script>' out || fail "$what: a script"
! LC_ALL=C grep -q "$(printf '\342\200\256')" out || fail "$what: a control of direction is not escaped"

checked
[ ! -e failed ]
