# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2046,SC2086,SC2154
# What a switch between tasks costs the kernel while tdprobe collect counts their cgroups. run.sh boots this suite with a
# clock that goes by one nanosecond with each instruction (-icount shift=0), so that the figures are instructions, those of the
# kernel and of the two system calls together, and the host's speed changes nothing.
. /tests/lib.sh
. /tests/td.sh

tasks=50 rounds=40
folder=/sys/fs/cgroup/ring
echo -1 > /proc/sys/kernel/sched_rt_runtime_us
mkdir $folder
n=1
while [ $n -le $tasks ]; do
    mkdir $folder/$n
    n=$((n + 1))
done

# passes CGROUPS: instructions for each switch of 50 tasks in so many cgroups, 0 if there was not one for each pass of the
# byte: those of the beginning and the end are some more
passes() {
    set -- $(seq 1 "$1" | sed "s,^,$folder/,")
    ring $tasks $rounds "$@" | awk '$2 >= 1 && $2 < 1.05 { instructions = $1 } END { print instructions + 0 }'
}

# counting WORDS...: the same of tasks in 1 and in 50 cgroups while tdprobe collect counts
counting() {
    mkdir -p /tmp/text
    tdprobe collect $uarch_option --textfile /tmp/text -I 2000 "$@" 2> /tmp/out &
    pid=$!
    n=0
    until grep -q '^tdprobe_slots_all_total' /tmp/text/tdprobe.prom 2> /dev/null; do
        n=$((n + 1))
        [ $n -lt 300 ] || { not_ok cgroups-collect "it does not count" /tmp/out; break; }
        usleep 100000
    done
    events=$(readlink /proc/$pid/fd/* | grep -c perf_event)
    one=$(passes 1) all=$(passes $tasks)
    kill $pid
    wait $pid 2> /dev/null
    rm -f /tmp/text/*
}

one=$(passes 1) all=$(passes $tasks)
base_one=$one base_all=$all
printf '=\tinstructions for each switch, %s tasks in 1 cgroup and in %s; ratio to those without tdprobe\n' $tasks $tasks
row() {
    case " $one $all " in *" 0 "*) not_ok "cgroups-ring" "$1: the tasks did not switch once each time" ;; esac
    awk -v what="$1" -v events="$2" -v a="$one" -v b="$all" -v c="$base_one" -v d="$base_all" 'BEGIN {
        printf "=\t%-26s %4d events: %6.0f %6.0f, x %.2f x %.2f\n", what, events, a, b, a / (c ? c : 1), b / (d ? d : 1) }'
}
row 'nothing is counted' 0
counting
row 'collect, the whole system' "$events"
counting --for-each-cgroup '/ring/1' --level 1
row 'collect, 1 cgroup, level 1' "$events"
counting --for-each-cgroup '/ring/1'
row 'collect, 1 cgroup' "$events"
counting --for-each-cgroup '/ring/*' --level 1
row "collect, $tasks cgroups, level 1" "$events"
counting --for-each-cgroup '/ring/*'
row "collect, $tasks cgroups" "$events"
ok cgroups
