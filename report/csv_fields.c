/* SPDX-License-Identifier: MIT */
#include "report/csv_fields.h"

#include "report/digits.h"

#include <csv.h>
#include <math.h>

enum { FIELD = 1024, INTEGER = 100000 /* up to this, integers are written as they are: no exponent is shorter */ };

void td_csv_field(struct td_output *o, const char *separator, const char *text)
{
    const char special[] = {'"', '\r', '\n', *separator, '\0'};
    char quoted[2 * FIELD + 2];
    size_t n = strcspn(text, special);

    if (!text[n] && n < FIELD) {
        td_output_bytes(o, text, n);
        return;
    }
    n = strnlen(text, FIELD);
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

/* Whether a number may have the character in it. */
static bool is_of_numbers(char ch)
{
    return (ch >= '0' && ch <= '9') || ch == '.' || ch == '-' || ch == '+' || ch == 'e';
}

void td_csv_number(struct td_output *o, const char *separator, double value)
{
    char text[TD_DIGITS_SHORTEST + 1];

    if (isfinite(value)) {
        char *end = value >= 1 && value <= INTEGER && value == floor(value) ? td_digits_integer((uint64_t)value, text)
                                                                            : td_digits_shortest(value, text);

        *end = '\0';
        if (is_of_numbers(*separator) && strchr(text, *separator))
            td_csv_field(o, separator, text);
        else
            td_output_bytes(o, text, (size_t)(end - text));
    }
    td_output_text(o, separator);
}
