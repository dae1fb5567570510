# SPDX-License-Identifier: MIT
# What scripts that run the program have in common, to be sourced: a folder of their own, the run, and the usual checks.
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
# a file, since a check may be in a pipe, which is a separate shell; the script's last command is [ ! -e failed ]
fail() { echo "FAIL: $*"; : > failed; }

under_test=${TDPROBE-}
# t ARGS...: runs the program under test; code, out and err are its results
t() {
    "$under_test" "$@" > out 2> err < /dev/null
    code=$?
    what="tdprobe $*"
}
exits() { [ $code -eq "$1" ] || fail "$what: exit $code, not $1: $(cat err)"; }
says() { grep -qE -- "$1" out || fail "$what: stdout lacks '$1': $(head -n 3 out)"; }
warns() { grep -qE -- "$1" err || fail "$what: stderr lacks '$1': $(head -n 3 err)"; }
lines() { [ "$(wc -l < "$1")" -eq "$2" ] || fail "$what: $1 has $(wc -l < "$1") lines, not $2"; }
empty() { [ ! -s "$1" ] || fail "$what: $1 is not empty: $(head -n 3 "$1")"; }
