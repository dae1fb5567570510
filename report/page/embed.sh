#!/bin/sh
# SPDX-License-Identifier: MIT
# A file of CSS or of JavaScript as what struct td_page_code (report/page/page.h) begins with: a string of C, without what pages need not
# have, which are lines that are comments alone and blanks before others, and the hash of what a page has of it, which begins with the
# newline after the element's tag.
set -eu
awk=${AWK:-awk}
text() {
    "$awk" '/^ *\/\*.*\*\/$/ || /^ *\/\// { next } { sub(/^ +/, ""); print }' "$1"
}
text "$1" | "$awk" '{ gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); print "\"" $0 "\\n\"" }'
# Three digits of base 16 are two of base 64; of the last ones, two more of zeros are filled up.
{ echo; text "$1"; } | sha256sum | "$awk" '
function digit(c) { return index("0123456789abcdef", c) - 1 }
length($1) == 64 {
    for (i = 1; i < 66; i += 3) {
        bits = 256 * digit(substr($1 "00", i, 1)) + 16 * digit(substr($1 "00", i + 1, 1)) + digit(substr($1 "00", i + 2, 1))
        hash = hash substr(base64, int(bits / 64) + 1, 1) substr(base64, bits % 64 + 1, 1)
    }
    print ", \"'\''sha256-" substr(hash, 1, 43) "='\''\""
}
END { exit hash == "" }' base64=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/
