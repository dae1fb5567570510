#!/bin/sh
# SPDX-License-Identifier: MIT
# What is known of SMT takes something away from what is possible, and nothing else: over all recordings of traces/, --smt on and --smt off
# widen no bounds, leave what they narrow within what was possible before, and change nothing of metrics that are not flagged.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
rows=0 narrowed=0 against=0
for expect in "$TD_SRCDIR"/traces/*.expect; do
    [ -z "${TD_QUICK-}" ] || [ $((($(printf %s "${expect##*/}" | wc -c) + 1) % 3)) -eq 0 ] || continue
    trace=$(sed -n 's/^trace: *//p' "$expect") args=$(sed -n 's/^args: *//p' "$expect")
    file=$TD_SRCDIR/traces/$trace
    case $trace in *.trace) sed '/^# smt:/d' "$file" > silent; file=silent ;; esac
    # forms that share a core's counts between two threads say themselves that SMT was on
    form=$("$TDPROBE" replay $args --format json "$file" 2> /dev/null | grep -om1 '"formula":"[^" ]*')
    for smt in unknown on off; do
        case $form,$smt in *-smt,off | *-ebs,off | *-any,off) cp unknown off; continue ;; esac
        asked="--smt $smt"
        [ $smt != unknown ] || asked=
        # shellcheck disable=SC2086
        "$TDPROBE" replay $args $asked -M all --format csv "$file" > $smt 2> /dev/null
        eval "code_$smt=$?"
    done
    [ "$code_unknown" -eq 0 ] || continue # another CPU may be meant once SMT is known
    awk -F, -v name="$trace" '
        function fails(text) { print name, FILENAME ": " text ": " $0 " was " was[key]; bad = 1 }
        { key = $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $21 "," ++times[FILENAME, $1, $2, $3, $4, $5, $6, $21] }
        $6 == "verdict" || $6 == "metric" { next }
        FILENAME == "unknown" { was[key] = $7 "," $9 "," $10 "," $12; flags[key] = $13; value[key] = $7; low[key] = $9; high[key] = $10; next }
        !(key in was) { fails("a row that was not there"); next }
        $7 "," $9 "," $10 "," $12 == was[key] { rows++; next }
        value[key] == "" { next } # what was absent may be known: without siblings some events are 0
        $12 == "impossible" || $13 ~ /one_sibling/ { against++; next } # the counts themselves speak against it: a clock of all threads, for one
        flags[key] !~ /smt_unknown/ { fails("it was not flagged, and is another"); next }
        low[key] == "" { rows++; next }
        $9 < 0 && low[key] == 0 { $9 = 0 } # which is where bounds end that hold both
        $9 == "" || $9 < low[key] - 1.5e-6 || $10 > high[key] + 1.5e-6 { fails("not within what was possible"); next }
        { rows++; narrowed++ }
        END { print rows + 0, narrowed + 0, against + 0 > "counted"; exit bad }' unknown on off > said || { fail "$(head -n 4 said)"; }
    read -r a b c < counted
    rows=$((rows + a)) narrowed=$((narrowed + b)) against=$((against + c))
done
echo "$rows values, $narrowed of them narrowed; of $against the counts say otherwise"
[ $rows -gt 1000 ] && [ $narrowed -gt 10 ] && [ $against -lt $((rows / 100)) ] || fail 'too few: the test tests nothing'
# ---- scales: likely bounds, where it is not known which ones counts have, hold those of either ----
{
    printf '%s\n' '# tdprobe-trace: 1' '# cpu: hsw' time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
    for t in 0 1000000000; do
        for event in 0:total-slots:750000000 0:fetch-bubbles:300000000 1:slots-issued:625000000 2:slots-retired:575000000 0:recovery-bubbles:5000000; do
            rest=${event#*:}
            echo "$t,CPU0,cpu,,${event%%:*},0,topdown-${rest%:*},$((t ? ${rest#*:} : 0)),$t,$((t / 4))"
        done
        echo "$t,CPU0,cpu,,,0,end,5,,"
    done
} > scales.trace
bounds_of() { t replay --level 1 --format csv "$@" scales.trace; exits 0; awk -F, '$14 == "likely" && $6 != "verdict" { print $6, $9, $10 }' out | sort; }
bounds_of > either
for smt in on off; do
    bounds_of --smt $smt > known
    join either known | awk '$2 > $4 || $3 < $5 { exit 1 } END { exit NR != 4 }' || fail "--smt $smt is not within what may be either: $(join either known)"
done


# a core's slots are of an event with a modifier that perf writes as a term, whatever is between its fields: 6 / (9 / 2)
for separator in , ';'; do
    for c in 6000000=slots 1400000=topdown-retiring 1000000=topdown-bad-spec 1500000=topdown-fe-bound 2100000=topdown-be-bound 9000000=cpu/topdown.slots,percore/; do
        echo "${c%%=*}@@${c#*=}@1000000@100.00@@" | sed "s/@/$separator/g"
    done > percore
    t replay --uarch spr --smt on -M info_thread_slots_utilization -x, percore; exits 0
    says ',info_thread_slots_utilization,1.333333,fraction,1.333333,1.333333,1.000000,ok,,sound,'
done
[ ! -e failed ]
