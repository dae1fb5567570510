#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/QUICKSTART: each command that it shows is run, in its order, from its own text, and what it says of their output is so. The machine
# that is measured is simulated, as few that run tests have a PMU. The line of apt is run by tests/packages.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
"$TDPROBE" compare x y 2>&1 | grep -q 'without GSL' && exit 77
page=$TD_SRCDIR/doc/QUICKSTART
machines=$TD_SRCDIR/sim/machines samples=$TD_SRCDIR/tests/samples

# tdprobe, as a user has it, and the machine with it
mkdir bin
cat > bin/tdprobe << 'OF_PAGE'
#!/bin/sh
case "$1 $*" in
*--machine*) for word do shift; case $word in /usr/share/tdprobe/machines/*) word=$MACHINES/${word##*/} ;; esac; set -- "$@" "$word"; done ;;
doctor*) set -- "$@" --machine "$MACHINES/$MACHINE" ;;
compare*' -- '*) shift; set -- compare --machine "$MACHINES/$MACHINE" "$@" ;;
record*) shift; set -- record --machine "$MACHINES/$MACHINE" --fast "$@" ;;
-*) set -- --machine "$MACHINES/$MACHINE" --fast "$@" ;;
esac
exec "$UNDER_TEST" "$@"
OF_PAGE
chmod +x bin/tdprobe
PATH=$PWD/bin:$PATH MACHINES=$machines MACHINE=sapphirerapids.machine UNDER_TEST=$under_test
export PATH MACHINES MACHINE UNDER_TEST

# a recording by perf of such a machine
cp "$TD_SRCDIR/traces/spr-perf61-interval.csv" rec.csv
sed -n 's/^    \$ //p' "$page" > commands
[ "$(wc -l < commands)" -ge 10 ] || fail "the page has $(wc -l < commands) commands"
while read -r command <&3; do
    timeout 60 sh -c "$command" > out 2> err < /dev/null
    code=$? what=$command
    exits 0
    answers=$(cat out err)
    of_output() { echo "$answers" | grep -qE -- "$1" || fail "$what: its output lacks '$1'"; }
    case $command in
    'tdprobe doctor') [ "$(tail -n 1 out)" = 'tdprobe can measure here' ] || fail "$what: ends with $(tail -n 1 out)" ;;
    'tdprobe -- ./app') of_output '^=> limited by backend_bound: memory_bound$' ;;
    'tdprobe explain '*) of_output '^Means '; of_output '^Try ' ;;
    'tdprobe record --functions '*) of_output "'tdprobe report tdprobe.data'" ;;
    'tdprobe report') of_output 'backend.*function$'; of_output '^tdprobe explain ' ;;
    'tdprobe compare '*) of_output '^b (is|takes|took) ' ;;
    'tdprobe --for-each-cgroup '*) of_output '^ +app .* backend_bound: memory_bound$' ;;
    'tdprobe perf-command '*) # and what it prints to be done next is what the page does next
        of_output ' -o rec\.csv '
        next=$(sed -n 's/^# then: //p' out)
        grep -qxF "$next" commands || fail "$what: it advises '$next', which is not on the page" ;;
    'tdprobe replay --uarch spr rec.csv') of_output 'verdict$'; of_output ' backend_bound: memory_bound' ;;
    'tdprobe replay --summary-only '*) of_output '=> ' ;;
    'tdprobe record '*) [ -s "$(echo "$command" | sed 's/.*-o \([^ ]*\).*/\1/')" ] || fail "$what: no file" ;;
    'tdprobe --machine '*) of_output '=> ' ;;
    *) fail "the page has a command of which this test does not know what it is for: $command" ;;
    esac
done 3< commands

# tdprobe(1) begins with a list of what one may want: its commands too are taken, with something for each word in capitals
sed -n '/^\.Sh I WANT TO$/,/^\.Ed/p' "$TD_SRCDIR/doc/tdprobe.1" | grep -oE '  tdprobe .*' | sed "s/ PID/ 701 --timeout 2000/; s/cgroup NAME/cgroup app --timeout 2000/; s/WORD/no_bounds/; s,FUNCTION,chase --symfs $samples/symfs $samples/long.data,; s/RULE OLD NEW/'memory_bound > +2pp' before.trace after.trace/
    s/uarch NAME/uarch spr/; s/replay FILE/replay before.trace/; s,machine FILE,machine $machines/sapphirerapids.machine,; s/-I 1000\$/& --timeout 2000/" > commands
[ "$(wc -l < commands)" -ge 18 ] || fail "tdprobe(1) begins with $(wc -l < commands) commands"
while read -r command <&3; do
    timeout 60 sh -c "$command" > out 2> err < /dev/null
    code=$? what=$command
    exits 0
    [ -s out ] || [ -s err ] || [ -s slots.html ] || fail "$what: it prints nothing"
done 3< commands
sed -n '/^\.Sh I WANT TO$/,/^\.Ed/p' "$TD_SRCDIR/doc/tdprobe.1" | grep -oE '[a-z_-]+\([1-8]\)' | while read -r named; do
    name=${named%(*} section=${named#*(}
    [ -e "$TD_SRCDIR/doc/$name.${section%)}" ] || fail "tdprobe(1) names $named, which is no page"
done

# what the page says of machines where it is otherwise
t doctor --machine "$machines/guest-without-pmu.machine"; says 'shows no PMU'
{ cat "$machines/sapphirerapids.machine"; printf 'paranoid debian\nprivileged no\nfile /proc/sys/kernel/perf_event_paranoid = 3\\n\n'; } > shut.machine
t doctor --machine shut.machine; exits 77
sed -n 's/^    # //p' "$page" | grep sysctl > advice
advice=$(cat advice)
says "^ *-> .*$advice"
says 'kernel.perf_event_paranoid is 3'
t list uarchs; says '^spr'
[ ! -e failed ]
