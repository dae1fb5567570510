#!/bin/sh
# SPDX-License-Identifier: MIT
# Where several CPUs fit a recording, advice takes none of them for known, and the words around the counts tell which it is.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; : > "$tmp/failed"; }

# counts of retiring, bad speculation, frontend, backend, of slots 1000000, and the fields of level 2 where there are more
text() {
    printf '   1,000,000      slots\n   %s      topdown-retiring\n   %s      topdown-bad-spec\n   %s      topdown-fe-bound\n   %s      topdown-be-bound\n' "$1" "$2" "$3" "$4"
}
replay() { "$TDPROBE" replay --level 1 "$@" > "$tmp/out" 2> "$tmp/err"; code=$?; }

# icl|icx|tgl|rkl|spr|emr|gnr: backend's event is the same on each of them
text 100000 50000 50000 800000 > "$tmp/backend"; replay "$tmp/backend"
grep -q '^ *system  icl|icx|tgl|rkl|spr|emr|gnr ' "$tmp/out" || fail "the CPUs: $(cat "$tmp/out")"
grep -qx ' *perf record -e topdown.backend_bound_slots -a -- sleep 10' "$tmp/out" || fail "one line for all: $(cat "$tmp/out")"
# heavy operations have an event on each from Sapphire Rapids on only: what to sample is asked for by name
text 900000 40000 30000 30000 | sed 's/topdown-bad-spec/&\n   600,000      topdown-heavy-ops/' > "$tmp/heavy"; replay "$tmp/heavy"
grep -q 'perf record' "$tmp/out" || grep -qE 'tdprobe explain [a-z_]+ --uarch NAME, where NAME is .* or gnr$|no limit|none' "$tmp/out" || fail "by name: $(cat "$tmp/out")"
# what is missing
text '<not counted>' '<not counted>' '<not counted>' '<not counted>' > "$tmp/missing"; replay "$tmp/missing"
tail -n 1 "$tmp/err" | grep -q "'tdprobe perf-command --uarch NAME' prints what to record, where NAME is icl, icx, tgl, rkl, spr, emr or gnr$" || fail "what to record: $(cat "$tmp/err")"

# words around the counts
is() { # WHAT CPU: of stdin
    cat > "$tmp/in"; replay --format csv "$tmp/in"
    got=$(awk -F, '$6 == "retiring" { print $5; exit }' "$tmp/out")
    [ "$got" = "$2" ] || fail "$1: $got, not $2: $(cat "$tmp/err")"
}
for words in 'model name	: Intel(R) Xeon(R) Platinum 8592+|emr' 'Model name:          Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz|icx' '# cpudesc : Intel(R) Xeon(R) Platinum 8480+|spr' 'I have an Intel(R) Core(TM) i7-1165G7 here.|tgl'; do
    { echo "${words%|*}"; cat "$tmp/backend"; } | is "before: $words" "${words#*|}"
    grep -q "the text around the counts names ${words#*|}" "$tmp/err" || fail "not told: $(cat "$tmp/err")"
    { cat "$tmp/backend"; echo; echo "${words%|*}"; } | is "after: $words" "${words#*|}"
done
# of a CPU that these events are not of, or of two, nothing is taken
{ echo 'model name : AMD EPYC 9654 96-Core Processor'; cat "$tmp/backend"; } | is 'of another CPU' 'icl|icx|tgl|rkl|spr|emr|gnr'
{ printf 'Intel(R) Xeon(R) Platinum 8480+\nIntel(R) Xeon(R) Platinum 8592+\n'; cat "$tmp/backend"; } | is 'of two CPUs' 'icl|icx|tgl|rkl|spr|emr|gnr'
{ echo 'model name : Intel(R) Xeon(R) Platinum 8480+'; cat "$tmp/backend"; } > "$tmp/in"; replay --uarch emr --format csv "$tmp/in"
grep -q ',emr,retiring,' "$tmp/out" || fail "--uarch: $(cat "$tmp/out")"

# the percentages that perf printed beside the counts tell too, as fractions or with a sign: 5 slots in each of a million
# cycles, of which N2 counts one too many in STALL_SLOT and STALL_SLOT_FRONTEND, or 8 slots. Those of no CPU, or of one
# node alone, tell nothing.
printed() { # RETIRING FRONTEND BACKEND
    printf '%s\n' "   1,000,000      cpu_cycles           # $1 retiring" '   3,000,000      stall_slot' '   3,000,000      op_spec' '   2,700,000      op_retired' \
        "   1,600,000      stall_slot_frontend  # $2 frontend_bound" "   1,400,000      stall_slot_backend   # $3 backend_bound"
}
printed 0.54 0.12 0.28 | is 'of 5 slots' neoverse-n2
grep -q 'the percentages beside the counts are not those of other CPUs that have these events, which are left out: .*neoverse-v2' "$tmp/err" || fail "not told: $(cat "$tmp/err")"
printed '54.0%' '12.0%' '28.0%' | is 'with a sign' neoverse-n2
printed 0.5625 0.2000 0.1750 | is 'of 8 slots' 'neoverse-v1|neoverse-v2'
printed 0.25 0.12 0.28 | is 'of none' neoverse-n2; grep -q 'several CPUs fit' "$tmp/err" || fail "of none: $(cat "$tmp/err")"
printed 0.54 nan nan | is 'of one node' neoverse-n2; grep -q 'several CPUs fit' "$tmp/err" || fail "of one node: $(cat "$tmp/err")"
# an N2 before r0p3 whose slots of the later one would be fewer than none retire, by 2 %: neither that one nor N3, which
# counts as it does, fits
stalls() { # STALL_SLOT; of a million cycles
    printf '%s\n' '   1,000,000      cpu_cycles' "   $1      stall_slot" '     900,000      op_spec' '     800,000      op_retired' '   1,900,000      stall_slot_frontend' '   3,215,000      stall_slot_backend'
}
stalls 5,115,000 | is 'less than none retires' neoverse-n2; grep -q 'r0p3\|neoverse-n3' "$tmp/err" && fail "less than none retires: $(cat "$tmp/err")"
stalls 5,030,000 | is 'none retires' neoverse-n2; grep -q 'r0p3 .*neoverse-n3' "$tmp/err" || fail "none retires: $(cat "$tmp/err")"

# of E-cores whose shares add up to the slots of five in a cycle, and to less of those of six and of eight
printf '  %s      cpu_atom/%s/\n' 20,000,000 cpu_clk_unhalted.core 12,000,000 topdown_retiring.all 8,000,000 topdown_bad_speculation.all 60,000,000 topdown_be_bound.all \
    20,000,000 topdown_fe_bound.all | is 'of E-cores' adl-e
! grep -q 'several CPUs fit' "$tmp/err" || fail "of E-cores: $(cat "$tmp/err")"

# of Zens that lack an event of level 1, all of which have these: 6 slots in each of a million cycles, or 8
zens() { # RETIRING FRONTEND BACKEND
    printf '%s\n' '   2,022,000      de_src_op_disp.all   #  0.0 %  bad_speculation' '   1,000,000      ls_not_halted_cyc' "   2,022,000      ex_ret_ops   #  $1 %  retiring" \
        "   3,906,000      de_no_dispatch_per_slot.no_ops_from_frontend   #  $2 %  frontend_bound" "      72,000      de_no_dispatch_per_slot.backend_stalls   #  $3 %  backend_bound"
}
zens 33.7 65.1 1.2 | is 'of 6 slots, incomplete' zen4
grep -q 'left out: zen5, zen6' "$tmp/err" || fail "not told of Zens: $(cat "$tmp/err")"
zens 25.3 48.8 0.9 | is 'of 8 slots, incomplete' 'zen5|zen6'

# --uarch by what people have
for name in GenuineIntel-6-143 'Intel(R) Xeon(R) Platinum 8480+' 'Vendor ID: GenuineIntel CPU family: 6 Model: 143'; do
    replay --uarch "$name" --format csv "$tmp/backend"; grep -q ',spr,retiring,' "$tmp/out" || fail "--uarch '$name': $(cat "$tmp/err")"
done
"$TDPROBE" list events --uarch 0x410fd4f0 2>&1 | grep -q '^neoverse-v2 ' || fail 'MIDR'
[ ! -e "$tmp/failed" ]
