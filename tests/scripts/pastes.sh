#!/bin/sh
# SPDX-License-Identifier: MIT
# Good recordings inside other text, as people post them: each is read, and gives the percentages that perf printed beside the counts.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; : > "$tmp/failed"; } # also from a pipe

text() {
    cat << 'EOF'
               842      context-switches                 #    3.691 /sec
        23,164,105      cycles                           #    0.000 GHz
       136,248,990      slots                            #  597.337 K/sec
        32,976,450      topdown-retiring                 #     24.2% retiring
         4,651,918      topdown-bad-spec                 #      3.4% bad speculation
        26,148,695      topdown-fe-bound                 #     19.2% frontend bound
        72,515,776      topdown-be-bound                 #     53.2% backend bound

       1.013634593 seconds time elapsed
EOF
}
csv() {
    cat << 'EOF'
136248990,,slots,1001002003,100.00,,
32976450,,topdown-retiring,1001002003,100.00,24.2,retiring
4651918,,topdown-bad-spec,1001002003,100.00,3.4,bad speculation
26148695,,topdown-fe-bound,1001002003,100.00,19.2,frontend bound
72515776,,topdown-be-bound,1001002003,100.00,53.2,backend bound
EOF
}
json() { csv | awk -F, '{ printf "{\"counter-value\" : \"%s.000000\", \"unit\" : \"\", \"event\" : \"%s\", \"event-runtime\" : %s, \"pcnt-running\" : %s}\n", $1, $3, $4, $5 }'; }

# reads WHAT [LINES]: of stdin, with the values that perf printed, and a note of so many lines of another program
reads() {
    cat > "$tmp/paste"
    "$TDPROBE" replay --uarch spr --level 1 --format csv "$tmp/paste" > "$tmp/out" 2> "$tmp/err" < /dev/null
    code=$?
    [ $code -eq 0 ] || fail "$1: exit $code: $(cat "$tmp/err")"
    got=$(awk -F, '$6 ~ /^(retiring|bad_speculation|frontend_bound|backend_bound)$/ { printf "%.1f ", 100 * $7 }' "$tmp/out")
    [ "$got" = "24.2 3.4 19.2 53.2 " ] || fail "$1: $got"
    case ${2-0} in
    0) [ ! -s "$tmp/err" ] || fail "$1: a note: $(cat "$tmp/err")" ;;
    1) grep -q ': 1 line is of another program' "$tmp/err" || fail "$1: no note of a line: $(cat "$tmp/err")" ;;
    *) grep -q ": $2 lines are of another program" "$tmp/err" || fail "$1: no note of $2 lines: $(cat "$tmp/err")" ;;
    esac
    [ "$(wc -l < "$tmp/err")" -le 1 ] || fail "$1: more than one note: $(cat "$tmp/err")"
}
refused() { # WHAT LINE: of stdin, 65 with its line
    cat > "$tmp/paste"
    "$TDPROBE" replay --uarch spr --level 1 --format csv "$tmp/paste" > "$tmp/out" 2> "$tmp/err" < /dev/null
    code=$?
    [ $code -eq 65 ] && grep -q "paste:$2: " "$tmp/err" || fail "$1: exit $code: $(cat "$tmp/err")"
}

for first in 'Hi,' '[info] start' '{ build ok }' '{"result": 1, "time": 3}' '<pre>' '```' '| a | b |' 'value,unit,event' '2026-11-20T10:11:12Z begins' 'PERFILE?'; do
    { echo "$first"; text; } | reads "text after '$first'"
done
{ printf 'Hi,\n\nhere is the output:\n\n```\n$ perf stat -a sleep 1\n\n Performance counter stats for '"'system wide'"':\n\n'; text; printf '```\n\nThanks\n'; } | reads markdown
{ printf '<html><body><pre>'; text | sed '1d'; printf '</pre></body></html>\n'; } | reads 'a page'
for before in '2026-11-20T10:11:12.1234567Z ' '[10:11:12] ' 'Nov 20 10:11:12 myhost perf[1234]: ' 'Fri 2026-11-20 10:11:12 CET myhost run[7]: ' '[12345.678901] myhost run[1]: ' 'web_1  | ' '2026-11-20T10:11:12.123456Z 01O ' '> '; do
    for what in text csv json; do
        $what | sed "s#^#$before#" | reads "$what, each line after '$before'"
    done
done
{ echo '# started on Tue Jul 14 22:24:44 2026'; csv; echo 'program output'; } | reads 'CSV with an output after it' 1
csv | awk '{ print "the program says: one, two"; print }' | reads 'CSV with an output between' 5
{ echo '{"result": 1}'; json; echo 'Thanks,'; } | reads 'JSON with an output' 2
json | sed 's/$/\n[info] {"a": {"b": 1}}, and so on/' | reads 'JSON with a log between' 5
{ printf 'value,unit,event,runtime,pct,metric,munit\n\n'; csv; } | reads 'CSV with a header row'
{ printf '"# started on Tue Jul 14 22:24:44 2026"\n""\n'; csv | sed 's/^/"/; s/,/","/g; s/$/"/'; } | reads 'CSV with quoted cells'
{ echo 'value;unit;event;runtime;pct;metric;munit'; csv | sed 's/,100\.00,/,100,/; s/^/"/; s/,/";"/g; s/$/"/'; } | reads 'CSV as a spreadsheet wrote it'

# what has a count in its place, or the name of an event, is damaged
{ csv; echo '12,apples'; } | refused 'a count without an event' 6
{ csv; echo 'a line, slots, and more'; } | refused 'an event without a count' 6
{ csv | sed '3s/^4651918/4651x18/'; } | refused 'a count that is cut' 3
{ json | sed '3s/^{//'; } | refused 'an object without its brace' 3

# ---- whose counts they are, and what that leaves open ------------------------------------------------

# WHAT, then patterns that the answer has, and with ! before it one that it has not; of stdin
answers() {
    what=$1
    shift
    cat > "$tmp/in"
    "$TDPROBE" replay "$tmp/in" > "$tmp/out" 2>&1 || fail "$what: exit $?: $(head -n 3 "$tmp/out")"
    for pattern; do
        case $pattern in
        !*) grep -qE -- "${pattern#!}" "$tmp/out" && fail "$what: '$pattern': $(cat "$tmp/out")" ;;
        *) grep -qE -- "$pattern" "$tmp/out" || fail "$what: lacks '$pattern': $(cat "$tmp/out")" ;;
        esac
    done
}
# Neoverse N2, 5 slots a cycle, 100 of them: frontend 40, backend 24, operations 36 of which 90 % are kept, and a mispredicted
# branch in each 500 cycles. r0p3: frontend 0.4 - 1/500, backend 0.24 - 3/500. Before, stall_slot and stall_slot_frontend count
# one a cycle too many, 20, so that frontend is the smaller one.
n2() {
    printf ' Performance counter stats for '"'system wide'"':\n\n'
    printf '   %s      %s\n' 20,000,000 cpu_cycles 64,000,000 stall_slot 40,000,000 stall_slot_frontend 24,000,000 stall_slot_backend 36,000,000 op_spec 32,400,000 op_retired 40,000 br_mis_pred
    printf '\n      10.004413294 seconds time elapsed\n'
}
{ echo 'CPU: Neoverse-N2 r0p3'; echo; n2; } | answers 'a revision' '^=> limited by frontend_bound' '^ *frontend_bound +39\.8 %' '!^=> .*backend_bound'
{ echo 'CPU: Neoverse-N2 r0p1'; echo; n2; } | answers 'an older revision' '^=> limited by backend_bound' '^ *frontend_bound +19\.8 %'
{ echo 'Model name: Neoverse-N2'; echo; n2; } | answers 'no revision: both, and neither is sure of what it assumes' '^=> limited by frontend_bound' '^=> probably backend_bound' '[!] revision_assumed' '!^=> limited by backend_bound'
{ echo 'Model name: Neoverse-V2'; echo; n2; } | answers 'a name at the end of its line' 'names neoverse-v2'

# Skylake by the clock of its threads: whether their siblings ran is not known, and with it everything may be half
printf ' Performance counter stats for '"'system wide'"':\n\n   1,000,000      cpu_clk_unhalted.thread\n     760,000      idq_uops_not_delivered.core\n     900,000      uops_issued.any\n     840,000      uops_retired.retire_slots\n      10,000      int_misc.recovery_cycles\n\n      1.0 seconds time elapsed\n' > "$tmp/skl"
{ echo 'Model name: Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz'; cat "$tmp/skl"; } | answers 'threads that may share cores' '^=> probably backend_bound' '[!] smt_unknown' '!limited by'
"$TDPROBE" replay --uarch skl --smt off "$tmp/skl" | grep -q '^=> limited by backend_bound' || fail 'SMT off'

# what a program prints of its speed is no event, before the counts and after them
{ echo '1234567 ops/sec'; echo; text; } | answers 'a rate before' '!further recording' '53\.2 %'
{ text; echo; echo '99812 req/s'; } | answers 'a rate after' '!further recording' '53\.2 %'

# perf stat without events, since it prints TopdownL1: cycles and instructions do not hide its percentages
{
    printf ' Performance counter stats for '"'./md5bench'"':\n\n'
    printf '   %s      %s\n' 18,992,004,117 cycles 39,220,118,843 instructions 2,118,304,115 branches
    printf '                        TopdownL1                 #     54.1 %%  tma_backend_bound\n'
    printf '                                                  #     %s\n' '1.2 %  tma_bad_speculation' '6.3 %  tma_frontend_bound' '38.4 %  tma_retiring'
    printf '\n       5.006113380 seconds time elapsed\n'
} | answers 'the percentages of TopdownL1 beside other counts' 'no top-down events were recorded' '^ *retiring +38\.4 %' '^=> probably backend_bound'
# ---- what tells the CPU -------------------------------------------------------------------------------

counts() { # COUNT EVENT...: perf stat's text
    printf ' Performance counter stats for '"'./bench'"':\n\n'
    printf '   %s      %s\n' "$@"
    printf '\n      1.604512345 seconds time elapsed\n'
}
# events that all of Arm's cores have, of which one CPU's formulas make a part of level 1: stalled in 23 and 38 of 100 cycles
arm() { counts 4,000,000,000 cpu_cycles 5,900,000,000 inst_retired 6,900,000,000 inst_spec 920,000,000 stall_frontend 1,520,000,000 stall_backend; }
arm > "$tmp/in"
"$TDPROBE" replay "$tmp/in" > "$tmp/out" 2>&1; code=$?
[ $code -eq 64 ] || fail "events of all Arm cores: exit $code"
grep -q 'does not show which CPU it was, of those that have these events, .*neoverse-n1, .*hip08: name it with --uarch$' "$tmp/out" || fail "events of all Arm cores: $(cat "$tmp/out")"
"$TDPROBE" replay --uarch n1 "$tmp/in" | grep -q 'backend_stalled_cycles  *38\.0' || fail 'the CPU that is named' # as advised
{ echo 'c6g.xlarge (AWS Graviton2)'; arm; } | answers 'a cloud says the CPU' 'names neoverse-n1' 'frontend_stalled_cycles  *23\.0' 'backend_stalled_cycles  *38\.0' '!hip08'
# with its own event it is one: 0.6 of 4 slots a cycle are bubbles
{ arm; echo '   2,400,000,000      r2014'; } > "$tmp/in"
counts 4,000,000,000 cpu_cycles 5,900,000,000 inst_retired 6,900,000,000 inst_spec 2,400,000,000 r2014 | answers 'its own event' 'hip08' 'frontend_bound +15\.0 %'

# Atoms have events of the names of PERF_METRICS' fields, which Linux counts with slots only; 5 slots in each cycle are Gracemont's
atom() { counts 6,000,000,000 topdown-fe-bound 2,000,000,000 topdown-be-bound 1,000,000,000 topdown-bad-spec 3,000,000,000 topdown-retiring "$1" cpu-cycles; }
atom 2,400,000,000 | answers 'no slots, 5 a cycle' 'adl-e' '^=> limited by frontend_bound' 'frontend_bound +50\.0 %' '!icl' '!ehl' '!srf'
atom 3,000,000,000 | answers 'no slots, 4 a cycle' 'ehl[|]snr' 'frontend_bound +50\.0 %' '!icl' '!srf' '!cwf'
atom 2,000,000,000 | answers 'no slots, 6 a cycle' 'srf[|]grr' 'frontend_bound +50\.0 %' '!icl' '!adl-e'
counts 12,000,000,000 slots 6,000,000,000 topdown-fe-bound 2,000,000,000 topdown-be-bound 1,000,000,000 topdown-bad-spec 3,000,000,000 topdown-retiring | answers 'with slots' 'icl' '!adl-e'
# the names of Atoms, and the numbers of lscpu, where the name is not known
{ printf 'Vendor ID: GenuineIntel\nModel name: Intel(R) N100\nCPU family: 6\nModel: 190\n\n'; atom 3,000,000,000; } | answers 'a name of Gracemont' 'names adl-e' '!ehl'
{ printf 'Vendor ID:               GenuineIntel\n  Model name:            A CPU without a name\n    CPU family:          6\n    Model:               150\n    Stepping:            1\n\n'; atom 3,000,000,000; } | answers 'numbers of lscpu' 'names ehl' '!adl-e'

# an event that the machine does not support is no sign that its CPU has it
other() { counts 1,000,000 cpu_clk_unhalted.thread 760,000 idq_uops_not_delivered.core 900,000 uops_issued.any 840,000 uops_retired.retire_slots 10,000 int_misc.recovery_cycles; }
{ other | sed '$d'; printf '   <not supported>      slots\n   <not supported>      topdown-retiring\n\n      1.0 seconds time elapsed\n'; } | answers 'not supported' 'skl' '!icl'
printf ' Performance counter stats for '"'./bench'"':\n\n   <not supported>      slots\n   <not supported>      topdown-retiring\n     1,000,000      cycles\n\n      1.0 seconds time elapsed\n' > "$tmp/in"
"$TDPROBE" replay "$tmp/in" > "$tmp/out" 2>&1; grep -q 'not_supported (topdown-retiring)' "$tmp/out" || fail "nothing else is there: $(cat "$tmp/out")"

# the recordings of two machines in one file: the second has no event of the first one's formulas; and twice the same machine
{ other; counts 136,248,990 slots 32,976,450 topdown-retiring 4,651,918 topdown-bad-spec 26,148,695 topdown-fe-bound 72,515,776 topdown-be-bound; } | answers 'two machines' ':[0-9]+: the interval that ends here has no event of the formulas that the file began with \(several CPUs\): .* put that part into a file of its own$' 'missing_event'
{ other; other; } | answers 'one machine twice' '!the interval that ends here'
# the other way round the second one's clock is an event of the first one's formulas, too, and alone gives no metric
fields() { counts 136,248,990 slots 32,976,450 topdown-retiring 4,651,918 topdown-bad-spec 26,148,695 topdown-fe-bound 72,515,776 topdown-be-bound 41,635,972 topdown-mem-bound; }
{ fields; other; } | answers 'two machines, the newer one first' ':[0-9]+: the interval that ends here has the events of another CPU than the file began with \(spr\): put each machine.s part into a file of its own$' 'missing_event' ' backend_bound~$'
{ fields; fields; } | answers 'the newer machine twice' '!the interval that ends here'

# ---- percentages where the counts give nothing ----------------------------------------------------------

# perf stat without events on a hybrid: each kind of core has its own, and naming the CPU takes nothing away
hybrid() {
    printf ' Performance counter stats for '"'./ray'"':\n\n   7,400,000,000      cpu_atom/cycles/   (38.11%%)\n  12,200,000,000      cpu_core/cycles/   (61.89%%)\n'
    printf '             TopdownL1 (cpu_core)                 #     %s %%  tma_backend_bound\n' 13.9
    printf '                                                  #     %s\n' '60.2 %  tma_frontend_bound' '5.4 %  tma_bad_speculation' '20.5 %  tma_retiring             (61.89%)'
    printf '             TopdownL1 (cpu_atom)                 #     %s %%  tma_bad_speculation\n' 2.3
    printf '                                                  #     %s\n' '30.1 %  tma_retiring             (38.11%)' '57.4 %  tma_backend_bound' '10.2 %  tma_frontend_bound'
    printf '\n       1.107190332 seconds time elapsed\n'
}
hybrid | answers 'a hybrid without top-down counts' '^ *cpu_core +20\.5. +5\.4. +60\.2. +13\.9. .*frontend_bound~$' '^ *cpu_atom +30\.1. +2\.3. +10\.2. +57\.4. .*backend_bound~$'
hybrid > "$tmp/in"
"$TDPROBE" replay --uarch adl "$tmp/in" > "$tmp/out" 2> "$tmp/err" || fail "the hybrid is named: exit $?"
grep -q ': by its counts no metric has a value; what follows are the percentages as they were printed' "$tmp/err" || fail "the hybrid is named: $(cat "$tmp/err")"
grep -qE '^ *cpu_core P +20\.5.*frontend_bound~$' "$tmp/out" && grep -qE '^ *cpu_atom E +30\.1.*backend_bound~$' "$tmp/out" || fail "the hybrid is named: $(cat "$tmp/out")"

# slots and retiring are above the cut: of the CPU nothing is known, but what stands beside the other counts is an answer. The
# share that is not there, 14.0, may be all of one node: 62.5 leads by more, 38 before 24 does not
cut() {
    printf '       120,000,000      topdown-bad-spec                 #     %s%% bad speculation\n' "$1"
    printf '       105,000,000      topdown-fe-bound                 #     %s%% frontend bound\n' "$2"
    printf '       312,500,000      topdown-be-bound                 #     %s%% backend bound\n' "$3"
    printf '        55,000,000      topdown-mem-bound                #     %s%% memory bound           #     %s%% Core bound\n\n       1.013634593 seconds time elapsed\n' "$4" "$5"
}
cut 2.5 21.0 62.5 51.5 11.0 | answers 'a cut paste' 'nearest is spr, but topdown-retiring is missing' '^ *backend_bound +62\.5 %' '^ *core_bound +11\.0 %' '^=> probably backend_bound'
cut 24.0 24.0 38.0 20.0 18.0 | answers 'a cut paste without a clear lead' '^ *backend_bound +38\.0 %' '^=> undecided: there are no bounds; the largest above its threshold is backend_bound$'
cut 2.5 21.0 62.5 51.5 11.0 > "$tmp/in"
"$TDPROBE" replay --uarch spr "$tmp/in" > "$tmp/out" 2>&1 || fail "a cut paste, its CPU named: exit $?: $(cat "$tmp/out")"
grep -q '62\.5. .*backend_bound' "$tmp/out" || fail "a cut paste, its CPU named: $(cat "$tmp/out")"
cut 2.5 21.0 62.5 51.5 11.0 | sed 's/ *#.*//' > "$tmp/in" # where there are none, what is missing is the answer
"$TDPROBE" replay "$tmp/in" > "$tmp/out" 2>&1; code=$?
[ $code -eq 69 ] && grep -q 'topdown-retiring' "$tmp/out" || fail "a cut paste without percentages: exit $code: $(cat "$tmp/out")"
# two thirds of the slots are not in the paste: nothing is known of them
printf ' Performance counter stats for '"'./x'"':\n\n                        TopdownL1                 #      1.2 %%  tma_bad_speculation\n                                                  #     31.4 %%  tma_retiring\n' | answers 'the largest is cut off' '^=> undecided' '!=> none' '!not stalled'

# toplev is called by its name
printf 'Using level 3.\n# 4.8-full-perf on Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz [icx]\nBE               Backend_Bound                         %% Slots                       71.8   <==\n' | answers "toplev's header" "toplev's results are ratios" '!perf stat.s table' '^=> probably backend_bound'
[ ! -e "$tmp/failed" ]
