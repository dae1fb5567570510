# SPDX-License-Identifier: MIT
# events.csv to C: one array of struct td_event per CPU, named events_<cpu>.
BEGIN {
    FS = ","
    split("retiring bad-spec fe-bound be-bound heavy-ops br-mispredict fetch-lat mem-bound", f, " ")
    for (i in f)
        field["topdown-" f[i]] = i - 1
    print "/* Made by events.awk; do not edit. */\n#include \"uarch.h\""
}
/^#/ || /^cpu,/ { next }
NF != 12 { print FILENAME ":" FNR ": " NF " columns, not 12" > "/dev/stderr"; bad = 1; exit 1 }
function hex(s, n, i) {
    n = 0
    s = tolower(substr(s, 3))
    for (i = 1; i <= length(s); i++)
        n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
    return n
}
$1 != cpu {
    if (cpu)
        print "};"
    cpu = $1
    name = cpu
    gsub(/-/, "_", name)
    print "static const struct td_event events_" name "[] = {"
}
{
    # Arm codes have up to 16 bits and no umask; config is the code itself
    config = hex($3) + hex($4) * 256 + $6 * 262144 + $8 * 2097152 + $7 * 8388608 + $5 * 16777216
    metric = $9 == "metrics" ? field[$2] : -1
    printf "    {\"%s\", 0x%x, \"%s\", \"%s\", %d, %s, %s},\n", $2, config, $9, $10, metric, $11, $12
}
END {
    if (!bad)
        print "};"
}
