#!/bin/sh
# SPDX-License-Identifier: MIT
# With a small stack ('ulimit -s') everything is answered as with a large one, or tdprobe says that the stack is full and what to
# do; that is then enough.
set -u
# The kernel leaves out some kB of each stack at random, which the loader may then lack at one start and not at the next.
if [ -z "${TD_STACK_FIXED-}" ] && setarch "$(uname -m)" -R true 2> /dev/null; then
    TD_STACK_FIXED=1 exec setarch "$(uname -m)" -R sh "$0"
fi
. "$TD_SRCDIR/tests/scripts/checks.sh"
# The environment takes part of the stack, and make's may list all tests.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES TESTS
# Another program that starts it (qemu-user) has needs of its own.
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: the program is started by another one'; exit 77; }
(ulimit -s 64) 2> /dev/null || { echo 'the limit of the stack cannot be set here'; exit 77; }
cp "$TD_SRCDIR/sim/machines/sapphirerapids.machine" m
t record --machine m -a -I 20 --timeout 200 -o a.trace; exits 0
t record --functions --machine m --fast -o samples -- x; exits 0
full=0 enough=0
small() { # KB ARGS...: as with the usual stack, or the message
    kb=$1
    shift
    t "$@"; mv out wanted; mv err wanted.err; right=$code
    (ulimit -s "$kb"; exec "$TDPROBE" "$@") > out 2> err < /dev/null
    code=$? what="tdprobe $* with ulimit -s $kb"
    if [ $code -eq "$right" ] && ! grep -q 'is full' err; then
        cmp -s out wanted || fail "$what: another answer"
        enough=$((enough + 1))
        return
    fi
    exits 69; lines err 1; warns "^tdprobe: the stack of $kb kB is full: 'ulimit -s [0-9]+' before it gives more$"
    full=$((full + 1))
    more=$(sed -n "s/.*'ulimit -s \([0-9]*\)'.*/\1/p" err)
    (ulimit -s "${more:-0}"; exec "$TDPROBE" "$@") > out 2> err < /dev/null
    code=$? what="tdprobe $* with ulimit -s $more, as was said"
    exits "$right"; cmp -s out wanted || fail "$what: another answer"
}
for kb in 1024 64; do
    for format in text csv json folded svg html; do small $kb report --format $format samples; done
    for format in text tree csv json; do small $kb replay --format $format a.trace; done
    for format in text csv json markdown junit github gitlab; do small $kb compare --format $format a.trace a.trace; done
    small $kb replay -M all -x, a.trace
    small $kb phases -x, a.trace
    small $kb convert a.trace
    small $kb explain memory_bound
    small $kb list metrics --uarch spr
    small $kb perf-command --uarch spr -M all
    small $kb -o - -x, --machine m --fast -- x
    small $kb record -o - --machine m --fast -- x
    [ $full -eq 0 ] || fail "$full commands need more than $kb kB"
done
# one that is full: a stack that holds no call of the smallest command, where the program can begin at all, even with 1 kB less
for kb in ${TD_STACK_FIXED+60 56 52 48 44 40 36 32 30 29 28 27 26 25 24 22 20 18 16}; do
    (ulimit -s $((kb - 1)); exec "$TDPROBE" --version) > out 2> err < /dev/null || break
    for words in 'replay -x, a.trace' 'report -x, samples' 'convert a.trace' 'replay -M all -j a.trace'; do
        # shellcheck disable=SC2086
        small $kb $words
    done
done
echo "answered $enough times, full $full times, down to $kb kB"
# another fault is not taken for that: one that somebody sends, and those of addresses out of the stack's reach
mkfifo fifo && {
    (ulimit -s 8192; exec "$TDPROBE" replay - < fifo > out 2> err) &
    victim=$!
    exec 8> fifo
    caught() { # SIGSEGV is the eleventh: bit 10
        mask=$(sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$victim/status)
        case ${mask:-0000} in *[4567cdef]??) return 0 ;; *) return 1 ;; esac
    }
    n=0
    until caught || [ $n -gt 200 ]; do n=$((n + 1)); sleep 0.05; done
    caught || fail "the program never waits for SIGSEGV: $(grep SigCgt /proc/$victim/status)"
    kill -SEGV $victim
    exec 8>&- # the end of what it reads, if the signal has not ended it
    wait $victim
    code=$? what='SIGSEGV from outside'
    exits 139; ! grep -q full err || fail "$what: $(cat err)"
}
cat > fault.c <<'EOF'
#include <stdlib.h>
#include <sys/resource.h>
/* Takes the place of what a recording that is kept calls, in the process itself: reads below the end of the stack, as far as FAULT says, or at a low address. */
int fsync(int fd)
{
    struct rlimit most;
    volatile char *at = (volatile char *)&most;
    const char *beyond = getenv("FAULT");

    getrlimit(RLIMIT_STACK, &most);
    at = beyond ? at - most.rlim_cur - strtoul(beyond, NULL, 10) : (volatile char *)16;
    return fd + *at;
}
EOF
if ! ldd "$TDPROBE" 2> /dev/null | grep -q 'asan\|tsan\|ubsan' && ${CC:-cc} -shared -fPIC -o fault.so fault.c 2> /dev/null; then
    faults() { # WANTED FAULT...
        wanted=$1
        shift
        (ulimit -s 8192; exec env LD_PRELOAD="$PWD/fault.so" "$@" "$TDPROBE" record --machine "$TD_SRCDIR/sim/machines/sapphirerapids.machine" --fast -o kept -- app) > out 2> err < /dev/null
        code=$? what="a fault in fsync() $*"
        exits "$wanted"
    }
    faults 139; ! grep -q full err || fail "$what: $(cat err)"
    faults 139 FAULT=4194304; ! grep -q full err || fail "$what: $(cat err)"
    faults 69 FAULT=65536; warns "^tdprobe: the stack of 8192 kB is full: 'ulimit -s 32768' before it gives more$"
else
    echo 'faults elsewhere are skipped: no library can be put before the others'
fi

[ ! -e failed ]
