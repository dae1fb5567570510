/* SPDX-License-Identifier: MIT */
/* What the page of functions has besides what all pages have: functions.css and functions.js as the build embeds them.
 */
#include "report/functions/html_code.h"

const struct td_page_code td_html_style = {
#include "report/functions/functions_css.inc"
    , "'sha256-9S4sXxoHjR3UgYFP7oozDig5a7W/qcY4Tk2uxB8QC1k='"};

const struct td_page_code td_html_script = {
#include "report/functions/functions_js.inc"
    , "'sha256-UdHtz+kxKk9awfblAS0luzcAQL7EuxsMFIE9iPq31Pg='"};
