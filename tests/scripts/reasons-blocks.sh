#!/bin/sh
# SPDX-License-Identifier: MIT
# Reasons in messages, by blocks of neighbours: each row makes its reason true, so that it is given, and those of the other rows of its
# block false, so that none of them is. In a row: the machine (- where none is asked), what its description gets besides (where that is
# several lines, \n is between them; if it begins with s/, it is what sed makes of the description), the words, the exit code, and the reason as a pattern (- where there is none). What is measured
# ends by itself.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

count() { for c; do printf '%s,,%s,1000000,100.00,,\n' "${c%%=*}" "${c#*=}"; done; } # VALUE=EVENT...
count 6000000=slots 1400000=topdown-retiring 1000000=topdown-bad-spec 1500000=topdown-fe-bound 2100000=topdown-be-bound > a
count 6600000=slots 2000000=topdown-retiring 1000000=topdown-bad-spec 1500000=topdown-fe-bound 2100000=topdown-be-bound > b
timed() { # FILE ENDS FACTOR: three intervals that end at these times, in 0.01 s
    for end in $2; do
        awk -v end="$end" -v by="$3" -F, '{ printf "%d.%02d0000000,%d,,%s,1000000,100.00,,\n", end / 100, end % 100, $1 * by, $3 }' a
    done > "$1"
}
timed short '100 200 300' 1
timed even '100 200 300' 1
timed long '130 260 390' 1
cp "$TD_SRCDIR/tests/samples/pairs.data" samples
: > plain
mkdir hosts host none
for name in hosts/a hosts/b host/a; do : > "${name}_events.jsonl"; done
echo bogus > bogus; echo ping > ping; awk 'BEGIN { for (i = 0; i < 257; i++) printf "x"; print "" }' > long-line
exec 3< ping 4> /dev/full 6< . 7< bogus 8< long-line 9< ping

cat > rows <<'ROWS'
# CPUs that go offline
sapphirerapids|hotplug 3 off at=50|--timeout 200 -C 3|69|CPU 3 went offline: it is not measured until it is back, and its last counts are missing
sapphirerapids|hotplug 3 off at=20|--timeout 200 -C 3 --source=msr|69|CPU 3 went offline: it is not measured any more, and its last counts are missing
sapphirerapids||--timeout 200 -C 3|0|-
# which formulas need the CPU that went
skylake|hotplug 4 off at=50|-a --timeout 200|69|CPU 4 went offline: it is not measured until it is back, and its last counts are missing; without it the counts of its core's clock mean nothing
skylake||-a --timeout 200|0|-
# who holds counters from the beginning on
sapphirerapids|rival 0 9 at=0\nrival 1 9 at=0\nrival 2 9 at=0\nrival 3 9 at=0\nrival 4 9 at=0\nrival 5 9 at=0\nrival 6 9 at=0\nrival 7 9 at=0\nrival 8 9 at=0\nrival 9 9 at=0\nrival 10 9 at=0\nrival 11 9 at=0\nrival 12 9 at=0\nrival 13 9 at=0\nrival 14 9 at=0\nrival 15 9 at=0|-a --level 2 --timeout 50|69|the level-1 group of cpu never ran: others hold the programmable counter, or one of the fixed ones, that it needs \(perf, another tdprobe, a debugger, a guest\)
sapphirerapids|rival 0 9 at=0\nrival 1 9 at=0\nrival 2 9 at=0\nrival 3 9 at=0\nrival 4 9 at=0\nrival 5 9 at=0\nrival 6 9 at=0\nrival 7 9 at=0\nrival 8 9 at=0\nrival 9 9 at=0\nrival 10 9 at=0\nrival 11 9 at=0\nrival 12 9 at=0\nrival 13 9 at=0\nrival 14 9 at=0\nrival 15 9 at=0|--level 2 --no-fixed -a --timeout 50|69|the level-1 group of cpu never ran: others hold some of the [0-9] programmable counters, or the fixed ones, that it needs
sapphirerapids|rival 0 7 at=0|-a --level 2 --timeout 50|0|-
# which form counts
sapphirerapids|absent /sys/bus/event_source/devices/cpu/events/slots\nabsent /sys/bus/event_source/devices/cpu/events/topdown-retiring|-a --timeout 50|0|cpu is measured by the form glc-events \(PERF_METRICS: the kernel offers no slots and topdown-\* events on it \(Linux 5.10 and later does\)\)
guest-lying-pmu|absent /sys/bus/event_source/devices/cpu/events/slots\nabsent /sys/bus/event_source/devices/cpu/events/topdown-retiring|-a --timeout 50|69|cpu is measured by the form icl-events \(PERF_METRICS: the kernel offers no slots and topdown-\* events on it, as in guests of KVM\)$
sapphirerapids||-a --timeout 50|0|-
# which kinds of core are left out
n2-r0p3|cpus 8-9\nmidr 0x410fd4f1 cpus=8-9\npmu armv8_pmuv3_1 type=9 cpus=8-9 general=6 fixed=cycle|-a --timeout 50|0|CPUs 8-9 \(armv8_pmuv3_1\) are left out: they are of another kind than neoverse-n2-r0p3; -C 8-9 with their CPU's name in --uarch measures them$
n2-r0p3|cpus 8-9\nmidr 0x410fd493 cpus=8-9\npmu armv8_pmuv3_1 type=9 cpus=8-9 general=6 fixed=cycle|-a --timeout 50|0|-
n2-r0p3|cpus 8-9\nmidr 0x410fd4f1 cpus=8-9\npmu armv8_pmuv3_1 type=9 cpus=8-9 general=6 fixed=cycle\nabsent /sys/bus/event_source/devices/armv8_pmuv3_0|-a --timeout 50|69|this machine has no PMU for the cores of neoverse-n2-r0p3; PMU armv8_pmuv3_1 is of CPUs 8-9, which --uarch with their CPU's name measures$
n2-r0p3|cpus 8-9\nmidr 0x410fd4f1 cpus=8-9\npmu armv8_pmuv3_1 type=9 cpus=8-9 general=6 fixed=cycle\nabsent /sys/bus/event_source/devices/armv8_pmuv3_0|--uarch neoverse-v2 -a --timeout 50|69|-
alderlake|absent /sys/bus/event_source/devices/cpu_atom|--uarch adl-e -a --timeout 50|69|PMU cpu_core of this machine is not of a kind of core that adl-e has$
# why no form can be counted
n2-r0p3|s/general=6 fixed=cycle/general=1/|-a --timeout 50|69|cannot count the top-down events of neoverse-n2-r0p3: neoverse: no group of its events fits the counters
n2-r0p3|s/general=6 fixed=cycle/general=2/|-a --timeout 50|0|-
n2-r0p3|watchdog on\nrival 0 6 at=0|-a --timeout 50|69|cannot count the top-down events of neoverse-n2-r0p3: neoverse: others hold counters that its group needs
n2-r0p3|watchdog on\nrival 0 5 at=0|-a --timeout 50|0|-
# how groups share the counters
skylake||-a --level 3 --dry-run|0|group 0: 5 events, 4 of 4 programmable counters, takes every second turn
skylake-nosmt||-a --level 3 --dry-run|0|group 0: 5 events, 4 of 8 programmable counters, pinned: counted all the time, beside each other group
skylake||--level 2 -r 2 --no-multiplex --dry-run -- app|0|level 2, 1 task, each group in a run of its own
skylake||-a --level 1 --dry-run|0|level 1, 8 CPUs, all at the same time
# what a plan says of events
sapphirerapids|absent /sys/bus/event_source/devices/cpu/events/slots\nabsent /sys/bus/event_source/devices/cpu/events/topdown-retiring|-a --dry-run -v|0|TOPDOWN.SLOTS .*\(not offered by this kernel\)
sapphirerapids||-a --dry-run -v|0|TOPDOWN.SLOTS .* leader
# which counts the vendor warns of
skylake||-M all -a --timeout 50|0|^tdprobe: skl: the vendor lists errata of events that are counted, whose counts may be wrong: BR_INST_RETIRED.ALL_BRANCHES \(SKL091\)
skylake||-a --timeout 50|0|-
# where retire latencies come from
graniterapids|absent /sys/bus/event_source/devices/cpu/caps/max_precise|-M all -a --timeout 50|0|retire latencies are published means, not sampled: this PMU has no precise events \(PEBS: caps/max_precise\)\. Measure on the host or with PEBS, or take a recording of perf stat --record-tpebs
graniterapids||-M all -a --timeout 50|0|-
# why counting failed
sapphirerapids|refuse EMFILE|-a --timeout 50|69|the process has too many open files: .*\. What to do: raise the limit \(ulimit -n\), or measure fewer CPUs \(-C\), tasks, or level 1 only
sapphirerapids|refuse ENOSYS|-a --timeout 50|69|this kernel has no perf_event_open, or a seccomp filter hides it\. What to do: allow perf_event_open in the container's seccomp profile; outside of containers boot a kernel
sapphirerapids|refuse EBUSY|-a --timeout 50|69|the counters are in use: Device or resource busy\. What to do: end what else is measuring
sapphirerapids|refuse EBUSY\nwatchdog on|-a --timeout 50|69|the counters are in use: Device or resource busy; the NMI watchdog is on, .*\. What to do: sysctl kernel.nmi_watchdog=0 while measuring, and end what else
sapphirerapids|watchdog on|-a --timeout 50|0|-
sapphirerapids|refuse EOPNOTSUPP|-a --timeout 50|69|TOPDOWN.SLOTS cannot be counted here: Operation not supported\. A newer kernel may know them
sapphirerapids|refuse EPERM|-a --timeout 50|77|the kernel refuses perf_event_open in spite of CAP_PERFMON: a security module forbids it, or a seccomp filter
sapphirerapids|refuse EPERM\nfile /proc/self/status = Name:\\tx\\nCapEff:\\t0000004000000000\\nSeccomp:\\t2\\n\\n|-a --timeout 50|77|a seccomp filter denies perf_event_open\. What to do: let the filter of the container or unit allow perf_event_open
sapphirerapids|refuse EACCES\nprivileged no\nfile /proc/sys/kernel/perf_event_paranoid = 0\\n|-a --timeout 50|77|the kernel refuses perf_event_open although kernel.perf_event_paranoid allows it: a security module \(SELinux\) forbids it, or the sandbox
sapphirerapids|refuse EACCES\nprivileged no|-p 701 --all-user --timeout 50|77|task 701 belongs to another user, or may not be traced\. What to do: measure as its user, or with CAP_PERFMON
sapphirerapids|privileged no|-a --timeout 50|77|kernel.perf_event_paranoid is 2: counting whole CPUs needs CAP_PERFMON or a value below 1\. What to do: measure a command
sapphirerapids|privileged no|--all-kernel -p 701 --timeout 50|77|kernel.perf_event_paranoid is 2: counting kernel mode needs CAP_PERFMON or a value below 2\. What to do: count user mode only \(--all-user\)
sapphirerapids|privileged no|--all-user -p 701 --timeout 50|0|-
# a filter that lets perf_event_open pass is no reason
sapphirerapids|refuse EPERM\nfile /proc/self/status = Name:\\tx\\nCapEff:\\t0000004000000000\\nSeccomp:\\t2\\n\\n|-a --timeout 50|77|a seccomp filter denies
sapphirerapids|privileged no\nfile /proc/self/status = Name:\\tx\\nCapEff:\\t0000004000000000\\nSeccomp:\\t2\\n\\n|-a --timeout 50|77|in spite of CAP_PERFMON: a security module forbids it
# capabilities that do not count
sapphirerapids|privileged no\nfile /proc/self/uid_map = 0 1000 1\\n\nfile /proc/self/status = Name:\\tx\\nCapEff:\\t0000004000000000\\n\n|-a --timeout 50|77|needs CAP_PERFMON outside of this user namespace, whose capabilities do not count, or a value below 1\. What to do: .*measure in a container that root starts \(docker run --cap-add=PERFMON; Podman, and Docker before 23.0: with --security-opt seccomp=unconfined\), or on the host sysctl kernel.perf_event_paranoid=0
sapphirerapids|privileged no\nfile /proc/self/uid_map = 0 0 4294967295\\n\n|-a --timeout 50|77|needs CAP_PERFMON or a value below 1
# tasks that there are not
sapphirerapids||-p 99 --timeout 50|64|there is no process 99 \(see 'ps -e'\)
sapphirerapids||-t 99 --timeout 50|64|there is no thread 99 \(see 'ps -eL'\)
sapphirerapids||-t 701 --timeout 50|0|-
# CPUs that are asked for
alderlake||--uarch adl-e -C 1 --timeout 50|69|none of the CPUs wanted has a PMU that is to be measured
alderlake||-C 70 --timeout 50|69|CPU 70 is not online
alderlake||--uarch adl-e -C 8 --timeout 50|0|-
# what registers can count
sapphirerapids||--source=msr -p 701 --timeout 50|64|--source=msr counts whole CPUs: it needs -C LIST or -a
genoa||--source=msr -a --timeout 50|0|-
yitian710||--source=msr -a --timeout 50|69|which Linux allows on x86 only, not on neoverse-n2
sapphirerapids||--source=msr -C 1 --timeout 50|0|-
sapphirerapids|msr absent|--source=msr -C 1 --timeout 50|69|there is no /dev/cpu/[0-9]+/msr: the kernel module msr is not loaded
sapphirerapids|msr locked|--source=msr -C 1 --timeout 50|77|^tdprobe: CPU 1: IA32_PERF_GLOBAL_CTRL \(0x38f\) cannot be written: the kernel does not permit it
sierraforest||--source=msr -C 1 --level 3 --timeout 50|69|its events need more counters than there are at once, and registers take no turns\. What to do: --level 1, or measure by perf
sierraforest||--source=msr -C 1 --level 1 --timeout 50|0|-
# whether all CPUs have the counters
sierraforest|s/^cpuid 0xa .*//; s/^cpus 0-7.*/&\ncpuid 0xa = 0x08300205 0x0 0x7 0x8603 cpus=5\ncpuid 0xa = 0x08300805 0x0 0x7 0x8603/|--source=msr -a --level 1 --timeout 50|69|a CPU has fewer counters than others of its kind: measure fewer CPUs$
sierraforest|s/^cpuid 0xa .*//; s/^cpus 0-7.*/&\ncpuid 0xa = 0x08300205 0x0 0x7 0x8603 cpus=5\ncpuid 0xa = 0x08300805 0x0 0x7 0x8603/|--source=msr -C 0-4 --level 1 --timeout 50|0|-
# why registers cannot be written
sapphirerapids|msr locked|--source=msr -C 1 --timeout 50|77|the kernel does not permit it \(lockdown, or a security module\)\. What to do: measure by perf \(--source=perf\), or boot without lockdown \(it comes with Secure Boot\)
sapphirerapids|msr locked\nfile /sys/kernel/security/lockdown = none [integrity] confidentiality\\n\n|--source=msr -C 1 --timeout 50|77|the kernel is locked down, which forbids it even to root\. What to do: measure by perf
sapphirerapids|msr locked\nfile /sys/module/msr/parameters/allow_writes = off\\n\n|--source=msr -C 1 --timeout 50|77|the module msr forbids it \(/sys/module/msr/parameters/allow_writes is off\)\. What to do: echo on >
sapphirerapids|file /sys/module/msr/parameters/allow_writes = off\\n\n|--source=msr -C 1 --timeout 50|0|-
# whether a register was changed that cannot be given back
sapphirerapids|msr locked at=20|--source=msr -C 1 --timeout 50|77|registers of CPU 1 could not be given back as they were
sapphirerapids|msr locked|--source=msr -C 1 --timeout 50|77|-
sapphirerapids||--source=msr -C 1 --timeout 50|0|-
# whose events are counted
sapphirerapids||--uarch zen4 -a --timeout 50|69|this CPU is GenuineIntel-6-8F-8; measured as zen4, as asked: events of another vendor may count anything
graviton4||--uarch spr -a --timeout 50|69|this CPU is 0x0*410fd4f1; measured as spr, as asked: events of another vendor may count anything
graviton4||--uarch n2 -a --timeout 50|0|-
sapphirerapids||--uarch icx -a --timeout 50|0|-
sapphirerapids||-a --timeout 50|0|-
guest-without-pmu||-a --timeout 50|69|this is a guest \(KVMKVMKVM\) without a PMU
# when counting begins
sapphirerapids||--delay -1 --control fd:0 -a --timeout 50|0|counting never began
sapphirerapids||--delay 10 -a --timeout 50|0|-
# what was flagged
sapphirerapids||--strict -a --level 3 --timeout 50|3|--strict: 1 of 1 results with a value have a flagged one, the first multiplexed
sapphirerapids||--strict -a --level 1 --timeout 50|0|-
# how results are divided
sapphirerapids||--per-thread -a --timeout 50|64|--per-thread needs -p or -t
sapphirerapids||--for-each-cgroup app --per-core --timeout 50|64|each cgroup has one result: --for-each-cgroup excludes -A and --per-\*
sapphirerapids||--per-thread -p 701 --timeout 50|0|-
sapphirerapids||--for-each-cgroup app --timeout 50|0|-
# where orders come from
sapphirerapids||--control fd:x -a --timeout 50|64|--control: 'x' is not a file descriptor
sapphirerapids||--control fd:77 -a --timeout 50|64|--control: file descriptor 77 is not open
sapphirerapids||--control fifo:plain -a --timeout 50|64|--control: plain is not a fifo \(mkfifo makes one\)
sapphirerapids||--control pipe:3 -a --timeout 50|64|--control is fd:CTL\[,ACK\] or fifo:CTL\[,ACK\], not 'pipe:3'
sapphirerapids||--control fd:0 -a --timeout 50|0|-
# what orders are
sapphirerapids||--control fd:7 -a --timeout 50|0|--control: 'bogus' is not enable, disable, ping, snapshot or stop
sapphirerapids||--control fd:8 -a --timeout 50|0|--control: a line of more than 256 bytes was skipped
sapphirerapids||--control fd:9 -a --timeout 50|0|-
# why orders are not taken, or not answered
sapphirerapids||--control fd:6 -a --timeout 50|0|--control cannot be read: Is a directory
sapphirerapids||--control fd:3,4 -a --timeout 50|0|--control: the acknowledgement cannot be written: No space left on device
sapphirerapids||--control fd:0,4 -a --timeout 50|0|-
# what bench needs
-||bench -- true|64|bench needs -C CPU: the command runs there, and that CPU's registers count
-||bench -C 0|64|^tdprobe: no command to measure; see 'tdprobe bench --help'
sapphirerapids||bench -C 0 -r 2 -- ./app|0|-
# what sampling excludes
-||record --functions -p 1 -a|64|-p excludes -a, -C and a command
-||record --functions -o - true|64|-o -: a perf.data needs a file, as its beginning is written last
-||record --functions --level 3 true|64|--level: functions are sampled for level 1 or 2, not '3'
sapphirerapids||record --functions --level 1 -o x.data -p 701 --timeout 50|0|-
# which subcommand keeps a history
-||stat --baseline x true|64|--baseline belongs to record, which adds to a history, and to compare, which compares with one
sapphirerapids||record --baseline kept -- ./app|0|-
# which word is a CPU
-||list events --uarch adl|64|'adl' is not one of 'tdprobe list uarchs' \(of a hybrid, name one kind of core: adl-p\); the nearest is adl-p
-||list events --uarch adl-p|0|-
# which CPU an identity is
-||perf-command --uarch GenuineIntel-6-55|64|CPU 'GenuineIntel-6-55': it is skx or clx, depending on the stepping: add it, or use one of these names$
-||perf-command --uarch GenuineIntel-6-1|64|CPU 'GenuineIntel-6-1': no such CPU; 'tdprobe list uarchs' names them$
-||perf-command --uarch GenuineIntel-6-55-7|0|-
# in how much of the time results were counted
sapphirerapids||--min-coverage 0.99 -a --level 3 --timeout 50|3|or others held counters; fewer events at once, such as those of --level 1, are counted for longer
knightslanding||--min-coverage 0.99 -a --level 1 --timeout 50|3|or others held counters; fewer events at once are counted for longer
sapphirerapids||--min-coverage 0.99 -a --level 1 --timeout 50|0|-
# why a level is measured again
sapphirerapids||--drilldown --fixed --timeout 2000 -p 701|0|PERF_METRICS was switched too often to give bounds; this is measured again by ordinary events \(--no-fixed\)
sapphirerapids||--drilldown --no-fixed --timeout 2000 -p 701|0|-
# what else metrics need of perf
-||perf-command --uarch gnr -M all true|0|# mean retire latencies, which metrics need: a perf that has it takes --record-tpebs -e 'frontend_retired.* too; else replay takes published means$
-||perf-command --uarch skl -M all true|0|-
# what a recording of samples is for
-||replay --uarch spr samples|0|samples: samples; which functions lost the slots, with bounds: tdprobe report samples$
-||replay --uarch spr short|0|-
# what goes with --annotate
-||report --uarch spr --dso x samples|64|--dso needs --annotate: it says in which program or library that function is
-||report --uarch spr --annotate main --sort lost samples|64|--annotate has lines in their order in the source: leave --sort out
-||report --uarch spr --annotate main --children samples|64|--annotate is of a function's own samples: leave --children out
-||report --uarch spr --annotate main samples|69|no interval ended in a function 'main'
-||report --uarch spr short|69|short: a recording without samples of groups; for others use 'tdprobe replay'; samples are recorded by perf record -e
-||report --uarch spr samples|0|-
# what tells samples apart
-||report --uarch spr --by cgroup samples|65|perf.data whose samples do not say their cgroup: record with perf record --all-cgroups
-||report --uarch spr --by cpu samples|0|-
# why there is no verdict
guest-lying-pmu||-a --timeout 50|69|no verdict on any interval: the counts contradict each other; 'tdprobe doctor' tests the counters of this machine$
sapphirerapids|refuse EPERM|-a --timeout 50|77|in spite of CAP_PERFMON
sapphirerapids||-a --timeout 50|0|-
# where the watchdog may be on
-||perf-command --functions --uarch zen4|0|# if perf records no sample, and the NMI watchdog is on: tdprobe perf-command --watchdog, or sysctl kernel.nmi_watchdog=0
-||perf-command --uarch zen4|0|# if perf prints <not counted>, and the NMI watchdog is on: tdprobe perf-command --watchdog, or sysctl kernel.nmi_watchdog=0
-||perf-command --watchdog --uarch zen4|0|-
# which latencies can be sampled
graniterapids||doctor|0|retire latencies: can be sampled \(Linux 6.3 and later have them in samples\)
sapphirerapids||doctor|0|-
# what measures itself
sapphirerapids||doctor|0|rdpmc: usable by programs that measure themselves \(td_regions\(3\)\)
knightslanding||doctor|0|-
# what a folder has of PerfSpect
-||replay hosts|65|hosts: holds the recordings of several hosts, ._events.jsonl and ._events.jsonl: name one of these files
-||replay none|65|none: a directory without recordings, in it or below: no \*_events.jsonl as 'perfspect metrics --raw' writes, and none of \*.trace and \*.data, as they are or compressed
-||replay host|65|the file is empty
# what drills down, and what excludes runs
-||stat --no-multiplex -a --timeout 50|64|--no-multiplex runs a command again for each group of events: name one, or leave the option out
-||stat --no-multiplex -p 1 true|64|--no-multiplex runs the command again for each group of events, but -p measures tasks that run once: without it the kernel multiplexes the groups
-||stat --no-multiplex -I 100 true|64|--no-multiplex and -I exclude each other: its runs are one result
sapphirerapids||--no-multiplex -- ./app|0|-
# which words are names
-||replya|127|there is no program 'replya' to measure; 'tdprobe replay' is the nearest of tdprobe's own commands
-||explain --uarch n2 microcode_sequencer|64|neoverse-n2 has no metric microcode_sequencer: 'tdprobe explain --uarch neoverse-n2' lists its nodes, 'tdprobe list metrics --uarch neoverse-n2' all
-||explain --uarch spr microcode_sequencer|0|-
# where names of the kernel come from
-||report --uarch spr --kallsyms nowhere samples|65|--kallsyms: 'nowhere' cannot be read: No such file or directory; on the recorded machine 'sudo cat /proc/kallsyms > FILE' makes a copy
-||report --uarch spr --kallsyms plain samples|0|-
# what doctor says of rights
sapphirerapids|absent /proc/sys/kernel/perf_event_paranoid|doctor|0|kernel.perf_event_paranoid cannot be read$
sapphirerapids|file /sys/kernel/security/lockdown = none integrity [confidentiality]\\n\\n|doctor|0|the kernel is locked down \(confidentiality\): that forbids writing MSRs, not counting by perf
sapphirerapids||doctor|0|-
# what doctor says of registers
sapphirerapids|file /sys/kernel/security/lockdown = none [integrity] confidentiality\\n\\n|doctor|0|msr: the kernel is locked down, and lets nobody write registers
sapphirerapids||doctor|0|msr: usable for whole CPUs
# whether there is a CPU whose registers would count
sapphirerapids||doctor --backend amd-zen|69|msr: there is no CPU to measure$
sapphirerapids||doctor --backend intel-perf-metrics|0|-
# what is known of the CPUs
sapphirerapids|absent /sys/devices/system/cpu/online|-a --timeout 50|69|/sys/devices/system/cpu/online cannot be read: the CPUs to measure are not known \(is /sys mounted\?\)$
sapphirerapids|absent /sys/devices/system/cpu/cpu0/topology|--per-core -a --timeout 50|69|sysfs does not tell the cores, sockets and nodes of the CPUs: measure by CPU \(-A\) or as a whole$
sapphirerapids|absent /sys/devices/system/cpu/cpu0/topology|-A -a --timeout 50|0|-
sapphirerapids||--per-core -a --timeout 50|0|-
# what a counter is there for: fixed counter 3 holds SLOTS, and nothing else does
icelake|s/^cpuid 0xa .*/cpuid 0xa = 0x08300805 0x0 0x7 0x8603/; s/ fixed=0-3 / fixed=0-2 /|-a --dry-run|0|TOPDOWN.SLOTS .* counters fixed 3 .*\(no counter of this PMU can hold it\)
icelake||-a --dry-run|0|-
# what it advises then
sapphirerapids|file /sys/kernel/security/lockdown = none [integrity] confidentiality\\n\n|doctor|0|-> boot without lockdown, or measure by perf
sapphirerapids|watchdog on|doctor|0|-> sysctl kernel.nmi_watchdog=0 while measuring
sapphirerapids||doctor|0|-
# what doctor finds of counters
guest-lying-pmu||doctor|69|cpu: all 9 counters say the same number, [0-9]+
guest-without-pmu||doctor|69|-> let the hypervisor give it one \(KVM: -cpu host,pmu=on\), or measure on the host
sapphirerapids||doctor|0|cpu: a loop of [0-9.]+ ms was measured and is plausible \(retiring [0-9]+ %\)
genoa|s/^cpuid 0x1 = 0x00a10f11/cpuid 0x1 = 0x00830f10/|doctor|0|cpu: a loop of [0-9.]+ ms was measured, by events of ratios: there are none of slots$
# who may open registers
sapphirerapids|privileged no|--source=msr -C 0 --timeout 50|77|/dev/cpu/0/msr may not be opened: its file permissions\. What to do: run as root
sapphirerapids||--source=msr -C 0 --timeout 50|0|-
# what the watchdog takes of tasks
sapphirerapids|watchdog on|doctor|0|no IPC and GHz on cpu: the NMI watchdog is on, which holds the counter of cycles unless it is the kernel's buddy detector
sapphirerapids||doctor|0|-
# which events bench counts
sapphirerapids||bench -C 0 -e nosuch -- ./app|64|the event 'nosuch' is no event of spr: neither a name \('tdprobe list events'\), nor cycles, instructions, branches
sapphirerapids||bench -C 0 -e cycles -- ./app|0|-
# what doctor ends with
sapphirerapids||doctor|0|^tdprobe can measure here
guest-without-pmu||doctor|69|^tdprobe cannot measure here: the kernel shows no PMU of the cores
guest-lying-pmu||doctor|69|^the counters count, but they lie: do not trust them
# how many runs
sapphirerapids||--until 1pp -r 2 -- ./app|64|--until and -r exclude each other
sapphirerapids||--until 1pp --max-runs 3 -- ./app|64|--max-runs: '3' is not a whole number from 8 to
sapphirerapids||--until 1pp -a --timeout 50|64|--until needs a command
sapphirerapids||--until 0.01pp --max-runs 8 --fixed -- ./app|0|is known within [0-9.]+ points after 8 runs, and more runs cannot do it: each run's own bounds are wider
cascadelake||--until 1pp --max-runs 8 --level 2 -- ./app|0|no share has bounds that further runs could make narrower
sapphirerapids||--until 20pp --max-runs 8 -- ./app|0|-
sapphirerapids||--until 1pp --max-runs 8 --no-fixed -- ./app|0|-
# sides of a comparison
-||compare --uarch spr --paired a a --vs b|64|--paired: the sides have 2 and 1 runs
-||compare --uarch spr --paired a b|64|--paired: runs are paired, A1 A2 A3 --vs B1 B2 B3; without --vs each recording is a side
-||compare --uarch spr --vs b|64|--vs: there is no recording before it
-||compare --uarch spr --paired a a --vs b b|0|-
# gates
-||compare --uarch spr --fail-if 'retiring > +2' a --vs b|64|retiring is a share: say points, as in '> \+2pp', or percent of its value, as in '> \+5%'
-||compare --uarch spr --fail-if 'slots > +2pp' a --vs b|64|slots is no share, which would have points: say how many percent of its value
-||compare --uarch spr --fail-if 'retiring > +2pp' a --vs b|1|-
-||compare --uarch spr --fail-if 'retiring > +20pp' a --vs b|0|-
# what a comparison begins with
-||compare --uarch spr short --vs even|0|^b (took|takes) the same time
-||compare --uarch spr short --vs long|0|^b took [0-9.]+ % more time
-||compare --uarch spr long --vs short|0|^b took [0-9.]+ % less time
# what a subcommand takes
-||doctor now|64|doctor takes no arguments such as 'now'
-||phases a b|64|phases takes one file, not 'b' too
-||help nowhere|64|help is on subcommands, and there is no 'nowhere'
-||list nothing|64|list knows backends, uarchs, events, metrics and formats, not 'nothing'
-||phases --uarch spr short|0|-
# parts of time
-||replay --uarch spr --time 1 short|64|--time: '1' is no pair of times in seconds such as 1.5,20 or 1.5,
-||replay --uarch spr --time 7, short|65|no interval ends after 7 s$
-||replay --uarch spr --time 7,8 short|65|no interval ends after 7 s and not after 8 s$
-||replay --uarch spr --time 1,2 short|0|-
# what goes with which places
-||report --uarch spr --format folded --by dso samples|64|--format folded is of call paths: leave --by out
-||report --uarch spr --annotate main --by dso samples|64|--annotate is of a function: leave --by out
-||report --uarch spr --by dso samples|0|-
# what a trace is of
-||record --append -o x.trace true|64|record excludes --append: a trace is of one run
-||record --until 1pp true|64|record excludes --until: a trace is of one run
-||record -r 2 true|64|record takes -r with --no-multiplex only: a trace is of one run
-||record --drilldown true|64|--drilldown belongs to stat: it measures once for each level, and a trace is of one run
-||record --baseline x -o y true|64|--baseline and -o exclude each other: the history names its recordings itself
-||record -o - --log-fd 1 true|64|record -o - and --log-fd 1 exclude each other
-||stat --max-runs 9 true|64|--max-runs is for --until; -r N runs the command N times
sapphirerapids||record -r 2 --no-multiplex -o x.trace -- ./app|0|-
# what measures once for each level
-||stat --drilldown --until 1pp true|64|--drilldown and --until exclude each other: --drilldown runs the command once for each level
-||stat --drilldown -r 2 true|64|--drilldown takes -r with --no-multiplex only, as it runs the command once for each level
sapphirerapids||--drilldown --no-multiplex -r 2 -- ./app|0|-
-||stat --drilldown --dry-run true|64|--drilldown and --dry-run exclude each other: what is measured for a level depends on the result
-||stat --drilldown -a --per-core --timeout 50|64|--drilldown goes down one result: it excludes -A
-||stat --drilldown -a|64|--drilldown without a command needs --timeout MS
sapphirerapids||--drilldown -a --timeout 50|0|-
# what is divided by CPUs, and what goes with tasks
-||stat --per-core -p 1|64|--per-core and -p exclude each other: only results of -a or -C are divided by CPU
-||stat --per-core true|64|-A, --per-core, --per-socket and --per-node need -a or -C
-||stat -a -p 1|64|-p and -t exclude -a, -C and --for-each-cgroup
-||perf-command --uarch spr --per-core -p 1|64|--per-core and -p exclude each other: only counts of -a or -C are divided by CPU
-||perf-command --uarch spr -a -p 1|64|-p and -t exclude -a and -C
-||stat -p 1 -t 1|64|-p and -t exclude each other
-||stat --fast true|64|--fast is for a simulated machine: it needs --machine
sapphirerapids||--per-core -a --timeout 50|0|-
# what perf-command takes of the watchdog
-||perf-command --watchdog true|64|--watchdog needs --uarch NAME: of this machine it is known whether the watchdog is on
sapphirerapids||perf-command --watchdog --uarch spr true|64|--watchdog and --machine exclude each other
-||perf-command --no-multiplex --uarch spr|64|--no-multiplex runs a command again for each group: it needs one
-||perf-command --watchdog --uarch spr true|0|-
# what compare takes
-||compare --baseline x --paired a|64|--baseline excludes --paired: the recordings of a history were not measured in turn with others
-||compare --machine x a b|64|--machine measures commands: it needs -r
-||compare -r 2 -- --vs true|64|-r: there is no command before --vs
-||compare -r 2 -- true --vs|64|-r: there is no command after --vs
-||compare --uarch spr --fail-if nothing a b|64|--fail-if: 'nothing' is no condition such as
-||compare --uarch spr a b|0|-
# values of options
-||stat -C 3-x true|64|-C: '3-x' is not a list of CPUs from 0 to [0-9]+ such as 0-3,7
-||stat -x '"' true|64|-x: the separator is one or more characters, but no quotes and no newlines
-||stat --level 9 true|64|the level is 1 to 6, not '9'
-||stat --log-fd 77 true|64|--log-fd: file descriptor 77 is not open for writing
-||replay --uarch spr -M , a|64|^tdprobe: no metric is named$
-||version now|64|version takes no word: 'now'
-||report --uarch spr --format html --annotate main samples|64|--format html has no lines and instructions; text, csv and json have
sapphirerapids||--level 6 -a --timeout 50|0|-
# how many samples
sapphirerapids||record --functions -c 1000000000 -o x.data -- ./app|0|no sample was taken: .*; a smaller -c takes more samples
sapphirerapids||record --functions -F 1 -o x.data -- ./app|0|no sample was taken: .*; a higher -F takes more samples
sapphirerapids||record --functions -o x.data -- ./app|0|-
ROWS
# a program for another processor has no rdpmc
case $("$CC" -dumpmachine) in x86_64*) ;; *) grep -v '|rdpmc: usable' rows > all && mv all rows ;; esac

judge() { # ROW-NUMBER: the output has its reason, and no other of its block
    n=0
    while IFS='	' read -r reason; do
        n=$((n + 1))
        if [ $n -eq "$1" ]; then
            [ "$reason" = - ] || grep -qE -- "$reason" both || fail "$what: it lacks '$reason': $(head -n 3 both)"
        else
            [ "$reason" = - ] || ! grep -qE -- "$reason" both || fail "$what: it gives its neighbour's reason '$reason': $(grep -E -- "$reason" both)"
        fi
    done < others
}
run_block() {
    [ -s others ] || return 0
    row=0
    while IFS='	' read -r machine more words code_wanted; do
        row=$((row + 1))
        eval "set -- $words"
        if [ "$machine" != - ]; then
            case $more in
            s/*) sed "$more" "$TD_SRCDIR/sim/machines/$machine.machine" ;;
            *) cat "$TD_SRCDIR/sim/machines/$machine.machine"; [ "$more" = none ] || printf '%b\n' "$more" ;;
            esac > made.machine
            case $1 in doctor | perf-command | bench) word=$1; shift; set -- "$word" --machine made.machine "$@" ;; record) shift; set -- record --machine made.machine --fast "$@" ;; *) set -- --machine made.machine --fast "$@" ;; esac
        fi
        t "$@"
        cat out err > both
        ! grep -q 'built without GSL' both || continue
        exits "$code_wanted"
        judge $row
    done < block
}
: > others; : > block
while IFS= read -r line; do
    case $line in
    '#'*)
        run_block
        : > others; : > block ;;
    *)
        machine=${line%%|*} rest=${line#*|}
        more=${rest%%|*} rest=${rest#*|}
        words=${rest%%|*} rest=${rest#*|}
        printf '%s\t%s\t%s\t%s\n' "$machine" "${more:-none}" "$words" "${rest%%|*}" >> block
        printf '%s\n' "${rest#*|}" >> others ;;
    esac
done < rows
run_block

# of the machine that it runs on: if that cannot be measured, another one can be named; a simulated one is named already
t perf-command; [ $code -eq 0 ] || warns '; --uarch NAME is for another machine$'
t perf-command --machine "$TD_SRCDIR/sim/machines/guest-without-pmu.machine"; exits 69; warns 'without a PMU'; ! grep -q 'another machine' err || fail "$what: $(cat err)"

[ ! -e failed ]
