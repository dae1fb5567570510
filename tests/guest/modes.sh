# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# Ways to measure, the same for perf and tdprobe: the caller defines
# run NAME MIN-SCOPES [options of the reader] -- options of the tool.

modes() {
    run system 1 -- -a -- sleep 0.4
    run cpus 2 -- -a -A -- sleep 0.4
    run one-cpu 1 -- -C 1 -A -- sleep 0.3
    run command 1 -- -- load spin 300
    run threads 1 -- -- load threads 400 4
    run fork 1 -- -- load fork 400 4
    run shell 1 -- -- sh -c 'load spin 100; load spin 100 & wait'
    start_load threads 60000 3
    run pid 1 -- -p "$load_pid" -- sleep 0.4
    run tid 1 -- -t "$load_pid" -- sleep 0.4
    run per-thread 3 -- --per-thread -p "$load_pid" -- sleep 0.4
    stop_load
    run intervals 4 -- -a -I 100 -- sleep 0.6
    run cpu-intervals 8 -- -a -A -I 100 -- sleep 0.6
    run command-intervals 3 -- -I 100 -- load threads 500 2
    cgroups
}

cgroups() {
    mkdir -p /sys/fs/cgroup/one /sys/fs/cgroup/two
    for cgroup in one two; do
        sh -c 'echo $$ > "/sys/fs/cgroup/$0/cgroup.procs" && exec load threads 60000 2' "$cgroup" &
    done
    usleep 100000
    run cgroups 2 cgroups=1 -- -a --for-each-cgroup one,two -- sleep 0.6
    for cgroup in one two; do
        xargs kill < "/sys/fs/cgroup/$cgroup/cgroup.procs"
    done
    wait
    rmdir /sys/fs/cgroup/one /sys/fs/cgroup/two
}
