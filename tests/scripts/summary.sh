#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings of several runs, and sums over intervals in which not everything
# was counted. Numbers are worked out by hand: 4 * 1000 slots on a Skylake.
set -u
bad=0
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; bad=1; }
got() { # METRIC COLUMN: in the summary line of the replay of $tmp/file
    "$TDPROBE" replay --uarch skl --level 1 --summary-only --format csv "$tmp/file" 2> "$tmp/err" | awk -F, -v m="$1" -v c="$2" '$6 == m { print $c }'
}
is() { # METRIC COLUMN WANTED
    value=$(got "$1" "$2")
    [ "$value" = "$3" ] || fail "$1 of $what: '$value', not '$3' $(cat "$tmp/err")"
}
rows() { # TIME FRONTEND: retiring 1200 of 4000, issued 1300, recovery 25
    printf "$1%s\n" 1000,,cycles,9,100.00,, 1300,,uops_issued.any,9,100.00,, 1200,,uops_retired.retire_slots,9,100.00,, \
        25,,int_misc.recovery_cycles,9,100.00,, "$2"
}
counted() { echo "$1,,idq_uops_not_delivered.core,9,100.00,,"; }

what='two whole intervals'
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, "$(counted 400)"; } > "$tmp/file"
is frontend_bound 7 0.150000
is frontend_bound 13 smt_unknown
what='an event not counted in one interval'
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, '<not counted>,,idq_uops_not_delivered.core,0,100.00,,'; } > "$tmp/file"
is frontend_bound 7 0.200000
is frontend_bound 9 ''
is frontend_bound 13 'multiplexed;split_groups;smt_unknown;few_windows'
is backend_bound 7 0.450000
is retiring 7 0.300000
is retiring 13 smt_unknown
what='an event left out of one interval'
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, "$(counted 800)" | grep -v idq; } > "$tmp/file"
is frontend_bound 7 0.200000
is frontend_bound 9 ''
# the same number of intervals each, but not the same ones: nothing was counted at the same time
what='events of different intervals'
{
    printf '%s\n' 1.000000000,1000,,cycles,9,100.00,, "1.000000000,$(counted 500)"
    printf '2.000000000,%s\n' 3000,,uops_issued.any,9,100.00,, 2900,,uops_retired.retire_slots,9,100.00,, 10,,int_misc.recovery_cycles,9,100.00,,
} > "$tmp/file"
is frontend_bound 7 0.125000
is frontend_bound 9 0.125000
is frontend_bound 13 smt_unknown
is retiring 7 0.725000
is retiring 9 ''
is retiring 13 'split_groups;smt_unknown;no_limits'
is backend_bound 13 'split_groups;smt_unknown;no_limits'
whole() { "$TDPROBE" replay "$@" --summary-only --format csv > "$tmp/$out" 2> "$tmp/err" || fail "$*: $(cat "$tmp/err")"; }
out=direct whole --uarch skl "$tmp/file"
"$TDPROBE" convert --uarch skl "$tmp/file" > "$tmp/a.trace" 2> "$tmp/err" || fail "convert of $what: $(cat "$tmp/err")"
out=converted whole "$tmp/a.trace"
cmp -s "$tmp/direct" "$tmp/converted" || fail "$what: their trace has other bounds: $(diff "$tmp/direct" "$tmp/converted")"
what='slots and fields of different intervals'
fields() { printf '1.000000000,%s\n' 1000000,,slots,9,100.00,, 300000,,topdown-retiring,9,100.00,,
    printf '2.000000000,%s\n' 200000,,topdown-bad-spec,9,100.00,, 200000,,topdown-fe-bound,9,100.00,, 300000,,topdown-be-bound,9,100.00,,; }
fields > "$tmp/file"
out=direct whole --uarch spr "$tmp/file"
[ "$(awk -F, '$6 == "retiring" { print $7 $9 $10 $13 }' "$tmp/direct")" = '0.300000split_groups;no_limits' ] || fail "$what: $(grep retiring "$tmp/direct")"
"$TDPROBE" convert --uarch spr "$tmp/file" > "$tmp/a.trace" 2> "$tmp/err" || fail "convert of $what: $(cat "$tmp/err")"
out=converted whole "$tmp/a.trace"
cmp -s "$tmp/direct" "$tmp/converted" || fail "$what: their trace has other bounds: $(diff "$tmp/direct" "$tmp/converted")"
what='an interval in which nothing was counted'
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, "$(counted 800)" | sed 's/,[0-9]*,,/,<not counted>,,/; s/,9,100/,0,100/'; } > "$tmp/file"
is frontend_bound 7 0.200000
is frontend_bound 9 0.200000

# perf stat -o FILE --append
run() { printf '# started on Fri Nov 20 12:12:20 2026\n\n'; rows "$1" "$(counted "$2")"; }
what='two runs without intervals'
{ run '' 800; run '' 400; } > "$tmp/file"
is frontend_bound 7 0.150000
[ "$("$TDPROBE" replay --uarch skl --format csv "$tmp/file" 2> /dev/null | grep -c ',frontend_bound,[0-9.]*,slots,')" = 2 ] || fail "$what are not two results"
what='two runs with intervals'
{ run 7.000000000, 800; run 1.000000000, 400; } > "$tmp/file"
is frontend_bound 7 0.150000
grep -q 'append' "$tmp/err" || fail "$what: not said"
what='intervals and a summary without its word'
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, "$(counted 400)"; rows '' "$(counted 1200)"; } > "$tmp/file"
is frontend_bound 7 0.150000
grep -q 'summary lines are left out' "$tmp/err" || fail "$what: not said"

# the CPU is identified by the first interval that has an event to identify it by
{ printf '1.000000000,5.1,msec,task-clock,9,100.00,,\n'; rows 2.000000000, "$(counted 800)"; } > "$tmp/late"
"$TDPROBE" replay --format csv --level 1 "$tmp/late" 2> "$tmp/err" | grep -q 'skl.*frontend_bound,0.200000' || fail "a first interval without events: $(cat "$tmp/err")"

# no limit of the program is reported while a node that might be it is absent
rows '' "$(counted 800)" | grep -v issued > "$tmp/absent"
"$TDPROBE" replay --uarch skl --level 1 "$tmp/absent" | grep -q 'undecided: bad_speculation is absent (missing_event:UOPS_ISSUED.ANY)' || fail 'a verdict without a node'
# unless the others leave it less than its threshold: 1 - 2500 / 4000 - 1200 / 4000 is 7.5 %, below 15 %
rows '' "$(counted 2500)" | grep -v issued > "$tmp/absent"
"$TDPROBE" replay --uarch skl --level 1 "$tmp/absent" | grep -q 'probably frontend_bound (likely)' || fail 'no verdict for want of a node that cannot be it'

what="json's next" # 50 % backend bound, by hand: 15 % frontend, (1300 - 1200 + 4 * 25) / 4000 bad speculation; exact counts
{ rows 1.000000000, "$(counted 800)"; rows 2.000000000, "$(counted 400)"; } > "$tmp/file"
next() { "$TDPROBE" replay --level 1 --summary-only --format json "$@" 2> "$tmp/err" | sed -n 's/.*"next"://p'; }
next --uarch skl "$tmp/file" | tr '{' '\n' | sed -nE 's/.*"node":"([a-z_]*)","high":([0-9.]*),"by":"([a-z_]*)","low":([0-9.]*),"bounds":"([a-z]*)".*/\1 \2 \3 \4 \5/p' | awk '{ printf "%s %.6f %s %.6f %s\n", $1, $2, $3, $4, $5 }' > "$tmp/got"
printf '%s 0.500000 sound\n' 'bad_speculation 0.050000 backend_bound' 'frontend_bound 0.150000 backend_bound' | cmp -s - "$tmp/got" || fail "$what: $(cat "$tmp/got")"
next --uarch skl "$tmp/file" | grep -q '"rerun":null,"command":"perf record ' || fail "$what: $(next --uarch skl "$tmp/file")"
"$TDPROBE" replay --uarch skl --level 1 --format json "$tmp/file" 2> "$tmp/err" | grep -q '"next"' && fail "$what: in an interval"
# without its event bad speculation is 10 % at least and anything at most, which is not below backend bound's 30 %
next "$TD_SRCDIR/traces/neoverse-n3-no-flush.trace" > "$tmp/got"
grep -q '"by":"backend_bound"' "$tmp/got" && ! grep -q '"node":"bad_speculation"' "$tmp/got" || fail "$what: $(cat "$tmp/got")"
# what would decide more is the same in both words
n=0
for file in "$TD_SRCDIR"/traces/s*.trace "$TD_SRCDIR"/traces/a*.trace; do
    "$TDPROBE" replay --summary-only --format json "$file" 2> "$tmp/err" | awk '
        BEGIN { n = split("(-a)=whole_cpus longer=longer --level=level_1 fewer=fewer_events -I=intervals --per-core=cores -C=one_cpu runs=runs doctor=doctor --smt=smt", pair, " ")
                for (i = 1; i <= n; i++) { split(pair[i], p, "="); word[p[1]] = p[2] } }
        /"next"/ {
            text = $0; sub(/.*"text":"/, "", text); sub(/"\},"next".*/, "", text)
            rerun = $0; sub(/.*"rerun":/, "", rerun); sub(/,"command".*/, "", rerun)
            found = "null"
            if (sub(/.*; /, "", text) && text ~ /decides? more|looks into it/)
                for (w in word) if (index(text, w)) found = "\"" word[w] "\""
            if (found != rerun) print text, "is", rerun
        }' > "$tmp/wrong"
    [ ! -s "$tmp/wrong" ] || fail "$file: $(cat "$tmp/wrong")"
    n=$((n + 1))
done
[ $n -gt 20 ] || fail "$what: only $n traces"
exit $bad
