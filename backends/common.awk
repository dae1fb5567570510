# SPDX-License-Identifier: MIT
# What tables.awk and metrics.awk both need: errors, and the hash of a name.
BEGIN {
    for (i = 32; i < 127; i++)
        code[sprintf("%c", i)] = i
}
function fail(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    bad = 1
    exit 1
}
# td_name_hash()
function hash(s, h, i) {
    h = 0
    s = tolower(s)
    for (i = 1; i <= length(s); i++)
        h = (h * 251 + code[substr(s, i, 1)]) % 65536
    return h
}
