#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings compressed by gzip and zstd: every subcommand reads them as the files they hold, in a file, by name among several, through a pipe,
# and within the sandbox; cut off, damaged, too long.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
command -v gzip > /dev/null || { echo 'skipped: no gzip'; exit 77; }
traces=$TD_SRCDIR/traces
pack() { # PROGRAM FILE: to stdout
    case $1 in gzip) gzip -c "$2" ;; zstd) zstd -qc "$2" ;; esac
}
same() { cmp -s "$2" "$3" || fail "$1: $(diff "$2" "$3" | head -n 5)"; }
programs=
for program in gzip zstd; do # of which it was built with the library
    command -v $program > /dev/null || continue
    pack $program "$traces/spr-perf-metrics-l2.trace" > probe
    "$TDPROBE" replay probe > out 2>&1 && programs="$programs $program"
done
case $programs in *gzip*) ;; *) echo 'skipped: built without zlib'; exit 77 ;; esac

# each format, and the binary one, which is read from its end too
for file in spr-perf-metrics-l2.trace icx-perf-metrics-intervals.trace adl-hybrid-csv.csv adl-lkml-topdownl1-text.txt spr-perf61-stat-record.data; do
    case $file in *.trace) cpu= ;; adl*) cpu='--uarch adl' ;; *) cpu='--uarch spr' ;; esac
    for program in $programs; do
        for action in "replay --summary --counts --format json" convert; do
            # shellcheck disable=SC2086
            "$TDPROBE" $action $cpu "$traces/$file" > plain 2> plain.err
            plain=$?
            pack $program "$traces/$file" > packed
            # shellcheck disable=SC2086
            { t $action $cpu packed; exits $plain; same "$what" plain out
            "$TDPROBE" $action $cpu - < packed > out 2> err; same "$action of $file on stdin" plain out
            pack $program "$traces/$file" | "$TDPROBE" $action $cpu - > out 2> err; same "$action of $file in a pipe" plain out; }
        done
    done
done
gzip -c "$traces/icx-perf-metrics-intervals.trace" > a.trace.gz
cp "$traces/icx-perf-metrics-intervals.trace" a.trace
for action in 'phases --format csv' 'compare a.trace --format csv'; do
    # shellcheck disable=SC2086
    { t $action a.trace; mv out plain; t $action a.trace.gz; sed 's/a\.trace\.gz/a.trace/g' out > named; same "$what" plain named; }
done
t replay --format csv a.trace a.trace.gz; exits 0; grep -q ',a.trace.gz$' out || fail "$what: no rows of the second"
t replay a.trace.gz; exits 0; empty err

# what is wrong with the file is said, after the intervals before
head -c 300 a.trace.gz > cut.gz; t replay cut.gz; exits 65; warns 'cut.gz is compressed by gzip, and cut off: it ends in the middle; copy it again'
{ head -c 400 a.trace.gz; printf 'xxxxxxxxxxxxxxxxxxxx'; tail -c +421 a.trace.gz; } > bad.gz; t replay bad.gz; exits 65; warns 'bad.gz is compressed by gzip, and damaged: copy it again'
head -c 200000000 /dev/zero | gzip -9c > long.gz; t replay --uarch spr long.gz; exits 65; warns 'long.gz is compressed by gzip, and becomes more than 250 times as long: if that is right, decompress it first|long.gz.*(longer than|NUL)'
gzip -c < /dev/null > empty.gz; t replay empty.gz; exits 65; warns 'the file is empty'
gzip -c a.trace.gz > twice.gz; t replay twice.gz; exits 65
[ ! -e failed ]
