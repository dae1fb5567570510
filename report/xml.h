/* SPDX-License-Identifier: MIT */
/* Text in XML: JUnit, SVG. */
#ifndef REPORT_XML_H
#define REPORT_XML_H

#include "report/output.h"

/* Puts text as td_markup() does. */
void td_xml_put(struct td_output *, const char *text);
/* Puts lines of text, which is changed, and ends each. */
void td_xml_put_lines(struct td_output *, char *text);

#endif
