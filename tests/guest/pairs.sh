# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# Samples in pairs and at one distance, of programs whose functions each have their own shares: tdprobe report says what the PMU was set to.
. /tests/lib.sh
. /tests/td.sh
. /tests/judge.sh

[ "$kind" = metrics ] || { skip pairs "this CPU has no PERF_METRICS"; exit 0; }

# The PMU's clock is slow, so that what takes a host microseconds is short beside distances of 5,000 cycles and more.
phases='60,20,100,75;180,10,25,40;20,5,10,220;70,110,60,15;120,30,30,75'
reload sampling=1 cycles_per_us=10 phases="$phases" || { not_ok pairs-module "it does not load"; exit 1; }

# what the functions of turns.c say that they are, by phases=
cat > /tmp/functions << 'END'
scan 180 10 25 40
chase 20 5 10 220
branchy 70 110 60 15
encode 180 10 25 40
index_ 20 5 10 220
parse 70 110 60 15
checksum 120 30 30 75
END

# expect COMMAND...: the CPU time in us that the turns of its functions take, where the host lets the guest run
expect() {
    nominal=0
    while [ $# -gt 0 ] && [ "$1" != turns ]; do shift; done
    [ $# -lt 3 ] || case ${4-} in
        crew) nominal=$(($2 * $3 * 9 / 2)) ;; # three of them, each of a whole turn and a half one
        *) nominal=$(($2 * $3 * 9 / 4)) ;;    # a turn, three quarters of one, and half of one
    esac
}

# sample NAME DISTANCE task|cpus COMMAND...
sample() {
    name=$1 apart=$2
    shift 2
    expect "$@"
    # CPU time of the sampler and the program
    used=$(load cputime pairs "/tmp/$name.data" 200000 "$apart" "$@" 2> /tmp/out) || { not_ok "pairs-$name" "the sampler failed" /tmp/out; return; }
    report
}

report() {
    echo "# $name: $used us of CPU time, $(wc -c < "/tmp/$name.data") bytes"
    tdprobe report --uarch spr --symfs / --level 1 --format csv "/tmp/$name.data" > /tmp/report.csv 2> /tmp/out
}

# two threads and a child on two CPUs; a function of one is in turn with the others', too
echo "# alone: $(load cputime turns 500 4000) us of CPU time"
sample fast-pairs 5500 task turns 500 4000
judge fast ok scan chase
sample fast-leader 0 task turns 500 4000
judge fast-at-one-distance smeared scan chase
sample crew-pairs 5500 cpus turns 250 20000 crew
judge crew ok encode index_ parse

# recorded NAME [options] -- COMMAND...: the same by tdprobe itself, which looks after all threads and children
recorded() {
    name=$1
    shift
    expect "$@"
    used=$(load cputime tdprobe record --functions -c 200000 --overhead 100 --level 1 -o "/tmp/$name.data" "$@" 2> /tmp/out) || { not_ok "pairs-$name" "tdprobe record failed" /tmp/out; return; }
    cp /tmp/out /tmp/said
    report
}
recorded record-fast -- turns 500 4000
judge record-fast ok scan chase
recorded record-fast-leader --leader -- turns 500 4000
judge record-fast-leader smeared scan chase
recorded record-crew -- turns 150 20000 crew
judge record-crew ok encode index_ parse
recorded record-system -a -- turns 150 20000 crew
judge record-system ok encode index_ parse

# What it costs, of one program in one boot: three rounds in turn, medians of the CPU time of all processes. perf samples the same
# events with the same period, of single samples.
for round in 1 2 3; do
    load cputime turns 500 1500 >> /tmp/us.alone
    load cputime tdprobe record --functions -c 200000 --overhead 100 --level 1 -o /tmp/cost.data -- turns 500 1500 >> /tmp/us.pairs 2> /tmp/out
    load cputime tdprobe record --functions --leader -c 200000 --overhead 100 --level 1 -o /tmp/cost.data -- turns 500 1500 >> /tmp/us.leader 2> /tmp/out
    load cputime perf record -q -c 200000 -e '{slots,cpu/event=0x3c/,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}:S' -o /tmp/perf.data -- turns 500 1500 >> /tmp/us.perf 2> /tmp/out.perf
done
for way in alone pairs leader perf; do
    eval "us_$way=$(sort -n /tmp/us.$way | sed -n 2p)"
done
if [ -n "$us_perf" ]; then
    echo "# cost: alone $us_alone us, in pairs $us_pairs, --leader $us_leader, perf record $us_perf"
    ok pairs-record-cost
    tdprobe report --uarch spr --symfs / --level 1 --format csv /tmp/perf.data > /tmp/report.csv 2> /tmp/out
    judge perf-record smeared scan chase
else
    not_ok pairs-record-cost "a sampler failed" /tmp/out.perf
fi

# a shell that waits for its child tells of it, although it has no samples
recorded record-child -- sh -c 'turns 500 4000; true'
expect turns 500 4000
judge record-child ok scan chase

# while nothing runs, nothing is done: 3 s would be 150 times to look each 20 ms
load switches tdprobe record --functions -c 200000 --overhead 100 --level 1 -o /tmp/quiet.data -- sleep 3 > /tmp/switches 2> /tmp/out
echo "# record-quiet: $(cat /tmp/switches) switches in 3 s of sleep"
if [ "$(cat /tmp/switches)" -lt 60 ]; then ok pairs-record-quiet; else not_ok pairs-record-quiet "$(cat /tmp/switches) switches" /tmp/out; fi

# the kernel holds samples back for a while; then the distance of pairs is set again
usual=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
{ sleep 1; echo 250 > /proc/sys/kernel/perf_event_max_sample_rate; sleep 1; echo "$usual" > /proc/sys/kernel/perf_event_max_sample_rate; } &
recorded record-throttled -c 20000 -- turns 500 8000
wait
cp /tmp/said /tmp/throttled
judge record-throttled ok scan chase
echo "# record-throttled: $(grep -o 'held samples back: [0-9]*' /tmp/throttled)"
if grep -q 'held samples back: [1-9]' /tmp/throttled && ! grep -q '^tdprobe: only .* pairs' /tmp/throttled; then ok pairs-record-held-back; else not_ok pairs-record-held-back "no sample was held back, or pairs were not set again" /tmp/throttled; fi
