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

/* Whether the terminal shows UTF-8, by the locale, which the first of these that is set names. */
static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL, *set;

    for (size_t i = 0; !(value && *value) && i < sizeof(names) / sizeof(*names); i++)
        value = getenv(names[i]);
    set = value ? strchr(value, '.') : NULL;
    return set && (!strncasecmp(set, ".utf-8", 6) || !strncasecmp(set, ".utf8", 5));
}

void cli_screen_bars(struct td_report *r)
{
    if (r->out.terminal && cli_screen_obeys())
        r->bars = has_utf8() ? TD_BARS_BLOCKS : TD_BARS_SIGNS;
}

/* The terminal's columns, or those that the environment says of one that does not know them. */
static unsigned columns_of(int fd)
{
    enum { USUAL = 80, MOST = 10000 };
    const char *text = getenv("COLUMNS");
    const long told = text ? strtol(text, NULL, 10) : 0;
    struct winsize w;

    if (!ioctl(fd, TIOCGWINSZ, &w) && w.ws_col)
        return w.ws_col;
    return told > 0 && told <= MOST ? (unsigned)told : USUAL;
}

void cli_screen_use(struct td_report *r)
{
    if (!r->out.terminal)
        return;
    r->width = columns_of(r->out.fd);
    r->colour = wants_colour();
}
