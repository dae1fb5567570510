#!/bin/sh
# SPDX-License-Identifier: MIT
# Percentages without counts are shown as they were printed, with the node that is clearly ahead. The layouts are those of
# Linux tools/perf/util/stat-display.c, of toplev and of PerfSpect.
. "$TD_SRCDIR/tests/scripts/checks.sh"

# shown RETIRING BAD FRONTEND BACKEND: of the first result
shown() {
    t replay --format csv input
    exits 0
    warns 'input:.*percentages as they were printed, without counts: nothing can be checked'
    got=$(awk -F, 'NR > 1 && $18 == 1 && $6 != "verdict" { if ($6 in seen) exit; seen[$6]; printf "%s ", 100 * $7 }' out)
    [ "$got" = "$* " ] || fail "$what: $got, not $*: $(cat out)"
    ! awk -F, 'NR > 1 && $9 $10 != ""' out | grep -q . || fail "$what: bounds: $(cat out)"
}

# ---- perf stat --topdown, by core
cat > input <<'END'

 Performance counter stats for 'system wide':

                                    retiring      bad speculation       frontend bound        backend bound
S0-D0-C0           2                33.6%                11.6%                 4.0%                50.8%
S0-D0-C1           2                13.6%                11.6%                24.0%                50.8%

       1.000997213 seconds time elapsed
END
shown 33.6 11.6 4 50.8
says '^,S0-D0-C1,.*,frontend_bound,0.240000,'
lines out 11 # a header, and four metrics with a verdict of each core
t replay input; exits 0; says 'S0-D0-C0 .* 50\.8\? .* backend_bound~$'; says '^# node~: probably; ahead by 15 points or more$'
# as a pipe, too
"$under_test" replay - < input > out 2> err; code=$? what='a pipe'; exits 0; says 'S0-D0-C1 .*backend_bound~$'
# shellcheck disable=SC2002
cat input | "$under_test" replay - > out 2> err; code=$?; exits 0; says 'S0-D0-C1 .*backend_bound~$'

# ---- --metric-only of newer perfs, with times; a decimal comma
cat > input <<'END'
#           time        %  tma_backend_bound      %  tma_retiring  %  tma_bad_speculation  %  tma_frontend_bound 
     1.001047353                 43.2                 20.4                  7.1                 29.3 
     2.001047353                 53.2                 20.4                  7.1                 19.3 
END
shown 20.4 7.1 29.3 43.2
says '^2\.001047353,system,.*,backend_bound,0.532000,'
sed 's/\([0-9]\)\.\([0-9]\) /\1,\2 /g' input > comma; mv comma input
shown 20.4 7.1 29.3 43.2

# ---- a part of the time, and the mean: of 43,2 and 53,2, 29,3 and 19,3 by hand
t replay --format csv --time 1.5,3 input; exits 0; ! grep -q '^1' out || fail "$what: $(cat out)"; says '^2\.001047353,.*,backend_bound,0.532000,'
t replay --time 5,6 input; exits 65; warns 'no interval ends after 5 s and not after 6 s'
t replay --format csv --summary-only input; exits 0; lines out 6; says ',retiring,0.204000,'; says ',frontend_bound,0.243000,'; says ',backend_bound,0.482000,'
t replay --summary-only input; exits 0; says "^summary  system  unknown  \[mean of 2 intervals' percentages as printed; no counts: nothing can be checked\]\$"
t replay --format csv --summary-only --time 1.5, input; exits 0; says ',backend_bound,0.532000,'
t replay --format csv --summary input; exits 0; lines out 16

# ---- toplev --json: a trace for Chrome, whose times are millionths of seconds; an event for each level
cat > input <<'END'
[
{"name": "Level1", "ph": "C", "pid": "C0", "ts": 1.5e-06, "args": {"Frontend_Bound": 53.9, "Backend_Bound": 23.9, "Bad_Speculation": 8.3, "Retiring": 13.9}},
{"name": "Level2", "ph": "C", "pid": "C0", "ts": 1.5e-06, "args": {"Frontend_Bound.Frontend_Latency": 40.0}},
{"name": "Level1", "ph": "C", "pid": "C0", "ts": 2.5e-06, "args": {"Frontend_Bound": 43.9, "Backend_Bound": 33.9, "Bad_Speculation": 8.3, "Retiring": 13.9}}
]
END
shown 13.9 8.3 53.9 23.9
says '^1\.500000000,C0,.*,frontend_bound,0.539000,'; says '^2\.500000000,C0,.*,frontend_bound,0.439000,'
tr -d '\n' < input > one; mv one input
shown 13.9 8.3 53.9 23.9
says '^2\.500000000,C0,.*,frontend_bound,0.439000,'

# ---- --metric-only as CSV, with any separator
printf 'core,cpus,retiring,bad speculation,frontend bound,backend bound\nS0-C0,1,51.0,3.9,26.0,19.1,\n' > input
shown 51 3.9 26 19.1
t replay input; exits 0; says '^S0-C0 .*\[percentages as printed; no counts: nothing can be checked\]$'
says '=> undecided: there are no bounds; the largest above its threshold is frontend_bound'
printf 'time;retiring;bad speculation;frontend bound;backend bound;\n     1.000000000;51,0;3,9;26,0;19,1;\n' > input
shown 51 3.9 26 19.1

for at in 1.000000000 2.000000000; do
    for pair in 18.0,retiring 16.1,bad\ speculation 40.4,frontend\ bound 25.5,backend\ bound; do echo "     $at,,,,,,$pair,,"; done
done > input
shown 18 16.1 40.4 25.5
lines out 11

# ---- topdown-tool's metrics
{
    echo 'time,group,stage,level,metric,value,units'
    for pair in Retiring,17.0 'Bad Speculation,3.0' 'Frontend Bound,20.0' 'Backend Bound,60.0'; do echo "0.10,Topdown_L1,1,1,$pair,%"; done
} > input
shown 17 3 20 60

# ---- JSON: an object for each metric, and one for all
cat > input <<'END'
{"metric-value" : "43.2", "metric-unit" : "%  tma_backend_bound"}
{"metric-value" : "20.4", "metric-unit" : "%  tma_retiring"}
{"metric-value" : "7.1", "metric-unit" : "%  tma_bad_speculation"}
{"metric-value" : "29.3", "metric-unit" : "%  tma_frontend_bound"}
END
shown 20.4 7.1 29.3 43.2
echo '{"core" : "S0-D0-C0", "aggregate-number" : 2, "%  tma_retiring" : "12.0", "%  tma_bad_speculation" : "8.0", "%  tma_frontend_bound" : "62.0", "%  tma_backend_bound" : "18.0"}' > input
shown 12 8 62 18
says 'probably frontend_bound'

# ---- beside counts of other events
cat > input <<'END'
 Performance counter stats for 'x':

                        TopdownL1                 #     58.4 %  tma_backend_bound      
                                                  #     13.1 %  tma_bad_speculation    
                                                  #     11.4 %  tma_frontend_bound     
                                                  #     17.1 %  tma_retiring           
END
shown 17.1 13.1 11.4 58.4

# ---- toplev, its text and its CSV; nodes of level 2 by their paths
cat > input <<'END'
# 4.11-full-perf on Intel(R) Xeon(R) [skl]
FE             Frontend_Bound                               % Slots                       13.9  
BE             Backend_Bound                                % Slots                       63.0   <==
BE/Mem         Backend_Bound.Memory_Bound                   % Slots                       43.0 
BE/Mem         Backend_Bound.Memory_Bound.L3_Bound          % Stalls                      23.0 
RET            Retiring                                     % Slots                       20.0 <
BAD            Bad_Speculation                              % Slots                       3.1 <
END
shown 20 3.1 13.9 63
says ',probably backend_bound: memory_bound \(likely: ahead by 15 points or more\),'
# toplev leaves out what is below its threshold: one node is an answer where it leads what the others may have together
one() { printf '# 4.7-full on Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz [skl/skylake]\nBE               Backend_Bound                              %% Slots                       %s  <==\nRun toplev --describe Backend_Bound^ to get more information on bottleneck\n' "$1" > input; }
one 60.5; shown 60.5; says ',probably backend_bound \(likely: ahead by 15 points or more\),'
one 57.6; shown 57.6; says ',probably backend_bound'; one 57.4; shown 57.4; says ',undecided: '; one 37.5; shown 37.5; says ',undecided: '
# a node of level 2 alone is shown; without level 1 nothing is said to limit
printf 'C0    BE/Mem           Backend_Bound.Memory_Bound     %% Slots                       41.1   [ 3.0%%]<==\n' > input
t replay input; exits 0; says '^    memory_bound +41\.1 %'; says '^=> no verdict: no node of level 1 was printed$'
# ---- wspy's table: counts of a part of the time, two of its percentages in each row, and names of its own
cat > input <<'END'
elapsed              12.488
on_cpu               0.983          # 15.73 / 16 cores
branch misses        380320972      # 4.98% branch miss
cpu-cycles           46132801373    # 4.06 GHz
slots                92244259994 #
retiring             13836638999 # 15.0% (16.7%) low
-- ucode             3594551        #     0.0%
-- fastpath          13833044448 #    15.0%
frontend             18448851998 # 20.0% (22.2%)
-- latency           12084711819 #    13.1%
backend              46122129997 # 50.0% (55.6%) high
-- memory            29188302449 #    31.6%
speculation          4612212999  #  5.0% ( 5.6%)
smt-contention       9224425999  # 10.0% ( 0.0%)
END
t replay --format csv input; exits 0; warns "wspy's table has names of its own.*percentages as they were printed"
for row in retiring,0.15 bad_speculation,0.05 frontend_bound,0.2 backend_bound,0.5 smt_contention,0.1; do says ",$row"; done
lines out 7; says ',probably backend_bound \(likely: ahead by 15 points or more\),'
cat > input <<'END'
CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle
C0,Frontend_Bound,53.9,% Slots,,frontend_retired.latency_ge_4:pp,0.0,100.0,,Y
C0,Backend_Bound,23.9,% Slots,,,0.0,100.0,,Y
C0,Bad_Speculation,8.3,% Slots <,,,0.0,100.0,,Y
C0,Retiring,13.9,% Slots <,,,0.0,100.0,,Y
END
shown 13.9 8.3 53.9 23.9
says '^,C0,'

# ---- PerfSpect's metrics
cat > input <<'END'
TS,SKT,CPU,CID,CPU operating frequency (in GHz),metric_TMA_Frontend_Bound(%),metric_TMA_..Fetch_Latency(%),metric_TMA_Bad_Speculation(%),metric_TMA_Backend_Bound(%),metric_TMA_..Memory_Bound(%),metric_TMA_....L1_Bound(%),metric_TMA_Retiring(%)
1700000000,,,,2.5,20,10,5,55,40,10,20
END
shown 20 5 20 55
says ',memory_bound,0.400000,'
# a column of times is one, though they are whole seconds; with tabs and decimal commas, too
says '^1700000000\.[0-9]*,system,.*,backend_bound,0.550000,'
printf 'TS\tmetric_TMA_Frontend_Bound(%%)\tmetric_TMA_Bad_Speculation(%%)\tmetric_TMA_Backend_Bound(%%)\tmetric_TMA_Retiring(%%)\n5\t12,5\t1,2\t70,1\t16,2\n10\t14,5\t1,2\t68,1\t16,2\n' > input
shown 16.2 1.2 12.5 70.1; says '^10\.[0-9]*,system,.*,backend_bound,0.681000,'

# ---- toplev -x, without a header
printf '%s\n' 'S0-C0,Frontend_Bound,22.1,% Slots,,,3.00' 'S0-C0,Backend_Bound,52.1,% Slots <==,,,3.00' 'S0-C0,Bad_Speculation,5.2,% Slots,,,3.00' 'S0-C0,Retiring,20.6,% Slots,,,3.00' 'S0-C0,L1_Bound,7.1,% Stalls,,,3.00' > input
shown 20.6 5.2 22.1 52.1; says '^,S0-C0,.*,probably backend_bound '; lines out 6

# ---- fractions of one, as older perfs have them
printf 'retiring,bad speculation,frontend bound,backend bound\n0.21,0.02,0.16,0.61,\n' > input
shown 21 2 16 61

# ---- nothing of level 1 is no percentages: the message is that of counts
printf 'core,cpus,insn per cycle\nS0-C0,1,0.51,\n' > input
t replay --uarch spr input; exits 65; ! grep -q 'as they were printed' err || fail "$what: $(cat err)"
# other commands need counts
printf 'retiring,bad speculation,frontend bound,backend bound\n21,2,16,61,\n' > input
t convert --uarch spr -o trace input; exits 65
[ ! -e failed ]
