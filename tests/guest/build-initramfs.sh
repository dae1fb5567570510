#!/bin/sh
# SPDX-License-Identifier: MIT
# build-initramfs.sh SRCDIR SCRATCH KERNEL-RELEASE [TDPROBE]: builds the module
# and SCRATCH/initramfs, which contains busybox, perf, setcap, strace, load, seam, pairs, ring, turns, the tests and tdprobe;
# where there is a node, SCRATCH/initramfs-node is the same with node, which is larger than all the rest; where there is
# systemd, SCRATCH/initramfs-service is the same with systemd and the unit of tdprobe collect.
set -eu
src=$1 scratch=$2 release=$3 tdprobe=${4:-}
guest=$src/tests/guest
root=$scratch/root
CC=${CC:-cc}

# The kernel's build writes next to the sources: it gets a copy of them, in the same places.
rm -rf "$scratch/tree" "$root"
mkdir -p "$scratch/tree/tests/guest/module/shim" "$scratch/tree/sim/machine" "$root/bin" "$root/tests" "$root/lib"
cp "$src/sim/machine/pmu.c" "$src/sim/machine/pmu.h" "$scratch/tree/sim/machine/"
cp "$guest/module/Kbuild" "$guest/module/"*.[ch] "$scratch/tree/tests/guest/module/"
cp "$guest/module/shim/"*.h "$scratch/tree/tests/guest/module/shim/"
if ! make -C "/lib/modules/$release/build" M="$scratch/tree/tests/guest/module" modules > "$scratch/module.log" 2>&1; then
    cat "$scratch/module.log" >&2
    exit 1
fi
if grep -n 'warning:' "$scratch/module.log" >&2; then
    echo "the module builds with warnings" >&2
    exit 1
fi
cp "$scratch/tree/tests/guest/module/tdguest.ko" "$root/lib/"
# registers for root, where they are a module of this kernel
msr=/lib/modules/$release/kernel/arch/x86/kernel/msr.ko
[ ! -e "$msr" ] || cp "$msr" "$root/lib/"

# Copies a program and the libraries that ldd finds, to the same places as here.
add_program() {
    cp -L "$1" "$root/bin/$2"
    ldd "$1" 2> /dev/null | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) print $i }' | sort -u | while read -r library; do
        # the library of a build, wherever that is: the guest mounts folders of its own, such as /tmp
        case $library in /lib* | /usr/*) ;; *) cp -L "$library" "$root/lib/"; continue ;; esac
        mkdir -p "$root$(dirname "$library")"
        [ -e "$root$library" ] || cp -L "$library" "$root$library"
    done
}
add_program "$(command -v busybox)" busybox
# Until Debian 11, /usr/bin/perf was a script that chose among several
perf=$(command -v perf || :)
[ -z "$perf" ] || add_program "$perf" perf
for program in setcap strace; do
    found=$(PATH=$PATH:/usr/sbin:/sbin command -v $program || :)
    [ -z "$found" ] || add_program "$found" $program
done
[ -z "$tdprobe" ] || add_program "$tdprobe" tdprobe
# the seam to Linux alone, of the build that tdprobe is of
built=$(dirname "${tdprobe:-.}")
# shellcheck disable=SC2086
[ ! -e "$built/config.h" ] || $CC -std=gnu11 -static -I"$src" -I"$built" -include config.h -o "$root/bin/seam" "$src/tests/scripts/lent_rights.c" "$src"/os/*.c
ln -s busybox "$root/bin/sh"
for program in load pairs ring turns; do
    # shellcheck disable=SC2086
    $CC -std=gnu11 -O1 -Wall -Wextra -static -pthread -o "$root/bin/$program" "$guest/$program.c"
done
cp "$guest/init" "$root/init"
chmod 755 "$root/init"
cp "$guest/"*.sh "$guest/"*.awk "$guest/"*.js "$root/tests/"

# pack NAME: all that is in the root now
pack() {
    (cd "$root" && find . | cpio -o -H newc --quiet) > "$scratch/$1.new"
    mv "$scratch/$1.new" "$scratch/$1"
}
pack initramfs
rm -f "$scratch/initramfs-node" "$scratch/initramfs-service"

# systemd with the least units that a service with default dependencies needs. The kernel unpacks archives that follow
# each other into one root.
add_service() {
    root=$scratch/root-service
    rm -rf "$root"
    mkdir -p "$root/bin" "$root/usr/bin" "$root/lib/systemd/system" "$root/etc/systemd/system" "$root/var/tmp" "$root/home"
    for program in /lib/systemd/systemd /lib/systemd/systemd-executor; do # the latter since version 255
        [ ! -e $program ] || { add_program $program "${program##*/}" && mv "$root/bin/${program##*/}" "$root/lib/systemd/"; }
    done
    add_program "$(command -v systemctl)" systemctl
    # tdprobe loads it when it listens
    library=$(ldconfig -p | sed -n 's/^.*libmicrohttpd\.so\.12 (.*x86-64.*=> //p' | head -n 1)
    [ -z "$library" ] || { add_program "$library" libmicrohttpd && mv "$root/bin/libmicrohttpd" "$root/lib/libmicrohttpd.so.12"; }
    for target in sysinit basic; do printf '[Unit]\nDescription=%s\n' $target > "$root/lib/systemd/system/$target.target"; done
    printf '[Unit]\nDefaultDependencies=no\n' > "$root/lib/systemd/system/shutdown.target"
    cp "$guest/suites.service" "$root/lib/systemd/system/"
    cp "$src/fleet/systemd/tdprobe-collect.service" "$root/etc/systemd/system/"
    ln -s /bin/tdprobe "$root/usr/bin/tdprobe"
    # without an identity systemd enables every unit that it finds
    echo 0123456789abcdef0123456789abcdef > "$root/etc/machine-id"
    : > "$root/etc/os-release"
    pack service
    cat "$scratch/initramfs" "$scratch/service" > "$scratch/initramfs-service"
}
[ ! -x /lib/systemd/systemd ] || add_service

node=$(command -v node || :)
[ -n "$node" ] || exit 0
root=$scratch/root
add_program "$node" node
pack initramfs-node
