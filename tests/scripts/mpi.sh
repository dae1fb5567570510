#!/bin/sh
# SPDX-License-Identifier: MIT
# A job of four that Open MPI starts, each recorded by its own tdprobe on a simulated machine of which one is slow: the
# merged shares and the imbalance are what the machines' descriptions say.
set -u
command -v mpirun > /dev/null || { echo "mpirun (Debian's openmpi-bin) is not installed"; exit 77; }
head -c 4 "$TDPROBE" | grep -q ELF || { echo "tdprobe does not run here by itself"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
bad=0
fail() { echo "FAIL: $*"; bad=1; }
mpi() { mpirun --allow-run-as-root --oversubscribe --mca plm isolated --mca btl self,vader "$@"; }
mpi -n 1 true > out 2>&1 || { echo "mpirun starts nothing here: $(tail -n 3 out)"; exit 77; }

# By hand: the slow one retires half as much of its slots, which wait for memory instead: 12.5 % and 62.5 %.
cp "$TD_SRCDIR/sim/machines/icelake.machine" 0.machine; cp 0.machine 1.machine; cp 0.machine 3.machine
sed 's/^phase ms=10 .*/phase ms=10 retiring=0.125 bad=0.125 frontend=0.140625 backend=0.609375/; s/^count 0x2a4 0.484375/count 0x2a4 0.609375/; s/^count 0x2c2 0.25 /count 0x2c2 0.125 /' 0.machine > 2.machine
# shellcheck disable=SC2016 # each rank has its own
mpi -n 4 sh -c 'exec "$TDPROBE" record --machine $OMPI_COMM_WORLD_RANK.machine --fast -I 50 -o job.%r.%h.trace -- app' > log 2>&1 || fail "the job: $(cat log)"
for r in 0 1 2 3; do
    [ -s "job.$r.$(uname -n).trace" ] || fail "rank $r left no trace: $(ls)"
    grep -qx "# x-rank: $r of 4" "job.$r.$(uname -n).trace" || fail "rank $r is not named in its trace"
done
"$TDPROBE" merge job.*.trace -o all.trace > out 2> err || fail "merge: $(cat err)"
[ ! -s err ] || fail "merge: $(cat err)"
# three times 25 and 12.5, three times 50 and 62.5, of as many slots each
grep -qE '^  retiring +21\.9 % +12\.5 % +21\.9 % +25\.0 %  rank2 ' out || fail "retiring: $(cat out)"
grep -qE '^  backend_bound +53\.1 % +50\.0 % +53\.1 % +62\.5 %  rank2 ' out || fail "backend bound: $(cat out)"
"$TDPROBE" replay --summary-only --format csv all.trace 2> err | awk -F, '
    BEGIN { truth["retiring"] = 0.21875; truth["backend_bound"] = 0.53125; truth["bad_speculation"] = truth["frontend_bound"] = 0.125 }
    $2 == "app" && $6 in truth { d = $7 - truth[$6]; n += d < 1e-4 && d > -1e-4 } END { exit n != 4 }' ||
    fail "not the truth: $("$TDPROBE" replay --summary-only --format csv all.trace | grep -v rank)"
rm -f job.3.*
"$TDPROBE" merge job.*.trace -o all.trace > out 2> err || fail "merge: $(cat err)"
grep -qx 'tdprobe: absent of 4 ranks: 3; the sums are those of the others' err || fail "nothing of rank 3: $(cat err)"
exit $bad
