#!/bin/sh
# SPDX-License-Identifier: MIT
# Who takes the program over by a recording finds nothing there: tests/exploited tries what such a recording would. The same
# attempts come through where the sandbox is off. What a usual run does is not refused, wherever its output goes, and where
# the kernel has less of a sandbox, a run is the same as without.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine
traces=$TD_SRCDIR/traces
unset TDPROBE_SANDBOX
exploited=$TD_BUILDDIR/tests/exploited
t doctor
landlock=$(sed -n 's/.*sandbox .*(Landlock, version \([0-9]*\)).*/\1/p' out)
[ "${landlock:-0}" -ge 3 ] && grep -q 'programs are not started' out || { echo "not here: $(grep sandbox out)"; exit 77; }

# ---- recordings ----
cp "$traces/clx-l2.trace" a.trace
cp "$traces/icl-myjoin8.trace" b.trace
cp "$traces/icl-myjoin11.trace" c.trace
cp "$traces/icl-lkml-topdown-intervals.trace" i.trace
cp "$spr" m
t record --functions --machine m --fast -o samples -- x; exits 0
t record --functions --machine m --fast -o samples2 -- x; exits 0
mkdir raw history home outputs
export HOME="$PWD/home"
for n in 1 2; do t record --baseline history --machine m --fast -- x; exits 0; done
for part in events.jsonl metadata.json; do cp "$traces/spr-lkml-perfspect_$part" "raw/host_$part"; done

# what this build cannot do is left out
t compare b.trace c.trace
gsl=true
grep -q 'without GSL' err && { gsl=false; echo 'compare and phases are skipped: tdprobe was built without GSL'; }
t report --debuginfod=http://127.0.0.1:1 samples
servers=true
[ $code -eq 0 ] || { servers=false; echo "no server is asked: $(cat err)"; }
has() { # COMMAND...
    case $1 in compare|phases) $gsl ;; esac
}

# ---- what an exploit can do ----
target=$PWD/target
# x ARGS...: runs the exploited program; tried has what came of each attempt, and out and err the rest
x() {
    rm -rf "$target"
    mkdir "$target"
    echo secret > "$target/secret"
    [ -z "${left-}" ] || echo "$left" > "$target/X"
    TD_OUTSIDE=$$ TD_TARGET=$target "$exploited" "$@" > out 2> all < "${stdin:-/dev/null}"
    code=$?
    what="exploited $*"
    sed -n 's/^attempt: //p' all > tried
    outcomes=";$(tr '\n' ';' < tried)"
    grep -v '^attempt: ' all > err
}
all='read list write make folder link rename truncate mode owner remove exec exec-at socket trace process count unshare clone ring map signal type newer numbers fork'
# came RESULT NAMES...
came() {
    result=$1
    shift
    for name in "$@"; do
        case $name in signal) [ "$landlock" -ge 6 ] || continue ;; esac
        $sanitized && case $name in read|list|trace) continue ;; esac
        case $outcomes in *";$name $result;"*) ;; *) fail "$what: $name is not $result: $(grep "^$name " tried)" ;; esac
    done
}
# Without a sandbox they come through: those that this machine lets nobody do cannot be tried.
TDPROBE_SANDBOX=off x replay a.trace; exits 0
sanitized=false
grep -q '^sanitized' tried && sanitized=true
able=
for name in $all; do
    if grep -qx "$name done" tried; then
        able="$able $name"
    else
        case $name in
        count|unshare|clone|ring|map|process|trace|newer|numbers) echo "$name cannot be done here anyway" ;;
        *) fail "$what: $name is refused without a sandbox: $(grep "^$name " tried)" ;;
        esac
    fi
done
only() { # NAMES...: those of them that this machine lets one do
    for name in "$@"; do case " $able " in *" $name "*) printf '%s ' "$name" ;; esac done
}
# shellcheck disable=SC2046
none_but() { # RESULT of reading elsewhere
    exits "${expect:-0}"
    came "$1" $(only read list)
    came refused $(only write make folder link rename truncate mode owner remove clone signal type newer)
    came killed $(only exec exec-at trace process count unshare ring map numbers)
    came done $(only fork)
    [ "$(ls target)" = secret ] && [ "$(cat target/secret)" = secret ] || fail "$what: left $(ls target)"
}
no_socket() { came refused socket; }
warnless() { ! grep -q 'cannot be opened' err || fail "$what: $(cat err)"; }
strict() { has "$1" || return 0; x "$@"; none_but refused; no_socket; }
lax() { has "$1" || return 0; x "$@"; none_but done; no_socket; }
strict replay a.trace
strict replay i.trace --summary
strict replay a.trace b.trace c.trace
strict replay -J 3 a.trace b.trace c.trace
strict replay "$traces/clx-thread-any-l2.trace" "$traces/clx-lkml-synthesize-text.txt"
strict convert a.trace
strict convert -o outputs/X a.trace; [ -s outputs/X ] || fail "$what: no output"
strict merge -o outputs/M a.trace; [ -s outputs/M ] || fail "$what: no output"
# of the folder of its output nothing else can be written, also where the output replaces a file
for left in '' old; do
    x convert -o "$target/X" a.trace; exits 0
    came refused write make folder link rename truncate mode owner remove
    came killed exec
    cmp -s "$target/X" outputs/X && [ "$(ls -A "$target" | paste -s -d ' ')" = 'X secret' ] && [ "$(cat "$target/secret")" = secret ] || fail "$what: left $(ls -A "$target")"
done
left=
strict phases i.trace
strict compare b.trace c.trace
strict compare b.trace c.trace --vs c.trace b.trace
strict compare --baseline history
# a history is read twice, before programs run and after them
if $gsl; then
    x compare -r 2 --baseline history --machine m -- x
    none_but refused; no_socket
    for name in write make remove rename mode socket; do
        [ "$(grep -c "^$name refused$" tried)" -eq 2 ] || fail "$what: $name: $(grep "^$name " tried)"
    done
fi
stdin=a.trace
strict replay -
stdin=/dev/stdin
cat a.trace | strict replay -
cat a.trace | strict replay
stdin=
mkfifo fifo
timeout 60 sh -c 'cat a.trace > fifo' &
strict replay fifo
wait
strict replay raw
strict replay raw/host_events.jsonl
strict replay a.trace raw
strict replay a.trace raw/host_events.jsonl; warnless
expect=69
strict report a.trace # no samples: nothing is looked for
expect=0
# samples: the programs that they are of may be anywhere
for command in report 'report --by line' 'report --format html -o outputs/X' replay phases; do
    # shellcheck disable=SC2086
    lax $command samples
done
expect=69
lax convert samples # a trace cannot keep them
expect=0
lax compare samples samples2
lax compare b.trace samples samples2
stdin=/dev/stdin
cat samples | lax report -
stdin=
# servers are asked by sockets, where they were named, and files of samples alone
if $servers; then x report --debuginfod=http://127.0.0.1:1 samples; none_but done; came done socket; fi
DEBUGINFOD_URLS=http://127.0.0.1:1 lax report samples
if $servers; then strict replay --debuginfod=http://127.0.0.1:1 a.trace; fi

# ---- what a usual run does ----
# as ARGS...: the same bytes and code as without a sandbox, on stdout, on stderr and in the file X, which is made anew
as() {
    for how in off on; do
        eval "${before:-:}"
        TDPROBE_SANDBOX=$how
        export TDPROBE_SANDBOX
        t "$@"
        { cat out err; echo "exit $code"; cat X 2> /dev/null; ls -l X 2> /dev/null | sed 's/ .*//'; ls | grep tdpart; } > "$how"
        rm -f X
    done
    unset TDPROBE_SANDBOX
    cmp -s off on || fail "$what: with the sandbox: $(diff off on | head -n 5)"
}
for command in 'replay a.trace' 'replay -J 2 a.trace b.trace' 'convert b.trace' 'phases i.trace' 'compare b.trace c.trace' 'report samples' 'replay raw'; do
    # shellcheck disable=SC2086
    has $command || continue
    # shellcheck disable=SC2086
    {
        before=''; as $command; as $command -o X; as $command -o ./X; as $command -o "$PWD/X"; as $command -o nowhere/X; as $command -o /dev/stdout; as $command -o .
        before='echo old > X; chmod 640 X'; as $command -o X
        before='ln -s Y X; rm -f Y'; as $command -o X; [ -s Y ] || fail "$what: nothing came through the link"
        before='ln -s home/Y X; echo old > home/Y'; as $command -o X; ! grep -qx old home/Y || fail "$what: nothing came through the link"
        before='echo left > X.tdpart'; as $command -o X
    }
    # shellcheck disable=SC2086
    {
        t $command; cp out whole
        "$TDPROBE" $command -o fifo & timeout 60 cat fifo > out; wait
        cmp -s out whole || fail "$command -o fifo: other bytes"
        "$TDPROBE" $command -o /dev/fd/5 5> out; cmp -s out whole || fail "$command -o /dev/fd/5: other bytes"
        "$TDPROBE" $command | cat > out; cmp -s out whole || fail "$command in a pipe: other bytes"
    }
done
before=''
as replay missing; as replay a.trace missing; as replay .; ! $gsl || as compare b.trace missing; as replay nowhere/x; as convert -; as replay --kallsyms missing samples
if [ "$(id -u)" -eq 0 ]; then # a file of somebody else's is filled at the end
    before='echo old > X; chown 65534 X'; as replay a.trace -o X
    before=''
fi
if command -v bash > /dev/null; then
    bash -c '"$1" replay <(cat a.trace) -o >(cat > through)' - "$TDPROBE" 2> err; sleep 0.2
    "$TDPROBE" replay a.trace > out; cmp -s out through || fail "process substitution: $(cat err)"
fi
if command -v script > /dev/null && script -qec true /dev/null < /dev/null > /dev/null 2>&1; then # as where devpts is mounted
    for how in off on; do TDPROBE_SANDBOX=$how script -qec "\"$TDPROBE\" replay a.trace -o /dev/tty" /dev/null < /dev/null > "$how"; done
    [ -s on ] && cmp -s off on || fail "-o /dev/tty: $(cat on)"
fi

# However it ends, nothing is left beside the output: that is removed, or named, by a process which outlives this one.
mkfifo slow
mkdir ends
begins() { # CONTENT: replay has begun to write ends/X, and waits for more; its pid
    "$TDPROBE" replay -o ends/X slow > out 2> err &
    pid=$! tries=0
    exec 8> slow
    cat "$1" >&8
    while [ ! -e ends/X.tdpart ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
    [ -e ends/X.tdpart ] || fail "replay -o ends/X: it does not begin: $(cat err)"
    beside=$(grep -ls "^PPid:[[:space:]]*$pid$" /proc/[0-9]*/status | sed 's,[^0-9],,g')
    [ -n "$beside" ] || fail 'replay -o ends/X: there is no other process'
}
head -c 100 a.trace > part
for signal in TERM KILL; do
    begins part
    if [ $signal = TERM ]; then # whoever catches it waits for the other
        kill -STOP "$beside"
        kill -TERM $pid
        sleep 0.3
        grep -q '^State:[[:space:]]*[^Z[:space:]]' /proc/$pid/status || fail 'replay -o ends/X, after TERM: it has not waited'
        kill -CONT "$beside"
    else
        kill -KILL $pid
    fi
    wait $pid 2> wait
    tries=0
    # the signal that nobody can catch is seen by the other process alone
    while [ $signal = KILL ] && [ -e ends/X.tdpart ] && [ $tries -lt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
    [ -z "$(ls ends)" ] || fail "replay -o ends/X, after $signal: left $(ls ends)"
    exec 8>&-
done
begins a.trace
kill -KILL "$beside"
exec 8>&-
wait $pid
code=$? what='replay -o ends/X, whose other process is killed'
exits 74; warns 'ends/X cannot be written: the process of tdprobe.s own that names it was killed'
[ ! -e ends/X ] || fail "$what: it has its name"
t replay -o ends/X a.trace; exits 0; [ "$(ls ends)" = X ] || fail "$what: the next run left $(ls ends)"

# ---- the calls ----
# with the leak sanitizer it ends with an error under strace
if head -c 4 "$TDPROBE" | grep -q ELF && strace -o log "$TDPROBE" --version > out 2> err; then
    for command in 'replay a.trace' 'replay -J 2 a.trace b.trace' 'replay -o X a.trace' 'convert b.trace' 'phases i.trace' 'compare b.trace c.trace' 'report samples' 'replay samples' 'report --format html samples'; do
        # shellcheck disable=SC2086
        has $command || continue
        # shellcheck disable=SC2086
        TDPROBE_SANDBOX=off strace -f -qq -o log.off "$TDPROBE" $command > out 2> err
        # shellcheck disable=SC2086
        strace -f -qq -o log.on "$TDPROBE" $command > out 2> err
        for log in off on; do grep -cE 'E(ACCES|PERM)|SIGSYS' "log.$log" > "refused.$log"; done
        cmp -s refused.off refused.on || fail "$command: refused: $(grep -E 'E(ACCES|PERM)|SIGSYS' log.on)"
        # with two processes, a line may be in two parts
        grep -qE '(SECCOMP_SET_MODE_FILTER|seccomp resumed).* = 0' log.on || fail "$command: no filter: $(grep seccomp log.on)"
        grep -qE 'landlock_restrict_self.* = 0' log.on || fail "$command: no Landlock: $(grep landlock log.on)"
        more=$(($(grep -c '(' log.on) - $(grep -c '(' log.off)))
        [ $more -lt 60 ] || fail "$command: $more more system calls"
    done
    # a kernel with less of it, and a container that forbids it: the same, quietly
    "$TDPROBE" replay a.trace > whole 2> none
    for inject in landlock_create_ruleset:error=ENOSYS landlock_create_ruleset:error=EOPNOTSUPP landlock_create_ruleset:error=EPERM \
        landlock_add_rule:error=EINVAL:when=1 seccomp:error=EINVAL seccomp:error=ENOSYS prctl:error=EINVAL; do
        strace -qq -o log -e inject=$inject "$TDPROBE" replay a.trace > out 2> err || fail "$inject: exit $?"
        cmp -s out whole && cmp -s err none || fail "$inject: other output: $(cat err)"
    done
    # where there can be no second process, files in the folder of the output are allowed instead
    strace -qq -o log -e inject=/^clone:error=EAGAIN "$TDPROBE" replay -o X a.trace > out 2> err || fail "no process: exit $?: $(cat err)"
    cmp -s X whole && [ ! -e X.tdpart ] && grep -q 'clone.*INJECTED' log || fail "no process: other output: $(ls) $(cat err)"
    rm -f X
    # an older version of Landlock is asked for what it has, by its numbers in linux/landlock.h
    older() { # VERSION KINDS OF ACCESS
        strace -qq -X raw -o log -e inject=landlock_create_ruleset:retval=$1:when=1 "$TDPROBE" replay a.trace -o X > out 2> err || fail "version $1: exit $?"
        cmp -s X whole || fail "version $1: other output: $(cat err)"
        grep -q "landlock_create_ruleset({handled_access_fs=$2[,}]" log || fail "version $1: $(grep create_ruleset log)"
        grep -q 'landlock_restrict_self.* = 0' log || fail "version $1: $(grep landlock log)"
        rm X
    }
    older 1 0x1fff; older 2 0x3fff; older 3 0x7fff; older 4 0x7fff; older 5 0xffff; older 6 0xffff
    doctor() { # INJECTED WORDS
        strace -qq -o log -e inject="$1" "$TDPROBE" doctor > out 2> err
        what="doctor with $1"
        says "$2"
    }
    doctor landlock_create_ruleset:error=ENOSYS 'note +sandbox +recordings are read in part of a sandbox: other files can be opened \(no Landlock: Function not implemented\), programs are not started'
    says '-> use Linux 5.13'
    doctor landlock_create_ruleset:error=EOPNOTSUPP 'other files can be opened'; says '-> boot with landlock'
    doctor seccomp:error=EINVAL 'note +sandbox .*other files are refused .*, programs can be started \(no seccomp\)'
else
    echo 'no strace: the calls are not looked at'
fi

# ---- the switch ----
t doctor
if $sanitized; then says '^note +sandbox +recordings are read in part of a sandbox: other files can be read, for this build.s sanitizer, not written'
else says '^ok +sandbox +recordings are read in a sandbox: other files are refused'; fi
TDPROBE_SANDBOX=off t doctor; says 'note +sandbox .*TDPROBE_SANDBOX is off'; says '-> unset TDPROBE_SANDBOX'
# a program with more rights than who calls it does not hear of it
if [ "$(id -u)" -eq 0 ] && ! $sanitized && command -v setpriv > /dev/null; then
    chmod 755 .
    cp "$(command -v id)" id; cp "$exploited" su; chmod 4755 id su
    if [ "$(setpriv --reuid=65534 ./id -u)" = 0 ]; then
        printf '#!/bin/sh\nexec setpriv --reuid=65534 ./su "$@"\n' > caller
        chmod +x caller
        exploited=./caller
        TDPROBE_SANDBOX=off x replay a.trace
        none_but refused
    fi
fi
t doctor --machine m; ! grep -q sandbox out || fail "$what: $(grep sandbox out)"
[ ! -e failed ]
