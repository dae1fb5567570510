/* SPDX-License-Identifier: MIT */
/* tdprobe phases: where a recording changes, and what limits each part of it. */
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/exit_codes.h"
#include "cli/reading.h"
#include "cli/usual_file.h"
#include "private/result.h"
#include "report/columns.h"
#include "stats/chance.h"
#include "stats/scope_of.h"
#include "stats/timeline.h"
#include "util/room.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct phases {
    struct cli_options set; /* of the first reading, and the report */
    struct cli_options second; /* of the second reading */
    struct cli_reading reading; /* for the second */
    const char *path;
    bool trees; /* in text: a tree of each phase, not a line */
    struct td_timeline found; /* by the first reading */
    struct td_timeline again; /* as far as the second one has come */
    struct td_scope_table sums; /* of the second reading: the scopes of its sums, as far as they were looked at */
    size_t *sum, sum_room; /* by number in this table: the scope's first sum */
    size_t looked; /* at so many sums */
    bool *heard; /* by sum, of those: an interval of its scope has a value */
    size_t heard_room;
};

static const struct cli_option options[] = {
    CLI_GROUP("Reading:"),
    CLI_UARCH_RECORDED,
    CLI_SMT,
    CLI_BACKEND_RECORDED,
    CLI_NO_FIXED(.common = false),
    CLI_IMPORT_FORMAT,
    CLI_TIME,
    CLI_GROUP("Metrics:"),
    CLI_LEVEL_RECORDED,
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    CLI_GROUP("The report:"),
    CLI_FORMAT(.take = cli_take_format, .choice = cli_phases_format_name, .help = "the format",
               .more = "(csv and json: a summary for each phase; html: a page, with -o)"),
    CLI_HTML_METRICS,
    CLI_SEPARATOR(cli_take_format),
    CLI_JSON(cli_take_format),
    CLI_ALL,
    CLI_COUNTS(.common = false),
    CLI_OUTPUT_WHOLE,
    {"verbose", 'v', CLI_SETS(struct phases, trees), .common = true, .help = "text: a tree of each phase"},
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_phases_command = {
    .name = "phases",
    .brief = "where a recording changes, and each part of it",
    .page = "tdprobe-phases(1)",
    .usage = "phases [options] [FILE|FOLDER]",
    .about = "Cuts a recording into phases, where the shares of level 1 change beyond their\n"
             "scatter, and prints each phase's sum: in text a timeline, then a line each.\n",
    .more = "It reads the recording twice, so stdin must be saved to a file first.\n"
            "Without FILE: tdprobe.trace or tdprobe.data in this folder, the younger of the two.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .reading = offsetof(struct phases, reading),
    .usual = CLI_USUAL_TRACE " " CLI_USUAL_DATA,
    .offer = CLI_RECORDINGS,
    .confined = true,
};

/* ---- reading ------------------------------------------------------------------------------------ */

/* Opens the recording for a handle. 0, or an exit code. */
static int open_with(struct phases *p, struct cli_options *set, struct cli_input *in)
{
    int code = cli_input_open(set, p->path, "phases", in), err;

    if (code)
        return code;
    if (in->grows || !strcmp(p->path, "-")) {
        cli_say("%s can be read only once: save it to a file first", in->name);
        cli_input_close(in);
        return EXIT_USAGE;
    }
    err = cli_input_begin(in, set->td);
    if (err) {
        code = cli_library_error(set->td, err);
        cli_input_close(in);
    }
    return code;
}

static int add(void *timeline, const struct td_result *r)
{
    return td_timeline_add(timeline, r, NULL);
}

static int read_once(struct phases *p)
{
    struct cli_input in;
    int code = open_with(p, &p->set, &in);

    if (code)
        return code;
    code = cli_each_interval(p->set.td, add, &p->found);
    cli_input_close(&in);
    td_free(p->set.td); /* the second reading has a handle of its own */
    p->set.td = NULL;
    return code || !td_timeline_cut(&p->found) ? code : cli_no_memory();
}

/* ---- the report ----------------------------------------------------------------------------------- */

static bool is_text(const struct phases *p)
{
    return !p->set.report.format || !strcmp(p->set.report.format->name, "text") ||
           !strcmp(p->set.report.format->name, "tree");
}

static bool is_page(const struct phases *p)
{
    return p->set.report.format && p->set.report.format->page;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* A phase's sign in the line of time. */
static char sign(size_t phase)
{
    static const char signs[] = "123456789abcdefghijklmnopqrstuvwxyz";

    return signs[phase % (sizeof(signs) - 1)];
}

/* One sign for each stretch of equally many intervals. */
static void put_line(struct td_output *o, const struct td_timeline_scope *s, size_t width)
{
    const size_t n = s->n < width ? s->n : width;

    td_output_text(o, "  ");
    for (size_t i = 0; i < n; i++)
        td_output_char(o, sign(td_timeline_phase(s, i * s->n / n)));
    td_output_char(o, '\n');
}

static void put_scope(struct td_output *o, const struct td_scope_table *among, const struct td_scope_id *id)
{
    td_put_name(o, id->name);
    if (td_scope_table_namesake(among, id))
        td_output_format(o, " (%s)", id->kind);
    if (*id->core)
        td_put_name(o, id->core);
}

static void put_head(struct phases *p)
{
    struct td_output *o = &p->set.report.out;
    const unsigned width = p->set.report.width ? p->set.report.width : 80;

    for (size_t i = 0; i < p->found.n; i++) {
        const struct td_timeline_scope *s = &p->found.scope[i];

        if (!s->n)
            continue;
        td_output_format(o, "%zu phase%s in %zu interval%s", s->phases, plural(s->phases), s->n, plural(s->n));
        put_scope(o, &p->found.scopes, td_timeline_id(&p->found, s));
        td_output_char(o, '\n');
        put_line(o, s, width > 4 ? width - 4 : 1);
    }
}

/* Before the tree of a phase. */
static void put_phase_head(struct phases *p, const struct td_timeline_scope *s, size_t phase)
{
    struct td_output *o = &p->set.report.out;
    const size_t end = phase + 1 < s->phases ? s->first[phase + 1] : s->n;

    td_output_format(o, "\nphase %zu of %zu, %.9g to %.9g s, %zu interval%s\n", phase + 1, s->phases,
                     (double)td_timeline_begin(s, phase) / 1e9, (double)s->end[end - 1] / 1e9, end - s->first[phase],
                     plural(end - s->first[phase]));
}

static struct td_span span_of(const struct td_timeline_scope *s, size_t phase)
{
    const size_t end = phase + 1 < s->phases ? s->first[phase + 1] : s->n;

    return (struct td_span){(double)td_timeline_begin(s, phase) / 1e9, (double)s->end[end - 1] / 1e9};
}

/* As a line with this time, as a tree, or beside the intervals of a page. */
static void put_result(struct phases *p, const struct td_result *r, struct td_span span)
{
    p->set.report.span = is_text(p) && p->trees ? NULL : &span;
    td_report_result(&p->set.report, r);
    p->set.report.span = NULL;
}

static bool is_heard(const struct phases *p, const struct td_result *r)
{
    const struct td_timeline_scope *s = td_timeline_find(&p->found, r);

    return s && s->n;
}

/* Sees whose the next sum is. 0 or -errno. */
static int look(struct phases *p, struct td *td, const struct td_result **r)
{
    struct td_scope_id id;
    const size_t known = p->sums.n;
    long at;
    int err = td_summary(td, p->looked, r);

    if (err)
        return err;
    id = td_scope_of(*r);
    at = td_scope_table_number(&p->sums, &id);
    if (at < 0 || td_room(&p->sum, &p->sum_room, p->sums.n, sizeof(*p->sum)) ||
        td_room(&p->heard, &p->heard_room, p->looked + 1, sizeof(*p->heard)))
        return -ENOMEM;
    if ((size_t)at == known)
        p->sum[at] = p->looked;
    p->heard[p->looked++] = is_heard(p, *r);
    return 0;
}

/* A scope's sum and its number: each is looked at once, however many scopes there are. 0 or -errno. */
static int find_sum(struct phases *p, struct td *td, const struct td_scope_id *id, size_t *out,
                    const struct td_result **r)
{
    long at;
    int err = 0;

    *r = NULL;
    while ((at = td_scope_table_find(&p->sums, id)) < 0 && !err)
        err = look(p, td, r);
    if (err)
        return err;
    *out = p->sum[at];
    return *r && *out + 1 == p->looked ? 0 : td_summary(td, *out, r); /* to solve it once is enough */
}

/* The sum of a scope since its last phase ended. 0, or an exit code. */
static int put_sum(struct phases *p, struct td *td, const struct td_timeline_scope *s, size_t phase)
{
    const struct td_result *r;
    size_t at;
    int err = find_sum(p, td, td_timeline_id(&p->found, s), &at, &r);

    if (err)
        return err == -ENOMEM ? cli_no_memory() : cli_library_error(td, err);
    if (is_text(p) && p->trees)
        put_phase_head(p, s, phase);
    put_result(p, r, span_of(s, phase));
    td_summary_restart(td, at);
    return 0;
}

/* An interval of the second reading, which the first has found. */
static int put_if_last(struct phases *p, struct td *td, const struct td_result *r)
{
    struct td_timeline_scope *now;
    const struct td_timeline_scope *s = td_timeline_find(&p->found, r);
    size_t phase;

    if (td_timeline_add(&p->again, r, &now))
        return cli_no_memory();
    if (!now || !s)
        return 0;
    phase = td_timeline_phase(s, now->n - 1);
    return now->n == (phase + 1 < s->phases ? s->first[phase + 1] : s->n) ? put_sum(p, td, s, phase) : 0;
}

/* Scopes without a value in any interval: their sums say why. */
static int put_silent(struct phases *p, struct td *td)
{
    const bool as_looked = !td_gives_each_cpu(td); /* else a sum may be several by now */
    const struct td_result *r;
    int err = 0;

    for (size_t i = 0; !err; i++) {
        if (as_looked && i < p->looked && p->heard[i])
            continue;
        err = td_summary(td, i, &r);
        if (!err && !is_heard(p, r))
            put_result(p, r, (struct td_span){(double)NAN, (double)NAN});
    }
    return err == -ENODATA ? 0 : cli_library_error(td, err);
}

/* A page tells of the recording, and has its intervals. */
static void head_page(struct phases *p)
{
    struct td_report *r = &p->set.report;
    struct td_origin_info origin = {.size = sizeof(origin)};

    if (td_origin_about(p->second.td, &origin))
        return;
    r->recorded = origin.command;
    r->host = origin.host;
    r->started = td_recording_started(p->second.td, &r->monotonic, &r->realtime);
}

static int read_again(struct phases *p)
{
    struct td *td;
    struct cli_input in;
    const struct td_result *r;
    int code = cli_options_begin(&p->second), err = 0;

    if (code)
        return code;
    td = p->second.td;
    code = cli_reading_apply(&p->reading, &p->second);
    code = code ? code : open_with(p, &p->second, &in);
    if (code)
        return code;
    head_page(p);
    while (!code && !(err = td_next(td, &r))) {
        if (is_page(p))
            td_report_result(&p->set.report, r);
        code = put_if_last(p, td, r);
    }
    if (!code && err != -ENODATA)
        code = cli_library_error(td, err);
    code = code ? code : put_silent(p, td);
    cli_input_close(&in);
    return code;
}

/* A recording without -I. */
static void note_one_interval(const struct phases *p)
{
    size_t most = 0;

    for (size_t i = 0; i < p->found.n; i++)
        most = p->found.scope[i].n > most ? p->found.scope[i].n : most;
    if (most == 1)
        cli_say("%s: one interval shows no phases: record with -I, as in 'tdprobe record -I 100'", p->path);
}

static int put(struct phases *p)
{
    struct td_output *o = &p->set.report.out;
    int code = cli_output_error(o, td_output_open(o, p->set.output)), closed;

    if (code)
        return code;
    cli_screen_use(&p->set.report);
    /* what was asked for beyond level 1 has no column */
    p->trees = p->trees || p->set.report.counts || p->set.report.named ||
               (p->set.report.format && !strcmp(p->set.report.format->name, "tree"));
    p->set.report.subject = p->path;
    p->set.report.by = "phases";
    p->set.report.layout = p->trees ? TD_LAYOUT_TREE : TD_LAYOUT_LINES;
    if (is_text(p))
        put_head(p);
    td_report_begin(&p->set.report);
    code = read_again(p);
    td_report_end(&p->set.report, NULL);
    closed = cli_output_error(o, td_output_close(o, !code));
    code = code ? code : closed;
    if (!code)
        note_one_interval(p);
    return code ? code : cli_nothing_replayed(&p->set.report);
}

int cli_phases_main(int argc, char **argv)
{
    struct phases p = {.path = NULL};
    struct cli_recordings input;
    int code = cli_options_begin(&p.set);

    if (code)
        return code;
    code = cli_input_options(&cli_phases_command, &p, argc, argv, 1, &input);
    if (code < 0) {
        p.path = *input.name;
        code = !td_chance_available() ? cli_without_gsl() : read_once(&p);
        code = code ? code : put(&p);
    }
    td_timeline_free(&p.found);
    td_timeline_free(&p.again);
    td_scope_table_free(&p.sums);
    free(p.sum);
    free(p.heard);
    cli_reading_free(&p.reading);
    td_free(p.set.td);
    td_free(p.second.td);
    return code;
}
