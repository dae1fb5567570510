#!/bin/sh
# SPDX-License-Identifier: MIT
# bash completion: subcommands, options, CPUs, nodes, formats, files.
set -u
command -v bash > /dev/null || { echo "there is no bash"; exit 77; }
bad=0
fail() { echo "FAIL: $*"; bad=1; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cat > "$tmp/ask" << 'END'
program=$1
. "$2"
shift 2
COMP_WORDS=(tdprobe "$@")
COMP_CWORD=$#
_tdprobe "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
# WORD...: the completions of the last one
ask() { bash --norc "$tmp/ask" "$TDPROBE" "$TD_SRCDIR/completions/tdprobe" "$@" > "$tmp/out" 2> "$tmp/err"; [ ! -s "$tmp/err" ] || fail "$*: $(cat "$tmp/err")"; }
gives() { # WANT WORD...: WANT is among the answers
    want=$1
    shift
    ask "$@"
    grep -qxF -e "$want" "$tmp/out" || fail "$*: no $want but: $(head -n 5 "$tmp/out" | tr '\n' ' ')"
}
only() { # WANT WORD...
    want=$1
    gives "$@"
    [ "$(sort -u "$tmp/out" | wc -l)" -eq 1 ] || fail "$*: not only $want: $(head -n 5 "$tmp/out" | tr '\n' ' ')"
}
for command in stat record replay compare phases convert bench doctor explain perf-command list; do gives $command ''; done
gives replay rep
only emr replay --uarch em
gives neoverse-v2 replay --uarch = neo
only skl replay --uarch = skl
gives icl --uarch i
only --import-format replay --imp
only --interval-count --interval-co
only --overhead record --functions --over
gives -J replay -
only memory_bound explain memory_b
only metrics list me
only perf-json replay --import-format perf-j
only json replay --format j
only svg report --format s
only html report --format h
only stack report --by st
# metrics of the CPU, their groups, and lists of them
only info_memory_l3mpki replay --uarch skl -M info_memory_l3mp
only TopdownL4 --uarch = skl --metrics = TopdownL4
only dram_bound,lock_latency perf-command --uarch gnr -M dram_bound,lock_late
only memory_bound_group replay --uarch skl -M memory_bound_
only PipelineL2 replay --uarch zen4 -M PipelineL2
gives all replay --uarch zen4 -M a
ask replay --uarch zen4 -M dram
[ "$(cat "$tmp/out")" = '' ] || fail "dram_bound on zen4: $(cat "$tmp/out")"
ask replay --uarch skl -M core_c
[ "$(cat "$tmp/out")" = '' ] || fail "a help value: $(cat "$tmp/out")"
levels() { # LEVELS WORD...
    want=$1
    shift
    ask "$@"
    [ "$(tr '\n' ' ' < "$tmp/out")" = "$want" ] || fail "$*: $(tr '\n' ' ' < "$tmp/out"), not $want"
}
levels '1 2 3 4 5 6 ' replay --uarch skl --level ''
levels '1 2 ' replay --uarch zen4 --level ''
levels '1 2 3 ' --uarch lnl-e --level ''
only junit compare --format ju
only region compare --by r
only --fail-if compare --fa
only intel-atom --backend intel-a
only msr --source m
cd "$tmp" && : > recording.csv && only recording.csv replay rec
only recording.csv convert --uarch spr rec
only recording.csv compare rec
# bash-completion's, of the program that is measured, begins anew: what was there before stays
sed 's/^_tdprobe /_command_offset() { COMPREPLY=(of-program); }\n&/' "$tmp/ask" > "$tmp/other" && mv "$tmp/other" "$tmp/ask"
gives replay re
gives of-program re
gives of-program -- re
exit $bad
