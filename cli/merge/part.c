/* SPDX-License-Identifier: MIT */
#include "cli/merge/part.h"

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/merge/rows.h"
#include "cli/reading.h"
#include "private/result.h"
#include "stats/scope_of.h"
#include "util/room.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------ */

/* Opens the recording. A trace that was read before has been looked through to its end, which td_open() does where it
 * can seek: the second reading need not do so again. */
static int open_recording(struct cli_merge_part_reading *r, bool again)
{
    static const char trace[sizeof(r->in.head)] = {'#', ' ', 't', 'd', 'p', 'r', 'o', 'b'};

    if (again && r->in.nhead == sizeof(trace) && !memcmp(r->in.head, trace, sizeof(trace)))
        return td_open(r->set.td, r->in.name, cli_input_read, &r->in);
    return cli_input_begin(&r->in, r->set.td);
}

int cli_merge_part_open(struct cli_merge_part_reading *r, const char *path, const struct cli_reading *how, bool again,
                        td_write_fn *write, void *ctx)
{
    int code;

    *r = (struct cli_merge_part_reading){.set = {.plain = true}};
    code = cli_options_begin(&r->set);
    if (code)
        return code;
    if (again)
        td_set_note(r->set.td, NULL, NULL);
    code = cli_reading_apply(how, &r->set);
    code = code ? code : cli_input_open(&r->set, path, "merge", &r->in);
    r->open = !code;
    if (code)
        return code;
    r->err = td_set_convert(r->set.td, write, ctx);
    r->err = r->err ? r->err : open_recording(r, again);
    return 0;
}

void cli_merge_part_close(struct cli_merge_part_reading *r)
{
    if (r->open)
        cli_input_close(&r->in);
    td_free(r->set.td);
}

/* ---- what the lines of its trace say --------------------------------------------------------------- */

static int take_header(struct cli_merge_part *p, const char *line)
{
    const char *key = line + 1 + strspn(line + 1, " "), *colon = strchr(key, ':');
    struct cli_header_line *grown = realloc(p->header, (p->nheader + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    p->header = grown;
    if (!colon)
        return 0;
    grown += p->nheader++;
    grown->key = strndup(key, (size_t)(colon - key));
    grown->value = strdup(colon + 1 + strspn(colon + 1, " "));
    return grown->key && grown->value ? 0 : -ENOMEM;
}

const char *cli_merge_part_says(const struct cli_merge_part *p, const char *key)
{
    for (size_t i = 0; i < p->nheader; i++)
        if (!strcmp(p->header[i].key, key))
            return p->header[i].value;
    return NULL;
}

const char *cli_merge_part_host(const struct cli_merge_part *p)
{
    return cli_merge_part_says(p, "x-host");
}

/* FNV-1a. */
static void digest(struct cli_merge_part *p, const char *text)
{
    for (; *text; text++)
        p->digest = (p->digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    p->digest = (p->digest ^ ',') * UINT64_C(0x100000001b3);
}

static void digest_row(struct cli_merge_part *p, const struct cli_row *r)
{
    const char *const text[] = {r->time, r->scope, r->kind, r->core, r->group, r->epoch, r->event, r->value, r->times};

    for (size_t i = 0; i < CLI_COUNT(text) && !r->ends; i++) /* whose run is no count */
        digest(p, text[i]);
}

static int take_pass(struct cli_merge_part_scope *s, const struct cli_row *r)
{
    if (!r->ends || r->begins || strcmp(r->kind, "region") != 0)
        return 0;
    if (td_room(&s->end, &s->room, s->ends + 1, sizeof(*s->end)))
        return -ENOMEM;
    s->end[s->ends++] = strtoull(r->time, NULL, 10);
    return 0;
}

static void take_place(struct cli_merge_part *p, struct cli_merge_part_scope *s, const struct cli_row *r)
{
    const uint64_t time = strtoull(r->time, NULL, 10);

    s->timed = s->timed || *r->time;
    s->from = !s->read || time < s->from ? time : s->from;
    s->to = time > s->to ? time : s->to;
    p->to = time > p->to ? time : p->to;
    s->read = true;
}

static int take_line(void *part, char *line)
{
    struct cli_merge_part *p = part;
    struct cli_row r;
    struct td_scope_id id;
    long i;

    if (*line == '#')
        return take_header(p, line);
    if (!cli_row_split(line, &r) || !strcmp(r.time, "time_ns")) /* the columns' names */
        return 0;
    id = (struct td_scope_id){r.kind, r.scope, r.core, strlen(r.scope)};
    i = td_scope_table_number(&p->scopes, &id);
    if (i < 0 || td_room_zeroed(&p->scope, &p->room, (size_t)i + 1, sizeof(*p->scope)))
        return -ENOMEM;
    digest_row(p, &r);
    take_place(p, &p->scope[i], &r);
    return take_pass(&p->scope[i], &r);
}

/* ---- what its sums say ------------------------------------------------------------------------------ */

static int take_sum(void *part, const struct td_result *r)
{
    struct cli_merge_part *p = part;
    const struct td_scope_id id = td_scope_of(r);
    const long i = td_scope_table_find(&p->scopes, &id);

    if (i < 0 || p->scope[i].cpu)
        return 0;
    p->scope[i].cpu = strdup(td_result_cpu(r));
    p->scope[i].formula = strdup(td_result_formula(r));
    return p->scope[i].cpu && p->scope[i].formula ? 0 : -ENOMEM;
}

static long number_of(const char *text)
{
    return text ? strtol(text, NULL, 10) : -1;
}

static void take_rank(struct cli_merge_part *p)
{
    const char *rank = cli_merge_part_says(p, CLI_JOB_KEY), *of = rank ? strstr(rank, " of ") : NULL;

    p->rank = number_of(rank);
    p->ranks = number_of(of ? of + strlen(" of ") : NULL);
    p->thread = number_of(cli_merge_part_says(p, "x-thread"));
}

static int absent(struct cli_merge_part *p, const char *why)
{
    p->absent = strdup(why);
    return p->absent ? 0 : cli_no_memory();
}

/* A recorder that was killed before its first interval leaves a header and readings, all whole, and no interval: such a
 * trace is refused before any of it is given, but its header says whose it is. */
static int without_interval(struct cli_merge_part *p)
{
    FILE *file = fopen(p->path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int err = 0;

    while (file && !err && (n = getline(&line, &room, file)) > 0 && *line == '#') {
        line[strcspn(line, "\r\n")] = '\0';
        err = take_header(p, line);
    }
    free(line);
    if (file)
        fclose(file);
    take_rank(p);
    return err ? cli_no_memory()
               : absent(p, "it holds no interval, as its recorder was killed before the first one "
                           "ended");
}

/* Whether the recording has percentages and no counts, which is said. */
static bool is_printed(struct cli_merge_part_reading *r)
{
    if (!cli_input_again(&r->in) || td_open_printed(r->set.td, r->in.name, cli_input_read, &r->in))
        return false;
    cli_say("%s: has percentages without counts, which have no sum: record the counts, as 'tdprobe record' and 'perf "
            "stat -x,' do",
            r->in.name);
    return true;
}

static int read_open(struct cli_merge_part *p, struct cli_merge_part_reading *r)
{
    const struct td_result *ignored;
    int err = r->err;

    td_set_intervals(r->set.td, false);
    err = err ? err : td_next(r->set.td, &ignored);
    take_rank(p);
    if (err == -EBADMSG && strstr(td_error(r->set.td), "the trace holds no interval"))
        return without_interval(p);
    if ((err == -EBADMSG || err == -EOPNOTSUPP) && is_printed(r))
        return EXIT_INPUT;
    if (err != -ENODATA)
        return cli_library_error(r->set.td, err);
    return cli_each_sum(r->set.td, take_sum, p);
}

int cli_merge_part_read(struct cli_merge_part *p, const char *path, const struct cli_reading *how)
{
    struct cli_lines lines = {.line = take_line, .ctx = p};
    struct cli_merge_part_reading r;
    int code;

    p->path = path;
    p->rank = p->ranks = p->thread = -1;
    p->digest = UINT64_C(0xcbf29ce484222325);
    if (!stat(path, &p->file) && S_ISREG(p->file.st_mode) && !p->file.st_size)
        return absent(p, "it is empty, as its recorder was killed before the first reading");
    code = cli_merge_part_open(&r, path, how, false, cli_lines_write, &lines);
    code = code ? code : read_open(p, &r);
    cli_merge_part_close(&r);
    cli_text_free(&lines.rest);
    return code;
}

void cli_merge_part_free(struct cli_merge_part *p)
{
    for (size_t i = 0; i < p->nheader; i++) {
        free(p->header[i].key);
        free(p->header[i].value);
    }
    for (size_t i = 0; i < p->scopes.n && p->scope; i++) {
        free(p->scope[i].end);
        free(p->scope[i].cpu);
        free(p->scope[i].formula);
    }
    td_scope_table_free(&p->scopes);
    free(p->header);
    free(p->scope);
    free(p->absent);
    free(p->label);
}
