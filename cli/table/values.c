/* SPDX-License-Identifier: MIT */
#include "cli/table/values.h"

#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

static int take_number(const struct cli_option *o, long *to, const char *value)
{
    char called[40];

    if (cli_number(value, o->low, o->high, to))
        return 0;
    if (o->is)
        return cli_usage("%s: '%s' is not %s", cli_option_called(o, called), value, o->is);
    return cli_usage("%s: '%s' is not a whole number from %ld to %ld", cli_option_called(o, called), value, o->low,
                     o->high);
}

static int take_ms(const struct cli_option *o, long *to, const char *value)
{
    char called[40];

    if (cli_milliseconds(value, o->low, o->high, to))
        return 0;
    return cli_usage("%s: '%s' is not a time from %ld to %ld ms such as 500, 500ms, 1.5s or 2m",
                     cli_option_called(o, called), value, o->low, o->high);
}

static int take_real(const struct cli_option *o, double *to, const char *value)
{
    char called[40], *end;
    const double number = strtod(value, &end);
    const bool whole = end != value && (!*end || (o->unit && !strcmp(end, o->unit)));

    if (!whole || !(o->above ? number > (double)o->low : number >= (double)o->low) || !(number <= (double)o->high))
        return cli_usage("%s: '%s' is not %s", cli_option_called(o, called), value, o->is);
    *to = o->per > 0 ? number / o->per : number;
    return 0;
}

static int take_choice(const struct cli_option *o, void *settings, int *to, const char *value)
{
    char called[40];
    const int at = cli_options_pick(o->what ? o->what : cli_option_called(o, called), value, o->choice);

    if (at < 0)
        return EXIT_USAGE;
    if (o->take)
        return o->take(settings, value);
    *to = at;
    return 0;
}

static int take_value(const struct cli_option *o, void *settings, const char *value)
{
    void *to = (char *)settings + o->at;

    switch (o->kind) {
    case CLI_SWITCH: *(bool *)to = true; return 0;
    case CLI_LAST: *(int *)to = (int)o->low; return 0;
    case CLI_NUMBER: return take_number(o, to, value);
    case CLI_MS: return take_ms(o, to, value);
    case CLI_REAL: return take_real(o, to, value);
    case CLI_TEXT: *(const char **)to = value; return 0;
    case CLI_CHOICE: return take_choice(o, settings, to, value);
    case CLI_TAKEN: return o->take(settings, value);
    case CLI_IMPLIES: return 0;
    default: return EXIT_BUG;
    }
}

int cli_take(const struct cli_option *o, void *settings, const char *value)
{
    const int code = take_value(o, settings, value);

    return code || !o->also ? code : o->also(settings, o->also_value);
}
