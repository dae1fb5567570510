#!/bin/sh
# SPDX-License-Identifier: MIT
# Reasons in messages about files: traces, recordings and descriptions of machines. Each row has a line that is wrong, its neighbour
# that is right, and the reason, as a pattern. The wrong one ends with 65, its line's number and the reason; the right one without it.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

# judge FILE RIGHT-CODES LINE REASON ARGS...: of the file with the line
refused() { [ $code -eq 65 ] && grep -qE "^tdprobe: .*:[0-9]+: .*$1" err || fail "$what: exit $code, '$line': lacks '$1': $(cat err)"; }
accepted() { [ $code -ne 65 ] || fail "$what: exit $code, '$line': $(cat err)"; ! grep -qE "$1" err || fail "$what: '$line': says '$1'"; }

# ---- traces: a line of the header, or a row
trace() { # LINE: the line is put into the header, or as a row after the others
    case $1 in '#'*) header=$1 row= ;; *) header='# x-none: 1' row=$1 ;; esac
    {
        printf '# tdprobe-trace: 1\n# cpu: spr\n%s\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n' "$header"
        for ns in 0 1000000000; do
            for count in 600=slots 250=topdown-retiring 100=topdown-bad-spec 150=topdown-fe-bound 100=topdown-be-bound; do
                echo "$ns,system,system,,0,0,${count#*=},$((${count%=*} * ns / 1000)),$ns,$ns"
            done
            echo "$ns,system,system,,,0,end,5,,"
        done
        [ -z "$row" ] || printf '%b\n' "$row"
    } > a.trace
    line=$1
    t replay a.trace
}
cat > rows << 'END'
# smt: maybe|# smt: unknown|smt is 'maybe', not on, off or unknown
# scaled: perhaps|# scaled: no|scaled is 'perhaps', not yes or no
# coverage: some|# coverage: unknown|coverage is 'some', not recorded or unknown
# counter-bits: 7|# counter-bits: 48|counter-bits is '7', not 8 to 64
# counter-bits: 65|# counter-bits: 64|counter-bits is '65', not 8 to 64
# source: rumour|# source: msr|source is 'rumour', not perf, rdpmc, msr, import or simulated
# topology: cores=four|# topology: cores=4|topology is 'cores=four', not words like cores=4
# topology: cores|# topology: cores=4 cpus=8|topology is 'cores', not words like cores=4
# level: 7|# level: 2|level is '7', not 1 to 6, or such as P=2 E=1
# level: P2|# level: P=2|level is 'P2', not 1 to 6, or such as P=2 E=1
# x-mux-interval-ms: 0|# x-mux-interval-ms: 4|x-mux-interval-ms is '0', not a whole number of ms from 1 on
# run: 1|# x-ran: 1|unknown key 'run'; private keys begin with x-
# x-run: XYZ|# x-ran: 12ab|x-run is 'XYZ', not 1 to [0-9]+ hexadecimal digits in small letters
# cpu: spr|# x-cpu: spr|duplicate key 'cpu'
2000000000,system,system,Q,0,0,slots,1,1,1|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|the core 'Q' is not P, E, LP or empty
2000000000,system,system,,0,0,slots,1200000000,x,2000000000|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|the enabled time 'x' is
2000000000,system,system,,0,0,slots,1200000000,2000000000,x|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|the running time 'x' is
2000000000,system,system,,0,0,slots,1200000000,1,2|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|running for 2 ns, but enabled for 1; 
2000000000,system,planet,,0,0,slots,1,1,1|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|the scope kind 'planet' is none of system cpu core socket node thread command process cgroup region
2000000000,,system,,0,0,slots,1,1,1|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|the scope has no name
2000000000,system,system,,,0,printed:frontend_bound,,,|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000\n2000000000,system,system,,,0,printed:frontend_bound,,,|printed:frontend_bound comes after no count
2000000000,system,system,,0,0,latency_samples,1,,|2000000000,system,system,,0,0,slots,1200000000,2000000000,2000000000|latency_samples comes after no count
2000000000,system,system,,65536,0,slots,1,1,1|2000000000,system,system,,65535,0,slots,1200000000,2000000000,2000000000|the group 65536 is beyond 65535
END
while IFS='|' read -r wrong right reason; do
    trace "$wrong"; refused "$reason"
    trace "$right"; accepted "$reason"
done < rows

# ---- recordings of perf stat: what is wrong or too much, and as much as is taken
level1() { for count in 600=slots 200=topdown-retiring 100=topdown-bad-spec 150=topdown-fe-bound 150=topdown-be-bound; do printf '%s,,%s,1000,100.00,,\n' "${count%=*}" "${count#*=}"; done; }
of_lines() { level1; printf "$1"; } # LINE
of_length() { level1; awk -v n="$1" 'BEGIN { printf "#"; while (--n) printf "x"; print "" }'; } # BYTES
of_events() { awk -v n="$1" -v time="${2-}" 'BEGIN { for (i = 0; i < n; i++) printf "%s5,,slots,1000,100.00,,\n", time }'; } # NUMBER TIME
of_cpus() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "CPU%d,5,,slots,1000,100.00,,\n", i }'; } # NUMBER
of_counts() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "CPU%d,5,,slots,1000,100.00,,\n", i % 1000 }'; } # NUMBER
of_cgroup() { printf "CPU0,5,,slots,%0$1d,1000,100.00,,\n" 1; } # LENGTH
of_run() { echo 'run,time,event,value'; for count in 200=topdown-retiring 100=topdown-bad-spec 150=topdown-fe-bound 150=topdown-be-bound; do echo "1,,${count#*=},${count%=*}"; done; awk -v n="$1" 'BEGIN { while (n--) print "1,,slots,600" }'; } # NUMBER
recorded() { "$@" > a.csv; line=$*; t replay --uarch spr a.csv; }
cat > rows << 'END'
of_lines 5,,x\ry,1,100.00,,\n|of_lines 5,,xy,1,100.00,,\r\n|a carriage return inside the line: lines end with LF or CRLF
of_lines 5,,x\000y,1,100.00,,\n|of_lines 5,,xy,1,100.00,,\n|a NUL byte: this is no text file
of_length 65537|of_length 65536|the line is longer than 64 KiB: this is no recording of counters
of_events 4097|of_events 4096|more than 4096 events at one time \(was -I's time column lost\?\)$
of_events 4097 1.000000000,|of_events 4096 1.000000000,|more than 4096 events at one time$
of_cpus 131073|of_cpus 131071|more than 131072 CPUs, threads or cgroups
of_counts 1048577|of_counts 1048576|more than 1048576 counts at one time
of_run 257|of_run 256|an event occurs more than 256 times in one run
of_cgroup 600|of_cgroup 300|the name of the cgroup '0{40}\.\.\.' is too long beside a CPU's: record without -A
END
while IFS='|' read -r wrong right reason; do
    # shellcheck disable=SC2086 # words
    { recorded $wrong; refused "$reason"; recorded $right; accepted "$reason"; }
done < rows
# as many counts of one reading of a trace
reading() { trace "$(awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "2000000000,system,system,,%d,0,slots,1,1,1\n", i }')"; line="a reading of $1 events"; }
reading 4097; refused 'more than 4096 events in one reading'
reading 4096; ! grep -q 'more than' err || fail "$what: $(cat err)"
# and of the register, whose fields are counts too: 8 of this CPU
register() { # ROWS-BESIDE-THE-TWO
    awk -v n="$1" 'BEGIN {
        print "# tdprobe-trace: 1\n# cpu: spr\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns"
        for (t = 0; t < 2; t++) {
            printf "%d,system,system,,0,0,slots,%d,%d,%d\n%d,system,system,,0,0,PERF_METRICS,0x4040404040404040,%d,%d\n", t, 1000 * t, t, t, t, t, t
            for (i = 1; i <= n; i++) printf "%d,system,system,,%d,0,slots,%d,%d,%d\n", t, i, t, t, t
            printf "%d,system,system,,,0,end,%d,,\n", t, n + 2
        }
    }' > a.trace
    line="the register and $1 events"
    t replay a.trace
}
register 4088; refused 'more than 4096 events in one reading'
register 4087; accepted 'more than'
# another CPU than the trace's, and its own
trace '# x-none: 1'
t replay --uarch icx a.trace; warns 'the trace says cpu spr; read as icx, as asked'
t replay --uarch spr a.trace; exits 0; ! grep -q 'as asked' err || fail "$what: $(cat err)"
# samples are no trace
t convert "$TD_SRCDIR/tests/samples/pairs.data"; exits 69; warns 'samples of perf record cannot be converted, for a trace has no place for their order: keep the file, which replay reads itself'
t replay --uarch spr "$TD_SRCDIR/tests/samples/pairs.data"; exits 0
level1 > a.csv; t convert --uarch spr a.csv; exits 0; empty err; cp out a.trace
# which CPU a converted recording is of, and what formulas it has
t convert a.csv; exits 0; warns 'give one answer: .*; the trace names icl \(--uarch NAME names another\)$'
t replay --backend amd-zen a.trace; exits 69; warns 'a.trace: backend amd-zen has no formulas for spr, which is intel-perf-metrics$'
t replay --backend intel-perf-metrics a.trace; exits 0; empty err

# ---- call paths: too much of them, by their names, is not too many places, and what is advised is taken
if command -v python3 > /dev/null; then
    paths() { # SAMPLES, each with 120 callers in another order, whose names have 200 letters
        awk -v n="$1" 'BEGIN {
            name = sprintf("%200s", ""); gsub(/ /, "x", name)
            for (i = 0; i < 120; i++) printf "map 0x%x 0x1000 0 - /%s%d\n", 1048576 * (i + 1), name, i
            for (s = 0; s < n; s++) {
                printf "at 0x100000 1"
                for (i = 0; i < 120; i++) printf " 0x%x", 1048576 * ((i + s) % 120 + 1) + 16
                print ""
            }
        }' | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" a.data
        line="$1 call paths"
    }
    too_much='the call paths are more than 1048576, or their names take more than 32 MiB: ask for none, as by --format text --by dso$'
    paths 60; t report --uarch spr --format folded a.data; refused "$too_much"
    t report --uarch spr --format html --by dso a.data; refused "$too_much"
    t report --uarch spr --format text --by dso a.data; accepted 'more than'
    paths 10; t report --uarch spr --format folded a.data; accepted 'more than'

    # ten samples are too few for an estimate of their function, and 40 are enough
    sampled() { awk -v n="$1" 'BEGIN { print "map 0x1000 0x1000 0 - /bin/a"; while (n--) print "at 0x1010" }' | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" a.data; }
    short='a.data: holds no interval to compare: record for longer$'
    sampled 10; t compare a.data a.data
    if ! grep -q 'built without GSL' err; then
        exits 65; warns "$short"
        sampled 40; t compare a.data a.data; exits 0; ! grep -qE "$short" err || fail "$what: $(cat err)"
    fi
fi

# ---- an interval that counted nothing is none: the fields of the register do not move
if command -v python3 > /dev/null; then
    counted() { # SHARES: of four samples
        { echo 'map 0x1000 0x1000 0 - /bin/a'; echo "from $1"; for n in 1 2 3 4; do echo 'at 0x1010'; done; } | python3 "$TD_SRCDIR/tests/scripts/sampled_at.py" a.data
        line="samples of $1"
        t replay --uarch spr a.data
    }
    nothing='the file holds no interval in which anything was counted$'
    counted '0 0 0 0'; refused "$nothing"
    counted '1 0 0 0'; accepted "$nothing"
fi

# ---- descriptions of machines
machine() { { sed 's/^cpus 0-7 .*/&\ncpus 8-9 smt=1 sockets=1/' "$TD_SRCDIR/sim/machines/genoa.machine"; printf '%b\n' "$1"; } > a.machine; line=$1; t --machine a.machine --fast -a --timeout 20; }
cat > rows << 'END'
cpuid 0x1f 1 2 3 4|cpuid 0x1f = 1 2 3 4|no ' = ' and four words after it
pmu|pmu second type=9 cpus=8 general=4|a PMU needs a name of up to 31 letters
pmu cpu type=9 cpus=0 general=4|pmu none type=9 cpus=8-9 general=4|a PMU above has the name cpu or the type 9
pmu other type=9 cpus=0 general=4|pmu other type=9 cpus=8 general=4|CPU 0 has a PMU already
pmu other type=9 general=4|pmu other type=9 cpus=8 general=4|cpus is missing
pmu other type=9 cpus=8 general=99|pmu other type=9 cpus=8 general=8|general is 99, not 0 to 31
pmu other type=9 cpus=8 general=4 metrics=2|pmu other type=9 cpus=8 general=4 metrics=4|metrics is 2, not 0, 4 or 8
pmu other type=9 cpus=8 general=4 rounding=up|pmu other type=9 cpus=8 general=4 rounding=scatter|rounding is 'up', not truncate, nearest or scatter
pmu other type=9 cpus=8 general=4 fixed=15|pmu other type=9 cpus=8 general=4 fixed=0-3|fixed '15' is beyond the counters there can be
pmu other type=9 cpus=8 general=4 fixed=4x|pmu other type=9 cpus=8 general=4 fixed=3|fixed '4x' is not a counter: 2, 0-3, fixed1, cycle
pmu other type=9 cpus=8 general=4 fixed=1-x|pmu other type=9 cpus=8 general=4 fixed=1-2|fixed '1-x' is not a range of counters
pmu other type=9 cpus=8 general=4 fixed=3-1|pmu other type=9 cpus=8 general=4 fixed=1-3|fixed '3-1' is beyond the counters there can be
absent sys/class|absent /sys/class|not 'absent /PATH'
caps cpu slots|caps cpu slots = 6|not 'caps PMU NAME = text'
sampling|sampling cost=1000|not 'sampling cost=NS handler=SLOTS inherit=no switches=no'
sampling cost=1 inherit=yes|sampling cost=1 inherit=no|'inherit=yes' is not inherit=no
sampling switches=yes|sampling switches=no|'switches=yes' is not switches=no
refuse ENOENT|refuse EPERM|'ENOENT' is not EPERM, EACCES, ENOSYS, EMFILE, EBUSY or EOPNOTSUPP
command mixed ms=5|command mixed ms=5 name=x|a second command without name=
task 900 short|task 900 short mixed cpus=0|not 'task PID NAME WORKLOAD'
cgroup /a tasks=701|cgroup a tasks=701|a cgroup needs a path without a '/' at its ends
cgroup app tasks=701|cgroup other tasks=701|the cgroup app is described twice
cgroup b tasks=1|cgroup b tasks=701|no task '1' above
workload|workload second rate=1000000\nphase ms=10 retiring=1|a workload needs a name of up to 31 letters
workload mixed rate=1000000|workload third rate=1000000\nphase ms=10 retiring=1|the workload mixed is described twice for this PMU
tsc 10|tsc 3000000000|tsc is 10, not 1000000 to 100000000000
END
while IFS='|' read -r wrong right reason; do
    machine "$wrong"; refused "$reason"
    machine "$right"; accepted "$reason"
done < rows
[ ! -e failed ]
