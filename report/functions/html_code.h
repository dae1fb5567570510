/* SPDX-License-Identifier: MIT */
/* The style and the script of a page. */
#ifndef REPORT_HTML_CODE_H
#define REPORT_HTML_CODE_H

/* The content of the two elements. It has neither '<' nor '&', so that it is the same as HTML and as XML. */
extern const char td_html_style[], td_html_script[];

/* Hashes of these texts for the page's Content-Security-Policy, which forbids all others; tests/scripts/report-html.sh
 * tells what they must be. */
#define TD_HTML_STYLE "'sha256-5/36wM+AC0VOkMCugsxP0vH7taF74zteaQoJvZwwXFA='"
#define TD_HTML_SCRIPT "'sha256-UdHtz+kxKk9awfblAS0luzcAQL7EuxsMFIE9iPq31Pg='"

#endif
