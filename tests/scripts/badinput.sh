#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kind of bad input: the right answer with the affected metrics absent, or
# one line on stderr that names the file, and exit 65. Never a crash, nan or inf.
set -u
# A program that does not end is ended: where it works all the time, with the name of what it read, and where it waits, with this script.
[ -n "${TD_ENDS-}" ] || TD_ENDS=1 exec timeout 1000 sh "$0"
ulimit -t 60
bad=0
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; bad=1; }

# run FILE OPTIONS...: sets code, out, err; what must always hold of outputs is checked at the end, of all of them
formats='text json csv' # out and err are of the last one
runs=0
mkdir "$tmp/outs"
run() {
    file=$1 runs=$((runs + 1)) first=
    shift
    for format in $formats; do
        out=$tmp/outs/$runs.$format
        "$TDPROBE" replay --format $format "$@" "$file" > "$out" 2> "$tmp/err" < /dev/null
        code=$?
        case $code in
        0|64|65|69) ;;
        *) fail "$file: exit $code (a crash, or no end): $(cat "$tmp/err")" ;;
        esac
        [ "${first:=$code}" = $code ] || fail "$file: exit $code with $format, $first with another format"
        [ $code -eq 0 ] || [ -s "$tmp/err" ] || fail "$file: exit $code without a word"
    done
    echo "$runs ${file##*/}" >> "$tmp/names"
}
outputs() { # of all runs
    find "$tmp/outs" -type f -exec awk -F, -v names="$tmp/names" '
        function wrong(what, n) { n = FILENAME; gsub(/.*\/|[.].*/, "", n); print "FAIL: " name[n] ": " what ": " substr($0, 1, 200); bad = 1 }
        BEGIN { while ((getline line < names) > 0) { split(line, word, " "); name[word[1]] = word[2] } }
        FNR == 1 { csv = FILENAME ~ /csv$/ }
        tolower($0) ~ /(^|[^0-9a-z_])(nan|inf|infinity)([^0-9a-z_]|$)/ { wrong("nan or inf") }
        !csv { next }
        NF != 20 && !/"/ { wrong("a row of " NF " columns") }
        FNR > 1 && ($12 == "ok") != ($7 != "") { wrong("absent with a value, or the other way round") }
        FNR > 1 && $9 != "" && !($9 <= $7 + 0 && $7 + 0 <= $10) { wrong("outside its bounds") }
        END { exit bad }' '{}' + || bad=1
}
refused() { # WHAT PATTERN: exit 65, one line, which names the file
    [ $code -eq 65 ] || fail "$1: exit $code, not 65: $(cat "$tmp/err")"
    count=0 said=
    while IFS= read -r line; do said=$line count=$((count + 1)); done < "$tmp/err"
    [ $count -eq 1 ] || fail "$1: not one line on stderr: $(cat "$tmp/err")"
    case $said in *"$file"*) ;; *) fail "$1: the file is not named: $said" ;; esac
    grep -qE "$2" "$tmp/err" || fail "$1: '$2' is not said: $said"
}
judged() { awk '/,verdict,/ && !/no metric has a value|idle|doctor/ { found = 1; exit } END { exit !found }' "$out"; } # something is said of an interval
answered() { # WHAT: exit 0, or 69 where nothing is
    if judged; then wanted=0; else wanted=69; fi
    [ $code -eq $wanted ] || fail "$1: exit $code, not $wanted: $(cat "$tmp/err")"
}
contradicts() { # WHAT: exit 69, and the command that looks into it
    [ $code -eq 69 ] || fail "$1: exit $code, not 69: $(cat "$tmp/err")"
    tail -n 1 "$tmp/err" | grep -q "'tdprobe doctor'" || fail "$1: $(cat "$tmp/err")"
}
silent() { # WHAT CPU: exit 69, and last the command that prints what to record, which is there
    [ $code -eq 69 ] || fail "$1: exit $code, not 69: $(cat "$tmp/err")"
    tail -n 1 "$tmp/err" | grep -q "no metric has a value; 'tdprobe perf-command --uarch $2' prints" || fail "$1: $(cat "$tmp/err")"
    # shellcheck disable=SC2046 # words
    "$TDPROBE" $(sed -n "\$s/.*'tdprobe \(.*\)'.*/\1/p" "$tmp/err") 2> "$tmp/err2" | grep -q '^perf stat' || fail "$1: the advice is refused: $(cat "$tmp/err2")"
}
metric() { # METRIC COLUMN of the csv last written
    awk -F, -v m="$1" -v c="$2" '$6 == m { print $c; exit }' "$out"
}
is() { # METRIC VALUE|STATUS: as the csv has it
    got=$(awk -F, -v m="$1" '$6 == m { print $7 != "" ? $7 : $12; exit }' "$out")
    [ "$got" = "$2" ] || fail "$file: $1 is '$got', not '$2'"
}
perf() { # counts of slots, retiring, bad-spec, fe-bound, be-bound
    printf '%s,,slots,1000000,100.00,,\n%s,,topdown-retiring,1000000,100.00,,\n' "$1" "$2"
    printf '%s,,topdown-bad-spec,1000000,100.00,,\n%s,,topdown-fe-bound,1000000,100.00,,\n' "$3" "$4"
    printf '%s,,topdown-be-bound,1000000,100.00,,\n' "$5"
}
columns=time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
trace() { # header lines on stdin
    printf '# tdprobe-trace: 1\n# cpu: skl\n'
    cat
    printf '%s\n' "$columns"
}
reading() { # TIME EPOCH CYCLES ISSUED RETIRED RECOVERY FRONTEND [END]
    printf '%s,system,system,,0,%s,cycles,%s,%s,%s\n' "$1" "$2" "$3" "$1" "$1"
    printf '%s,system,system,,0,%s,UOPS_ISSUED.ANY,%s,%s,%s\n' "$1" "$2" "$4" "$1" "$1"
    printf '%s,system,system,,0,%s,UOPS_RETIRED.RETIRE_SLOTS,%s,%s,%s\n' "$1" "$2" "$5" "$1" "$1"
    printf '%s,system,system,,0,%s,INT_MISC.RECOVERY_CYCLES,%s,%s,%s\n' "$1" "$2" "$6" "$1" "$1"
    printf '%s,system,system,,0,%s,IDQ_UOPS_NOT_DELIVERED.CORE,%s,%s,%s\n' "$1" "$2" "$7" "$1" "$1"
    printf '%s,system,system,,,%s,end,%s,,\n' "$1" "$2" "${8-5}"
}
good() { trace < /dev/null; reading 0 0 0 0 0 0 0; reading 1000000000 0 1000 1600 1200 50 800; }

# not a recording at all
: > "$tmp/empty"; run "$tmp/empty"; refused 'empty file' 'empty'
printf '\n\n\n' > "$tmp/blank"; run "$tmp/blank"; refused 'blank lines' 'empty'
printf '# started on Fri Nov 20\n\n' > "$tmp/comments"; run "$tmp/comments" --uarch spr; refused 'comments only' 'without a single count'
run "$tmp"; refused 'a directory' 'directory'
run /dev/zero; refused '/dev/zero' 'NUL|64 KiB'
awk 'BEGIN { s = 42; for (i = 0; i < 20000; i++) { s = (s * 1103515245 + 12345) % 2147483648; printf "%c", int(s / 65536) % 255 + 1 } }' > "$tmp/noise"
run "$tmp/noise"; refused 'noise' 'noise:[0-9]+: '
tr -d '\000' < "$tmp/noise" > "$tmp/noise7"; run "$tmp/noise7" --uarch spr; refused 'noise without NUL' 'noise7:[0-9]+: '
{ perf 1000 300 100 300 300; cat "$tmp/noise"; } > "$tmp/tail"; run "$tmp/tail" --uarch spr; refused 'noise behind a recording' 'tail:[6-9]: '
if [ "$(id -u)" -ne 0 ]; then
    : > "$tmp/secret"; chmod 0 "$tmp/secret"
    "$TDPROBE" replay "$tmp/secret" > "$tmp/out" 2> "$tmp/err"; [ $? -eq 77 ] || fail "an unreadable file: $(cat "$tmp/err")"
fi
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "1234567,,"; print "" }' > "$tmp/long"
run "$tmp/long" --uarch spr; refused 'a 9 MB line' 'long:1: .*64 KiB'
{ perf 1000 300 100 300 300; cat "$tmp/long"; } > "$tmp/long6"; run "$tmp/long6" --uarch spr; refused 'a 9 MB line behind others' 'long6:6: .*64 KiB'
run "$tmp/absent"; refused 'no such file' 'No such file'
perf 1000 300 100 300 300 | awk 'NR == 3 { printf "%s%c\n", $0, 0; next } { print }' > "$tmp/nul"
run "$tmp/nul" --uarch spr; refused 'a NUL byte' 'nul:3: a NUL'
printf '{"interval" : 1.0}\n' > "$tmp/json"; run "$tmp/json"; refused 'JSON without counts' 'metric-only'
printf 'PERFILE2xxxx\n' > "$tmp/data"; run "$tmp/data"; refused 'perf.data' 'perf stat -x'
printf 'retiring,bad speculation,frontend bound,backend bound,\n18.0,,,,\n' > "$tmp/ratios"
run "$tmp/ratios"; refused '--metric-only' 'metric-only'
printf '1.000000000,,,,,,18.0,retiring,,\n' > "$tmp/ratios"; run "$tmp/ratios"; refused '--metric-only -I' 'metric-only'
# perf writes this line first in every output format
{ printf '# started on Fri Nov 20 12:12:19 2026\n\n'; cat "$tmp/json"; } > "$tmp/json2"; run "$tmp/json2"; refused 'JSON behind a comment' 'json2:3: .*metric-only'

# formats of other tools that contain no counts, and the one of Arm's that does
printf 'time,group,stage,level,metric,value,units\r\n0.10,Topdown_L1,1,1,Retiring,17.02,%%\r\n' > "$tmp/armmetrics"; run "$tmp/armmetrics"; refused "Arm's metrics" 'armmetrics:1: topdown-tool.*metrics,events'
printf 'TS,SKT,CPU,CID,CPU operating frequency (in GHz)\n1710000000,,,,2.9\n' > "$tmp/psmetrics"; run "$tmp/psmetrics"; refused "PerfSpect's metrics" 'psmetrics:1: .*--raw'
printf 'System,System,Socket 0\nDate,Time,EXEC\n' > "$tmp/pcm"; run "$tmp/pcm"; refused "pcm's csv" 'pcm:1: '
printf 'TABLE,Group 1 Raw,TMA,8,\n' > "$tmp/likwid"; run "$tmp/likwid"; refused "likwid's tables" 'likwid:1: '
printf '# GID|MetricsCount|CpuCount\n1 4 2 0.3 1\n' > "$tmp/timeline"; run "$tmp/timeline"; refused "likwid's timeline" 'timeline:1: '
printf 'interval,title,group,ename,val,event,index,stddev,multiplex,nodes\n' > "$tmp/valcsv"; run "$tmp/valcsv"; refused "toplev's --valcsv" 'valcsv:1: .*--perf-output'
armevents() { printf 'run,time,event,value\r\n'; printf '1,,%s\r\n' CPU_CYCLES,1000.0 STALL_SLOT,4000.0 OP_SPEC,100.0 OP_RETIRED,90.0 CPU_CYCLES,1000.0 STALL_SLOT_FRONTEND,1500.0 CPU_CYCLES,1000.0 STALL_SLOT_BACKEND,2500.0; }
# 8 slots per cycle: retiring 0.9 * (8000 - 4000) / 8000, frontend 1500 / 8000
armevents > "$tmp/arm"; run "$tmp/arm" --uarch neoverse-v1; answered "Arm's events"; is retiring 0.450000; is frontend_bound 0.187500; is backend_bound 0.312500
armevents | sed 's/STALL_SLOT_FRONTEND,1500.0/STALL_SLOT_FRONTEND,/' > "$tmp/armnot"; run "$tmp/armnot" --uarch neoverse-v1; answered "Arm's events, one not counted"; is frontend_bound not_counted; is retiring 0.450000
armevents | head -c -4 > "$tmp/armcut"; run "$tmp/armcut" --uarch neoverse-v1; answered "Arm's events, cut"; is backend_bound missing_event:STALL_SLOT_BACKEND
armevents | sed '4s/100.0/-100.0/' > "$tmp/armneg"; run "$tmp/armneg" --uarch neoverse-v1; refused "Arm's events, negative" 'armneg:4: .*negative'
armevents | sed '4s/1,,/1,1.0,/' > "$tmp/armtime"; run "$tmp/armtime" --uarch neoverse-v1; refused "Arm's events, a time in between" 'armtime:4: '
armevents | sed '4s/^1/0/' > "$tmp/armrun"; run "$tmp/armrun" --uarch neoverse-v1; refused "Arm's events, run 0" 'armrun:4: '
armevents | sed '1s/value/value,core/' > "$tmp/armcolumns"; run "$tmp/armcolumns" --uarch neoverse-v1; refused "Arm's events, a further column" 'armcolumns:1: .*core'
armevents | sed '5s/$/,/' > "$tmp/armwide"; run "$tmp/armwide" --uarch neoverse-v1; refused "Arm's events, a long row" 'armwide:5: '
armevents | head -n 1 > "$tmp/armnone"; run "$tmp/armnone" --uarch neoverse-v1; refused "Arm's events, none" 'without a single count'
# counts from two runs were not counted together
{ printf 'run,time,event,value\n'; printf '%s\n' 1,,CPU_CYCLES,1000 2,,STALL_SLOT_FRONTEND,1500 2,,CPU_CYCLES,1000 1; } | sed '$d' > "$tmp/armruns"
run "$tmp/armruns" --uarch neoverse-v1; answered "Arm's events, two runs"; is frontend_bound 0.187500; grep -q 'split_groups' "$out" && fail "one run has both events of frontend_bound"
sed '$d' "$tmp/armruns" > "$tmp/armsplit"; run "$tmp/armsplit" --uarch neoverse-v1; answered "Arm's events, split over runs"; is frontend_bound 0.187500
[ "$(metric frontend_bound 9)" = "" ] || fail "armsplit: bounds"; grep -q 'frontend_bound.*split_groups' "$out" || fail "armsplit: not split_groups"
printf '%s\n' run,time,event,value 1,0.5,CPU_CYCLES,1000 2,0.5,STALL_SLOT_FRONTEND,1500 > "$tmp/armtimes"; run "$tmp/armtimes" --uarch neoverse-v1 --summary-only; answered "Arm's events, runs with times"
grep -q 'frontend_bound.*split_groups' "$out" || fail "armtimes: the sum is not split_groups: $(cat "$out")"
run "$tmp/arm"; [ $code -eq 0 ] || fail "Arm's events without a CPU: exit $code"
run "$tmp/arm" --uarch spr; refused "Arm's events of another CPU" 'spr'
# PerfSpect's folder
object() { printf '{"interval" : 5.0, "counter-value" : "%s", "unit" : "", "event" : "%s", "event-runtime" : 9, "pcnt-running" : 100.00}\n' "$1" "$2"; }
objects() { object 1000 TOPDOWN.SLOTS; object 300 PERF_METRICS.RETIRING; object 100 PERF_METRICS.BAD_SPECULATION; object 300 PERF_METRICS.FRONTEND_BOUND; object 300 PERF_METRICS.BACKEND_BOUND; }
ps=$tmp/ps; mkdir "$ps"
metadata() { printf '{"NumGeneralPurposeCounters":8,"Vendor":"%s","Microarchitecture":"%s"}\n' "$1" "$2" > "$ps/host_metadata.json"; }
run "$ps"; refused 'an empty folder' '_events.jsonl'
metadata GenuineIntel SPR_XCC; run "$ps"; refused 'a folder with metadata only' '_events.jsonl'
run "$ps/host_metadata.json"; refused 'metadata without counts' 'host_metadata.json:1: .*_events.jsonl'
objects > "$ps/host_events.jsonl"; run "$ps"; answered "PerfSpect's folder"; is retiring 0.300000
grep -q ',spr,' "$out" || fail "PerfSpect: the CPU is not the one of the metadata"
for form in "$ps/" "$ps/host_events.jsonl"; do run "$form"; answered "$form"; grep -q ',spr,' "$out" || fail "$form: no metadata"; done
run "$ps" --uarch gnr; answered 'PerfSpect, --uarch'; grep -q ',gnr,' "$out" || fail "--uarch does not override the metadata"
metadata AuthenticAMD Dublin; run "$ps"; [ $code -eq 69 ] || fail "PerfSpect on AMD: exit $code: $(cat "$tmp/err")"
metadata GenuineIntel DMR; run "$ps"; [ $code -eq 69 ] || fail "PerfSpect on a CPU that cannot answer: exit $code: $(cat "$tmp/err")"
metadata GenuineIntel SPR; head -c 40 "$ps/host_metadata.json" > "$tmp/half"; cp "$tmp/half" "$ps/host_metadata.json"; run "$ps"; refused 'cut metadata' 'host_metadata.json:1: '
: > "$ps/host_metadata.json"; run "$ps"; refused 'empty metadata' 'host_metadata.json:1: '
rm "$ps/host_metadata.json"; mkdir "$ps/host_metadata.json"; run "$ps"; refused 'metadata that cannot be read' 'host_metadata.json: cannot be read'
rmdir "$ps/host_metadata.json"; run "$ps"; answered 'no metadata'; grep -q 'host_metadata.json' "$tmp/err" || fail "missing metadata: not said"
metadata GenuineIntel SPR; object -5 slots > "$ps/host_events.jsonl"; run "$ps"; refused "PerfSpect's folder with bad counts" 'host_events.jsonl:1: .*negative'
: > "$ps/other_events.jsonl"; run "$ps"; refused 'two hosts' 'host_events.jsonl.*other_events.jsonl|other_events.jsonl.*host_events.jsonl'
# a format that was asked for
perf 1000 300 100 300 300 > "$tmp/asked"
for format in tdprobe-trace perf-data perf-json perf-text arm-events; do run "$tmp/asked" --uarch spr --import-format $format; refused "CSV as $format" 'asked:[1-9][0-9]*: '; done
run "$tmp/asked" --uarch spr --import-format perf-csv; answered 'CSV as perf-csv'; is retiring 0.300000
for format in tdprobe-trace perf-data perf-text perf-csv perf-json; do run "$tmp/arm" --uarch neoverse-v1 --import-format $format; refused "Arm's events as $format" 'arm:[1-9][0-9]*: '; done

# valid in spite of its form
perf 1000 300 100 300 300 | sed 's/$/\r/' > "$tmp/crlf"; run "$tmp/crlf" --uarch spr; answered CRLF; is retiring 0.300000
{ printf '\357\273\277'; perf 1000 300 100 300 300; } > "$tmp/bom"; run "$tmp/bom" --uarch spr; answered BOM; is backend_bound 0.300000
perf 1000 300 100 300 300 | awk '{ printf "%s%s", n++ ? "\n" : "", $0 }' > "$tmp/unterminated"
run "$tmp/unterminated" --uarch spr; answered 'no last newline'; is backend_bound 0.300000
perf 1000 300 100 300 300 | head -c -12 > "$tmp/cut"; run "$tmp/cut" --uarch spr; answered 'a cut last line'
is backend_bound 0.300000; grep -q 'cut off' "$tmp/err" || fail "cut: not said"

perf 1000 300 100 300 300 | sed 's/$/\r/' | head -c -2 > "$tmp/crcut"; run "$tmp/crcut" --uarch spr; answered 'CR LF, no last newline'; is backend_bound 0.300000
{ perf 1000 300 100 300 300; printf '  \n\t\n \t \r\n'; } > "$tmp/white"; run "$tmp/white" --uarch spr; answered 'lines of blanks and tabs'; is retiring 0.300000
perf 1000 300 100 300 300 | tr '\n' '\r' > "$tmp/cr"; run "$tmp/cr" --uarch spr; refused 'lines that end with CR only' 'cr:1: '
# a truncated recording: what is complete before the end, or refused; never another number
perf 1000 300 100 300 300 > "$tmp/whole"
# parts FILE STEP: the first bytes of a text, in files whose names end with how many
parts() {
    LC_ALL=C awk -v step="$2" -v to="$tmp/part" 'BEGIN { RS = "\001" } { for (n = length($0) - step; n > 0; n -= step) { printf "%s", substr($0, 1, n) > (to n); close(to n) } }' "$1"
}
parts "$tmp/whole" 1
size=$(wc -c < "$tmp/whole")
while [ "$((size -= 1))" -gt 0 ]; do
    "$TDPROBE" replay --uarch spr --format csv "$tmp/part$size" > "$tmp/part$size.out" 2> "$tmp/part$size.err"
    echo "$size $?"
done > "$tmp/codes"
[ "$(wc -l < "$tmp/codes")" -gt 100 ] || fail "only $(wc -l < "$tmp/codes") parts"
awk -F, -v at="$tmp/part" '
    function wrong(what) { print "FAIL: the first " size " bytes: " what; bad = 1 }
    BEGIN { want["retiring"] = want["frontend_bound"] = want["backend_bound"] = "0.300000"; want["bad_speculation"] = "0.100000" }
    {
        split($0, word, " "); size = word[1]; code = word[2]; judged = 0; file = at size ".out"
        while ((getline < file) > 0) {
            if (/,verdict,/ && !/no metric has a value|idle|doctor/) judged = 1
            if ($6 in want && $7 != "" && $7 != want[$6]) wrong($6 " is " $7)
        }
        close(file)
        if (code != 65 && code != (judged ? 0 : 69)) wrong("exit " code)
    }
    END { exit bad }' "$tmp/codes" || fail 'a part of a recording: see above'
rm "$tmp"/part*

# numbers
perf 18446744073709551615 4611686018427387904 4611686018427387904 4611686018427387904 4611686018427387903 > "$tmp/max"
run "$tmp/max" --uarch spr; answered '2^64-1'; is retiring 0.250000
perf 18446744073709551616 1 1 1 1 > "$tmp/beyond"; run "$tmp/beyond" --uarch spr; refused '2^64' 'beyond:1: .*beyond 2'
perf 99999999999999999999999999 1 1 1 1 > "$tmp/far"; run "$tmp/far" --uarch spr; refused 'far beyond' 'beyond 2'
perf 1000 -300 100 300 300 > "$tmp/negative"; run "$tmp/negative" --uarch spr; refused 'a negative count' 'negative:2: .*negative'
perf 1000.5 300.5 100 300 300 > "$tmp/fraction"; run "$tmp/fraction" --uarch spr; answered 'a fractional count'; is retiring 0.300350
perf "0.$(awk 'BEGIN { while (i++ < 400) printf 1 }')" 300 100 300 300 > "$tmp/digits"; run "$tmp/digits" --uarch spr; refused '400 decimals' 'digits:1: '
perf nan 300 100 300 300 > "$tmp/nan"; run "$tmp/nan" --uarch spr; [ $code -eq 65 ] || fail "nan as a count: exit $code"
perf 1000 1e3 100 300 300 > "$tmp/exponent"; run "$tmp/exponent" --uarch spr; refused 'an exponent' 'not a number'
perf 1000 0x12 100 300 300 > "$tmp/hex"; run "$tmp/hex" --uarch spr; refused 'hexadecimal' 'not a number'
perf 1000 300 100 300 -0 > "$tmp/minus"; run "$tmp/minus" --uarch spr; refused '-0' 'minus:5: .*negative'
perf 1000 300 100 300 300 | sed '2s/1000000,100/1000000,-100/' > "$tmp/minuspct"; run "$tmp/minuspct" --uarch spr; refused 'a negative percentage' 'minuspct:2: '
perf 1000 300 100 300 300 | sed '2s/1000000,100/18446744073709551616,100/' > "$tmp/runtime"; run "$tmp/runtime" --uarch spr; refused 'a run time beyond 2^64' 'runtime:2: '
perf 1000 300 100 300 300 | sed 's/100\.00/0.00/' > "$tmp/pct0"; run "$tmp/pct0" --uarch spr; answered 'ran 0 % of the time'
perf 0 300 100 300 300 > "$tmp/noslots"; run "$tmp/noslots" --uarch spr; answered 'slots 0'; is retiring no_slots
perf 0 0 0 0 0 > "$tmp/zero"; run "$tmp/zero" --uarch spr; answered 'all zero'; is frontend_bound no_slots
perf 1000 1000 1000 1000 1000 > "$tmp/constant"; run "$tmp/constant" --uarch spr; contradicts 'constant counters'; is retiring impossible
perf 1000 300 100 300 300 | sed 's/1000000,100.00/0,100.00/' > "$tmp/never"; run "$tmp/never" --uarch spr; answered 'run time 0'; is retiring not_counted
perf 1000 300 100 300 300 | sed 's/,100\.00,/,250.00,/' > "$tmp/percent"; run "$tmp/percent" --uarch spr; refused 'over 100 %' 'over 100'

# events
{ perf 1000 300 100 300 300; perf 1000 300 100 300 300; } > "$tmp/twice"; run "$tmp/twice" --uarch spr; answered 'duplicate events'; is retiring 0.300000
perf 1000 300 100 300 300 | grep -v bad-spec > "$tmp/rest"; run "$tmp/rest" --uarch spr; answered 'a missing field'; is bad_speculation 0.100000
perf 1000 300 100 300 300 | grep -v -e bad-spec -e fe-bound > "$tmp/missing"; run "$tmp/missing" --uarch spr; answered 'two missing events'
is retiring missing_event:topdown-bad-spec
grep -q "a guest has those" "$tmp/err" && fail "two missing events, and a word of guests: $(cat "$tmp/err")"
perf 1000 300 100 300 300 > "$tmp/other"; run "$tmp/other" --uarch neoverse-n2; refused 'another CPU' 'neoverse-n2'
printf '5,,cycles,1000,100.00,,\n7,msec,task-clock,1000,100.00,,\n' > "$tmp/none"; run "$tmp/none" --uarch spr; refused 'no event of the CPU' 'spr'
perf 1000 300 100 300 300 | sed 's/^\([0-9]*\),,topdown-be/<not supported>,,topdown-be/' > "$tmp/notsup"; run "$tmp/notsup" --uarch spr; answered '<not supported>'; is backend_bound not_supported
perf 1000 300 100 300 300 | sed 's/^300,,topdown-fe/<not counted>,,topdown-fe/' > "$tmp/notcnt"; run "$tmp/notcnt" --uarch spr; answered '<not counted>'; is frontend_bound not_counted
perf '<not counted>' '<not counted>' '<not counted>' '<not counted>' '<not counted>' > "$tmp/nothing"; run "$tmp/nothing" --uarch spr --counts; silent 'nothing counted' spr; is retiring not_counted
grep -q "a guest has those that its hypervisor gives it" "$tmp/err" || fail "nothing counted, and no word of guests: $(cat "$tmp/err")"
{ perf '<not counted>' '<not counted>' '<not counted>' '<not counted>' '<not counted>' | sed 's/^/1.000000000,/'; perf 1000 250 250 250 250 | sed 's/^/2.000000000,/'; } > "$tmp/later"
run "$tmp/later" --uarch spr; answered 'nothing counted in the first interval'
run "$tmp/nothing"; [ $code -eq 69 ] && tail -n 1 "$tmp/err" | grep -qE "'tdprobe perf-command --uarch NAME' prints what to record, where NAME is icl, .* or gnr$" || fail "nothing counted, and several CPUs fit: exit $code: $(cat "$tmp/err")"
run "$tmp/none"; refused 'no top-down event' 'no top-down events were recorded'
# events that every CPU has identify none, although one (hip08) needs no more for retiring
printf '175007954055,,instructions:u,1000,90.91,4.12,insn per cycle\n42444050519,,cycles:u,1000,90.90,2.5,GHz\n' > "$tmp/generic"
run "$tmp/generic"; refused 'instructions and cycles alone' 'no top-down events were recorded'

# time and layout of perf's CSV
{ perf 1000 300 100 300 300 | sed 's/^/2.000000000,/'; perf 1000 300 100 300 300 | sed 's/^/1.000000000,/'; } > "$tmp/backwards"
run "$tmp/backwards" --uarch spr; refused 'time backwards' 'backwards:6: time goes backwards'
{ perf 1000 300 100 300 300 | sed 's/^/2.000000000,/'; perf 1000 300 100 300 300; } > "$tmp/mixed"
run "$tmp/mixed" --uarch spr; answered 'lines without time after intervals are perf'"'"'s summary'; is retiring 0.300000
for id in CPU0, S0-D0-C0,2, S0, N0,1, kworker/u8:3-ext4-7, 1.000000000,CPU0,; do
    perf 1000 300 100 300 300 | sed "s|^|$id|" > "$tmp/id"; run "$tmp/id" --uarch spr; answered "$id"; is retiring 0.300000
done
perf 1000 300 100 300 300 | sed 's|,1000000,|,/sys.slice,1000000,|' > "$tmp/cgroup"; run "$tmp/cgroup" --uarch spr; answered 'a cgroup'; is retiring 0.300000
perf 1000 300 100 300 300 | sed 's/^/CPU,/' > "$tmp/noid"; run "$tmp/noid" --uarch spr; refused 'no id' "noid:1: 'CPU'"
{ perf 1000 300 100 300 300; perf 1000 300 100 300 300 | tr , ';'; } > "$tmp/seps"; run "$tmp/seps" --uarch spr; refused 'two unlike separators' 'seps:6: '
perf 1000,5 300,15 100 300 300 | tr , ';' | sed '1s/;/,/;2s/;/,/;s/100\.00/100,00/' > "$tmp/locale"
run "$tmp/locale" --uarch spr; answered 'a decimal comma'; is retiring 0.300105
printf '0,5,msec,slots,1000,100,00,,\n' > "$tmp/commas"; run "$tmp/commas" --uarch spr; refused 'a decimal comma beside commas' 'commas:1: a decimal comma'
printf '          1,234,567      slots\n' > "$tmp/text"; run "$tmp/text" --uarch spr; answered "perf's text"
perf 1000 300 100 300 300 | sed '3s/$/,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60/' > "$tmp/wide"
run "$tmp/wide" --uarch spr; refused 'more than 64 columns' 'wide:3: '
awk 'BEGIN { for (i = 0; i < 4097; i++) printf "5,,e%d,1000,100.00,,\n", i % 4000 }' > "$tmp/crowd"; run "$tmp/crowd" --uarch spr; refused 'more than 4096 events' 'crowd:4097: '
awk 'BEGIN { for (i = 0; i < 1048577; i++) printf "t-%d,5,,e%d,1000,100.00,,\n", i % 65535, i / 65535 }' > "$tmp/mass"; formats=csv; run "$tmp/mass" --uarch spr; refused 'more than 2^20 counts' 'mass:1048577: more than 1048576 counts'; formats='text json csv'
sed '$d; s/e0,/slots,/' "$tmp/mass" | "$TDPROBE" replay --uarch spr --level 1 --summary-only --format csv - > "$tmp/out" 2>&1; [ $? -eq 69 ] || fail "2^20 counts in 65535 scopes: refused: $(cat "$tmp/out")"
awk 'BEGIN { for (i = 0; i < 131072; i++) printf "t-%d,5,,slots,1000,100.00,,\n", i }' > "$tmp/many"; run "$tmp/many" --uarch spr; refused 'more than 131072 scopes' 'many:131072: more than 131072 '
awk 'BEGIN { for (i = 0; i < 12000; i++) printf "t-%d,5,,%s,1000,100.00,,\n", i < 6000 ? i : 11999 - i, i < 6000 ? "slots" : "topdown-retiring" }' > "$tmp/turned"
[ "$("$TDPROBE" replay --uarch spr --counts --format csv "$tmp/turned" | awk -F, '$6 == "slots" { n++ } $6 == "topdown-retiring" && $2 == last { m++ } { last = $2 } END { print n, m }')" = "6000 6000" ] ||
    fail '6000 scopes in another order: not each found again'
printf '1000,,slots\n' > "$tmp/short"; run "$tmp/short" --uarch spr; refused 'a short line' 'short:1: '
printf '1000,,,1000,100.00,,\n' > "$tmp/unnamed"; run "$tmp/unnamed" --uarch spr; refused 'no name' 'no name'

# our own trace
good > "$tmp/trace"; run "$tmp/trace"; answered 'a good trace'; is retiring 0.300000; is frontend_bound 0.200000
good | sed 's/$/\r/' > "$tmp/tcrlf"; run "$tmp/tcrlf"; answered 'trace: CR LF'; is retiring 0.300000
{ printf '\357\273\277'; good; } > "$tmp/tbom"; run "$tmp/tbom"; answered 'trace: BOM'; is retiring 0.300000
good | sed 's/$/\n/' | sed '2,6d' > "$tmp/tblank"; run "$tmp/tblank"; refused 'trace: blank lines in the header' 'tblank:'
{ good | head -n 9; printf '\n\r\n'; good | tail -n +10; } > "$tmp/twhite"; run "$tmp/twhite"; answered 'trace: blank rows'; is retiring 0.300000
good | awk 'NR == 6 { printf "%s%c\n", $0, 0; next } { print }' > "$tmp/tnul"; run "$tmp/tnul"; refused 'trace: a NUL byte' 'tnul:6: a NUL'
{ good; cat "$tmp/long"; } > "$tmp/tlong"; run "$tmp/tlong"; refused 'trace: a 9 MB line' 'tlong:16: .*64 KiB'
{ good; cat "$tmp/noise7"; } > "$tmp/tnoise"; run "$tmp/tnoise"; refused 'trace: noise behind it' 'tnoise:1[6-9]: '
good | sed '10s/cycles,1000/cycles\r1000/' > "$tmp/tcr"; run "$tmp/tcr"; refused 'trace: CR in a row' 'tcr:10: '
good | sed 's/cpu: skl/cpu:/' > "$tmp/cpuless"; run "$tmp/cpuless"; refused 'trace: an empty cpu' 'cpuless:2: '
good | sed 's/cpu: skl/cpu: nehalem/' > "$tmp/nhm"; run "$tmp/nhm"; [ $code -eq 69 ] || fail "trace: a CPU without top-down events: exit $code"
good | sed 's/cpu: skl/cpu: neoverse-v2/; s/cycles/CYCLE/' > "$tmp/tother"; run "$tmp/tother"; refused 'trace: another CPU' 'neoverse-v2'
parts "$tmp/trace" 7
formats=csv # what is refused is refused before there is a format
for part in "$tmp"/part*; do
    run "$part"
    [ $code -eq 65 ] || fail "trace: the first ${part##*/part} bytes: exit $code: $(cat "$tmp/err")"
    tail -n 1 "$tmp/err" >> "$tmp/last"
done
formats='text json csv'
[ "$(wc -l < "$tmp/last")" -gt 80 ] && ! grep -v 'part[0-9]*:[0-9]*: ' "$tmp/last" || fail 'trace: a part of it is refused without its line'
rm "$tmp"/part*
bad_header() { printf '%s\n' "$1" | trace > "$tmp/header"; reading 0 0 0 0 0 0 0 >> "$tmp/header"; reading 9 0 9 9 9 9 9 >> "$tmp/header"; run "$tmp/header"; }
bad_header '# colour'; refused 'a header line without a colon' 'header:3: '
bad_header '# source: elsewhere'; refused 'source' 'header:3: '
bad_header '# topology: cores'; refused 'topology' 'header:3: '
bad_header '# colour: red'; refused 'an unknown key' "header:3: unknown key 'colour'"
bad_header '# x-colour: red'; answered 'a private key'
bad_header '# scaled: perhaps'; refused 'scaled' 'header:3: '
bad_header '# counter-bits: 65'; refused 'counter-bits' 'header:3: '
bad_header '# smt: maybe'; refused 'smt' 'header:3: '
good | sed '2s/skl/nonesuch/' > "$tmp/unknown"; run "$tmp/unknown"; refused 'an unknown cpu' "nonesuch"
good | sed '1s/1$/2/' > "$tmp/version"; run "$tmp/version"; refused 'another version' 'version:1: version 2'
good | sed '1s/1$/1.5/' > "$tmp/version"; run "$tmp/version"; refused 'no version' 'version:1: '
good | sed '/^# cpu/d' > "$tmp/nocpu"; run "$tmp/nocpu"; refused 'no cpu' 'cpu'
good | sed 's/^time_ns/time/' > "$tmp/columns"; run "$tmp/columns"; refused 'other columns' 'columns:3: '
good | sed '5s/$/,7/' > "$tmp/eleven"; run "$tmp/eleven"; refused 'a column too many' 'eleven:5: 11 columns'
good | sed '5s/,[^,]*$//' > "$tmp/nine"; run "$tmp/nine"; refused 'a column too few' 'nine:5: 9 columns'
good | head -n 3 > "$tmp/headeronly"; run "$tmp/headeronly"; refused 'a header only' 'two whole readings'
good | head -n 9 > "$tmp/single"; run "$tmp/single"; refused 'one reading' 'two whole readings'
good | head -n 2 > "$tmp/nocolumns"; run "$tmp/nocolumns"; refused 'no columns' 'columns'
{ good; reading 2000000000 0 2000 3200 2400 100 1600 | head -n 3; } > "$tmp/crash"
run "$tmp/crash"; answered 'a reading cut off at the end'; is retiring 0.300000
grep -q 'crash.*cut off' "$tmp/err" || fail "crash: not said: $(cat "$tmp/err")"
{ good; reading 2000000000 0 2000 3200 2400 100 1600 | head -n 3; reading 3000000000 0 3000 3200 2400 100 1600; } > "$tmp/middle"
run "$tmp/middle"; refused 'a reading without end' 'line 16 has no end'
{ trace < /dev/null; reading 0 0 0 0 0 0 0 4; } > "$tmp/endcount"; run "$tmp/endcount"; refused 'a wrong end' 'endcount:9: .*5 rows, not 4'
{ trace < /dev/null; reading 5 0 0 0 0 0 0; reading 4 0 1 1 1 1 1; } > "$tmp/tback"; run "$tmp/tback"; refused 'trace: time backwards' 'tback:10: time goes backwards'
good | sed '10s/,1000,/,1000.5,/' > "$tmp/tfraction"; run "$tmp/tfraction"; refused 'trace: a fraction' 'tfraction:10: '
good | sed '10s/,1000,/,-1000,/' > "$tmp/tnegative"; run "$tmp/tnegative"; refused 'trace: negative' 'tnegative:10: .*negative'
good | sed '10s/,1000,/,18446744073709551616,/' > "$tmp/tbeyond"; run "$tmp/tbeyond"; refused 'trace: 2^64' 'tbeyond:10: .*beyond'
good | sed '11s/UOPS_ISSUED.ANY/cycles/' > "$tmp/tdouble"; run "$tmp/tdouble"; refused 'trace: an event twice' 'tdouble:11: duplicate event'
good | sed '4s/,system,system,/,system,galaxy,/' > "$tmp/kind"; run "$tmp/kind"; refused 'trace: a scope kind' 'kind:4: '
good | sed '10s/1000000000,1000000000$/5,1000000000/' > "$tmp/running"; run "$tmp/running"; refused 'trace: running over enabled' 'running:10: '
good | sed '10s/cycles,1000/PERF_METRICS,1000/' > "$tmp/register"; run "$tmp/register"; refused 'trace: the register not in hex' 'register:10: '
good | tr -d '"' | sed '10s/system,system/"system,system/' > "$tmp/quote"; run "$tmp/quote"; refused 'trace: an open quote' 'quote:10: '
{ trace < /dev/null; reading 0 0 500 0 0 0 0; reading 1000 0 400 1600 1200 50 800; } > "$tmp/ranback"
run "$tmp/ranback"; answered 'a counter that ran backwards'; is retiring counter_reset
{ trace < /dev/null; reading 0 0 0 0 0 0 0; reading 1000 1 1000 1600 1200 50 800; reading 2000 1 2000 3200 2400 100 1600; } > "$tmp/epoch"
run "$tmp/epoch"; answered 'another epoch'; is retiring epoch_changed
awk -F, '$1 == "0.000002000" && $6 == "retiring" && $7 == "0.300000" { found = 1 } END { exit !found }' "$out" || fail "epoch: the next interval is lost"
good | sed '10,14s/,\([0-9]*\),1000000000,1000000000$/,18446744073709551615,1000000000,1000000000/' > "$tmp/tmax"; run "$tmp/tmax"; answered 'trace: 2^64-1'; is retiring 0.250000; is bad_speculation 1.000000; is backend_bound impossible
good | sed 13d > "$tmp/told"; run "$tmp/told"; refused 'trace: a row less than the end says' 'told:14: .*4 rows, not 5'
good | sed '13d; 15s/,5,/,4,/' > "$tmp/tmissing"; run "$tmp/tmissing"; answered 'trace: a missing event'
is bad_speculation missing_event:INT_MISC.RECOVERY_CYCLES; is retiring 0.300000
good | sed '10s/cycles,1000/cycles,not_counted/' > "$tmp/tnotcnt"; run "$tmp/tnotcnt"; answered 'trace: not counted'; is retiring not_counted
good | sed '10s/cycles,1000/cycles,not_supported/' > "$tmp/tnotsup"; run "$tmp/tnotsup"; answered 'trace: not supported'; is retiring not_supported
good | sed '10,14s/1000000000,1000000000$/1000000000,0/' > "$tmp/tnever"; run "$tmp/tnever"; answered 'trace: never ran'; is retiring not_counted
{ trace < /dev/null; reading 0 0 0 0 0 0 0; reading 1000 0 0 0 0 0 0; } > "$tmp/tzero"; run "$tmp/tzero"; answered 'trace: all zero'; is frontend_bound no_slots
good | sed 's/,system,system,/,'"$(awk 'BEGIN { while (i++ < 5000) printf "s" }')"',thread,/' > "$tmp/tscope"; run "$tmp/tscope"; answered 'trace: a scope of 5000 characters'
# the register: slots that passed before it was first read cannot be attributed
packed() { printf '# tdprobe-trace: 1\n# cpu: icl\n%s\n' "$columns"; for t in 0 9; do printf '%s,r,region,,0,0,slots,%s,%s,%s\n%s,r,region,,0,0,PERF_METRICS,%s,%s,%s\n%s,r,region,,,0,end,2,,\n' $t "$1" $t $t $t "$2" $t $t $t; shift 2; done; }
packed 1000 0x5a401e47 2000 0x5a401e47 > "$tmp/packed"; run "$tmp/packed"; answered 'the register'; is retiring 0.278431
packed 1000 not_counted 2000 0x5a401e47 > "$tmp/pfrom"; run "$tmp/pfrom"; answered 'the register not counted at first'; is retiring not_counted
packed 1000 0x5a401e47 2000 not_counted > "$tmp/pto"; run "$tmp/pto"; answered 'the register not counted at last'; is retiring not_counted
packed 1000 0x5a401e47 not_counted 0x5a401e47 > "$tmp/pslots"; run "$tmp/pslots"; answered 'slots not counted'; [ -z "$(metric retiring 7)" ] || fail "pslots: a value"
packed 0 0x0 1000 0xffffffffffffffff > "$tmp/pfull"; run "$tmp/pfull"; contradicts 'a full register'; is retiring impossible
packed 0 0x0 1000 0x0 > "$tmp/pempty"; run "$tmp/pempty"; answered 'an empty register'; is retiring no_slots
packed 2000 0x5a401e47 1000 0x5a401e47 > "$tmp/pback"; run "$tmp/pback"; answered 'slots that ran backwards'; is retiring epoch_changed
# single bytes changed, always the same ones
for source in whole:spr trace:skl; do
    LC_ALL=C awk -v to="$tmp/changed" 'BEGIN { RS = "\001" } { n = length($0); s = 7; for (i = 0; i < 60; i++) { s = (s * 1103515245 + 12345) % 2147483648; p = int(s / 65536) % n; s = (s * 1103515245 + 12345) % 2147483648; printf "%s%c%s", substr($0, 1, p), int(s / 65536) % 256, substr($0, p + 2) > (to i); close(to i) } }' "$tmp/${source%:*}"
    for changed in "$tmp"/changed*; do run "$changed" --uarch "${source#*:}"; done
done
[ "$(grep -c ' changed' "$tmp/names")" -eq 120 ] || fail "$(grep -c ' changed' "$tmp/names") changed files, not 120"
{ trace < /dev/null; reading 0 0 7 7 7 7 7; reading 1000 0 7 7 7 7 7; } > "$tmp/tconstant"; run "$tmp/tconstant"; answered 'trace: constant'; is retiring no_slots

# output
good > "$tmp/trace"
"$TDPROBE" replay -o /dev/full "$tmp/trace" 2> "$tmp/err"; [ $? -eq 74 ] || fail "/dev/full: exit $?"
[ "$(wc -l < "$tmp/err")" -eq 1 ] || fail "/dev/full: not one line"
"$TDPROBE" replay "$tmp/trace" > /dev/full 2> "$tmp/err"; [ $? -eq 74 ] || fail "stdout to /dev/full"
"$TDPROBE" replay -o "$tmp/nodir/out" "$tmp/trace" 2> "$tmp/err"; [ $? -eq 74 ] || fail "no directory: exit $?"
"$TDPROBE" replay -o "$tmp" "$tmp/trace" 2> "$tmp/err"; [ $? -eq 74 ] || fail "a directory as output"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$tmp/readonly"; chmod 555 "$tmp/readonly"
    "$TDPROBE" replay -o "$tmp/readonly/out" "$tmp/trace" 2> "$tmp/err"; [ $? -eq 77 ] || fail "an unwritable directory: $(cat "$tmp/err")"
fi
for command in --help --version list 'list events' 'list metrics' 'replay --help' 'list --help'; do
    # shellcheck disable=SC2086
    "$TDPROBE" $command > /dev/full 2> "$tmp/err"; [ $? -eq 74 ] || fail "$command to /dev/full"
done
for format in text csv json; do
    "$TDPROBE" replay --format $format "$tmp/trace" > /dev/full 2> "$tmp/err"; [ $? -eq 74 ] || fail "$format to /dev/full"
    [ "$(wc -l < "$tmp/err")" -eq 1 ] || fail "$format to /dev/full: not one line"
done
printf '\377' > "$tmp/byte"; good | sed "s/,system,system,/,a$(cat "$tmp/byte")b,thread,/" > "$tmp/latin"
run "$tmp/latin"; answered 'a scope that is no UTF-8'
if python3 -c 'import json' 2> /dev/null; then
    "$TDPROBE" replay --format json "$tmp/latin" | python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin.buffer.read().decode().splitlines()]' 2> /dev/null || fail "json that is no UTF-8"
fi
echo old > "$tmp/report"
"$TDPROBE" replay -o "$tmp/report" "$tmp/tback" 2> /dev/null; [ "$(cat "$tmp/report")" = old ] || fail "a failed run touched the report"
"$TDPROBE" replay -o "$tmp/new" "$tmp/tback" 2> /dev/null; [ ! -e "$tmp/new" ] || fail "a failed run left a report"
[ "$(find "$tmp" -name 'report.*' -o -name 'new.*' | wc -l)" -eq 0 ] || fail "temporary files are left"
"$TDPROBE" replay -o "$tmp/report" "$tmp/trace" && grep -q retiring "$tmp/report" || fail "the report was not written"
outputs
exit $bad
