#!/bin/sh
# SPDX-License-Identifier: MIT
# Standard input, output and error, closed in all combinations, for every subcommand: no file that tdprobe opens gets
# the number of one of them, what cannot be written is exit 74, and all else is as with them open.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
# Another program that starts it (qemu-user) has needs of its own.
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: the program is started by another one'; exit 77; }
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
cp "$spr" m
t record --machine m --fast -o a.trace -- x; exits 0
cp a.trace b.trace
t record --functions --machine m --fast -o samples -- x; exits 0
statistics=true
t compare a.trace b.trace; ! grep -q 'without GSL' err || statistics=false
strace=false
strace -o trace.log "$TDPROBE" --version > out 2> err && strace=true # with the leak sanitizer it ends with an error under strace
# with a filter only the calls that are looked at stop the program
traced='strace -f -qq -o trace.log -e trace=openat,open,creat,socket,perf_event_open,epoll_create1'
! $strace || ! strace --seccomp-bpf -f -o trace.log true 2> err || traced="$traced --seccomp-bpf"
$strace || echo 'descriptors are not looked at, only their effects: strace is missing, or may not trace'

# With fd 0, 1, 2 closed where $1, $2, $3 say so: code, out and err.
closed() { # 0|- 1|- 2|- ARGS...
    in=$1 to=$2 errors=$3
    shift 3
    : > out
    : > err
    what="tdprobe $* with closed $in$to$errors"
    (
        exec < /dev/null > out 2> err
        [ "$in" = - ] || exec <&-
        [ "$errors" = - ] || exec 2>&-
        [ "$to" = - ] || exec >&-
        # shellcheck disable=SC2086 # words
        if $strace; then exec $traced "$TDPROBE" "$@"; fi
        exec "$TDPROBE" "$@"
    )
    code=$?
    # the dynamic loader opens libraries before the program begins, and closes them
    ! $strace || awk -v closed="$in$to$errors" '/= [012]$/ {
            if (/"\/dev\/null", O_(RDONLY|WRONLY)\|O_CLOEXEC\) = [012]$/) held[$NF]
            else if (!/"\/[^"]*\.so[^"\/]*"/) { print; other = 1 }
        }
        END { for (fd = 0; fd < 3; fd++) if (index(closed, fd) && !(fd in held)) { print "nothing holds descriptor " fd; other = 1 }; exit other }' trace.log ||
        fail "$what: a file got a standard descriptor, or nothing did"
}
# The descriptor that the output goes to, 1, 2 or none, then the words; {} is a file that is to be written.
row() {
    where=$1
    shift
    rm -f wanted made
    words=$(echo "$*" | sed 's/{}/made/')
    # shellcheck disable=SC2086 # words
    t $words; right=$code
    [ ! -e made ] || mv made wanted
    for in in - 0; do for to in - 1; do for errors in - 2; do
        [ ! -e made ] || rm -f made
        # shellcheck disable=SC2086
        closed $in $to $errors $words
        case $to$errors in
        *"$where"*) exits 74 ;;
        *) exits $right ;;
        esac
        [ ! -e wanted ] || cmp -s wanted made || fail "$what: the file is another one"
    done; done; done
}
row 2 --machine m --fast -x, -- x
row 2 stat --machine m --fast -j -r 2 -- x
row 1 stat --machine m --fast -x, -o - -- x
row none stat --machine m --fast -x, -o {} -- x
row 1 stat --machine m --dry-run -a
row none record --machine m --fast -o {} -- x
row none record --machine m -a --timeout 100 -I 20 -o {}
row 1 record --machine m --fast -o - -- x
row none record --functions --machine m --fast -o {} -- x
row 1 replay -x, a.trace
row none replay -x, -o {} a.trace
row none replay -x, -J 2 -o {} a.trace b.trace
row 1 convert a.trace
row none convert a.trace -o {}
row 1 merge a.trace -o merged
if $statistics; then
    row 1 compare a.trace b.trace
    row none compare -o {} a.trace b.trace
    row 2 compare -r 2 --machine m -- x --vs y
fi
row 1 phases -x, a.trace
row none phases -x, -o {} a.trace
row 1 report samples
row none report -o {} samples
row 1 list
row 1 explain
row 1 explain memory_bound
row 1 perf-command --uarch spr
row 1 doctor
row 1 doctor --json
row 1 --help
row 1 --version
row 1 record --help
# errors: the exit code is all there is
row none replay nosuch
row none replay --nosuch a.trace
row 2 no-such-program
# a recording on a closed stdin, orders from it, a report to a closed number
closed 0 - - replay -; exits 65
closed 0 1 2 replay -; [ $code -ne 0 ] || fail "$what: exit 0"
closed - - 2 --machine m --fast --log-fd 2 -- x; exits 64
closed 0 - - --machine m --fast --control fd:0 -x, -- x; [ $code -ne 0 ] || [ -s err ] || fail "$what: says nothing"
# the command finds closed what the caller closed
if "$TDPROBE" doctor > doctor.out 2> doctor.err; then
    "$TDPROBE" stat -o report -- sh -c 'true <&0 && echo open > fds || echo closed > fds' <&- 2> /dev/null
    [ "$(cat fds)" = closed ] || fail 'the command got a descriptor that the caller had closed'
fi

# ---- where not even /dev/null can be opened ----
if $strace; then
    for fd in 1 2; do
        rm -f made
        (exec < /dev/null > out 2> err; eval "exec $fd>&-"; exec strace -f -qq -o trace.log -P /dev/null -e inject=openat:error=ENOENT "$TDPROBE" --machine m --fast -x, $([ $fd = 2 ] || echo -o -) -- x)
        code=$? what="descriptor $fd closed, no /dev/null"
        exits 74
        (exec < /dev/null > out 2> err; eval "exec $fd>&-"; exec strace -f -qq -o trace.log -P /dev/null -e inject=openat:error=ENOENT "$TDPROBE" --machine m --fast -x, -o made -- x)
        code=$?
        exits 0
        grep -q ',retiring,0' made || fail "$what: the file has no report"
    done
fi

[ ! -e failed ]
