# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# What the suites that run tdprobe share, after lib.sh: the PMU is loaded, or the suite ends here.
if ! command -v tdprobe > /dev/null; then
    skip tdprobe "there is no tdprobe in the guest"
    exit 0
fi
tdprobe --version || { not_ok tdprobe-version "it does not run"; exit 0; }
if ! measures; then
    skip tdprobe "this tdprobe does not measure: $(head -n 1 /tmp/measures)"
    exit 0
fi
reload || { not_ok module "it does not load"; exit 1; }
# an x86 CPU does not identify itself as an N2; the others are recognised
if [ "$kind" = n2 ]; then uarch_option="--uarch n2-r0p3"; else uarch_option=; fi

td() {
    : > /tmp/td.csv
    # shellcheck disable=SC2086
    tdprobe stat $uarch_option --format csv -o /tmp/td.csv "$@" > /tmp/out 2>&1
}
td_shares() { awk -f /tests/tdprobe_shares.awk /tmp/td.csv; }

# If bounds are given, the truth is within them (the model's shares are multiples of 1/65536).
check_bounds() {
    problem=$(awk -v truth="$truth" '
        BEGIN { split(truth, t, " ") }
        { for (i = 1; i <= 4; i++) {
            low = $(4 + 2 * i); high = $(5 + 2 * i)
            if (low == "-" || high == "-") continue
            if (t[i] < low - 0.00005 || t[i] > high + 0.00005) print $1 ": share " i " was set to " t[i] ", bounds are " low ".." high
            if ($(i + 1) < low || $(i + 1) > high) print $1 ": share " i " is not within its own bounds"
        } }' /tmp/check | head -n 1)
    if [ -z "$problem" ]; then ok "$1-bounds"; else not_ok "$1-bounds" "$problem" /tmp/check; fi
}
