# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# Who may count what at each kernel.perf_event_paranoid, on a real kernel of Debian, which above 2 refuses CAP_PERFMON too: tdprobe
# counts exactly what the kernel allows, the doctor says which of the kernels this is, and each line that it prints is tried.
. /tests/lib.sh
. /tests/td.sh

# as RIGHTS COMMAND...: root; or who load.c knows: a user with no capability (none), or with that one, or with what containers and units do
# to a user
as() {
    who=$1
    shift
    if [ "$who" = root ]; then "$@"; else load as "$who" "$@"; fi
}
level() { echo "$1" > /proc/sys/kernel/perf_event_paranoid; }

# counts RIGHTS own|kernel|cpus: tdprobe's exit code
counts() {
    # shellcheck disable=SC2086
    case $2 in
    own) as "$1" tdprobe stat $uarch_option --level 1 --format csv --all-user -- true ;;
    kernel) as "$1" tdprobe stat $uarch_option --level 1 --format csv --all-kernel -- true ;;
    cpus) as "$1" tdprobe stat $uarch_option --level 1 --format csv -a --timeout 50 ;;
    esac > /tmp/out 2>&1
}

# The advice after the doctor's finding of these words; it is indented.
advice() { awk -v words="$1" 'index($0, words) { found = 1; next } found { if (/^ *-> /) print; exit }' /tmp/said; }

# tries RIGHTS own|cpus LEVEL: each alternative of the advice, as root, and then the same is counted
tries() {
    case $2 in own) words="source perf, own tasks:" ;; *) words="source perf, whole CPUs:" ;; esac
    advice "$words" | sed 's/^ *-> //; s/; or /\n/g; s/, or /\n/g' > /tmp/alternatives
    [ -s /tmp/alternatives ] || { not_ok "$name-advice-$2" "there is none" /tmp/said; return; }
    problem= n=0
    while read -r alternative; do
        what=$2 who=$1
        echo "$alternative" | grep -oE 'sysctl kernel\.perf_event_paranoid=[0-9]|setcap cap_perfmon\+ep \$\(command -v tdprobe\)|tdprobe -- COMMAND|-p\)|--all-user|AmbientCapabilities=CAP_PERFMON|docker run --cap-add=PERFMON' > /tmp/commands
        [ -s /tmp/commands ] || problem="no command in '$alternative'"
        while read -r command; do
            n=$((n + 1))
            case $command in
            'tdprobe -- COMMAND' | '-p)' | --all-user) what=own ;;
            # by its effect: the capability from outside, and no filter against it
            Ambient* | docker*) who=perfmon ;;
            *) eval "$command" > /tmp/out 2>&1 || problem="'$command' fails: $(cat /tmp/out)" ;;
            esac
        done < /tmp/commands
        case $alternative in *"the kernel's share too"*) what=kernel ;; esac
        counts "$who" "$what" || problem="after '$alternative': $what: $(head -n 1 /tmp/out)"
        setcap -r /bin/tdprobe 2> /dev/null
        level "$3"
    done < /tmp/alternatives
    if [ -z "$problem" ] && [ $n -gt 0 ]; then ok "$name-advice-$2"; else not_ok "$name-advice-$2" "$problem" /tmp/said; fi
}

# expect LEVEL RIGHTS "OWN KERNEL CPUS" WORDS [PATTERN [NOT]]: what may be counted, as perf_event_open() itself says, and the doctor's words;
# of all its lines, one that it has and one that it has not
expect() {
    name=rights-$1-$2
    level "$1"
    if [ "$(as "$2" load may)" = "$3" ]; then ok "$name"; else not_ok "$name" "the kernel allows $(as "$2" load may), not $3"; fi
    # shellcheck disable=SC2086
    for what in own:${3%% *} cpus:${3##* }; do
        counts "$2" "${what%:*}"
        code=$?
        case ${what#*:} in yes) right=0 ;; *) right=77 ;; esac
        if [ $code = $right ]; then ok "$name-${what%:*}"; else not_ok "$name-${what%:*}" "exit code $code" /tmp/out; fi
    done
    # shellcheck disable=SC2086
    as "$2" tdprobe doctor $uarch_option > /tmp/said 2>&1
    code=$?
    case $3 in yes*) right=0 ;; *) right=77 ;; esac
    [ -z "${5-}" ] || grep -qE "$5" /tmp/said || not_ok "$name-says" "it lacks '$5'" /tmp/said
    [ -z "${6-}" ] || ! grep -qE "$6" /tmp/said || not_ok "$name-says-not" "it has '$6'" /tmp/said
    if [ $code = $right ] && grep -qE "^note +paranoid +kernel.perf_event_paranoid is $1: $4" /tmp/said; then
        ok "$name-doctor"
    else
        not_ok "$name-doctor" "exit code $code, or it says $(grep 'paranoid is' /tmp/said)" /tmp/said
    fi
    case $3 in no* | EPERM*) tries "$2" own "$1" ;; esac
    case $3 in *no | *EPERM) tries "$2" cpus "$1" ;; esac
}

if ! command -v setcap > /dev/null; then
    skip rights "no setcap (Debian: libcap2-bin)"
    exit 0
fi
for level in 4 3; do
    expect $level root 'yes yes yes' 'without CAP_SYS_ADMIN nothing on kernels of Debian and Ubuntu, also with CAP_PERFMON; on others, as with 2, own tasks'
    expect $level sys_admin 'yes yes yes' 'without CAP_SYS_ADMIN nothing on kernels of Debian and Ubuntu'
    expect $level perfmon 'no no no' 'nothing without CAP_SYS_ADMIN, also with CAP_PERFMON: above 2 this kernel'
    expect $level none 'no no no' 'nothing without CAP_SYS_ADMIN, also with CAP_PERFMON: above 2 this kernel'
done
expect 2 root 'yes yes yes' 'own tasks in user mode without CAP_PERFMON'
expect 2 perfmon 'yes yes yes' 'own tasks in user mode without CAP_PERFMON'
expect 2 none 'yes no no' 'own tasks in user mode without CAP_PERFMON'
expect 1 perfmon 'yes yes yes' 'own tasks without CAP_PERFMON'
expect 1 none 'yes yes no' 'own tasks without CAP_PERFMON'
expect 0 none 'yes yes yes' 'whole CPUs without CAP_PERFMON'

# A file's capability for one group alone, in the order that is advised: a change of the group takes it away.
name=rights-group
level 2
tdprobe=$(command -v tdprobe)
# shellcheck disable=SC2086
as none tdprobe doctor $uarch_option > /tmp/said 2>&1
if advice 'source perf, whole CPUs:' | grep -qF "setcap cap_perfmon+ep \$(command -v tdprobe) (for one group alone: before it chgrp GROUP and chmod o-x)"; then
    ok $name-advice
else
    not_ok $name-advice "it is another" /tmp/said
fi
chgrp 2000 "$tdprobe" && chmod o-x "$tdprobe" && setcap cap_perfmon+ep "$tdprobe"
if counts member cpus; then ok $name-member; else not_ok $name-member "the group may not count" /tmp/out; fi
if as none tdprobe --version > /tmp/out 2>&1; then not_ok $name-others "others may execute it too"; else ok $name-others; fi
chgrp 2000 "$tdprobe" # which is why it comes first
if counts member cpus; then not_ok $name-order "the capability survived the change of the group"; else ok $name-order; fi
setcap -r "$tdprobe" 2> /dev/null
chgrp 0 "$tdprobe" && chmod o+x "$tdprobe"

# What containers and units do: a bounding set without the capability, no_new_privs, filters, user namespaces
plain='own tasks in user mode without CAP_PERFMON' shut='nothing without CAP_SYS_ADMIN, also with CAP_PERFMON'
option='docker run --cap-add=PERFMON; Podman, and Docker before 23.0: with --security-opt seccomp=unconfined; systemd: AmbientCapabilities=CAP_PERFMON'
expect 2 bounded 'yes no no' "$plain" "$option" 'setcap'
expect 3 bounded 'no no no' "$shut" "$option" 'setcap'
expect 2 confined 'yes no no' "$plain" "$option" 'setcap'
filter='a seccomp filter denies perf_event_open'
expect 2 filtered 'EPERM EPERM EPERM' "$plain" "^OBSTACLE +seccomp +source perf, own tasks: $filter" 'there also sysctl'
expect 2 filtered_perfmon 'EPERM EPERM EPERM' "$plain" "^OBSTACLE +seccomp +source perf, own tasks: $filter"
expect 3 filtered 'EPERM EPERM EPERM' 'without CAP_SYS_ADMIN nothing on kernels of Debian and Ubuntu' 'there also sysctl kernel.perf_event_paranoid=2'
expect 1 filtered 'EPERM EPERM EPERM' 'own tasks without CAP_PERFMON' "$filter"
expect 2 rootless 'yes no no' "$plain" 'none that counts: perf_event_open asks for those outside of this user namespace' 'setcap'
expect 3 rootless 'no no no' "$shut" 'on the host sysctl kernel.perf_event_paranoid=2 .*, or on the host sysctl kernel.perf_event_paranoid=1' 'setcap'
expect 0 rootless 'yes yes yes' 'whole CPUs without CAP_PERFMON'
# in a container sysctl is of the host
: > /run/.containerenv
expect 4 none 'no no no' "$shut" 'on the host sysctl kernel.perf_event_paranoid=2 .*, or on the host sysctl kernel.perf_event_paranoid=1'
rm /run/.containerenv
# EACCES is no filter's answer of those that anybody ships
level 2
# shellcheck disable=SC2086
as filtered_eacces tdprobe doctor $uarch_option > /tmp/said 2>&1
if grep -qE '^OBSTACLE +security ' /tmp/said && ! grep -q "$filter" /tmp/said; then ok rights-eacces; else not_ok rights-eacces "it blames another" /tmp/said; fi
level -1
