# SPDX-License-Identifier: MIT
# Turns the events of a backend into C: for each CPU an array of struct td_event, events_<cpu>, and a hash of the names of
# its events, names_<cpu>. First come those of the backend's list, then those of the CPU's NAME-events.csv beside it, which
# has what the published metrics need (backends/NOTATION), then what only the formulas of its NAME-metrics.csv name: events
# of other PMUs. A line "published,CPU" is for a CPU whose events are all in the second and third; there an event is marked
# as used where a node of level 1 or 2 names it, or a helper. intel-tables.csv beside it, if any, lists whose files a CPU
# has. A CPU with the same lines as an earlier one shares its tables.
BEGIN {
    FS = ","
    split("retiring bad-spec fe-bound be-bound heavy-ops br-mispredict fetch-lat mem-bound", f, " ")
    for (i in f)
        field["topdown-" f[i]] = i - 1
    print "/* Made by tables.awk; do not edit. */\n#include \"core/uarch.h\""
}
/^#/ || /^cpu,/ { next }
# Reads intel-tables.csv beside the file that is read; a CPU that it does not list has files of its own name.
function read_uses(name, line, cell) {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    name = folder "intel-tables.csv"
    while ((getline line < name) > 0)
        if (line !~ /^#/ && split(line, cell, ",") == 3) {
            metrics_of[cell[1]] = cell[2]
            events_of[cell[1]] = cell[3]
        }
    close(name)
    uses_read = 1
}
function hex(s, n, i) {
    n = 0
    s = tolower(substr(s, 3))
    for (i = 1; i <= length(s); i++)
        n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
    return n
}
function is_one_of(cpu, list, n, word, i) {
    n = split(list, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] == cpu)
            return 1
    return 0
}
# A name keeps its first meaning.
function add_name(name, number, low, i) {
    low = tolower(name)
    if (low in taken)
        return
    hashes[++nnames] = hash(name)
    taken[low] = nnames
    spelled[nnames] = name
    event[nnames] = number
}
function number_named(name) {
    return name in taken ? event[taken[name]] : -1
}
function collect_names(i) {
    split("", taken)
    nnames = 0
    for (i = 1; i <= nothers; i++)
        add_name(other[i], other_event[i])
    for (i = 1; i <= naliases; i++)
        if ((tolower(alias_event[i]) in own) && (alias_cpus[i] == "" || is_one_of(cpu, alias_cpus[i])))
            add_name(alias[i], own[tolower(alias_event[i])])
    for (i = 0; i < nevents; i++)
        add_name(event_name[i], i)
}
function names_text(table, size, i, at, texts, slots, offset, slot) {
    for (size = 4; size < 2 * nnames; size *= 2)
        continue
    split("", slot)
    texts = ""
    offset = 0
    for (i = 1; i <= nnames; i++) {
        for (at = hashes[i] % size; at in slot; at = (at + 1) % size)
            continue
        slot[at] = "{" hashes[i] ", " event[i] ", " offset "}"
        texts = texts "    \"" spelled[i] "\\0\"\n"
        offset += length(spelled[i]) + 1
    }
    slots = ""
    for (at = 0; at < size; at++)
        slots = slots "    " (at in slot ? slot[at] : "{0, TD_NO_EVENT, 0}") ",\n"
    return "static const struct td_event_names names_" table " = {\n    (const struct td_event_name[]){\n" slots "    },\n" texts "    , " size - 1 ", " number_named("topdown.slots") ", " number_named("cycles") "\n};\n"
}
# A config without one field, which has size values in steps of unit.
function without(config, unit, size) {
    return config - (int(config / unit) % size) * unit
}
# The config of a name without the modifiers after its first colon, as far as these show it.
function base_config(config, name, n, mod, i) {
    n = split(name, mod, ":")
    for (i = 2; i <= n; i++) {
        if (mod[i] ~ /^c[0-9]/)
            config = without(config, 16777216, 256)
        else if (mod[i] ~ /^e[0-9]/)
            config = without(config, 262144, 2)
        else if (mod[i] ~ /^i[0-9]/)
            config = without(config, 8388608, 2)
        else if (mod[i] ~ /^eq[0-9]/)
            config = without(config, 68719476736, 2)
    }
    return config
}
function c_number(n) {
    return sprintf("%.0fu", n)
}
# Some awks write a large number as 4.29497e+09 where it becomes part of a string.
function encoding(config, config1, modes) {
    return c_number(config) " " c_number(config1) " " modes
}
# An event that a published metric needs: the CPU's own by the same encoding, or a new one.
function add_published(name, config, other_config, config1, counters, alone, modes, errata, number) {
    if (tolower(name) in own)
        return own[tolower(name)]
    key = config == "" ? "" : encoding(config, config1, modes)
    if (config != "" && key in by_encoding) {
        other[++nothers] = name
        other_event[nothers] = by_encoding[key]
        return by_encoding[key]
    }
    number = own[tolower(name)] = nevents
    event_name[nevents++] = name
    if (config != "")
        by_encoding[key] = number
    events = events "    {\"" name "\", " (config == "" ? "TD_CONFIG_NONE" : c_number(config)) ", \"" counters "\", \"" alone "\", -1, 1, 1, " (name in is_used ? "true" : "false") ", .config1 = " c_number(config1) ", .other_config = " c_number(other_config) modes (errata == "" ? "" : ", .errata = \"" errata "\"") "},\n"
    return number
}
function is_known(name, i) {
    if (tolower(name) in own)
        return 1
    for (i = 1; i <= nothers; i++)
        if (other[i] == name)
            return 1
    for (i = 1; i <= naliases; i++)
        if (alias[i] == name && (tolower(alias_event[i]) in own) && (alias_cpus[i] == "" || is_one_of(cpu, alias_cpus[i])))
            return 1
    return 0
}
function counters_text(s) {
    sub(/^fixed/, "fixed ", s)
    return s
}
function latency(name, cycles, table, number) {
    if (tolower(name) in own)
        return
    number = own[tolower(name)] = nevents
    event_name[nevents++] = name
    events = events "    {\"" name "\", TD_CONFIG_NONE, \"none\", \"none\", -1, 1, 1, false, .kind = TD_EVENT_LATENCY, .latency = " (cycles == "" ? 0 : cycles ", .latency_table = \"" table "\"") "},\n"
}
# NAME-events.csv
function read_published(file, line, cell, config, base, name, modes, both) {
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || line ~ /^name,/)
            continue
        if (split(line, cell, ",") < 11)
            fail(file ": " line)
        name = cell[1]
        split(cell[2], both, " ")
        config = hex(both[1])
        modes = cell[7] == "k" ? ", .modes = TD_MODE_KERNEL" : cell[7] == "u" ? ", .modes = TD_MODE_USER" : \
            cell[7] == "percore" ? ", .kind = TD_EVENT_PER_CORE" : ""
        base = name
        sub(/:.*/, "", base)
        if (is_known(name)) # by a name of the backend's list
            continue
        if (modes != "")
            name_modes(name, base, config, cell[4], modes)
        else
            add_published(name, config, cell[2] ~ / / ? hex(both[2]) : 0, cell[3] == "" ? 0 : hex(cell[3]), \
                counters_text(cell[4]), counters_text(cell[5] == "" ? cell[4] : cell[5]), "", cell[8])
        if (base != name && !is_known(base) && modes == "") # "NAME,cmask=1" begins with its name
            add_published(base, base_config(config, name), 0, 0, counters_text(cell[4]), counters_text(cell[5] == "" ? cell[4] : cell[5]), "")
        if (cell[9] != "" || cell[10] != "")
            latency(base ":R", cell[10] != "" ? cell[10] : cell[9], cell[10] != "" ? "perfmon" : "pmu-tools")
    }
    close(file)
}
# The counts of an event in one mode, or of all threads of a core: copies of the event itself.
function name_modes(name, base, config, counters, modes) {
    if (!is_known(base))
        add_published(base, config, 0, 0, counters_text(counters), counters_text(counters), "")
    own[tolower(name)] = nevents
    event_name[nevents++] = name
    events = events "    {\"" name "\", TD_CONFIG_NONE, \"" counters "\", \"" counters "\", -1, 1, 1, false, .base = " number_of(base) modes "},\n"
}
function number_of(name, i) {
    for (i = 1; i <= naliases; i++)
        if (alias[i] == name && (tolower(alias_event[i]) in own) && (alias_cpus[i] == "" || is_one_of(cpu, alias_cpus[i])))
            return own[tolower(alias_event[i])]
    for (i = 1; i <= nothers; i++)
        if (other[i] == name)
            return other_event[i]
    return own[tolower(name)]
}
# The events of levels 1 and 2
function read_used(file, line, i) {
    while ((getline line < file) > 0) {
        if (line !~ /^(node,[12]|aux,),/)
            continue
        for (i = 1; i <= 13; i++)
            sub(/^[^,]*,/, "", line)
        while (match(line, /[A-Za-z0-9_.:]+/)) {
            is_used[substr(line, RSTART, RLENGTH)] = 1
            line = substr(line, RSTART + RLENGTH)
        }
    }
    close(file)
}
# What the formulas name besides: other PMUs' events, the time stamp counter, latencies without a published mean
function read_formulas(file, line, i, word) {
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || line ~ /^kind,/)
            continue
        for (i = 1; i <= 13; i++)
            sub(/^[^,]*,/, "", line)
        while (match(line, /[A-Za-z0-9_.:=]+/)) {
            word = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (word == "tsc")
                word = "msr/tsc/"
            else if (word !~ /^[A-Z]/ || word == "SMT" || word == "EBS" || word == "FIXED")
                continue
            if (is_known(word))
                continue
            if (word ~ /:R$/)
                latency(word, "", "")
            else
                add_published(word, "", 0, 0, "none", "none", word == "msr/tsc/" ? ", .kind = TD_EVENT_TSC" : ", .kind = TD_EVENT_ELSEWHERE")
        }
    }
    close(file)
}
function add_all_published(file) {
    if (!uses_read)
        read_uses()
    split("", is_used)
    if (only_published)
        read_used(folder cpu "-metrics.csv")
    read_published(folder (cpu in events_of ? events_of[cpu] : cpu) "-events.csv")
    read_formulas(folder (cpu in metrics_of ? metrics_of[cpu] : cpu) "-metrics.csv")
}
function finish(table, text) {
    if (!cpu)
        return
    add_all_published()
    table = cpu
    gsub(/-/, "_", table)
    collect_names()
    text = events
    for (i = 1; i <= nnames; i++)
        text = text spelled[i] "=" event[i] "\n"
    if (text in done) {
        print "#define events_" table " events_" done[text] "\n#define names_" table " names_" done[text]
        return
    }
    done[text] = table
    print "static const struct td_event events_" table "[] = {\n" events "};"
    printf "%s", names_text(table)
}
$1 == "alias" {
    if (NF < 3 || NF > 4)
        fail(NF " columns of an alias, not 3 or 4")
    alias[++naliases] = $2
    alias_event[naliases] = $3
    alias_cpus[naliases] = NF > 3 ? $4 : ""
    next
}
function begin_cpu(name, published) {
    finish()
    if (name in seen)
        fail("the lines of " name " are not together")
    cpu = name
    seen[cpu] = 1
    only_published = published
    events = ""
    nevents = nothers = 0
    split("", own)
    split("", by_encoding)
}
$1 == "published" && NF == 2 {
    begin_cpu($2, 1)
    next
}
NF != 13 { fail(NF " columns, not 13") }
$1 != cpu { begin_cpu($1, 0) }
{
    # Arm codes have up to 16 bits and no umask; config is the code itself
    config = hex($3) + hex($4) * 256 + $6 * 262144 + $8 * 2097152 + $7 * 8388608 + $5 * 16777216
    metric = $9 == "metrics" ? field[$2] : -1
    if (tolower($2) in own)
        fail($2 " is there twice")
    own[tolower($2)] = nevents
    if ($2 !~ /^topdown-/ && !(encoding(config, 0, "") in by_encoding))
        by_encoding[encoding(config, 0, "")] = nevents
    event_name[nevents++] = $2
    events = events sprintf("    {\"%s\", 0x%x, \"%s\", \"%s\", %d, %s, %s, %s, .config1 = 0u},\n", $2, config, $9, $10, metric, $11, $12, $13)
}
END {
    if (!bad)
        finish()
}
