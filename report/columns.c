/* SPDX-License-Identifier: MIT */
#include "report/columns.h"

#include "include/tdprobe.h"
#include "private/result.h"
#include "report/digits.h"

void td_put_blanks(struct td_output *o, int n)
{
    if (n <= 0)
        return;
    memset(td_output_room(o, (size_t)n), ' ', (size_t)n);
    o->n += (size_t)n;
}

void td_put_right(struct td_output *o, const char *at, const char *end, int width)
{
    const size_t n = (size_t)(end - at), blanks = n < (size_t)width ? (size_t)width - n : 0;
    char *out = td_output_room(o, blanks + n);

    memset(out, ' ', blanks);
    memcpy(out + blanks, at, n);
    o->n += blanks + n;
}

void td_put_fixed(struct td_output *o, double value, int decimals, int width)
{
    char text[TD_DIGITS_FIXED];

    td_put_right(o, text, td_digits_fixed(value, decimals, text), width);
}

void td_put_cleaned(struct td_output *o, const char *name)
{
    size_t n = strnlen(name, TD_PUT_NAME - 1);
    char *at = td_output_room(o, TD_PUT_NAME);

    memcpy(at, name, n);
    at[n] = '\0';
    n = strlen(td_printable(at, TD_PUT_NAME));
    td_output_take(o, at + n);
}

void td_put_name(struct td_output *o, const char *name)
{
    td_output_text(o, "  ");
    td_put_cleaned(o, name);
}
