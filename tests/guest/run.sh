#!/bin/bash
# SPDX-License-Identifier: MIT
# make check-guest: boots a real kernel under qemu with the software PMU of
# module/ and runs the tests in it, once for each CPU that the PMU can be.
# Needs SRCDIR, SCRATCH (a folder to write to) and optionally TDPROBE (the
# program to test), GUEST_FLAVOURS (pairs, rights, lent, service, node, cgroups: an spr that runs the suite
# of that name alone; cgroups is a bench, with one CPU and a clock that counts instructions), GUEST_SUITES (perf, tdprobe, verdict, switches, rights, lent, bench),
# GUEST_TIMEOUT (seconds for each boot, of those twice as many), GUEST_JOBS (boots at once).
set -u
src=${SRCDIR:?} scratch=${SCRATCH:?} tdprobe=${TDPROBE:-}
flavours=${GUEST_FLAVOURS:-icl spr skl atom n2 rights lent service pairs node}
suites=${GUEST_SUITES:-perf,tdprobe,verdict,switches}
timeout=${GUEST_TIMEOUT:-240} jobs=${GUEST_JOBS:-2}

skip() {
    echo "SKIP: tests/guest: $1"
    exit 77
}

# without FLAVOUR WHY: it is left out, as what it needs is not on this host
missing=()
without() {
    case " $flavours " in *" $1 "*) ;; *) return ;; esac
    missing+=("skip $1 - $2")
    flavours=$(echo " $flavours " | sed "s/ $1 / /; s/^ *//; s/ *\$//")
    [ -n "$flavours" ] || skip "$1 - $2"
}
command -v node > /dev/null || without node 'there is no node (Debian: nodejs)'
[ -x /lib/systemd/systemd ] || without service 'there is no systemd (Debian: systemd)'
ldconfig -p | grep -q 'libmicrohttpd\.so\.12 ' || without service 'there is no libmicrohttpd (Debian: libmicrohttpd12)'

# The newest kernel of linux-image-cloud-amd64 whose headers are installed too.
release=
for image in $(printf '%s\n' /boot/vmlinuz-*-cloud-amd64 | sort -V); do
    [ -r "$image" ] && [ -d "/lib/modules/${image#*/vmlinuz-}/build" ] && release=${image#*/vmlinuz-}
done
[ -n "$release" ] || skip "no readable /boot/vmlinuz-*-cloud-amd64 with its headers (Debian: linux-image-cloud-amd64 linux-headers-cloud-amd64)"
qemu=$(command -v qemu-system-x86_64) || skip "no qemu-system-x86_64 (Debian: qemu-system-x86)"
command -v cpio > /dev/null || skip "no cpio"
busybox=$(command -v busybox) || skip "no busybox (Debian: busybox-static)"
ldd "$busybox" > /dev/null 2>&1 && skip "busybox is not static (Debian: busybox-static)"
command -v perf > /dev/null || skip "no perf (Debian: linux-perf)"

mkdir -p "$scratch"
log=$scratch/guest.log
sh "$src/tests/guest/build-initramfs.sh" "$src" "$scratch" "$release" "$tdprobe" || exit 1

# The CPUID of each flavour. Without ARCH_PERFMON the kernel registers no
# PMU of its own. An N2 has no x86 identity: the tests name it.
identity() {
    case $1 in
    icl) echo model=126,stepping=5 ;;
    spr | pairs | rights | lent | service | node | cgroups) echo model=143,stepping=8 ;;
    skl) echo model=94,stepping=3 ;;
    atom) echo model=190,stepping=0 ;;
    *) echo model=6,stepping=3 ;;
    esac
}

# no_timer_check: otherwise the kernel panics on a host that is too busy for the ten ticks that it waits for.
boot() {
    local flavour=$1 suites=$suites limit=$timeout memory=512M image=$scratch/initramfs cpus=(-smp 2)
    case $1 in pairs | rights | lent | service | node | cgroups) flavour=spr suites=$1 limit=$((2 * timeout)) ;; esac
    [ ! -e "$scratch/initramfs-$1" ] || memory=1G image=$scratch/initramfs-$1
    [ "$1" != cgroups ] || cpus=(-smp 1 -icount "shift=0,sleep=off") # a nanosecond of the guest's clock for each instruction
    timeout --foreground -k 5 "$limit" "$qemu" -accel tcg -cpu "qemu64,vendor=GenuineIntel,family=6,$(identity "$1"),pmu=off" \
        "${cpus[@]}" -m "$memory" -nographic -no-reboot -nodefaults -serial stdio -kernel "/boot/vmlinuz-$release" -initrd "$image" \
        -append "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable no_timer_check td.flavour=$flavour td.suites=$suites" < /dev/null 2>&1 | tr -d '\r'
    return "${PIPESTATUS[0]}"
}

# The boots mostly wait: several at once take hardly longer than one.
for flavour in $flavours; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    { boot "$flavour"; echo "== status $?"; } > "$scratch/boot-$flavour.log" &
done
wait

failed_in() { # LOG: the names of its tests that failed
    sed -n 's/^not ok \([^ ]*\).*/\1/p' "$1" | sort -u
}
whole() { grep -q '^== end' "$1"; }

# The guest's clock continues while a busy host makes it wait, so a test of intervals or
# of shares of time can fail without a fault. A flavour with failures boots once
# more, alone: what fails in both boots is a failure, and what failed in one is listed.
for flavour in $flavours; do
    boot=$scratch/boot-$flavour.log first=$scratch/boot-$flavour.first.log
    rm -f "$first"
    [ -n "$(failed_in "$boot")" ] || ! whole "$boot" || continue
    mv "$boot" "$first"
    { boot "$flavour"; echo "== status $?"; } > "$boot"
    if whole "$first" && whole "$boot"; then
        for name in $(failed_in "$boot"); do
            failed_in "$first" | grep -qxF "$name" || sed -i "s/^not ok $name /ok $name (in the first of two boots; in the second: /" "$boot"
        done
        for name in $(failed_in "$first"); do
            failed_in "$boot" | grep -qxF "$name" || echo "# $flavour: $name failed in the first of two boots only"
        done
    fi
done

printf '%s\n' "${missing[@]}" | sed '/^$/d' | tee "$log"
for flavour in $flavours; do
    boot=$scratch/boot-$flavour.log
    sed -n "s/^\(ok\|not ok\|skip\) /&$flavour: /p; /^== .*boot/p; /^#/p; /^=\t/p; /^    /p" "$boot" | tee -a "$log"
    if grep -q '^\./[a-z]*\.sh: ' "$boot"; then
        echo "not ok $flavour: scripts - the shell complains: $(grep -m 1 '^\./[a-z]*\.sh: ' "$boot")" | tee -a "$log"
    fi
    if ! whole "$boot"; then
        echo "not ok $flavour: boot - did not come to its end; the last it said:" | tee -a "$log"
        tail -n 30 "$boot"
    fi
done
table=$(for flavour in $flavours; do grep '^| ' "$scratch/boot-$flavour.log"; done)
[ -z "$table" ] || printf '| flavour | form | watchdog | verdict | truth\n%s\n' "$table" | tee -a "$log"
pass=$(grep -c '^ok ' "$log")
skipped=$(grep -c '^skip ' "$log")
fail=$(grep -c '^not ok ' "$log")
echo "# TOTAL: $((pass + skipped + fail))"
echo "# PASS: $pass"
echo "# SKIP: $skipped"
echo "# FAIL: $fail"
[ "$fail" = 0 ] && [ "$pass" -gt 0 ]
