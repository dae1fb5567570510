# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# The software PMU with perf alone: does it count what it was set to?
. /tests/lib.sh
. /tests/modes.sh

run() {
    name=perf-$1 scopes=$2 assign=
    shift 2
    while [ "$1" != -- ]; do
        assign="-v $1"
        shift
    done
    shift
    if ! perf stat -x, -o /tmp/csv -e "$group" "$@" > /tmp/out 2>&1; then
        not_ok "$name" "perf stat $* failed" /tmp/out
        return
    fi
    # shellcheck disable=SC2086
    shares $assign < /tmp/csv | check "$name" "$scopes"
}

# rule NAME EXPECTED EVENT...: what perf_event_open() returns for each event of a group
rule() {
    name=rule-$1 expected=$2
    shift 2
    got=$(load open "$@")
    if [ "$got" = "$expected" ]; then ok "$name"; else not_ok "$name" "$* gave $got, not $expected"; fi
}

# verdict NAME: no problem on standard input
verdict() {
    read -r problem
    if [ -z "$problem" ]; then ok "$1"; else not_ok "$1" "$problem" /tmp/check; fi
}

rules() {
    type=$(cat "$device/type")
    case $kind in
    metrics)
        rule group "0 0 0 0 0" 4:0x400 4:0x8000 4:0x8100 4:0x8200 4:0x8300
        rule metric-alone EINVAL 4:0x8000
        rule metric-led-by-cycles "0 EINVAL" 4:0x3c 4:0x8000
        rule metric-twice "0 0 EINVAL" 4:0x400 4:0x8000 4:0x8000
        rule config1 EINVAL 4:0x400:1
        rule metric-config1 "0 EINVAL" 4:0x400 4:0x8000:1
        rule cmask EINVAL 4:0x1000400
        rule metric-edge "0 EINVAL" 4:0x400 4:0x48000
        if [ "$flavour" = icl ]; then level2=EINVAL; else level2=0; fi
        rule level-2 "0 $level2" 4:0x400 4:0x8400
        rule with-counters "0 0 0 0" 4:0x400 4:0x8000 4:0x10e 4:0x3c
        ;;
    n2) rule unknown-type ENOENT 4:0x11 ;;
    *) rule counters "0 0" 4:0x3c 4:0x10e ;;
    esac
    reload counters=2
    if [ "$kind" = n2 ]; then fixed=0x11 generic=0x3a; else fixed=0x3c generic=0xc2; fi
    rule too-many "0 0 0 EINVAL" "$type:$fixed" "$type:$generic" "$type:$generic" "$type:$generic"
    reload
}

# Two groups that do not fit at the same time take turns.
multiplexing() {
    # one group fits exactly into four (N2: six) counters
    case $kind in metrics) ;; n2) reload counters=6 ;; *) reload counters=4 ;; esac
    perf stat -x, -o /tmp/csv -e "$group,$group" -a -- sleep 1 > /tmp/out 2>&1
    shares < /tmp/csv | check perf-multiplexed 2
    awk '
        { sum += $6; if ($6 < 20 || $6 > 80) print $1 " ran " $6 " %" }
        END { if (sum < 90 || sum > 110) print "together " sum " %" }' /tmp/check | verdict perf-multiplexed-in-turn
    perf stat -x, -o /tmp/csv -e "$group,$group" -- load threads 800 3 > /tmp/out 2>&1
    shares < /tmp/csv | check perf-multiplexed-threads 2
    [ "$kind" = metrics ] || reload
}

# Mixes that the register does not hold exactly, or that change every 2 ms.
other_mixes() {
    reload 'phases=204,17,17,17,51,11,10,10@2;17,34,102,102,10,20,60,85@2'
    perf stat -x, -o /tmp/csv -e "$group" -a -- sleep 1 > /tmp/out 2>&1
    shares < /tmp/csv | check perf-two-phases 1 0.005
    reload phases=4001,1003,1999,2997,1000,500,900,1500 rounding=0
    perf stat -x, -o /tmp/csv -e "$group" -a -- sleep 0.3 > /tmp/out 2>&1
    shares < /tmp/csv | check perf-truncated 1 0.004
    reload
}

# perf's own shares in percent: if they are per core, S-D-C and cpus come first.
topdown() {
    perf stat --topdown -a -x, -o /tmp/csv -- sleep 0.4 > /tmp/out 2>&1
    awk -F, '/^(S[0-9]+-D[0-9]+-C[0-9]+,[0-9]+,)?[0-9.]+,/ {
        from = $1 ~ /^S/ ? 3 : 1
        printf "%s", from == 3 ? $1 : "all"
        for (i = from; i < NF; i++)
            printf " %.4f", $i / 100
        print ""
    }' /tmp/csv > /tmp/shares
    if [ "$kind" = n2 ]; then
        if grep -q 'does not support topdown' /tmp/out; then ok perf-topdown-unsupported; else not_ok perf-topdown-unsupported "perf knows it" /tmp/out; fi
        return
    fi
    check perf-topdown 1 < /tmp/shares
    [ "$flavour" = spr ] || return 0
    # the second level: each part and the rest of its parent
    awk -v truth="$truth" '{
        split(truth, t, " ")
        for (i = 5; i <= 8; i++) {
            d = $(2 * i - 4) - t[i]
            if (d > 0.002 || d < -0.002)
                print "level 2 share " i " is " $(2 * i - 4) ", set was " t[i]
        }
    }' /tmp/check | verdict perf-topdown-level2
}

if reload; then ok module; else not_ok module "it does not load"; exit 1; fi
rules
# if there is tdprobe, its suite runs perf in each mode too
measures || modes
multiplexing
topdown
other_mixes
