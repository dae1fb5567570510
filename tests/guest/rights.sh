# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# Who may count what at each kernel.perf_event_paranoid, on a real kernel of Debian, which above 2 refuses CAP_PERFMON too: tdprobe
# counts exactly what the kernel allows, the doctor says which of the kernels this is, and each line that it prints is tried.
. /tests/lib.sh
. /tests/td.sh

# as RIGHTS COMMAND...: root; or a user with no capability (none), or with that one
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
        what=$2
        echo "$alternative" | grep -oE 'sysctl kernel\.perf_event_paranoid=[0-9]|setcap cap_perfmon\+ep \$\(command -v tdprobe\)|tdprobe -- COMMAND|-p\)' > /tmp/commands
        [ -s /tmp/commands ] || problem="no command in '$alternative'"
        while read -r command; do
            n=$((n + 1))
            case $command in
            'tdprobe -- COMMAND') what=own ;;
            '-p)') what=own ;;
            *) eval "$command" > /tmp/out 2>&1 || problem="'$command' fails: $(cat /tmp/out)" ;;
            esac
        done < /tmp/commands
        case $alternative in *"the kernel's share too"*) what=kernel ;; esac
        counts "$1" "$what" || problem="after '$alternative': $what: $(head -n 1 /tmp/out)"
        setcap -r /bin/tdprobe 2> /dev/null
        level "$3"
    done < /tmp/alternatives
    if [ -z "$problem" ] && [ $n -gt 0 ]; then ok "$name-advice-$2"; else not_ok "$name-advice-$2" "$problem" /tmp/said; fi
}

# expect LEVEL RIGHTS "OWN KERNEL CPUS" WORDS: what may be counted, as perf_event_open() itself says, and the doctor's words
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
    if [ $code = $right ] && grep -qE "^note +paranoid +kernel.perf_event_paranoid is $1: $4" /tmp/said; then
        ok "$name-doctor"
    else
        not_ok "$name-doctor" "exit code $code, or it says $(grep 'paranoid is' /tmp/said)" /tmp/said
    fi
    case $3 in no*) tries "$2" own "$1" ;; esac
    case $3 in *no) tries "$2" cpus "$1" ;; esac
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
level -1
