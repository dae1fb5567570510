/* SPDX-License-Identifier: MIT */
/* Lines such as "! multiplexed (counted for part of the time, and scaled up)": which flags and marks they list, and
 * what each means. */
#include "report/marks.h"

#include "advice/advice.h"
#include "report/columns.h"
#include "report/screen.h"
#include "report/tree_rows.h"

#include <stdio.h>

enum { ITEM = TD_FLAG_WORDS + 40, HANG = 2 /* columns by which what follows a sentence's first line is indented */ };

const char *td_flag_words(unsigned flag, bool likely, char buf[TD_FLAG_WORDS])
{
    const char *name = td_flag_name(flag);
    const struct td_advice *a = name ? td_advice_mark(name) : NULL;

    /* "no bounds" says what no_bounds would, and the formula's name what correction_missing would */
    if (flag & (TD_FLAG_NO_BOUNDS | TD_FLAG_CORRECTION_MISSING) || !a)
        return NULL;
    if (flag == TD_FLAG_SUM_OFF && likely) /* the cause for which there are bounds all the same */
        snprintf(buf, TD_FLAG_WORDS, "%s, as where %s", a->brief, a->cause[0]);
    else
        snprintf(buf, TD_FLAG_WORDS, "%s", a->brief);
    return buf;
}

/* ---- a sentence that goes on in the next line of the screen ---------------------- */

struct sentence {
    struct td_report *report;
    const char *mark, *between;
    size_t column;
};

static void put_item(struct sentence *s, const char *text)
{
    struct td_output *o = &s->report->out;
    const size_t margin = (size_t)TD_TREE_MARGIN, length = td_screen_columns(text, strlen(text));

    if (!s->column) {
        td_put_blanks(o, (int)margin);
        td_output_text(o, s->mark);
        s->column = margin + strlen(s->mark);
    } else if (s->report->width && s->column + strlen(s->between) + length > s->report->width) {
        td_output_format(o, "%c\n", *s->between);
        td_put_blanks(o, (int)margin + HANG);
        s->column = margin + HANG;
    } else {
        td_output_text(o, s->between);
        s->column += strlen(s->between);
    }
    td_output_text(o, text);
    s->column += length;
}

static void end_sentence(const struct sentence *s)
{
    if (s->column)
        td_output_char(&s->report->out, '\n');
}

static void put_flags(struct sentence *s, unsigned flags, bool likely)
{
    struct td_report *r = s->report;
    char text[ITEM], buf[TD_FLAG_WORDS];

    for (; flags; flags &= flags - 1) { /* the lowest bit each time */
        const unsigned flag = flags & -flags;
        const char *words = td_flag_words(flag, likely, buf);

        if (!words)
            continue;
        if (r->explained_flags & flag)
            snprintf(text, sizeof(text), "%s", td_flag_name(flag));
        else
            snprintf(text, sizeof(text), "%s (%s)", td_flag_name(flag), words);
        r->explained_flags |= flag;
        put_item(s, text);
    }
}

/* Which of the marks were not explained before; from now on they are. */
static unsigned take_marks(struct td_report *r, unsigned marks)
{
    marks &= ~r->explained_marks;
    r->explained_marks |= marks;
    return marks;
}

static void put_marks(struct td_report *r, unsigned marks)
{
    struct sentence s = {.report = r, .mark = "", .between = "; "};

    marks = take_marks(r, marks);
    if (marks & TD_MARK_LIKELY)
        put_item(&s, "~ likely bounds: 95 of 100 hold");
    if (marks & TD_MARK_UNBOUNDED)
        put_item(&s, "no bounds: how far off it may be is not known");
    if (marks & TD_MARK_LIMITS)
        put_item(&s, "> named by the verdict");
    end_sentence(&s);
}

static void put_sentence(struct td_report *r, const char *mark, unsigned flags, bool likely)
{
    struct sentence s = {.report = r, .mark = mark, .between = ", "};

    put_flags(&s, flags, likely);
    end_sentence(&s);
}

void td_marks_below(struct td_report *r, const struct td_tree_flags *f)
{
    put_sentence(r, "! ", f->common, f->likely);
    put_sentence(r, "! in rows: ", f->rows & ~r->explained_flags, f->likely);
    put_marks(r, f->marks);
}

/* Those of the flags that the same rows have as have the lowest of them. */
static unsigned alike(const struct td_tree_view *v, const struct td_result *result, unsigned flags)
{
    const unsigned lowest = flags & -flags;

    for (size_t i = 0; i < td_result_metrics(result); i++) {
        const struct td_metric *m = td_result_metric(result, i);

        if (td_tree_view_counts(v, result, i))
            flags &= m->flags & lowest ? m->flags : ~m->flags;
    }
    return flags;
}

void td_marks_most(struct td_report *r, const struct td_tree_view *v, const struct td_result *result)
{
    unsigned left = v->flags.most;

    while (left) {
        struct sentence s = {.report = r, .mark = "! ", .between = ", "};
        const unsigned flags = alike(v, result, left);

        put_flags(&s, flags, v->flags.likely);
        s.between = "; not of ";
        for (size_t i = 0; i < td_result_metrics(result); i++)
            if (td_tree_view_counts(v, result, i) && !(td_result_metric(result, i)->flags & flags)) {
                put_item(&s, td_result_metric(result, i)->name);
                s.between = ", ";
            }
        end_sentence(&s);
        left &= ~flags;
    }
}

void td_marks_of_line(struct td_report *r, unsigned marks)
{
    marks = take_marks(r, marks);
    if (marks & TD_MARK_LIKELY)
        td_output_text(&r->out, "# ~: by likely bounds, 95 of 100 hold\n");
    if (marks & TD_MARK_UNBOUNDED)
        td_output_text(&r->out, "# number?: without bounds\n");
    if (marks & TD_MARK_LEADS)
        td_output_text(&r->out, "# node~: probably; ahead by 15 points or more\n");
    if (marks & TD_MARK_OPEN)
        td_output_text(&r->out, "# node?: may limit; the bounds leave it open\n");
}
