# SPDX-License-Identifier: MIT
# The shares in a csv of perf stat -x,: a line for each scope (and for its n-th group
# of the same events), "scope retiring bad fe be percent slots enabled-ns".
# -v kind=metrics|skl|atom|n2 -v width=N; -v cgroups=1: the csv has them.
BEGIN {
    FS = ","
    if (kind == "skl")
        split("topdown-total-slots topdown-slots-issued topdown-slots-retired topdown-fetch-bubbles topdown-recovery-bubbles", wanted, " ")
    else if (kind == "atom")
        split("cpu-cycles topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound", wanted, " ")
    else if (kind == "n2")
        split("cpu_cycles op_retired op_spec stall_slot stall_slot_frontend stall_slot_backend br_mis_pred", wanted, " ")
    else
        split("slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound", wanted, " ")
    for (i in wanted)
        is_event[wanted[i]] = 1
}
function plain(name) {
    sub(/^[a-z0-9_]+\//, "", name)
    sub(/\/?(:[a-zA-Z]+)?$/, "", name)
    return name
}
{
    for (i = 3; i <= NF && !(plain($i) in is_event); i++)
        ;
    if (i > NF)
        next
    key = "all"
    for (j = 1; j < i - 2; j++)
        key = (key == "all" ? "" : key "/") $j
    at = i + 1
    if (cgroups)
        key = key "/" $(at++)
    gsub(/ /, "", key)
    name = plain($i)
    key = key "#" (++seen[key, name])
    if (!(key in known)) {
        known[key] = 1
        order[++n] = key
    }
    if ($(i - 2) !~ /^[0-9.]+$/)
        bad[key] = $(i - 2)
    v[key, name] = $(i - 2)
    if (!(key in percent) || $(at + 1) < percent[key])
        percent[key] = $(at + 1)
    running[key] = $at
}
function solve(k,    s, used, kept, miss) {
    if (kind == "skl") {
        s = v[k, "topdown-total-slots"]
        r = v[k, "topdown-slots-retired"] / s
        f = v[k, "topdown-fetch-bubbles"] / s
        b = (v[k, "topdown-slots-issued"] - v[k, "topdown-slots-retired"] + v[k, "topdown-recovery-bubbles"]) / s
        e = 1 - r - f - b
        return s
    }
    if (kind == "n2") {
        s = width * v[k, "cpu_cycles"]
        kept = v[k, "op_retired"] / v[k, "op_spec"]
        miss = v[k, "br_mis_pred"] / v[k, "cpu_cycles"]
        used = 1 - v[k, "stall_slot"] / s
        r = kept * used
        b = (1 - kept) * used + 4 * miss
        f = v[k, "stall_slot_frontend"] / s - miss
        e = v[k, "stall_slot_backend"] / s - 3 * miss
        return s
    }
    s = v[k, "topdown-retiring"] + v[k, "topdown-bad-spec"] + v[k, "topdown-fe-bound"] + v[k, "topdown-be-bound"]
    if (kind == "atom")
        s = width * v[k, "cpu-cycles"]
    if (s == 0)
        return 0
    r = v[k, "topdown-retiring"] / s
    b = v[k, "topdown-bad-spec"] / s
    f = v[k, "topdown-fe-bound"] / s
    e = v[k, "topdown-be-bound"] / s
    return kind == "atom" ? s : v[k, "slots"]
}
END {
    for (i = 1; i <= n; i++) {
        k = order[i]
        if (k in bad) {
            print k, "bad:" bad[k]
            continue
        }
        slots = solve(k)
        enabled = percent[k] > 0 ? running[k] * 100 / percent[k] : 0
        printf "%s %.5f %.5f %.5f %.5f %s %.0f %.0f\n", k, r, b, f, e, percent[k], slots, enabled
    }
}
