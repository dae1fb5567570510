#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report: recordings of a kernel whose PMU counted by a known truth (tests/samples/truth.json).
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
spr="report --uarch spr"

# within POINTS of the truth, and the truth within the bounds: of a row of csv, by its place and metric
near() { # PLACE METRIC TRUTH POINTS
    awk -F, -v place="$1" -v metric="$2" -v truth="$3" -v points="$4" -v bounds="$bounds" '
        $1 == place && $10 == metric {
            found = 1
            if ($18 != "ok") { print place ": " $18; exit }
            off = 100 * ($14 - truth)
            if (off > points || off < -points) print place ", " metric ": " $14 ", not " truth
            if (bounds && !($15 <= truth && truth <= $16)) print place ", " metric ": " truth " is not in " $15 " .. " $16
        }
        END { if (!found) print place " has no " metric }' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
}

# chase: one loop, whose instruction that waits is at 0x12c0 in its file
# shellcheck disable=SC2086
{
t $spr --by address --format csv "$samples/long.data"; exits 0
bounds=1; grep -q 'built without GSL' err && bounds=
says '^scope,kind,dso,core,slots_share,lost,intervals,pure,stay,metric,'
near '[kernels+0x12c0]' retiring 0.078431 1.5
near '[kernels+0x12c0]' bad_speculation 0.019608 1.5
near '[kernels+0x12c0]' frontend_bound 0.039216 1.5
near '[kernels+0x12c0]' backend_bound 0.862745 1.5
warns 'left out: 1 interval counted since counting was enabled'
mv out all.csv
t $spr --by address --format csv "$samples/long.data"; cmp -s out all.csv || fail "$what: not the same again"
# all_intervals is of level 1 alone: a function without an estimate has no rows that say nothing, and one row at least
awk -F, 'NR > 1 { f = $1 FS $3; if ($18 == "ok") ok[f] = 1; if ($18 == "few_samples") few[f]++ }
    NR > 1 && $14 == "" && $18 == "few_samples" && ($19 == "") != ($10 == "") { print $1 ", " $10 ": nothing" }
    END { for (f in few) if (!ok[f]) { n[few[f]]++; if (few[f] != 4 && few[f] != 1) print f ": " few[f] " rows" }
        if (!n[1] || !n[4]) print "not both are there" }' all.csv > wrong
[ ! -s wrong ] || fail "$what: $(head -n 3 wrong)"
t $spr --by address -x ';' --limit 1 "$samples/long.data"; says '^scope;kind;'; grep -q '^\[kernels+0x12c0\];address;/usr/bin/kernels;' out || fail "$what: $(tail -n 1 out)"
t $spr --by address --format csv --seed 2 "$samples/long.data"; exits 0
[ -z "$bounds" ] || ! cmp -s out all.csv || fail "$what: the same bounds by other random numbers"
t $spr --by address --limit 1 "$samples/long.data"; exits 0; says '^ .*retiring .*stay  address$'; says '=> .*backend_bound'; says '^# bounds|^# there are no bounds'; says '^[0-9]+ more: --limit 0'
[ -z "$bounds" ] || says "^tdprobe explain backend_bound"
t $spr --by address --limit 0 -v "$samples/long.data"; exits 0; says '=> few_samples: 1 interval, 0 of them'; says "^perf record -F [0-9]+ -e '\{slots,cpu-cycles,.*\}:S' -- command"
# those without a number share a row: as many, and as many slots, as csv has functions with few samples alone
t $spr --by address --limit 0 "$samples/long.data"; exits 0; ! grep -q '=> few_samples' out || fail "$what: rows without a number"
mv out folded
t $spr --by address -j --limit 0 "$samples/long.data"; exits 0
# a pattern of sed: each function is a line of json
few=$(grep -c '"status":"few_samples"' out)
sed -n '/"status":"few_samples"/s/.*"slots_share":\([0-9.e-]*\),.*/\1/p' out | awk -v n="$few" '{ s += $1 } END { printf "%d addresses with too few samples: %.1f %% of the slots; -v shows them\n", n, 100 * s }' > wanted
grep -qxFf wanted folded || fail "not '$(cat wanted)': $(grep 'too few' folded)"
t $spr --by address -j --limit 1 "$samples/long.data"; exits 0; lines out 1
says '"scope":"\[kernels\+0x12c0\]","scope_kind":"address".*"function":\{"dso":"/usr/bin/kernels","symbols":"[a-z_]+","slots_share":0\.18[0-9]*,"lost":0\.15[0-9]*,"intervals":395,"pure":369,"stay":0\.93'
t $spr -j --by dso --sort slots --limit 1 "$samples/long.data"; exits 0; says '"scope":"/usr/bin/kernels","scope_kind":"dso"'
t $spr -j --by thread "$samples/system.data"; exits 0; says '"scope_kind":"thread"'
t $spr --sort name "$samples/long.data"; exits 0; says '^# /usr/bin/perf record -o .* kernels 25 1500000 1000000 700000 on guest$'

# all functions, by their symbols (elfutils): each estimate, and no function with 50 pure intervals is smeared
awk '/"file"/ { gsub(/[",]/, ""); file = $2 } /": \{$/ { gsub(/[":{]/, ""); if ($1 != "fractions" && $1 != "functions") f = $1 }
    /^ *"(retiring|bad_speculation|frontend_bound|backend_bound)"/ { gsub(/[":,]/, ""); print file, f, $1, $2 }' "$samples/truth.json" > truth
lines truth 80
for file in long nest regs; do
    t $spr --symfs "$samples/symfs" --format csv "$samples/$file.data"; exits 0
    grep -q '^branchy,' out || { echo "skipped: no symbols without elfutils"; break; }
    grep "^$file.data " truth | while read -r _ f metric value; do
        awk -F, -v f="$f" '$1 == f && $8 >= 50 { found = 1 } END { exit !found }' out || continue
        near "$f" "$metric" "$value" 1.5
    done
    # $14 value, $15 and $16 its bounds: a share between 0 and 1 has none outside of these
    awk -F, '$13 == "slots" && $14 >= 0 && $14 <= 1 && $15 != "" && ($15 < 0 || $16 > 1) { print $1 ", " $10 ": " $15 " .. " $16 }' out > wrong
    [ ! -s wrong ] || fail "$what: $(cat wrong)"
done

# call chains: lookup and half of update are chase; slots of functions alone by perf (nest.script)
t $spr --symfs "$samples/symfs" --format csv --children "$samples/nest.data"; exits 0
if grep -q '^branchy,' out; then
    for f in lookup chase; do
        near $f backend_bound 0.862745 1.5
        near $f retiring 0.078431 1.5
    done
    awk -F, '$1 == "main" && $7 > 1000 && $8 > $7 - 20 && $9 > 0.98 { found = 1 } END { exit !found }' out || fail "$what: main is not there all the time"
    t $spr --symfs "$samples/symfs" --format csv --callers chase "$samples/nest.data"; exits 0
    near update backend_bound 0.862745 1.5
    says '^\[not in chase\],'
    t $spr --symfs "$samples/symfs" --format csv --callees lookup "$samples/nest.data"; exits 0
    near chase backend_bound 0.862745 1.5
    t $spr --symfs "$samples/symfs" --format folded "$samples/nest.data"; exits 0
    sed -E 's/;\[[a-z_]+(bound|ring|speculation)\] / /' out | awk '{ n = split($1, path, ";"); print path[n], $NF }' > alone
    for f in branchy chase scan update; do
        awk -v f=$f 'NR == FNR { if ($1 == f) mine += $2; next } $5 == f { perf += $7 }
            END { if (!(perf > 1e9) || mine < 0.999 * perf || mine > 1.001 * perf) print f ": " mine " slots, not " perf }' alone "$samples/nest.script" > wrong
        [ ! -s wrong ] || fail "$what: $(cat wrong)"
    done
    ! grep -qF '[kernel];[kernel]' out || fail "$what: the kernel calls itself: $(grep -F -m 1 '[kernel];[kernel]' out)"
    says ';main;branchy;\[bad_speculation\] [0-9]+$'
fi
t $spr --children "$samples/long.data"; exits 0; warns 'no call chains were recorded'
t $spr --format svg --by dso "$samples/nest.data"; exits 64; warns 'leave --by out'
t $spr --callers none --by thread "$samples/system.data"; exits 0

t replay --uarch spr --summary-only "$samples/regs.data"; exits 0; warns 'tdprobe report [^ ]*regs.data$'

# turns of some 10 us in intervals of 1 ms: nothing can be said, and that is said
t $spr --by address "$samples/fast.data"; exits 69; says 'smeared: .* at least .* times as many samples'; warns 'no address has a value'
# pairs of samples, by tdprobe record --functions: the truth is in pairs.machine
t $spr --by address --format csv "$samples/pairs.data"; exits 0; warns 'samples are pairs: 300 of them, 12000 cpu-cycles apart'
bounds=; near '[fast+0x1000]' retiring 0.7 1.5; near '[fast+0x1000]' backend_bound 0.1 1.5; near '[fast+0x1000]' frontend_bound 0.1 1.5
near '[fast+0x2000]' retiring 0.1 1.5; near '[fast+0x2000]' backend_bound 0.8 1.5; near '[fast+0x2000]' frontend_bound 0.05 1.5
near '[fast+0x3000]' retiring 0.25 1.5; near '[fast+0x3000]' backend_bound 0.1 1.5; near '[fast+0x3000]' frontend_bound 0.6 1.5
t replay --uarch spr --by cpu --counts --format csv "$samples/pairs.data"; exits 0 # as many samples and slots as in perf script -F event,period
[ "$(awk -F, '$6 == "slots" { n++; sum += $7 } END { printf "%d %.0f", n, sum }' out)" = '600 19799485776' ] || fail "$what: other slots than perf script"

# what was held back and lost
t $spr "$samples/throttled.data"; exits 0; says 'left out: 2 intervals over lost samples, 3\.3 %'; says 'left out: 27 intervals over a time in which the kernel held samples back'
t $spr "$samples/perthread.data"; exits 0; warns 'no times'
t $spr "$samples/nogroup.data"; [ $code -ne 0 ] || fail "$what: exit 0"; warns ':S'
t $spr "$TD_SRCDIR/traces/spr-lkml-default-events-capitalised.trace"; exits 69; warns 'without samples'; empty out
t $spr --by stak "$samples/long.data"; exits 64; warns 'the nearest is stack'
t $spr --sort lots "$samples/long.data"; exits 64; warns 'the nearest is'
t $spr --format jsn "$samples/long.data"; exits 64; warns 'the nearest is json'
t $spr --limit -1 "$samples/long.data"; exits 64
t $spr; exits 64
t report --uarch spr nonesuch.data; exits 65
}

# each sample once by stack, whatever its callers; two begin at 0
t replay --uarch spr --by stack --format csv "$samples/nest.data"; exits 0
sed 1d out | cut -d, -f1,6 | grep -v '^0[.]0*,' | sort | uniq -d > twice; empty twice

[ ! -e failed ]
