#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe merge: parts of a recording are the whole again, recordings of ranks and hosts are added up where they counted
# different things, in whatever order they are named, and what has no sum is refused; and the names of outputs in a job.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
bad=0
fail() { echo "FAIL: $*"; bad=1; }
t() { # ARGS: runs tdprobe, keeps what it printed and its exit code
    what="tdprobe $*"
    "$TDPROBE" "$@" > out 2> err
    code=$?
}
exits() { [ $code -eq "$1" ] || fail "$what: exit $code, not $1: $(cat err)"; }
warns() { grep -qE -- "$1" err || fail "$what: no '$1' on stderr: $(cat err)"; }
quiet() { [ ! -s err ] || fail "$what: stderr has $(cat err)"; }
summary() { "$TDPROBE" replay --summary-only --counts --format json "$1"; }
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE PMIX_RANK SLURM_PROCID SLURM_NTASKS

# ---- parts ----
# Cut at each reading's time but the last: the reading is the end of one part and the beginning of the other. Packed and
# plain counts, many scopes, several kinds of core.
n=0
for file in emr-perf-metrics-intervals icx-perf-metrics-intervals icl-packed-l2-three-readings adl-hybrid-intervals gnr-events-intervals srf-crestmont-intervals ehl-tremont-intervals; do
    file=$TD_SRCDIR/traces/$file.trace
    summary "$file" > want
    for at in $(awk -F, '$7 == "end" && $1 > 0 && !seen[$1]++ { print $1 }' "$file" | sed '$d'); do
        awk -F, -v at="$at" '/^#/ || /^time_ns/ { print > "a.part"; print > "b.part"; next }
            $1 <= at { print > "a.part" } $1 >= at { print > "b.part" }' "$file"
        t merge b.part a.part -o whole.trace; exits 0; quiet
        summary whole.trace | cmp -s - want || fail "$file, cut at $at: another summary: $(summary whole.trace | diff - want | head -n 2)"
        # of one run the counts go on
        sed "2i # x-run: ab12" a.part | sed 's/,end,\([0-9]*\),,$/,end,\1,ab12,/; s/,begin,\([0-9]*\),,$/,begin,\1,ab12,/' > a.run
        sed "2i # x-run: ab12" b.part | sed 's/,end,\([0-9]*\),,$/,end,\1,ab12,/; s/,begin,\([0-9]*\),,$/,begin,\1,ab12,/' > b.run
        t merge a.run b.run -o whole.trace; exits 0; quiet
        summary whole.trace | cmp -s - want || fail "$file, one run, cut at $at: another summary"
        rm -f a.part b.part
        n=$((n + 1))
    done
    t merge "$file" -o one.trace; exits 0; quiet
    summary one.trace | cmp -s - want || fail "$file: merged alone, it has another summary"
done
[ $n -ge 7 ] || fail "only $n cuts"

# ---- ranks ----
# slots, retiring, bad speculation, frontend, backend of one reading of each rank
rank() { # RANK HOST SLOTS R B F BE
    cat << END
# tdprobe-trace: 1
# x-rank: $1 of 5
# cpu: spr
# smt: on
# topology: cpus=$((1 + $1))
# x-host: $2
# x-run: $1${1}a
time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns
0,"a ""b"", c",command,,,0,start,,,
END
    at=1000000000
    set -- "$1" slots "$3" topdown-retiring "$4" topdown-bad-spec "$5" topdown-fe-bound "$6" topdown-be-bound "$7"
    r=$1
    shift
    while [ $# -gt 0 ]; do
        echo "$at,\"a \"\"b\"\", c\",command,,0,0,$1,$2,$at,$at"
        shift 2
    done
    echo "$at,\"a \"\"b\"\", c\",command,,,0,end,5,$r${r}a,"
    echo "$at,CPU3,cpu,,,0,start,,,"
    echo "$at,CPU3,cpu,,0,0,slots,1,$at,$at"
    echo "$at,CPU3,cpu,,,0,end,1,$r${r}a,"
}
rank 0 n1 4000000 1000000 500000 500000 2000000 > r0.trace
rank 1 n1 4000000 1000000 500000 500000 2000000 > r1.trace
rank 2 n2 2000000 500000 250000 250000 1000000 > r2.trace
rank 3 n2 6000000 600000 600000 600000 4200000 > r3.trace
t merge r0.trace r1.trace r2.trace r3.trace -o m.trace; exits 0
warns '^tdprobe: absent of 5 ranks: 4; the sums are those of the others$'
warns '^tdprobe: CPU3 is not added up: each is a thing of its own host'
cp out want.out; cp m.trace want.trace
for order in "3 1 0 2" "2 3 1 0"; do
    # shellcheck disable=SC2046
    t merge $(printf 'r%s.trace ' $order) -o m.trace; exits 0
    cmp -s m.trace want.trace && cmp -s out want.out || fail "$what: another order is another trace"
done
grep -qx '# note: absent ranks: 4' m.trace && grep -qx '# topology: cpus=4' m.trace || fail "header: $(grep '^#' m.trace)"
grep -qE '^# x-(run|rank|host)' m.trace && fail "the header has what is one recorder's: $(grep '^#' m.trace)"

# What the sums are, by other arithmetic: of the rows of the ranks' own traces. json has as many digits as a double.
awk -F, 'FNR == 1 { file++ } $NF ~ /^[0-9]+$/ && /topdown|slots/ && !/CPU3/ { sum[$(NF - 3)] += $(NF - 2) }
    END { for (e in sum) if (e != "slots") printf "%s %.9f\n", e, sum[e] / sum["slots"] }' r?.trace | sort > want
"$TDPROBE" replay --summary-only --format csv m.trace 2> /dev/null | awk -F, '/summary/ && !/rank|node:|CPU3/' > rows
{
    for pair in backend_bound:be-bound bad_speculation:bad-spec frontend_bound:fe-bound retiring:retiring; do
        sed -nE "s/.*,${pair%:*},([0-9.]+),.*/topdown-${pair#*:} \1/p" rows | awk '{ printf "%s %.9f\n", $1, $2 }'
    done
} | sort > got
cmp -s got want || fail "the sum of the ranks: $(cat got), not $(cat want); of $(cat rows)"
[ "$(wc -l < want)" -eq 4 ] || fail "the other arithmetic: $(cat want)"
"$TDPROBE" replay --summary-only --format csv m.trace | grep -q 'node:n2/a' || fail "no sum of the node n2"
# by hand: of n2, 1100000 of 8000000 slots retired
"$TDPROBE" replay --summary-only --format csv m.trace | grep 'node:n2/a' | grep -q ',retiring,0.1375' || fail "node n2 retires $("$TDPROBE" replay --summary-only --format csv m.trace | grep 'node:n2/a' | grep retiring)"
# by hand: 25, 25, 25 and 10 % retire, of all 3100000 / 16000000
grep -qE '^  retiring +19\.4 % +10\.0 % +21\.2 % +25\.0 %  ~ rank3 \(n2\)$' want.out || fail "retiring: $(cat want.out)"
grep -qE '^  backend_bound +57\.5 % +50\.0 % +55\.0 % +70\.0 %  ~ rank3 \(n2\)$' want.out || fail "backend bound: $(cat want.out)"
grep -qE '^  slots +1\.6e\+07 +2e\+06 +4e\+06 +6e\+06  rank3 \(n2\)$' want.out || fail "slots: $(cat want.out)"
grep -qE '^  time +4\.000 s +1\.000 s +1\.000 s +1\.000 s  none$' want.out || fail "time: $(cat want.out)"
grep -qE '^a "b", c \(command\): 2 nodes$' want.out || fail "nodes: $(cat want.out)"
grep -qE '^  retiring +19\.4 % +13\.8 % +19\.4 % +25\.0 %  ~ n2$' want.out || fail "the nodes' retiring: $(cat want.out)"

# A sum of sums is the sum of all.
t merge r0.trace r1.trace -o n1.trace; t merge r2.trace r3.trace -o n2.trace
t merge n1.trace n2.trace -o all.trace; exits 0
"$TDPROBE" replay --summary-only --format csv all.trace | awk -F, '/summary/ && !/n1|n2|CPU3/' | sed -E 's/.*(retiring|_bound|_speculation),([0-9.]+),.*/\1 \2/' > got
sed -E 's/.*(retiring|_bound|_speculation),([0-9.]+),.*/\1 \2/' rows > want
cmp -s got want || fail "a merge of merges: $(diff got want)"

# A part that was counted half of the time has no standing as the others, and nor has the sum.
sed 's/,topdown-retiring,1000000,1000000000,1000000000/,topdown-retiring,500000,1000000000,500000000/' r1.trace > half.trace
t merge r0.trace half.trace -o m.trace; exits 0
"$TDPROBE" replay --summary-only --format csv m.trace | awk -F, '/,command,.*,retiring,0.25/ { n += /rank0/ ? !/multiplexed/ : /multiplexed/ } END { exit n != 3 }' ||
    fail "the part's flag: $("$TDPROBE" replay --summary-only --format csv m.trace | grep ,retiring,)"

# ---- hosts ----
for host in n1 n2; do
    sed "s/^# x-host.*/# x-host: $host/; /^# x-rank/d; /^# x-run/d; s/,00a,\$/,,/; s/\"a \"\"b\"\", c\",command/system,system/" r0.trace > $host.trace
done
sed -i 's/,topdown-retiring,1000000/,topdown-retiring,2000000/; s/,topdown-be-bound,2000000/,topdown-be-bound,1000000/' n2.trace
t merge n2.trace n1.trace -o h.trace; exits 0
grep -qE '^  retiring +37\.5 % +25\.0 % +37\.5 % +50\.0 %  n1$' out || fail "hosts: $(cat out)"
# one scope's reading follows the other's, and what begins comes first
grep -v '^#' h.trace | sed -n '2,9p' | cut -d, -f 1,2,7 > got
{
    printf '0,n1/system,start\n0,system,start\n'
    for event in slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound end; do echo "1000000000,n1/system,$event"; done
} | cmp -s - got || fail "the order of rows: $(cat got)"
# of one host, or of one that is not known, both may have counted the same
sed '/^# x-host/d' n2.trace > n3.trace
t merge n1.trace n3.trace -o h.trace; exits 0; warns '^tdprobe: system and others are not added up: two recordings are of one host'
grep -q '^[0-9]*,system,' h.trace && fail 'hosts that are not known are added up'
grep -q '^[0-9]*,n3/system,' h.trace || fail 'no scope by its file'
grep -qE '^  retiring +- +25\.0 % +37\.5 % +50\.0 %  n1$' out || fail "hosts that are not known: $(cat out)"
t merge --disjoint n1.trace n3.trace -o h.trace; exits 0; grep -qE '^  retiring +37\.5 % ' out || fail "--disjoint: $(cat out)"
grep -q '^CPU3' out && fail "CPUs of two hosts are compared: $(cat out)"

# counts within a hundredth make none the worst
for more in 4040000 4040001; do
    sed "s/,slots,4000000/,slots,$more/" n1.trace > n4.trace; sed -i 's/^# x-host: n1/# x-host: n4/' n4.trace
    t merge n1.trace n4.trace -o h.trace; exits 0; grep '^  slots ' out | sed 's/.* //'
done > got
printf 'none\nn4\n' | cmp -s - got || fail "slots that are a hundredth apart, and a little more: $(cat got)"

# by hand: a byte of the register is 1 / 255, and a difference of two readings is off by up to 1.5 of them, 0.588 points: the bounds of
# two shares meet up to 1.176 points apart
for more in 1040000 1060000; do
    sed "s/,topdown-retiring,1000000/,topdown-retiring,$more/; s/,topdown-be-bound,2000000/,topdown-be-bound,$((3000000 - more))/" n1.trace > n4.trace; sed -i 's/^# x-host: n1/# x-host: n4/' n4.trace
    t merge n1.trace n4.trace -o h.trace; exits 0; grep '^  retiring ' out | sed 's/.* //'
done > got
printf 'none\nn1\n' | cmp -s - got || fail "shares that are 1 point and 1.5 points apart: $(cat got)"
# a tenth of a second of ten is a hundredth, and no difference; what was counted longer than that is the most
for more in 1010000000 1010001000; do
    sed "s/1000000000/$more/g; s/^# x-host: n1/# x-host: n4/" n1.trace > n4.trace
    t merge n1.trace n4.trace -o h.trace; exits 0; grep '^  time ' out | sed 's/.* //'
done > got
printf 'none\nn4\n' | cmp -s - got || fail "times that are a hundredth apart, and a little more: $(cat got)"

# Of one host that is known, too, and cgroups as systems: two recordings may have counted the same. --disjoint adds up these and no others:
# CPU 3 of one recording is no part of anything.
for kind in system cgroup; do
    sed "s/system,system/a,$kind/" n1.trace > d1.trace
    sed "s/system,system/a,$kind/; s/,slots,4000000/,slots,4400000/" n1.trace > d2.trace
    t merge d1.trace d2.trace -o d.trace; exits 0; warns '^tdprobe: a and others are not added up: two recordings are of one host'
    grep -q "^[0-9]*,a,$kind" d.trace && fail "two recordings of a $kind of one host are added up"
    t merge --disjoint d1.trace d2.trace -o d.trace; exits 0; warns '^tdprobe: CPU3 is not added up: each is a thing of its own host'
    grep -qE '^  slots +8\.4e\+06 +4e\+06 +4\.2e\+06 +4\.4e\+06  d2 ' out || fail "--disjoint, a $kind: $(cat out)"
    grep -q '^[0-9]*,CPU3,' d.trace && fail '--disjoint adds CPUs up'
    sed -i 's/^# x-host: n1/# x-host: n2/' d2.trace
    t merge d1.trace d2.trace -o d.trace; exits 0; grep -qE '^  slots +8\.4e\+06 ' out || fail "a $kind on two hosts: $(cat out)"
done

# ---- what is refused ----
refused() { # PATTERN, after t
    exits 65; warns "$1"
    [ ! -e no.trace ] || fail "$what: writes a file"
}
t merge r0.trace r0.trace -o no.trace; refused 'r0.trace and r0.trace are the same recording \(one file\)'
cp r0.trace copy.trace
t merge r0.trace copy.trace -o no.trace; refused 'are the same recording \(x-run and its times\)'
sed '/^# x-r/d; s/,00a,$/,,/' r0.trace > norun.trace; cp norun.trace norun2.trace
t merge norun.trace norun2.trace -o no.trace; refused 'are the same recording \(all counts are equal\)'
sed 's/,00a,$/,0ab,/; s/^# x-run.*/# x-run: 0ab/' r0.trace > again.trace
t merge r0.trace again.trace -o no.trace; refused 'are both of rank 0, and of different runs: merge the ranks of one run'
sed 's/^# cpu: spr/# cpu: icl/' r1.trace > other.trace
t merge r0.trace other.trace -o no.trace; refused "has 'cpu: spr' and other.trace 'cpu: icl'.*'tdprobe compare'"
sed 's/^# smt: on/# smt: off/' r1.trace > other.trace
t merge r0.trace other.trace -o no.trace; refused '--smt on or --smt off'
t merge --smt on r0.trace other.trace -o yes.trace; exits 0
sed 's/^# smt: on/# smt: on\n# scaled: yes/' r1.trace > other.trace
t merge r0.trace other.trace -o no.trace; refused "has 'scaled: no' and other.trace 'scaled: yes'"
sed 's/^# smt: on/# smt: on\n# level: 1/' r1.trace > other.trace
t merge r0.trace other.trace -o no.trace; refused "'level: \(none\)' and other.trace 'level: 1': .*--level"
sed 's/,slots,/,TOPDOWN.SLOTS_P,/; s/,topdown-retiring,/,UOPS_RETIRED.SLOTS,/; s/,topdown-be-bound,/,TOPDOWN.BACKEND_BOUND_SLOTS,/; s/,topdown-fe-bound,/,IDQ_BUBBLES.CORE,/; s/,topdown-bad-spec,/,UOPS_ISSUED.ANY,/' r1.trace > other.trace
t merge r0.trace other.trace -o no.trace; refused 'was counted for spr \[glc-perf-metrics.*\], and that of other.trace for spr \[glc-events'
cat > percent.txt << 'END'

 Performance counter stats for 'system wide':

                                    retiring      bad speculation       frontend bound        backend bound
S0-D0-C0           2                33.6%                11.6%                 4.0%                50.8%

       1.000997213 seconds time elapsed
END
t merge r0.trace percent.txt -o no.trace; refused 'percent.txt: has percentages without counts, which have no sum'
t merge percent.txt r0.trace -o no.trace; refused 'percent.txt: has percentages without counts, which have no sum'
# the same beside counts that fit no CPU
{ echo; echo " Performance counter stats for 'system wide':"; echo; echo '     1,000,000      slots'; sed '1,3d' percent.txt; } > beside.txt
t merge r0.trace beside.txt -o no.trace; refused 'beside.txt: has percentages without counts, which have no sum'
t merge r0.trace r1.trace; exits 64; warns 'name the file with -o'
t merge r0.trace - -o no.trace; exits 64; warns 'stdin can be read only once'
t merge r0.trace nothing.trace -o no.trace; warns 'nothing.trace cannot be opened'
[ ! -e no.trace ] || fail 'a file is left'
mkdir -p d; sed '/^# x-r/d; s/,00a,$/,,/' r0.trace > d/x.trace; sed '/^# x-r/d; s/,11a,$/,,/; s/,slots,4000000/,slots,4000001/' r1.trace > x.trace
t merge x.trace d/x.trace -o no.trace; exits 64; warns 'would both be named x'

# ---- what was killed ----
sed -n '1,/start/p' r2.trace > killed.trace # before its first reading
cp killed.trace killed30.trace
t merge r0.trace killed.trace r3.trace r1.trace -o k.trace; exits 0
warns '^tdprobe: killed.trace is left out: it holds no interval'; warns '^tdprobe: absent of 5 ranks: 2, 4; '
: > killed.trace
t merge r0.trace killed.trace -o k.trace; exits 0; warns '^tdprobe: killed.trace is left out: it is empty'
t merge killed.trace -o no.trace; exits 65; warns 'no recording holds an interval'
sed 's/1000000000/400000000/g' r2.trace > short.trace
t merge r0.trace short.trace -o k.trace; exits 0; warns '^tdprobe: short.trace \(rank2\) ends at 0.400 s, the last at 1.000 s'
# up to nine tenths of the longest
for end in 900000000 900000001; do
    sed "s/1000000000/$end/g" r2.trace > short.trace
    t merge r0.trace short.trace -o k.trace; exits 0; grep -c '^tdprobe: short.trace (rank2) ends at 0.900 s, the last at 1.000 s' err
done > got
printf '1\n0\n' | cmp -s - got || fail "ends at nine tenths, and a little later: $(cat got)"
# a recording without times does not end early
sed -E '/^[0-9]+,CPU3,/d; s/^[0-9]+,/,/; s/^# x-rank: 2/# x-rank: 1/' r2.trace > untimed.trace
t merge r0.trace untimed.trace -o k.trace; exits 0; grep -q '^,"rank1/' k.trace || fail "a recording without times: $(cat err)"; grep -q ' ends at ' err && fail "a recording without times: $(cat err)"
# and what it lacks is not taken for what it has: of 4000000 and 2000000 slots
grep -qE '^  time +- +1\.000 s +1\.000 s +1\.000 s  none$' out && grep -qE '^  slots +6e\+06 +2e\+06 +3e\+06 +4e\+06  rank0 ' out &&
    grep -qE '^  retiring +25\.0 % +25\.0 % +25\.0 % +25\.0 %  none$' out || fail "what a recording without times has: $(cat out)"
# how many there should be is known by one that holds nothing; of many only twenty are named
sed 's/ of 5/ of 30/' killed30.trace > killed.trace
t merge n1.trace killed.trace -o k.trace; exits 0; warns '^tdprobe: absent of 30 ranks: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 10 others; '
{ sed '$d' r2.trace; printf '1000000000,CPU3,cpu,,0,0,sl'; } > torn.trace # in the middle of a row
t merge r0.trace torn.trace -o k.trace; exits 0; warns 'torn.trace:'
{ cat r2.trace; echo 'no row'; } > damaged.trace
t merge r0.trace damaged.trace -o no.trace; refused 'damaged.trace:'

# ---- names of outputs ----
host=$(uname -n)
t record --machine "$TD_SRCDIR/sim/machines/icelake.machine" --fast --timeout 10 -o 'a.%r.trace' -- app; exits 64
warns 'none of OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK and SLURM_PROCID has'
for starter in OMPI_COMM_WORLD_RANK=7:OMPI_COMM_WORLD_SIZE=9 PMI_RANK=7:PMI_SIZE=9 PMIX_RANK=7: SLURM_PROCID=7:SLURM_NTASKS=9; do
    rank=${starter%%:*} size=${starter#*:}
    env "$rank" ${size:+"$size"} "$TDPROBE" record --machine "$TD_SRCDIR/sim/machines/icelake.machine" --fast --timeout 10 -o '%r.%h.50%.%%r.%x' -- app 2> err # 143: the command is ended
    [ -s "7.$host.50%.%r.%x" ] || fail "$starter: no file 7.$host.50%.%r.%x: $(ls)"
    grep -qx "# x-rank: 7${size:+ of 9}" "7.$host.50%.%r.%x" || fail "$starter: $(grep x-rank "7.$host.50%.%r.%x")"
    rm -f "7.$host.50%.%r.%x"
done
PMI_RANK=1x; export PMI_RANK
t record --machine "$TD_SRCDIR/sim/machines/icelake.machine" --fast --timeout 10 -o '%r' -- app; exits 64
unset PMI_RANK
t stat --machine "$TD_SRCDIR/sim/machines/icelake.machine" --fast --timeout 10 -o 'stat.%p.txt' -- app; exits 143
ls | grep -qE '^stat\.[0-9]+\.txt$' || fail "%p: $(ls)"
grep -q x-rank stat.*.txt && fail 'a rank without a job'

# ---- a job of four, without MPI: three ranks of one machine, and one whose memory is slow ----
# By hand: the slow one retires half as much of its slots, which wait for memory instead: 12.5 % and 62.5 %.
fast=$TD_SRCDIR/sim/machines/icelake.machine
sed 's/^phase ms=10 .*/phase ms=10 retiring=0.125 bad=0.125 frontend=0.140625 backend=0.609375/; s/^count 0x2a4 0.484375/count 0x2a4 0.609375/; s/^count 0x2c2 0.25 /count 0x2c2 0.125 /' "$fast" > slow.machine
for r in 0 1 2 3; do
    machine=$fast; [ $r -eq 2 ] && machine=slow.machine
    OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_SIZE=4 "$TDPROBE" record --machine "$machine" --fast -I 50 --timeout 200 -o 'job.%r.trace' -- app 2> "err.$r" &
done
wait
t merge job.*.trace -o job.trace; exits 0; quiet
# three times 25 and 12.5, three times 50 and 62.5, of as many slots each
grep -qE '^  retiring +21\.9 % +12\.5 % +21\.9 % +25\.0 %  rank2 ' out || fail "the job: $(cat out)"
grep -qE '^  backend_bound +53\.1 % +50\.0 % +53\.1 % +62\.5 %  rank2 ' out || fail "the job: $(cat out)"
grep -qE '^  frontend_bound +12\.5 % +12\.5 % +12\.5 % +12\.5 %  none$' out || fail "the job: $(cat out)"

# ---- the counts of one run go on from part to part, though no reading is in both ----
sed '2s/.*/# x-run: ab12/' job.2.trace | sed 's/,\(end\|begin\),\([0-9]*\),,$/,\1,\2,ab12,/' > run.trace
summary run.trace > want
awk -F, '/^#/ || /^time_ns/ { print > "a.part"; print > "b.part"; next } { print > ($1 < 110000000 ? "a.part" : "b.part") }' run.trace
for part in a b; do [ "$(grep -c ,end, $part.part)" -ge 2 ] || fail "part $part has $(grep -c ,end, $part.part) readings"; done
t merge b.part a.part -o whole.trace; exits 0; quiet
summary whole.trace | cmp -s - want || fail "parts without a reading in both: $(summary whole.trace | diff - want | head -n 2)"
exit $bad
