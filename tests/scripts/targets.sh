#!/bin/sh
# SPDX-License-Identifier: MIT
# The scope of a recording is what its header says was counted, and the command that is advised samples that.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; : > "$tmp/failed"; } # also from a pipe

counts() { # with what follows each event
    printf '   1,000,000      slots%s\n     100,000      topdown-retiring%s\n      50,000      topdown-bad-spec%s\n      50,000      topdown-fe-bound%s\n     800,000      topdown-be-bound%s\n' "$1" "$1" "$1" "$1" "$1"
}
# scope WHAT KIND NAME TARGET [EVENT MODIFIER]: of stdin
scope() {
    cat > "$tmp/in"
    "$TDPROBE" replay --uarch spr --level 1 "$tmp/in" > "$tmp/text" 2> "$tmp/err" || fail "$1: $(cat "$tmp/err")"
    grep -qxF "   perf record -e ${5-topdown.backend_bound_slots} $4" "$tmp/text" || fail "$1: the advice is $(grep 'perf record' "$tmp/text")"
    "$TDPROBE" replay --uarch spr --level 1 --format csv "$tmp/in" 2> "$tmp/err" | awk -F, -v kind="$2" -v name="$3" '$6 == "retiring" { found = 1; if ($3 != kind || $2 != name) { print "FAIL: " $2 "," $3; bad = 1 } }
        END { exit bad || !found }' || fail "$1: csv"
    "$TDPROBE" replay --uarch spr --level 1 --format json "$tmp/in" 2> "$tmp/err" | grep -q "\"scope\":\"$3\",\"scope_kind\":\"$2\"" || fail "$1: json"
}
head() { printf " Performance counter stats for %s:\n\n" "$1"; }

{ head "'make -s -j96 bzImage' (5 runs)"; counts ''; } | scope 'a command' command make '-- make -s -j96 bzImage'
# shellcheck disable=SC2016 # as it is
{ head "'./bin/a.out \$HOME *.c'"; counts ''; } | scope 'a command with words for the shell' command a.out "-- ./bin/a.out '\$HOME' '*.c'"
{ head "'CPU(s) 1'"; counts ''; } | scope 'a CPU' cpu CPU1 '-C 1 -- sleep 10'
{ head "'CPU(s) 0-3'"; counts ''; } | scope 'CPUs' system CPU0-3 '-C 0-3 -- sleep 10'
{ head "process id '1234'"; counts ''; } | scope 'a process' process 'process 1234' '-p 1234'
{ head "thread id '77'"; counts ''; } | scope 'a thread' process 'thread 77' '-t 77'
{ head "'system wide'"; counts ''; } | scope 'the system' system system '-a -- sleep 10'
counts '' | scope 'no header' system system '-a -- sleep 10'
{ head "'./x'"; counts ':u'; } | scope 'user mode' command x '-- ./x' topdown.backend_bound_slots:u
csv() { printf '%s1000000,,slots,%s9,100.00,,\n%s100000,,topdown-retiring,%s9,100.00,,\n%s50000,,topdown-bad-spec,%s9,100.00,,\n%s50000,,topdown-fe-bound,%s9,100.00,,\n%s800000,,topdown-be-bound,%s9,100.00,,\n' "$1" "$2" "$1" "$2" "$1" "$2" "$1" "$2" "$1" "$2"; }
csv 'CPU3,' '' | scope 'a CPU of several' cpu CPU3 '-C 3 -- sleep 10'

# traces call a command's scope so; older ones, which called it a thread, are read as such
trace() {
    printf '# tdprobe-trace: 1\n# cpu: skl\n# command: %s\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n' "$3"
    for t in 0 1; do
        for c in cycles,1000 UOPS_ISSUED.ANY,1600 UOPS_RETIRED.RETIRE_SLOTS,1200 INT_MISC.RECOVERY_CYCLES,50 IDQ_UOPS_NOT_DELIVERED.CORE,400; do
            echo "$((t * 1000000000)),$1,$2,,0,0,${c%,*},$((t * ${c#*,})),$((t * 1000000000)),$((t * 1000000000))"
        done
        echo "$((t * 1000000000)),$1,$2,,,0,end,5,,"
    done
}
kind() { # WANTED: of stdin
    got=$("$TDPROBE" replay --level 1 --format csv - 2> "$tmp/err" | awk -F, '$6 == "retiring" { print $3 }')
    [ "$got" = "$1" ] || fail "a trace: $got, not $1: $(cat "$tmp/err")"
}
trace ls command 'ls -l' | kind command
trace ls thread 'ls -l' | kind command
trace ls-12 thread 'ls -l' | kind thread
trace ls thread '' | sed '/^# command/d' | kind thread
[ ! -e "$tmp/failed" ]
