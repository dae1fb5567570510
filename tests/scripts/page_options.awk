# SPDX-License-Identifier: MIT
# The options of a manual page's OPTIONS, a line each: the option with its value as --help has it, a tab, and the words of its item, which
# several options may share. The section is named by -v section=...
function flush(   i) {
    for (i = 1; i <= n; i++)
        print option[i] "\t" body
    n = 0
    body = ""
}
# ".It Fl I Ar MS , Fl \-interval-print Ar MS": "-I MS" and "--interval-print MS"
function head(line,   w, k, i, name, value, optional) {
    gsub(/\\&/, "", line)
    k = split(line, w, " ")
    name = ""
    for (i = 2; i <= k + 1; i++) {
        if (i > k || (w[i] == "Fl") || (w[i] == "," && w[i + 1] == "Fl")) {
            if (name != "") {
                if (optional)
                    value = "[" value "]"
                option[++n] = name (value == "" ? "" : " " value)
            }
            if (w[i] == ",")
                i++
            name = w[i + 1]
            sub(/^\\-/, "-", name)
            name = "-" name
            value = ""
            optional = 0
            i++
        } else if (w[i] == "Oo")
            value = value "["
        else if (w[i] == "Oc")
            value = value "]"
        else if (w[i] == "Op")
            optional = 1
        else if (w[i] !~ /^(Ar|Ns|Cm|No|=)$/)
            value = value w[i]
    }
}
/^\.Sh / {
    if (inside)
        flush()
    inside = index($0, ".Sh " section) == 1
    next
}
!inside { next }
/^\.Bl / && ++depth && depth > 1 { body = body " " $0; next }
/^\.El/ { if (--depth == 0) flush(); next }
/^\.It Fl/ && depth == 1 { flush(); head($0); next }
{ line = $0; gsub(/\\-/, "-", line); gsub(/\\&/, "", line); body = body " " line }
END { if (inside) flush() }
