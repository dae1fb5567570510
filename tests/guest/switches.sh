# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# PERF_METRICS of tasks, as --fixed counts them: likely bounds from how often the kernel says that they were
# switched from their CPU, and none where tasks ran whose switches are not known.
. /tests/lib.sh
[ "$kind" = metrics ] || exit 0
. /tests/td.sh

# record NAME [options] -- command: a trace in /tmp/recording, the csv of it in /tmp/td.csv, the command's output in /tmp/load
record() {
    name=switches-$1
    shift
    if tdprobe record --fixed --level 1 -o /tmp/recording "$@" > /tmp/load 2> /tmp/out && tdprobe replay --format csv /tmp/recording > /tmp/td.csv 2> /tmp/out; then
        return 0
    fi
    not_ok "$name" "it failed" /tmp/out
    return 1
}

# those of all scopes of the trace at its end; nothing where they are not known
recorded() { awk -F, '/,switches,/ { last[$2] = $(NF - 2) } END { for (scope in last) sum += last[scope]; print sum }' /tmp/recording; }

# between LEAST MOST: so many, and each scope has likely bounds that contain the truth
between() {
    got=$(recorded)
    td_shares | grep -v ^summary/ > /tmp/check
    if [ -z "$got" ] || [ "$got" -lt "$1" ] || [ "$got" -gt "$2" ]; then
        not_ok "$name" "$got switches, not $1 to $2" /tmp/recording
    elif ! grep -q ',retiring,.*,likely,' /tmp/td.csv || grep ',retiring,' /tmp/td.csv | grep -qv ',likely,'; then
        not_ok "$name" "the bounds are not likely ones" /tmp/td.csv
    else
        ok "$name"
        check_bounds "$name"
    fi
}

# A command: what it says itself at its end, without how often it waited until it was started, with its end.
command() {
    record command -- load naps 300 1 7 || return
    read -r waited preempted < /tmp/load
    [ "$waited" -ge 4 ] || not_ok "$name-naps" "it left its CPU $waited times for 7 naps"
    between $((waited + preempted - 3)) $((waited + preempted + 3))
}

# All that a process and its threads had; those of a thread that has ended do not matter here.
so_far() { cat /proc/"$1"/task/*/status | awk '/_ctxt_switches:/ { sum += $2 } END { print sum }'; }

# A process that was already running: not more than /proc says before and after, nor fewer than its threads must have napped
running() { # NAME NAPS options
    before=$(so_far "$load_pid") least=$2 name=$1
    shift 2
    record "$name" "$@" --timeout 400 || return
    between "$least" $(($(so_far "$load_pid") - before))
}

# unknown NAME [options]: no bounds, and the reason
unknown() {
    record "$@" || return
    if grep -q ',retiring,.*,no_bounds.*switches_unknown,,' /tmp/td.csv; then ok "$name"; else not_ok "$name" "there are bounds, or no reason" /tmp/td.csv; fi
}

# two commands of a command, each of which says how often
waited_for() {
    record waited-for -- sh -c 'load naps 120 1 3; load naps 120 1 3; :' || return
    said=$(awk '{ sum += $1 + $2 } END { print sum }' /tmp/load)
    between $((said - 6)) $((said + 20))
}

command
waited_for
start_load naps 60000 2 1199 # each of two threads every 50 ms: in 400 ms, one alone could 9 times
running process 12 -p "$load_pid"
running per-thread 12 --per-thread -p "$load_pid"
running thread 4 -t "$load_pid"
stop_load
# its child is counted, and nobody waits for it
unknown orphan -- sh -c 'load naps 300 1 1 & usleep 200000'
start_load fork 60000 600 # children that are counted, one after another
unknown children -p "$load_pid" --timeout 400
stop_load || :
