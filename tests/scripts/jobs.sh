#!/bin/sh
# SPDX-License-Identifier: MIT
# replay of several recordings: with any -J the same bytes on stdout and stderr, in the same
# order, and the same exit code as one after another, each with its own tdprobe; but for the names of the files (apart.sh).
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
fail() { echo "FAIL: $*"; : > "$tmp/failed"; }
traces=$TD_SRCDIR/traces
cd "$traces" || exit 99

# t ARGS...: runs the program; code, out and err are its results, both has out and err in their order
t() {
    "$TDPROBE" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
    code=$?
    what="tdprobe $*"
}
exits() { [ $code -eq "$1" ] || fail "$what: exit $code, not $1: $(cat "$tmp/err")"; }
warns() { grep -qE -- "$1" "$tmp/err" || fail "$what: stderr lacks '$1': $(cat "$tmp/err")"; }
empty() { [ ! -s "$tmp/$1" ] || fail "$what: $1 is not empty"; }
unnamed() { # FILE: without the names of the files, which one recording alone does not get
    sed -E '/^# ([^ ]+\.(trace|csv|json|txt|data)|[.-])$/d; s/"file":"[^"]*",//; /^time,/s/,file$//; s/,[^,"]*\.(trace|csv|json|txt|data)$//' "$1" > "$1.unnamed" && mv "$1.unnamed" "$1"
}
same() { # N FILE...: the same as one after another
    n=$1
    shift
    : > "$tmp/out1"
    : > "$tmp/err1"
    : > "$tmp/all1"
    first=0
    for file in "$@"; do
        # shellcheck disable=SC2086 # words
        "$TDPROBE" replay $options "$file" >> "$tmp/out1" 2>> "$tmp/err1" < /dev/null || { code=$?; [ $first -ne 0 ] || first=$code; }
        # shellcheck disable=SC2086
        "$TDPROBE" replay $options "$file" >> "$tmp/all1" 2>&1 < /dev/null
    done
    # shellcheck disable=SC2086
    t replay $options ${n:+-J "$n"} "$@"
    exits $first
    unnamed "$tmp/out"
    cmp -s "$tmp/out" "$tmp/out1" || fail "$what: stdout differs: $(diff "$tmp/out" "$tmp/out1" | head -n 5)"
    cmp -s "$tmp/err" "$tmp/err1" || fail "$what: stderr differs: $(diff "$tmp/err" "$tmp/err1" | head -n 5)"
    # shellcheck disable=SC2086
    "$TDPROBE" replay $options ${n:+-J "$n"} "$@" > "$tmp/all" 2>&1 < /dev/null
    unnamed "$tmp/all"
    cmp -s "$tmp/all" "$tmp/all1" || fail "$what: messages and results in another order: $(diff "$tmp/all" "$tmp/all1" | head -n 5)"
}

some=$(for file in *.trace *.csv *.json *.txt *.data; do [ ! -e "$file" ] || echo "$file"; done | awk 'NR % 9 == 1')
for options in '--counts' '--summary-only --format csv' '--format json --summary'; do
    for n in '' 1 3 100; do
        # shellcheck disable=SC2086
        same "$n" $some
    done
done
options=
one=icl-truth-cpu-restored.trace
[ -e $one ] || one=$(echo "$some" | head -n 1)
same 2 $one $one $one
same 2 $one no-such-file $one .
same 2 no-such-file-either $one

# more than a pipe holds, and the first one ends last
awk 'BEGIN {
    for (i = 1; i <= 4000; i++) {
        n = split("slots 1000 topdown-retiring 250 topdown-bad-spec 100 topdown-fe-bound 300 topdown-be-bound 350", w, " ")
        for (k = 1; k < n; k += 2) printf "%d.000000000,%d,,%s,1000,100.00,,\n", i, w[k + 1] * 1000 + i, w[k]
    }
}' > "$tmp/long.csv"
head -n 50 "$tmp/long.csv" > "$tmp/short.csv"
options='--uarch spr --format json'
same 3 "$tmp/long.csv" "$tmp/short.csv" "$tmp/long.csv" "$tmp/long.csv" "$tmp/short.csv"
[ "$(wc -l < "$tmp/out")" -eq 12025 ] || fail "$what: $(wc -l < "$tmp/out") lines, not 12020 results and the tree of each file"

# stdin, only once
"$TDPROBE" replay -J 2 --uarch spr "$tmp/short.csv" - < "$tmp/short.csv" > "$tmp/out" 2> "$tmp/err" || fail "-: exit $?"
"$TDPROBE" replay -J 2 --uarch spr "$tmp/short.csv" "$tmp/short.csv" > "$tmp/out1"
unnamed "$tmp/out"; unnamed "$tmp/out1"
cmp -s "$tmp/out" "$tmp/out1" || fail "- is not as the file"
t replay - "$tmp/short.csv" -; exits 64; warns 'only once'; empty out

# usage
for n in 0 x -1 1025 ''; do t replay -J "$n" $one $one; exits 64; warns '-J'; empty out; done
t replay --jobs=2 $one $one; exits 0

# -o: all or nothing
t replay -J 2 -o "$tmp/file" $one $one; exits 0; empty out
t replay $one; cat "$tmp/out" "$tmp/out" > "$tmp/out1"; unnamed "$tmp/file"; cmp -s "$tmp/file" "$tmp/out1" || fail "-o: not the same"
# a recording without an answer is no failure of the output, but the exit code says so
silent=skl-lkml-kernel-topdown-garbage.csv
options='--uarch skl'
same 2 skl-l2.trace $silent skl-l2.trace
t replay -J 2 --uarch skl -o "$tmp/file" skl-l2.trace $silent; exits 69; empty out
t replay -J 2 --uarch skl skl-l2.trace $silent; exits 69; cmp -s "$tmp/file" "$tmp/out" || fail "-o: not the same after 69"
echo old > "$tmp/file"
t replay -J 2 --uarch skl -o "$tmp/file" $silent no-such-file; exits 69
[ "$(cat "$tmp/file")" = old ] || fail "-o: written although the second failed"
options=
t replay -J 2 -o "$tmp/file" $one no-such-file $one; exits 65
[ "$(cat "$tmp/file")" = old ] || fail "-o: written although one failed"
[ "$(find "$tmp" -name 'file*' | wc -l)" -eq 1 ] || fail "-o: leftovers"

# write errors end all of them
if [ -w /dev/full ]; then
    "$TDPROBE" replay -J 3 --uarch spr "$tmp/long.csv" "$tmp/long.csv" "$tmp/long.csv" > /dev/full 2> "$tmp/err"
    code=$? what='replay -J 3 > /dev/full'
    exits 74; warns 'stdout cannot be written: No space'
    [ "$(wc -l < "$tmp/err")" -eq 1 ] || fail "$what: $(cat "$tmp/err")"
fi

# so does the end of their parent, here by a signal while all wait
mkfifo "$tmp/fifo1" "$tmp/fifo2"
exec 8<> "$tmp/fifo1" 9<> "$tmp/fifo2"
"$TDPROBE" replay -J 2 --uarch spr "$tmp/fifo1" "$tmp/fifo2" > "$tmp/out" 2> "$tmp/err" &
parent=$!
children() { ps -o pid= --ppid "$1" 2> /dev/null; }
if command -v ps > /dev/null; then
    for try in 1 2 3 4 5 6 7 8 9 10; do
        set -- $(children $parent)
        [ $# -lt 2 ] || break
        sleep "0.$try"
    done
    [ $# -eq 2 ] || fail "-J 2: $# processes"
    kill -TERM $parent
    wait $parent
    [ $? -eq 143 ] || fail "a signal: exit $?"
    for try in 1 2 3 4 5 6 7 8 9 10; do
        left=
        # a zombie that nobody waits for does not count
        for child in "$@"; do ! grep -q ') [^Z]' "/proc/$child/stat" 2> /dev/null || left="$left $child"; done
        [ -n "$left" ] || break
        sleep "0.$try"
    done
    [ -z "$left" ] || fail "left behind:$left"
else
    kill -TERM $parent
fi
exec 8>&- 9>&-

# a recording's process that is killed is named, and the other recording is printed nevertheless; and both, if none is
killed() { # SIGNAL: for the process of the first recording; 0: none
    signal=$1 what="replay -J 2, signal $1"
    rm -f "$tmp/fifo1"
    mkfifo "$tmp/fifo1"
    "$TDPROBE" replay -J 2 --uarch spr --format csv "$tmp/fifo1" "$tmp/short.csv" > "$tmp/out" 2> "$tmp/err" &
    parent=$!
    exec 8> "$tmp/fifo1" # when the process has opened it to read
    kill "-$signal" $(children $parent | head -n 1)
    [ "$signal" -ne 0 ] || cat "$tmp/short.csv" >&8
    exec 8>&-
    wait $parent
    code=$?
}
if command -v ps > /dev/null; then
    killed 9; exits 70; warns "^tdprobe: $tmp/fifo1: its process was killed by signal 9\$"
    ! grep -q fifo1 "$tmp/out" && grep -q short.csv "$tmp/out" || fail "$what: not the second recording alone"
    killed 0; exits 0; empty err
    grep -q fifo1 "$tmp/out" && grep -q short.csv "$tmp/out" || fail "$what: not both recordings"
fi

# what all of them need fails, by a library that is put before the others: a pipe, a process, waiting, memory
cat > "$tmp/fault.c" << 'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fails(const char *call)
{
    const char *which = getenv("FAULT");

    errno = EAGAIN;
    return which && !strcmp(which, call);
}
int pipe(int ends[2])
{
    return fails("pipe") ? -1 : ((int (*)(int *))dlsym(RTLD_NEXT, "pipe"))(ends);
}
pid_t fork(void)
{
    return fails("fork") ? -1 : ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
}
int poll(struct pollfd *of, nfds_t n, int ms)
{
    return fails("poll") ? -1 : ((int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll"))(of, n, ms);
}
void *realloc(void *at, size_t size)
{
    return size == 2 * 64 * 1024 && fails("realloc") ? NULL : ((void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc"))(at, size);
}
EOF
if ! ldd "$TDPROBE" 2> /dev/null | grep -q 'asan\|tsan\|ubsan' && ${CC:-cc} -shared -fPIC -o "$tmp/fault.so" "$tmp/fault.c" 2> /dev/null; then
    fault() { # CALL
        FAULT=$1 LD_PRELOAD="$tmp/fault.so" "$TDPROBE" replay -J 2 --uarch spr "$tmp/short.csv" "$tmp/short.csv" > "$tmp/out" 2> "$tmp/err"
        code=$? what="replay -J 2, $1 fails"
    }
    advice='Resource temporarily unavailable; a smaller -J takes less$'
    fault pipe; exits 70; empty out; warns "^tdprobe: a pipe for a recording's process cannot be made: $advice"
    fault fork; exits 70; empty out; warns "^tdprobe: a recording's process cannot be started: $advice"
    fault poll; exits 70; empty out; warns "^tdprobe: waiting for the recordings failed: $advice"
    fault realloc; exits 70; empty out; warns "^tdprobe: the output of a recording cannot be kept: $advice"
    fault none; exits 0; empty err
else
    echo 'faults are skipped: no library can be put before the others'
fi

[ ! -e "$tmp/failed" ]
