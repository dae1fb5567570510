/* SPDX-License-Identifier: MIT */
#include "report/csv_fields.h"

#include "report/digits.h"

#include <csv.h>
#include <math.h>

enum { FIELD = 1024, INTEGER = 100000 /* up to this, integers are shortest as they are: no exponent */ };

/* Whether a field with this byte needs quotes. */
static bool is_special(const char *at, const char *separator)
{
    return *at == '"' || *at == '\r' || *at == '\n' || (*at == *separator && !strncmp(at, separator, strlen(separator)));
}

void td_csv_field(struct td_output *o, const char *separator, const char *text)
{
    char quoted[2 * FIELD + 2];
    const size_t n = strnlen(text, FIELD);
    size_t plain = 0;

    while (plain < n && !is_special(text + plain, separator))
        plain++;
    if (plain < n)
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
        char *end = value >= 1 && value <= INTEGER && value == floor(value) ? td_digits_integer((uint64_t)value, text) : td_digits_shortest(value, text);

        *end = '\0';
        td_csv_field(o, separator, text);
    }
    td_output_text(o, separator);
}
