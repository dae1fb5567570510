# SPDX-License-Identifier: MIT
# Turns samples.csv into C, and what the vendors publish. Before samples.csv come intel-tables.csv and the NAME-events.csv of
# all CPUs: for each of its lines, the CPUs that have the events of a choice, and of no choice before it, make one row.
# After it come the NAME-metrics.csv: their column "samples", as far as the CPU has the events, for what samples.csv
# lacks. A node that has none takes those of the node above.
BEGIN {
    FS = ","
    print "/* Made by samples.awk; do not edit. */"
}
/^#/ || /^cpu,/ || /^name,/ || /^kind,/ { next }
function base(path) {
    sub(/.*\//, "", path)
    return path
}
function wrong(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    bad = 1
    exit 1
}
FILENAME ~ /intel-tables\.csv$/ {
    shared[$3] = shared[$3] " " $1
    uses[$2] = uses[$2] " " $1
    events_of[$1] = $3
    next
}
FILENAME ~ /-events\.csv$/ {
    if (FNR == 1 || FILENAME != file) {
        file = FILENAME
        table = base(file)
        sub(/-events\.csv$/, "", table)
        tables[++ntables] = table
    }
    has[table, tolower($1)] = 1
    next
}
function has_all(table, choice, n, i, event) {
    n = split(choice, event, "+")
    for (i = 1; i <= n; i++) {
        sub(/:.*/, "", event[i])
        if (event[i] ~ /^(cycles|instructions|branch-misses|cache-misses)$/)
            continue # perf's own, on every CPU
        if (!((table, event[i]) in has))
            return 0
    }
    return 1
}
function put(node, cpus, backend, events, as) {
    gsub(/\+/, ",", events)
    printf "    {\"%s\", \"%s\", %s, \"%s\", %s},\n", node, cpus, backend == "" ? "NULL" : "\"" backend "\"", events, as == "" ? "NULL" : "\"" as "\""
}
# The published events that the CPU has, with '+' between them.
function published(cpu, list, n, i, event, name, table, found) {
    table = cpu in events_of ? events_of[cpu] : cpu
    n = split(tolower(list), event, " ")
    for (i = 1; i <= n; i++) {
        name = event[i]
        sub(/:.*/, "", name)
        if ((table, name) in has)
            found = found (found == "" ? "" : "+") event[i]
    }
    return found
}
# Remembers the CPUs that have the same events for a node, or none and the same node above.
function gather(node, cpu, key) {
    key = node SUBSEP key
    if (!(key in cpus_of)) {
        order[++norder] = key
        cpus_of[key] = cpu
    } else if (index(" " cpus_of[key] " ", " " cpu " ") == 0) {
        cpus_of[key] = cpus_of[key] " " cpu
    }
}
FILENAME ~ /-metrics\.csv$/ {
    if ($3 in by_hand || $1 == "aux")
        next
    table = base(FILENAME)
    sub(/-metrics\.csv$/, "", table)
    n = split(table in uses ? uses[table] : table, cpu, " ")
    for (i = 1; i <= n; i++) {
        events = published(cpu[i], $9)
        if (events != "" || $5 != "")
            gather($3, cpu[i], events SUBSEP (events == "" ? $5 : ""))
    }
    next
}
NF != 4 { wrong(NF " columns, not 4") }
{
    by_hand[$1] = 1
    split("", taken)
    n = split($3, choice, " ")
    for (i = 1; i <= n; i++) {
        cpus = ""
        for (k = 1; k <= ntables; k++)
            if (!(tables[k] in taken) && has_all(tables[k], choice[i])) {
                taken[tables[k]] = 1
                cpus = cpus (tables[k] in shared ? shared[tables[k]] : " " tables[k])
            }
        if (cpus == "")
            wrong("no CPU is left for " choice[i])
        put($1, substr(cpus, 2), $2, choice[i])
    }
    put($1, "", $2, $4)
}
END {
    if (bad)
        exit 1
    for (i = 1; i <= norder; i++) {
        split(order[i], part, SUBSEP)
        put(part[1], cpus_of[order[i]], "", part[2], part[3])
    }
}
