#!/bin/sh
# SPDX-License-Identifier: MIT
# tdprobe collect on simulated machines: the file for node_exporter, what it refuses, folders that vanish, others that take the counters.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
head -c 4 "$TDPROBE" | grep -q ELF || { echo 'skipped: signals for the program would go to what interprets it'; exit 77; }
spr=$TD_SRCDIR/sim/machines/sapphirerapids.machine # 16 CPUs, 18e9 slots a second on each core: 144e9
pid=
trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null; rm -rf "$tmp"' EXIT

clocks= # a library in which they are set between any two looks; a sanitizer has to be loaded first itself
grep -q __asan_init "$under_test" || { "$CC" -std=gnu11 -shared -fPIC -o clocks.so "$TD_SRCDIR/tests/scripts/clocks.c" && clocks=$PWD/clocks.so; } || fail 'clocks.c'

begin() { # WORDS...: in the background; by: the command that starts it
    what="tdprobe collect $*"
    ${by:-} "$TDPROBE" collect "$@" > out 2> err < /dev/null &
    pid=$!
}
await() { # FILE PATTERN: until a line of the file has it, 30 s at most
    for _ in $(seq 1500); do
        grep -qE -- "$2" "$1" 2> /dev/null && return
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.02
    done
    fail "$what: $1 never has '$2': $(cat err; grep -v '^#' "$1" | tail -n 12)"
}
end() { # SIGNAL
    kill -"$1" "$pid"
    wait "$pid"
    code=$?
    pid=
}
value() { sed -n "s/^$1 //p" "$2"; }

# ---- the file ----
mkdir dir
begin --textfile dir --machine "$spr" -I 50
await dir/tdprobe.prom '^tdprobe_intervals_total\{.*standing="exact"\} [3-9]'
cp dir/tdprobe.prom text
[ "$(ls -A dir)" = tdprobe.prom ] || [ "$(ls -A dir | tr '\n' ' ')" = '.tdprobe.prom.new tdprobe.prom ' ] || fail "$what: more than a file: $(ls -A dir)"
awk '/^tdprobe_slots_all_total/ { all = $2 } /^tdprobe_measured_seconds_total/ { s = $2 } /^tdprobe_slots_total.*"backend_bound"/ { b = $2 }
     END { if (all / s < 143.9e9 || all / s > 144.1e9 || b / all < 0.495 || b / all > 0.505) { print all, s, b; exit 1 } }' text > wrong || fail "$what: slots, seconds, backend bound: $(cat wrong)"
grep -q '^tdprobe_slots_total{.*node="memory_bound",level="2"} [1-9]' text || fail "$what: no level 2"
for line in 'yielded 0' 'yields_total 0' 'level_dropped 0' 'write_failures_total 0'; do grep -qx "tdprobe_$line" text || fail "$what: no tdprobe_$line"; done
! command -v promtool > /dev/null || promtool check metrics < text > wrong 2>&1 || fail "$what: promtool: $(cat wrong)"
# a second one, whose folder it is not
t collect --textfile dir --machine "$spr"; exits 74; warns '^tdprobe: another tdprobe collect writes into dir: end it, or name another folder$'
# the folder vanishes, and comes back
what='a folder that vanishes'
mv dir away
await err 'dir/tdprobe.prom cannot be written: No such file or directory; it is tried again after each interval'
mkdir dir
await dir/tdprobe.prom '^tdprobe_write_failures_total [1-9]'
await err 'dir/tdprobe.prom is written again'
[ "$(wc -l < err)" -eq 2 ] || fail "$what: more than once: $(cat err)"
end TERM; exits 0
[ -z "$(ls -A dir)" ] || fail "$what: it leaves $(ls -A dir)"

# ---- what is refused ----
echo mine > dir/tdprobe.prom
t collect --textfile dir --machine "$spr"; exits 74; warns '^tdprobe: dir/tdprobe.prom was not written by tdprobe: move it away, or name another folder$'
[ "$(cat dir/tdprobe.prom)" = mine ] || fail "$what: it changed the file"
t collect --textfile nowhere --machine "$spr"; exits 74; warns 'there is no folder nowhere: make it, or name the one that node_exporter reads'
t collect; exits 64; warns 'collect needs to know where the counters go: --textfile DIR'
t collect --textfile dir true; exits 64; warns "collect takes no word: 'true'; 'tdprobe stat' measures a command"
t collect --textfile dir --max-cgroups 3; exits 64; warns '--max-cgroups needs --for-each-cgroup'
t collect --textfile dir --for-each-cgroup a/../b; exits 64; warns "leads up by '..'"
t collect --textfile dir --for-each-cgroup app --per-core; exits 64; warns 'each cgroup has one result'
rm dir/tdprobe.prom

# ---- by HTTP: what a scrape accepts, and what a client may not do ----
t collect --listen localhost:9123; exits 64; warns "'localhost:9123' is neither a port, 9123, nor an address with one"
t collect --listen 8.8.8.8:9123 --machine "$spr"
if grep -q 'built without' err; then
    exits 69
    echo 'no libmicrohttpd: --listen is not tested'
elif ! command -v python3 > /dev/null; then
    echo 'no python3: --listen is not tested'
else
    exits 74; warns '^tdprobe: --listen: 8\.8\.8\.8:9123 cannot be listened on: .*it is no address of this machine'
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    by=${clocks:+env STEPS=1 LD_PRELOAD=$clocks} # what ends idle connections does not take a step for idleness
    begin --listen "$port" --textfile dir --machine "$spr" -I 50
    by=
    await dir/tdprobe.prom '^tdprobe_intervals_total'
    t collect --listen "127.0.0.1:$port" --machine "$spr"; exits 74; warns "127.0.0.1:$port cannot be listened on: Address already in use; 'ss -ltnp' shows by what; end that, or name another port"
    python3 "$TD_SRCDIR/tests/scripts/scrapes.py" "$port" > wrong 2>&1 || fail "$what: $(cat wrong)"
    end TERM; exits 0
fi

# ---- by socket, and Ctrl-C ----
begin --textfile dir --machine "$spr" -I 50 --per-socket --level 1
await dir/tdprobe.prom '^tdprobe_slots_all_total\{scope="S1",scope_kind="socket",cpu="spr"\} [1-9]'
! grep -q 'level="2"' dir/tdprobe.prom || fail "$what: it has level 2"
end INT; exits 0
[ -z "$(ls -A dir)" ] || fail "$what: it leaves $(ls -A dir)"

# ---- cgroups: one that comes at 300 ms, one that goes at 500 ms; labels of containers and pods; turns where there are many ----
id=4283fefc63f0aabbccddeeff00112233445566778899aabbccddeeff00112233
pod=kubepods.slice/kubepods-pod01234567_89ab_cdef_0123_456789abcdef.slice
{
    cat "$spr"
    for n in 0 1 2 3; do echo "task 80$n t$n mixed cpus=1$n"; done
    printf 'cgroup system.slice/%s\n' 'a.service tasks=800' 'b.service tasks=801 from=300' 'c\x2d1.service tasks=802 until=500' 'x.scope'
    echo "cgroup $pod/cri-containerd-$id.scope tasks=803"
} > cgroups.machine
services='^tdprobe_slots_all_total\{scope="system.slice'
for _ in 1 2 3; do # "once more" is one interval, which a busy machine may miss
    begin --textfile dir --machine cgroups.machine -I 400 --for-each-cgroup '/system.slice/*.service,kubepods.slice/**/*.scope'
    await dir/tdprobe.prom '^tdprobe_cgroups 4$' # after 400 ms
    await dir/tdprobe.prom '^tdprobe_cgroups 3$' # after 800 ms
    cp dir/tdprobe.prom last
    await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="system.slice/a.service".*\} 1\.'
    cp dir/tdprobe.prom text
    end TERM; exits 0; empty err
    grep -qF 'unit="c\\x2d1.service"} ' last && break
done
grep -qF 'unit="c\\x2d1.service"} ' last || fail "$what: not told of once more: $(grep slots_all last)"
! grep -q 'system.slice/c' text || fail "$what: it is told of still: $(grep slots_all text)"
[ "$(grep -cE "$services" text)" -eq 2 ] || fail "$what: $(grep slots_all text)"
grep -qE "$services/b.service\".*\} [1-9]" text || fail "$what: the one that came has no slots: $(grep slots_all text)"
grep -qE "^tdprobe_slots_all_total\{.*pod=\"01234567-89ab-cdef-0123-456789abcdef\",container=\"cri-containerd-4283fefc63f0\"\} [1-9]" text || fail "$what: no pod: $(grep slots_all text)"
! command -v promtool > /dev/null || promtool check metrics < text > wrong 2>&1 || fail "$what: promtool: $(cat wrong)"
# ---- more than are counted at one time: by turns, each for as long as the others, and its slots are of these seconds ----
{ cat "$spr"; for n in 0 1 2 3 4 5 6; do printf '%s\n' "task 80$n t$n mixed cpus=$((9 + n))" "cgroup turns/g$n tasks=80$n"; done; } > turns.machine
begin --textfile dir --machine turns.machine --fast -I 1000 --max-cgroups 3 --for-each-cgroup 'turns/*'
await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="turns/g6".*\} [2-9][0-9]'
cp dir/tdprobe.prom text
end TERM; exits 0
grep -q '^tdprobe: cgroups are counted by turns, 3 of 7 at a time, by --max-cgroups; tdprobe_cgroups_waiting tells how many wait$' err || fail "$what: $(cat err)"
for line in 'cgroups 3' 'cgroups_waiting 4'; do grep -qx "tdprobe_$line" text || fail "$what: no tdprobe_$line"; done
# all have turns of three seconds, and a workload has half a core, 9e9 slots a second
awk '/^tdprobe_measured_seconds_total/ { s[++n] = $2 } /^tdprobe_slots_all_total/ { all[++k] = $2 }
     END { for (i = 1; i <= n; i++) { bad = bad || s[i] < s[1] - 3.5 || s[i] > s[1] + 3.5 || all[i] / s[i] < 8.9e9 || all[i] / s[i] > 9.1e9 }
           if (n != 7 || bad) { for (i = 1; i <= n; i++) print s[i], all[i] / s[i]; exit 1 } }' text > wrong || fail "$what: seconds, slots a second: $(cat wrong)"
[ "$(grep -c '^tdprobe_intervals_total.*standing="partial"} [1-9]' text)" -eq 7 ] || fail "$what: not all are partial: $(grep intervals_total text)"
! grep '^tdprobe_intervals_total.*standing="[em].*} [1-9]' text || fail "$what: some are called more than partial"
! command -v promtool > /dev/null || promtool check metrics < text > wrong 2>&1 || fail "$what: promtool: $(cat wrong)"
# ---- a service that is started again between two looks is another cgroup, and counted as such ----
{ cat "$spr"; echo 'task 800 t mixed cpus=12'; echo 'cgroup again tasks=800 until=2200 from=2300'; echo 'cgroup stays tasks='; } | sed 's/ tasks=$//' > again.machine
begin --textfile dir --machine again.machine --fast -I 1000 --for-each-cgroup 'again,stays'
await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="again".*\} [2-9][0-9]'
cp dir/tdprobe.prom text
end TERM; exits 0; empty err
awk '/^tdprobe_slots_all_total.*"again"/ { all = $2 } /^tdprobe_measured_seconds_total.*"again"/ { s = $2 } END { if (all / s < 8.9e9) { print all, s; exit 1 } }' text > wrong || fail "$what: slots, seconds: $(cat wrong)"
grep -qE '^tdprobe_intervals_total\{scope="stays",.*standing="exact"\} [2-9][0-9]' text || fail "$what: one that sleeps is not measured: $(grep stays text)"
[ "$(value 'tdprobe_measured_seconds_total{scope="stays".*}' text | cut -d. -f1)" -ge 20 ] || fail "$what: one that sleeps is not measured: $(grep stays text)"
begin --textfile dir --machine cgroups.machine -I 50 --for-each-cgroup 'nowhere*'
await dir/tdprobe.prom '^tdprobe_cgroups 0$'; await err "no cgroup is 'nowhere\*' now: those that come are counted"
end TERM; exits 0

# ---- a disk that is full, here a limit of file sizes: what is there stays, and nothing else is left behind ----
ulimit -S -f 1
begin --textfile dir --machine "$spr" -I 50
ulimit -S -f unlimited
await err '^tdprobe: dir/tdprobe.prom cannot be written: File too large; it is tried again'
end TERM; exits 0
[ -z "$(ls -A dir)" ] || fail "$what: it leaves $(ls -A dir)"

# ---- SIGHUP: a core goes at 50 ms and comes at 300 ms; what is opened at 120 ms lacks it, what is at 720 ms has it ----
{ cat "$spr"; for cpu in 7 15; do printf "hotplug $cpu %s\n" 'off at=50' 'on at=300'; done; printf 'signal SIGHUP at=%s\n' 120 720; } > hot.machine
begin --textfile dir --machine hot.machine -I 100 --per-core
await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="S1-D0-C5",.*\} 1'
awk '/^tdprobe_measured_seconds_total/ { s[substr($1, match($1, /C[0-9]/), 2)] = $2 } END { less = s["C5"] - s["C7"]; if (less < 0.55 || less > 0.85) { print s["C5"], s["C7"]; exit 1 } }' dir/tdprobe.prom > wrong || fail "$what: seconds of two cores: $(cat wrong)"
end TERM; exits 0

# ---- a machine sleeps: before, all CPUs but one go offline. Each is told of once, whatever is counted, and that nobody else took counters is known ----
{
    cat turns.machine
    echo 'cgroup turns/late from=1500'
    for at in 'off at=5300' 'on at=5400'; do seq 1 15 | sed "s/.*/hotplug & $at/"; done
} > sleeps.machine
begin --textfile dir --machine sleeps.machine --fast -I 1000 --for-each-cgroup 'turns/*'
await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="turns/g6".*\} [1-9][0-9]'
cp dir/tdprobe.prom text
end TERM; exits 0
[ "$(wc -l < err)" -eq 30 ] && [ "$(sort -u err | grep -c '^tdprobe: CPU [1-9][0-5]* \(went off\|is on\)')" -eq 30 ] || fail "$what: not each once: $(sort err | uniq -c)"
grep -qx 'tdprobe_yields_total 0' text || fail "$what: it yields"
# where it ran before, nothing can be read any more of the interval; then it goes on
grep -q '^tdprobe_discarded_intervals_total.*"turns/g6".*reason="not_counted"} 1$' text || fail "$what: $(grep intervals_total text)"

# ---- a thousand cgroups a minute come and go, all counted or by turns: descriptors and memory stay what they are ----
status() { set -- /proc/"$pid"/fd/*; echo $#; }
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }
{
    grep -v '^task 701 \|^cgroup app' "$spr"
    echo 'task 800 t mixed cpus=12'
    echo 'cgroup churn/stays tasks=800'
    awk 'BEGIN { for (n = 0; n < 20000; n++) printf "cgroup churn/n%d from=%d until=%d\n", n, 60 * n + 1, 60 * n + 3001 }'
} > churn.machine # of which there are 50 at a time
for most in 100 20; do
    begin --textfile dir --machine churn.machine --fast -I 1000 --max-cgroups $most --for-each-cgroup 'churn/*'
    await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="churn/stays".*\} [4-9]\.'
    [ $most = 20 ] || kill -HUP "$pid"
    await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="churn/stays".*\} 1[0-9]\.'
    fds=$(status) kb=$(resident)
    await dir/tdprobe.prom '^tdprobe_measured_seconds_total\{scope="churn/stays".*\} (2[5-9]|[3-9][0-9])\.'
    [ $most = 20 ] || for _ in 1 2 3 4 5 6 7 8 9 10; do kill -HUP "$pid"; sleep 0.02; done
    [ "$(status)" -le $((fds + 1)) ] || fail "$what: $(status) descriptors, $fds before" # one more while a file is written
    now=$(resident)
    # A sanitizer keeps what is freed for a while.
    grep -q __asan_init "$under_test" || [ "$now" -le $((kb + 512)) ] || fail "$what: $now KiB, $kb before"
    cp dir/tdprobe.prom text
    n=$(value tdprobe_cgroups text) waiting=$(value tdprobe_cgroups_waiting text) told=$(grep -c '^tdprobe_measured_seconds' text)
    [ $((n + waiting)) -ge 49 ] && [ $((n + waiting)) -le 53 ] || fail "$what: $n counted and $waiting waiting, of 51"
    # those that went in the last interval are told of too
    [ "$told" -le 72 ] || fail "$what: $told are told of still"
    [ $most = 100 ] || [ "$n" -le 20 ] || fail "$what: $n of at most 20"
    end TERM; exits 0
done
# ---- ten thousand where fifty are counted at one time: the turns go on as those of few, by an eighth at each interval ----
{ grep -v '^task 701 \|^cgroup app' "$spr"; seq 1 10000 | sed 's,.*,cgroup many/&,'; } > ten.machine
begin --textfile dir --machine ten.machine --fast -I 1000 --max-cgroups 50 --for-each-cgroup 'many/*'
await dir/tdprobe.prom '^tdprobe_measured_seconds_total.scope="many/'"$(seq 1 10000 | sort | sed -n 107p)"'"' # the tenth interval or later
cp dir/tdprobe.prom text
end TERM; exits 0
for line in 'cgroups 50' 'cgroups_waiting 9950'; do grep -qx "tdprobe_$line" text || fail "$what: no tdprobe_$line"; done
# all together have had 50 in each of n intervals; before each but the first 7 new ones came, every eighth time the one that is left of 50
awk '/^tdprobe_intervals_total.*partial/ { k++; all += $2 }
     END { n = all / 50; if (n != int(n) || k != 50 + 50 * int((n - 1) / 8) + 7 * ((n - 1) % 8)) { print k, n; exit 1 } }' text > wrong || fail "$what: cgroups, intervals: $(cat wrong)"

# ---- the wall clock is set, and the machine sleeps, between any two looks at a clock: what keeps pace with time takes as long, and no bit of the
# counters is another ----
if [ -n "$clocks" ]; then
    { cat turns.machine; echo 'signal SIGTERM at=575'; } > clock.machine
    for how in STEPS= STEPS=1; do
        mkdir clock$how
        began=$(cut -d ' ' -f 1 /proc/uptime) pace=
        [ $how = STEPS=1 ] || pace=--fast
        # shellcheck disable=SC2086 # none or one
        env $how KEEP=1 LD_PRELOAD="$clocks" timeout 60 "$TDPROBE" collect --textfile clock$how --machine clock.machine $pace -I 50 --max-cgroups 3 --for-each-cgroup 'turns/*' > out 2> err < /dev/null
        code=$? what="clocks $how"; exits 0
    done
    cut -d ' ' -f 1 /proc/uptime | awk -v began="$began" '$1 - began < 0.55 { print $1 - began; exit 1 }' > wrong || fail "$what: it took $(cat wrong) s, not 0.575"
    grep -q '^tdprobe_slots_all_total{scope="turns/g6".*} [1-9]' clockSTEPS=/tdprobe.prom || fail "$what: no slots"
    cmp clockSTEPS=/tdprobe.prom clockSTEPS=1/tdprobe.prom || fail "$what: $(diff clockSTEPS=/tdprobe.prom clockSTEPS=1/tdprobe.prom | head -n 4)"
fi

# ---- others that count: from 110 to 475 ms all counters are theirs, and later for 30 % of two intervals in a row ----
{ cat "$spr"; for cpu in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do for span in 110:475 810:825 860:875; do echo "rival $cpu 9 at=${span%:*} until=${span#*:}"; done; done; } > rival.machine
begin --textfile dir --machine rival.machine -I 50
await dir/tdprobe.prom '^tdprobe_yielded 1'
await dir/tdprobe.prom '^tdprobe_yields_total 3' # after intervals 3, 5 and 8
await dir/tdprobe.prom '^tdprobe_yielded 0'
await dir/tdprobe.prom '^tdprobe_level_dropped 1'
[ "$(grep -c 'the counters ran for less than half of the time, as others use them' err)" -eq 1 ] || fail "$what: not once: $(cat err)"
grep -q 'only level 1 is counted for 64 intervals' err || fail "$what: $(cat err)"
end TERM; exits 0
# groups that take turns with each other are no others
begin --textfile dir --machine "$spr" -I 200 --level 4
await dir/tdprobe.prom '^tdprobe_intervals_total\{.*standing="multiplexed"\} [3-9]'
for line in 'yields_total 0' 'level_dropped 0'; do grep -qx "tdprobe_$line" dir/tdprobe.prom || fail "$what: no tdprobe_$line"; done
end TERM; exits 0
# nothing is pinned, which 'tdprobe -a --level 3' would be: there it is said when others take such counters
{ cat "$spr"; for cpu in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "rival $cpu 9 at=220 until=2000"; done; } > rival3.machine
begin --textfile dir --machine rival3.machine -I 200 --level 3
await dir/tdprobe.prom '^tdprobe_yields_total 1'
! grep -q 'lost its counters' err || fail "$what: it was pinned: $(cat err)"
end TERM; exits 0
[ ! -e failed ]
