#!/bin/sh
# SPDX-License-Identifier: MIT
# The layering: which folder may include headers of which other. Reads every #include of
# the library and of the program, and fails on an arrow that is not listed below, on a
# listed one that is no longer used, on a circle between the folders of one folder, and
# on a header that is not included by its path.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# folder: what it may include besides its own headers ("sim -> os" is os/os.h only, and formats and samples likewise)
cat > "$tmp/allowed" << 'END'
cli: report advice kernels stats private include util
report: advice stats private include
advice: util
kernels: stats include util
stats: private include util
session: live formats samples sim backends os core private include util
live: os backends core include util
formats: samples symbols sim backends os core private include util
samples: symbols os core private include util
sim: os backends core private include util
backends: core include
core: private include util
util: private include
os:
symbols: private include util
drawing: private include util
private: include
include:
END
# FILE HEADER: arrows that are known to be wrong, each until it is fixed
cat > "$tmp/exceptions" << 'END'
END

cd "$TD_SRCDIR" || exit 99
folders=$(sed 's/:.*//' "$tmp/allowed")
# shellcheck disable=SC2086
find $folders -name '*.[ch]' -o -name '*.cc' | sort > "$tmp/files"
# shellcheck disable=SC2046
awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, part[2] }' $(cat "$tmp/files") > "$tmp/includes"
[ "$(wc -l < "$tmp/includes")" -gt 300 ] || fail "only $(wc -l < "$tmp/includes") lines with #include were found"
for folder in *; do # a folder with sources that is missing from this list
    [ -f "$folder/sources.mk" ] || continue
    case $folder in tests|examples|python) continue ;; esac
    grep -q "^$folder:" "$tmp/allowed" || fail "the folder $folder has no place in the house plan"
done

# every header by its path from the root; installed headers name each other as when installed
while read -r file header; do
    case $file in include/*) [ -e "include/$header" ] && continue ;; esac
    case $header in *.inc) continue ;; */*) [ -e "$header" ] && continue ;; esac # *.inc: made by the build
    fail "$file includes \"$header\", which is no path from the root"
done < "$tmp/includes"
# shellcheck disable=SC2046
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(td|core/|backends/|os/|live/|sim/|session/|report/|stats/|cli/)' $(cat "$tmp/files") &&
    fail "the headers above are our own: \"include/tdprobe.h\""

# the arrows between the folders of the root
awk -v allowed="$tmp/allowed" -v exceptions="$tmp/exceptions" '
    BEGIN {
        while ((getline line < allowed) > 0) {
            n = split(line, word, /[: ]+/)
            for (i = 2; i <= n; i++)
                may[word[1], word[i]] = 1
        }
        while ((getline line < exceptions) > 0)
            except[line] = 1
    }
    {
        if (($1 " " $2) in except) {
            used[$1 " " $2] = 1
            next
        }
        from = $1; to = $2
        sub(/\/.*/, "", from)
        if (sub(/\/.*/, "", to) && from != to)
            check()
    }
    function check() {
        if (!((from, to) in may))
            printf "%s includes %s: %s may not include %s\n", $1, $2, from, to
        else if ((from == "sim" || from == "formats" || from == "samples") && to == "os" && $2 != "os/os.h")
            printf "%s includes %s: of os %s may include os/os.h only\n", $1, $2, from
    }
    END {
        for (line in except)
            if (!(line in used))
                printf "%s: the exception is not needed any more\n", line
    }' "$tmp/includes" > "$tmp/wrong"
[ ! -s "$tmp/wrong" ] || { cat "$tmp/wrong"; fail "arrows that are not in the house plan"; }

# circles between the folders of one folder: a folder that nothing else leads to, or that leads to nothing else, is in none
awk -v exceptions="$tmp/exceptions" '
    BEGIN {
        while ((getline line < exceptions) > 0)
            except[line] = 1
    }
    !(($1 " " $2) in except) {
        n = split($1, from, "/")
        m = split($2, to, "/")
        for (i = 1; i < n && i < m && from[i] == to[i]; i++)
            ;
        if (i >= n || i >= m)
            next # one of them is a file in their common folder
        a = from[1]
        b = to[1]
        for (k = 2; k <= i; k++) {
            a = a "/" from[k]
            b = b "/" to[k]
        }
        arrow[a " " b] = $1 " includes " $2
    }
    END {
        do {
            split("", out)
            split("", in_)
            for (x in arrow) {
                split(x, end, " ")
                out[end[1]] = in_[end[2]] = 1
            }
            gone = 0
            for (x in arrow) {
                split(x, end, " ")
                if (!(end[1] in in_) || !(end[2] in out)) {
                    delete arrow[x]
                    gone++
                }
            }
        } while (gone)
        for (x in arrow)
            print x ": " arrow[x]
    }' "$tmp/includes" | sort > "$tmp/circles"
[ ! -s "$tmp/circles" ] || { sed 's/ / -> /' "$tmp/circles"; fail "circles between folders"; }

exit $bad
