# SPDX-License-Identifier: MIT
# Turns the files of advice/meanings (of=meanings) and advice/marks (of=marks) into C: a row for each name of a text, and other vendors' names of the same node.
# A text is a paragraph of lines "WORD TEXT"; a line that begins with blanks continues the one before.
#   node NAME ...  whose text it is. A name may be a pattern, as of the shell: for names that no other text has
#   for BACKEND    it holds for this backend only; that for all comes after it
#   same NAME ...  other names of that node
#   brief, means   one of each
#   read           how to read the number: what is good or bad
#   cause, try     up to five of each
BEGIN {
    print "/* Made by meanings.awk; do not edit. */"
    print "static const struct td_advice " of "[] = {"
}
function wrong(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    bad = 1
    exit 1
}
function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}
function put_list(field, list, n, i) {
    if (!n)
        return
    printf "     .%s = {", field
    for (i = 1; i <= n; i++)
        printf "%s%s", (i > 1 ? ", " : ""), quoted(list[i])
    print "},"
}
function put_text(name) {
    printf "    {.node = %s,\n", quoted(name)
    if (backend)
        printf "     .backend = %s,\n", quoted(backend)
    printf "     .brief = %s,\n     .meaning = %s,\n", quoted(brief), quoted(means)
    if (reading)
        printf "     .reading = %s,\n", quoted(reading)
    put_list("cause", cause, ncause)
    put_list("remedy", remedy, nremedy)
    print "    },"
}
function finish(i) {
    take()
    if (!nnode)
        return
    if (brief == "" || means == "")
        wrong(node[1] " has no " (brief == "" ? "brief" : "means"))
    for (i = 1; i <= nnode; i++) {
        if ((node[i], backend) in seen)
            wrong(node[i] " has two texts" (backend ? " for " backend : ""))
        seen[node[i], backend] = 1
        put_text(node[i])
    }
    backend = brief = means = reading = ""
    nnode = ncause = nremedy = 0
}
# Takes the line that is complete.
function take(word, text, i, n, list) {
    if (line == "")
        return
    word = line
    sub(/ .*/, "", word)
    text = line
    sub(/^[a-z]+ +/, "", text)
    line = ""
    if (word == "node")
        nnode = split(text, node, " ")
    else if (!nnode)
        wrong("'" word "' before 'node'")
    else if (word == "for")
        backend = text
    else if (word == "same")
        for (n = split(text, list, " "); n; n--)
            other[++nother] = quoted(list[n]) ", " quoted(node[1])
    else if (word == "brief")
        brief = text
    else if (word == "means")
        means = text
    else if (word == "read")
        reading = text
    else if (word == "cause")
        cause[++ncause] = text
    else if (word == "try")
        remedy[++nremedy] = text
    else
        wrong("'" word "' is no word of a text")
}
/^#/ { next }
/^$/ { finish(); next }
/^ / {
    sub(/^ +/, "")
    line = line " " $0
    next
}
{
    take()
    line = $0
}
END {
    if (bad)
        exit 1
    finish()
    print "};"
    if (!nother)
        exit
    print "static const struct other_name other_names[] = {"
    for (i = 1; i <= nother; i++)
        printf "    {%s},\n", other[i]
    print "};"
}
