/* SPDX-License-Identifier: MIT */
/* Lines such as "! multiplexed (counted for part of the time, and scaled up)": which flags and marks they list, and
 * what each means. */
#include "report/marks.h"

#include "report/columns.h"
#include "report/screen.h"
#include "report/tree_rows.h"

#include <stdio.h>

enum { ITEM = 320, HANG = 2 /* columns by which what follows a sentence's first line is indented */ };

const char *td_flag_words(unsigned flag, bool likely)
{
    switch (flag) {
    case TD_FLAG_NEGATIVE: return "below 0: an error of measuring";
    case TD_FLAG_OVER_ONE: return "above the whole: an error of measuring";
    case TD_FLAG_MULTIPLEXED: return "counted for part of the time, and scaled up";
    case TD_FLAG_SPLIT_GROUPS: return "from events that were counted at different times";
    case TD_FLAG_SUM_OFF:
        return likely
                   ? "the counts of level 1 do not add up to the slots, as where the kernel rounds PERF_METRICS when it switches tasks or groups"
                   : "the counts of level 1 do not add up to the slots";
    case TD_FLAG_REVISION_ASSUMED: return "the formula depends on the CPU's revision, which is not known";
    case TD_FLAG_SMT_UNKNOWN: return "what sibling threads did is not known";
    case TD_FLAG_ONE_SIBLING: return "by a clock of whole cores, of a part of one";
    case TD_FLAG_WIDTH_ASSUMED: return "the vendor does not publish this CPU's slots per cycle";
    case TD_FLAG_CPUS_CHANGED: return "a CPU went offline, or came back";
    case TD_FLAG_MUX_INTERVAL_ASSUMED: return "the bounds are for a rotation every 4 ms";
    case TD_FLAG_FEW_WINDOWS: return "seen in fewer than 8 turns of the rotation";
    case TD_FLAG_COVERAGE_UNKNOWN: return "for how much of the time is not known";
    case TD_FLAG_CPUS_UNKNOWN: return "on how many CPUs is not known";
    case TD_FLAG_IN_STEP: return "the program keeps step with the rotation";
    case TD_FLAG_NO_LIMITS: return "how much may have passed in one turn is not known";
    case TD_FLAG_SWITCHES_UNKNOWN: return "how often the kernel wrote PERF_METRICS back is not known";
    case TD_FLAG_MANY_SWITCHES: return "the kernel wrote PERF_METRICS back too often";
    case TD_FLAG_LATENCY_ASSUMED: return "a mean latency that was not recorded: the vendor's stands for it";
    case TD_FLAG_OTHER_WIDTH: return "the slots per cycle are those of another CPU";
    case TD_FLAG_COUNTS_DOUBTFUL: return "its counts contradict each other";
    /* "no bounds" says what no_bounds would, and the formula's name what correction_missing would */
    default: return NULL;
    }
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
    char text[ITEM];

    for (; flags; flags &= flags - 1) { /* the lowest bit each time */
        const unsigned flag = flags & -flags;
        const char *words = td_flag_words(flag, likely);

        if (!words)
            continue;
        if (r->explained_flags & flag)
            snprintf(text, sizeof(text), "%s", td_flag_name(flag));
        else
            snprintf(text, sizeof(text), "%s (%s)", td_flag_name(flag), words);
        r->explained_flags |= flag;
        put_item(s, text);
    }
    end_sentence(s);
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

void td_marks_below(struct td_report *r, const struct td_tree_flags *f)
{
    put_flags(&(struct sentence){.report = r, .mark = "! ", .between = ", "}, f->common, f->likely);
    put_flags(&(struct sentence){.report = r, .mark = "! in rows: ", .between = ", "}, f->rows & ~r->explained_flags,
              f->likely);
    put_marks(r, f->marks);
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
