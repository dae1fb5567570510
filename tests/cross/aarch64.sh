#!/bin/sh
# SPDX-License-Identifier: MIT
# Cross-builds the tree for aarch64 and runs make check under qemu-user, with
# nothing but packages of Debian:
#   tests/cross/aarch64.sh --install-deps
#   tests/cross/aarch64.sh [--quick] [DIR] [ARGUMENTS OF CONFIGURE]    DIR: an empty folder to build in
# --quick leaves out the scripts that take minutes under qemu: files, options, messages and signals, which the other machines of CI test
# as well, and what tests/sources.mk has of texts and other programs.
# char is unsigned there, and a * b + c is one rounding unless the build forbids it.
set -eu
host=aarch64-linux-gnu

if [ "${1-}" = --install-deps ]; then
    root=
    [ "$(id -u)" -eq 0 ] || root=sudo
    $root dpkg --add-architecture arm64
    $root apt-get update -q
    # --no-remove: where the two architectures do not go together, say so and change nothing
    # without GSL: libgsl-dev of two architectures cannot be installed side by side
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends --no-remove \
        gcc-$host g++-$host libc6-dev-arm64-cross qemu-user libcsv-dev:arm64 libjson-c-dev:arm64 libcunit1-dev:arm64 libstdc++6:arm64
    exit
fi

left_out= set=tests
if [ "${1-}" = --quick ]; then
    left_out='annotate archive badinput bundle compressed convert drilldown hints jobs neighbours page reasons reasons-files report-html report-jitdump rights two-writers'
    set=sanitizer-tests
    shift
fi
source=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    dir=$(cd "$1" && pwd)
    shift
else
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
fi
for tool in $host-gcc $host-g++ qemu-aarch64; do
    command -v $tool > /dev/null || { echo "$tool is missing: run $0 --install-deps" >&2; exit 1; }
done

cd "$dir"
# LIBDIR: in no case a .pc file of the machine that builds
PKG_CONFIG_LIBDIR=/usr/lib/$host/pkgconfig:/usr/share/pkgconfig
export PKG_CONFIG_LIBDIR
"$source/configure" -q --host=$host PKG_CONFIG="${PKG_CONFIG:-pkg-config}" "$@"
make -s -j2
# The kernel may not run the program itself (binfmt_misc), so a script stands for
# it in the tests of the program, and automake puts qemu before the unit tests.
for program in tdprobe tests/msr_cli; do
    name=${program##*/}-under-qemu
    printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$dir/$program" > "$name"
    chmod +x "$name"
done
tests=$(make -s list-$set)
for script in $left_out; do tests=$(printf '%s\n' "$tests" | grep -vxF "tests/scripts/$script.sh"); done
make -j2 check TESTS="$(echo $tests)" LOG_COMPILER=qemu-aarch64 TESTS_ENVIRONMENT="TD_QUICK=1 TDPROBE='$dir/tdprobe-under-qemu' TD_MSR_CLI='$dir/msr_cli-under-qemu'"
