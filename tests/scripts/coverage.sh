#!/bin/sh
# SPDX-License-Identifier: MIT
# Every CPU and every formula has a vector, and every vector is on the list.
set -u
bad=0
fail() { echo "FAIL: $*"; bad=1; }
traces=$TD_SRCDIR/traces
list=$traces/vectors.mk
cpus=$(sed -n 's/^cpu: *//p' "$traces"/*.expect | tr ' ' '\n' | sort -u)
formulas=$(sed -n 's/^formula: *//p' "$traces"/*.expect | sed 's/ without .*//' | sort -u)

uarchs=$("$TDPROBE" list uarchs | awk '{ print $1 }')
[ -n "$uarchs" ] || fail "tdprobe list uarchs names none"
for cpu in $uarchs; do
    echo "$cpus" | grep -qx -- "$cpu" || fail "no vector in traces/ says 'cpu: $cpu'"
done
names=$("$TDPROBE" list metrics | awk '/^  / { print $1 }' | sort -u)
[ -n "$names" ] || fail "tdprobe list metrics names no formula"
for formula in $names; do
    echo "$formulas" | grep -qx -- "$formula" || fail "no vector in traces/ says 'formula: $formula'"
done

listed=$(sed 's/#.*//; s/\\$//' "$list" | tr ' \t' '\n\n' | grep '^traces/')
for file in "$traces"/*.expect "$traces"/*.trace "$traces"/*.csv "$traces"/*.json "$traces"/*.jsonl; do
    [ -e "$file" ] || continue
    name=traces/${file##*/}
    echo "$listed" | grep -qxF -- "$name" || fail "$name is not in traces/vectors.mk"
done
for name in $listed; do
    [ -e "$TD_SRCDIR/$name" ] || fail "traces/vectors.mk names $name, which is not there"
done
twice=$(echo "$listed" | sort | uniq -d)
[ -z "$twice" ] || fail "twice in traces/vectors.mk: $twice"

used=
for file in "$traces"/*.expect; do
    name=traces/${file##*/}
    input=$(sed -n 's/^trace: *//p' "$file")
    used="$used $input"
    grep -q '^expect: ' "$file" || fail "$name expects nothing"
    [ -n "$input" ] && [ -e "$traces/$input" ] || fail "$name names no recording that is there"
    grep -q '^cpu: ' "$file" || fail "$name says no CPU"
    grep -vE '^(#|$|(trace|args|exit|cpu|formula|flags|expect|verdict):)' "$file" && fail "$name: the above is no line of a vector"
    { grep '^# ' "$file" | grep -qv SPDX; } || fail "$name does not say where its numbers come from"
    said=$traces/$input
    case $input in *.data) said=$file ;; esac # binary: a separate file
    [ -z "$input" ] || grep -qiE '^# (origin|source|note|x-origin|.*(synthetic|recorded|from|case))' "$said" || fail "traces/$input does not say where it comes from"
done
for file in "$traces"/*.trace "$traces"/*.csv "$traces"/*.json "$traces"/*.jsonl; do
    [ -e "$file" ] || continue
    name=${file##*/}
    case " $used " in *" $name "*|*" ${name%_metadata.json}_events.jsonl "*) ;; *) fail "no vector uses traces/${file##*/}" ;; esac
done
exit $bad
