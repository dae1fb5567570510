#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe report: files of a recording that are not at their paths here, by build-id: from perf's cache, and from debuginfod servers.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
samples=$TD_SRCDIR/tests/samples
kernels=$samples/symfs/usr/bin/kernels
HOME=$PWD/home
export HOME
unset DEBUGINFOD_URLS
mkdir home none
# shellcheck disable=SC2086
report() { # options...
    t report --uarch spr --symfs "$PWD/none" "$@" "$samples/long.data"
}
named() { exits 0; says ' branchy$'; ! grep -q 'functions of /usr/bin/kernels' out || fail "$what: $(grep 'have no names' out)"; }
unnamed() { exits 0; says "^# functions of /usr/bin/kernels, with .* have no names: $1"; ! grep -q ' branchy$' out || fail "$what: has names"; }

report
if grep -q 'built without elfutils' out; then
    echo 'skipped: functions have no names without elfutils'
    exit 77
fi
unnamed 'no such file; --symfs DIR'

# perf's cache: .build-id/ab/cdef... is a link to the folder that has the file, as what perf archive packs
# (perf buildid-list -i long.data: b3c54bae... /usr/bin/kernels, 3b43fad5... [kernel.kallsyms])
id=b3/c54bae9d2b31963cc57521e95db064513b2343
keep() { # DIR FILE KIND ID: FILE is kept in DIR as KIND
    mkdir -p "$1/kept/$4" "$1/.build-id/${4%/*}" && cp "$2" "$1/kept/$4/$3" && ln -sfn "../../kept/$4" "$1/.build-id/$4"
}
keep home/.debug "$kernels" elf $id
report; named
report --buildid-dir "$PWD/none"; unnamed 'no such file'
keep cache "$kernels" elf $id
rm -r home/.debug
report; unnamed 'no such file'
report --buildid-dir "$PWD/cache"; named
t report --uarch spr --symfs "$PWD/none" --buildid-dir "$PWD/cache" -j --limit 1 "$samples/long.data"; exits 0; says '"dso":"/usr/bin/kernels","symbols":"found"'
# another program below that build-id is not the recorded one
keep other "$samples/symfs/other/usr/bin/kernels" elf $id
report --buildid-dir "$PWD/other"; unnamed 'the file has another build-id'
: > other/kept/$id/elf
report --buildid-dir "$PWD/other"; unnamed 'the file has no symbols'

# its debug information alone, of a program that was stripped
if strip -o stripped "$kernels" 2> err; then
    keep debug stripped elf $id
    report --buildid-dir "$PWD/debug"; unnamed 'the file has no symbols'
    keep debug "$kernels" debug $id
    report --buildid-dir "$PWD/debug"; named
fi

# the kernel's kallsyms, of another start of the same kernel: one sample was at ffffffff8c89c53d, _text at ffffffff8c800000
kernel=3b/43fad5034874490492495d552c0af6a5fab235
printf 'ffffffff8ba00000 T _text\nffffffff8ba9c53d T hit\nffffffff8ba9c53e T missed\n' > kallsyms
mkdir empty && keep empty kallsyms none $kernel
report --limit 0 --buildid-dir "$PWD/empty"; says 'functions of \[kernel\], with .* does not run here now; report on a machine that runs it, unpack here what perf archive packs there, or name a copy'
keep cache kallsyms kallsyms $kernel
report --limit 0 --buildid-dir "$PWD/cache"; named; says ' hit$'; ! grep -q 'functions of \[kernel\]' out || fail "$what: $(grep 'have no names' out)"

# ---- servers
DEBUGINFOD_CACHE_PATH=$PWD/client
DEBUGINFOD_TIMEOUT=20
export DEBUGINFOD_CACHE_PATH DEBUGINFOD_TIMEOUT
report --debuginfod; exits 64; warns '--debuginfod: no server is named: write --debuginfod=URL, or set the variable DEBUGINFOD_URLS'
report --debuginfod=; exits 64; warns 'no server is named'
report --debuginfod=http://127.0.0.1:1
if [ $code -ne 0 ]; then # without libdebuginfod
    warns 'debuginfod servers cannot be asked: .*(is not installed|and build it again)'
    [ ! -e failed ]
    exit
fi
unnamed 'no such file, and a debuginfod server does not answer; check its URL'

if ! command -v python3 > /dev/null; then
    echo 'no python3: the part with a server is left out'
    [ ! -e failed ]
    exit
fi
# the paths of debuginfod(8)'s webapi
served=served/buildid/b3c54bae9d2b31963cc57521e95db064513b2343
mkdir -p "$served"
cat > server.py << 'PYTHON'
import functools, http.server, os, socket, struct


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/broken/"):
            self.log_message("%s", self.path)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a close is a reset
            self.connection.close()
        else:
            super().do_GET()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory="served"))
open("port.new", "w").write(str(server.server_address[1]))
os.rename("port.new", "port")
server.serve_forever()
PYTHON
python3 server.py 2> requests &
server=$!
trap 'kill $server; rm -rf "$tmp"' EXIT
for _ in $(seq 100); do [ -e port ] || sleep 0.1; done
url=http://127.0.0.1:$(cat port)
report --debuginfod="$url"; unnamed 'no such file; --symfs DIR'
rm -rf client # where it remembers what no server has
cp "$kernels" "$served/executable"
: > requests
report; unnamed 'no such file'
DEBUGINFOD_URLS=$url report; unnamed 'no such file'
[ ! -s requests ] || fail "servers were asked without --debuginfod: $(cat requests)"
report --debuginfod="$url"; named
rm -rf client
DEBUGINFOD_URLS=$url report --debuginfod; named
if [ -e stripped ]; then
    rm -rf client
    cp stripped "$served/executable"
    report --debuginfod="$url"; unnamed 'the file has no symbols'
    rm -rf client
    cp "$kernels" "$served/debuginfo"
    report --debuginfod="$url"; named
    rm -rf client
    mkdir -p strip/usr/bin && cp stripped strip/usr/bin/kernels
    t report --uarch spr --symfs "$PWD/strip" --debuginfod="$url" "$samples/long.data"; named
fi
# one that fails is not asked for the next file
rm -rf client
: > requests
report --debuginfod="$url/broken"; unnamed 'no such file, and a debuginfod server does not answer'
[ "$(grep -a -o '/buildid/[0-9a-f]*' requests | sort -u | wc -l)" -eq 1 ] || fail "$what: a failing server was asked again: $(cat requests)"
# what it serves is looked at as any file
rm -rf client
cp "$samples/symfs/other/usr/bin/kernels" "$served/executable"
report --debuginfod="$url"; unnamed 'the file has another build-id'

[ ! -e failed ]
