# SPDX-License-Identifier: MIT
# Checks of pages, to be sourced after checks.sh: each is put down where the page is made, and all of them run at the end in one start of Python,
# as that takes longer than a check.
kept=0
: > checks
# of the files as they are now
check() { # SCRIPT FILE|WORD...
    check="$what	$1"
    shift
    for word; do
        if [ -f "$word" ]; then
            kept=$((kept + 1))
            cp "$word" kept.$kept
            word=kept.$kept
        fi
        check="$check	$word"
    done
    printf '%s\n' "$check" >> checks
}
checked() { [ -s checks ] && PYTHONDONTWRITEBYTECODE=1 python3 "$TD_SRCDIR/tests/scripts/pages.py" < checks > wrong || fail "$(cat wrong)"; }
