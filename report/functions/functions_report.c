/* SPDX-License-Identifier: MIT */
/* The formats of functions. */
#include "report/functions/functions_report.h"

/* Each is defined in functions_NAME.c. */
#define FORMATS(each) each(text) each(csv) each(json) each(folded) each(svg) each(html)

#define DECLARE(name) extern const struct td_functions_format td_functions_##name;
FORMATS(DECLARE)

#define ENTER(name) &td_functions_##name,
static const struct td_functions_format *const formats[] = {FORMATS(ENTER)};

const struct td_functions_format *td_functions_format_at(size_t i)
{
    return i < sizeof(formats) / sizeof(*formats) ? formats[i] : NULL;
}
