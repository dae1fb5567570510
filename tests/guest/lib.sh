# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# What the guest's tests share. $flavour comes from /init.

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1 - $2"; [ -z "${3:-}" ] || head -n 8 "$3" | sed 's/^/    /'; }
skip() { echo "skip $1 - $2"; }

device=/sys/bus/event_source/devices/cpu
metrics='slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound'
case $flavour in
icl) kind=metrics width=5 group="{$metrics}" ;;
spr) kind=metrics width=6 group="{$metrics}" ;;
skl)
    kind=skl width=4
    group='{topdown-total-slots,topdown-slots-issued,topdown-slots-retired,topdown-fetch-bubbles,topdown-recovery-bubbles}'
    ;;
atom)
    kind=atom width=5
    group='{cpu/cpu-cycles/,cpu/topdown-retiring/,cpu/topdown-bad-spec/,cpu/topdown-fe-bound/,cpu/topdown-be-bound/}'
    ;;
n2)
    kind=n2 width=5 group=
    device=/sys/bus/event_source/devices/armv8_pmuv3_0
    for event in cpu_cycles op_retired op_spec stall_slot stall_slot_frontend stall_slot_backend br_mis_pred; do
        group="$group,armv8_pmuv3_0/$event/"
    done
    group="{${group#,}}"
    ;;
esac

# The kernel's own NMI watchdog, 1 or 0: an event of the kernel, cycles, on each CPU. Fails where this kernel cannot.
watchdog() { echo "$1" 2> /dev/null > /proc/sys/kernel/nmi_watchdog; }

unload() {
    [ "$(cat /proc/sys/kernel/nmi_watchdog)" = 0 ] || watchdog 0
    ! grep -q '^tdguest ' /proc/modules || rmmod tdguest
}

# reload PARAMETER=VALUE...: reloads the PMU, with the default phases unless others are set.
reload() {
    phases=102,17,51,85,34,11,30,60
    for parameter; do
        case $parameter in phases=*) phases=${parameter#*=} ;; esac
    done
    unload || return 1
    insmod /lib/tdguest.ko flavour="$flavour" "$@" || return 1
    set_truth "$phases"
}

# The four shares of level 1 and four of level 2, from the milliseconds of each phase.
set_truth() {
    truth=$(echo "$1" | tr ';' '\n' | awk -F'[,@]' '{
        ms = $0 ~ /@/ ? $NF : 10
        sum = $1 + $2 + $3 + $4
        for (i = 1; i <= 8; i++)
            t[i] += $i / sum * ms
        all += ms
    } END { for (i = 1; i <= 8; i++) printf "%.6f ", t[i] / all }')
}

# check NAME MIN-SCOPES [TOLERANCE]: the lines of shares.awk (or tdprobe_shares.awk)
# on standard input must match the truth, and there must be enough of them. Those of
# shares.awk also show how many slots were counted in what time: width * 2 per nanosecond.
check() {
    cat > /tmp/check
    problem=$(awk -v truth="$truth" -v min="$2" -v tolerance="${3:-0.002}" -v width="$width" '
        BEGIN { split(truth, t, " ") }
        $2 ~ /^bad:/ { print $1 " is " $2; exit }
        {
            n++
            for (i = 1; i <= 4; i++) {
                d = $(i + 1) - t[i]
                if (d > tolerance || d < -tolerance) {
                    print $1 ": share " i " is " $(i + 1) ", set was " t[i]
                    exit
                }
            }
            if (NF == 8) {
                rate = $7 / $8 / width / 2
                d = 0.1 # a busy host stretches time; double counting would give 1
                if (rate < 1 - d || rate > 1 + d) {
                    print $1 ": slots in the time that perf gives are " rate " of what they should be"
                    exit
                }
            }
        }
        END { if (n < min) print (n + 0) " scopes, not " min }' /tmp/check | head -n 1)
    if [ -z "$problem" ]; then ok "$1"; else not_ok "$1" "$problem" /tmp/check; fi
}

shares() { awk -v kind="$kind" -v width="$width" "$@" -f /tests/shares.awk; }

# Is there a tdprobe that can measure? (Not every version could.)
measures() { command -v tdprobe > /dev/null && tdprobe stat --help > /tmp/measures 2>&1; }

# Starts a load in the background; stop_load ends it.
start_load() {
    load "$@" &
    load_pid=$!
    usleep 50000
}
stop_load() {
    kill "$load_pid" 2> /dev/null
    wait "$load_pid" 2> /dev/null
}
