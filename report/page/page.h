/* SPDX-License-Identifier: MIT */
/* A page of HTML in one file, to be mailed: what all pages begin and end with, and pieces that they share. It loads
 * nothing, can be read without scripts, and is XML, too. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "private/drawing.h"
#include "report/output.h"

enum { TD_PAGE_CODES = 3 };
struct td_page {
    const char *subject, *title; /* the element title is "SUBJECT: TITLE" */
    const struct td_page_code *style[TD_PAGE_CODES], *script[TD_PAGE_CODES]; /* NULL: none */
};

/* Puts all up to where the element body begins. */
void td_page_begin(struct td_output *, const struct td_page *);
/* Puts the scripts, and ends the page; by: the command that made it, "tdprobe replay --format html". */
void td_page_end(struct td_output *, const struct td_page *, const char *by);

/* Puts a name so that it stays in one piece whatever the direction of its letters is. */
void td_page_name(struct td_output *, const char *name);
/* Puts a row of an element dl; text NULL: nothing is known, and nothing is put. */
void td_page_fact(struct td_output *, const char *what, const char *text);
/* Puts an element li. */
void td_page_item(struct td_output *, const char *text);
/* Puts a square in the colour of a node of level 1. */
void td_page_swatch(struct td_output *, const char *node);
/* What follows the last '/' of a path. */
const char *td_page_base(const char *path);

#endif
