/* SPDX-License-Identifier: MIT */
#include "cli/merge/stream.h"

#include "cli/cli.h"
#include "cli/job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the header ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int add_line(struct cli_merge_stream *s, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    int n, err;

    va_start(args, format);
    n = vasprintf(&line, format, args);
    va_end(args);
    if (n < 0)
        return -ENOMEM;
    err = cli_text_add(&s->text, line, (size_t)n);
    free(line);
    return err;
}

static bool all_say(const struct cli_merge *m, const struct cli_header_line *line)
{
    for (size_t i = 1; i < m->n; i++) {
        const char *says = cli_merge_part_says(&m->part[i], line->key);

        if (!says || strcmp(says, line->value) != 0)
            return false;
    }
    return true;
}

/* The most CPUs that one of the recordings had in a scope, which widens bounds by as many counts. */
static long most_cpus(const struct cli_merge *m)
{
    long most = 0;

    for (size_t i = 0; i < m->n; i++) {
        const char *topology = cli_merge_part_says(&m->part[i], "topology"),
                   *cpus = topology ? strstr(topology, "cpus=") : NULL;
        const long n = cpus ? strtol(cpus + strlen("cpus="), NULL, 10) : 0;

        most = n > most ? n : most;
    }
    return most;
}

/* What one recorder says of itself, and what is told anew of all. */
static bool is_own(const char *key)
{
    static const char *const own[] = {"x-run",  CLI_JOB_KEY, "x-thread", "x-began-ns", "recorder",
                                      "origin", "note",      "topology", "source"};

    for (size_t i = 0; i < CLI_COUNT(own); i++)
        if (!strcmp(key, own[i]))
            return true;
    return false;
}

static int add_missing(struct cli_merge_stream *s)
{
    char *missing = cli_merge_missing(s->merge);
    const int err = missing ? add_line(s, "# note: absent ranks: %s\n", missing) : 0;

    free(missing);
    return err;
}

static int add_header(struct cli_merge_stream *s)
{
    const struct cli_merge *m = s->merge;
    const struct cli_merge_part *first = &m->part[0];
    const char *source = cli_merge_part_says(first, "source");
    const long cpus = most_cpus(m);
    int err = 0;

    for (size_t i = 0; i < first->nheader && !err; i++)
        if (!is_own(first->header[i].key) && all_say(m, &first->header[i]))
            err = add_line(s, "# %s: %s\n", first->header[i].key, first->header[i].value);
    if (!err && source)
        err = add_line(s, "# source: %s\n", source);
    if (!err && cpus)
        err = add_line(s, "# topology: cpus=%ld\n", cpus);
    if (!err)
        err = add_line(s, "# recorder: tdprobe %s\n# origin: merged from %zu recordings\n", td_version(), m->n);
    err = err ? err : add_missing(s);
    return err ? err : add_line(s, "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n");
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* The last time of a scope in the parts before of the same recorder's run, whose counts go on in this one. False: it is
 * not in them, or they do not say which run they are of. */
static bool before_it(const struct cli_merge *m, size_t part, const struct td_scope_id *id, uint64_t *to)
{
    bool any = false;

    *to = 0;
    for (size_t i = 0; i < part; i++) {
        const struct cli_merge_part *p = &m->part[i];
        const long k = p->member == m->part[part].member ? td_scope_table_find(&p->scopes, id) : -1;

        if (k < 0)
            continue;
        any = true;
        *to = p->scope[k].to > *to ? p->scope[k].to : *to;
    }
    return any && cli_merge_part_says(&m->part[part], "x-run");
}

/* Ends the reading at hand: the rows of one scope's reading follow each other, then come those of the next scope. */
static int end_reading(struct cli_merge_stream *s)
{
    int err = 0;

    for (size_t i = 0; i < CLI_MERGE_TARGETS && !err; i++) {
        if (s->rows[i].used)
            err = cli_text_add(&s->text, s->rows[i].at, s->rows[i].used);
        s->rows[i].used = 0;
    }
    return err;
}

/* Adds a row for each of the scopes that it is of: the part's own, its node's, and the sum. Time may begin again only
 * at a start row. */
static int add_everywhere(struct cli_merge_stream *s, const struct cli_row *r, const struct cli_merged_scope *scope,
                          bool starts, bool begins)
{
    const struct cli_merge *m = s->merge;
    const struct {
        bool wanted;
        const char *label;
    } to[CLI_MERGE_TARGETS] = {{m->members > 1, m->part[s->part].label},
                               {scope->summed && s->node, s->node},
                               {scope->summed || m->members == 1, NULL}};
    int err = 0;

    for (size_t i = 0; i < CLI_MERGE_TARGETS && starts && !err; i++)
        if (to[i].wanted)
            err = cli_row_add_start(&s->text, r, to[i].label);
    for (size_t i = 0; i < CLI_MERGE_TARGETS && !err; i++)
        if (to[i].wanted)
            err = cli_row_add(r->starts ? &s->text : &s->rows[i], r, to[i].label, begins);
    return err || !r->ends ? err : end_reading(s);
}

/* The reading that ends one part and begins the next is written once. */
static int take_row(struct cli_merge_stream *s, const struct cli_row *r)
{
    const struct cli_merge_part *p = &s->merge->part[s->part];
    const struct td_scope_id id = {r->kind, r->scope, r->core, strlen(r->scope)};
    const long i = td_scope_table_find(&p->scopes, &id), at = td_scope_table_find(&s->merge->scopes, &id);
    enum cli_joining *joining = &s->joining[i < 0 ? 0 : i];
    bool starts, begins;
    uint64_t to = 0;
    int err;

    if (i < 0 || at < 0)
        return -ESTALE;
    if (before_it(s->merge, s->part, &id, &to)) {
        if (!r->starts && strtoull(r->time, NULL, 10) <= to)
            return 0;
        *joining = CLI_GOES_ON;
    }
    starts = *joining == CLI_UNSEEN && !r->starts;
    if (*joining == CLI_UNSEEN)
        *joining = r->starts ? CLI_GOES_ON : CLI_BEGINS;
    begins = r->begins || *joining == CLI_BEGINS;
    err = add_everywhere(s, r, &s->merge->scope[at], starts, begins);
    if (r->ends)
        *joining = CLI_GOES_ON;
    return err;
}

static int take_line(void *stream, char *line)
{
    struct cli_merge_stream *s = stream;
    struct cli_row r;
    int err;

    if (s->merge->n == 1) { /* it stays what it is */
        err = cli_text_add(&s->text, line, strlen(line));
        return err ? err : cli_text_add(&s->text, "\n", 1);
    }
    if (*line == '#' || !cli_row_split(line, &r) || !strcmp(r.time, "time_ns"))
        return 0;
    return take_row(s, &r);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static int begin_part(struct cli_merge_stream *s)
{
    const struct cli_merge_part *p = &s->merge->part[s->part];
    const char *host = cli_merge_part_host(p);

    free(s->node);
    free(s->joining);
    s->node = NULL;
    s->joining = calloc(p->scopes.n + 1, sizeof(*s->joining));
    if (!s->joining || (s->merge->nodes && asprintf(&s->node, "node:%s", host) < 0))
        return cli_no_memory();
    s->reads = true;
    return cli_merge_part_open(&s->reading, p->path, s->how, true, cli_lines_write, &s->lines);
}

static void end_part(struct cli_merge_stream *s)
{
    cli_merge_part_close(&s->reading);
    s->reads = false;
    s->part++;
}

/* Makes more of the text. False: there is no more, or it failed. */
static bool make(struct cli_merge_stream *s)
{
    const struct td_result *ignored;
    int err;

    if (s->part == s->merge->n)
        return false;
    s->code = s->reads ? 0 : begin_part(s);
    if (s->code)
        return false;
    err = s->reading.err ? s->reading.err : td_next(s->reading.set.td, &ignored);
    if (err == -ENODATA)
        end_part(s);
    else if (err)
        s->code = cli_library_error(s->reading.set.td, err);
    return !s->code;
}

int cli_merge_stream_begin(struct cli_merge_stream *s, const struct cli_merge *m, const struct cli_reading *how)
{
    *s = (struct cli_merge_stream){.merge = m, .how = how};
    s->lines = (struct cli_lines){.line = take_line, .ctx = s};
    return m->n > 1 && add_header(s) ? cli_no_memory() : 0;
}

ssize_t cli_merge_stream_read(void *stream, void *buf, size_t size)
{
    struct cli_merge_stream *s = stream;
    size_t n;

    while (s->given == s->text.used) {
        s->given = s->text.used = 0;
        if (!make(s))
            return s->code ? -EIO : 0;
    }
    n = s->text.used - s->given < size ? s->text.used - s->given : size;
    memcpy(buf, s->text.at + s->given, n);
    s->given += n;
    return (ssize_t)n;
}

void cli_merge_stream_end(struct cli_merge_stream *s)
{
    if (s->reads)
        cli_merge_part_close(&s->reading);
    cli_text_free(&s->lines.rest);
    cli_text_free(&s->text);
    for (size_t i = 0; i < CLI_MERGE_TARGETS; i++)
        cli_text_free(&s->rows[i]);
    free(s->node);
    free(s->joining);
}
