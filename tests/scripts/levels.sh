#!/bin/sh
# SPDX-License-Identifier: MIT
# Levels 3 to 6 and metrics by name of a recording, computed by hand from its counts.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
# METRIC VALUE UNIT: as in csv
is() {
    line=$(grep ",$1," csv) || { fail "no $1 in: $(cut -d, -f6-8 csv | tr '\n' ' ')"; return; }
    got=$(echo "$line" | cut -d, -f7,8)
    [ "$got" = "$2,$3" ] || fail "$1 is $got, not $2,$3"
}
status() { grep -qE ",$1,.*,$2(:[^,]*)?," csv || fail "$1: not $2: $(grep ",$1," csv)"; }

# Skylake, one thread per core (THREAD alone): 4000 slots. Names and encodings as perf prints them.
rec() {
    for count in 1000:cpu_clk_unhalted.thread 2000:inst_retired.any 2400:uops_retired.retire_slots 2500:uops_issued.any 25:int_misc.recovery_cycles \
        600:idq_uops_not_delivered.core 50:cpu/event=0x9c,umask=0x1,cmask=4/ 30:br_misp_retired.all_branches 10:machine_clears.count \
        100:uops_retired.macro_fused 400:cycle_activity.stalls_mem_any 50:exe_activity.bound_on_stores 550:cycle_activity.stalls_total \
        100:exe_activity.1_ports_util 100:exe_activity.2_ports_util 200:cycle_activity.stalls_l1d_miss 150:cycle_activity.stalls_l2_miss \
        80:cycle_activity.stalls_l3_miss 60:icache_tag.stalls 1250:arith.divider_active 500:uops_executed.thread \
        250:cpu/uops_executed.thread,cmask=1/ "$@"; do
        echo "${count%%:*},,${count#*:},9,100.00,,"
    done
}
rec > rec.csv
csv() { t replay --uarch skl --format csv "$@"; exits 0; cp out csv; }

# only levels 1 and 2 by default
csv rec.csv
if grep -E ',(itlb_misses|dram_bound|info_core_ilp),' csv; then fail "level 3 by default"; fi
csv --level 3 rec.csv
is itlb_misses 0.060000 cycles
is l3_bound 0.070000 stalls
status icache_misses missing_event
# a value outside 0..1 is no error if it is no share of slots
is divider 1.250000 cycles
status divider ok
grep ',divider,.*over_one' csv > /dev/null || fail "divider is not over_one"
if grep -E ',(code_stlb_hit),' csv; then fail "level 4 at level 3"; fi
csv --level 4 rec.csv
grep -E ',code_stlb_hit,' csv > /dev/null || fail "no level 4"

# by name: perf's, toplev's and others', in upper or lower case; groups
for name in tma_info_core_ilp info_core_ilp INFO_Core_ILP; do
    csv -M "$name" rec.csv
    is info_core_ilp 2.000000 'per cycle'
done
# toplev's paths: the node below its parent
for name in Memory_Bound.L3_Bound Backend_Bound.Memory_Bound.L3_Bound backend_bound.memory_bound.l3_bound; do
    csv --level 1 -M "$name" rec.csv
    grep -q ',l3_bound,' csv || fail "$name: no l3_bound"
    if grep -q ',l2_bound,' csv; then fail "$name: l2_bound"; fi
done
csv -M Info.Core.ILP rec.csv
is info_core_ilp 2.000000 'per cycle'
for name in Core_Bound.L3_Bound XMemory_Bound.L3_Bound .L3_Bound Memory_Bound. Info.Cor..ILP Info.CoreXILP Info-Core-ILP; do
    t replay --uarch skl -M "$name" rec.csv; exits 64
done
csv --metrics dram_bound,info_thread_ipc rec.csv
is info_thread_ipc 2.000000 'per cycle'
status dram_bound missing_event
csv --level 1 -M tmal2 rec.csv
grep -q ',memory_bound,' csv || fail "no group TmaL2"
csv -M all --level 6 rec.csv
[ "$(wc -l < csv)" -gt 200 ] || fail "-M all gives $(wc -l < csv) lines"
# perf's groups of the tree: a level, the children of a node
for group in TopdownL3 topdownl3 tma_L3_group; do
    csv --level 1 -M $group rec.csv
    [ "$(cut -d, -f18 csv | sort -u | tr -d '\n')" = 13level ] || fail "$group: levels $(cut -d, -f18 csv | sort | uniq -c)"
    cut -d, -f6,18 csv | grep ',3$' > $group.level3
    [ "$(wc -l < $group.level3)" = 26 ] || fail "$group: $(wc -l < $group.level3) nodes, not 26" # nodes/skl.csv
done
for group in tma_memory_bound_group memory_bound_group; do
    csv --level 1 -M $group rec.csv
    [ "$(cut -d, -f6,19 csv | grep ',memory_bound$' | cut -d, -f1 | tr '\n' ' ')" = 'l1_bound l2_bound l3_bound dram_bound store_bound ' ] || fail "$group: $(cut -d, -f6,19 csv)"
    [ "$(cut -d, -f18 csv | sort -u | tr -d '\n')" = 13level ] || fail "$group: levels $(cut -d, -f18 csv | sort | uniq -c)"
done
csv --level 1 -M tma_backend_bound_group rec.csv
grep -q ",memory_bound,.*,ok," csv || fail "backend_bound_group lacks memory_bound"
if grep -q ',fetch_latency,' csv; then fail "backend_bound_group has fetch_latency"; fi
for group in TopdownL7 L3_groups no_such_group; do t replay --uarch skl -M $group rec.csv; exits 64; done
t replay --uarch skl -M no_such_metric rec.csv; exits 64
grep -q "no CPU has a metric or a group 'no_such_metric'" err || fail "no_such_metric: $(cat err)"
t replay --uarch skl --level 7 rec.csv; exits 64
# another CPU's: absent here, and this is reported
csv -M l1d_tlb_miss_ratio rec.csv
status l1d_tlb_miss_ratio not_on_this_cpu

# json: what each metric is, once
t replay --uarch skl --level 3 -M info_core_ilp --format json rec.csv; exits 0
[ "$(grep -c '"type":"tree"' out)" -eq 1 ] || fail "not one tree"
grep -q '"itlb_misses":{"kind":"node","level":3,"parent":"fetch_latency","unit":"cycles"}' out || fail "tree: $(head -n 1 out | cut -c1-300)"
grep -q '"info_core_ilp":{"kind":"info","level":0,"parent":null,"unit":"per cycle"}' out || fail "tree lacks info_core_ilp"
t replay --uarch skl --format json rec.csv; exits 0
[ "$(grep -n '"type":"tree"' out | cut -d : -f 1)" = 1 ] || fail "at level 2, not one tree at the beginning"
grep -q '"nodes":{"retiring":{"kind":"node","level":1,"parent":null,"unit":"slots"},.*"memory_bound":{"kind":"node","level":2,"parent":"backend_bound","unit":"slots"}' out || fail "tree: $(head -n 1 out | cut -c1-300)"
if head -n 1 out | grep -q resource_bound; then fail "the tree has a node that the CPU does not have"; fi

# only deeper events: what they give, and what the others lack. 500 misses of 5000 instructions
for count in 1000:cpu_clk_unhalted.thread 5000:inst_retired.any 500:mem_load_retired.l1_miss; do
    echo "${count%%:*},,${count#*:},9,100.00,,"
done > deeper.csv
csv -M info_memory_l1mpki,mem_latency deeper.csv
is info_memory_l1mpki 100.000000 'per kilo-instruction'
status mem_latency missing_event
status retiring missing_event:UOPS_RETIRED.RETIRE_SLOTS
echo '80,,cycle_activity.stalls_l3_miss,9,100.00,,' > stalls.csv
t replay --uarch skl -M dram_bound --format csv stalls.csv; exits 69; cp out csv
status dram_bound missing_event
warns "perf-command --uarch skl -M dram_bound' prints what to record"
t replay --uarch skl stalls.csv; exits 65
t replay -M dram_bound stalls.csv; exits 64
warns 'no events of level 1 were recorded, which tell the CPU: name it with --uarch'
echo '80,,page-faults,9,100.00,,' > faults.csv
t replay --uarch skl -M dram_bound faults.csv; exits 65

# a mean latency is not a count of its event
rec 7:mem_load_retired.l2_hit:R > latency.csv
csv --level 3 latency.csv
status dram_bound missing_event:MEM_LOAD_RETIRED.L2_HIT

# of 1000 cycles, 10 locked loads of 5 cycles, as recorded; else of the 63.76 that perfmon publishes, without bounds
{ echo '6000,,slots,9,100.00,,'; echo '1000,,cpu_clk_unhalted.thread,9,100.00,,'; echo '10,,mem_inst_retired.lock_loads,9,100.00,,'; } > lock.csv
t replay --uarch gnr -M lock_latency --format csv lock.csv; exits 0; cp out csv
is lock_latency 0.637600 cycles
grep -qE ',lock_latency,0.637600,cycles,,,.*,latency_assumed:perfmon,' csv || fail "no latency_assumed: $(grep lock_latency csv)"
t replay --uarch gnr -M lock_latency lock.csv; exits 0; says 'lock_latency .*! .*latency_assumed:perfmon'
t replay --uarch gnr -M lock_latency --format json lock.csv; exits 0; says '"lock_latency":\{[^}]*"flags":\["latency_assumed:perfmon"\]'
echo '5,,mem_inst_retired.lock_loads:R,9,100.00,,' >> lock.csv
t replay --uarch gnr -M lock_latency --format csv lock.csv; exits 0; cp out csv
is lock_latency 0.050000 cycles
if grep latency_assumed csv; then fail "latency_assumed, though it was recorded"; fi
# of three seconds, two of which have it: (5 + 7) / 2 for all
for latency in 5 7 0; do
    sed -e "s/^5,/$latency,/" -e '/^0,/d' -e "s/^/$((latency == 5 ? 1 : latency == 7 ? 2 : 3)).000000000,/" lock.csv
done > lock3.csv
t replay --uarch gnr --summary-only -M lock_latency --format csv lock3.csv; exits 0; cp out csv
is lock_latency 0.060000 cycles

# per second: 64 bytes per line, 50e6 lines in 2 s are 1.6 GB/s; wherever the duration comes from
{ rec 50000000:l1d.replacement; echo '2000000000,ns,duration_time,9,100.00,,'; } > elapsed.csv
{ rec 50000000:l1d.replacement; } | sed 's/^/2.000000000,/' > interval.csv
{
    printf ' Performance counter stats for "./app":\n\n'
    printf '     1,000  cpu_clk_unhalted.thread\n   50,000,000  l1d.replacement\n     2,400  uops_retired.retire_slots\n'
    printf '\n       2.000000000 seconds time elapsed\n\n'
} > elapsed.txt
for input in elapsed.csv interval.csv elapsed.txt; do
    csv -M info_memory_l1d_cache_fill_bw "$input"
    is info_memory_l1d_cache_fill_bw 1.600000 GB/s
    "$TDPROBE" convert --uarch skl "$input" 2> err > converted || fail "convert $input: $(cat err)"
    csv -M info_memory_l1d_cache_fill_bw converted
    is info_memory_l1d_cache_fill_bw 1.600000 GB/s
done
# perf -I prints a time that is later than the end of what it counted: what it counted of the time wins, of each interval and of their sum,
# with modifiers and by the PMU's name; and so does what it counted over what it prints below the counts
for name in duration_time duration_time:u tool/duration_time/; do
    for second in 1 2; do
        rec 50000000:l1d.replacement | sed "s/^/$second.000200000,/"
        echo "$second.000200000,$((second == 1 ? 1000000000 : 500000000)),ns,$name,9,100.00,,"
    done > counted.csv
    for args in "--time 1,2" "--summary-only"; do
        # shellcheck disable=SC2086
        csv -M info_memory_l1d_cache_fill_bw,info_system_time $args counted.csv
        if [ "$args" = --summary-only ]; then is info_memory_l1d_cache_fill_bw 4.266667 GB/s; else is info_memory_l1d_cache_fill_bw 3.200000 GB/s; fi
        "$TDPROBE" convert --uarch skl counted.csv 2> err > converted || fail "convert: $(cat err)"
        # shellcheck disable=SC2086
        csv -M info_memory_l1d_cache_fill_bw $args converted
        if [ "$args" = --summary-only ]; then is info_memory_l1d_cache_fill_bw 4.266667 GB/s; else is info_memory_l1d_cache_fill_bw 3.200000 GB/s; fi
    done
done
sed -e '/l1d/a\ 1,000,000,000 ns  duration_time' elapsed.txt > counted.txt
csv -M info_memory_l1d_cache_fill_bw counted.txt
is info_memory_l1d_cache_fill_bw 3.200000 GB/s
csv -M info_memory_l1d_cache_fill_bw rec.csv
status info_memory_l1d_cache_fill_bw missing_event:L1D.REPLACEMENT
rec 50000000:l1d.replacement > unknown.csv
csv -M info_memory_l1d_cache_fill_bw unknown.csv
status info_memory_l1d_cache_fill_bw missing_event:duration_time

# number of CPUs: 3000 / 1000 CPUs were busy, out of 4
rec 3000:cpu_clk_unhalted.ref_tsc 1000:msr/tsc/ | "$TDPROBE" convert --uarch skl - > busy 2> err || fail "convert: $(cat err)"
csv -M info_system_cpu_utilization busy
status info_system_cpu_utilization missing_event:cpus
sed -i '1a # topology: cpus=4' busy
csv -M info_system_cpu_utilization busy
is info_system_cpu_utilization 0.750000 fraction

# text: the path is marked, domains are named, columns are aligned, and what is below its threshold is not shown
# (500 - 80 of 1000 cycles are l3_bound; l1_bound is 600 - 550 of them, not more than 0.1; core_bound 0.67 * (1 - 620 / 790))
for count in 1000:cpu_clk_unhalted.thread 900:inst_retired.any 800:uops_retired.retire_slots 900:uops_issued.any \
    5:int_misc.recovery_cycles 400:idq_uops_not_delivered.core 50:cpu/event=0x9c,umask=0x1,cmask=4/ \
    30:br_misp_retired.all_branches 10:machine_clears.count 100:uops_retired.macro_fused 600:cycle_activity.stalls_mem_any \
    20:exe_activity.bound_on_stores 650:cycle_activity.stalls_total 100:exe_activity.1_ports_util \
    100:exe_activity.2_ports_util 550:cycle_activity.stalls_l1d_miss 500:cycle_activity.stalls_l2_miss \
    80:cycle_activity.stalls_l3_miss 60:icache_tag.stalls 1250:arith.divider_active 500:uops_executed.thread \
    250:cpu/uops_executed.thread,cmask=1/ 10:mem_load_retired.l2_hit 1:mem_load_retired.fb_hit 20:mem_load_retired.l1_miss \
    40:l1d_pend_miss.fb_full 40:cpu/l1d_pend_miss.fb_full,cmask=1/; do
    echo "${count%%:*},,${count#*:},9,100.00,,"
done > l3.csv
tree() { t replay --uarch skl "$@" l3.csv; exits 0; sed 's/ *$//' out > text; }
shows() { grep -qxF -- "$1" text || fail "no line '$1' in: $(cat text)"; }
tree --level 3
shows '> backend_bound           67.0 %'
shows '    > l3_bound            42.0 %                    of stalls'
shows '      divider            125.0 %                    of cycles  ! over_one'
shows '    core_bound            14.4 %'
shows '  shares of cycles, core cycles, stalls and uops rank; they do not add up to the node above'
shows '=> probably backend_bound: memory_bound: l3_bound (likely)'
grep -q 'nodes below their thresholds are not shown: --all' text || fail "hidden nodes are not told of"
grep -q 'not recorded: [0-9]* events of [0-9]* metrics; tdprobe perf-command' text || fail "not recorded: $(cat text)"
if grep -q l1_bound text; then fail "l1_bound is below its threshold"; fi
tree --level 3 --all
shows '      l1_bound             5.0 %                    of stalls'
if grep -q 'not shown' text; then fail "not shown, with --all"; fi
tree --level 2 -M tma_l1_bound
shows '      l1_bound             5.0 %                    of stalls'
tree --level 2
shows '  backend_bound           67.0 %'
shows '=> probably backend_bound: memory_bound (likely)'

# a flag that most rows have stands once below them, with those that lack it: the time is no count, and a clock and the
# instructions are each of one group
t replay --uarch clx -M all "$TD_SRCDIR/traces/clx-lkml-synthesize-text.txt"; exits 0
says '^  ! multiplexed \([^)]*\); not of info_system_time$'
says '^  ! split_groups \([^)]*\); not of info_thread_clks, info_inst_mix_instructions, info_system_time$'
says '^  retiring .* ! mux_interval_assumed$' # of four rows
! grep -E '^  [a-z_]+ .*(multiplexed|split_groups)' out || fail "a row repeats what is said below"

t list metrics --uarch skl; exits 0
grep -q 'level 3 of fetch_latency; share of cycles' out || fail "list metrics"
grep -q 'needs offcore' out || fail "list metrics: no needs"

# live, on simulated machines
machines=$TD_SRCDIR/sim/machines
t --machine "$machines/genoa.machine" -a --level 3 --dry-run; exits 69
grep -q 'zen4 ends at level 2 (--level 2)' err || fail "level 3 of zen4: $(cat err)"
# the kinds of core of a hybrid: each down to its own last level
t --machine "$machines/lunarlake.machine" -a --level 5 --dry-run; exits 0
grep -q 'lnl-p:.* level 5, .*multiplexed' out || fail "lnl-p: $(grep : out | head -3)"
grep -q 'lnl-e:.* level 3, ' out || fail "lnl-e: $(grep : out | head -3)"
t --machine "$machines/skylake.machine" -a -M no_such_metric; exits 64
# an event with an erratum is counted, and this is noted
t --machine "$machines/skylake.machine" -a -M info_inst_mix_bptkbranch --dry-run; exits 0
grep -q 'BR_INST_RETIRED.ALL_BRANCHES (SKL091)' err || fail "no erratum: $(cat err)"
grep -q 'BR_INST_RETIRED.ALL_BRANCHES .* errata SKL091' out || fail "no erratum in the plan"
# what replaying gives is what was measured
t record --machine "$machines/skylake.machine" -a --level 4 -M dsb_coverage --timeout 500 --format csv -o deep.trace; exits 0
cp err live.csv
t replay --level 4 -M dsb_coverage --format csv deep.trace; exits 0
grep -v '^tdprobe:' live.csv | cmp -s - out || fail "replay differs: $(grep -v '^tdprobe:' live.csv | diff - out | head -3)"
grep -q ',dram_bound,' out || fail "no level 3"
grep -q ',info_frontend_dsb_coverage,' out || fail "no dsb_coverage"
# the same groups for perf
t perf-command --uarch gnr -M ms_switches,false_sharing,dsb_coverage; exits 0
grep -q '^# then: tdprobe replay --uarch gnr -M ms_switches,false_sharing,dsb_coverage rec.csv$' out || fail "no -M to replay: $(cat out)"
grep -q "{[^}]*ocr.demand_rfo.l3_hit.snoop_hitm[^}]*cpu/config=0x12a,config1=0x103b800002/[^}]*}" out || fail "offcore events: $(cat out)"
t perf-command --uarch skl --level 3 --encodings; exits 0
grep -q '^# then: tdprobe replay --uarch skl --level 3 rec.csv$' out || fail "no level to replay: $(cat out)"

[ ! -e failed ]
