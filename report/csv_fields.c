/* SPDX-License-Identifier: MIT */
#include "report/csv_fields.h"

#include "report/digits.h"

#include <csv.h>
#include <math.h>

enum { FIELD = 1024 };

void td_csv_field(struct td_output *o, const char *separator, const char *text)
{
    char quoted[2 * FIELD + 2];
    const size_t n = strnlen(text, FIELD);

    if (strpbrk(text, "\"\r\n") || strstr(text, separator))
        td_output_bytes(o, quoted, csv_write(quoted, sizeof(quoted), text, n));
    else
        td_output_bytes(o, text, n);
}

void td_csv_text(struct td_output *o, const char *separator, const char *text)
{
    td_csv_field(o, separator, text ? text : "");
    td_output_text(o, separator);
}

void td_csv_number(struct td_output *o, const char *separator, double value)
{
    char text[TD_DIGITS_SHORTEST + 1];

    if (isfinite(value)) {
        *td_digits_shortest(value, text) = '\0';
        td_csv_field(o, separator, text);
    }
    td_output_text(o, separator);
}
