#!/bin/sh
# SPDX-License-Identifier: MIT
# kernels/tdprobe-bundle.sh, for machines without tdprobe: its events are those of tdprobe perf-command, and what it writes is a bundle
# that replay reads, and that tests/import/bundle makes vectors of. perf is one that runs the command and has a recording at hand.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"

script=$TD_SRCDIR/kernels/tdprobe-bundle.sh
sh -n "$script" || fail "$script: no shell reads it"

# ---- of each CPU of the formulas that have slots: the events are those of perf-command, and its ids find them ----
sed -n '/^case \$cpu in/,/^esac/p' "$script" | sed 's/^\*) die.*/*) events= ;;/' > choose
lines=$(grep -c "^    events='" choose)
[ "$lines" -ge 15 ] || fail "only $lines lines of events"
"$TDPROBE" list uarchs > uarchs
sed -n 's/^# //p' choose | while read -r names; do
    for name in $names; do
        want=$("$TDPROBE" perf-command --uarch "$name" --encodings -- true 2> err | sed -n "1s/.* -e '\(.*\)' -- true\$/\1/p")
        [ -n "$want" ] || fail "$name: perf-command: $(cat err)"
        for id in $(sed -n "s/^$name .*(\([^;]*\);.*/\1/p" uarchs); do
            # 6-8F, 6-55:0-4, 19-10..1F, 41-d49:00-02: the first and the last of them
            family=${id%%-*} models=${id#*-}
            models=${models%%:*}
            for model in "${models%%.*}" "${models##*.}"; do
                # shellcheck disable=SC2034 # of choose
                case $name in
                neoverse* | ampere* | hip*) cpu=0x${family}0f${model}0 ;;
                zen*) cpu=$(printf 'AuthenticAMD-%d-%X-1' "0x$family" "0x$model") ;;
                *) cpu=$(printf 'GenuineIntel-%d-%X-7' "0x$family" "0x$model") ;;
                esac
                events=
                . ./choose
                [ "$events" = "$want" ] || fail "$name, $id, $cpu: the script counts '$events', perf-command '$want'"
                echo "$id" >> tried
            done
        done
    done
done
[ "$(wc -l < tried)" -ge 150 ] || fail "only $(wc -l < tried) ids were tried"
# shellcheck disable=SC2034
for cpu in GenuineIntel-6-F-2 GenuineIntel-15-6-1 AuthenticAMD-23-49-0 AuthenticAMD-25-33-2 0x410fd0c1 0x610f0221 ''; do events=; . ./choose; [ -z "$events" ] || fail "$cpu: has events"; done

# ---- a bundle by it ----
# what a cross compiler makes does not run here
{ head -c 4 "$TDPROBE" | grep -q ELF && ${CC:-cc} --version > /dev/null 2>&1; } || { [ ! -e failed ]; exit; }
mkdir bin work
cat > bin/perf << 'END'
#!/bin/sh
[ "$1" != --version ] || { echo 'perf version 6.1.0'; exit; }
[ "$1 $2" = 'stat -x,' ] || exit 9
echo "$*" >> "$LOG"
while [ "$1" != -o ]; do shift; done
cat "$REC" > "$2"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
END
# to save time: a hundredth of a second
cat > bin/cc << 'END'
#!/bin/sh
for source; do :; done
sed -i 's,+ CLOCKS_PER_SEC,&/100,' "$source"
exec $REAL_CC "$@"
END
chmod +x bin/perf bin/cc
REC=$TD_SRCDIR/traces/spr-perf61-interval.csv LOG=$tmp/log REAL_CC=${CC:-cc}
export REC LOG REAL_CC
run() { (cd work && PATH=$tmp/bin:$PATH CC="$tmp/bin/cc" sh "$script" "$@") > out 2> err; code=$? what="tdprobe-bundle.sh $*"; }
run GenuineIntel-6-8F-8; exits 0; empty err; says '^tdprobe-bundle\.tar will have, and nothing else:'; says '^written: tdprobe-bundle\.tar$'
[ "$(wc -l < log)" -eq 4 ] && grep -q -- '-e {slots,cpu/config=0x19c,' log || fail "perf ran as: $(cat log)"
for kernel in adds chain branches chase-memory; do says " traces/$kernel\\.csv\$"; done
[ "$(tar --numeric-owner -tvf work/tdprobe-bundle.tar | awk '{ print $2 }' | sort -u)" = 0/0 ] || fail "owners: $(tar -tvf work/tdprobe-bundle.tar)"
[ "$(sed -n 1p work/tdprobe-bundle/machine)" = '# cpu: GenuineIntel-6-8F-8' ] || fail "machine: $(head -n 1 work/tdprobe-bundle/machine)"
for secret in "$(uname -n)" "$tmp" "$(id -un)@" 'started on'; do [ ${#secret} -lt 8 ] || ! grep -qaF -- "$secret" work/tdprobe-bundle.tar || fail "it has '$secret'"; done
# without the CPU's name replay would find that several fit
t replay --format csv --summary-only work/tdprobe-bundle.tar; exits 0; cp out bundle
[ "$(awk -F, '$NF != "file" { print $NF }' bundle | uniq | tr '\n' ' ')" = 'adds branches chain chase-memory ' ] || fail "names: $(cut -d, -f21 bundle | uniq)"
t replay --format csv --summary-only --uarch spr "$REC"; grep ',chain$' bundle > part; sed '1d; s/$/,chain/' out | cmp - part || fail 'chain: not as the recording alone'
run GenuineIntel-6-8F-8; exits 1; warns 'is here already'
rm -r work/*
run AuthenticAMD-23-49-0; exits 1; warns "no events are known for the CPU 'AuthenticAMD-23-49-0'"; [ -z "$(ls work)" ] || fail "something is left: $(ls work)"
# no compiler: openssl
if command -v openssl > /dev/null; then
    (cd work && PATH=$tmp/bin:$PATH CC=false sh "$script" 0x410fd493) > out 2> err; code=$? what='without a compiler'
    exits 0; says ' traces/openssl\.csv$'; tail -n 1 log | grep -q 'armv8_pmuv3_0/config=0x3f,name=stall_slot/.* openssl speed' || fail "$(tail -n 1 log)"
    rm -r work/*
fi
# perf that cannot count
printf '#!/bin/sh\n[ "$1" != --version ] || exit 0\necho "Error: no permission" >&2\nexit 255\n' > bin/perf
run GenuineIntel-6-8F-8; exits 1; warns 'perf stat: Error: no permission'; [ ! -e work/tdprobe-bundle.tar ] || fail 'it is written all the same'

# ---- a vector of a real recording of Neoverse N2 ----
python3 -c '' 2> /dev/null || { [ ! -e failed ]; exit; }
mkdir -p made/tdprobe-bundle/traces traces && cp "$TD_SRCDIR/traces/vectors.mk" traces
echo '# cpu: 0x410fd490' > made/tdprobe-bundle/machine
cp "$TD_SRCDIR/traces/neoverse-n2-openanolis-csv.csv" made/tdprobe-bundle/traces/other.csv
tar -C made --format=ustar -cf n2.tar tdprobe-bundle
t replay --format csv n2.tar; exits 0; grep -q ',neoverse-n2,' out || fail "$what: $(head -n 3 out)"
python3 "$TD_SRCDIR/tests/import/bundle" --tdprobe "$TDPROBE" --traces traces n2.tar n2-mailed 'Somebody, of an N2.' > out 2> err || fail "tests/import/bundle: $(cat out err)"
grep -q '^args: --uarch 0x410fd490$' traces/n2-mailed-other.expect || fail "$(cat traces/n2-mailed-other.expect)"
# what the reviewed vector of the same recording expects is what this one has, to its digits
sed '/^review:/d' traces/n2-mailed-other.expect > reviewed && mv reviewed traces/n2-mailed-other.expect
sh "$TD_SRCDIR/tests/scripts/run-vector" traces/n2-mailed-other.expect || fail 'as a vector'

[ ! -e failed ]
