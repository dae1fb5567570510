#!/bin/sh
# SPDX-License-Identifier: MIT
# Which scopes are one: those of one kind, name and kind of core. The names' bytes count, and a terminal gets escapes of what it would obey.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

# trace CPU < SCOPES: a trace of 10 intervals, 1 s and 1000000 slots each, with 10 % bad_speculation and frontend_bound.
# SCOPES: lines of a name, kind, core, percent of retiring and of backend_bound, with tabs between them; E-cores have 5 slots a cycle, and events of their own
trace() {
    awk -v cpu="$1" 'BEGIN { FS = "\t"; printf "# tdprobe-trace: 1\n# cpu: %s\n# smt: on\n# source: perf\n", cpu
        print "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns" }
        { scope[NR] = $1 "," $2 "," $3; part[NR, 1] = 100; part[NR, 2] = $4; part[NR, 3] = part[NR, 4] = 10; part[NR, 5] = $5 }
        END {
            split("slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound", big, " ")
            split("CPU_CLK_UNHALTED.CORE TOPDOWN_RETIRING.ALL TOPDOWN_BAD_SPECULATION.ALL TOPDOWN_FE_BOUND.ALL TOPDOWN_BE_BOUND.ALL", little, " ")
            for (t = 0; t <= 10; t++) for (i = 1; i <= NR; i++) {
                e_core = scope[i] ~ /,E$/
                for (e = 1; e <= 5; e++)
                    printf "%.0f,%s,0,0,%s,%.0f,%.0f,%.0f\n", t * 1e9, scope[i], e_core ? little[e] : big[e], t * part[i, e] * (e == 1 && e_core ? 2e3 : 1e4), t * 1e9, t * 1e9
                printf "%.0f,%s,,0,end,5,,\n", t * 1e9, scope[i]
            } }'
}
values() { awk -F, -v metric="$1" 'NR > 1 && $6 == metric { print $2 " " $3 " " $4 " " $7 }' out | sort | uniq; }

# ---- one name, another kind or kind of core ----
{ printf 'X\tcpu\t\t70\t10\n'; printf 'X\tcgroup\t\t70\t10\n'; } | trace GenuineIntel-6-8F-8 > before.trace
{ printf 'X\tcpu\t\t70\t10\n'; printf 'X\tcgroup\t\t10\t70\n'; } | trace GenuineIntel-6-8F-8 > after.trace
{ printf 'X\tcpu\tP\t70\t10\n'; printf 'X\tcpu\tE\t10\t70\n'; printf 'X\tcgroup\tP\t60\t20\n'; } | trace adl > cores.trace
t replay -x, --summary-only after.trace; exits 0
[ "$(values retiring)" = "$(printf 'X cgroup  0.100000\nX cpu  0.700000')" ] || fail "$what: $(values retiring)"
t phases -x, after.trace
if grep -q 'without GSL' err; then
    echo "no GSL: compare and phases are left out"
else
    exits 0
    [ "$(values retiring)" = "$(printf 'X cgroup  0.100000\nX cpu  0.700000')" ] || fail "$what: $(values retiring)"
    t phases after.trace; exits 0; says '^1 phase in 10 intervals  X \(cpu\)$'; says '^1 phase in 10 intervals  X \(cgroup\)$'
    t phases cores.trace; exits 0
    [ "$(grep -c '^1 phase in 10 intervals' out)" -eq 3 ] || fail "$what: $(head -n 6 out)"
    says '  X \(cpu\)  P$'; says '  X  E$'; says '  X \(cgroup\)  P$' # only one of the E-cores is called X
    # the CPU did not change, the cgroup lost 60 points
    t compare -x, before.trace after.trace; exits 0
    awk -F, '$6 == "retiring" { printf "%s %.1f\n", $4, $14 }' out | sort > got
    printf 'cgroup -0.6\ncpu 0.0\n' > wanted
    cmp -s got wanted || fail "$what: $(cat got)"
    t compare before.trace after.trace; exits 0; says '^X \(cpu\)$'; says '^X \(cgroup\)$'
    t compare --fail-if 'verdict changes' before.trace after.trace; grep -q 'X' out || fail "$what: $(cat out)"
    t compare cores.trace cores.trace; exits 0
    [ "$(grep -cE '^X (P \(cpu\)|E|P \(cgroup\))$' out)" -eq 3 ] || fail "$what: $(grep ^X out)"
    # a side that has the name in one kind only is not the other kind's counterpart
    printf 'X\tcgroup\t\t10\t70\n' | trace GenuineIntel-6-8F-8 > cgroup.trace
    t compare before.trace cgroup.trace; exits 0
    says 'only one side has X'
    [ "$(grep -c '^X' out)" -eq 1 ] || fail "$what: $(cat out)"
    # but sides of one scope each are compared whatever its name and kind
    printf 'Y\tcpu\t\t70\t10\n' | trace GenuineIntel-6-8F-8 > other.trace
    t compare other.trace cgroup.trace; exits 0; says '^Y and X$'
fi

# ---- one byte of a name ----
latin="$(printf 'caf\351 caf\350 caf? caf\\xe9 caf')"
for name in $latin; do
    n=$((${n:-0} + 10))
    printf '1.000000000,1000,,slots,%s,9,100.00,,\n1.000000000,%d0,,topdown-retiring,%s,9,100.00,,\n1.000000000,100,,topdown-bad-spec,%s,9,100.00,,\n' "$name" $n "$name" "$name"
    printf '1.000000000,100,,topdown-fe-bound,%s,9,100.00,,\n1.000000000,%d0,,topdown-be-bound,%s,9,100.00,,\n' "$name" $((80 - n)) "$name"
done > latin.csv
cat > names << 'END'
caf cgroup  0.500000
caf? cgroup  0.300000
caf\x5cxe9 cgroup  0.400000
caf\xe8 cgroup  0.200000
caf\xe9 cgroup  0.100000
END
t replay --uarch spr -x, latin.csv; exits 0
values retiring | LC_ALL=C sort | cmp -s - names || fail "$what: $(values retiring)"
t convert --uarch spr latin.csv; exits 0; mv out latin.trace
LC_ALL=C grep -q '[^ -~]' latin.trace && fail "the trace has bytes that are not printable: $(LC_ALL=C grep -n '[^ -~]' latin.trace | head -n 2 | cat -v)"
t replay -x, latin.trace; exits 0
values retiring | LC_ALL=C sort | cmp -s - names || fail "$what: $(values retiring)"
t convert latin.trace; exits 0
cmp -s out latin.trace || fail "a trace of names with escapes changes as it is converted: $(diff out latin.trace)"
sed 's/\\xe9,cgroup/\xe9,cgroup/; s/\\xe8,cgroup/\xe8,cgroup/' latin.trace > bytes.trace # a trace may have the bytes, too
t replay -x, bytes.trace; exits 0
values retiring | LC_ALL=C sort | cmp -s - names || fail "$what: $(values retiring)"
t replay -j --uarch spr latin.csv; exits 0
says '"scope":"caf\\\\xe9"'; says '"scope":"caf\\\\x5cxe9"'
# events likewise, which a trace keeps whatever they are; no formula knows these
{ cat latin.csv; printf '1.000000000,7,,odd\351,caf,9,100.00,,\n1.000000000,8,,odd\350,caf,9,100.00,,\n1.000000000,9,,odd\\xe8,caf,9,100.00,,\n'; } > events.csv
t convert --uarch spr events.csv; exits 0; mv out events.trace
[ "$(awk -F, '/odd/ { print $7, $8 }' events.trace | LC_ALL=C sort | tr '\n' ' ')" = 'odd\x5cxe8 9 odd\xe8 8 odd\xe9 7 ' ] || fail "$what: $(grep odd events.trace)"
t convert events.trace; exits 0; cmp -s out events.trace || fail "$what: $(diff out events.trace)"

# ---- what a terminal would obey, or does not show ----
# U+202E U+2066 U+200B U+2028 U+FEFF U+061C U+E0041, CSI as U+009B and as ESC [, DEL
odd="$(printf '\342\200\256\342\201\246\342\200\213\342\200\250\357\273\277\330\234\363\240\201\201\302\23331m\033c\177')"
shown='\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xe2\\x80\\xa8\\xef\\xbb\\xbf\\xd8\\x9c\\xf3\\xa0\\x81\\x81\\xc2\\x9b31m\\x1bc\\x7f'
quiet() { LC_ALL=C grep -qE "$(printf '[\001-\010\013-\037\177]|\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277|\330\234|\363\240|\302[\200-\237]')" "$@" && fail "$what: not escaped: $(cat -v "$@" | head -n 5)"; }
printf '%s\tthread\t\t70\t10\n' "a${odd}b" | trace GenuineIntel-6-8F-8 > odd.trace
sed "5i # x-host: h${odd}\\
# command: c${odd}\\
# x-k${odd}: v\\
# note: n${odd}" odd.trace > header.trace
for way in replay 'replay -x,' 'replay -j' 'replay --counts' convert phases 'phases -j' "compare header.trace" "compare --format json header.trace" "compare --format markdown header.trace" \
    "compare --format junit header.trace" "compare --format github header.trace" "compare --format gitlab header.trace" "compare -x, header.trace"; do
    # shellcheck disable=SC2086
    t $way header.trace
    grep -q 'without GSL' err && continue
    exits 0; quiet out err
    case $way in *github*|*gitlab*) ;; replay) ;; *json*|*-j*|*markdown*) says "a$(printf '%s' "$shown" | sed 's/\\\\/&&/g')b" ;; *) says "a${shown}b" ;; esac
done
t convert header.trace; exits 0
says "^# x-host: h${shown}\$"; says "^# command: c${shown}\$"; says "^# x-k${shown}: v\$"; says "^# note: n${shown}\$"
mv out once.trace
t convert once.trace; exits 0; cmp -s out once.trace || fail "$what: it is not the same"
t compare --fail-if "${odd} > 3" header.trace header.trace; quiet out err
t compare --fail-if "ipc${odd}" header.trace header.trace; exits 64; quiet out err; warns "${shown}"
t replay "none${odd}"; exits 65; quiet err; warns "none${shown}"
cp odd.trace "file${odd}.trace"
for way in '' '-x,' '-j' '--format markdown' '--format junit' '--format github' '--format gitlab'; do
    # shellcheck disable=SC2086
    t compare $way "file${odd}.trace" odd.trace
    quiet out err
done

# ---- very many: each its own, and found ----
i=0
while [ $i -lt 3000 ]; do
    printf 'CPU%d\t%s\t\t70\t10\n' $((i / 2)) $([ $((i % 2)) -eq 0 ] && echo cpu || echo thread)
    i=$((i + 1))
done | trace GenuineIntel-6-8F-8 | awk -F, 'NR < 6 || $1 < 3000000000' > many.trace
t phases -x, many.trace
if ! grep -q 'without GSL' err; then
    exits 0
    [ "$(values retiring | wc -l)" -eq 3000 ] || fail "$what: $(values retiring | wc -l) scopes, not 3000"
    t compare --by thread -x, many.trace many.trace; exits 0
    [ "$(awk -F, '$6 == "retiring" && $4 == "thread"' out | wc -l)" -eq 1500 ] || fail "$what: $(head -n 3 out)"
fi
# what -C counts of several CPUs, and calls a CPU, is no CPU: a formula of one CPU's counts then has bounds from what either gives, as of
# all CPUs; of one CPU it is exact
for cpus in 0 0,2 0-1 0,2-3; do
    t record --machine "$TD_SRCDIR/sim/machines/icelake.machine" -C $cpus -M mem_bandwidth -I 50 --timeout 100 -o cpus.trace; exits 0
    grep -q ',cpu,' cpus.trace || fail "$what: other kinds of scope"
    sed 's/^\([0-9]*\),"*CPU[0-9,-]*"*,cpu,/\1,some,system,/' cpus.trace > all.trace
    for file in cpus.trace all.trace; do
        t replay -M mem_bandwidth -x, --summary-only $file; exits 0
        wide=$(tr -d '"' < out | sed 's/CPU[0-9,-]*,cpu/CPU,cpu/' | awk -F, '$6 == "mem_bandwidth" { print $9 < $10 ? "wide" : "exact" }')
        case $cpus$file in 0cpus.trace) right=exact ;; *) right=wide ;; esac
        [ "$wide" = $right ] || fail "$what of -C $cpus: $wide, not $right: $(grep mem_b out)"
    done
done
[ ! -e failed ]
