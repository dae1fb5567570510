/* SPDX-License-Identifier: MIT */
/* What the page of functions has besides what all pages have: functions.css and functions.js as the build embeds them.
 */
#include "report/functions/functions_page.h"

const struct td_page_code td_html_style = {
#include "report/functions/functions_css.inc"
};

const struct td_page_code td_html_script = {
#include "report/functions/functions_js.inc"
};
