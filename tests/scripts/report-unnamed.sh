#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report: whose functions have no names, why, and what would name them.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
spr="report --uarch spr"

# shellcheck disable=SC2086
{
# the program of a recording whose files are not here; its slots are those by dso
t $spr --symfs "$PWD/none" --by dso --format csv "$samples/long.data"; exits 0
share=$(awk -F, '$1 == "/usr/bin/kernels" { printf "%.1f\n", 100 * $5; exit }' out)
t $spr --symfs "$PWD/none" "$samples/long.data"; exits 0
if grep -q 'built without elfutils' out; then
    echo 'skipped: functions have no names without elfutils'
    exit 77
fi
says "^# functions of /usr/bin/kernels, with $share % of the slots, have no names: no such file; --symfs DIR"
[ "$(grep -c 'have no names' out)" -le 3 ] || fail "$what: $(grep -c 'have no names' out) programs"
t $spr --symfs "$PWD/none" -j --limit 1 "$samples/long.data"; exits 0; says '"dso":"/usr/bin/kernels","symbols":"no_file"'

# all of a file without symbols is one row, with as many slots as by dso; each address is one by address
t $spr --symfs "$PWD/none" --format csv "$samples/long.data"; exits 0
for dso in /usr/bin/kernels '[kernel]'; do
    row=$(awk -F, -v dso="$dso" '$3 == dso && !seen[$1]++ { printf "%s %s %.1f ", $1, $2, 100 * $5 }' out)
    t $spr --symfs "$PWD/none" --by dso --format csv "$samples/long.data"; exits 0
    want="$(basename "$dso") (no symbols) function $(awk -F, -v dso="$dso" '$1 == dso { printf "%.1f\n", 100 * $5; exit }' out) "
    [ "$row" = "$want" ] || fail "$dso has '$row', not '$want'"
    t $spr --symfs "$PWD/none" --format csv "$samples/long.data"
done
t $spr --symfs "$PWD/none" --by address --format csv "$samples/long.data"; exits 0; says '^\[kernels\+0x12c0\],address,/usr/bin/kernels,'
[ "$(awk -F, '$3 == "/usr/bin/kernels" && !seen[$1]++' out | wc -l)" -gt 10 ] || fail "$what: addresses are one row"

# named: below the recorded path, and by the file alone, as the build-id is the recorded one
mkdir -p beside other/usr/bin both/usr/bin stripped/usr/bin
cp "$samples/symfs/usr/bin/kernels" beside/
for root in "$samples/symfs" "$PWD/beside"; do
    t $spr --symfs "$root" "$samples/long.data"; exits 0; says ' branchy$'
    ! grep -q 'functions of /usr/bin/kernels' out || fail "$what: $(grep 'have no names' out)"
    t $spr --symfs "$root" -j --limit 1 "$samples/long.data"; exits 0; says '"dso":"/usr/bin/kernels","symbols":"found"'
done
# another build at the path is not used, nor hides the one beside
cp "$samples/symfs/other/usr/bin/kernels" other/usr/bin/
t $spr --symfs "$PWD/other" "$samples/long.data"; exits 0; says '/usr/bin/kernels, with .* has another build-id'
! grep -q ' branchy$' out || fail "$what: names of another build"
cp other/usr/bin/kernels both/usr/bin/ && cp beside/kernels both/
t $spr --symfs "$PWD/both" "$samples/long.data"; exits 0; says ' branchy$'
cp other/usr/bin/kernels other/kernels
t $spr --symfs "$PWD/other" -j --limit 1 "$samples/long.data"; exits 0; says '"symbols":"other_build"'
! grep -q branchy out || fail "$what: names of another build"
# without its symbols, and no program at all
if strip -o stripped/usr/bin/kernels beside/kernels 2> err; then
    t $spr --symfs "$PWD/stripped" "$samples/long.data"; exits 0; says '/usr/bin/kernels, with .* the file has no symbols; install its debug information'
fi
echo 'no program' > stripped/usr/bin/kernels
# gcc 12's LeakSanitizer crashes in its own tracer when this run ends ("Tracer caught signal 11"); valgrind finds no leak in it
LSAN_OPTIONS=detect_leaks=0; export LSAN_OPTIONS
t $spr --symfs "$PWD/stripped" -j --limit 1 "$samples/long.data"; exits 0; says '"symbols":"no_symbols"'
unset LSAN_OPTIONS

# the kernel: its build-id is 3b43fad5..., its _text was at ffffffff8c800000 (perf buildid-list, perf script --show-mmap-events)
kernel() { t $spr -v --symfs "$PWD/kernel" --limit 0 "$samples/long.data"; exits 0; }
mkdir -p kernel/sys/kernel kernel/proc
kernel; says 'functions of \[kernel\], with .* does not run here now'
t $spr --by line --symfs "$PWD/kernel" --limit 0 "$samples/long.data"; says ' \[kernel\+unknown line\]$'
printf '\004\000\000\000\024\000\000\000\003\000\000\000GNU\000\073\103\372\325\003\110\164\111\004\222\111\135\125\054\012\366\245\372\262\065' > kernel/sys/kernel/notes
printf '0000000000000000 T _text\n0000000000000000 T a_function\n' > kernel/proc/kallsyms
kernel; says '/proc/kallsyms shows no addresses to this user; report as root; where sysctl kernel.kptr_restrict is 2, set it to 1 first$'
# the same kernel, elsewhere since it was started again: a sample was at ffffffff8c89c53d
printf 'ffffffff8ca00000 T _text\nffffffff8ca00010 T a_function\nffffffff8ca9c53d T hit\nffffffff8ca9c53e T missed\nffffffff8d800000 T after\n' > kernel/proc/kallsyms
kernel; says ' hit$'; says ' a_function$'; ! grep -q ' after$\|functions of \[kernel\]' out || fail "$what: $(grep 'after\|have no names' out)"
printf 'ffffffff8c800000 T _text\nffffffff8c800010 T a_function\nffffffff8d600000 T after\n' > kernel/proc/kallsyms
kernel; says ' a_function$'; ! grep -q 'functions of \[kernel\]' out || fail "$what: $(grep 'have no names' out)"

# a copy of kallsyms by its name, wherever the kernel was then, and whatever runs here
cp kernel/proc/kallsyms copied
rm -r kernel/sys kernel/proc
kernel; says 'functions of \[kernel\], with'
t $spr -v --symfs "$PWD/kernel" --kallsyms copied --limit 0 "$samples/long.data"; exits 0; says ' a_function$'; ! grep -q 'functions of \[kernel\]' out || fail "$what: $(grep 'have no names' out)"
printf 'ffffffff8ca00000 T _text\nffffffff8ca00010 T a_function\nffffffff8ca9c53d T hit\nffffffff8ca9c53e T missed\n' > copied
t $spr -v --symfs "$PWD/kernel" --kallsyms copied --limit 0 "$samples/long.data"; says ' hit$'; ! grep -q ' missed$' out || fail "$what: missed"
printf '0000000000000000 T _text\n0000000000000000 T a_function\n' > copied
t $spr -v --symfs "$PWD/kernel" --kallsyms copied --limit 0 "$samples/long.data"; exits 0; says 'functions of \[kernel\], with .* have no names: the file that --kallsyms names has no addresses; copy /proc/kallsyms there again, as root'
! grep -q 'shows no addresses' out || fail "$what: $(grep 'no addresses' out)"
t $spr --kallsyms nowhere "$samples/long.data"; exits 65; warns "^tdprobe: --kallsyms: 'nowhere' cannot be read: No such file or directory; on the recorded machine"
}

[ ! -e failed ]
