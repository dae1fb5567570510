#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables of options: help that fits a screen and lists nothing that is refused, manual pages with exactly the options, arguments,
# ranges, values and defaults of the table in its order, and one more row in a table, which shows everywhere.
set -u
. "$TD_SRCDIR/tests/scripts/checks.sh"
commands='stat record replay compare phases report convert collect bench doctor selftest explain perf-command list'
extended() { printf '%s\n' "$1" | sed 's/^functions$/record --functions/'; }

# ---- help ----
screen() { # WORDS...: --help in 24 lines of 80 columns, which say how to get the others
    t "$@" --help; exits 0; empty err
    [ "$(wc -l < out)" -le 24 ] || fail "$what: $(wc -l < out) lines"
    awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' out > long || fail "$what: a long line: $(cat long)"
    says '--help-all'; says '^usage: tdprobe'
    cp out short
    t "$@" --help-all; exits 0; empty err
    grep -oE '^  (-., )?--[a-z-]+' short | sed 's/.*--//' | while read -r option; do
        grep -qE -- "^  (-., )?--$option( |\[|\$)" out || fail "$what lacks --$option"
    done
}
screen
# shellcheck disable=SC2086
for command in $commands; do screen $command; done
screen record --functions
# What is listed is no unknown option, and is not refused by itself: each with a value, on a machine that is simulated.
listed() { # COMMAND
    "$under_test" __options "$1" > table || fail "$1: no table"
    [ -s table ] || fail "$1: an empty table"
}
: > empty.csv
refused='excludes|has no option|is an option of|exclude each other'
for command in $commands functions; do
    listed "$command"
    while IFS=";" read -r name letter arg range usual choices; do
        case $name in help*|vs) continue ;; esac
        value=${usual:-1}
        [ -z "$choices" ] || value=${choices%% *}
        case $arg in
            '') set -- "--$name" ;;
            *'|'*) set -- "--$name=${arg%%|*}" ;;
            *) set -- "--$name=$value" ;;
        esac
        # shellcheck disable=SC2046
        t $(extended "$command") "$@"
        [ "$command$name" != recordrepeat ] || t record --no-multiplex "$@" # which it needs
        grep -qE "$refused" err && fail "$what is listed and refused: $(cat err)"
    done < table
    # and what is not in the table is unknown, with the nearest name where there is one
    # shellcheck disable=SC2046
    t $(extended "$command") --uarhc x; exits 64; warns 'has no option --uarhc; the nearest is --uarch'
done
for words in '--append' '--until=1pp' '--drilldown' '-r 3'; do
    # shellcheck disable=SC2086
    t record $words -o x -- a; exits 64; warns 'record (excludes|takes)|belongs to stat'
done
for list in --help --help-all; do
    t record $list
    grep -qE -- '--(append|until|max-runs|drilldown)' out && fail "$what lists what record refuses: $(grep -E -- '--(append|until|max-runs|drilldown)' out)"
done

# ---- the manual ----
# As the pages have them: "-I MS" and "--interval-print MS", each on a line.
heads() { awk -F ';' '{ value = $3 == "" ? "" : " " $3; gsub(/ /, "", $3); if ($2 != "") print "-" $2 value; print "--" $1 value }' "$1"; }
page_has() { # COMMAND PAGE SECTION ONLY: ONLY=all: and nothing else
    listed "$1"
    awk -v section="$3" -f "$TD_SRCDIR/tests/scripts/page_options.awk" "$TD_SRCDIR/doc/$2" > items
    heads table > want
    cut -f 1 items > has
    [ "$4" = all ] || { grep -xF -f want has > some; mv some has; }
    cmp -s want has || { fail "doc/$2: not the options of $1 in their order:"; diff want has | head -n 6; }
    while IFS=";" read -r name letter arg range usual choices; do
        head="--$name${arg:+ $arg}"
        item=$(awk -F '\t' -v head="$head" '$1 == head { print $2 }' items)
        case $item in *' As in '*|*', as in '*|*' As for '*) continue ;; esac # where it is described; the order and the value's name are checked
        for word in "$range" "$usual" $choices; do
            case " $item " in *[!a-z0-9]"$word"[!a-z0-9]*|*" $word "*) ;; *) [ -z "$word" ] || fail "doc/$2: $1 $head lacks '$word'" ;; esac
        done
        [ -n "$item" ] || fail "doc/$2: $1 $head is not described"
    done < table
}
page_of_two() { # PAGE SECTION COMMAND COMMAND: each has its options there, and nobody else
    page_has "$3" "$1" "$2" some
    page_has "$4" "$1" "$2" some
    { "$under_test" __options "$3"; "$under_test" __options "$4"; } > both
    heads both | sort -u > want
    awk -v section="$2" -f "$TD_SRCDIR/tests/scripts/page_options.awk" "$TD_SRCDIR/doc/$1" | cut -f 1 | sort -u | comm -23 - want > more
    [ ! -s more ] || fail "$1 has what neither $3 nor $4 has: $(tr '\n' ' ' < more)"
}
page_of_two tdprobe.1 'OPTIONS OF STAT' stat record
page_of_two tdprobe-replay.1 OPTIONS replay convert
for command in bench collect compare doctor merge perf-command phases report selftest; do page_has $command "tdprobe-$command.1" OPTIONS all; done
page_has functions tdprobe-record.1 OPTIONS all
for command in explain list; do
    listed $command
    [ "$(cut -d ';' -f 1 table | tr '\n' ' ')" = 'uarch help help-all ' ] || fail "$command has options that tdprobe(1) does not describe: $(cut -d ';' -f 1 table)"
done

# ---- one more row ----
more=$TD_BUILDDIR/tests/one-more-option
if ! "$more" --version > own 2>&1; then # not built, or built for another machine
    echo "tests/one-more-option does not run here: no test of a row that is added"
else
    under_test=$more
    t replay --help; says '^  -k, --knobs N .*how many knobs'
    t replay --help-all; says '^  -k, --knobs N .*how many knobs, 3 to 5 \(default: 4\)'
    t replay --knobs 6 x; exits 64; warns "^tdprobe: -k: '6' is not a whole number from 3 to 5; see"
    t replay -k; exits 64; warns '^tdprobe: -k lacks its value'
    t replay --knosb 3 x; exits 64; warns 'the nearest is --knobs'
    printf '1000,,slots,9,100.00,,\n200,,topdown-retiring,9,100.00,,\n100,,topdown-bad-spec,9,100.00,,\n300,,topdown-fe-bound,9,100.00,,\n400,,topdown-be-bound,9,100.00,,\n' > rec.csv
    t replay -k 3 --uarch spr rec.csv; exits 0
    "$more" __complete replay --kn | grep -q '^--knobs	how many knobs' || fail "completion lacks --knobs"
    "$more" __complete replay - | grep -q '^-k	how many knobs' || fail "completion lacks -k"
    "$more" __options replay > with; under_test=$TDPROBE; listed replay
    [ "$(diff table with | grep '^[<>]')" = '> knobs;k;N;3 to 5;4;' ] || fail "not one row more: $(diff table with)"
    under_test=$more
    mkdir apart && (cd apart && page_has replay tdprobe-replay.1 OPTIONS all) > said
    grep -q 'not the options of replay in their order' said || fail "the check of the manual does not see the row"
fi
[ ! -e failed ]
