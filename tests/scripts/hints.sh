#!/bin/sh
# SPDX-License-Identifier: MIT
# A mistyped command line, or one written as for perf, is answered by what to write; an
# unambiguous one is carried out.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
hint() { # EXIT PATTERN ARGS...: one line on stderr
    want=$1 pattern=$2
    shift 2
    t "$@"; exits "$want"
    [ "$(wc -l < err)" -eq 1 ] || fail "$what: not one line: $(cat err)"
    grep -qE -- "$pattern" err || fail "$what: lacks '$pattern': $(cat err)"
    [ ! -s out ] || fail "$what: prints $(head -n 2 out)"
}
same() { cmp -s "$2" "$3" || { fail "$1: not the same:"; diff "$2" "$3" | head -n 6; }; }
rows='1000,,slots,9,100.00,, 200,,topdown-retiring,9,100.00,, 100,,topdown-bad-spec,9,100.00,, 300,,topdown-fe-bound,9,100.00,, 400,,topdown-be-bound,9,100.00,,'
for row in $rows; do echo "$row"; done > rec.csv
t replay --uarch spr rec.csv; exits 0; mv out text
t replay --uarch spr --format json rec.csv; exits 0; mv out json
t replay --uarch spr --format csv rec.csv; exits 0; mv out csv

# ---- mistyped ----
hint 127 "'repaly'.*'tdprobe replay'" repaly rec.csv
hint 127 "'tdprobe doctor'" docter
hint 64 'the nearest is spr' replay --uarch sprr rec.csv
hint 64 'the nearest is neoverse-v2' replay --uarch neovrse-v2 rec.csv
hint 64 'the nearest is sapphirerapids' replay --uarch saphirerapids rec.csv
hint 64 'the nearest is spr' list events --uarch sprr
hint 64 'the nearest is --summary' replay --sumary rec.csv
hint 64 'the nearest is --interval-count' --interval-cuont 3 true
hint 64 'the nearest is json' replay --format jsn rec.csv
hint 64 'the nearest is json' replay --format jsno rec.csv
hint 64 'the nearest is perf-csv' replay --import-format perf-cvs rec.csv
hint 64 'the nearest is intel-generic' replay --backend intel-genric rec.csv
hint 64 'the nearest is metrics' list metrcis
hint 64 'the nearest is memory_bound' explain memory_bond
for command in 'replay rec.csv' 'compare rec.csv rec.csv' 'phases rec.csv' 'report rec.csv' 'perf-command --uarch spr' "--machine $TD_SRCDIR/sim/machines/sapphirerapids.machine --fast -- x"; do
    # shellcheck disable=SC2086 # words; the option comes first, before a command to measure
    set -- $command
    case $1 in --*) ;; *) word=$1; shift; set -- "$word" -M retiring,corebound "$@" ;; esac
    case $1 in --*) set -- -M retiring,corebound "$@" ;; esac
    hint 64 "'corebound'.*the nearest is core_bound$" "$@"
done
hint 64 "'memory_bnd'.*the nearest is memory_bound$" replay --uarch spr -M memory_bnd rec.csv
hint 64 "'Sumary'.*the nearest is Summary$" replay --uarch spr -M Sumary rec.csv # a group
t replay --uarch spr -M core_bound rec.csv; exits 0
t replay --uarch spr -M Summary rec.csv; exits 0
t replay --uarch spr -M qqqqqqqq rec.csv; exits 64; grep -q nearest err && fail "$what: $(cat err)"
# nothing is similar
t replay --uarch nonesuch rec.csv; exits 64; grep -q nearest err && fail "$what: $(cat err)"
t replay --uarch zen9 rec.csv; exits 64; grep -q 'nearest is [^z]' err && fail "$what: $(cat err)"
# a program of that name is measured
printf '#!/bin/sh\n' > repaly && chmod +x repaly
PATH=$tmp:$PATH "$TDPROBE" --dry-run --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" repaly > out 2> err || fail "a program is taken for a mistake: $(cat err)"

# ---- perf's ----
hint 64 'top-down is all' --topdown -- true
hint 64 'list metrics' -M no_such_metric true
hint 64 'leave it out' -e cycles true
hint 64 'leave it out' --event=cycles true
hint 64 'level 2' -d true
hint 64 'leave it out' --metric-only true
hint 64 'for-each-cgroup' -G a true
hint 64 'tdprobe replay' --import rec.csv

# Each of perf's and toplev's options is answered by what does the same; a hint names no option that the subcommand lacks, but in a
# command of its own, and what it names works.
sim="--machine $TD_SRCDIR/sim/machines/sapphirerapids.machine --fast"
for words in -l3 '-l 3' -jl3; do
    # shellcheck disable=SC2086
    hint 64 'has no option -l: write --level 3;' $words true
    # shellcheck disable=SC2086
    hint 64 'has no option -l: write --level 3;' replay $words rec.csv
done
t replay --uarch spr --level 3 rec.csv; exits 0
hint 64 '--level N says how deep' -l true
hint 64 'leave it out' -S true
hint 64 '--smt off' replay --single-thread rec.csv
t replay --uarch spr --smt off rec.csv; exits 0
hint 64 '--per-core gives each core' --core S0-C0 true
t $sim -a --per-core --timeout 100; exits 0
hint 64 "'tdprobe explain NODE'" --no-desc true
hint 64 "'tdprobe explain NODE'" --long-desc true
hint 64 "'tdprobe record --functions' takes samples" -F 99 true
hint 64 "'tdprobe report FILE'" report -i rec.csv
hint 64 "'tdprobe replay FILE'" replay -i rec.csv
hint 64 'an option of theirs' replay -a rec.csv
hint 64 'bench -e LIST' --power true
hint 64 "'tdprobe -- sh -c" --pre x true
hint 64 '-x, -o FILE' --csv=x true
t replay --uarch spr -x, -o sheet.csv rec.csv; exits 0; [ -s sheet.csv ] || fail "$what: no file"
# Of each, one that stands for its row, and the subcommand: the whole hint, so that none of its neighbours is given
while IFS='|' read -r words text; do
    option=${words#* } command=${words%% *}
    # shellcheck disable=SC2086 # an option and its value
    "$TDPROBE" $command $option < /dev/null > out 2> err
    code=$? what="tdprobe $words"
    exits 64
    [ "$(sed -n "s/^tdprobe: [a-z-]* has no option [^ ]*: \(.*\); see 'tdprobe .*/\1/p" err)" = "$text" ] || fail "$what: not '$text': $(cat err)"
done << 'END'
stat --topdown|top-down is all that tdprobe measures: leave it out; --level 2 goes one level deeper than --level 1
doctor --topdown|top-down is all that tdprobe measures: leave it out
replay --nodes|-M LIST adds metrics by name or group; 'tdprobe list metrics' lists them
bench --nodes|the metrics are those of the top-down tree: leave it out; --level says how deep it goes, 'tdprobe list metrics' lists them
convert -M|'tdprobe replay -M LIST' prints further metrics
bench --events|--event LIST names them
stat -e|tdprobe takes the events that the CPU's formulas need: leave it out; --counts prints them, 'tdprobe bench -e' counts others
report -e|tdprobe takes the events that the CPU's formulas need: leave it out; 'tdprobe bench -e' counts others
stat -d|--level 2 is the detail that top-down has, --counts prints the events too
report -d|--level 2 is the detail that top-down has
stat --metric-only|only metrics are printed: leave it out; --counts adds the events
report --metric-only|only metrics are printed: leave it out
stat -G|--for-each-cgroup LIST measures cgroups
stat --cputype|each kind of core has a result of its own: leave it out; -C LIST measures some CPUs
replay --cputype|each kind of core has a result of its own: leave it out
stat --per-die|use --per-socket, --per-node or --per-core
stat -l 3|write --level 3
stat -l x|--level N says how deep
replay --td-level|--level N says how deep
stat --core|--per-core gives each core its result, and -C LIST measures some CPUs
replay --core|'tdprobe -a --per-core' gives each core its result, and 'tdprobe -a -A' each CPU
replay -S|leave it out: --smt off is for a recording whose cores had one thread each
stat -S|leave it out: a command's threads are counted by themselves, whatever else runs on their cores
stat --no-desc|each node has at most one line, and 'tdprobe explain NODE' the whole text: leave it out
stat --describe|'tdprobe explain NODE' describes a node
stat --run-sample|'tdprobe record --functions' takes samples, and 'tdprobe report' shows the functions; 'tdprobe explain NODE' has the events of one node
report --drilldown|'tdprobe replay --drilldown FILE' goes down the tree of a recording, 'tdprobe --drilldown -- COMMAND' of a command
stat --import|'tdprobe replay FILE' reads recordings
phases -i|name the recording without an option: 'tdprobe phases FILE'
doctor -i|name the recording without an option: 'tdprobe replay FILE'
stat --stdio|it is printed that way in any case: leave it out
stat --csv|-x, -o FILE writes a file that spreadsheets read
stat --plot|-x, -o FILE writes a file that spreadsheets read
stat --global|--summary-only prints the sum of all intervals only
stat --bottlenecks|-M LIST takes their names, such as bottleneck_big_code: 'tdprobe explain --uarch NAME' lists them
replay -v|--all prints nodes below their thresholds too
stat --power|tdprobe measures top-down metrics only: leave it out; 'tdprobe bench -e LIST' counts other events
report -g|--children, --callers NAME and --callees NAME use call chains
stat -g|events are grouped as the formulas need them: leave it out; 'tdprobe --dry-run COMMAND' shows the groups
stat -c|leave it out: tdprobe has nothing like it
stat --pre|write it into the command: 'tdprobe -- sh -c "BEFORE; COMMAND; AFTER"'
stat -F|'tdprobe record --functions' takes samples, and 'tdprobe report' shows the functions: 'tdprobe record --functions --help'
stat -k|--all-kernel counts the kernel only
stat -u|--all-user counts user mode only
replay -A|'tdprobe -a -A' gives each CPU its result
report -s|--by WHAT says what samples are told apart by, --sort WHAT what comes first
replay --sort|--by WHAT says what samples are told apart by: 'tdprobe report --help'
stat --no-children|each function has its own samples only, unless it is asked for otherwise: leave it out
replay -a|'tdprobe stat' and 'tdprobe record' measure: -a is an option of theirs
END
letters='-l -S -d -B -G -g -e -M -F -i -c -n -b -T -u -k -s -v -a -C -p -I -r -t -q'
names='topdown core single-thread no-desc long-desc metric-only nodes per-die per-cache td-level xlsx graph csv perf-summary bottlenecks power no-group import
    run-sample show-sample pre stdio no-children quiet big-num cputype transaction user kernel all metrics event drilldown verbose sort input'
for command in stat replay report bench doctor; do
    "$TDPROBE" __options $command | awk -F ';' '{ print "--" $1; if ($2 != "") print "-" $2 }' > own
    for option in $letters $(for name in $names; do echo "--$name"; done); do
        "$TDPROBE" $command "$option" < /dev/null > out 2> err
        # without quoted commands, and the option itself
        sed -n "s/.* has no option [^ ]*: \(.*\); see 'tdprobe .*/ \1/p" err | sed "s/'tdprobe [^']*'//g" | grep -oE ' --?[a-zA-Z][a-z-]*' | tr -d ' ' | while read -r named; do
            [ "$named" = "$option" ] || grep -qxF -e "$named" own || fail "$command $option: the hint names $named: $(cat err)"
        done
    done
done

# ---- meant without doubt ----
for order in '-j replay' '--json replay' 'replay -j' 'replay --json'; do
    t $order --uarch spr rec.csv; exits 0; same "$order" json out
done
t --uarch spr replay --format csv rec.csv; exits 0; same "an option first" csv out
t --import-format perf-csv replay --uarch spr rec.csv; exits 0; same "another option first" text out
t replay -x, --uarch spr rec.csv; exits 0; same "-x," csv out
t replay '-x;' --uarch spr rec.csv; exits 0; tr ';' , < out > commas; same "-x;" csv commas
t list uarch; exits 0; says '^spr '; mv out uarch
t list uarchs; same "list uarch" uarch out
# after -- it is a program with that name
t --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" -a -- replay; exits 0
"$TDPROBE" replay --uarch spr < rec.csv > out 2> err || fail "a file on stdin: $(cat err)"
same "a file on stdin" text out
cat rec.csv | "$TDPROBE" replay --uarch spr > out 2> err || fail "a pipe: $(cat err)"
same "a pipe" text out
"$TDPROBE" convert --uarch spr < rec.csv > by-stdin || fail "convert of stdin"
"$TDPROBE" convert --uarch spr rec.csv > by-name
same "convert of stdin" by-name by-stdin
hint 64 'no file to replay, and no tdprobe.trace or tdprobe.data in this folder, as .tdprobe record. writes;' replay
# short inputs: as long as what is read to detect compression, shorter, longer
for text in '' x 1234567 12345678 123456789; do
    printf '%s' "$text" > short; t replay short; exits 65; mv err by-name
    t replay - < /dev/null
    "$TDPROBE" replay - < short 2>&1 | sed 's/stdin/short/' > err; same "'$text'" by-name err
done

# ---- compressed ----
hinted() { # COMMAND EXTENSION PATTERN
    hint 65 "rec.csv.$2 is compressed by .*: $1 rec.csv.$2 \| tdprobe replay -" replay --uarch spr "rec.csv.$2"
    $1 "rec.csv.$2" | "$TDPROBE" replay --uarch spr - > out || fail "$1 | replay"
    same "$1 | replay" text out
    "$TDPROBE" replay < "rec.csv.$2" 2> err && fail "$2 on stdin"
    grep -q "stdin is compressed by .*: decompress it first: $1 | tdprobe replay -" err || fail "$2 on stdin: $(cat err)"
}
for program in xz:xz bzip2:bz2; do # gzip and zstd are read: compressed.sh
    command -v ${program%:*} > /dev/null || continue
    ${program%:*} -c rec.csv > rec.csv.${program#*:}
    hinted "${program%:*} -dc" ${program#*:}
done
printf '\3757zXZ\000' > magic.xz; hint 65 'xz -dc magic.xz' replay magic.xz; hint 65 'tdprobe convert -' convert magic.xz

# ---- first contact ----
# A guest on a Zen 3 (family 0x19, model 0x21) without a PMU: that is the obstacle, and another CPU name does not help.
machine=$TD_SRCDIR/sim/machines/guest-without-pmu.machine
sed 's/^cpuid 0x0 = .*/cpuid 0x0 = 0x10 0x68747541 0x444d4163 0x69746e65/; s/^cpuid 0x1 = 0x000806f8/cpuid 0x1 = 0x00a20f12/' "$machine" > zen3-guest
hint 69 'guest .* without a PMU' --machine zen3-guest -- app
grep -qE -- '--uarch|Zen' err && fail "$what: the obstacle is another: $(cat err)"
t doctor --machine zen3-guest; exits 69
[ "$(grep -m 1 '^OBSTACLE' out | awk '{ print $2 }')" = guest ] || fail "$what: the first obstacle is another: $(grep OBSTACLE out)"
grep -q -- '--uarch' out && fail "$what: advises a name: $(cat out)"
# with a PMU it is a CPU of a future family; its events are not those of another CPU
{ sed 's/0x00a20f12/0x00c20f12/' zen3-guest; echo 'pmu cpu type=4 cpus=0-3 general=6'; } | awk '/^workload/ { later = 1 } !/^pmu/ { if (later) tail = tail $0 "\n"; else print } /^pmu/ { print } END { printf "%s", tail }' > zen7
hint 69 'AMD: tdprobe knows Zen 1 to 6' --machine zen7 -- app
grep -q -- '--uarch' err && fail "$what: advises a name: $(cat err)"
t doctor --machine zen7; exits 69
grep -q '^OBSTACLE  cpu ' out || fail "$what: $(cat out)"
# an unknown CPU may be measured by another's name, and that works
sed 's/^cpuid 0x1 = 0x000806f8/cpuid 0x1 = 0x000f06f8/' "$TD_SRCDIR/sim/machines/sapphirerapids.machine" > unknown
hint 69 "--uarch NAME measures it as another; 'tdprobe doctor' explains more$" --machine unknown -- app
t --machine unknown --uarch spr -- app; exits 0
# and the doctor does not report that name as the CPU's own
t doctor --machine unknown --uarch spr; exits 0; says '^note +cpu .* is measured as spr'
t doctor --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --uarch spr; exits 0; says '^ok +cpu '
t doctor --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --uarch emr; exits 0; says '^note +cpu .* is measured as emr'

# ---- a recording without top-down: advice that can be followed ----
# shared/traces/infersuite_spr_cgroup/vuejs_group_fe.txt: perf's cgroups with one event each that a formula has
for event in cycles instructions idq.ms_uops lsd.uops; do echo "1000,,$event,a.slice,9,100.00,,"; done > cgroups.csv
t replay cgroups.csv; exits 69; grep -q -- "'tdprobe perf-command --uarch icl' prints what to record" err || fail "$what: $(cat err)"
t replay --uarch spr cgroups.csv; [ $code -ne 0 ] || fail "$what: answers"
next=$(sed -n "s/.*'\(tdprobe perf-command --uarch [a-z]*\)'.*/\1/p" err)
[ -n "$next" ] || fail "$what: no command in: $(cat err)"
"$TDPROBE" ${next#tdprobe} > out 2> err || fail "$next: $(cat err)"

# ---- names from elsewhere cannot control the terminal ----
# ESC and U+009B in a scope's name, in all formats and in what convert writes
esc=$(printf '\033') csi=$(printf '\302\233')
for row in $rows; do echo "a${esc}[31m${csi}32mx-12,$row"; done > escape.csv
for order in 'replay --format text' 'replay --format csv' 'replay --format json' convert; do
    t $order --uarch spr escape.csv; exits 0; says 'x-12'
    LC_ALL=C grep -q "[$esc]\|$csi" out err && fail "$what: an escape sequence gets through"
done

# ---- explain ----
t explain; exits 0
for node in retiring bad_speculation frontend_bound backend_bound memory_bound core_bound fetch_latency resource_bound; do says "^ *$node "; done
[ "$(awk 'length > 80' out | wc -l)" -eq 0 ] || fail "explain is wider than 80: $(awk 'length > 80' out)"
t explain memory_bound --uarch spr; exits 0; says '^Means '; says '^Causes '; says '^Try '; says 'perf record -e mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp -- COMMAND$'
t explain memory_bound --uarch adl-p; exits 0; says 'cpu_core/mem_load_retired.l1_miss/pp'
t explain core_bound --uarch adl-e; exits 0; says 'On Atoms'
t explain core_bound --uarch skl; exits 0; ! grep -q Atom out || fail "$what: $(cat out)"
t explain core_bound; exits 0; says '^core_bound, intel-atom$'; says 'cycles:pp'
for name in L3_Bound Memory_Bound.L3_Bound Backend_Bound.Memory_Bound.L3_Bound; do t explain $name --uarch spr; exits 0; says '^l3_bound$'; done
t explain Info.Thread.IPC; exits 0; says '^info_thread_ipc$'
t explain l3_bound; exits 0; says '^Means '; says 'level 3, below memory_bound; a share of stalls'; says '^ +ehl snr$'; ! grep -q '^Formula' out || fail "$what: $(cat out)"
t explain tma_L3_Bound --uarch spr; exits 0; says '^l3_bound$'; says '^Formula +\(MEMORY_ACTIVITY.STALLS_L2_MISS - '; says '^Sample +perf record -e mem_load_retired.l3_hit:pp -- COMMAND$'; ! grep -q ehl out || fail "$what: $(cat out)"
t explain code_l2_hit --uarch spr; exits 0; says 'COMMAND$'
t explain sq_full; exits 0; says 'mem_load_retired.l3_hit:pp -- COMMAND \(as for l3_bound\)$'
t explain info_memory_mlp --uarch skl; exits 0; says '^Read '; says 'its unit: ratio$'; says '^Formula +L1D_PEND_MISS.PENDING / L1D_PEND_MISS.PENDING_CYCLES$'
t explain ipc --uarch neoverse-n1; exits 0; says 'INST_RETIRED / CPU_CYCLES'
t explain bottleneck_big_code --uarch skl; exits 0; says 'a bottleneck, in per cent of all slots; worth a look where v > 20$'
hint 64 'the nearest is l3_bound' explain l3_bond
hint 64 'adl-e has no metric l3_bound' explain l3_bound --uarch adl-e
t explain backend_bound_by_memory; exits 0; says '^backend_bound_by_memory \(memory_bound\)$'
t explain --uarch neoverse-v2; exits 0; says '^backend_bound '; ! grep -q memory_bound out || fail "$what: $(cat out)"
hint 64 'neoverse-v2 has no metric memory_bound' explain memory_bound --uarch neoverse-v2
hint 64 'one word' explain memory_bound core_bound
hint 64 'no option' explain --nonesuch
[ ! -e failed ]
