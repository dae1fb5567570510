/* SPDX-License-Identifier: MIT */
/* What the page of functions has besides what all pages have: how its table looks, and what sorts it. */
#ifndef REPORT_HTML_CODE_H
#define REPORT_HTML_CODE_H

#include "report/page/page.h"

extern const struct td_page_code td_html_style, td_html_script;

#endif
