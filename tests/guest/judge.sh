# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# What suites share that sample functions: /tmp/functions has of each the four shares of level 1 that the PMU was set to, of 255.

# judge NAME WANT FUNCTION...: by /tmp/report.csv, each of them has an estimate (WANT ok) or is smeared; the truth is within the bounds of all estimates,
# or within 2 points of one whose pure intervals were too few for bounds. The PMU's clock continues while a busy host makes the guest
# wait: pairs are then further apart than a turn is long, and that a function is smeared is no fault where the program took twice its time:
# it used $used us of CPU time for turns of $nominal us, if that is known.
judge() {
    name=pairs-$1 want=$2
    shift 2
    problem=$(awk -F, -v want="$want" -v wanted="$*" '
        BEGIN {
            n = split("retiring bad_speculation frontend_bound backend_bound", metric, " ")
            while ((getline line < "/tmp/functions") > 0) {
                split(line, f, " ")
                for (i = 1; i <= n; i++) truth[f[1], metric[i]] = f[i + 1] / 255
            }
        }
        ($1, $10) in truth {
            seen[$1]++
            if ($18 != want && index(" " wanted " ", " " $1 " ") == 0) next
            if (want != "ok") { if ($18 != want) print $1 ": " $18 ", not " want; next }
            if ($18 != "ok") print $1 ": " $18 ", " $7 " intervals, " $8 " pure, stay " $9
            else if ($15 == "") { if ($14 < truth[$1, $10] - 0.02 || $14 > truth[$1, $10] + 0.02) print $1 ": " $10 " was set to " truth[$1, $10] ", and is " $14 " without bounds" }
            else if (truth[$1, $10] < $15 - 0.00005 || truth[$1, $10] > $16 + 0.00005) print $1 ": " $10 " was set to " truth[$1, $10] ", bounds are " $15 " .. " $16
        }
        END { n = split(wanted, f, " "); for (i = 1; i <= n; i++) if (seen[f[i]] != 4) print f[i] " has " seen[f[i]] + 0 " shares" }' /tmp/report.csv | head -n 1)
    awk -F, '($10 == "retiring" || $10 == "backend_bound") && $5 > 0.05 { print "# " $1 ": slots " $5 ", " $7 " intervals, " $8 " pure, stay " $9 ", " $10 " " $14 " " $15 ".." $16 " " $18 ($15 == "" && $18 == "ok" ? ", no bounds: " $19 : "") }' /tmp/report.csv
    sed -n 's/^tdprobe: \(samples are pairs.*\|no pairs.*\)/# \1/p' /tmp/out
    busy=
    case $problem in *": smeared, "* | *": few_samples, "* | *" shares") [ "${nominal:-0}" -eq 0 ] || [ "$used" -le $((nominal * 3 / 2)) ] || busy=1 ;; esac
    if [ -z "$problem" ]; then ok "$name"
    elif [ "$busy" ]; then skip "$name" "the host is busy: $used us of CPU time for turns of $nominal us; $problem"
    else not_ok "$name" "$problem" /tmp/out; fi
}
