#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes ./configure. With --install-deps it first installs what building,
# testing and measuring need (Debian and its kin; asks sudo where it must).
set -eu
cd "$(dirname "$0")"

packages='build-essential autoconf automake libtool pkg-config libcsv-dev libjson-c-dev libcunit1-dev libgsl-dev libdw-dev libdebuginfod-dev libiberty-dev libcapstone-dev libmicrohttpd-dev libzstd-dev zlib1g-dev'

case "${1-}" in
--install-deps)
    if ! command -v apt-get >/dev/null; then
        echo "autogen.sh: no apt-get here; install yourself: $packages" >&2
        exit 1
    fi
    install="apt-get update -q && apt-get install -q -y --no-install-recommends $packages"
    root=
    [ "$(id -u)" -eq 0 ] || root=sudo
    if [ "$root" ] && ! command -v sudo >/dev/null; then # as Debian's installer leaves it where root has a password
        echo "autogen.sh: only root can install packages, and sudo is missing; run this, then ./autogen.sh without --install-deps:" >&2
        echo "    su - -c '$install'" >&2
        exit 1
    fi
    $root env DEBIAN_FRONTEND=noninteractive sh -c "$install"
    ;;
'') ;;
*)
    echo "usage: ./autogen.sh [--install-deps]" >&2
    exit 64
    ;;
esac

for tool in autoreconf libtoolize pkg-config; do
    if ! command -v $tool >/dev/null; then
        echo "autogen.sh: $tool is missing; run ./autogen.sh --install-deps" >&2
        exit 1
    fi
done
mkdir -p m4
exec autoreconf --install --force --warnings=all
