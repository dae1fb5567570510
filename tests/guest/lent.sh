# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2012,SC2015,SC2016,SC2034,SC2086,SC2154
# Copies of tdprobe with rights that their caller lacks, on a real kernel of Debian with counters, at each kernel.perf_event_paranoid: run by
# a user, a copy counts exactly what the kernel lets CAP_PERFMON count, and that is all: files, folders of the environment, links, commands and
# registers stay the caller's. tests/scripts/lent-rights.sh has the same on a host, without counters.
. /tests/lib.sh
. /tests/td.sh

for tool in setcap strace seam; do
    command -v $tool > /dev/null || { skip lent "no $tool (Debian: libcap2-bin strace; seam is built beside tdprobe)"; exit 0; }
done
reload sampling=1 || { not_ok lent-module "it does not load"; exit 0; }
[ ! -e /lib/msr.ko ] || insmod /lib/msr.ko

# load.c runs a command as this user, without any capability
user=1000 other=1002
work=/tmp/lent bin=/tmp/lent/bin evil=/tmp/lent/evil
mkdir -p $bin $evil/.debug $work/locked $work/own $work/open
chmod 777 $evil $evil/.debug $work/open && chmod 700 $work/locked && chown $user:$user $work/own
cd $work || exit 1
printf '%s\n' 1000,,slots,9,100.00,, 200,,topdown-retiring,9,100.00,, 100,,topdown-bad-spec,9,100.00,, 300,,topdown-fe-bound,9,100.00,, 400,,topdown-be-bound,9,100.00,, > locked/secret
for program in tdprobe load seam; do
    for copy in plain perfmon all suid sgid; do cp -L "$(command -v $program)" bin/$program-$copy; done
    setcap cap_perfmon+ep bin/$program-perfmon
    setcap cap_perfmon,cap_sys_admin,cap_dac_override,cap_dac_read_search,cap_sys_rawio,cap_sys_ptrace,cap_setuid+ep bin/$program-all
    chmod 4755 bin/$program-suid && chmod 2755 bin/$program-sgid
done

# each variable that can change which files are opened, libraries loaded and servers asked
bad="HOME=$evil XDG_CACHE_HOME=$evil XDG_CONFIG_HOME=$evil TMPDIR=$evil DEBUGINFOD_URLS=http://127.0.0.1:9/ DEBUGINFOD_CACHE_PATH=$evil LD_LIBRARY_PATH=$evil LD_PRELOAD=$evil/x.so PERF_BUILDID_DIR=$evil TDPROBE_CACHE=$evil TZDIR=$evil LOCPATH=$evil GCONV_PATH=$evil TDPROBE_SANDBOX=off"

# by COPY ARGS...: the user runs it; code, /tmp/out
by() {
    copy=$1
    shift
    env $bad load as none $bin/tdprobe-"$copy" "$@" > /tmp/out 2>&1
    code=$?
}

# counts COPY own|kernel|cpus: "yes" if there are counts
counts() {
    rm -f own/counts
    case $2 in
    own) by "$1" stat --level 1 --format csv -o own/counts --all-user -- true ;;
    kernel) by "$1" stat --level 1 --format csv -o own/counts --all-kernel -- true ;;
    cpus) by "$1" stat --level 1 --format csv -o own/counts -a --timeout 50 ;;
    esac
    case $code in
    0) if grep -q ',retiring,' own/counts; then echo yes; else echo nothing; fi ;;
    77) echo no ;;
    *) echo "exit $code" ;;
    esac
}

# may LEVEL COPY "OWN KERNEL CPUS": what the copy may count; the kernel itself lets a copy of load.c with the same rights do so too
may() {
    name=lent-$1-$2
    got="$(counts "$2" own) $(counts "$2" kernel) $(counts "$2" cpus)"
    if [ "$got" = "$3" ]; then ok "$name-counts"; else not_ok "$name-counts" "it counts $got, not $3" /tmp/out; fi
    case $2 in perfmon | plain) ;; *) return ;; esac
    got=$(load as none $bin/load-"$2" may)
    if [ "$got" = "$3" ]; then ok "$name-kernel"; else not_ok "$name-kernel" "the kernel allows $got, not $3"; fi
}

# its LEVEL COPY: what the copy's command, and the copy itself while it counts, have of rights and environment
its() {
    name=lent-$1-$2
    none=0000000000000000
    by "$2" stat --level 1 --all-user -o own/report -- sh -c 'cat /proc/self/status > own/status; echo "$HOME" > own/home'
    got=$(awk '/^[UG]id:/ { print $2, $3, $4, $5 } /^Cap(Inh|Prm|Eff|Amb):/ { print $2 }' own/status | sort -u | tr '\n' ' ')
    if [ $code = 0 ] && [ "$got" = "$none $user $user $user $user " ] && [ "$(cat own/home)" = $evil ]; then
        ok "$name-command"
    else
        not_ok "$name-command" "exit $code; it has $got, HOME $(cat own/home)" /tmp/out
    fi
    rm -f own/status own/home
    env $bad load as none $bin/tdprobe-"$2" stat --level 1 -a -I 100 -o own/live --format csv 2> /tmp/out &
    pid=$!
    n=0
    while [ $n -lt 100 ] && ! grep -q ',retiring,' own/live 2> /dev/null; do usleep 100000; n=$((n + 1)); done
    got=$(awk '/^[UG]id:/ { print $2, $3, $4, $5 } /^Cap(Inh|Prm|Eff|Amb):/ { print $1 $2 }' /proc/$pid/status | sort -u | tr '\n' ' ')
    kill $pid
    wait $pid 2> /dev/null
    # 38 is CAP_PERFMON
    if [ $n -lt 100 ] && [ "$got" = "$user $user $user $user CapAmb:$none CapEff:$none CapInh:$none CapPrm:0000004000000000 " ]; then
        ok "$name-itself"
    else
        not_ok "$name-itself" "$n; it has $got" /tmp/out
    fi
    rm -f own/live
}

# denied WORDS...: the copy must not do this, and say why
denied() {
    by "$copy" "$@"
    [ $code -ne 0 ] && grep -q '^tdprobe: ' /tmp/out || problem="exit $code: $copy $*: $(head -n 1 /tmp/out)"
}

# files LEVEL COPY: what only root may read or write, and a file of the user's that somebody else's link leads to
files() {
    name=lent-$1-$2 copy=$2 problem=
    denied replay --uarch spr locked/secret
    denied --machine locked/secret -- true
    denied stat --all-user -o locked/out -- true
    denied stat -a --timeout 20 -o locked/out
    denied stat --all-user -o /etc-lent -- true
    denied record --all-user -o locked/out -- true
    denied record --all-user --baseline locked/history -- true
    [ "$(ls locked)" = secret ] && [ ! -e /etc-lent ] || problem="it left $(ls -d locked/* /etc-lent 2> /dev/null)"
    for words in 'stat --all-user -o open/link -- true' 'record --all-user -o open/link -- true'; do
        echo precious > own/file
        chown $user own/file
        ln -s $work/own/file open/link && chown -h $other open/link
            denied $words
        [ "$(cat own/file)" = precious ] || problem="'$words' wrote through the link of somebody else"
        rm -f open/link own/file
    done
    by "$2" stat --level 1 --all-user -o own/report -- true
    [ $code = 0 ] && [ "$(ls -ln own/report | awk '{ print $3, $4 }')" = "$user $user" ] || [ "$1" -gt 2 ] || problem="the report: exit $code, $(ls -ln own)"
    rm -f own/report
    if [ -z "$problem" ]; then ok "$name-files"; else not_ok "$name-files" "$problem" /tmp/out; fi
}

# calls COPY WORDS...: the copy's calls that name the evil folder, a server, a register or a program, in /tmp/calls
calls() {
    copy=$1
    shift
    strace -f -qq -o /tmp/trace -e trace=open,openat,stat,access,readlink,connect,socket,execve env $bad load as none $bin/tdprobe-"$copy" "$@" > /tmp/out 2>&1
    awk -v copy="execve(\"$bin/tdprobe-$copy\"" 'index($0, copy) { began = 1; next } began' /tmp/trace > /tmp/calls
    [ -s /tmp/calls ] || echo "strace saw nothing" >> /tmp/calls
    grep -E "$evil|AF_INET|/dev/cpu/|execve\(|strace saw nothing" /tmp/calls
}

# opens LEVEL COPY
opens() {
    name=lent-$1-$2 copy=$2
    {
        calls "$copy" stat --level 1 -a --timeout 20
        calls "$copy" doctor
        calls "$copy" report --uarch spr samples
        calls "$copy" report --uarch spr --by line samples
    } > /tmp/forbidden
    if [ "$copy" = plain ]; then
        # or this test sees nothing
        if grep -q $evil /tmp/forbidden; then ok "$name-calls"; else not_ok "$name-calls" "the environment leads nowhere" /tmp/trace; fi
    elif [ -s /tmp/forbidden ]; then
        not_ok "$name-calls" "it makes these" /tmp/forbidden
    else
        ok "$name-calls"
    fi
}

# registers LEVEL: of the seam to Linux itself, since this guest's CPU has no counters for --source msr
registers() {
    [ -e /dev/cpu/0/msr ] || { skip "lent-$1-registers" "no /dev/cpu/0/msr in the guest"; return; }
    got=$(for copy in perfmon all suid sgid; do load as none $bin/seam-$copy msr; done | sort | uniq -c | sed 's/^ *//')
    # root's own, plain program opens them: only then is it shown that the copies do not
    root=$($bin/seam-plain msr)
    if [ "$got, $root" = '4 Operation not permitted, open' ]; then ok "lent-$1-registers"; else not_ok "lent-$1-registers" "copies: $got, root: $root"; fi
}

# process LEVEL COPY WORDS: what comes of a counter of a process of root's, and that nothing is in force after it
process() {
    name=lent-$1-$2-process
    got=$(load as none $bin/seam-"$2" counters | head -n 1)
    case $got in
    "$3, CapEff:"*0000000000000000) ok "$name" ;;
    *) not_ok "$name" "$got" ;;
    esac
}

level() { echo "$1" > /proc/sys/kernel/perf_event_paranoid; }

tdprobe record --functions --level 1 -o samples -- load spin 500 > /tmp/out 2>&1 && chmod 644 samples || not_ok lent-samples "they cannot be made" /tmp/out

for level in 4 3; do
    level $level
    for copy in plain perfmon suid all; do may $level $copy 'no no no'; done
    process $level perfmon 'Permission denied'
done
level 2
for copy in plain sgid; do may 2 $copy 'yes no no'; done
for copy in suid all; do
    may 2 $copy 'yes yes yes'
    its 2 $copy
    files 2 $copy
done
for copy in plain suid all; do opens 2 $copy; done
process 2 plain 'Permission denied'
process 2 suid open
level 1
may 1 plain 'yes yes no'
level 0
may 0 plain 'yes yes yes'
for level in 2 1 0; do
    level $level
    may $level perfmon 'yes yes yes'
    its $level perfmon
    process $level perfmon open
done
for level in 4 3 2 1 0; do
    level $level
    files $level perfmon
    opens $level perfmon
    registers $level
done
level -1
cd /tests && rm -rf $work
