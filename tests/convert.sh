#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe convert: what was recorded and the trace made of it have the same answer,
# for every recording in traces/; and the command's options and errors.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }

# every number to 8 digits: times in parts of a ns are rounded in a trace
digits() { tr ',{}:[]' '\n' | awk '/^-?[0-9.]+(e[-+]?[0-9]+)?$/ { printf "%.8g\n", $0; next } { print }'; }
answer() { # FILE ARGS: in both formats
    file=$1
    shift
    "$TDPROBE" replay "$@" --summary --counts --format csv "$file" 2> "$tmp/err" || { fail "$file: $(cat "$tmp/err")"; return; }
    "$TDPROBE" replay "$@" --summary --counts --format json "$file" 2> "$tmp/err" | digits
}
n=0
for expect in "$TD_SRCDIR"/traces/*.expect; do
    file=$TD_SRCDIR/traces/$(sed -n 's/^trace: *//p' "$expect")
    args=$(sed -n 's/^args: *//p' "$expect")
    uarch=$(echo "$args" | grep -oE -- '--uarch[ =][^ ]*')
    # shellcheck disable=SC2086
    "$TDPROBE" convert $uarch "$file" > "$tmp/a.trace" 2> "$tmp/err" || { fail "$file: $(cat "$tmp/err")"; continue; }
    # shellcheck disable=SC2086
    answer "$file" $args > "$tmp/wanted"
    # shellcheck disable=SC2046
    answer "$tmp/a.trace" $(echo "$args" | sed -E 's/--uarch[ =][^ ]*//') > "$tmp/got"
    cmp -s "$tmp/wanted" "$tmp/got" || { fail "$expect: the recording and its trace answer differently"; diff "$tmp/wanted" "$tmp/got" | head -n 4; }
    [ "$(wc -l < "$tmp/wanted")" -gt 20 ] || fail "$file says next to nothing"
    "$TDPROBE" convert "$tmp/a.trace" 2> "$tmp/err" | cmp -s - "$tmp/a.trace" || fail "$file: the trace of its trace is another $(cat "$tmp/err")"
    n=$((n + 1))
done
[ "$n" -gt 100 ] || fail "only $n recordings"

cd "$tmp" || exit 99
t() { "$TDPROBE" convert "$@" > out 2> err < /dev/null; code=$?; what="tdprobe convert $*"; }
exits() { [ $code -eq "$1" ] || fail "$what: exit $code, not $1: $(cat err)"; }
warns() { grep -qE -- "$1" err || fail "$what: stderr lacks '$1': $(cat err)"; }
csv=$TD_SRCDIR/traces/spr-perf61-interval.csv
t --uarch spr "$csv"; exits 0; mv out wanted
t --uarch spr -o made "$csv"; exits 0; [ ! -s out ] || fail "$what: writes to stdout, too"
cmp -s made wanted || fail "$what: another trace than on stdout"
"$TDPROBE" convert --uarch spr - < "$csv" 2> err | cmp -s - wanted || fail "from stdin: another trace $(cat err)"
t --help; exits 0; grep -q '^usage: tdprobe convert' out || fail "$what: no usage"
t; exits 64; warns 'no file to convert'
t a b; exits 64; warns "not 'b' too"
t --uarch; exits 64; warns 'lacks its value'
t --uarch nonesuch a; exits 64; warns 'nonesuch'
t --uarch znver4 a; exits 69; warns 'AMD'
t -o '' a; exits 64; warns 'empty'
t --format json a; exits 64; warns 'convert has no option --format'
t nonesuch; exits 65; warns 'nonesuch cannot be opened: No such file'
# what is there stays until the trace is whole
echo kept > made
{ cat "$csv"; echo garbage; } > cut.csv
t --uarch spr -o made cut.csv; exits 65; warns 'cut.csv:[0-9]+: '
[ "$(cat made)" = kept ] || fail "$what: the file was replaced"
[ "$(find . -name 'made*' | wc -l)" -eq 1 ] || fail "$what: leaves a temporary file: $(ls)"
t -o no/such/folder "$csv"; exits 74
if [ -w /dev/full ]; then
    "$TDPROBE" convert --uarch spr "$csv" > /dev/full 2> err; code=$?; exits 74; warns 'stdout cannot be written'
    [ "$(wc -l < err)" -eq 1 ] || fail "a full disk is said in $(wc -l < err) lines"
fi
exit $bad
