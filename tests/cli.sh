#!/bin/sh
# SPDX-License-Identifier: MIT
# The program's interface: options, choice of CPU, formats, summaries. Numbers
# are worked by hand from the counts written here.
set -u
bad=0
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; bad=1; }

exits() { # CODE PATTERN ARGS...: of tdprobe; pattern in stdout or stderr
    want=$1 pattern=$2
    shift 2
    "$TDPROBE" "$@" > "$tmp/out" 2> "$tmp/err"
    code=$?
    [ $code -eq "$want" ] || fail "tdprobe $*: exit $code, not $want: $(cat "$tmp/err")"
    cat "$tmp/out" "$tmp/err" | grep -qE -- "$pattern" || fail "tdprobe $*: '$pattern' is not said: $(cat "$tmp/out" "$tmp/err")"
}
column() { # METRIC COLUMN [ROW] of csv in $tmp/out
    awk -F, -v m="$1" -v c="$2" -v r="${3-1}" '$6 == m && ++n == r { print $c }' "$tmp/out"
}
same() { # WHAT GOT WANTED
    [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}
spr() { # TIME SLOTS RET BAD FE BE, as perf stat -x, writes them
    t=${1:+$1,}
    for e in "$2:slots" "$3:topdown-retiring" "$4:topdown-bad-spec" "$5:topdown-fe-bound" "$6:topdown-be-bound"; do
        printf '%s%s,,%s,1000000,100.00,,\n' "$t" "${e%%:*}" "${e#*:}"
    done
}
spr '' 1000 300 100 200 400 > "$tmp/spr"
{ spr 1.000000001 1000 300 100 200 400; spr 3.000000001 9000 900 900 5400 1800; } > "$tmp/two"

# words and options
exits 0 'usage: tdprobe' --help
exits 0 '^tdprobe [0-9]' --version
exits 64 'usage' ; exits 0 'replay \[options\]' replay --help
exits 69 "cannot measure 'foo'" foo replay
exits 69 "cannot measure 'list'" -- list
exits 64 'not in this version' -a
exits 64 'no file' replay
exits 64 'one file' replay a b
exits 64 "no option --colour" replay --colour "$tmp/spr"
exits 64 "lacks its value" replay --uarch
exits 64 'level is 1 or 2' replay --level 3 "$tmp/spr"
exits 64 'text, csv or json' replay --format xml "$tmp/spr"
exits 64 'list backends' replay --backend=nosuch "$tmp/spr"
exits 69 'no formulas for spr' replay --uarch spr --backend=intel-atom "$tmp/spr"
exits 65 'cannot be opened' replay "$tmp/none"
exits 0 'retiring' replay "$tmp/spr" --uarch spr --level 1

# list
exits 0 'intel-perf-metrics' list
exits 0 'arm-neoverse' list backends
exits 0 '^adl-e ' list uarchs
exits 0 'IDQ_UOPS_NOT_DELIVERED.CORE +0x19c' list events --uarch hsw
exits 0 'not used: its terms' list metrics --uarch slm
exits 64 'backends, uarchs, events and metrics' list cpus
exits 64 'name one kind of core' list events --uarch adl
exits 64 'one word' list events metrics

# names and ids of CPUs
for pair in spr:spr sapphirerapids:spr GenuineIntel-6-8F-8:spr GenuineIntel-6-8f:spr emr:emr; do
    exits 0 "\"cpu\":\"${pair#*:}\"" replay --uarch "${pair%%:*}" --format json "$tmp/spr"
done
printf '1000,,cycles,1000,100.00,,\n1200,,uops_retired.retire_slots,1000,100.00,,\n' > "$tmp/skl"
for pair in kbl:skl cfl:skl GenuineIntel-6-55-4:skx GenuineIntel-6-55-7:clx GenuineIntel-6-55-b:clx; do
    exits 0 "\"cpu\":\"${pair#*:}\"" replay --uarch "${pair%%:*}" --format json "$tmp/skl"
done
exits 64 'skx or clx' replay --uarch GenuineIntel-6-55 "$tmp/skl"
exits 64 'no such CPU' replay --uarch pentium "$tmp/skl"
exits 69 'no slot events' replay --uarch neoverse-n1 "$tmp/skl"
exits 69 'no slot events' replay --uarch 0x413fd0c1 "$tmp/skl"
exits 69 'AMD' replay --uarch AuthenticAMD-25-61-2 "$tmp/skl"
printf '1000,,cpu_cycles,1000,100.00,,\n2500,,stall_slot_backend,1000,100.00,,\n' > "$tmp/n2"
for pair in neoverse-n2:neoverse-n2 0x410fd490:neoverse-n2 0x00000000410fd493:neoverse-n2-r0p3 0x6d0fd490:neoverse-n2 yitian710:neoverse-n2 graviton4:neoverse-v2; do
    exits 0 "\"cpu\":\"${pair#*:}\"" replay --uarch "${pair%%:*}" --format json "$tmp/n2"
done
exits 0 '"flags":\[.*revision_assumed' replay --uarch neoverse-n2 --format json "$tmp/n2"
exits 0 '"flags":\[' replay --uarch 0x410fd490 --format json "$tmp/n2"
grep -q revision_assumed "$tmp/out" && fail "a MIDR leaves nothing to assume"

# no --uarch: one answer of several CPUs, or 64 with the candidates
exits 0 '"cpu":"icl\|icx\|tgl\|rkl\|spr\|emr\|gnr"' replay --format json "$tmp/spr"
exits 64 'neoverse-n2 neoverse-n2-r0p3' replay "$tmp/n2"
same 'nothing is printed before that' "$(cat "$tmp/out")" ''
printf '1000,,cycles,1000,100.00,,\n1200,,topdown-retiring,1000,100.00,,\n' > "$tmp/atom"
exits 64 'srf' replay "$tmp/atom"

# hybrids: each kind of core by itself
{
    spr '' 6000 1800 600 1200 2400 | sed 's/\(slots\|topdown-[a-z-]*\)/cpu_core\/\1\//'
    for e in 1000:cycles 1000:topdown-fe-bound 500:topdown-be-bound 2000:topdown-retiring; do
        printf '%s,,cpu_atom/%s/,1000000,100.00,,\n' "${e%%:*}" "${e#*:}"
    done
} > "$tmp/adl"
exits 0 . replay --uarch adl --format csv "$tmp/adl"
same 'P retiring' "$(awk -F, '$4 == "P" && $6 == "retiring" { print $5, $7 }' "$tmp/out")" 'adl-p 0.300000'
same 'E retiring, 2000 of 5 * 1000' "$(awk -F, '$4 == "E" && $6 == "retiring" { print $5, $7 }' "$tmp/out")" 'adl-e 0.400000'
same 'E bad speculation, the rest' "$(awk -F, '$4 == "E" && $6 == "bad_speculation" { print $7 }' "$tmp/out")" 0.300000
same 'E memory bound' "$(awk -F, '$4 == "E" && $6 == "memory_bound" { print $12 }' "$tmp/out")" not_on_this_cpu
exits 0 'E-cores are left out' replay --uarch adl-p --format csv "$tmp/adl"
same 'only P' "$(awk -F, 'NR > 1 { print $5 }' "$tmp/out" | sort -u)" adl-p

# --no-fixed: the same recording by ordinary events, which it lacks
exits 0 'missing_event:UOPS_RETIRED.SLOTS' replay --uarch spr --no-fixed --format csv "$tmp/spr"
exits 0 '"formula":"glc-events"' replay --uarch spr --no-fixed --format json "$tmp/spr"

# levels, counts, summaries: (300 + 900) / 10000 is not the mean of 0.3 and 0.1
exits 0 . replay --uarch spr --level 1 --format csv "$tmp/two"
same 'four metrics of two intervals' "$(wc -l < "$tmp/out")" 9
same 'time to the ns' "$(column retiring 1 2)" 3.000000001
exits 0 . replay --uarch spr --summary --format csv "$tmp/two"
same 'interval 2' "$(column retiring 7 2)" 0.100000
same 'summary' "$(column retiring 1 3) $(column retiring 7 3) $(column frontend_bound 7 3)" 'summary 0.120000 0.560000'
exits 0 . replay --uarch spr --summary-only --format csv "$tmp/two"
same 'summary only' "$(awk -F, 'NR > 1 { print $1 }' "$tmp/out" | sort -u)" summary
exits 0 '"counts":\{"slots":1000,"topdown-retiring":300,' replay --uarch spr --counts --format json "$tmp/spr"
exits 0 'topdown-be-bound,400.000000,count' replay --uarch spr --counts --format csv "$tmp/spr"
exits 0 '400  topdown-be-bound' replay --uarch spr --counts "$tmp/spr"

# formats
exits 0 . replay --uarch spr --format csv "$tmp/spr"
same 'csv header' "$(head -n 1 "$tmp/out")" time,scope,scope_kind,core,cpu,metric,value,unit,low,high,coverage,status,flags
same 'csv columns' "$(awk -F, '{ print NF }' "$tmp/out" | sort -u)" 13
same 'no time' "$(column retiring 1)" ''
same 'an absent value is empty' "$(column memory_bound 7):$(column memory_bound 9):$(column memory_bound 12)" ::missing_event:topdown-mem-bound
exits 0 '=> limited by backend_bound' replay --uarch spr "$tmp/spr"
grep -q '|###' "$tmp/out" && fail 'bars without a terminal'
exits 0 '^\{"schema":"tdprobe/1","time":null,"scope":"system","scope_kind":"system","core":null,"cpu":"spr","backend":"intel-perf-metrics","formula":"glc-perf-metrics without INT_MISC.UOP_DROPPING","metrics":\{"retiring":\{"value":0.3,' replay --uarch spr --format json "$tmp/spr"
grep -q '"resource_bound":{"value":null,"status":"not_on_this_cpu"}' "$tmp/out" || fail 'json: an absent metric'
if command -v python3 > /dev/null; then
    "$TDPROBE" replay --uarch spr --summary --counts --format json "$tmp/two" | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) == 3 and rows[2]["summary"] is True, rows
for row in rows:
    for name, m in row["metrics"].items():
        assert m["value"] is None and "status" in m or m["low"] <= m["value"] <= m["high"], (name, m)
assert rows[1]["time"] == 3.000000001 and rows[1]["metrics"]["frontend_bound"]["value"] == 0.6, rows[1]
assert rows[0]["coverage"] == 1.0 and isinstance(rows[0]["flags"], list)' || fail 'json is not as documented'
fi

# where reports go
"$TDPROBE" replay --uarch spr --format csv - < "$tmp/spr" > "$tmp/stdin" || fail 'stdin as -'
"$TDPROBE" replay --uarch spr --format csv -o "$tmp/file" "$tmp/spr" > "$tmp/nothing" || fail '-o FILE'
cmp -s "$tmp/stdin" "$tmp/file" || fail '-o FILE and stdout differ'
same 'stdout with -o' "$(cat "$tmp/nothing")" ''
"$TDPROBE" replay --uarch spr -o /dev/null "$tmp/spr" || fail '-o /dev/null'

# a trace names its CPU; --uarch overrides it, with a note
printf '# tdprobe-trace: 1\n# cpu: icl\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n' > "$tmp/trace"
for t in 0 1000; do
    for cpu in CPU0 CPU1; do
        printf '%s,%s,cpu,,0,0,topdown-retiring,%s,%s,%s\n' $t $cpu $((t * (cpu_ = ${cpu#CPU} + 1))) $t $t
        printf '%s,%s,cpu,,0,0,topdown-bad-spec,%s,%s,%s\n' $t $cpu $((t * 4)) $t $t
        printf '%s,%s,cpu,,0,0,topdown-fe-bound,%s,%s,%s\n' $t $cpu $((t * 2)) $t $t
        printf '%s,%s,cpu,,0,0,topdown-be-bound,%s,%s,%s\n' $t $cpu $((t * 3)) $t $t
        printf '%s,%s,cpu,,,0,end,4,,\n' $t $cpu
    done
done >> "$tmp/trace"
exits 0 . replay --format csv --summary --level 1 "$tmp/trace"
same 'two scopes' "$(awk -F, '$6 == "retiring" { print $1, $2, $5, $7 }' "$tmp/out" | tr '\n' ';')" \
    '0.000001000 CPU0 icl 0.100000;0.000001000 CPU1 icl 0.181818;summary CPU0 icl 0.100000;summary CPU1 icl 0.181818;'
exits 0 'says cpu icl; read as spr' replay --uarch spr --format csv "$tmp/trace"

# the same counts in other clothes
"$TDPROBE" replay --uarch spr --format csv "$tmp/spr" > "$tmp/want"
alike() { # WHAT, the file on stdin
    cat > "$tmp/clothes"
    "$TDPROBE" replay --uarch spr --format csv "$tmp/clothes" > "$tmp/got" 2> "$tmp/err" || fail "$1: $(cat "$tmp/err")"
    cmp -s "$tmp/want" "$tmp/got" || fail "$1: another answer"
}
for sep in ';' '|' ':' '@' '	'; do sed "s/,/$sep/g" "$tmp/spr" | alike "separator '$sep'"; done
sort -r "$tmp/spr" | alike 'another order'
tr 'a-z' 'A-Z' < "$tmp/spr" | alike 'capitals'
sed 's/slots/TOPDOWN.SLOTS/' "$tmp/spr" | alike 'the vendor'"'"'s name'
sed 's/slots,/cpu\/slots\/,/; s/topdown-\([a-z-]*\)/cpu\/topdown-\1\//' "$tmp/spr" | alike 'with a PMU'
sed 's/\(slots\|topdown-[a-z-]*\),/\1:u,/' "$tmp/spr" | alike 'modifiers'
sed 's/slots,/cpu\/event=0x00,umask=0x4\/,/; s/topdown-retiring/cpu\/event=0x00,umask=0x80\//; s/topdown-fe-bound/r8200/' "$tmp/spr" | alike 'raw encodings'
{ echo '# a comment'; echo; cat "$tmp/spr"; printf '5.1,msec,task-clock,1000,100.00,0.9,CPUs utilized\n,,,,,25.1,%%  tma_x\n'; } | alike 'comments, other events, metric rows'
exit $bad
