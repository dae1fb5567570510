#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe convert: a recording and the trace made from it have the same answer,
# for every recording in traces/; and the command's options and errors.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }

# every number to 13 digits: a trace rounds times to 1e-9 ns
digits() { tr ',{}:[]' '\n' < "$1" | awk '/^-?[0-9.]+(e[-+]?[0-9]+)?$/ { printf "%.13g\n", $0; next } { print }'; }
answer() { # FILE ARGS: all that there is to tell, and the exit code
    file=$1
    shift
    "$TDPROBE" replay "$@" --summary --counts --format json "$file" 2> "$tmp/err"
    code=$? # 69: its counts contradict each other
    [ $code -eq 0 ] || [ $code -eq 69 ] || { fail "$file: $(cat "$tmp/err")"; return; }
    echo "exit $code"
}
n=0
# the name, the recording, the CPU where it is told, and the arguments without it
awk 'function row() { if (expect) print expect "|" trace "|" uarch "|" args }
    FNR == 1 { row(); expect = FILENAME; trace = uarch = args = "" }
    /^trace:/ { trace = $2 }
    sub(/^args: */, "") { args = $0; if (match(args, /--uarch[ =][^ ]*/)) { uarch = substr(args, RSTART, RLENGTH); sub(/--uarch[ =][^ ]*/, "", args) } }
    END { row() }' "$TD_SRCDIR"/traces/*.expect > "$tmp/expects"
while IFS='|' read -r expect trace uarch args; do
    file=$TD_SRCDIR/traces/$trace
    # shellcheck disable=SC2086
    "$TDPROBE" convert $uarch "$file" > "$tmp/a.trace" 2> "$tmp/err" || { fail "$file: $(cat "$tmp/err")"; continue; }
    # shellcheck disable=SC2086
    answer "$file" $uarch $args > "$tmp/wanted"
    # shellcheck disable=SC2086
    answer "$tmp/a.trace" $args > "$tmp/got"
    cmp -s "$tmp/wanted" "$tmp/got" || {
        digits "$tmp/wanted" > "$tmp/wanted.digits"
        digits "$tmp/got" | cmp -s "$tmp/wanted.digits" - || { fail "$expect: the recording and its trace answer differently"; digits "$tmp/got" | diff "$tmp/wanted.digits" - | head -n 4; }
    }
    [ "$(wc -c < "$tmp/wanted")" -gt 400 ] || fail "$file says next to nothing"
    "$TDPROBE" convert "$tmp/a.trace" 2> "$tmp/err" | cmp -s - "$tmp/a.trace" || fail "$file: the trace of its trace is another $(cat "$tmp/err")"
    n=$((n + 1))
done < "$tmp/expects"
[ "$n" -gt 100 ] || fail "only $n recordings"

# replay reads what convert writes: also as a CPU that is not the recorded one, and lacks its registers
mkdir "$tmp/as"
for file in "$TD_SRCDIR"/traces/*.trace; do
    for cpu in skl icl spr adl ehl neoverse-n2; do
        name=${file##*/}
        made=$tmp/as/${name%.trace}-as-$cpu.trace
        "$TDPROBE" convert --uarch $cpu "$file" > "$made" 2> "$tmp/err" || rm "$made"
    done
done
"$TDPROBE" replay "$tmp"/as/*.trace > "$tmp/got" 2> "$tmp/err"
case $? in 0 | 69) ;; *) fail "traces as another CPU are not read: $(grep -v ' no metric has a value' "$tmp/err" | head -n 5)" ;; esac
n=$(find "$tmp/as" -type f | wc -l)
[ "$n" -gt 100 ] || fail "only $n traces as another CPU"

# as many events as Granite Rapids has, and some more
{
    echo '4000,,slots,900,100.00,,'
    for event in topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound; do echo "1000,,$event,900,100.00,,"; done
    i=0
    while [ $i -lt 300 ]; do echo "7,,event$i,900,100.00,,"; i=$((i + 1)); done
} > "$tmp/many.csv"
"$TDPROBE" replay --uarch gnr --counts --format csv "$tmp/many.csv" > "$tmp/wanted" 2> "$tmp/err" || fail "many.csv: $(cat "$tmp/err")"
[ "$(grep -c ',retiring,0.25' "$tmp/wanted")" -eq 1 ] || fail "many.csv: not a quarter retiring"
"$TDPROBE" convert --uarch gnr "$tmp/many.csv" > "$tmp/a.trace" 2> "$tmp/err" || fail "many.csv: $(cat "$tmp/err")"
"$TDPROBE" replay --counts --format csv "$tmp/a.trace" 2> "$tmp/err" | cmp -s - "$tmp/wanted" || fail "many.csv: the recording and its trace answer differently"

# a hybrid's lines without a PMU and those with one, in another recording, belong to one sum
{
    printf '%s\n' '1000,,slots,900,100.00,,' '400,,topdown-retiring,900,90.00,,' '100,,topdown-bad-spec,900,100.00,,' '300,,uops_retired.all,900,100.00,,' \
        '200,,topdown-fe-bound,900,100.00,,' '300,,topdown-be-bound,900,100.00,,' '# started on Fri Nov 20 12:12:20 2026'
    for event in slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound; do echo "2000,,cpu_core/$event/,900,100.00,,"; done
} > "$tmp/hybrid.csv"
"$TDPROBE" convert --uarch adl "$tmp/hybrid.csv" > "$tmp/a.trace" 2> "$tmp/err" || fail "hybrid.csv: $(cat "$tmp/err")"
"$TDPROBE" replay --uarch adl --summary-only --format json "$tmp/hybrid.csv" 2> "$tmp/err" > "$tmp/wanted" || fail "hybrid.csv: $(cat "$tmp/err")"
"$TDPROBE" replay --summary-only --format json "$tmp/a.trace" > "$tmp/got" 2> "$tmp/err" || fail "the trace of hybrid.csv: $(cat "$tmp/err")"
cmp -s "$tmp/wanted" "$tmp/got" || fail "hybrid.csv: the recording and its trace have other summaries"
[ "$(grep -c '"core":"P"' "$tmp/got")" -eq 1 ] || fail "hybrid.csv: not one summary of the P-cores: $(cat "$tmp/got")"

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
t --uarch AuthenticAMD-27-1-0 a; exits 69; warns 'AMD'
t -o '' a; exits 64; warns 'empty'
t --format json a; exits 64; warns 'convert has no option --format'
t nonesuch; exits 65; warns 'nonesuch cannot be opened: No such file'
# an existing file stays until the trace is complete
echo kept > made
{ cat "$csv"; echo garbage,,slots; } > cut.csv
t --uarch spr -o made cut.csv; exits 65; warns 'cut.csv:[0-9]+: '
[ "$(cat made)" = kept ] || fail "$what: the file was replaced"
[ "$(find . -name 'made*' | wc -l)" -eq 1 ] || fail "$what: leaves a temporary file: $(ls)"
t -o no/such/folder "$csv"; exits 74
# a signal leaves no partial file
mkfifo slow
for signal in TERM INT HUP QUIT PIPE; do
    { cat "$csv"; until [ -n "$(find . -name 'made.*')" ]; do sleep 0.05; done; kill -$signal "$(cat pid)"; } > slow 2> kill.err &
    # with default signals: a shell starts background commands with SIGINT and SIGQUIT ignored, and they would stay so
    env --default-signal sh -c 'echo $$ > pid; exec "$TDPROBE" convert --uarch spr -o made slow' 2> err
    code=$? what="convert, SIG$signal"
    wait
    [ $code -gt 128 ] || fail "$what: exit $code"
    left=$(find . -name 'made.*')
    [ -z "$left" ] || fail "SIG$signal leaves $left"
    [ "$(cat made)" = kept ] || fail "SIG$signal: the file was replaced"
done
(ulimit -f 1; exec "$TDPROBE" convert --uarch spr -o made "$csv") > out 2> err < /dev/null; code=$? what='convert, a limit of 1 block'
exits 74; warns 'made cannot be written: File too large'; [ "$(find . -name 'made*' | wc -l)" -eq 1 ] || fail "$what: leaves a temporary file: $(ls)"
[ "$(cat made)" = kept ] || fail "$what: the file was replaced"
if [ -w /dev/full ]; then
    "$TDPROBE" convert --uarch spr "$csv" > /dev/full 2> err; code=$?; exits 74; warns 'stdout cannot be written'
    [ "$(wc -l < err)" -eq 1 ] || fail "a full disk is said in $(wc -l < err) lines"
fi
exit $bad
