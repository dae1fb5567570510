#!/bin/sh
# SPDX-License-Identifier: MIT
# Bundles: tdprobe selftest and doctor write them, listed and whole or not at all; replay reads them as the recordings that are in them,
# refuses what is cut, and leaves out what no bundle has.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

machines=$TD_SRCDIR/sim/machines spr=spr.machine
sed '/^cpus /s/ smt=2//' "$machines/sapphirerapids.machine" > spr.machine # siblings have a bundle of their own below
kernels='adds chain divider branches icache chase-l1 chase-memory dtlb'

# ---- written: as it is listed, as tar has it ----
t selftest --machine "$spr" --bundle spr.tar; exits 0; empty err
cp out selftest
says '^spr\.tar will have, and nothing else:$'
sed -n 's/^  \([a-z0-9./-]*\) *\([0-9]*\) bytes  [a-z]*$/\2 \1/p' selftest > listed
lines listed 28 # about, machine, doctor.json, selftest.json; 8 kernels by task, CPU and register
tar -xf spr.tar || fail 'tar cannot read it'
while read -r bytes name; do [ "$(wc -c < "tdprobe-bundle/$name")" -eq "$bytes" ] || fail "$name has not $bytes bytes"; done < listed
[ "$(find tdprobe-bundle -type f | wc -l)" -eq 28 ] || fail "the archive has other files: $(find tdprobe-bundle -type f)"
[ "$(tar --numeric-owner -tvf spr.tar | awk '{ print $1, $2 }' | sort -u)" = '-rw-r--r-- 0/0' ] || fail "owners or modes: $(tar -tvf spr.tar | head -n 3)"
[ "$(head -n 1 tdprobe-bundle/machine)" = '# cpu: GenuineIntel-6-8F-8' ] || fail "the first line of machine: $(head -n 1 tdprobe-bundle/machine)"
# all that is said of the CPU and its PMU is the machine's
grep -E '^(cpuid|format|caps|event) ' "$spr" | sed 's/0x0*\([0-9a-f]\)/0x\1/g; s/ = /=/' | sort > want
grep -E '^(cpuid|format|caps|event) ' tdprobe-bundle/machine | sed 's/0x0*\([0-9a-f]\)/0x\1/g; s/ = /=/' | sort > got
cmp want got || fail "machine: $(diff want got)"
grep -q '^# /proc/sys/kernel/perf_event_paranoid: 2$' tdprobe-bundle/machine || fail 'machine has no paranoid'
grep -q '"type":"diagnosis","usable":true' tdprobe-bundle/doctor.json || fail "doctor.json: $(tail -n 1 tdprobe-bundle/doctor.json)"
t selftest --machine "$spr" --json; exits 0; cmp out tdprobe-bundle/selftest.json || fail 'selftest.json is not what --json prints'
t selftest --machine "$spr"; exits 0; head -n 10 selftest | cmp out - || fail 'a bundle changes what is printed'
t selftest --machine "$spr" --kernel chain --json --bundle j.tar; exits 0; lines out 3
says '^\{"bundle":"j\.tar","files":\[\{"name":"about","bytes":[0-9]+,"what":"version"\},.*"name":"traces/chain-msr\.trace"'

# what was counted while a sibling was busy: beside the other traces, and the siblings of each core
t selftest --machine "$machines/sapphirerapids.machine" --kernel chain --bundle smt.tar; exits 0
t replay --format csv --summary-only smt.tar; exits 0
[ "$(awk -F, '$NF != "file" && !seen[$NF]++ { printf "%s ", $NF }' out)" = 'chain-task chain-cpu chain-msr chain-task-busy chain-cpu-busy chain-msr-busy ' ] || fail "smt.tar: $(cat out)"
tar -xOf smt.tar tdprobe-bundle/machine | grep '^# siblings' > got; for n in 0 1 2 3 4 5 6 7; do echo "# siblings: $n,$((n + 8))"; done | cmp - got || fail "siblings: $(cat got)"
! grep -q siblings tdprobe-bundle/machine || fail 'siblings of cores that have one thread'

# ---- it has nothing of who made it ----
t selftest --kernel adds --bundle here.tar # this machine: measured or not
case $code in 0 | 1 | 69 | 77) ;; *) fail "$what: exit $code: $(cat err)" ;; esac
[ $code -ne 69 ] || says 'here\.tar will have'
for secret in "$(uname -n)" "$tmp" "${HOME:-/root}/" "$(id -un)@"; do
    [ ${#secret} -lt 8 ] || for tar in spr.tar here.tar; do ! grep -qaF -- "$secret" $tar || fail "$tar has '$secret'"; done
done
! grep -qaE '^cpuid 0x3 |x-host' spr.tar here.tar || fail 'a serial number, or the name of the host'

# ---- read: each recording with its name, and the same as alone ----
t replay --format csv --summary-only spr.tar; exits 0; empty err
awk -F, '$NF != "file" && !seen[$NF]++ { print $NF }' out > names
for kernel in $kernels; do for way in task cpu msr; do echo "$kernel-$way"; done; done | cmp - names || fail "names: $(cat names)"
for kernel in $kernels; do
    grep ",$kernel-task\$" out > part
    t replay --format csv --summary-only tdprobe-bundle/traces/$kernel-task.trace; exits 0
    sed "1d; s/\$/,$kernel-task/" out | cmp - part || fail "$kernel-task: not as alone"
    t replay --format csv --summary-only spr.tar
done
cp out whole
t replay -J 2 --format csv --summary-only spr.tar; exits 0; cmp out whole || fail '-J 2'
"$TDPROBE" replay --format csv --summary-only - < spr.tar > out || fail 'stdin'; cmp out whole || fail 'stdin'
cat spr.tar | "$TDPROBE" replay --format csv --summary-only > out || fail 'a pipe'; cmp out whole || fail 'a pipe'
tar --format=gnu -cf gnu.tar ./tdprobe-bundle && t replay --format csv --summary-only gnu.tar && exits 0 && [ "$(wc -l < out)" -eq "$(wc -l < whole)" ] || fail 'by GNU tar'
t replay --summary-only spr.tar tdprobe-bundle/traces/adds-cpu.trace; exits 0; says '^# spr\.tar:chain-msr$'; says '^# tdprobe-bundle/traces/adds-cpu\.trace$'
t replay -o result --summary-only spr.tar; exits 0; [ "$(grep -c '^# ' result)" -eq 24 ] || fail 'not 24 in a file'
commands='report convert'
t compare spr.tar spr.tar
if grep -q 'without GSL' err; then
    echo 'compare and phases are skipped: tdprobe was built without GSL'
else
    exits 65; warns "'tdprobe replay'"
    commands="$commands phases"
fi
for command in $commands; do t $command spr.tar; exits 65; warns "spr\\.tar: is an archive, which 'tdprobe replay' reads"; lines err 1; done

# ---- doctor's: no recordings ----
t doctor --machine "$machines/graviton4.machine" --bundle doctor.tar; exits 0; says '^doctor\.tar will have'; says '^  machine '
tar -xOf doctor.tar tdprobe-bundle/machine > machine; grep -q '^midr 0x0*410fd4f1$' machine || fail "midr: $(cat machine)"
tar -xOf doctor.tar tdprobe-bundle/doctor.json > findings; t doctor --machine "$machines/graviton4.machine" --json; cmp out findings || fail 'doctor.json is not what --json prints'
t replay doctor.tar; exits 65; warns 'doctor\.tar: is an archive without recordings'
t doctor --features --bundle x.tar; exits 64
t selftest --list --bundle x.tar; exits 64
t selftest --run adds --bundle x.tar; exits 64
t selftest --machine "$machines/guest-without-pmu.machine" --bundle guest.tar; exits 69; says '^  doctor\.json'
tar -xOf guest.tar tdprobe-bundle/doctor.json | grep -q '"kind":"obstacle","layer":"guest"' || fail 'the bundle of a guest does not say what is hidden'
# hybrids: what CPUID has of each kind of core, and both PMUs
t doctor --machine "$machines/alderlake.machine" --bundle adl.tar; exits 0; tar -xOf adl.tar tdprobe-bundle/machine > machine
grep -q '^event cpu_atom topdown' machine && grep -q '^event cpu_core slots' machine && grep -qE '^cpuid 0x1a = .* cpus=' machine || fail "alderlake: $(cat machine)"

# a machine with one CPU; and a CPU that it has not
sed 's/^cpus .*/cpus 0/; s/cpus=0-15/cpus=0/; /^task /d; /^cgroup/d' "$spr" > one.machine
t selftest --machine one.machine --kernel chain --bundle one.tar; exits 0; says '^ok +chain .* by task, cpu, msr$'; t replay one.tar; exits 0; says '^# chain-msr$'
tar -xOf one.tar tdprobe-bundle/machine > machine; grep -q '^# smt: off$' machine && grep -q 'cpu/online: 0$' machine || fail "one CPU: $(cat machine)"
t selftest --machine one.machine -C 1 --kernel chain --bundle one1.tar; exits 69; says '^skipped +chain'; says '^  selftest\.json'; t replay one1.tar; exits 65; warns 'without recordings'

# ---- a disk that is full, a folder that is not there: nothing is left ----
t selftest --machine "$spr" --kernel adds --bundle /dev/full; exits 74; warns '/dev/full cannot be written: No space'
t selftest --machine "$spr" --kernel adds --bundle no/such.tar; [ $code -ne 0 ] || fail "$what: exit 0"; warns 'no/such.tar cannot be written'
echo kept > old.tar
(ulimit -f 4; trap '' XFSZ; "$TDPROBE" selftest --machine "$spr" --bundle old.tar > /dev/null 2> err; [ $? -eq 74 ]) || fail "a limit of file sizes: $(cat err)"
[ "$(cat old.tar)" = kept ] || fail 'what was there is lost'
[ "$(echo ./*.tar*)" = "$(echo ./*.tar)" ] || fail "something is left: $(echo ./*.tar*)"
"$TDPROBE" selftest --machine "$spr" --kernel adds --bundle unseen.tar > /dev/full 2> err; [ $? -eq 74 ] || fail 'a list that nobody can see'
[ ! -e unseen.tar ] || fail 'it is written though the list could not be'

if unshare -m mount -t tmpfs -o size=16k none . 2> /dev/null; then
    mkdir full # smaller than the bundle, larger than its first blocks
    unshare -m sh -c 'mount -t tmpfs -o size=16k none full && cd full && "$1" selftest --machine ../spr.machine --kernel adds --bundle b.tar > ../out 2> ../err; echo $? > ../code; ls -A > ../left' sh "$(realpath "$TDPROBE")"
    code=$(cat code) what='a file system of 16 KiB'; exits 74; warns '^tdprobe: b\.tar cannot be written: No space left on device'; lines err 1; empty left
    grep -q '^b\.tar will have' out || fail "$what: $(cat out)"
else
    echo 'a full file system is skipped: a tmpfs cannot be mounted here'
fi

# ---- cut at each place ----
size=$(wc -c < j.tar)
end=$((size - 1024))
for cut in 512 513 1000 1024 1536 $((end / 2)) $((end - 512)) $((end - 1)) $end; do
    head -c $cut j.tar > cut.tar
    t replay cut.tar; exits 65; empty out; warns "^tdprobe: cut\\.tar: is no whole bundle: it is cut"; lines err 1
done
gzip -k j.tar 2> /dev/null && { t replay j.tar.gz; exits 65; warns 'gzip -dc j\.tar\.gz \| tdprobe replay -'; gzip -dc j.tar.gz | "$TDPROBE" replay - > out 2> err || fail "the advice: $(cat err)"; }

# ---- entries that were made to harm ----
python3 -c '' 2> /dev/null || { [ ! -e failed ]; exit; }
cat > made.py << 'END'
import io, sys, tarfile
trace = open("tdprobe-bundle/traces/chain-cpu.trace", "rb").read()
def write(path, *entries):
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as t:
        for name, content, more in entries:
            e = tarfile.TarInfo(name)
            e.size = len(content)
            for key, value in more.items():
                setattr(e, key, value)
            t.addfile(e, io.BytesIO(content))
good = ("tdprobe-bundle/traces/good.trace", trace, {})
write("names.tar", ("/traces/root.trace", trace, {}), ("../traces/up.trace", trace, {}), ("b/../traces/in.trace", trace, {}), ("b/traces/..", trace, {}),
      ("b/traces/\x1b[31mred.trace", trace, {}), good)
write("kinds.tar", ("b/traces/link.trace", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}), ("b/traces/hard.trace", b"", {"type": tarfile.LNKTYPE, "linkname": "x"}),
      ("b/traces/null.trace", b"", {"type": tarfile.CHRTYPE}), ("b/traces/fifo.trace", b"", {"type": tarfile.FIFOTYPE}), good)
write("twice.tar", good, ("tdprobe-bundle/traces/good.trace", b"evil", {}))
write("many.tar", *(("b/traces/%d.trace" % i, b"", {}) for i in range(1005)))
write("crowd.tar", *(("b/x%d" % i, b"", {}) for i in range(10001)))
write("bad.tar", ("b/traces/bad.trace", b"no trace\n", {}), good)
write("other.tar", ("a.c", b"int a;\n", {}))
def change(path, at, field, fix=True):
    data = bytearray(open("good.tar", "rb").read())
    data[at:at + len(field)] = field
    if fix:
        data[148:156] = b" " * 8
        data[148:156] = b"%06o\0 " % sum(data[:512])
    open(path, "wb").write(data)
write("good.tar", good)
change("large.tar", 124, b"77777777777\0")
change("huge.tar", 124, b"\x80" + 10 * b"\xff" + b"\xff")
change("negative.tar", 124, b"-0000000001\0")
change("short.tar", 124, b"00000000001\0") # then a block of the content is no header
change("sum.tar", 0, b"X", False)
END
python3 made.py || fail 'made.py'
t replay --summary-only good.tar; exits 0; cp out good; head -n 1 out | grep -qx '# good' || fail "good: $(cat out)"
t replay --summary-only names.tar; exits 0; cp out got; grep -v '^# .*red$' got > /dev/null; lines err 4
for name in /traces/root.trace ../traces/up.trace b/../traces/in.trace b/traces/..; do grep -qF "names.tar: '$name' is left out: its name leads out" err || fail "$name: $(cat err)"; done
says '^# \\x1b\[31mred$'; says '^# good$'; [ "$(grep -c '^# ' out)" -eq 2 ] || fail "names.tar: $(cat out)"
t replay --summary-only kinds.tar; exits 0; lines err 4; [ "$(grep -c 'is left out: it is a link or a device' err)" -eq 4 ] || fail "kinds.tar: $(cat err)"; cmp out good || fail 'kinds.tar'
t replay --summary-only twice.tar; exits 0; lines err 1; warns 'another of that name'; cmp out good || fail 'twice.tar'
t replay many.tar; [ $code -ne 0 ] || fail 'many.tar: exit 0'; warns '1000\.trace. is left out: the bundle has too many recordings'
t replay crowd.tar; exits 65; warns 'has more than 10000 entries'; lines err 1
t replay --summary-only bad.tar; exits 65; says '^# good$'; warns 'bad\.tar:traces/bad\.trace'
t replay other.tar; exits 65; warns "archive without recordings.*'tar -tf'"
t replay large.tar; exits 65; lines err 1; warns 'it is cut, or its sizes are wrong: .tdprobe-bundle/traces/good.trace. has 8589934591 bytes, and [0-9]+ are left'
for name in huge negative; do t replay $name.tar; exits 65; lines err 1; warns 'the size of .* is no number'; done
t replay short.tar; exits 65; lines err 1; warns 'at byte 1024 there is no entry'
t replay sum.tar; exits 65 # no archive by its checksum, and no recording

# ---- a vector of it, with one command ----
mkdir traces && cp "$TD_SRCDIR/traces/vectors.mk" traces
python3 "$TD_SRCDIR/tests/import/bundle" --tdprobe "$TDPROBE" --traces traces spr.tar spr-made 'A simulated machine.' > out 2> err; code=$? what='tests/import/bundle'
exits 0; lines out 24
grep -v spr-made traces/vectors.mk | cmp - "$TD_SRCDIR/traces/vectors.mk" || fail 'vectors.mk lost something'
[ "$(grep -c 'spr-made.*expect' traces/vectors.mk)" -eq 24 ] && [ "$(grep -c 'spr-made.*trace' traces/vectors.mk)" -eq 24 ] || fail 'vectors.mk'
cmp traces/spr-made-chain-cpu.trace tdprobe-bundle/traces/chain-cpu.trace || fail 'a trace is another'
for kernel in $kernels; do
    sh "$TD_SRCDIR/tests/scripts/run-vector" traces/spr-made-$kernel-cpu.expect > out && fail "$kernel: passes before the review"
    grep -q '^work the numbers' out || fail "$kernel: $(cat out)"
    sed -i '/^review:/d' traces/spr-made-$kernel-cpu.expect
    sh "$TD_SRCDIR/tests/scripts/run-vector" traces/spr-made-$kernel-cpu.expect || fail "$kernel: as a vector"
done
grep -q '^expect: time=[0-9.]* backend_bound 93\.7 %$' traces/spr-made-chain-cpu.expect || fail "chain: $(cat traces/spr-made-chain-cpu.expect)"
python3 "$TD_SRCDIR/tests/import/bundle" --tdprobe "$TDPROBE" --traces traces spr.tar spr-made again > out 2> err && fail 'twice'
python3 "$TD_SRCDIR/tests/import/bundle" --tdprobe "$TDPROBE" --traces traces names.tar names 'names' > out 2>&1; for name in /traces/root ../traces/up; do grep -qF "left out: '$name.trace'" out || fail "$name: $(cat out)"; done
[ ! -e root.trace ] && [ ! -e ../traces ] || fail 'something was unpacked'
sed '/^workload chain/,/^command chain/{s/=0.0625 /=0.5 /; s/=0.9375/=0.5/; s/^\(count 0x2a4\|count 0x2c2\|count 0xc0\) [0-9.]*/\1 0.5/}' "$spr" > half.machine
t selftest --machine half.machine --kernel chain --bundle half.tar; exits 0
python3 "$TD_SRCDIR/tests/import/bundle" --tdprobe "$TDPROBE" --traces traces half.tar half half > out && fail 'what is unexpected is taken'
grep -q '^left out: traces/chain-cpu.trace: backend_bound is 5.*not 60 % or more$' out || fail "half: $(cat out)"

[ ! -e failed ]
