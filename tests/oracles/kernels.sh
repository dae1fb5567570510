#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels of tdprobe selftest by oracles that know nothing of tdprobe: llvm-mca for those of registers alone, by its models of
# Skylake, Sapphire Rapids, Zen 4, Neoverse N2 and V2, and cachegrind for those of caches and branches, by its models of these.
# 'make check-oracles' runs it. It needs llvm-mca 19 (Debian's llvm-19), valgrind, and for Arm a cross compiler.
set -u
source=${TD_SRCDIR:-.} tdprobe=${TDPROBE:-./tdprobe} bad=0 mca=${LLVM_MCA:-llvm-mca-19}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; bad=1; }

# The instructions of a function of arithmetic.c: what is between the compiler's marks of inline assembly.
block() { # COMPILER FUNCTION
    "$1" -O2 -S -I "$source" -o - "$source/kernels/arithmetic.c" | awk -v name="$2:" '
        $1 == name { inside = 1 }
        inside && /^\t\.size/ { exit }
        inside && /^(#|\/\/)? ?#?APP/ || inside && /^#APP/ { asm = 1; next }
        /NO_APP/ { asm = 0 }
        inside && asm && !/^#|^\/\// { print }'
}
# Instructions per cycle as llvm-mca has them, and the resource that it finds to be the limit.
mca() { # TRIPLE CPU
    "$mca" -mtriple="$1" -mcpu="$2" -iterations=100 -bottleneck-analysis < "$tmp/block" 2> "$tmp/err" > "$tmp/out" ||
        { fail "$mca -mcpu=$2: $(head -1 "$tmp/err")"; return; }
    ! grep -q 'not a recognized processor' "$tmp/err" || fail "$mca does not know $2: it has taken another model"
    ipc=$(sed -n 's/^IPC: *//p' "$tmp/out")
    what=$(sed -n 's/^ *\(Resource Pressure\|Data Dependencies\): *\[ \([0-9.]*\)%.*/\1 \2/p' "$tmp/out" | sort -k3 -n -r | sed -n '1s/ [0-9.]*$//p')
}
is() { # KERNEL CPU CONDITION
    printf '%-8s %-16s IPC %-5s of %-2s %s\n' "$1" "$2" "$ipc" "$width" "$what"
    awk -v ipc="$ipc" -v width="$width" -v what="$what" "BEGIN { exit !($3) }" || fail "$1 on $2: not $3"
}

if command -v "$mca" > /dev/null; then
    for cpu in skylake-avx512 sapphirerapids znver4 neoverse-n2 neoverse-v2; do
        case $cpu in
        neoverse*) compiler=aarch64-linux-gnu-gcc triple=aarch64-linux-gnu multiply=2 ;;
        *) compiler=${CC:-cc} triple=x86_64-linux-gnu multiply=3 ;;
        esac
        # slots of a cycle, by the vendors: the models dispatch 6, 10 and 16 wide where cores do 4, 5 and 8
        case $cpu in
        skylake*) width=4 ;; neoverse-n2) width=5 ;; neoverse-v2) width=8 ;; *) width=6 ;;
        esac
        if ! command -v $compiler > /dev/null || ! $compiler -dumpmachine | grep -q "^${triple%%-*}"; then
            echo "skipped: $cpu, for which $compiler is missing"
            continue
        fi
        block $compiler adds > "$tmp/block"; [ -s "$tmp/block" ] || fail "adds: no instructions were found"
        mca $triple $cpu; is adds $cpu 'ipc >= 0.5 * width'
        # a multiplication each 3 cycles, 2 on these Neoverses (Arm's Software Optimization Guides): within 10 %
        block $compiler chain > "$tmp/block"
        mca $triple $cpu; is chain $cpu "ipc >= 0.9 / $multiply && ipc <= 1.1 / $multiply && what ~ /Dependencies/"
        block $compiler divider > "$tmp/block"
        mca $triple $cpu; is divider $cpu 'ipc <= 0.6 * width && what ~ /Pressure|Dependencies/'
    done
else
    echo "skipped: $mca is missing"
fi

# Counts of cachegrind: its lines "I refs: 65,075,375", with and without reads and writes.
grind() { # KERNEL
    timeout 600 valgrind --tool=cachegrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
        --cachegrind-out-file=/dev/null "$tdprobe" selftest --run "$1" --time 1 2> "$tmp/out" || { fail "$1 under cachegrind: $?"; return; }
    sed 's/^==[0-9]*== //; s/,//g' "$tmp/out" > "$tmp/counts"
    reads() { sed -n "s/^$1: *[0-9]* *( *\([0-9]*\) [a-z]* .*/\1/p" "$tmp/counts"; }
    all() { sed -n "s/^$1: *\([0-9]*\).*/\1/p" "$tmp/counts"; }
    instructions=$(all 'I *refs') fetched=$(all 'I1 *misses') loads=$(reads 'D *refs') missed=$(reads 'D1 *misses')
    last=$(reads 'LLd *misses') branches=$(reads Branches) wrong=$(reads Mispredicts)
}
holds() { # KERNEL WHAT A / B LEAST MOST
    printf '%-12s %-42s %.3f\n' "$1" "$2" "$(awk "BEGIN { print $3 / $4 }")"
    awk "BEGIN { exit !($3 / $4 >= $5 && $3 / $4 <= $6) }" || fail "$1: $2 are not $5 to $6"
}
if command -v valgrind > /dev/null; then
    grind adds; holds adds 'misses of code per instruction' "$fetched" "$instructions" 0 0.001; holds adds 'wrong predictions per branch' "$wrong" "$branches" 0 0.05
    grind branches; holds branches 'wrong predictions per branch' "$wrong" "$branches" 0.4 0.6
    grind icache; holds icache 'misses of code per instruction' "$fetched" "$instructions" 0.2 0.26
    grind chase-l1; holds chase-l1 'misses of the first level per load' "$missed" "$loads" 0 0.01; holds chase-l1 'loads per instruction' "$loads" "$instructions" 0.7 1
    grind chase-memory; holds chase-memory 'misses of the last level per miss' "$last" "$missed" 0.9 1
    # 8,192 lines, which the last level holds and the first does not
    grind dtlb; holds dtlb 'misses of the first level per load' "$missed" "$loads" 0.75 1; holds dtlb 'misses of the last level per miss' "$last" "$missed" 0 0.1
else
    echo 'skipped: valgrind is missing'
fi
exit $bad
