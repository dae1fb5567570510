# SPDX-License-Identifier: MIT
# Reads tdprobe's csv: "scope retiring bad fe be low high ..." (low and high of
# each of the four, - where absent) for each scope and interval.
# A level-1 metric without a value is "bad:STATUS".
BEGIN {
    FS = ","
    split("retiring bad_speculation frontend_bound backend_bound", names, " ")
    for (i in names)
        number[names[i]] = i
}
/^#/ { next }
!header {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    header = 1
    next
}
$(column["metric"]) in number {
    key = ($(column["summary"]) == "" ? $(column["time"]) : "summary") "/" $(column["scope"])
    gsub(/ /, "", key)
    if (!(key in known)) {
        known[key] = 1
        order[++n] = key
    }
    i = number[$(column["metric"])]
    value[key, i] = $(column["value"])
    low[key, i] = $(column["low"])
    high[key, i] = $(column["high"])
    if ($(column["value"]) == "")
        bad[key] = $(column["status"])
    flags[key] = flags[key] $(column["flags"])
}
function or_dash(text) { return text == "" ? "-" : text }
END {
    for (j = 1; j <= n; j++) {
        k = order[j]
        if (k in bad) {
            print k, "bad:" bad[k]
            continue
        }
        printf "%s", k
        for (i = 1; i <= 4; i++)
            printf " %s", or_dash(value[k, i])
        for (i = 1; i <= 4; i++)
            printf " %s %s", or_dash(low[k, i]), or_dash(high[k, i])
        print " " or_dash(flags[k])
    }
}
