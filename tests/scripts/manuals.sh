#!/bin/sh
# SPDX-License-Identifier: MIT
# The public structs, each field of which has to be in a manual, and
# the examples of the manuals and of README: a block that shows "$ tdprobe ..." and what it prints
# is run where the source's folders are, and must print that. A block that is a whole trace is
# example.trace for the commands after it.
set -u
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=1; }
mkdir "$tmp/bin" "$tmp/here" && ln -s "$TDPROBE" "$tmp/bin/tdprobe"
ln -s "$TD_SRCDIR/sim" "$TD_SRCDIR/traces" "$tmp/here"
cd "$tmp/here" || exit 99
PATH=$tmp/bin:$PATH
runs=0
# Blocks between lines that match FROM and TO, starting at the line with the command, as NUMBER.example
blocks() { # FILE
    case $1 in
    */README) awk -v to="$tmp/" '/^    \$ / { f = to (++n) ".example" } f && !/^    / { close(f); f = "" } f { print substr($0, 5) > f }' "$1" ;;
    *) awk -v to="$tmp/" '/^\.Bd/ { inside = 1; next } /^\.Ed/ { inside = 0; if (f) close(f); f = ""; next }
        inside && (/^\$ / || /^# tdprobe-trace: /) { if (f) close(f); f = sprintf("%s%03d.example", to, ++n) } f { gsub(/\\e/, "\\"); gsub(/\\-/, "-"); sub(/^\\&/, ""); print > f }' "$1" ;;
    esac
}
check() { # PAGE EXAMPLE
    if grep -q '^# tdprobe-trace: ' "$2"; then
        cp "$2" example.trace
        return 0
    fi
    # the command ends where its line does not end with \ or |
    awk -v command="$2.sh" -v wanted="$2.wanted" '!done { sub(/^\$ /, ""); sub(/^\.\/tdprobe/, "tdprobe"); print > command; if ($0 !~ /[\\|]$/) done = 1; next } { print > wanted }' "$2"
    [ -s "$2.wanted" ] || return 0
    grep -qE '^(tdprobe|printf|cat) ' "$2.sh" || return 0
    sh "$2.sh" > "$2.got" 2>&1
    # a line that is broken to fit the page, with \ at its end, is one line
    for file in wanted got; do sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' "$2.$file" > "$2.$file.whole"; done
    runs=$((runs + 1))
    cmp -s "$2.wanted.whole" "$2.got.whole" && return 0
    fail "${1##*/}: '$(head -n 1 "$2.sh")' prints"
    diff "$2.wanted.whole" "$2.got.whole"
}
for page in "$TD_SRCDIR/README" "$TD_SRCDIR"/doc/*.[1357]; do
    rm -f "$tmp"/*.example*
    blocks "$page"
    for example in "$tmp"/*.example; do [ ! -e "$example" ] || check "$page" "$example"; done
done

# and what README says that its first command ends with
sed -n '/^The replay of Try it ends with/,/^- First line/ s/^    //p' "$TD_SRCDIR/README" > wanted
[ "$(wc -l < wanted)" -ge 10 ] || fail "README shows $(wc -l < wanted) lines of the replay of Try it"
tdprobe replay traces/spr-lkml-default-events-capitalised.trace | tail -n "$(wc -l < wanted)" > got
cmp -s wanted got || { fail "README's replay of Try it ends otherwise:"; diff wanted got; }

# Fields that a page of section 3 describes: those of an item, of ".Ss struct X" or anywhere after ".Vt struct X".
described() { # STRUCT
    awk -v name="struct $1" '/^\.S[hs] / { inside = $0 == ".Ss " name } $0 ~ "^\\.Vt " name "( |$)" { inside = 1 } inside && /^\.(It )?Va / { gsub(/^\.(It )?Va |,/, ""); print }' "$TD_SRCDIR"/doc/*.3 |
        tr ' ' '\n' | sort -u
}
structs=0
for header in tdprobe td_run td_regions td_read td_samples td_sampling; do
    awk '/^struct td_[a-z_]* \{/ { name = $2; next } /^\};/ { name = "" } name { print name " " $0 }' "$TD_SRCDIR/include/$header.h" |
        sed -E 's,/\*.*,,; s,^([a-z_]+) +\*.*,\1,; s,\[[A-Z_0-9]*\],,g; s,\*,,g' | awk '/;/ { name = $1; sub(/;.*/, ""); n = split($0, w, ","); for (i = 1; i <= n; i++) { k = split(w[i], x, " "); print name, x[k] } }'
done > fields
for name in $(cut -d ' ' -f 1 fields | sort -u); do
    case $name in td_self|td__*) continue ;; esac # used by the inline functions only
    structs=$((structs + 1))
    described "$name" > described
    grep "^$name " fields | cut -d ' ' -f 2 | sort -u | comm -23 - described > lacking
    [ ! -s lacking ] || fail "no manual describes of struct $name: $(tr '\n' ' ' < lacking)"
done
# What a subcommand reads is the same in its help and in its synopsis, and each error of a page has one meaning.
synopsis() { # SUBCOMMAND PAGE
    awk -v name="$1" '/^\.Sh / { inside = $2 == "SYNOPSIS" } !inside { next } /^\.Nm/ { mine = 0 } /^\.Cm/ { mine = $2 == name } mine' "$2" | grep -E '^\.(Op )?Ar FILE'
}
for words in 'replay replay' 'convert replay' 'phases phases' 'report report'; do
    # shellcheck disable=SC2086
    set -- $words
    asked=$(tdprobe "$1" --help | sed -nE "s/^usage: tdprobe $1 \[options\] ([^ ]*).*/\1/p" | tr -d '[]')
    given=$(synopsis "$1" "$TD_SRCDIR/doc/tdprobe-$2.1" | sed -E 's/^\.(Op )?Ar //; s/ \.\.\.$//; s/Fl$/-/; s/[ \\]//g')
    [ -n "$asked" ] && [ "$asked" = "$given" ] || fail "tdprobe-$2.1: $1 reads '$given' in the synopsis, '$asked' in its help"
done
for page in "$TD_SRCDIR"/doc/*.3; do
    twice=$(awk '/^\.S[hs] / { section = $0 } /^\.It .*E[A-Z]/ { gsub(/[^A-Z]+/, " "); n = split($0, w, " "); for (i = 1; i <= n; i++) if (w[i] ~ /^E[A-Z]+$/ && seen[section, w[i]]++) print w[i] }' "$page")
    [ -z "$twice" ] || fail "${page##*/}: two meanings of" $twice
done

# As they are read: references that name no page, or are none (".Xr a 1 , b 1" has one), and quotes within quotes.
read_as_page() { LC_ALL=C.UTF-8 MANWIDTH=200 man -P cat "$1" 2> page-says | sed 's/.\x08//g'; }
for page in "$TD_SRCDIR"/doc/*.[1357]; do
    for other in $(sed -nE 's/^\.Xr ((tdprobe|libtdprobe|td_)[a-z_-]*) ([1-8])( .*)?$/\1.\3/p' "$page" | sort -u); do
        [ -e "$TD_SRCDIR/doc/$other" ] || fail "${page##*/} refers to $other, which is no page"
    done
    command -v man > /dev/null || continue
    read_as_page "$page" > read
    [ -s read ] || fail "man cannot read ${page##*/}: $(head -n 3 page-says)"
    grep -nE '(^|[ (])(tdprobe|libtdprobe|td_)[a-z_-]* [1-8]([ ,.;)]|$)' read > odd && fail "${page##*/}: a reference that is none: $(cat odd)"
    grep -nE '‘[^’]*‘|“[^”]*“' read > odd && fail "${page##*/}: quotes within quotes: $(cat odd)"
done
command -v man > /dev/null || echo "no man: no page is read as man shows it"
# What mandoc warns of: order of sections and references, sentences, macros.
if command -v mandoc > /dev/null; then
    mandoc -T lint -W warning "$TD_SRCDIR"/doc/*.[1357] > lint 2>&1 || fail "mandoc warns: $(head -n 20 lint)"
else
    echo "no mandoc: no page is held against it"
fi
[ $structs -ge 12 ] || fail "only $structs structs were found"
[ $runs -ge 7 ] || fail "only $runs examples were found"
exit $bad
