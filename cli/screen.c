/* SPDX-License-Identifier: MIT */
/* What a report may use of the terminal that it is written to. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

bool cli_screen_obeys(void)
{
    const char *term = getenv("TERM");

    return term && *term && strcmp(term, "dumb") != 0;
}

/* https://no-color.org: set and not empty. */
static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR");

    return !(no && *no) && cli_screen_obeys();
}

void cli_screen_use(struct td_report *r)
{
    struct winsize w;

    if (!r->out.terminal)
        return;
    r->width = ioctl(r->out.fd, TIOCGWINSZ, &w) || !w.ws_col ? 80 : w.ws_col;
    r->colour = wants_colour();
}
