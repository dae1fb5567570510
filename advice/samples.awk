# SPDX-License-Identifier: MIT
# Turns samples.csv into C. intel-tables.csv and the NAME-events.csv of all CPUs come before it: for each line of samples.csv,
# the CPUs that have the events of a choice, and of no choice before it, make one row.
BEGIN {
    FS = ","
    print "/* Made by samples.awk; do not edit. */"
}
/^#/ || /^cpu,/ || /^name,/ { next }
function base(path) {
    sub(/.*\//, "", path)
    return path
}
FILENAME ~ /intel-tables\.csv$/ {
    shared[$3] = shared[$3] " " $1
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
function put(node, cpus, backend, events) {
    gsub(/\+/, ",", events)
    printf "    {\"%s\", \"%s\", %s, \"%s\"},\n", node, cpus, backend == "" ? "NULL" : "\"" backend "\"", events
}
NF != 4 {
    print FILENAME ":" FNR ": " NF " columns, not 4" > "/dev/stderr"
    exit bad = 1
}
{
    split("", taken)
    n = split($3, choice, " ")
    for (i = 1; i <= n; i++) {
        cpus = ""
        for (k = 1; k <= ntables; k++)
            if (!(tables[k] in taken) && has_all(tables[k], choice[i])) {
                taken[tables[k]] = 1
                cpus = cpus (tables[k] in shared ? shared[tables[k]] : " " tables[k])
            }
        if (cpus == "") {
            print FILENAME ":" FNR ": no CPU is left for " choice[i] > "/dev/stderr"
            exit bad = 1
        }
        put($1, substr(cpus, 2), $2, choice[i])
    }
    put($1, "", $2, $4)
}
