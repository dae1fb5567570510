#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies of the program with rights that their caller lacks, by set-user-ID, set-group-ID and capabilities of the file: whoever may run
# one gets counters by it, and nothing else of root's: no file read or written, no folder or server of their environment's choice, no
# command run, no registers. And a link that somebody else has put where a report goes is not followed, whoever runs the program.
set -u
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip 'only root makes such copies'
# Another program that starts it (qemu-user) gives it none of the file's rights.
head -c 4 "$TDPROBE" | grep -q ELF || skip 'the program is started by another one'
for tool in setpriv setcap; do command -v $tool > /dev/null || skip "no $tool: apt-get install util-linux libcap2-bin"; done
. "$TD_SRCDIR/tests/scripts/checks.sh"
chmod 711 .
mkdir bin locked evil open sticky own
chmod 700 locked; chmod 777 open evil; chmod 1777 sticky
user=61001 other=61002
chown $user own
as() { # ID COMMAND...
    id=$1
    shift
    setpriv --reuid "$id" --regid "$id" --clear-groups -- "$@"
}

# ---- the copies ----
"$CC" -std=gnu11 -I"$TD_SRCDIR" -I"$TD_BUILDDIR" -include config.h -o bin/seam "$TD_SRCDIR"/tests/scripts/lent_rights.c "$TD_SRCDIR"/os/*.c || fail 'lent_rights.c'
plain=$PWD/bin/plain
cp "$under_test" "$plain"
# a library that is not installed is found by a path in the program, which the loader keeps for such copies too
as $user "$plain" --version > out 2> err || skip "a user may not run the program from there: $(cat err)"
for program in plain seam; do
    for copy in suid sgid caps; do cp "bin/$program" "bin/$program-$copy"; done
    chmod 4755 bin/$program-suid; chmod 2755 bin/$program-sgid
    setcap cap_perfmon,cap_dac_override,cap_dac_read_search,cap_sys_rawio,cap_sys_admin,cap_setuid+ep bin/$program-caps 2> err || skip "no capabilities of files here: $(cat err)"
done

recording() { printf '%s\n' 1000,,slots,9,100.00,, 200,,topdown-retiring,9,100.00,, 100,,topdown-bad-spec,9,100.00,, 300,,topdown-fe-bound,9,100.00,, 400,,topdown-be-bound,9,100.00,,; }
recording > rec.csv; recording > locked/secret.csv
chmod 644 rec.csv
# the sources may lie where the user reaches nothing
cp "$TD_SRCDIR/tests/samples/long.data" long.data; cp "$TD_SRCDIR/sim/machines/sapphirerapids.machine" spr.machine; chmod 644 long.data spr.machine
evil=$PWD/evil
mkdir -p evil/.debug evil/bin; chmod -R 777 evil
# each variable that can change which files are opened, libraries loaded and servers asked
bad_environment="HOME=$evil XDG_CACHE_HOME=$evil XDG_CONFIG_HOME=$evil TMPDIR=$evil DEBUGINFOD_URLS=http://127.0.0.1:9/ DEBUGINFOD_CACHE_PATH=$evil LD_LIBRARY_PATH=$evil LD_PRELOAD=$evil/x.so PERF_BUILDID_DIR=$evil TDPROBE_CACHE=$evil TZDIR=$evil LOCPATH=$evil GCONV_PATH=$evil NLSPATH=$evil/%N"

# COPY ARGS...: as t, by the user
by_user() {
    copy=$1
    shift
    # shellcheck disable=SC2086
    as $user env $bad_environment "$PWD/bin/$copy" "$@" > out 2> err < /dev/null
    code=$?
    what="$copy $*"
}
refused() { [ $code -ne 0 ] || fail "$what: it is done"; }
for copy in plain-suid plain-sgid plain-caps; do
    by_user $copy replay --uarch spr rec.csv; exits 0; says '40.0 %'
    by_user $copy replay --uarch spr locked/secret.csv; refused; warns 'Permission denied'; empty out
    by_user $copy report --uarch spr --kallsyms "$PWD/locked/secret.csv" long.data; refused
    by_user $copy --machine locked/secret.csv -- true; refused; warns 'Permission denied'
    for target in locked/out /etc/tdprobe-lent-rights; do
        by_user $copy replay --uarch spr -o $target rec.csv; refused
        by_user $copy convert --uarch spr -o $target rec.csv; refused
        by_user $copy --machine spr.machine --fast -o $target -- app; refused
        by_user $copy record --machine spr.machine --fast -o $target -- app; refused
        [ ! -e $target ] || { fail "$what: $target is written"; rm -f $target; }
    done
    by_user $copy record --machine spr.machine --fast --baseline "$PWD/locked/history" -- app; refused
    # what is written is the user's
    by_user $copy replay --uarch spr -o own/report rec.csv; exits 0
    [ "$(stat -c %u:%g own/report)" = $user:$user ] || fail "$what: the report is of $(stat -c %u:%g own/report)"
    rm -f own/report
    by_user $copy report --uarch spr --debuginfod long.data; exits 77; warns 'servers are not asked by a program that has more rights'
    by_user $copy report --uarch spr --debuginfod=http://127.0.0.1:9/ long.data; exits 77
done
by_user plain report --uarch spr --debuginfod long.data; [ $code -ne 77 ] || fail "$what: servers are refused without rights"

# ---- rights that cannot be given back: nothing is done with them ----
for copy in plain-caps plain; do # the second one has none
    bin/seam keep $user "$PWD/bin/$copy" replay --uarch spr rec.csv > out 2> err
    code=$?
    [ $code -ne 99 ] || break # no filters of system calls here
    what="$copy that cannot give back"
    [ $copy = plain ] || { exits 77; warns 'rights that its caller lacks could not be given back: Operation not permitted; use a copy of the program without them'; empty out; }
    [ $copy = plain-caps ] || { exits 0; says '40.0 %'; }
done

# ---- what the process has while it runs: only what counts keeps CAP_PERFMON, bit 38, and not in force ----
held() { # CAPABILITIES COPY ARGS...: CapInh, CapPrm, CapEff and CapAmb of the process
    want=$1 copy=$2
    shift 2
    # by no function: $! is then its pid
    setpriv --reuid $user --regid $user --clear-groups -- "$PWD/bin/$copy" "$@" > out 2>&1 < wait &
    pid=$! tries=0
    exec 9> wait
    while [ $tries -lt 50 ] && [ "$(readlink /proc/$pid/exe)" != "$PWD/bin/$copy" ]; do sleep 0.1; tries=$((tries + 1)); done
    sleep 0.5
    ids=$(awk '/^[UG]id:/ { for (i = 2; i <= 5; i++) print $i }' /proc/$pid/status | sort -u | paste -s -d ' ')
    sets=$(awk '/^Cap(Prm|Eff|Inh|Amb):/ { print $2 }' /proc/$pid/status | paste -s -d ' ')
    exec 9>&-
    kill $pid 2> /dev/null
    wait $pid 2> err
    [ "$ids" = $user ] || fail "$copy $*: ids $ids"
    [ "$sets" = "$want" ] || fail "$copy $*: capabilities $sets"
}
mkfifo wait; chmod 666 wait
none=0000000000000000 perfmon=0000004000000000
for copy in plain-suid plain-sgid plain-caps; do
    held "$none $none $none $none" $copy replay --uarch spr -
    may=$perfmon
    case $copy in plain-sgid) may=$none ;; esac
    held "$none $may $none $none" $copy --machine spr.machine -a -I 1000
done

# ---- the seam: counters, registers, a command ----
for copy in seam-suid seam-caps; do
    as $user bin/$copy counters > out
    grep -q "^open, CapEff:.*0000000000000000" out || fail "$copy: a counter of another user's process: $(cat out)"
    as $user bin/$copy run cat /proc/self/status > status || fail "$copy: no command"
    awk '/^[UG]id:/ { print $2, $3, $4, $5 } /^Cap(Prm|Eff|Amb):/ { print $2 }' status | sort -u > has
    printf '%s\n' 0000000000000000 "$user $user $user $user" | cmp -s - has || fail "$copy: its command has $(cat has)"
    # its environment is the caller's
    as $user env HOME=/from/here bin/$copy run sh -c 'echo $HOME' | grep -qx /from/here || fail "$copy: its command has another HOME"
done
as $user bin/seam counters > out; grep -q '^open' out && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] && fail "without rights: $(cat out)"
for copy in seam-suid seam-sgid seam-caps; do
    [ "$(as $user bin/$copy msr)" = 'Operation not permitted' ] || fail "$copy: registers: $(as $user bin/$copy msr)"
done
[ "$(bin/seam msr)" != 'Operation not permitted' ] || [ ! -e /dev/cpu/0/msr ] || fail 'root itself may not open registers'

# ---- the doctor counts what is kept as there ----
by_user plain-suid doctor; says '^note +capability +CAP_PERFMON is there$'
by_user plain-sgid doctor; says '^note +capability +no CAP_PERFMON$'

# ---- which files are opened, and which addresses asked ----
if command -v strace > /dev/null && strace -qq -o trace -e trace=openat true 2> err; then
    for copy in plain plain-suid plain-caps; do
        for words in 'report --uarch spr long.data' 'report --uarch spr --by line long.data' 'doctor' 'explain'; do
            # shellcheck disable=SC2086
            env -i PATH="$PATH" strace -u nobody -qq -f -o trace $(printf -- '-E %s ' $bad_environment) "$PWD/bin/$copy" $words > out 2> err
            grep -q 'exited\|openat\|open(' trace || fail "$copy $words: no trace: $(head -n 3 err)"
            grep -F "$evil" trace | grep -v 'execve(' > forbidden
            grep -E 'connect\(|AF_INET|O_RDWR.*"/dev/cpu' trace >> forbidden
            cat forbidden >> forbidden-$copy
        done
    done
    [ -s forbidden-plain ] || fail 'without rights, the environment is to lead somewhere; this test sees nothing'
    for copy in plain-suid plain-caps; do [ ! -s forbidden-$copy ] || fail "$copy: $(head -n 5 forbidden-$copy)"; done
else
    echo "without strace: the files that are opened are not looked at"
fi

# ---- links that others have put there, for the plain program ----
for folder in open sticky; do
    for writes in 'replay --uarch spr rec.csv' 'convert --uarch spr rec.csv' "--machine spr.machine --fast -- app" "record --machine spr.machine --fast -- app"; do
        echo precious > own/file; chown $user own/file
        first=${writes%% --*} rest=${writes#"$first"}
        [ "$first" != "$writes" ] || rest=
        case $writes in --*) first='' rest=$writes ;; esac
        for link in foreign chain; do
            rm -f $folder/link own/link
            as $other ln -s "$PWD/own/file" $folder/link
            at=$folder/link
            [ $link = foreign ] || { as $user ln -s "../$folder/link" own/link; at=own/link; }
            # shellcheck disable=SC2086
            as $user "$plain" $first -o $at $rest > out 2> err
            code=$? what="-o $at, $writes"
            [ $code -ne 0 ] || fail "$what: it is done"
            [ "$(cat own/file)" = precious ] || { fail "$what: the file that somebody else's link names is overwritten"; echo precious > own/file; }
        done
        # shellcheck disable=SC2086
        [ $folder != open ] || { as $user "$plain" $first -o open/link $rest 2> err; grep -q 'open/link .*it is a link that belongs to another user' err || fail "$writes: $(cat err)"; }
        # the user's own link, and one of root's, are followed
        for owner in $user 0; do
            rm -f $folder/link; echo precious > own/file
            as $owner ln -s ../own/file $folder/link 2> err || { ln -s ../own/file $folder/link; }
            # in a sticky folder the kernel itself may refuse root's
            # shellcheck disable=SC2086
            as $user "$plain" $first -o $folder/link $rest > out 2> err
            code=$? what="-o $folder/link of $owner, $writes"
            [ $code -eq 0 ] && [ "$(cat own/file)" != precious ] || fail "$what: exit $code: $(cat err)"
            [ -L $folder/link ] || fail "$what: it is no link any more"
        done
    done
done
ln -s loop open/loop
t replay --uarch spr -o open/loop rec.csv; exits 74; warns 'leads in a circle'
# magic links: the file is the one that is open, whatever its name says
"$under_test" replay --uarch spr -o /dev/stdout rec.csv 2> err | grep -q '40.0 %' || fail "-o /dev/stdout: $(cat err)"
[ ! -e failed ]
