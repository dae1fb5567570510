#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may count what at each kernel.perf_event_paranoid, and what is said of it: on kernels of kernel.org, for which a value above 2 is the
# same as 2, and on those of Debian and Ubuntu, which then refuse CAP_PERFMON too. tests/guest/rights.sh is the same on Debian's own.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
# KERNEL PRIVILEGED LEVEL
of() {
    kernel=$1 rights=$2 level=$3
    { cat "$spr"; printf 'paranoid %s\nprivileged %s\nfile /proc/sys/kernel/perf_event_paranoid = %s\\n\n' "$kernel" "$rights" "$level"; } > rights.machine
    m=--machine=rights.machine
}
# EXIT-CODE WHAT ARGUMENTS...: with 77, the reason is the value
counts() {
    right=$1 whose="$kernel, $rights, $level: $2"
    shift 2
    t "$m" --fast --level 1 "$@"
    [ "$code" = "$right" ] || fail "$whose: exit $code, not $right: $(cat err)"
    [ "$right" != 77 ] || grep -q "kernel.perf_event_paranoid is $level: " err || fail "$whose: the reason is another: $(cat err)"
}

user='own tasks in user mode without CAP_PERFMON'
patched='nothing without CAP_SYS_ADMIN, also with CAP_PERFMON: above 2 this kernel, like Debian.s and Ubuntu.s, refuses it'
mainline="on this kernel the same as 2, $user"
root="without CAP_SYS_ADMIN nothing on kernels of Debian and Ubuntu, also with CAP_PERFMON; on others, as with 2, $user"
one='own tasks without CAP_PERFMON' zero='whole CPUs without CAP_PERFMON'
# the exit codes of own tasks in user mode, the kernel's share (69: it may be counted, and the simulated command has none), whole CPUs;
# the doctor's is the first
while IFS=: read -r kernels privileged levels own share cpus words; do
    for kernel in $kernels; do for rights in $privileged; do for level in $levels; do
        of "$kernel" "$rights" "$level"
        counts "$own" own --all-user -- x
        counts "$share" 'the kernel' --all-kernel -- x
        counts "$cpus" CPUs -a --timeout 50
        t doctor "$m"; [ "$code" = "$own" ] || fail "doctor: $kernel, $rights, $level: exit $code"
        says "^note +paranoid +kernel.perf_event_paranoid is $level: $words\$"
        case $rights in yes) says '^note +capability +CAP_SYS_ADMIN is there$' ;; no) says '^note +capability +no CAP_PERFMON$' ;; *) says '^note +capability +CAP_PERFMON is there$' ;; esac
    done; done; done
done << END
debian:no perfmon:4 3:77:77:77:$patched
mainline:no:4 3:0:77:77:$mainline
mainline:perfmon:4 3:0:69:0:$mainline
debian mainline:yes:4 3:0:69:0:$root
debian mainline:no:2:0:77:77:$user
debian mainline:yes perfmon:2:0:69:0:$user
debian mainline:no:1:0:69:77:$one
debian mainline:perfmon:1:0:69:0:$one
debian mainline:no perfmon:0 -1:0:69:0:$zero
END

# what is advised, and each line of it tried: the value alone, or with the capability
setcap='setcap cap_perfmon\+ep \$\(command -v tdprobe\) \(for one group alone: before it chgrp GROUP and chmod o-x\)'
advises() { says "^ *-> $1\$"; }
of debian perfmon 3; t doctor "$m"; advises 'sysctl kernel.perf_event_paranoid=2, at which CAP_PERFMON is enough'
of debian perfmon 2; counts 0 'what is advised' -a --timeout 50
of debian no 4; t doctor "$m"
advises "sysctl kernel.perf_event_paranoid=2 \(own programs, user mode\), or sysctl kernel.perf_event_paranoid=1 \(the kernel's share too\)"
advises "sysctl kernel.perf_event_paranoid=2, and $setcap; or sysctl kernel.perf_event_paranoid=0"
of debian no 2; counts 0 'what is advised' --all-user -- x
of debian no 1; counts 69 'what is advised' --all-kernel -- x
of debian no 0; counts 0 'what is advised' -a --timeout 50
of mainline no 4; t doctor "$m"
advises "measure a command .*\(-p\), or $setcap, or sysctl kernel.perf_event_paranoid=0"
of mainline no 4; counts 0 'what is advised' -- x; warns 'user mode only: .*\(CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1, allows it\)'
of mainline perfmon 4; counts 0 'what is advised' -a --timeout 50

# the description's own lines
for line in 'privileged maybe:not yes, no or perfmon' 'privileged:not yes, no or perfmon' 'paranoid ubuntu:not mainline or debian'; do
    { cat "$spr"; echo "${line%%:*}"; } > wrong.machine
    t --machine=wrong.machine -- x; exits 65; warns "${line#*:}"
done

[ ! -e failed ]
