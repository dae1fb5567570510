# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# tdprobe -- command names what the PMU was set to, with the kernel's NMI watchdog off
# and on; where the PMU cannot be believed or is not there, it ends with 69 and says why.
. /tests/lib.sh
. /tests/td.sh

# What limits is what is largest above its threshold (backend 20 %, frontend 15 %, retiring 70 %;
# memory bound 20 %, fetch latency 10 %), down to the level that is counted for a command.
backend=102,17,51,85,34,11,30,60
frontend=60,17,128,50,20,11,90,20
limits() { # PHASES: the path of the verdict
    case $flavour,$1 in
    spr,"$backend") echo backend_bound memory_bound ;;
    spr,"$frontend") echo frontend_bound fetch_latency ;;
    *,"$backend") echo backend_bound ;;
    *) echo frontend_bound ;;
    esac
}

# The first result of /tmp/td.json, after the tree: its verdict, form and coverage, a line each; then for each share of level 1
# "value low high bounds".
fields() {
    awk -F'"verdict":' '!/"type":/ && !results++ {
        split($0, a, "\"formula\":\""); split(a[2], form, "\"")
        split($0, a, "\"coverage\":"); split(a[2], coverage, ",")
        split($2, a, "\"status\":\""); split(a[2], status, "\"")
        split($2, a, "\"path\":[[]"); split(a[2], path, "]")
        gsub(/"/, "", path[1]); gsub(/,/, " ", path[1])
        print status[1]; print path[1]; print form[1]; print coverage[1]
        n = split("retiring bad_speculation frontend_bound backend_bound", names, " ")
        for (i = 1; i <= n; i++) {
            split($1, a, "\"" names[i] "\":[{]"); sub(/}.*/, "", a[2]); gsub(/"[a-z]*":|"/, "", a[2]); gsub(/,/, " ", a[2])
            print a[2]
        }
    }' /tmp/td.json
}

# The truth is within the bounds, and the value near it (TOLERANCE); on stdin the shares as fields() prints them. An N2
# has six counters beside that of cycles, which the watchdog holds: BR_MIS_PRED is left out, and each share that it
# corrects has the flag.
near() {
    awk -v truth="$truth" -v tolerance="$1" -v uncorrected="$([ "$kind,$switched" = n2,on ] && echo 3)" '
        BEGIN { split(truth, t, " ") }
        {
            n++; d = $1 - t[n]
            if (/correction_missing:BR_MIS_PRED/) missing++
            else if (d > tolerance || d < -tolerance) print "share " n " is " $1 ", set was " t[n]
            if ($2 == "null" || $3 == "null") print "share " n " has no bounds"
            else if (t[n] < $2 - 0.00005 || t[n] > $3 + 0.00005) print "share " n " was set to " t[n] ", bounds are " $2 ".." $3
        }
        END { if (n != 4 || missing + 0 != uncorrected + 0) print n + 0 " shares, " missing + 0 " of them not corrected" }' | head -n 1
}

# judge NAME STATUS TOLERANCE [options] -- command: its verdict has the status and is the truth, and its group always ran, with
# turns=1 in turn with another
turns=0
judge() {
    name=verdict-$1 wanted=$2 tolerance=$3
    shift 3
    # shellcheck disable=SC2086
    if ! tdprobe stat $uarch_option -v --format json -o /tmp/td.json "$@" > /tmp/load 2> /tmp/out; then
        not_ok "$name" "it failed" /tmp/out
        return
    fi
    fields > /tmp/fields
    { read -r status; read -r path; read -r form; read -r part; } < /tmp/fields
    problem=
    # Where the watchdog's counter is needed for a correction, bounds are likely ones, and as wide as the worst program's: then the
    # truth is what is named, or is among what is not decided.
    among=$limits
    if [ "$status" != "$wanted" ] && grep -q correction_missing /tmp/td.json; then
        case $status in
        likely) ;;
        undecided)
            among=
            grep -q "\"among\":[[][^]]*\"${limits%% *}\"" /tmp/td.json || problem="'$limits' is not among what is undecided"
            ;;
        *) problem="the verdict is $status" ;;
        esac
    elif [ "$status" != "$wanted" ]; then
        problem="the verdict is $status, not $wanted"
    fi
    [ "$path" = "$among" ] || problem="limited by '$path', not '$among'"
    if [ $turns = 1 ]; then [ "$part" != 1.0 ] || problem="coverage is $part: nothing took turns"; else [ "$part" = 1.0 ] || problem="coverage is $part"; fi
    [ -n "$problem" ] || problem=$(sed 1,4d /tmp/fields | near "$tolerance")
    if [ -z "$problem" ]; then ok "$name"; else not_ok "$name" "$problem" /tmp/td.json; fi
    echo "| $flavour | $form | $switched | $status: $path | $limits"
}

# The counter of cycles is the watchdog's: a group that takes it and the only other one never runs.
held() {
    case $kind in n2) cycles=armv8_pmuv3_0/cpu_cycles/ other=armv8_pmuv3_0/op_retired/ ;; *) cycles=cycles other=cpu/event=0x9c,umask=1/ ;; esac
    perf stat -x, -o /tmp/csv -a -e "{$cycles,$other}" -- usleep 50000 > /tmp/out 2>&1
    if grep -q '<not counted>' /tmp/csv; then echo on; else echo off; fi
}

# IPC and GHz of a command, or why they are not there: on CPUs with PERF_METRICS nothing else needs the cycles. An
# instruction is a uop, except for the fused eighth and for heavy ones.
speed() {
    name=verdict-speed-watchdog-$switched
    # shellcheck disable=SC2086
    tdprobe stat $uarch_option -v --format tree -o /tmp/tree -- load naps 150 1 0 > /tmp/load 2> /tmp/out
    problem=$(awk -v truth="$truth" -v width="$width" -v absent="$kind,$switched" -v n2="$([ "$kind" = n2 ] && echo 1)" '
        BEGIN { split(truth, t, " "); want = (t[1] * 9 / 8 - t[5]) * width }
        / elapsed/ && !seen++ {
            if (absent == "metrics,on") { if (/IPC|GHz/) print "there are cycles: " $0; next }
            for (i = 2; i <= NF; i++) {
                if ($i == "GHz" && ($(i - 1) > 1.9 && $(i - 1) < 2.1)) ghz = 1
                if ($(i - 1) == "IPC" && ($i + 0 > want - 0.02 && $i + 0 < want + 0.02)) ipc = 1
            }
            if (!ghz || (!ipc && !n2)) print "not 2.00 GHz and IPC " want ": " $0
        }
        END { if (!seen) print "nothing is said of it" }' /tmp/tree | head -n 1)
    if [ "$kind,$switched" = metrics,on ]; then
        grep -q 'cycles, for IPC and GHz, are not counted: the NMI watchdog is on, which holds their counter unless' /tmp/out || problem="-v does not say why there is no IPC"
    fi
    if [ -z "$problem" ]; then ok "$name"; else not_ok "$name" "$problem" /tmp/tree; fi
}

mix() { # PHASES
    reload phases="$1" && watchdog $number || return 1
    limits=$(limits "$1")
    judge "${limits%%_*}-watchdog-$switched" decided 0.002 -- load naps 150 1 0
}

# The same with the watchdog off, and with it on.
watched() {
    switched=$1
    if [ "$switched" = on ]; then number=1; else number=0; fi
    reload counters=1
    if ! watchdog $number && ! grep -q ' nmi_watchdog_available$' /proc/kallsyms; then
        skip "verdict-watchdog-$switched" "this kernel cannot switch its NMI watchdog on"
        return
    fi
    if [ "$(held)" = "$switched" ]; then ok "verdict-watchdog-$switched"; else not_ok "verdict-watchdog-$switched" "the counter of cycles says otherwise" /tmp/csv; fi
    mix "$backend" && speed
    mix "$frontend"
    # likely bounds are the wider, the oftener a busy host takes the CPU away: of this mix they decide it all the same
    if [ "$kind" = metrics ]; then judge "fixed-watchdog-$switched" likely 0.05 --fixed -- load naps 300 1 1; fi
}

# obstacle NAME PATTERN: 69, and the reason
obstacle() {
    # shellcheck disable=SC2086
    tdprobe stat $uarch_option -o /tmp/tree -- load naps 100 1 0 > /tmp/load 2> /tmp/out
    status=$?
    if [ $status != 69 ]; then
        not_ok "verdict-$1" "status $status, not 69" /tmp/tree
    elif ! grep -q "$2" /tmp/out; then
        not_ok "verdict-$1" "not '$2'" /tmp/out
    else
        ok "verdict-$1"
        echo "| $flavour | | $switched | 69: $(sed -n 's/^tdprobe: //p' /tmp/out | tail -n 1 | cut -c 1-160) | $1"
    fi
}

# Level 1 takes the watchdog's counter and all others: the group opens, and never runs, so two groups take turns. The guest's
# CPUID, without which the kernel leaves the PMU to the module, does not say how many counters there are.
starved() {
    case $kind in skl) reload counters=4 ;; atom) reload counters=3 ;; *) return ;; esac
    switched=off limits=$(limits "$backend")
    judge all-counters decided 0.002 -- load naps 150 1 0
    switched=on
    turns=1
    watchdog 1 && judge all-counters-and-watchdog likely 0.05 -- load naps 3000 1 0
    turns=0
}

watched off
watched on
starved
switched=off
# an Atom's shares of equal counts are possible ones: 20, 40, 20 and 20 %
[ "$kind" = atom ] || { reload lie=1 && obstacle equal-counts "the counts contradict each other; 'tdprobe doctor' tests"; }
reload lie=2 && obstacle no-counts "no metric has a value; 'tdprobe doctor' tests"
unload && obstacle no-pmu 'PMU'
reload
