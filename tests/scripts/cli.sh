#!/bin/sh
# SPDX-License-Identifier: MIT
# The program's documented behaviour: options, exit codes, messages, the three formats,
# and that the result depends on the meaning of a recording and not on its form.
# The counts are small enough to work out the answers by hand, which are given with each.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

quiet() { [ ! -s err ] || fail "$what: says on stderr: $(cat err)"; }
# METRIC VALUE|STATUS [PATTERN]: in the first matching row of csv
is() {
    got=$(awk -F, -v m="$1" -v p="${3-.}" '$6 == m && $0 ~ p { print $7 == "" ? $12 : $7; exit }' out)
    [ "$got" = "$2" ] || fail "$what: $1 ${3-} is '$got', not '$2'"
}
same() { # WHAT A B
    cmp -s "$2" "$3" || { fail "$1: not the same:"; diff "$2" "$3" | head -n 6; }
}
usage() { # PATTERN ARGS...: exit 64, one line with the error and what to do next
    pattern=$1
    shift
    t "$@"; exits 64; lines err 1; warns "$pattern"; warns "tdprobe (([a-z-]+ )?--help|list)"
}
# SEP PREFIX NAMES: eight events of Skylake. 4 * 1000 slots: frontend 800, retired
# 1200, (1600 - 1200 + 4 * 50) bad speculation; 4 * 100 latency; 30 of 40 mispredicts
rows() {
    sep=$1 prefix=$2
    printf '%s\n' "$3" | tr ' ' '\n' | awk -v s="$sep" -v p="$prefix" 'BEGIN { n = split("1000 1600 1200 50 800 100 30 10", v, " ") }
        NF { print p v[++i] s s $0 s 1000000 s "100.00" s s }'
}
upper='CPU_CLK_UNHALTED.THREAD UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS INT_MISC.RECOVERY_CYCLES IDQ_UOPS_NOT_DELIVERED.CORE IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE BR_MISP_RETIRED.ALL_BRANCHES MACHINE_CLEARS.COUNT'
lower=$(echo "$upper" | tr '[:upper:]' '[:lower:]')
spr() { # TIME-PREFIX SLOTS RETIRING BAD FRONTEND BACKEND
    printf '%s%s,,slots,9,100.00,,\n%s%s,,topdown-retiring,9,100.00,,\n' "$1" "$2" "$1" "$3"
    printf '%s%s,,topdown-bad-spec,9,100.00,,\n%s%s,,topdown-fe-bound,9,100.00,,\n%s%s,,topdown-be-bound,9,100.00,,\n' "$1" "$4" "$1" "$5" "$1" "$6"
}
columns=time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
reading() { # TIME SCOPE VALUES of slots, retiring, bad-spec, fe-bound, be-bound
    time=$1 scope=$2
    shift 2
    for event in slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound; do
        echo "$time,$scope,cpu,,0,0,$event,$1,$time,$time"
        shift
    done
    echo "$time,$scope,cpu,,,0,end,5,,"
}
trace() { # CPU
    printf '# tdprobe-trace: 1\n# cpu: %s\n%s\n' "$1" "$columns"
    reading 0 CPU0 0 0 0 0 0; reading 0 CPU1 0 0 0 0 0
    reading 1000103288 CPU0 3000 600 300 900 1200; reading 1000103288 CPU1 1000 700 100 100 100
}

# ---- the first word ----
t; exits 64; warns '^usage: tdprobe '; warns 'tdprobe replay'
t --help; exits 0; quiet; says '^usage: tdprobe '; says 'tdprobe replay'; says 'list'
t --help-all; exits 0; quiet; says '^usage: tdprobe '; says 'tdprobe replay'; says '64 wrong'; says '77 not'
t -h; exits 0; says '^usage: '
t --version; exits 0; quiet; lines out 1; says '^tdprobe [0-9]+\.[0-9]+\.[0-9]+$'
# the help that is named has the options of the subcommand
for command in record replay convert compare phases report doctor selftest bench explain perf-command; do
    t $command --no-such-option; exits 64; warns "$command has no option --no-such-option.*; see 'tdprobe $command --help'$"
    t $command --help; exits 0; says "^usage: tdprobe $command"
done
t --no-such-option; exits 64; warns "; see 'tdprobe --help'$"

usage 'nonesuch' --nonesuch
usage 'no command' --
t replay --help-all; exits 0; quiet
for option in --uarch --backend --no-fixed --level --format --counts --summary --summary-only '-o[, ]'; do says "$option"; done
t list --help; exits 0; quiet; says 'uarchs'
t list formats; exits 0; quiet; lines out 6
cut -d ' ' -f 1 out > formats
t replay --help-all
while read -r format; do says "[ ,]$format([ ,]|$)"; done < formats
usage 'no format .nonesuch.; .*: auto, .*perf-csv' replay --import-format nonesuch -
usage 'lacks its value' replay --import-format

# ---- list ----
t list; exits 0; quiet; says '^intel-generic '; says '^spr '; says '^neoverse-n2-r0p3 '
t list backends; exits 0; lines out 5
for backend in intel-perf-metrics intel-generic intel-atom arm-neoverse; do says "^$backend "; done
t list uarchs; exits 0
for cpu in icl icx tgl rkl adl-p spr emr mtl-p gnr lnl-p arl-p ptl-p snb jkt ivb ivt hsw hsx bdw bdx bdw-de skl skx clx slm knl glm glp \
    ehl snr adl-e mtl-e arl-lpe srf grr lnl-e arl-e ptl-e cwf neoverse-n2 neoverse-n2-r0p3 neoverse-v1 neoverse-v2 neoverse-n3 neoverse-v3 ampereone hip08; do
    says "^$cpu  *[a-z-]+  *[0-9]+ "
done
says '^spr .* 6  .*6-8F'; says '^glm .* 3 '; says '^neoverse-v2 .* 8  .*41-d4f'; says '^skl .*kbl'
t list events; exits 0; says '^skl .*IDQ_UOPS_NOT_DELIVERED.CORE .*0x19c .*0-3'; says '^adl-e .*TOPDOWN_FE_BOUND.ALL '
t list events --uarch spr; exits 0; says 'topdown-mem-bound .*0x8700'; ! grep -qv '^spr ' out || fail "$what: other CPUs too"
t list uarchs --uarch kbl; exits 0; lines out 1; says '^skl '
t list metrics --uarch kbl; exits 0; says '^skl: '; says 'retiring .*UOPS_RETIRED.RETIRE_SLOTS'; ! grep -q '^skx' out || fail "$what: other CPUs too"
t list metrics; exits 0; says '^neoverse-v2: '
usage 'formulas' list formulas
usage 'events' list uarchs events
usage 'nonesuch' list events --uarch nonesuch
usage 'adl' list events --uarch adl
usage 'lacks' list events --uarch
usage 'nonesuch' list --nonesuch

# ---- wrong usage of replay ----
spr '' 1000 200 100 300 400 > good.csv
usage 'no file' replay
usage 'good.csv' convert good.csv good.csv
usage 'only once' replay - good.csv -
usage "level is 1 to 6, not '7'" replay --level 7 good.csv
usage 'level' replay --level 0 good.csv
usage 'level' replay --level 1x good.csv
usage 'level' replay --level= good.csv
usage 'level' replay --level 10 good.csv
for level in 1 2 3 4 5 6; do t replay --level $level good.csv; [ $code -ne 64 ] || fail "$what: it is refused"; done
usage 'stdin can be read only once' compare --uarch spr - -
usage 'stdin can be read only once' compare --uarch spr - good.csv -
usage "not 'xml'" replay --format xml good.csv
usage 'format' replay --format= good.csv
usage "no backend 'intel'" replay --backend=intel good.csv
usage 'backend' replay --backend= good.csv
usage "CPU 'nonesuch'" replay --uarch nonesuch good.csv
usage "CPU ''" replay --uarch= good.csv
usage 'lacks' replay good.csv --uarch
usage 'lacks' replay good.csv -o
usage 'nonesuch' replay --nonesuch good.csv
usage 'counts' replay --counts=1 good.csv
usage '.-z' replay -z good.csv
t replay --uarch nehalem good.csv; exits 69; lines err 1; warns 'begins with Sandy Bridge'
t replay --uarch HygonGenuine-24-0-2 good.csv; exits 69; warns 'Hygon'
t replay --uarch AuthenticAMD-27-1-0 good.csv; exits 69; lines err 1; warns 'AMD'
t replay --uarch GenuineIntel-6-55 good.csv; exits 64; warns 'skx.*clx'
t replay --uarch neoverse-v1 --backend intel-generic good.csv; exits 69; warns 'arm-neoverse'

# ---- which CPU ----
cpu() { # FILE UARCH NAME
    t replay --uarch "$2" --format json "$1"
    exits 0; says "\"cpu\":\"$3\""
}
rows , '' "$upper" > skl.csv
for id in skl kbl cfl SKYLAKE whl GenuineIntel-6-9E-A; do cpu skl.csv $id skl; done
cpu skl.csv GenuineIntel-6-55-4 skx; cpu skl.csv GenuineIntel-6-55-7 clx; cpu skl.csv cpx clx
cpu good.csv GenuineIntel-6-8F-8 spr; cpu good.csv emeraldrapids emr; cpu good.csv icelake icl
printf '%s\n' 100,,CPU_CYCLES,9,100.00,, 350,,STALL_SLOT,9,100.00,, 200,,STALL_SLOT_FRONTEND,9,100.00,, 150,,STALL_SLOT_BACKEND,9,100.00,, \
    60,,OP_RETIRED,9,100.00,, 80,,OP_SPEC,9,100.00,, > arm.csv
# 5 * 100 slots; minus the cycles: frontend (200 - 100) / 500, kept 60 / 80 of 1 - (350 - 100) / 500
cpu arm.csv 0x410fd490 neoverse-n2; t replay --uarch 0x410fd490 --format csv arm.csv
is frontend_bound 0.200000; is backend_bound 0.300000; is retiring 0.375000; is bad_speculation 0.125000
grep -q revision_assumed out && fail "$what: the MIDR gives the revision"
t replay --uarch neoverse-n2 --format csv arm.csv; is frontend_bound 0.200000; says 'revision_assumed'
# r0p3 counts correctly
cpu arm.csv 0x410fd493 neoverse-n2-r0p3; t replay --uarch 0x410fd493 --format csv arm.csv
is frontend_bound 0.400000; is retiring 0.225000; is bad_speculation 0.075000
cpu arm.csv 0x6d0fd490 neoverse-n2; cpu arm.csv graviton4 neoverse-v2
# without --uarch: one answer for all that fit, or their names
t replay --format json good.csv; exits 0; quiet; says '"cpu":"icl\|[a-z|]*spr\|emr[a-z|]*"'
t replay --format csv good.csv; is retiring 0.200000; is backend_bound 0.400000
t replay --format json --backend intel-perf-metrics good.csv; exits 0; says '"backend":"intel-perf-metrics"'
t replay --format json --backend=auto good.csv; exits 0
t replay --backend intel-atom good.csv; exits 69
# several CPUs fit, and their answers differ: each has its results, the same as by its name; sums too
t replay --format csv arm.csv; exits 0; warns '^tdprobe: arm.csv:6: .*--uarch.*neoverse-n2 neoverse-n2-r0p3 .*neoverse-v2'
for cpu in neoverse-n2 neoverse-v2; do
    awk -F, -v cpu=$cpu '$5 == cpu' out > each-$cpu
    "$TDPROBE" replay --format csv --uarch $cpu arm.csv 2> /dev/null | awk -F, -v cpu=$cpu '$5 == cpu' > own-$cpu
    [ -s own-$cpu ] && cmp -s each-$cpu own-$cpu || fail "$cpu: not what --uarch gives: $(cat each-$cpu)"
done
t replay --format csv --summary-only arm.csv; exits 0; [ "$(cut -d, -f5 out | sort -u | grep -c neoverse)" -gt 1 ] || fail "$what: $(cat out)"
t convert arm.csv -o arm.trace; exits 64; warns 'name the CPU with --uarch'
printf '%s\n' 100,,CPU_CLK_UNHALTED.CORE,9,100.00,, 80,,TOPDOWN_FE_BOUND.ALL,9,100.00,, 120,,TOPDOWN_BE_BOUND.ALL,9,100.00,, \
    160,,TOPDOWN_RETIRING.ALL,9,100.00,, > atom.csv
t replay atom.csv; exits 0; warns 'ehl.*srf'; ! grep -q 'on each of' err || fail "$what: no node limits on any: $(cat err)"; says 'ehl'; says 'srf'
# an Alder Lake N is no hybrid: its 5 * 100 slots are not Tremont's 4 * 100, though the encodings are the same
printf '%s\n' 100,,cpu/event=0x3c/,9,100.00,, 100,,cpu/event=0x71/,9,100.00,, 140,,cpu/event=0x74/,9,100.00,, 160,,cpu/event=0xc2/,9,100.00,, > gracemont.csv
t replay --uarch adl-n --format csv gracemont.csv; is frontend_bound 0.200000
t replay --uarch snr --format csv gracemont.csv; is frontend_bound 0.250000
t replay gracemont.csv; exits 0; warns 'adl'; warns 'probably backend_bound on each of ehl snr adl-e'
# those that compute alike have one row, which names each
t replay --format csv gracemont.csv; is frontend_bound 0.250000 ',ehl\|snr,'; is frontend_bound 0.200000 ',adl-e,'
# they agree on each interval that is looked at before the sum, and differ in that
for second in 0 1; do printf "$second.500000000,%s\n" $((100 * second)),,cpu/event=0x3c/,9,100.00,, $((100 * second)),,cpu/event=0x71/,9,100.00,, \
    $((140 * second)),,cpu/event=0x74/,9,100.00,, $((160 * second)),,cpu/event=0xc2/,9,100.00,,; done > later.csv
t replay --format csv --level 1 --summary-only later.csv; exits 0; lines err 1; warns 'several CPUs fit'; lines out 11
is frontend_bound 0.250000 ',ehl\|snr,.*summary$'; is frontend_bound 0.200000 ',adl-e,.*summary$'
# a trace names its CPU; --uarch overrides it and reports this
trace spr > two.trace
t replay --format json two.trace; exits 0; quiet; says '"cpu":"spr"'
t replay --format json --uarch icl two.trace; exits 0; lines err 1; warns 'two.trace:2: .*spr.*icl'; says '"cpu":"icl"'
t replay --backend intel-generic two.trace; exits 69; warns 'intel-perf-metrics'

# ---- hybrids: 1000 slots of P-cores; 5 * 40 of E-cores, bad speculation the rest ----
{ spr '' 1000 300 100 200 400 | sed 's|,,\([a-z-]*\),|,,cpu_core/\1/,|'
  printf '%s\n' 40,,cpu_atom/CPU_CLK_UNHALTED.CORE/,9,100.00,, 50,,cpu_atom/TOPDOWN_FE_BOUND.ALL/,9,100.00,, \
    90,,cpu_atom/TOPDOWN_BE_BOUND.ALL/,9,100.00,, 40,,cpu_atom/TOPDOWN_RETIRING.ALL/,9,100.00,, 7,msec,task-clock,9,100.00,,; } > hybrid.csv
t replay --uarch adl --format csv --level 1 hybrid.csv; exits 0; quiet; lines out 11
is retiring 0.300000 ',P,adl-p,'; is retiring 0.200000 ',E,adl-e,'; is bad_speculation 0.100000 ',E,adl-e,'; is backend_bound 0.450000 ',E,adl-e,'
t replay --uarch adl --summary-only --format csv --level 1 hybrid.csv; lines out 11; is frontend_bound 0.200000 ',P,.*,summary$'; is frontend_bound 0.250000 ',E,.*,summary$'
t replay --uarch adl-p --format csv --level 1 hybrid.csv; exits 0; lines out 6; lines err 1; warns 'hybrid.csv:.*E-cores are left out'
t replay --uarch rpl-e --format csv --level 1 hybrid.csv; exits 0; lines out 6; is retiring 0.200000; warns 'P-cores are left out'
# the second group of P-cores stays one group in the sum, however many groups the E-cores have before it
for n in 1 2; do
    for pmu in core atom atom$n core; do # atom2 is no PMU: one group less for the E-cores
        echo "$n.000000000,7,,cpu_${pmu%1}/cycles/,9,100.00,,"
    done
    if [ $n = 1 ]; then spr 1.000000000, 1000 100 200 300 400; else spr 2.000000000, 3000 900 300 300 1500; fi | sed 's|,,\([a-z-]*\),|,,cpu_core/\1/,|'
done > groups.csv
t replay --uarch adl-p --format csv --summary-only groups.csv; is retiring 0.250000; is backend_bound 0.475000
lines err 1 # the omission of the E-cores is reported once
# slots and the like belong to P-cores even without a PMU, cycles may belong to any: no third kind of core
{ sed 's|cpu_core/\(.*\)/|\1|' hybrid.csv; echo 999,,cycles,9,100.00,,; } > bare.csv
t replay --uarch adl --format csv --level 1 bare.csv; exits 0; lines out 11; is retiring 0.300000 ',P,adl-p,'; is retiring 0.200000 ',E,adl-e,'
{ cat hybrid.csv; echo 999,,cycles,9,100.00,,; } > bare.csv
t replay --uarch adl --format csv --level 1 bare.csv; exits 0; lines out 11; is retiring 0.300000 ',P,adl-p,'
t replay hybrid.csv; exits 0; warns 'adl.*mtl'; warns 'P-cores: probably backend_bound on each of adl mtl'
t replay --uarch spr hybrid.csv; exits 65

# ---- what is computed ----
{ spr '' 6000 1200 600 1800 2400; printf '%s\n' 1500,,IDQ_BUBBLES.CORE,9,100.00,, 2100,,TOPDOWN.BACKEND_BOUND_SLOTS,9,100.00,, 1500,,UOPS_RETIRED.SLOTS,9,100.00,,; } > both.csv
t replay --uarch spr --format csv both.csv; is retiring 0.200000; is frontend_bound 0.300000; is bad_speculation 0.100000
t replay --uarch spr --format csv --no-fixed both.csv; is retiring 0.250000; is frontend_bound 0.250000; is backend_bound 0.350000; is bad_speculation 0.150000
t replay --uarch spr --format csv --no-fixed good.csv; exits 69; warns "'tdprobe perf-command --uarch spr --no-fixed' prints"; is retiring missing_event:UOPS_RETIRED.SLOTS
# what is advised prints events that --no-fixed uses
t replay --uarch spr --no-fixed good.csv; exits 69; says 'tdprobe perf-command --uarch spr --level 2 --no-fixed prints'
t perf-command --uarch spr --level 2 --no-fixed; exits 0; says 'uops_retired.slots'; ! grep -q 'topdown-' out || fail "$what: $(cat out)"
printf '%s\n' 1,,nonesuch,9,100.00,, > none.csv
t replay --uarch spr --no-fixed none.csv; exits 65; warns "'tdprobe perf-command --uarch spr --no-fixed' prints"
t replay --uarch spr none.csv; exits 65; warns "'tdprobe perf-command --uarch spr' prints"
# shares that contradict each other (60 % of the slots in all) allow no verdict: the values are there, and 69; of one interval of several: 0
spr '' 1000 100 200 300 0 > off.csv
for format in text csv json; do t replay --uarch spr --level 1 --format $format off.csv; exits 69; warns "contradict each other; 'tdprobe doctor'"; says sum_off; done
{ spr '     1.000000000,' 1000 100 200 300 0; spr '     2.000000001,' 1000 100 200 300 400; } > half-off.csv
t replay --uarch spr --level 1 --format csv half-off.csv; exits 0; quiet
t replay --uarch spr --level 1 --format csv good.csv off.csv; exits 69
t replay --uarch skl --format csv skl.csv; is retiring 0.300000; is bad_speculation 0.150000; is frontend_bound 0.200000; is backend_bound 0.350000
is fetch_latency 0.100000; is fetch_bandwidth 0.100000; is branch_mispredicts 0.112500; is machine_clears 0.037500; ! grep -q ',resource_bound,' out || fail "$what: a node that the CPU does not have"
is memory_bound missing_event:CYCLE_ACTIVITY.STALLS_MEM_ANY
t replay --uarch skl --format csv --level 1 skl.csv; lines out 6
t replay --uarch skl --format json --level 1 skl.csv; ! grep -q fetch_latency out || fail "$what: level 2 too"
t replay --uarch skl --level 1 skl.csv; ! grep -q fetch_latency out || fail "$what: level 2 too"
# the sum is solved once: retiring (100 + 900) / (1000 + 3000), while the mean of the ratios is 0.2
{ spr '     1.000000000,' 1000 100 200 300 400; spr '     2.000000001,' 3000 900 300 300 1500; } > sums.csv
t replay --uarch spr --format csv --level 1 --summary sums.csv; exits 0; lines out 16
is retiring 0.100000 '^1.000000000,'; is retiring 0.300000 '^2.000000001,'
is retiring 0.250000 ",summary$"; is bad_speculation 0.125000 ",summary$"; is frontend_bound 0.150000 ",summary$"; is backend_bound 0.475000 ",summary$"
t replay --uarch spr --format csv --level 1 --summary-only sums.csv; lines out 6; is retiring 0.250000 ',summary$'; ! sed 1d out | grep -qv ',summary$' || fail "$what: intervals too"
t replay --uarch spr --format csv --level 1 --summary --summary-only sums.csv; lines out 6
t replay --uarch spr --format json --summary-only sums.csv; lines out 2; says '"summary":true'; says '"retiring":\{"value":0.25,'
t replay --uarch spr --summary sums.csv; says '^ *summary'
# two scopes of a trace stay separate
t replay --format csv --level 1 --summary two.trace; lines out 21; is retiring 0.200000 '^1.000103288,CPU0,cpu,,spr'; is retiring 0.700000 '^1.000103288,CPU1,cpu,'
is frontend_bound 0.300000 '^1.000103288,CPU0,.*,summary$'; is frontend_bound 0.100000 '^1.000103288,CPU1,.*,summary$'

# ---- the formats ----
t replay --uarch spr --format csv --counts sums.csv; exits 0
[ "$(head -n 1 out)" = time,scope,scope_kind,core,cpu,metric,value,unit,low,high,coverage,status,flags,bounds,node,text,duration,level,parent,summary ] || fail "csv: the header is $(head -n 1 out)"
awk -F, 'NF != 20 { print "FAIL: csv: " NF " columns: " $0; bad = 1 }
    NR > 1 && $12 != "ok" && ($7 $9 $10) != "" { print "FAIL: csv: absent, but a number: " $0; bad = 1 }
    NR > 1 && $8 != "count" && $7 != "" && $7 !~ /^-?[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]$/ { print "FAIL: csv: not six decimals: " $0; bad = 1 }
    $9 != "" && NR > 1 && !($9 <= $7 + 0 && $7 + 0 <= $10) { print "FAIL: csv: value outside low..high: " $0; bad = 1 }
    END { exit bad }' out || fail 'csv: see above'
says '^2.000000001,system,system,,spr,retiring,0.300000,slots,'; says '^1.000000000,.*,topdown-fe-bound,300.000000,count,,,1.000000,ok,'
t replay --uarch skl --format csv --counts skl.csv; says '^,system,system,,skl,retiring,'; says 'CPU_CLK_UNHALTED.THREAD,1000.000000,count'
rows , '' "$(echo "$upper" | sed 's|IDQ_UOPS_NOT_DELIVERED.CORE|cpu/event=0x9c,umask=0x1/|')" > quoted.csv
t replay --uarch skl --format csv --counts quoted.csv; says ',"cpu/event=0x9c,umask=0x1/",800.000000,count'
t replay --uarch spr --counts sums.csv; says '900  topdown-retiring'
t replay --uarch spr --format json --counts sums.csv; says '"counts":\{.*"topdown-retiring":900[,}]'
t replay --uarch skl skl.csv; exits 0; quiet; says 'retiring +30\.0 %'; says '=> .*backend_bound'
[ "$(grep -c '=> ' out)" -eq 1 ] || fail "text: not one verdict"
grep -q '|#' out && fail "text: bars, but this is no terminal"
grep -q 'resource_bound' out && fail "text: a node that this CPU does not have"
spr '' 3000 1000 500 700 800 > third.csv
cat > check.py <<'END'
import json, math, sys
names = "retiring bad_speculation frontend_bound backend_bound heavy_operations light_operations branch_mispredicts machine_clears " \
    "fetch_latency fetch_bandwidth memory_bound core_bound resource_bound".split()
def bad(*what): print("FAIL: json:", sys.argv[1], *what); sys.exit(1)
def no(name): raise ValueError(name)
lines = open("out").read().split("\n")
if lines.pop() != "" or not lines: bad("not whole lines")
trees = [json.loads(line) for line in lines if '"type":"tree"' in line]
lines = [line for line in lines if '"type"' not in line]
if not trees or not all(node["level"] in (1, 2) and node["kind"] == "node" for tree in trees for node in tree["nodes"].values()): bad("no trees", trees)
for line in lines:
    o = json.loads(line, parse_constant=no)
    for key in "schema time scope scope_kind core cpu backend formula metrics coverage flags".split():
        if key not in o: bad("no", key)
    if o["schema"] != "tdprobe/1" or not isinstance(o["flags"], list): bad("schema or flags")
    if [n for n in names if n not in o["metrics"]]: bad("metrics are missing", o["metrics"].keys())
    for name, m in o["metrics"].items():
        if m["value"] is None:
            if not m.get("status") or m.get("low") is not None or m.get("high") is not None: bad(name, m)
        else:
            if "status" in m or not math.isfinite(m["value"]): bad(name, m)
            if m["low"] is not None and not m["low"] <= m["value"] <= m["high"]: bad(name, m)
        if m.get("status", "").startswith("impossible") and "raw" not in m: bad("no raw", m)
for check in sys.argv[2:]:
    if not eval(check, {"o": json.loads(lines[0])}): bad("not so:", check, lines[0])
END
json() { # FILE OPTIONS -- PYTHON EXPRESSIONS on the first line, o; the exit code is $wanted, or 0
    name=$1 options=
    shift
    while [ "$1" != -- ]; do options="$options $1"; shift; done
    shift
    # shellcheck disable=SC2086
    t replay --format json $options "$name"; exits ${wanted:-0}
    python3 check.py "$name $options" "$@" || fail "$what"
}
if python3 -c 'import json' 2> /dev/null; then
    json third.csv --uarch spr -- 'o["metrics"]["retiring"]["value"] == 1000/3000' 'o["time"] is None' 'o["core"] is None' 'o["coverage"] == 1' \
        'o["metrics"]["memory_bound"]["status"] == "missing_event:topdown-mem-bound"' 'o["metrics"]["resource_bound"]["status"] == "not_on_this_cpu"'
    json two.trace -- 'o["time"] == 1.000103288' 'o["scope"] == "CPU0"' 'o["scope_kind"] == "cpu"' 'o["backend"] == "intel-perf-metrics"' 'o["cpu"] == "spr"'
    json hybrid.csv --uarch adl -- 'o["core"] == "P"'
    json sums.csv --uarch spr --summary --counts -- 'o["counts"]["slots"] == 1000' '"summary" not in o'
    json skl.csv --uarch skl -- 'o["metrics"]["branch_mispredicts"]["low"] == o["metrics"]["branch_mispredicts"]["high"]' \
        'any(f == "smt_unknown" for f in o["flags"])'
    json sums.csv --uarch spr --summary-only -- 'o["time"] == 2.000000001' 'o["summary"] is True'
    json arm.csv --uarch neoverse-n2 -- '"revision_assumed" in o["flags"]'
    spr '' 100 90 90 90 90 > far.csv
    wanted=69 json far.csv --uarch spr -- 'o["metrics"]["retiring"]["value"] is None' 'o["metrics"]["retiring"]["raw"] == 0.25'
    json good.csv -- '"|" in o["cpu"]'
else
    echo "no python3: the json is not parsed"
fi

# ---- input and output ----
for format in text csv json; do
    t replay --uarch spr --format $format sums.csv; cp out wanted
    "$TDPROBE" replay --uarch spr --format $format - < sums.csv > out; same "$format from stdin" wanted out
    cat sums.csv | "$TDPROBE" replay --uarch spr --format $format - > out; same "$format from a pipe" wanted out
    t replay sums.csv --uarch spr --format $format; same "$format, options behind the file" wanted out
    t replay --format=$format --uarch=spr -- sums.csv; same "$format behind --" wanted out
    cp sums.csv -- --level; t replay --uarch spr --format $format -- --level; same "$format: a file like an option" wanted out
    t replay --uarch spr --format $format -o report sums.csv; exits 0; [ ! -s out ] || fail "$what: also on stdout"; same "$format with -o" wanted report
    t replay --uarch spr --format $format --output=report sums.csv; same "$format, -o over a file that is there" wanted report
done
ls report.* > /dev/null 2>&1 && fail "-o leaves temporary files"
t replay --uarch spr -o /dev/null sums.csv; exits 0; quiet; [ -c /dev/null ] || fail "/dev/null is gone"
printf 'x,,slots\n' | "$TDPROBE" replay --uarch spr - > out 2> err; grep -q 'stdin:1:' err || fail "stdin is not named: $(cat err)"

# ---- the form of a recording does not matter ----
t replay --uarch skl --format csv skl.csv; cut -d, -f2-16,18- out > wanted
alike() { # WHAT: stdin gives the same as skl.csv
    what=$1
    cat > alike.csv
    "$TDPROBE" replay --uarch skl --format csv alike.csv > out 2> err || fail "$what: exit $?: $(cat err)"
    cut -d, -f2-16,18- out > got # without the time, and the duration that follows from it
    same "$what" wanted got
}
u=$(echo "$upper" | sed 's/ /:u /g; s/$/:u/')
pmu=$(echo "$upper" | sed 's|\([^ ]*\)|cpu/\1/|g')
codes='cpu/event=0x3c/ cpu/event=0xe,umask=0x1/ cpu/event=0xc2,umask=0x2/u cpu/event=0xd,umask=0x1/ cpu/event=0x9c,umask=0x1/ cpu/event=0x9c,umask=0x1,cmask=0x4/ cpu/event=0xc5/ cpu/event=0xc3,umask=0x1,cmask=0x1,edge=0x1/'
raw='r3c r10e r2c2 r10d r19c r400019c rc5 r10401c3'
tab=$(printf '\t')
for sep in ',' ';' '|' "$tab" : '#' @ '!' '~' '^' '&' '*' '+' '?' '$' '(' ')' '[' ']' '{' '}' '<' '>' x '"' "'" ' ' - _ / =; do
    rows "$sep" '' "$lower" | alike "separator '$sep'"
    rows "$sep" "     1.000000000$sep" "$lower" | alike "separator '$sep' with -I"
done
for sep in ',' ';' '|' "$tab"; do
    for form in "$upper" "$lower" "$u" "$pmu" "$(echo "$codes" | sed 's|/u|/|')" "$raw"; do
        rows "$sep" '' "$form" | alike "separator '$sep': $form"
        rows "$sep" "     1.000000000$sep" "$form" | sort -t "$sep" -k 4 | alike "separator '$sep' with -I, sorted: $form"
        rows "$sep" '' "$form" | awk '{ r[NR] = $0 } END { for (i = NR; i > 0; i--) print r[i] }' | alike "separator '$sep', backwards: $form"
    done
done
{ printf '# started on Fri Nov 20 12:12:19 2026\n\n'; rows , '' "$upper" | sed 's/,,$/,1.500,GHz,2,x/; 3s/$/\n\n# a remark\n,,,,,10.2,Bad Speculation/'; } | alike 'comments, blank lines, further metrics'
rows , '' "$upper" | sed 's/,1000000,/,0.50%,1000000,/' | alike 'perf stat -r'
{ rows , '     1.000000000,' "$upper"; rows , '         summary,' "$upper"; } | alike 'perf stat --summary'
rows , '' "$upper" | sed 's/$/\r/' | alike 'CR LF'
{ rows , '' "$upper"; echo '5,,task-clock,1000000,100.00,,'; echo '<not supported>,,cpu/event=0x99,umask=0x1/,0,100.00,,'; } | alike 'events that no formula uses'
{ printf '# tdprobe-trace: 1\n# cpu: skl\n%s\n' "$columns"; for t in 0 5; do
    rows , '' "$upper" | awk -F, -v t=$t '{ print t ",system,system,,0,0," $3 "," (t ? $1 : 0) "," t "," t }'; echo "$t,system,system,,,0,end,8,,"; done; } | alike 'our own trace'
# each missing event once, with what it disables
"$TDPROBE" replay "$TD_SRCDIR/traces/skl-missing-event.trace" > out
[ "$(grep -c 'not recorded: ' out)" = 1 ] && grep -q 'not recorded: MACHINE_CLEARS.COUNT disables branch_mispredicts, machine_clears; tdprobe perf-command --uarch skl --level 2 prints what to record$' out || fail "missing events: $(cat out)"
# the limits in tdprobe-trace(5) are those in the code
for limit in 'TD_READING_ROWS counts in a reading' 'TD_SCOPES_MAX scopes' 'TD_TEXTS_MAX different event names'; do
    name=${limit%% *}
    is=$(sed -n "s/.*[ {]$name = \([0-9]*\)[ ,;].*/\1/p" $(find "$TD_SRCDIR/sim" "$TD_SRCDIR/core" -name "*.h"))
    grep -qE "(^| )$is ${limit#* }" "$TD_SRCDIR/doc/tdprobe-trace.5" || fail "tdprobe-trace(5) does not say '$is ${limit#* }'"
done
[ ! -e failed ]
