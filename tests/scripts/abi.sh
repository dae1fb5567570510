#!/bin/sh
# SPDX-License-Identifier: MIT
# What programs see of the shared library, beside abi/libtdprobe.abi: functions, their arguments, structs and enums of the API. A
# difference is told, whether older programs bear it or not. 'make abi' (this script, with the word write) accepts it;
# doc/HOWTO-change-the-API says when that is right. What only the program calls (TDPROBE_PRIVATE) is left out: so is its node here.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
skip() { echo "skipped: $*"; exit 77; }
kept=$TD_SRCDIR/abi/libtdprobe.abi library=$TD_BUILDDIR/.libs/libtdprobe.so objects=$TD_BUILDDIR/.libs/libtd.a
if [ $# -eq 0 ]; then
    [ -e "$kept" ] || { echo "FAIL: there is no abi/libtdprobe.abi"; exit 1; }
    grep -nE "/(home|work|tmp|root|usr|build)/" "$kept" && { echo "FAIL: abi/libtdprobe.abi has the paths above"; exit 1; }
    grep -nE "TDPROBE_PRIVATE|td_printable" "$kept" && { echo "FAIL: abi/libtdprobe.abi has what is private"; exit 1; }
fi
command -v abidw > /dev/null && command -v abidiff > /dev/null || skip 'abidiff is missing (abigail-tools)'
[ -e "$library" ] && [ -e "$objects" ] || skip 'no shared library was built'
readelf -h "$library" | grep -q 'X86-64' || skip 'the file is of x86-64'
readelf -SW "$library" | grep -q '\.debug_info' || skip 'the library has no debug information'
readelf -p .comment "$library" | grep -q 'clang' && skip 'the file is of gcc'
grep -qE '^(WARN_)?CFLAGS = .*(-fsanitize|-flto)' "$TD_BUILDDIR/Makefile" && skip 'built for something else than to be compared'

# the same objects, exporting the API alone
awk '/^TDPROBE_PRIVATE/ { exit } { print }' "$TD_SRCDIR/libtdprobe.map" > "$tmp/map"
soname=$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\].*/\1/p')
$CC -shared -o "$tmp/api.so" "-Wl,-soname=$soname" "-Wl,--version-script=$tmp/map" -Wl,--whole-archive "$objects" -Wl,--no-whole-archive || exit 1
# the kernel's struct is the kernel's matter
printf '[suppress_type]\n  name = perf_event_mmap_page\n  drop = yes\n' > "$tmp/left-out"
abidw --suppressions "$tmp/left-out" --exported-interfaces-only --headers-dir "$TD_SRCDIR/include" --drop-private-types --drop-undefined-syms --no-elf-needed --no-corpus-path --no-comp-dir-path --no-show-locs \
    --no-parameter-names --out-file "$tmp/abi" "$tmp/api.so" || exit 1
[ "$(grep -c '<function-decl' "$tmp/abi")" -gt 50 ] || { echo "FAIL: abidw finds $(grep -c '<function-decl' "$tmp/abi") functions"; exit 1; }
if [ "${1:-}" = write ]; then
    mkdir -p "${kept%/*}" && cp "$tmp/abi" "$kept" && exit 0
    exit 1
fi
abidiff "$kept" "$tmp/abi" > "$tmp/diff" 2> "$tmp/err"
code=$?
[ $code -eq 0 ] && exit 0
cat "$tmp/err" "$tmp/diff"
[ $((code & 3)) -eq 0 ] || { echo "FAIL: abidiff: exit code $code"; exit 1; }
[ $((code & 8)) -eq 0 ] || echo 'Older programs do not bear this: it needs a new SONAME.'
echo "FAIL: the API is another than abi/libtdprobe.abi has: see doc/HOWTO-change-the-API; 'make abi' accepts it"
exit 1
