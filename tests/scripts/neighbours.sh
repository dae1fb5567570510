#!/bin/sh
# SPDX-License-Identifier: MIT
# Every recording in traces/ that is lines of counts, with further lines beside each of its own: the same event in another mode,
# another CPU's event, one that no CPU has. None of its metrics names them, and none changes, in no digit, flag or bound.
set -u
srcdir=${srcdir:-.}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# The lines that are added count three times as much and more: a metric that takes one for its own differs. The metrics register is
# one number for eight fields, and is left as it is.
beside() { # WHERE of the line, before or after; a recording on stdin
    awk -F, -v OFS=, -v where="$1" -v trace="$2" '
    function other(name) { return name ~ /[:\/][uk]$/ ? substr(name, 1, length(name) - 1) (name ~ /u$/ ? "k" : "u") : name (name ~ /\/$/ ? "k" : ":k") }
    function pmu(name) { return match(name, /^[a-z_0-9]+\//) ? substr(name, 1, RLENGTH) : "" }
    function number(name) { if (!(name in numbers)) numbers[name] = ++added; return numbers[name] }
    # Names that differ: where one occurs twice, another group begins.
    function copies(at, last, name, lines, n, names, i, group) {
        name = $at
        if (name in no) return ""
        group = $5
        n = split(other(name) " " other(name) " " pmu(name) "uops_of_no_cpu_" number(name) (pmu(name) == "" ? ":G" : "/G"), names, " ")
        for (i = 1; i <= n; i++) {
            if (i == 2 && !trace) continue
            if (i == 2) $5 = group + 100 # twice
            $at = names[i]
            NF = last
            added_to[$2, $3]++
            lines = lines (lines == "" ? "" : "\n") $0
            if (trace) $5 = group
        }
        return lines
    }
    BEGIN { no["PERF_METRICS"] = no["duration_time"] = no["msr/tsc/"] = 1 }
    /^#/ || /^time_ns,/ || /^$/ { print; next }
    trace && $7 == "end" { $8 += added_to[$2, $3]; added_to[$2, $3] = 0; print; next } # how many lines the reading has
    {
        line = $0
        value = trace ? 8 : 0
        if (!trace) { # [time,] [scope,] value, unit, event, running, percent
            for (i = 1; i + 4 <= NF && !value; i++)
                if ($i ~ /^[0-9]+$/ && $(i + 1) ~ /^$|^msec$/ && $(i + 2) ~ /[A-Za-z]/ && $(i + 3) ~ /^[0-9]+$/ && $(i + 4) ~ /^[0-9.]+$/) value = i
            if (!value) { print line; next }
        }
        if ($value !~ /^[0-9]+$/ || length($value) > 14) { print line; next }
        $value = sprintf("%.0f", 3 * $value + 7)
        more = trace ? copies(7, NF) : copies(value + 2, value + 4)
        if (where == "before" && more != "") print more
        print line
        if (where == "after" && more != "") print more
    }'
}

metrics() { # ARGS and a recording
    # shellcheck disable=SC2086
    "$TDPROBE" replay $1 --summary -M all --level 6 --format csv "$2" 2> "$tmp/err" > "$tmp/csv" || [ $? -eq 69 ] || return 1
    grep -vE ',info_system_(kernel_utilization|kernel_cpi|ipfarbranch),' "$tmp/csv" # which name an event in one mode
}

bad=0 tried=0
for expect in "$srcdir"/traces/*.expect; do
    name=$(sed -n 's/^trace: *//p' "$expect") args=$(sed -n 's/^args: *//p' "$expect")
    case $name in
    *packed*) continue ;; # the register again, in another mode, is a register without its slots
    *.trace) trace=1 ;;
    *.csv) grep -q '^[^,;]*;' "$srcdir/traces/$name" && continue; trace=0; case $args in *--uarch*) ;; *) continue ;; esac ;;
    *) continue ;;
    esac
    metrics "$args" "$srcdir/traces/$name" > "$tmp/alone" || continue
    for where in before after; do
        beside $where $trace < "$srcdir/traces/$name" > "$tmp/more"
        cmp -s "$srcdir/traces/$name" "$tmp/more" && continue
        tried=$((tried + 1))
        metrics "$args" "$tmp/more" > "$tmp/beside"
        code=$?
        if [ $code -ne 0 ] || ! cmp -s "$tmp/alone" "$tmp/beside"; then
            echo "$name, with further events $where its own: $(head -n 1 "$tmp/err")"
            diff "$tmp/alone" "$tmp/beside" | head -n 4
            bad=1
        fi
    done
done
[ $tried -ge 200 ] || { echo "only $tried recordings were tried"; bad=1; }
exit $bad
