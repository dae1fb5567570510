#!/bin/sh
# SPDX-License-Identifier: MIT
# --drilldown, live and of recordings: the branch that limits, to the leaf or as far as the events go.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines

# measured level after level, level 1 alone first: what is below it does not count beside it here. Most stalls wait for L3 misses here, for 0.15 of 0.1875 cycles a slot
# that stall in all; mem_bandwidth and mem_latency are 4.6 % and 0 % of cycles, below their thresholds (tests/sim/level4.txt)
sed -e 's/^count 0xc000ca3 [0-9.]*/count 0xc000ca3 0.16/' -e 's/^count 0x50005a3 [0-9.]*/count 0x50005a3 0.155/' \
    -e 's/^count 0x60006a3 [0-9.]*/count 0x60006a3 0.15/' "$machines/skylake.machine" > drill.machine
t --machine drill.machine -a --drilldown --timeout 8000 --format csv -o drill.csv; exits 0
grep -q '^tdprobe: drilldown: limited by backend_bound: memory_bound: dram_bound (likely)' err || fail "drilldown: $(cat err)"
[ "$(grep -c ',skl,retiring,' drill.csv)" = 4 ] || fail "drilldown measured $(grep -c ',skl,retiring,' drill.csv) times, not 4"
for node in dram_bound mem_bandwidth; do grep -q ",$node," drill.csv || fail "no $node"; done
if grep -qE ',(icache_misses|divider|itlb_misses),' drill.csv; then fail "drilldown measured another branch"; fi
[ "$(grep -c '^time,' drill.csv)" = 1 ] || fail "drilldown: several headers"
t --machine "$machines/skylake.machine" --drilldown -- work; exits 0
grep -q '^tdprobe: drilldown: ' err || fail "drilldown of a command: $(cat err)"
t --machine "$machines/skylake.machine" -a --drilldown; exits 64
t --machine "$machines/skylake.machine" -a --drilldown -A --timeout 100; exits 64
t record --machine "$machines/skylake.machine" -a --drilldown --timeout 100 -o x.trace; exits 64
t --machine drill.machine -a --drilldown --level 3 --timeout 8000 --format csv -o level3.csv; exits 0
[ "$(grep -c ',skl,retiring,' level3.csv)" = 3 ] || fail "--level 3 measured $(grep -c ',skl,retiring,' level3.csv) times, not 3"
t --machine drill.machine -a --drilldown --level 2 --timeout 8000 --format csv -o level2.csv; exits 0
warns "^tdprobe: drilldown: limited by backend_bound: memory_bound"
[ "$(grep -c ',skl,retiring,' level2.csv)" = 2 ] || fail "--level 2 measured $(grep -c ',skl,retiring,' level2.csv) times, not 2"

# PERF_METRICS is read by a group that stays, and is never switched
t --machine "$machines/icelake.machine" -a --drilldown --timeout 200000 --format csv -o icelake.csv; exits 0
if grep -q 'switched too often' err; then fail "icelake: $(cat err)"; fi
warns '^tdprobe: drilldown: limited by backend_bound: memory_bound: l1_bound \(likely\); below it no node is above its threshold'
[ "$(grep -c ',icx,retiring,' icelake.csv)" = 4 ] || fail "icelake: $(grep -c ',icx,retiring,' icelake.csv) measurings, not 4"
# one node in two names, perfmon's L3_Miss_Bound and toplev's DRAM_Bound: the one that has children
t --machine "$machines/sapphirerapids.machine" -a --drilldown --timeout 200000 --format csv -o spr.csv; exits 0
warns '^tdprobe: drilldown: limited by backend_bound: memory_bound: dram_bound'
grep -q ',l3_miss_bound,.*,ok,' spr.csv || fail "no l3_miss_bound"

# the same from recordings: of all levels, and of what is to be recorded for the next one
path='^tdprobe: drilldown: limited by backend_bound: memory_bound: dram_bound \(likely\)'
t record --machine drill.machine -a --level 4 --timeout 200000 -o deep.trace; exits 0
t replay --drilldown --format csv deep.trace; exits 0
warns "$path"
for node in heavy_operations dram_bound mem_bandwidth; do says ",$node,"; done
if grep -qE ',(icache_misses|divider|l3_hit_latency|dtlb_load),' out; then fail "another branch: $(grep -E ',(icache_misses|divider),' out)"; fi
t replay --drilldown --format json deep.trace; exits 0
says '"mem_bandwidth":\{"value"'
if grep -q '"l3_hit_latency":{"value"' out; then fail "json: another branch"; fi
t replay --drilldown --level 3 --format csv deep.trace; exits 0
warns "$path"
if grep -q ',mem_bandwidth,' out; then fail "level 4, though --level 3"; fi
t replay --drilldown -M fb_full --format csv deep.trace; exits 0
says ',fb_full,'
t replay --drilldown -M fb_full deep.trace; exits 0
says ' fb_full '
if grep -qE ' (dtlb_load|l2_bound|divider) ' out; then fail "text: $(cat out)"; fi
says 'nodes? below (its|their) thresholds? (is|are) not shown'

t record --machine drill.machine -a --level 2 --timeout 20000 -o level2.trace; exits 0
t replay --drilldown level2.trace; exits 0
warns '^tdprobe: drilldown: limited by backend_bound: memory_bound( \(likely\))?; below it too few events were recorded$'
if grep -q 'not recorded' out; then fail "text: $(grep 'not recorded' out)"; fi
next() { sed -n "s/^tdprobe: drilldown: 'tdprobe perf-command --uarch skl \(--level 2 -M [^']*\)' prints what to record for the nodes below $1\$/\1/p" err; }
level3=$(next memory_bound)
[ "$level3" = '--level 2 -M memory_bound_group' ] || fail "what to record: $(cat err)"
t replay --no-fixed --drilldown level2.trace; [ "$(next memory_bound)" = "$level3 --no-fixed" ] || fail "what to record: $(cat err)"
t perf-command --uarch skl $level3 --no-fixed; exits 0
t perf-command --uarch skl $level3; exits 0
t record --machine drill.machine -a $level3 --timeout 20000 -o level3.trace; exits 0
t replay --drilldown level3.trace; exits 0
warns "$path; below it too few events were recorded"
level4=$(next dram_bound)
[ "$level4" = '--level 2 -M dram_bound_group,memory_bound_group' ] || fail "what to record: $(cat err)"
t record --machine drill.machine -a $level4 --timeout 20000 -o level4.trace; exits 0
t replay --drilldown level4.trace; exits 0
warns "$path; below it no node is above its threshold"
[ -z "$(next dram_bound)" ] || fail "still to record: $(cat err)"

# the nodes of a named group are shown besides the branch
t replay --drilldown -M tma_fetch_latency_group --format csv deep.trace; exits 0
for node in icache_misses lcp mem_bandwidth; do says ",$node,"; done
if grep -qE ',(divider|dtlb_load),' out; then fail "-M GROUP: $(grep -E ',(divider|dtlb_load),' out)"; fi
t replay --drilldown -M L3_group,TopdownL2 --format csv deep.trace; exits 0
says ',divider,'
if grep -q ',dtlb_load,' out; then fail "L3_group has level 4"; fi
# the vendor's groups, too: what nodes/skl.csv has of MemoryBW, on the branch or off it; in text thresholds decide
for group in MemoryBW tma_memorybw; do
    t replay --drilldown -M $group --format csv deep.trace; exits 0
    for node in fb_full sq_full mem_bandwidth info_memory_mlp bottleneck_data_cache_memory_bandwidth; do says ",$node,"; done
    if grep -qE ',(divider|dtlb_load|l3_hit_latency),' out; then fail "-M $group: $(grep -E ',(divider|dtlb_load|l3_hit_latency),' out)"; fi
done
t replay --drilldown -M MemoryBW deep.trace; exits 0
if grep -qE ' (dtlb_load|sq_full) ' out; then fail "text: $(cat out)"; fi
t replay --drilldown -M MemoryBW --all deep.trace; exits 0
for node in fb_full sq_full mem_bandwidth; do says " $node "; done
if grep -qE ' (dtlb_load|divider) ' out; then fail "text --all: $(cat out)"; fi

# min() of each CPU is not min() of the sum: one CPU alone decides
sed -i 's/^count 0x4000860 [0-9.]*/count 0x4000860 0.14/; s/^count 0x1000860 [0-9.]*/count 0x1000860 0.15/' drill.machine
t --machine drill.machine -a --drilldown --timeout 100000 --format csv -o all.csv; exits 0
warns 'dram_bound \(likely\); below it undecided between mem_bandwidth and mem_latency; -C N, of one CPU alone, decides more$'
t --machine drill.machine -C 0 --drilldown --timeout 100000 --format csv -o one.csv; exits 0
warns 'memory_bound: dram_bound: mem_bandwidth \(likely\)'

# intervals: each shows its own branch, the sum decides; several scopes: a line for each
t record --machine drill.machine -a -A --level 3 -I 4000 --timeout 8000 -o cpus.trace; exits 0
t replay --drilldown --format csv cpus.trace; exits 0
[ "$(grep -c '^tdprobe: drilldown: CPU[0-7]: ' err)" = 8 ] || fail "not a line for each CPU: $(cat err)"
t replay -J 2 --drilldown --format csv deep.trace level2.trace; exits 0
[ "$(grep -c 'drilldown: limited' err)" = 2 ] || fail "-J: $(cat err)"
# several CPUs fit, and their trees differ
t replay --drilldown "$TD_SRCDIR/traces/clx-lkml-synthesize-text.txt"; exits 64
warns 'name the CPU with --uarch'
t replay --drilldown --uarch clx "$TD_SRCDIR/traces/clx-lkml-synthesize-text.txt"; exits 0
[ ! -e failed ]
