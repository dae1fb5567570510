# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2015,SC2034,SC2086,SC2154
# The unit of tdprobe collect as it is shipped, started by systemd on a real kernel of Debian with counters: which rights its
# process has, that these suffice for all that it does and that less does not, and what its comments say of kernel.perf_event_paranoid.
. /tests/lib.sh
. /tests/td.sh

unit=tdprobe-collect
port=9123
name=service
url=http://127.0.0.1:$port/metrics
drop_in=/run/systemd/system/$unit.service.d/guest.conf
folder=/srv/metrics file=/run/tdprobe/tdprobe.prom
suite=system.slice/suites.service # this script's cgroup

level() { echo "$1" > /proc/sys/kernel/perf_event_paranoid; }
property() { systemctl show -p "$1" --value $unit; }

# set_up LINE...: these are added to the unit, as 'systemctl edit' does it; what it says goes to /run/said
set_up() {
    systemctl stop $unit
    mkdir -p "${drop_in%/*}"
    printf '%s\n' '[Service]' StandardError=truncate:/run/said "$@" > $drop_in
    systemctl daemon-reload
    systemctl reset-failed $unit 2> /dev/null
}

# await COMMAND...: until it succeeds, for 40 s at most; not when the service is over
await() {
    n=0
    until "$@"; do
        n=$((n + 1))
        [ $n -lt 400 ] && { [ $((n % 20)) != 0 ] || [ "$(property ActiveState)" = active ]; } || return
        usleep 100000
    done
}
answers() { wget -q -O /tmp/text $url 2> /tmp/refused || grep -q ' 503 ' /tmp/refused; }
# scraped PATTERN, written PATTERN: a line of the text has it
scraped() { wget -q -O /tmp/text $url 2> /dev/null && grep -qE "$1" /tmp/text; }
written() { grep -qE "$1" $file 2> /dev/null; }
unlike() { ! "$@"; }
# counted N SCOPE FILE: the scope has so many intervals that are exact
counted() {
    awk -v n="$1" -v scope="{scope=\"$2\"," 'index($0, "tdprobe_intervals_total" scope) && /"exact"/ { got = $NF } END { exit !(got >= n) }' "$3" 2> /dev/null
}
counts() { wget -q -O /tmp/text $url 2> /dev/null && counted "$1" "$2" /tmp/text; }
intervals() { sed -n "s,^tdprobe_intervals_total{scope=\"$1\".*\"exact\"} ,,p" "$2"; }

# judge WORDS: no problem has been found
judge() {
    if [ -z "$problem" ]; then ok "$name-$1"; else not_ok "$name-$1" "$problem; $(property Result), $(property ExecMainStatus)" /run/said; fi
    problem=
}

# begin, end: the service starts and listens; SIGTERM ends it with 0 and no file stays
begin() {
    problem=
    systemctl start $unit && await answers || problem="it does not listen"
}
end() {
    systemctl stop $unit
    result="$(property Result) $(property ExecMainCode) $(property ExecMainStatus) $(property NRestarts)"
    [ "$result" = 'success 1 0 0' ] || problem="$problem; it ended as $result"
    [ ! -e /run/tdprobe ] || problem="$problem; it leaves /run/tdprobe"
    judge "$1"
}

# ends NAME RESULT STATUS PATTERN: it ends by itself, so, and is not started again
ends() {
    problem=
    n=0
    systemctl start $unit
    until [ "$(property ActiveState)" = failed ] || [ $n -ge 100 ]; do
        usleep 100000
        n=$((n + 1))
    done
    result="$(property Result) $(property ExecMainStatus) $(property NRestarts)"
    [ "$result" = "$2 $3 0" ] || problem="it ended as $result"
    [ -z "$4" ] || grep -qE "$4" /run/said || problem="$problem; it does not say '$4'"
    judge "$1"
}

# scope_shares SCOPE: those of level 1, as check() takes them
scope_shares() {
    awk -v scope="$1" '
        index($1 " " $2, "scope=\"" scope "\"") == 0 { next }
        /^tdprobe_slots_all_total/ { all = $NF }
        /^tdprobe_slots_total.*level="1"/ { match($0, /node="[a-z_]*/); slots[substr($0, RSTART + 6, RLENGTH - 6)] = $NF }
        END { if (all > 0) print scope, slots["retiring"] / all, slots["bad_speculation"] / all, slots["frontend_bound"] / all, slots["backend_bound"] / all }' /tmp/text
}

# ---- the unit as it is, with intervals that only SIGHUP ends ----
level 2
set_up "Environment=\"TDPROBE_COLLECT=--listen $port -I 86400000\""
begin
pid=$(property MainPID)
judge listens
perfmon=0000004000000000 # 38 is CAP_PERFMON
awk -v cap=$perfmon '
    /^Uid:|^Gid:/ { if ($2 < 61184 || $2 > 65519 || $3 != $2 || $4 != $2 || $5 != $2) print }
    /^Cap/ { caps++; if ($2 != cap) print }
    /^NoNewPrivs:/ { privs = $2 }
    /^Seccomp:/ { filter = $2 }
    END { if (caps != 5 || privs != 1 || filter != 2) print caps " sets, NoNewPrivs " privs ", Seccomp " filter }' /proc/$pid/status > /tmp/wrong
problem=$(tr '\n' ' ' < /tmp/wrong)
judge rights
# root, who may write everywhere, tries in the place of the service
for place in / /etc /usr /var /sys/fs/cgroup; do
    ! nsenter --mount=/proc/$pid/ns/mnt touch $place/tdprobe 2> /tmp/refused && grep -q 'Read-only' /tmp/refused || problem="$problem; $place: $(cat /tmp/refused)"
done
nsenter --mount=/proc/$pid/ns/mnt touch /run/tdprobe/file || problem="$problem; its own folder is not writable"
rm -f /run/tdprobe/file
judge read-only
systemctl reload $unit
await counts 1 system || problem="no interval after SIGHUP"
[ "$(property MainPID)" = "$pid" ] || problem="$problem; another process"
judge reload
scope_shares system | check $name-shares 1
end stop

# ---- the clock is set, and the machine sleeps: before, all CPUs but one go offline, and after it the counts of these go on ----
rtc=/sys/class/rtc/rtc0/wakealarm
# CLOCK_MONOTONIC; and how long the machine has slept, for which only CLOCK_BOOTTIME goes on
monotonic() { awk '/^now at/ { print $3 / 1e9 }' /proc/timer_list; }
slept() { awk '/^now at/ { split(boot, b); print b[1] - $3 / 1e9 }' boot="$(cat /proc/uptime)" /proc/timer_list; }
# An alarm that rings before all is prepared forbids the sleep, as nothing would end it, or leaves little of it: a later one is tried.
fall_asleep() {
    awake=$(slept) sleeps=0
    for seconds in 5 10 20; do
        echo 0 > $rtc
        count=$(cat /sys/power/wakeup_count)
        echo +$seconds > $rtc
        { echo "$count" > /sys/power/wakeup_count && echo mem > /sys/power/state && sleeps=$((sleeps + 1)); } 2> /tmp/refused
        awk -v before="$awake" -v now="$(slept)" 'BEGIN { exit now - before < 2 }' && return
    done
    problem="$problem; it does not sleep: $(cat /tmp/refused)"
}
# another N WHAT: as many intervals end from now on
another() {
    counts 0 system
    await counts $(($(intervals system /tmp/text) + $1)) system || problem="$problem; no interval after $2"
}
set_up "Environment=\"TDPROBE_COLLECT=--listen $port -I 500\""
begin
await counts 1 system || problem="$problem; it does not count"
began=$(monotonic)
another 1 "the start" # which ends later than the clock was read
cp /tmp/text /tmp/before
date -s '2033-05-18 03:33:20' > /dev/null
another 2 "the clock was set to 2033"
date -s '2001-09-09 01:46:40' > /dev/null
another 2 "the clock was set to 2001"
fall_asleep
another 3 "a sleep"
awk -v began="$began" -v ended="$(monotonic)" '
    $1 !~ /_total/ || /^#/ { next }
    NR == FNR { old[$1] = $2; next }
    $1 in old && $2 + 0 < old[$1] + 0 { print $1 " falls from " old[$1] " to " $2 }
    /^tdprobe_measured_seconds_total/ { measured = $2 - old[$1] }
    /^tdprobe_intervals_total/ { n += $2 - old[$1] }
    /^tdprobe_yields_total/ && $2 + 0 { print "it yields" }
    END {
        passed = ended - began
        if (measured > passed || measured < 2.5) print measured " s were measured of " passed
        if (n > passed / 0.5 + 1 || n < 6) print n " intervals in " passed " s"
    }' /tmp/before /tmp/text > /tmp/wrong
problem=$problem$(tr '\n' ';' < /tmp/wrong)
for change in 'went offline' 'is online again'; do
    n=$(grep -c "CPU 1 $change" /run/said)
    [ "$n" -ge 1 ] && [ "$n" -le $sleeps ] || problem="$problem; CPU 1 $change: $n times in $sleeps sleeps"
done
judge clocks
scope_shares system | check $name-slept 1
end clocks-stop

# ---- any call outside of the filter kills it: of cgroups that come and go, both ways to offer counters, both signals ----
set_up SystemCallErrorNumber=kill \
    "Environment=\"TDPROBE_COLLECT=--listen $port --textfile /run/tdprobe -I 300 --for-each-cgroup /system.slice/*.service\""
begin
await scraped '^tdprobe_cgroups 2$' || problem="not this suite and itself: $(grep '^tdprobe_cgroups' /tmp/text)"
cgroup=/sys/fs/cgroup/system.slice/guest.service
mkdir $cgroup
sh -c "echo 0 > $cgroup/cgroup.procs; exec load spin 60000" &
load_pid=$!
scope=system.slice/guest.service
await counts 3 $scope || problem="$problem; a new cgroup is not counted"
scope_shares $scope | check $name-cgroup 1
await written "\"$scope\"" || problem="$problem; the file lacks it"
load as none grep -q "\"$scope\"" $file || problem="$problem; others cannot read the file: $(ls -ld /run/tdprobe /run/tdprobe/*)"
stop_load
rmdir $cgroup || problem="$problem; the cgroup stays"
await unlike written "\"$scope\"" || problem="$problem; a cgroup that is gone is counted"
systemctl kill --signal=HUP $unit # not by the unit's own kill, which here is busybox's, with calls of its own that are refused
await counted $(($(intervals $suite $file) + 2)) $suite $file || problem="$problem; it does not count after SIGHUP"
judge filter
end filter-stop

# ---- less than that ----
set_up SystemCallErrorNumber=kill SystemCallFilter=~perf_event_open Restart=no
ends killed signal 31 ''
set_up SystemCallFilter=~perf_event_open
ends refused exit-code 77 'a seccomp filter denies perf_event_open'
set_up AmbientCapabilities= CapabilityBoundingSet=
ends no-capability exit-code 77 'kernel.perf_event_paranoid is 2'

# ---- kernel.perf_event_paranoid, as the unit says ----
level 0 # as before Linux 5.8
begin
end paranoid-0
level 3
set_up
ends paranoid-3 exit-code 77 'kernel.perf_event_paranoid is 3'
set_up AmbientCapabilities=CAP_SYS_ADMIN CapabilityBoundingSet=CAP_SYS_ADMIN
begin
end sys-admin
level 2

# ---- a folder elsewhere ----
mkdir -p $folder && chmod 777 $folder
textfile="Environment=\"TDPROBE_COLLECT=--textfile $folder -I 300\""
set_up "$textfile" RestartPreventExitStatus=74
ends folder-refused exit-code 74 "no file can be made in $folder: Read-only file system"
set_up "$textfile" ReadWritePaths=$folder
systemctl start $unit
await grep -q '^tdprobe_slots_total' $folder/tdprobe.prom 2> /dev/null || problem="there is no file"
systemctl stop $unit
[ "$(property Result)" = success ] && [ ! -e $folder/tdprobe.prom ] || problem="$problem; its end: $(ls $folder)"
judge folder
level -1
