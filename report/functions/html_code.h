/* SPDX-License-Identifier: MIT */
/* The style and the script of a page. */
#ifndef REPORT_HTML_CODE_H
#define REPORT_HTML_CODE_H

/* Their elements: text of HTML that is XML as well, with neither '<' nor '&' in it. */
extern const char td_html_style[], td_html_script[];

/* For the page's Content-Security-Policy, which forbids all others: what is between the tags.
 * tests/scripts/report-html.sh tells what they must be. */
#define TD_HTML_STYLE "'sha256-5/36wM+AC0VOkMCugsxP0vH7taF74zteaQoJvZwwXFA='"
#define TD_HTML_SCRIPT "'sha256-UdHtz+kxKk9awfblAS0luzcAQL7EuxsMFIE9iPq31Pg='"

#endif
