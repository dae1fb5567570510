#!/bin/sh
# SPDX-License-Identifier: MIT
# sh tdprobe-bundle.sh [CPU]: a bundle, as 'tdprobe selftest --bundle' makes it, of a machine that has perf and no tdprobe. It runs four
# programs of known bottleneck for 4 s in all, and writes the folder tdprobe-bundle and tdprobe-bundle.tar here; it needs no root where
# perf stat needs none, and sends nothing. CPU: another one, as tdprobe calls it, "GenuineIntel-6-8F-8" or a MIDR.
set -u
LC_ALL=C; export LC_ALL
die() { echo "tdprobe-bundle: $*" >&2; exit 1; }
dir=tdprobe-bundle sys=/sys/devices/system/cpu
{ [ ! -e $dir ] && [ ! -e $dir.tar ]; } || die "$dir or $dir.tar is here already: move it away, or work in another folder"
perf --version > /dev/null 2>&1 || die "there is no perf: install linux-perf, linux-tools or perf"

# ---- the CPU, and what to count on it ----
info() { sed -n "s/^$1[[:space:]]*: *//p" /proc/cpuinfo | sed 1q; }
cpu=${1-}
[ -n "$cpu" ] || { [ -r $sys/cpu0/regs/identification/midr_el1 ] && cpu=$(sed 's/^0x0*/0x/' $sys/cpu0/regs/identification/midr_el1); }
[ -n "$cpu" ] || [ -z "$(info vendor_id)" ] || cpu=$(printf '%s-%d-%X-%X' "$(info vendor_id)" "$(info 'cpu family')" "$(info model)" "$(info stepping)")
# the words of tdprobe perf-command --encodings for these CPUs, which tests/scripts/bundle-script.sh compares; of hybrids the P-cores
case $cpu in
# spr emr gnr
GenuineIntel-6-8F-* | GenuineIntel-6-CF-* | GenuineIntel-6-A[DE]-*)
    events='{slots,cpu/config=0x19c,name=idq_bubbles.core/,cpu/config=0x600019c,name=idq_bubbles.cycles_0_uops_deliv.core/,cpu/config=0x10ad,name=int_misc.uop_dropping/,cpu/config=0x2a4,name=topdown.backend_bound_slots/,cpu/config=0x8a4,name=topdown.br_mispredict_slots/,cpu/config=0x10a4,name=topdown.memory_bound_slots/,cpu/config=0x1c2,name=uops_retired.heavy/,cpu/config=0x2c2,name=uops_retired.slots/}' ;;
# icl icx tgl rkl
GenuineIntel-6-7[DE]-* | GenuineIntel-6-9D-* | GenuineIntel-6-6[AC]-* | GenuineIntel-6-8[CD]-* | GenuineIntel-6-A7-*)
    events='{slots,cpu/config=0x19c,name=idq_uops_not_delivered.core/,cpu/config=0x104010d,name=int_misc.clears_count/,cpu/config=0x100d,name=int_misc.uop_dropping/,cpu/config=0x2a4,name=topdown.backend_bound_slots/,cpu/config=0x2c2,name=uops_retired.slots/}' ;;
# adl-p mtl-p
GenuineIntel-6-9[7A]-* | GenuineIntel-6-B[75AF]-* | GenuineIntel-6-A[AC]-*)
    events='{cpu_core/slots/,cpu_core/config=0x19c,name=idq_bubbles.core/,cpu_core/config=0x600019c,name=idq_bubbles.cycles_0_uops_deliv.core/,cpu_core/config=0x10ad,name=int_misc.uop_dropping/,cpu_core/config=0x2a4,name=topdown.backend_bound_slots/,cpu_core/config=0x8a4,name=topdown.br_mispredict_slots/,cpu_core/config=0x10a4,name=topdown.memory_bound_slots/,cpu_core/config=0x1c2,name=uops_retired.heavy/,cpu_core/config=0x2c2,name=uops_retired.slots/}' ;;
# lnl-p arl-p ptl-p
GenuineIntel-6-BD-* | GenuineIntel-6-C[56C]-* | GenuineIntel-6-[DE]5-*)
    events='{cpu_core/slots/,cpu_core/config=0x3c,name=cpu_clk_unhalted.thread/,cpu_core/config=0x19c,name=idq_bubbles.core/,cpu_core/config=0x49c,name=idq_bubbles.fetch_latency/,cpu_core/config=0x2a4,name=topdown.backend_bound_slots/,cpu_core/config=0x8a4,name=topdown.br_mispredict_slots/,cpu_core/config=0x10a4,name=topdown.memory_bound_slots/,cpu_core/config=0x1c2,name=uops_retired.heavy/,cpu_core/config=0x2c2,name=uops_retired.slots/}' ;;
# skl skx clx
GenuineIntel-6-[459]E-* | GenuineIntel-6-8E-* | GenuineIntel-6-A[56]-* | GenuineIntel-6-55-*)
    events='{cpu/config=0x23c,name=cpu_clk_unhalted.one_thread_active/,cpu/config=0x13c,name=cpu_clk_unhalted.ref_xclk/,cpu/config=0x3c,name=cpu_clk_unhalted.thread/,cpu/config=0x19c,name=idq_uops_not_delivered.core/,cpu/config=0x10d,name=int_misc.recovery_cycles/},{cpu/config=0x10e,name=uops_issued.any/,cpu/config=0x2c2,name=uops_retired.retire_slots/}' ;;
# snb jkt ivb ivt hsw hsx bdw bdx bdw-de
GenuineIntel-6-2[AD]-* | GenuineIntel-6-3[ACDEF]-* | GenuineIntel-6-4[567F]-* | GenuineIntel-6-56-*)
    events='{cpu/config=0x23c,name=cpu_clk_unhalted.one_thread_active/,cpu/config=0x13c,name=cpu_clk_unhalted.ref_xclk/,cpu/config=0x3c,name=cpu_clk_unhalted.thread/,cpu/config=0x19c,name=idq_uops_not_delivered.core/,cpu/config=0x100030d,name=int_misc.recovery_cycles/},{cpu/config=0x10e,name=uops_issued.any/,cpu/config=0x2c2,name=uops_retired.retire_slots/}' ;;
# srf grr
GenuineIntel-6-AF-* | GenuineIntel-6-B6-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.core/,cpu/config=0x73,name=topdown_bad_speculation.all_p/,cpu/config=0x74,name=topdown_be_bound.all_p/,cpu/config=0x71,name=topdown_fe_bound.all_p/,cpu/config=0x72,name=topdown_retiring.all_p/}' ;;
# cwf
GenuineIntel-6-DD-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.core/,cpu/config=0x73,name=topdown_bad_speculation.all_p/,cpu/config=0x2a4,name=topdown_be_bound.all_p/,cpu/config=0x600,name=topdown_fe_bound.all/,cpu/config=0x700,name=topdown_retiring.all/},{cpu/config=0x373,name=topdown_bad_speculation.machine_clears/,cpu/config=0x473,name=topdown_bad_speculation.mispredict/,cpu/config=0x174,name=topdown_be_bound.alloc_restrictions/,cpu/config=0x8d71,name=topdown_fe_bound.frontend_bandwidth/,cpu/config=0x7271,name=topdown_fe_bound.frontend_latency/}' ;;
# ehl snr
GenuineIntel-6-8[6A]-* | GenuineIntel-6-9[6C]-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.core/,cpu/config=0x673,name=topdown_bad_speculation.all/,cpu/config=0x74,name=topdown_be_bound.all/,cpu/config=0x71,name=topdown_fe_bound.all/,cpu/config=0xc2,name=topdown_retiring.all/}' ;;
# glm glp
GenuineIntel-6-5[CF]-* | GenuineIntel-6-7A-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.core/,cpu/config=0x2ca,name=issue_slots_not_consumed.recovery/,cpu/config=0x1ca,name=issue_slots_not_consumed.resource_full/,cpu/config=0xe,name=uops_issued.any/,cpu/config=0x9c,name=uops_not_delivered.any/},{cpu/config=0xc2,name=uops_retired.any/}' ;;
# slm
GenuineIntel-6-37-* | GenuineIntel-6-4[ACD]-* | GenuineIntel-6-5A-* | GenuineIntel-6-75-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.core/,cpu/config=0x4ca,name=no_alloc_cycles.mispredicts/,cpu/config=0x50ca,name=no_alloc_cycles.not_delivered/},{cpu/config=0x10c2,name=uops_retired.all/}' ;;
# knl
GenuineIntel-6-57-* | GenuineIntel-6-85-*)
    events='{cpu/config=0x3c,name=cpu_clk_unhalted.thread/,cpu/config=0x4ca,name=no_alloc_cycles.mispredicts/,cpu/config=0x90ca,name=no_alloc_cycles.not_delivered/},{cpu/config=0x10c2,name=uops_retired.all/}' ;;
# zen4 zen5 zen6
AuthenticAMD-25-1?-* | AuthenticAMD-25-[6-9A]?-* | AuthenticAMD-26-*)
    events='{cpu/config=0x100001ea0,name=de_no_dispatch_per_slot.backend_stalls/,cpu/config=0x1000001a0,name=de_no_dispatch_per_slot.no_ops_from_frontend/,cpu/config=0x1000060a0,name=de_no_dispatch_per_slot.smt_contention/,cpu/config=0x7aa,name=de_src_op_disp.all/,cpu/config=0xc1,name=ex_ret_ops/,cpu/config=0x76,name=ls_not_halted_cyc/}' ;;
# neoverse-n2 neoverse-n2-r0p3 neoverse-v1 neoverse-v2
0x[46][1d]?fd49? | 0x41?fd4[0f]?)
    events='{armv8_pmuv3_0/config=0x11,name=cpu_cycles/,armv8_pmuv3_0/config=0x10,name=br_mis_pred/,armv8_pmuv3_0/config=0x3a,name=op_retired/,armv8_pmuv3_0/config=0x3b,name=op_spec/,armv8_pmuv3_0/config=0x3f,name=stall_slot/,armv8_pmuv3_0/config=0x3e,name=stall_slot_frontend/,armv8_pmuv3_0/config=0x3d,name=stall_slot_backend/}' ;;
# neoverse-n3 neoverse-v3
0x41?fd8[34e]?)
    events='{armv8_pmuv3_0/config=0x11,name=cpu_cycles/,armv8_pmuv3_0/config=0x3a,name=op_retired/,armv8_pmuv3_0/config=0x3b,name=op_spec/,armv8_pmuv3_0/config=0x3f,name=stall_slot/,armv8_pmuv3_0/config=0x3e,name=stall_slot_frontend/,armv8_pmuv3_0/config=0x3d,name=stall_slot_backend/,armv8_pmuv3_0/config=0x8162,name=stall_frontend_flush/}' ;;
# ampereone ampereonex
0xc0?fac[34]?)
    events='{armv8_pmuv3_0/config=0x11,name=cpu_cycles/,armv8_pmuv3_0/config=0x3a,name=op_retired/,armv8_pmuv3_0/config=0x3b,name=op_spec/,armv8_pmuv3_0/config=0x3d,name=stall_slot_backend/}' ;;
# hip08
0x48?fd01?)
    events='{armv8_pmuv3_0/config=0x11,name=cpu_cycles/,armv8_pmuv3_0/config=0x8,name=inst_retired/,armv8_pmuv3_0/config=0x1b,name=inst_spec/,armv8_pmuv3_0/config=0x2014,name=fetch_bubble/},{armv8_pmuv3_0/config=0x10,name=br_mis_pred/,r201d,r2013,armv8_pmuv3_0/config=0x7001,name=exe_stall_cycle/,armv8_pmuv3_0/config=0x7004,name=mem_stall_anyload/,r7005}' ;;
*) die "no events are known for the CPU '$cpu': 'sh tdprobe-bundle.sh CPU' takes those of another one" ;;
esac

# ---- programs of known bottleneck, a second each: those of tdprobe selftest as plain C ----
mkdir -p $dir/traces || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cat > "$tmp/kernel.c" << 'END'
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
enum { LINES = 1 << 20, LINE = 8 }; /* 64 MiB of lines of 64 bytes */
static uint64_t memory[LINES][LINE];
static uint64_t next(uint64_t x) { x ^= x << 13; x ^= x >> 7; return x ^ x << 17; } /* G. Marsaglia, J. Stat. Softw. 8, 14, 2003 */
#define HIDE(x) __asm__ volatile("" : "+r"(x)) /* from the compiler, which would leave it out */
int main(int n, char **words)
{
    uint64_t a = 3, b = 0, c = 0, d = 0, x = 88172645463325252u, kind = n > 1 ? (uint64_t)words[1][4] : 0; /* the fifth letter */
    if (kind == 'e') /* chase-memory: one cycle through all lines, in a random order (S. Sattolo, 1986) */
        for (uint64_t i = 0; i < LINES; i++) memory[i][0] = i;
    for (uint64_t i = LINES - 1; kind == 'e' && i; i--) {
        uint64_t k = (x = next(x)) % i, was = memory[i][0];
        memory[i][0] = memory[k][0], memory[k][0] = was;
    }
    for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;)
        for (int i = 0; i < 100000; i++)
            switch (kind) {
            case 0: a++; HIDE(a); b++; HIDE(b); c++; HIDE(c); d++; HIDE(d); break; /* adds: nothing waits */
            case 'n': for (int k = 0; k < 8; k++) { a *= a; HIDE(a); } break; /* chain: each multiplication waits for the last */
            case 'c': x = next(x); for (int k = 20; k < 36; k++) if (x >> k & 1) { a++; HIDE(a); } break; /* branches that nobody predicts */
            default: for (int k = 0; k < 8; k++) { d = memory[d][0]; HIDE(d); } break; /* chase-memory: each load waits for the last */
            }
    return 0;
}
END
if ${CC:-cc} -O1 -o "$tmp/kernel" "$tmp/kernel.c" 2> /dev/null; then kernels='adds chain branches chase-memory'
elif openssl version > /dev/null 2>&1; then kernels=openssl
else die 'neither a compiler (cc) nor openssl is here: there is nothing to measure'; fi
pin=; taskset -c 0 true 2> /dev/null && pin='taskset -c 0'
for kernel in $kernels; do
    run="$tmp/kernel $kernel"; [ "$kernel" != openssl ] || run='openssl speed -seconds 1 -bytes 1024 sha256'
    # shellcheck disable=SC2086 # words
    perf stat -x, -o "$tmp/out" -e "$events" -- $pin $run > /dev/null 2> "$tmp/err" || die "perf stat: $(cat "$tmp/err" "$tmp/out" 2> /dev/null)"
    grep -v '^#' "$tmp/out" | sed '/^$/d' > "$dir/traces/$kernel.csv" # without the time and the command
done

# ---- what the machine is: no names of it ----
echo 'tdprobe-bundle: 1
by: tdprobe-bundle.sh, '"$(perf --version)" > $dir/about
{
    echo "# cpu: $cpu"
    for file in /proc/sys/kernel/osrelease /proc/sys/kernel/perf_event_paranoid /proc/sys/kernel/nmi_watchdog $sys/online $sys/smt/control; do
        [ ! -r "$file" ] || echo "# $file: $(cat "$file")"
    done
    sed -n '/^$/q; s/^\(vendor_id\|cpu family\|model\|model name\|stepping\|microcode\|flags\|CPU [a-z]*\|Features\)[[:space:]]*:/# &/p' /proc/cpuinfo
    for cache in "$sys"/cpu0/cache/index*; do
        [ ! -r "$cache/size" ] || echo "# cpu0 cache L$(cat "$cache/level") $(cat "$cache/type") size: $(cat "$cache/size")"
    done
    for pmu in /sys/bus/event_source/devices/cpu* /sys/bus/event_source/devices/armv8*; do
        for file in "$pmu"/format/* "$pmu"/caps/* "$pmu"/events/*; do
            what=${file#/sys/bus/event_source/devices/} words=${file##*/}
            case $what in */format/*) word=format ;; */caps/*) word=caps ;; *) word=event ;; esac
            case $words in *.*) continue ;; esac
            [ ! -r "$file" ] || echo "$word ${what%%/*} $words = $(cat "$file")"
        done
    done
} > $dir/machine

echo "$dir.tar will have, and nothing else:"
(cd $dir && wc -c about machine traces/*) || exit 1
# GNU's tar, and that of BSD and libarchive; neither with the names of users
tar --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 -cf $dir.tar $dir/about $dir/machine $dir/traces/* 2> /dev/null ||
    tar --format=ustar --uid 0 --gid 0 --uname '' --gname '' -cf $dir.tar $dir/about $dir/machine $dir/traces/* 2> /dev/null ||
    { rm -f $dir.tar; die "tar cannot leave the names of users out: pack the folder $dir yourself"; }
echo "written: $dir.tar"
