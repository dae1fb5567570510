#!/bin/sh
# SPDX-License-Identifier: MIT
# As few open files as ulimit -n allows: each run either measures or says how to raise the limit, and leaves no half of a file.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
# Another program that starts it (qemu-user) has needs of its own.
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: the program is started by another one'; exit 77; }
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine

limited() { # N ARGUMENTS...
    limit=$1
    shift
    rm -f new
    ( ulimit -n "$limit" && exec "$TDPROBE" "$@" ) > out 2> err < /dev/null
    code=$?
    what="ulimit -n $limit; tdprobe $*"
}

refused=0 waited=0
for n in 4 5 6 7 8 9 10 11 12 16; do
    for words in '--timeout 100 -x, -o new' '-I 10 --timeout 100' 'record --timeout 100 -o new'; do
        case $words in record*) first=record words=${words#record } ;; *) first=stat ;; esac
        # shellcheck disable=SC2086 # words
        limited "$n" $first --machine "$spr" --fast -a $words
        case $code in
        0) ;;
        69) refused=$((refused + 1)); warns 'ulimit -n'; ! grep -q 'waiting for the command' err || waited=$((waited + 1)) ;;
        74) warns 'cannot be written: Too many open files' ;;
        127) grep -q 'shared librar' err || fail "$what: $(cat err)" ;; # the loader itself needs files
        *) fail "$what: exit $code: $(cat err)" ;;
        esac
    done
done
exits 0 # the last, with 16

# several recordings at once need a pipe each, and fewer at once need less, as is advised
printf '%s\n' 1000,,slots,9,100.00,, 200,,topdown-retiring,9,100.00,, 100,,topdown-bad-spec,9,100.00,, 300,,topdown-fe-bound,9,100.00,, 400,,topdown-be-bound,9,100.00,, > rec.csv
advised=0
for n in 5 6 7 8 9; do
    limited $n replay -J 4 --uarch spr rec.csv rec.csv rec.csv rec.csv
    if [ $code -eq 70 ]; then
        warns "a pipe for a recording's process cannot be made: Too many open files; a smaller -J takes less\$"
        limited $n replay -J 1 --uarch spr rec.csv rec.csv rec.csv rec.csv
        [ $code -ne 0 ] || advised=$((advised + 1))
    fi
done
[ $advised -gt 0 ] || fail 'no limit was too low for four recordings at once and enough for one'
limited 16 replay -J 4 --uarch spr rec.csv rec.csv rec.csv rec.csv; exits 0; empty err
[ $refused -gt 0 ] && [ $waited -gt 0 ] || fail "no limit was too low: $refused refused, $waited while waiting"
[ ! -e failed ]
