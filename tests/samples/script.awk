# SPDX-License-Identifier: MIT
# What perf script says of a recording of samples, one line each:
#   perf script -F comm,tid,cpu,time,event,period,ip,sym,dso -i NAME.data | awk -f script.awk > NAME.script
# SECONDS COMM TID ADDRESS SYMBOL DSO and what each event of the group counted since the last sample of its
# counter: slots, the second event, topdown-retiring, ... as recorded, 0 where perf has no line; and the CPU. Times, symbols and CPUs
# are '-' where perf has none. With call chains the address is the innermost.
# With -v leader=slots a sample begins with that event alone, as where a group has an event of cycles several times; all must say the same.
BEGIN { split("slots cpu-cycles instructions topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat topdown-mem-bound", names, " ") }
function flush(   i, line) {
    if (!open) return
    line = time " " comm " " tid " " ip " " sym " " dso
    for (i = 1; i <= 10; i++) line = line " " (i in value ? value[i] + 0 : 0)
    print line " " cpu
    delete value; open = 0
}
function column(event,   i) {
    for (i = 1; i <= 11; i++) if (event == names[i]) return i > 2 ? i - 1 : i
    print "unknown event " event > "/dev/stderr"
    exit 1
}
function place(from,   n, i) {
    ip = $from; sym = ""
    for (i = from + 1; i < NF; i++) sym = sym (sym == "" ? "" : "_") $i
    sub(/\+0x[0-9a-f]+$/, "", sym)
    if (sym == "" || sym == "[unknown]") sym = "-"
    dso = $NF; gsub(/[()]/, "", dso)
}
/^[ \t]*$/ { chain = 0; next }
/^\t/ { if (chain) { place(1); chain = 0 } next }
{
    at = 3
    when = where = "-"
    if ($at ~ /^\[[0-9]+\]$/) { where = substr($at, 2) + 0; at++ }
    if ($at ~ /:$/) { when = $at; sub(/:$/, "", when); at++ }
    event = $(at + 1); sub(/:$/, "", event)
    if (event == "CPU_CLK_UNHALTED.THREAD") event = "cpu-cycles"
    k = column(event)
    if (leader == "" ? open && (k <= last || when != time || where != cpu || $1 != comm || $2 != tid) : event == leader) flush()
    if (open && k in value && value[k] != $at) { print event " differ at " when > "/dev/stderr"; exit 1 }
    open = 1; last = k; time = when; cpu = where; comm = $1; tid = $2; value[k] = $at
    if (NF > at + 1) place(at + 2); else chain = 1
}
END { flush() }
