# SPDX-License-Identifier: MIT
# Turns several NAME-metrics.csv into C: for each an array of its rows and a hash of their names, struct td_table
# table_<name>; and the texts of all of them, each once. Skips other files. Notation and columns: backends/NOTATION.
BEGIN {
    split("name alias parent domain unit threshold samples groups next needs source formula", order, " ")
    split("node bottleneck info aux", kinds, " ")
    for (i in kinds)
        kind_of[kinds[i]] = toupper(kinds[i])
    columns = "kind,level,name,alias,parent,domain,unit,threshold,samples,groups,next,needs,source,formula"
    text_at[""] = 0
    size = 1
    print "/* Made by metrics.awk; do not edit. */\n#include \"core/formula/table.h\""
}
function text(s) {
    if (!(s in text_at)) {
        text_at[s] = size
        texts[++ntexts] = s
        size += length(s) + 1
    }
    return text_at[s]
}
# The columns before the formula have no comma inside; the formula may be quoted.
function split_row(line, i, at) {
    for (i = 1; i <= 13; i++) {
        at = index(line, ",")
        if (!at)
            fail(i " columns, not 14")
        cell[i] = substr(line, 1, at - 1)
        line = substr(line, at + 1)
    }
    if (line ~ /^".*"$/)
        line = substr(line, 2, length(line) - 2)
    if (line ~ /["\\]/)
        fail("a quotation mark or a backslash in a formula")
    cell[14] = line
}
function finish(slots, slot, at, i, list) {
    if (!table)
        return
    for (slots = 4; slots < 2 * n; slots *= 2)
        continue
    split("", slot)
    for (i = 1; i <= n; i++) {
        for (at = hashes[i] % slots; at in slot; at = (at + 1) % slots)
            continue
        slot[at] = i
    }
    list = ""
    for (at = 0; at < slots; at++)
        list = list (at in slot ? slot[at] : 0) ((at + 1) % 32 ? "," : ",\n")
    print "static const struct td_table_row rows_" table "[] = {\n" rows "};"
    print "static const uint16_t slots_" table "[] = {\n" list "};"
    defined = defined "const struct td_table td_table_" table " = {rows_" table ", " n ", slots_" table ", " slots - 1 ", texts};\n"
}
FILENAME !~ /-metrics\.csv$/ || /^#/ { next }
$0 == columns {
    finish()
    table = FILENAME
    sub(/^.*\//, "", table)
    sub(/-metrics\.csv$/, "", table)
    gsub(/-/, "_", table)
    n = 0
    rows = ""
    split("", seen)
    next
}
{
    split_row($0)
    if (!(cell[1] in kind_of))
        fail("no kind '" cell[1] "'")
    if (cell[3] in seen)
        fail(cell[3] " is there twice")
    seen[cell[3]] = 1
    hashes[++n] = hash(cell[3])
    line = ""
    for (i = 3; i <= 14; i++)
        line = line text(cell[i]) ", "
    rows = rows "    {" line "TD_ROW_" kind_of[cell[1]] ", " cell[2] + 0 "},\n"
}
END {
    if (bad)
        exit 1
    finish()
    print "static const char texts[] = \"\\0\""
    for (i = 1; i <= ntexts; i++)
        print "    \"" texts[i] "\\0\""
    print "    ;"
    printf "%s", defined
}
