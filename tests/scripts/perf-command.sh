#!/bin/sh
# SPDX-License-Identifier: MIT
# perf-command: it prints what tdprobe itself would count, with names that perf has, and
# a recording made with it lacks nothing.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
machines=$TD_SRCDIR/sim/machines
is() { [ "$(head -n 1 out)" = "$1" ] || fail "$what: '$(head -n 1 out)', not '$1'"; }
usage() { pattern=$1; shift; t "$@"; exits 64; grep -qE -- "$pattern" err || fail "$what: lacks '$pattern': $(cat err)"; }

# ---- by hand ----
# Linux tools/perf/Documentation/topdown.txt: slots leads; the fields in any order
t perf-command --uarch spr --level 1; exits 0
is "perf stat -x, -I 1000 -o rec.csv -a -e '{slots,topdown-bad-spec,topdown-be-bound,topdown-fe-bound,topdown-retiring,int_misc.uop_dropping}' -- sleep 10"
[ "$(sed -n 2p out)" = '# then: tdprobe replay --uarch spr rec.csv' ] || fail "$what: $(sed -n 2p out)"
grep -qF "$(sed 1q out)" "$TD_SRCDIR/README" || fail "README's recipe is another"
# TMA on Skylake with two threads: the clock of the core, three events for slots, and recovery for any thread
t perf-command --uarch skl --level 1 -I 100 -o a.csv; exits 0
is "perf stat -x, -I 100 -o a.csv -a -e '{cpu_clk_unhalted.thread_any,idq_uops_not_delivered.core,int_misc.recovery_cycles_any,uops_issued.any,uops_retired.retire_slots}' -- sleep 10"
t perf-command --uarch adl --level 1; exits 0
grep -q "'{cpu_core/slots/,cpu_core/topdown-bad-spec/.*},{cpu_atom/cpu_clk_unhalted.core/,cpu_atom/topdown_be_bound.all/" out || fail "$what: $(cat out)"
t perf-command --uarch neoverse-v2 --level 1; exits 0; grep -q '{cpu_cycles,.*stall_slot_frontend' out || fail "$what: $(cat out)"

# if perf's lists lack a name: event | umask << 8 | edge << 18 | cmask << 24 (perf 6.1 has no int_misc.clears_count)
t perf-command --uarch icl --level 1; grep -q '^# if perf does not know .*--encodings' out || fail "$what: no word of --encodings"
t perf-command --uarch icl --level 1 --encodings; exits 0; grep -q '^# if perf' out && fail "$what: --encodings again"
is "perf stat -x, -I 1000 -o rec.csv -a -e '{slots,topdown-bad-spec,topdown-be-bound,topdown-fe-bound,topdown-retiring,cpu/config=0x104010d,name=int_misc.clears_count/,cpu/config=0x100d,name=int_misc.uop_dropping/}' -- sleep 10"
t perf-command --uarch adl --level 1 --encodings; exits 0
grep -q "},{cpu_atom/config=0x3c,name=cpu_clk_unhalted.core/,cpu_atom/config=0x74,name=topdown_be_bound.all/" out || fail "$what: $(cat out)"

# ---- samples: topdown.txt has slots first, then the event that samples; the recordings of tests/samples were made so ----
t perf-command --functions --uarch spr --level 1 -- ./app; exits 0
is "perf record --running-time -F 4000 -o perf.data -e '{slots,cycles,topdown-bad-spec,topdown-be-bound,topdown-fe-bound,topdown-retiring,int_misc.uop_dropping}:S' -- ./app"
grep -q '^# then: tdprobe report --uarch spr perf.data$' out || fail "$what: $(cat out)"
grep -q '^# perf does not sample threads and processes that start later: -a does$' out || fail "$what: no word of threads"
for tasks in p t; do t perf-command --functions --uarch spr -$tasks 1; exits 0; says "^# perf does not sample threads and processes that start later: -a instead of -$tasks does\$"; done
t perf-command --functions --rate 99 --uarch adl --level 1; exits 0
grep -q "^perf record --running-time -F 99 -o perf.data -a -e '{cpu_core/slots/,cpu_core/cycles/,.*}:S,{cpu_atom/cpu_clk_unhalted.core/,.*}:S' -- sleep 10$" out || fail "$what: $(cat out)"
grep -q '^# perf does not sample' out && fail "$what: -a leaves nothing out"
t perf-command --functions --uarch neoverse-v2 --level 1; exits 0; grep -q " '{cpu_cycles,[^}]*}:S' " out || fail "$what: $(cat out)"
# of tasks too, with the clock of the core, as there is no counter for what tells how long the sibling ran
t perf-command --functions --uarch skl -- ./app; exits 0; grep -q ' .{cpu_clk_unhalted.thread_any,[^}]*}:S. -- ./app$' out || fail "$what: $(cat out)"
# where the counters do not hold all events, groups take turns, and each has cycles, by which it is sampled
t perf-command --functions --uarch knl; exits 0
is "perf record --running-time -F 4000 -o perf.data -a -e '{cpu_clk_unhalted.thread,no_alloc_cycles.mispredicts,no_alloc_cycles.not_delivered}:S,{cpu_clk_unhalted.thread,uops_retired.all}:S' -- sleep 10"
grep -q '^# the counters .*: 2 groups take turns (multiplexing), each for a part of the time$' out || fail "$what: $(cat out)"
t perf-command --functions --uarch skl --level 2; exits 0
[ "$(grep -o '{cpu_clk_unhalted.thread_any,[^}]*}:S' out | wc -l)" -eq 4 ] || fail "$what: $(cat out)"
grep -q '^# .*: 4 groups take turns (multiplexing), .*; --level 1 takes fewer$' out || fail "$what: $(cat out)"
t perf-command --functions --uarch skl --level 1; exits 0; grep -q 'take turns' out && fail "$what: $(cat out)" # what is advised
t perf-command --functions --uarch icl --level 2; exits 0
[ "$(grep -o '{slots,cycles,topdown-[^}]*}:S' out | wc -l)" -eq 3 ] || fail "$what: $(cat out)"
t perf-command --functions --uarch spr --level 2; exits 0; grep -q " -e '{slots,cycles,[^}]*,topdown-mem-bound,[^}]*}:S' " out || fail "$what: $(cat out)" # all in one
usage 'needs --functions' perf-command --uarch spr --rate 5
usage 'groups of level 1 or 2' perf-command --uarch spr --functions --level 3

# ---- the NMI watchdog: it holds a counter there, which nobody can know here ----
hint='^# if perf prints <not counted>, and the NMI watchdog is on: tdprobe perf-command --watchdog, or sysctl kernel.nmi_watchdog=0$'
watched() { # CPU EVENTS: of level 1; a dash: the same events as without it
    t perf-command --uarch "$1" --level 1; exits 0; sed 1q out > without
    if [ "$2" = - ]; then grep -q "$hint" out && fail "$what: no group needs the watchdog's counter"; else grep -q "$hint" out || fail "$what: no word of the watchdog"; fi
    t perf-command --uarch "$1" --level 1 --watchdog; exits 0; grep -q 'watchdog' out && fail "$what: --watchdog again"
    if [ "$2" = - ]; then is "$(cat without)"; else is "perf stat -x, -I 1000 -o rec.csv -a -e '$2' -- sleep 10"; fi
}
# AMD's, of six counters, one; Tremont's four and fixed counter 1; a Neoverse N2's six and the cycle counter
de=de_no_dispatch_per_slot
watched zen4 "{$de.backend_stalls,$de.no_ops_from_frontend,$de.smt_contention,de_src_op_disp.all,ex_ret_ops},{ls_not_halted_cyc}"
watched ehl '{cpu_clk_unhalted.core,topdown_bad_speculation.all,topdown_be_bound.all,topdown_fe_bound.all},{topdown_retiring.all}'
watched neoverse-n2 '{cpu_cycles,op_retired,op_spec,stall_slot,stall_slot_frontend,stall_slot_backend}'
for cpu in spr icl adl srf; do watched $cpu -; done
usage 'needs --uarch' perf-command --watchdog
usage '--watchdog and --machine exclude each other' perf-command --watchdog --uarch spr --machine "$machines/sapphirerapids.machine"

# ---- the scope ----
scope() { # WANT ARGS...: between -o rec.csv and -e, and after the events
    want=$1
    shift
    t perf-command --uarch neoverse-v2 "$@"; exits 0
    got=$(sed -n "1s/.*rec.csv\(.*\) -e '[^']*'\(.*\)/\1|\2/p" out)
    [ "$got" = "$want" ] || fail "$what: '$got', not '$want'"
}
scope ' -a| -- sleep 10'
scope '| -- ./app -x' -- ./app -x
scope " -a| -- ./app 'two words' 'it'\\''s' ''" -a -- ./app 'two words' "it's" ''
scope ' -C 0-3,7| -- sleep 10' -C 0-3,7
scope ' -C 2 -A| -- sleep 10' -C 2 -A
scope ' -a --per-socket| -- sleep 10' -a --per-socket
scope ' -p 12,13|' -p 12,13
scope ' -t 12 --per-thread| -- make' -t 12 --per-thread make
usage 'exclude' perf-command --uarch spr -p 1 -a
usage 'needs -p or -t' perf-command --uarch spr --per-thread
usage 'need -a or -C' perf-command --uarch spr -A true
usage "-p: 'x' is not a list of numbers" perf-command --uarch spr -p x
usage 'the nearest is spr' perf-command --uarch sprr
usage 'no option' perf-command --nonesuch
usage 'not a time from 10' perf-command --uarch spr -I 5

# ---- the same on a machine with that CPU ----
for pair in sapphirerapids:spr skylake:skl elkhartlake:ehl graviton4:neoverse-v2 icelake:icx alderlake:adl lunarlake:lnl sierraforest:srf knightslanding:knl; do
    machine=$machines/${pair%:*}.machine
    for scope in -a --; do
        t perf-command --machine "$machine" "$scope" true; exits 0; sed 1q out > measured; uarch=$(sed -n 's/.*--uarch \([^ ]*\).*/\1/p' out)
        t perf-command --uarch "$uarch" "$scope" true; exits 0; sed 1q out > assumed
        # if nobody checked whether a watchdog holds a counter, only what the formulas need is asked for
        sed -E -i -e ':a' -e 's/,(cpu_[a-z]*\/)?(cpu_clk_unhalted.thread|inst_retired.any|inst_retired)\/?([,}])/\3/;ta' measured assumed
        cmp -s measured assumed || { fail "$what: not what ${pair%:*} counts"; diff measured assumed; }
    done
done
# and with the watchdog on
for pair in sapphirerapids:spr skylake:skl elkhartlake:ehl icelake:icx alderlake:adl lunarlake:lnl sierraforest:srf knightslanding:knl genoa:zen4 turin:zen5; do
    { cat "$machines/${pair%:*}.machine"; echo 'watchdog on'; } > on.machine
    for scope in -a --; do
        t perf-command --machine on.machine "$scope" true; exits 0; sed 1q out > measured; grep -q '<not counted>' out && fail "$what: the machine's watchdog is known"
        t perf-command --uarch "${pair#*:}" --watchdog "$scope" true; exits 0; sed 1q out > assumed
        sed -E -i -e ':a' -e 's/,(cpu_[a-z]*\/)?(inst_retired.any|inst_retired)\/?([,}])/\3/;ta' measured assumed
        cmp -s measured assumed || { fail "$what: not what ${pair%:*} counts"; diff measured assumed; }
    done
done
# and these are the events that it opens
"$TDPROBE" --machine "$machines/elkhartlake.machine" --dry-run -a | awk '/^    / { print tolower($1) }' | sort > opened
"$TDPROBE" perf-command --machine "$machines/elkhartlake.machine" | sed -n "1s/.*{\(.*\)}.*/\1/p" | tr ',' '\n' | sort > printed
cmp -s opened printed || { fail "elkhartlake: opened and printed differ"; diff opened printed; }

# ---- every CPU: names that perf has, and nothing missing ----
file_of() { # CPU: its table of events
    table=$(awk -F, -v cpu="$1" '$1 == cpu { print $3 }' "$TD_SRCDIR/backends/intel/intel-tables.csv")
    ls "$TD_SRCDIR/backends/intel/$table-events.csv" "$TD_SRCDIR/backends/arm/$1-events.csv" 2> /dev/null | grep -v '/-events' | head -n 1
}
# for Tremont the tables have toplev's name; perf 6.1's elkhartlake and snowridgex have both names for event=0x73,umask=0x2
also=topdown_bad_speculation.machine_clears
known=0
for cpu in $("$TDPROBE" list uarchs | cut -d ' ' -f 1); do
    table=$(file_of "$cpu")
    [ -z "$table" ] || grep -v '^#' "$table" | cut -d , -f 11- > names
    for level in 1 2; do
        for scope in -a --; do
            t perf-command --uarch "$cpu" --level $level "$scope" true; exits 0
            sed -n "1s/.*-e '\([^']*\)'.*/\1/p" out > asked
            [ -z "$table" ] || known=$((known + 1))
            # by encodings the same: perf prints their names (on hybrids with the PMU), or else what it was given
            t perf-command --uarch "$cpu" --level $level --encodings "$scope" true; exits 0
            sed -n "1s/.*-e '\([^']*\)'.*/\1/p" out > coded
            # of most CPUs tasks are asked for what the whole system is asked for, in both ways to write it
            [ $scope = -a ] || ! cmp -s asked asked-all || ! cmp -s coded coded-all || continue
            mv asked asked-all; mv coded coded-all
            # names without their PMU; a term's comma stays in its event
            sed 's/},{/\n/g; s/[{}]//g' asked-all |
                awk 'BEGIN { RS = "" } { n = split($0, part, /[,\n]/); inside = ""
                for (i = 1; i <= n; i++) {
                    if (inside != "") { inside = inside "," part[i]; if (part[i] ~ /\/$/) { print inside; inside = "" } }
                    else if (part[i] ~ /^[a-z_]*\// && part[i] !~ /\/$/) inside = part[i]
                    else print part[i] } }' | sort -u > events
            if [ -n "$table" ]; then
                sed 's/^cpu_[a-z]*\///; s/\/$//; s/^cpu\///; s/,.*//' events | grep -vE "^(slots|topdown-.*|$also)$" |
                    awk 'FNR == NR { sub(/^"/, ""); sub(/^cpu\//, ""); sub(/[,\/"].*/, ""); there[$0]; next } !($0 in there)' names - > unknown
                [ ! -s unknown ] || fail "$what: not in ${table##*/}: $(tr '\n' ' ' < unknown)"
            fi
            # a recording of them, all with the same count: whatever the shares are, no event is missing
            sed 's/.*/1000000,,&,1000000,100.00,,/' events > rec.csv
            "$TDPROBE" replay --uarch "$cpu" --level $level --format csv rec.csv > out 2> err
            code=$? # 69: invented counts, which contradict each other
            [ $code -eq 0 ] || [ $code -eq 69 ] || fail "replay of $what: $(cat err)"
            grep 'missing_event' out > missing && fail "replay of $what: $(head -n 2 missing)"
            cut -d, -f1-6,12 out > by-name
            grep -oE '[a-z0-9_]+/[^/]*/|[^{},/]+' coded-all |
                sed -E 's,^(cpu_[a-z]*/).*\,name=([^/]*)/$,\1\2/,; s,^.*\,name=([^/]*)/$,\1,; s|.*|1000000,,&,1000000,100.00,,|' | sort -u > coded.csv
            # which is the same recording for most of them
            ! cmp -s rec.csv coded.csv || continue
            "$TDPROBE" replay --uarch "$cpu" --level $level --format csv coded.csv 2> err | cut -d, -f1-6,12 > again
            cmp -s by-name again || fail "$what: another recording: $(diff again by-name | head -n 3)"
        done
    done
done
[ $known -gt 100 ] || fail "only $known commands could be held against perf's names"
[ ! -e failed ]
