#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian packages of the last commit: two tarballs from two folders, and two builds in a clean Debian 12, have the same bytes; lintian finds
# nothing; they are hardened, and need what they must; installed in a bare Debian they pass their own tests (debian/tests), and purged they
# leave nothing behind. doc/HOWTO-release says when to run it and how long it takes. PACKAGES_BASE=FILE: the tarball of the bare Debian, made
# if it is not there, and kept; PACKAGES_OUT=DIR keeps the packages. What both builds need and what both tarballs ask ./configure for is
# fetched and found once.
set -u
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }
step() { printf '\n== %s, after %d s\n' "$*" $(($(date +%s) - began)); }
began=$(date +%s)
[ -d "$TD_SRCDIR/debian" ] || skip 'the tarball has no debian/; run this in the repository'
git -C "$TD_SRCDIR" rev-parse -q --verify HEAD > /dev/null || skip 'no git repository'
[ "$(id -u)" -eq 0 ] || skip 'a clean Debian is made by root'
for tool in mmdebstrap unshare; do
    command -v $tool > /dev/null || skip "no $tool: apt-get install mmdebstrap util-linux"
done
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' INT TERM
base=${PACKAGES_BASE:-$tmp/base.tar}
unset MAKEFLAGS MFLAGS MAKELEVEL
export LC_ALL=C

step 'debian/changelog has the version of configure.ac, and CHANGES begins with it or with what came since'
version=$(sed -n 's/^AC_INIT(\[tdprobe\], \[\([^]]*\)\].*/\1/p' "$TD_SRCDIR/configure.ac")
packaged=$(sed -n '1s/^tdprobe (\(.*\)-[^-]*) .*/\1/p' "$TD_SRCDIR/debian/changelog")
[ -n "$version" ] && [ "$version" = "$packaged" ] || fail "configure.ac: $version, debian/changelog: $packaged"
sed -n 3p "$TD_SRCDIR/CHANGES" | grep -qF "$version" || fail "the third line of CHANGES does not name $version"

step 'two tarballs of one commit'
from=$TD_SRCDIR
for folder in one two/with-a-longer-path; do
    # the second is a clone of the first: somebody may commit in between
    mkdir -p "$tmp/$folder" && git clone -q "$from" "$tmp/$folder/source" || fail 'git clone'
    from=$tmp/one/source
    # another time zone, mask and moment
    case $folder in one) mask=022 zone=UTC ;; *) mask=077 zone=Asia/Tokyo ;; esac
    (umask $mask; export TZ=$zone; cd "$tmp/$folder" && mkdir build && cd source && ./autogen.sh && cd ../build && ../source/configure -q --cache-file="$tmp/config.cache" && make -s dist) > "$tmp/log" 2>&1 ||
        { tail -n 30 "$tmp/log"; fail "make dist in $folder"; }
done
for kind in xz gz; do
    one=$tmp/one/build/tdprobe-$version.tar.$kind
    cmp "$one" "$tmp/two/with-a-longer-path/build/tdprobe-$version.tar.$kind" || fail "two tarballs of one commit differ"
    sha256sum "$one" | sed "s,$tmp/,,"
done
tar -tf "$one" | grep -q '/debian/' && fail 'debian/ is in the tarball'

step 'a bare Debian 12, from where this machine has its packages'
[ -e "$base" ] || mmdebstrap -q --variant=apt --components=main --skip=cleanup/apt/lists bookworm "$base" || fail 'mmdebstrap'
mkdir "$tmp/archives"
apt-config dump --format '%f "%v";%n' Acquire > "$tmp/apt.conf"
new_root() { # NAME: a power failure need not be survived
    mkdir "$tmp/$1" && tar -xf "$base" -C "$tmp/$1" && cp "$tmp/apt.conf" "$tmp/$1/etc/apt/apt.conf.d/80build" || fail "the Debian $1"
    echo force-unsafe-io > "$tmp/$1/etc/dpkg/dpkg.cfg.d/80build"
    [ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$tmp/$1/etc/resolv.conf"
}
in_root() { # NAME COMMAND: by a shell in that Debian, with a /proc and /dev of its own
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind "$3" "$1/var/cache/apt/archives" || exit 1
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$1" sh -euc "$2"' in_root "$tmp/$1" "$2" "$tmp/archives"
}
quietly() { # WHAT COMMAND...
    what=$1
    shift
    "$@" > "$tmp/log" 2>&1 || { tail -n 40 "$tmp/log"; fail "$what"; }
}

step 'what the build needs'
new_root build
mkdir -p "$tmp/build/src/one" "$tmp/build/src/two/and-deeper"
for folder in one two/and-deeper; do
    tar -xf "$tmp/one/build/tdprobe-$version.tar.xz" -C "$tmp/build/src/$folder" && cp -R "$tmp/one/source/debian" "$tmp/build/src/$folder/tdprobe-$version/" || fail 'the source'
done
quietly 'build-dep' in_root build "apt-get update -q && apt-get install -qy --no-install-recommends build-essential && cd /src/one/tdprobe-$version && apt-get build-dep -qy --no-install-recommends ."

step 'two builds at once: one with its tests; one with another folder, time zone, language and mask, and no tests'
in_root build "umask 077; cd '/src/two/and-deeper/tdprobe-$version' && TZ=Asia/Tokyo LC_ALL=C DEB_BUILD_OPTIONS='nocheck parallel=4' dpkg-buildpackage -us -uc -b" > "$tmp/second.log" 2>&1 &
second=$!
in_root build "cd /src/one/tdprobe-$version && DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc -b" > "$tmp/build.log" 2>&1
first=$?
wait $second
second=$?
[ $first -eq 0 ] || { tail -n 40 "$tmp/build.log"; grep -E '^FAIL|FAILED|^ +[0-9]+\. .*\.c:[0-9]+ ' "$tmp/build.log"; fail 'the first build'; }
[ $second -eq 0 ] || { tail -n 40 "$tmp/second.log"; fail 'the second build'; }
grep -E '^# (TOTAL|PASS|SKIP|FAIL)' "$tmp/build.log"
cp "$tmp/build.log" "$tmp/build/src/one/build.log"
cd "$tmp/build/src/one" || exit 99
for package in *.deb; do
    cmp "$package" "../two/and-deeper/$package" || fail "two builds of $package differ"
    sha256sum "$package"
done
[ -z "${PACKAGES_OUT-}" ] || cp -- *.deb *.changes "$PACKAGES_OUT/" || fail "PACKAGES_OUT=$PACKAGES_OUT"
[ "$(ls -- *.deb | sed 's/_.*//' | grep -v dbgsym | sort | paste -s -d ' ')" = 'libtdprobe-dev libtdprobe1 python3-tdprobe tdprobe tdprobe-doc' ] || fail "these are the packages: $(ls -- *.deb)"

step 'what each needs, and what it can do without'
field() { dpkg-deb -f "$(ls -- "$1"_*.deb)" "$2" | sed 's/ ([^)]*)//g'; }
[ "$(field tdprobe Depends)" = 'libc6, libcsv3, libtdprobe1' ] || fail "tdprobe depends on $(field tdprobe Depends)"
[ "$(field libtdprobe1 Depends)" = 'libc6, libcsv3, libjson-c5' ] || fail "libtdprobe1 depends on $(field libtdprobe1 Depends)"
[ "$(field libtdprobe1 Recommends)" = 'libcapstone4, libdebuginfod1, libdw1, libzstd1, zlib1g' ] || fail "libtdprobe1 recommends $(field libtdprobe1 Recommends)"
[ "$(field python3-tdprobe Depends)" = 'libtdprobe1, python3:any' ] || fail "python3-tdprobe depends on $(field python3-tdprobe Depends)"
for package in tdprobe:foreign libtdprobe1:same libtdprobe-dev:same tdprobe-doc:foreign python3-tdprobe:no; do
    [ "$(field "${package%:*}" Multi-Arch)" = "${package#*:}" ] || fail "$package: Multi-Arch: $(field "${package%:*}" Multi-Arch)"
done

step 'sizes'
for package in *.deb; do
    echo "$package: $(dpkg-deb -f "$package" Installed-Size) KiB installed, $(wc -c < "$package") bytes"
done

step 'lintian'
quietly 'lintian is not installed' in_root build 'apt-get install -qy --no-install-recommends lintian blhc devscripts'
in_root build 'cd /src/one && lintian --allow-root --fail-on error,warning *.changes' || fail 'lintian'

step 'hardening: in each command of the build, and in what it made'
# Debian's gcc makes PIE by itself: hardening-check sees whether it did. Debian 12 asks for no control flow protection of its packages.
in_root build 'blhc --bindnow /src/one/build.log' || fail 'blhc'
in_root build 'cd /src/one/tdprobe-*/debian && hardening-check --nocfprotection tdprobe/usr/bin/tdprobe libtdprobe1/usr/lib/*/libtdprobe.so.1' || fail 'hardening-check'

step 'installed in a bare Debian, and purged'
new_root bare
mkdir "$tmp/bare/packages" && cp -- *.deb "$tmp/bare/packages/" && rm -f "$tmp"/bare/packages/*dbgsym*
cp -R "$tmp/one/source/debian/tests" "$tmp/bare/packages/tests"
files() { # what the package manager itself writes is not counted
    in_root bare "find / -xdev \\( -path /proc -o -path /dev -o -path /sys -o -path /packages -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log \\) -prune -o -print" |
        grep -vE '^/var/lib/dpkg/(status-old|available-old|lock.*|triggers/.*|diversions-old|statoverride-old)$|^/tmp/|^/var/cache/(ldconfig/aux-cache|debconf/.*)$' | sort
}
quietly 'apt-get update' in_root bare 'apt-get update -q'
files > "$tmp/before"
quietly 'install' in_root bare 'apt-get install -qy --no-install-recommends /packages/tdprobe_*.deb /packages/libtdprobe1_*.deb'
echo "installed with the program, without what is recommended: $(sed -n 's/^Setting up \([^ :]*\).*/\1/p' "$tmp/log" | sort | paste -s -d ' ')"
in_root bare 'sh /packages/tests/replay' || fail 'the program alone'
in_root bare 'sh /packages/tests/quickstart' || fail 'the first five minutes'
apt=$(sed -n 's/^    # apt install /apt-get install -qy /p' "$tmp/one/source/doc/QUICKSTART")
[ -n "$apt" ] || fail 'QUICKSTART has no line of apt'
quietly "QUICKSTART's line of apt" in_root bare "cd /packages && $apt"
quietly 'install' in_root bare 'apt-get install -qy --no-install-recommends /packages/*.deb'
in_root bare 'grep -rq tdprobe /etc/sysctl.d /usr/lib/sysctl.d /etc/sysctl.conf 2> /dev/null' && fail 'a setting of the kernel is active'
in_root bare 'python3 -c "import tdprobe"' || fail 'the module for Python'
quietly 'purge' in_root bare 'apt-get purge -qy tdprobe libtdprobe1 libtdprobe-dev tdprobe-doc python3-tdprobe && apt-get autoremove -qy --purge'
files > "$tmp/after"
diff "$tmp/before" "$tmp/after" || fail 'the files above are left behind, or gone'
echo "$(wc -l < "$tmp/before") files before and after"

step "the packages' own tests"
awk '/^Tests:/ { name = $2 } /^Depends:/ { sub(/^Depends: */, ""); gsub(/,/, ""); print name, $0 }' "$tmp/bare/packages/tests/control" > "$tmp/tests"
[ "$(wc -l < "$tmp/tests")" -ge 6 ] || fail "debian/tests/control: $(cat "$tmp/tests")"
while read -r name needs; do
    quietly "what $name needs" in_root bare "apt-get install -qy --no-install-recommends $(for need in $needs; do
        ls "$tmp/bare/packages/${need}_"*.deb > "$tmp/found" 2> /dev/null && sed "s,^$tmp/bare,," "$tmp/found" || echo "$need"
    done | paste -s -d ' ') \$(ls /packages/libtdprobe1_*.deb)"
    in_root bare "/packages/tests/$name" < /dev/null || fail "debian/tests/$name"
done < "$tmp/tests"

step 'passed'
