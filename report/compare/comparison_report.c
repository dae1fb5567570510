/* SPDX-License-Identifier: MIT */
/* The formats of comparisons. */
#include "report/compare/comparison_report.h"

/* Each is defined in compare_NAME.c. */
#define FORMATS(each) each(text) each(csv) each(json) each(markdown) each(junit) each(github) each(gitlab) each(html)

#define DECLARE(name) extern const struct td_comparison_format td_comparison_##name;
FORMATS(DECLARE)

#define ENTER(name) &td_comparison_##name,
static const struct td_comparison_format *const formats[] = {FORMATS(ENTER)};

const struct td_comparison_format *td_comparison_format_at(size_t i)
{
    return i < sizeof(formats) / sizeof(*formats) ? formats[i] : NULL;
}
