/* SPDX-License-Identifier: MIT */
#include "cli/exit_codes.h"

#include "cli/cli.h"

#include <math.h>

static int uncovered(const struct cli_options *s)
{
    const struct td_report *r = &s->report;

    if (r->covered && r->coverage < s->min_coverage) {
        cli_say("--min-coverage %g: a result was counted in %.3g of the time only: its events took turns, "
                "or others held counters; fewer events at once%s are counted for longer",
                s->min_coverage, r->coverage, s->level == TD_LEVEL_TOP ? "" : ", such as those of --level 1,");
        return EXIT_DOUBTFUL;
    }
    if (!r->uncovered)
        return 0;
    cli_say("--min-coverage %g: for %lu of the results it was not recorded in how much of the time they were counted",
            s->min_coverage, r->uncovered);
    return EXIT_DOUBTFUL;
}

int cli_strict(const struct cli_options *s)
{
    const struct td_report *r = &s->report;

    if (s->min_coverage >= 0 && uncovered(s))
        return EXIT_DOUBTFUL;
    if (!s->strict || !r->flagged)
        return 0;
    cli_say("--strict: %lu of %lu results with a value have a flagged one, the first %s; "
            "tdprobe-metrics(7) says what to do about each",
            r->flagged, r->valued, r->first_flag);
    return EXIT_DOUBTFUL;
}
