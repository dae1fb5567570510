# SPDX-License-Identifier: MIT
# doc/FEATURES as rows of C: the features, the machines with the CPUs that they stand for and their cells, and the reasons.
BEGIN { print "/* Made by features.awk; do not edit. */" }
function quoted(text) {
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}
/^  [^ ]+ +[^ ]/ && !machines && !table {
    name[++nnames] = $1
    about[nnames] = $0
    sub(/^  [^ ]+ +/, "", about[nnames])
}
/^A machine stands/ { machines = 1 }
machines && !table && /^  / {
    cpus[$1] = $0
    sub(/^  [^ ]+ +/, "", cpus[$1])
}
/^machine / {
    table = 1
    for (i = 2; i <= NF; i++)
        order[i] = $i
    columns = NF
    next
}
table && NF == columns && !reasons { row[++nrows] = $0 }
table && !NF { reasons = 1 }
reasons && /^  u  / { untested = substr($0, 6) }
reasons && /^  [A-Z]  / { reason[substr($0, 3, 1)] = substr($0, 6) }
END {
    # the first names are of the cells' words: y, t, u
    for (i = 1; i <= nnames; i++)
        told[name[i]] = about[i]
    print "static const struct feature features[] = {"
    for (i = 2; i <= columns; i++) {
        if (!(order[i] in told)) {
            print FILENAME ": nothing tells what the column " order[i] " is" > "/dev/stderr"
            exit 1
        }
        printf "    {%s, %s},\n", quoted(order[i]), quoted(told[order[i]])
    }
    print "};\nstatic const struct machine machines[] = {"
    for (i = 1; i <= nrows; i++) {
        n = split(row[i], cell)
        printf "    {%s, %s, {", quoted(cell[1]), quoted(cpus[cell[1]])
        for (k = 2; k <= n; k++)
            printf "%s%s", (k > 2 ? ", " : ""), quoted(cell[k])
        print "}},"
    }
    print "};\nstatic const char untested[] = " quoted(untested) ";"
    print "static const char *const reasons[26] = {"
    for (letter in reason)
        printf "    [%d] = %s,\n", index("ABCDEFGHIJKLMNOPQRSTUVWXYZ", letter) - 1, quoted(reason[letter])
    print "};"
}
