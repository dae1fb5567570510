#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: TDPROBE=./tdprobe tests/scripts/cases.sh DIR     or     make check-cases CASES=DIR
#
# Real recordings with the percentages that the tool which made them printed,
# DIR/NNN/input.* and DIR/NNN/expected.txt ("name=value", also "cpu_core.name=value",
# "TIME.name=value", "TIME.SCOPE.name=value", "name=0.47 (fraction)"). Each number must
# be reproduced to the digits printed. The cases are outside the repository, so this is
# not part of make check; those that show something new are vectors in traces/.
#
# Where they have a clear winner, it must be named: judge().
#
# Prints a line for each case: numbers reproduced / numbers printed, and why the
# others are not. Exit code 1: a number is missed that is not known below.
set -u
dir=${1:?usage: tests/scripts/cases.sh DIR}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# CASE CPU KIND KNOWN-MISSES REASON
# exact: to the printed digits; runs: perf -r prints the percentage of single runs next to mean
# counts; slots: the authors divided by slots, not by the sum of four; none: there must be no answer
table() { cat <<'EOF'
001 spr exact
003 icx runs
005 tgl exact
007 icl exact Backend_Bound|Bad_Speculation perf's built-in names lack the correction by INT_MISC.*, which its tma_ names beside them have
009 spr exact
011 icl exact
013 icl exact
015 icl exact tma_(backend|frontend)_bound|tma_bad_speculation the end of the paste, with the INT_MISC events, is missing
017 adl exact
019 adl exact
021 adl exact
023 adl exact cpu_atom.tma_bad_speculation an event measured in several groups: which one perf took
025 clx exact tma_(bad_speculation|backend_bound) perf takes half of RECOVERY_CYCLES_ANY, though by ONE_THREAD_ACTIVE the sibling never ran
027 snb exact
029 clx exact
031 skl exact
033 skl exact
035 skl exact
037 icl exact
039 icl exact
041 neoverse-n2 exact
043 neoverse-n2 exact
045 skl none
047 mtl exact
049 zen4 exact
051 zen4 exact
053 zen4 exact
055 - exact (cpu|memory|latency|bandwidth|branch_mispredict|pipeline_restart|ucode|fastpath) only level 1 of its table is read
056 - exact (cpu|memory|latency|bandwidth|branch_mispredict|pipeline_restart|ucode|fastpath) only level 1 of its table is read
057 - exact (cpu|memory|latency|bandwidth|branch_mispredict|pipeline_restart|ucode|fastpath) only level 1 of its table is read
059 icx runs
061 icl exact
063 icl exact [23]\..* perf printed the percentages of all counts since the start
065 icl runs
067 icl exact
069 icl exact
071 icl exact
073 spr exact
075 icx exact
077 tgl exact
079 adl exact
080 spr slots
081 spr slots
082 spr slots
083 spr slots
084 spr slots
085 spr slots
087 tgl exact tma_slow_pause the end of the paste, with one of its events, is missing
EOF
}

compare() { # CASE KIND KNOWN REASON; the csv on stdin
    awk -F, -v id="$1" -v kind="$2" -v known="$3" -v reason="$4" -v file="$dir/$1/expected.txt" '
    function ours(name) { # our name for a node
        name = tolower(name)
        sub(/^tma_/, "", name); sub(/_smt$/, "", name)
        if (name in other) return other[name]
        return name
    }
    function key(time, scope, core, metric) { return time + 0 "/" scope "/" core "/" metric }
    function share(at, event) { return 100 * count[at, event] / count[at, "slots"] }
    function by_slots(at, metric) {
        if (metric == "fetch_bandwidth") return share(at, "topdown-fe-bound") - share(at, "topdown-fetch-lat")
        if (metric == "core_bound") return share(at, "topdown-be-bound") - share(at, "topdown-mem-bound")
        return share(at, event_of[metric])
    }
    BEGIN {
        n = split("bad_spec bad_speculation fe_bound frontend_bound be_bound backend_bound wasted bad_speculation branch_mispredict branch_mispredicts br_mispred branch_mispredicts" \
                  " fetch_lat fetch_latency fetch_bw fetch_bandwidth mem_bound memory_bound heavy_ops heavy_operations" \
                  " frontend frontend_bound backend backend_bound speculation bad_speculation smt-contention smt_contention", w, " ")
        for (i = 1; i < n; i += 2) other[w[i]] = w[i + 1]
        n = split("retiring topdown-retiring bad_speculation topdown-bad-spec frontend_bound topdown-fe-bound backend_bound topdown-be-bound" \
                  " heavy_operations topdown-heavy-ops branch_mispredicts topdown-br-mispredict fetch_latency topdown-fetch-lat memory_bound topdown-mem-bound", w, " ")
        for (i = 1; i < n; i += 2) event_of[w[i]] = w[i + 1]
    }
    $1 == "time" { next }
    {
        scope = kind == "slots" ? ($2 ~ /docker-/ ? "tool" : "harness") : ""
        if ($8 == "count") count[$1 + 0 "/" scope, $6] = $7
        else if ($7 != "") got[key($1, scope, $4, $6)] = 100 * $7
    }
    END {
        while ((getline line < file) > 0) {
            full = name = line; sub(/=.*/, "", name); sub(/^[^=]*=/, "", line)
            full = name
            fraction = line ~ /fraction/; sub(/ .*/, "", line)
            time = scope = core = ""
            if (match(name, /^[0-9]+\.[0-9]+\./)) { time = substr(name, 1, RLENGTH - 1); name = substr(name, RLENGTH + 1) }
            if (match(name, /^(harness|tool)\./)) { scope = substr(name, 1, RLENGTH - 1); name = substr(name, RLENGTH + 1) }
            if (sub(/^cpu_core\./, "", name)) core = "P"
            if (sub(/^cpu_atom\./, "", name)) core = "E"
            if (tolower(name) ~ /(^|_)(ipc|slots(_smt)?)$/) continue
            name = ours(name)
            if (name ~ /_aux$/) { skipped = skipped " " name; continue }
            total++
            at = key(time, scope, core, name)
            if (core == "" && !(at in got)) at = key(time, scope, "P", name)
            digits = index(line, ".") ? length(line) - index(line, ".") : 0
            if (kind == "slots") { value = by_slots(time + 0 "/" scope, name); digits = 2; there = ((time + 0 "/" scope, "slots") in count) }
            else { there = at in got; value = got[at] }
            wanted = line + 0
            if (fraction) { wanted *= 100; digits -= 2 }
            unit = 1
            for (i = 0; i < digits; i++) unit /= 10
            for (i = 0; i > digits; i--) unit *= 10
            # half a unit of our own sixth decimal; for the runs their variation
            slack = kind == "runs" ? 0.5 : unit / 2 + (kind == "slots" ? 1e-9 : 5.1e-5)
            off = value - wanted
            if (there && off <= slack && -off <= slack) { hits++; continue }
            text = " " full "=" line " (" (there ? value : "absent") ")"
            if (known != "" && full ~ "^(" known ")$") expected = expected text
            else { unexpected = unexpected text; bad++ }
        }
        close(file)
        printf "%s  %4d / %-4d", id, hits, total
        if (kind == "runs") printf "  to 0.5 points: of repeated runs perf prints the percentage of single ones"
        if (kind == "slots") printf "  as count / slots"
        if (skipped != "") printf "  no top-down node:%s", skipped
        if (expected != "") printf "  known:%s: %s", expected, reason
        if (bad) printf "  MISSED:%.400s", unexpected
        printf "\n"
        exit bad > 0
    }'
}

# A reading, or an interval of a scope, whose largest node that can limit is printed as 30 % or more, and 15 points before the next: it must be
# the verdict's; another one may never be named.
judge() { # CASE; the csv on stdin
    awk -F, -v id="$1" -v file="$dir/$1/expected.txt" '
    function scope(name) { return many ? (name ~ /docker-/ ? "tool" : "harness") : "" }
    BEGIN {
        while ((getline line < file) > 0) {
            place = name = tolower(line); sub(/=.*/, "", name); sub(/^[^=]*=/, "", line)
            time = ""; of = ""
            if (match(name, /^[0-9]+\.[0-9]+\./)) { time = substr(name, 1, RLENGTH - 1) + 0; name = substr(name, RLENGTH + 1) }
            if (match(name, /^(harness|tool)\./)) { of = substr(name, 1, RLENGTH - 1); name = substr(name, RLENGTH + 1); many = 1 }
            if (name ~ /^cpu_atom/) continue
            sub(/^cpu_core\./, "", name); sub(/^tma_/, "", name); sub(/_smt$/, "", name)
            node = name ~ /^(bad_spec|bad_speculation|wasted|speculation)$/ ? "bad_speculation" : name ~ /^(fe_bound|frontend_bound|frontend)$/ ? \
                   "frontend_bound" : name ~ /^(be_bound|backend_bound|backend)$/ ? "backend_bound" : ""
            place = time "/" of
            if (node == "" || (place, node) in value) continue
            value[place, node] = line + 0
            if (line ~ /fraction/) value[place, node] *= 100
            places[place]
        }
        for (place in places) {
            most = "bad_speculation"; second = 0
            for (i = split("frontend_bound backend_bound", w, " "); i; i--) if (value[place, w[i]] > value[place, most]) most = w[i]
            for (i = split("bad_speculation frontend_bound backend_bound", w, " "); i; i--)
                if (w[i] != most && value[place, w[i]] > second) second = value[place, w[i]]
            leader[place] = most
            clear[place] = value[place, most] >= 30 && value[place, most] - second >= 15
        }
    }
    $6 == "verdict" && $4 != "E" {
        place = ($1 == "" ? "" : $1 + 0) "/" scope($2)
        if (!(place in places)) place = "/"
        if (!(place in places)) next
        named = ""
        if (match($16, /^(limited by|probably) [a-z_]+/)) named = substr($16, 1, RLENGTH)
        sub(/.* /, "", named)
        if (named == "not") next
        if (named != "" && named != leader[place]) wrong = wrong " " $1 " " named ", not " leader[place]
        else if (named == "" && clear[place]) open = open " " $1 " " leader[place] " " value[place, leader[place]] " %"
    }
    END {
        if (wrong != "") printf "%s  WRONG: the verdict is%.200s\n", id, wrong
        if (open != "") printf "%s  MISSED: the verdict is open of%.200s\n", id, open
        exit wrong open != ""
    }'
}

# For a case without an answer: none may be given, and the reason must be reported.
refuse() { # CASE CODE
    numbers=$(awk -F, '$8 != "count" && $7 + 0 != 0' "$tmp/csv" | wc -l)
    statuses=$(awk -F, 'NR > 1 && $12 ~ /impossible/ { n++ } END { print n + 0 }' "$tmp/csv")
    if [ "$numbers" -eq 0 ] && { [ "$2" -eq 65 ] || [ "$2" -eq 69 ]; } && [ -s "$tmp/err" ]; then
        echo "$1     - / -     exit $2: $(sed 's/.*input\.[a-z]*:[0-9]*: //; s/^tdprobe: //' "$tmp/err" | head -n 1)"
    elif [ "$numbers" -eq 0 ] && [ "$2" -eq 0 ] && [ "$statuses" -ge 4 ]; then
        echo "$1     - / -     no number: impossible"
    else
        echo "$1     - / -     MISSED: exit $2 and $numbers numbers, where there is no answer"
        return 1
    fi
}

bad=0
for input in "$dir"/[0-9]*/input.*; do
    case=$(basename "$(dirname "$input")")
    row=$(table | grep "^$case ") || { echo "$case  not in the table of tests/scripts/cases.sh"; bad=1; continue; }
    # shellcheck disable=SC2086
    set -- $row
    cpu=$2 kind=$3 known=${4-} reason=
    [ $# -gt 4 ] && { shift 4; reason=$*; }
    args=
    [ "$cpu" = - ] || args="--uarch $cpu"
    # shellcheck disable=SC2086
    "$TDPROBE" replay $args --level 6 --counts --format csv "$input" > "$tmp/csv" 2> "$tmp/err"
    code=$?
    if [ "$kind" = none ]; then
        refuse "$case" $code || bad=1
    elif [ $code -ne 0 ] && [ $code -ne 69 ]; then # 69: there are numbers, but no verdict; or none at all, which are missed
        echo "$case  MISSED: exit $code: $(head -n 1 "$tmp/err")"
        bad=1
    else
        compare "$case" "$kind" "$known" "$reason" < "$tmp/csv" || bad=1
        # shellcheck disable=SC2086
        "$TDPROBE" replay $args --format csv "$input" 2> "$tmp/err" | judge "$case" || bad=1
    fi
done
exit $bad
