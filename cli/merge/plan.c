/* SPDX-License-Identifier: MIT */
#include "cli/merge/plan.h"

#include "cli/cli.h"
#include "private/result.h"
#include "util/room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Whether both are of one process or thread, as far as they say. */
static bool same_place(const struct cli_merge_part *a, const struct cli_merge_part *b)
{
    return a->rank == b->rank && a->thread == b->thread && same_text(cli_merge_part_host(a), cli_merge_part_host(b));
}

/* ---- order ---------------------------------------------------------------------------------------- */

static uint64_t first_time(const struct cli_merge_part *p)
{
    uint64_t first = UINT64_MAX;

    for (size_t i = 0; i < p->scopes.n; i++)
        first = p->scope[i].from < first ? p->scope[i].from : first;
    return first;
}

/* By what the recordings say, so that the order of the arguments changes nothing: ranks, hosts, the parts of one in
 * their time, and by name only what is the same in all that. */
static int compare_parts(const void *x, const void *y)
{
    const struct cli_merge_part *a = x, *b = y;
    const char *host[] = {cli_merge_part_host(a), cli_merge_part_host(b)};
    const uint64_t time[] = {first_time(a), first_time(b)};
    const int order = strverscmp(host[0] ? host[0] : "", host[1] ? host[1] : "");

    if (!a->absent != !b->absent)
        return a->absent ? 1 : -1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (order)
        return order;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (time[0] != time[1])
        return time[0] < time[1] ? -1 : 1;
    if (a->digest != b->digest)
        return a->digest < b->digest ? -1 : 1;
    return strverscmp(a->path, b->path);
}

/* ---- what cannot be added ----------------------------------------------------------------------------- */

/* What is the same in all parts, or their counts do not have one meaning. */
static const struct {
    const char *key, *usual, *why;
} alike[] = {
    {"cpu", "", "counts of different CPUs have no sum, as each counts other things: 'tdprobe compare' compares them"},
    {"smt", "unknown", "a core with two threads shares its slots: --smt on or --smt off says what holds for all"},
    {"scaled", "no",
     "the values of one are as they were counted, those of the other were scaled already: merge those "
     "of each kind"},
    {"coverage", "recorded",
     "only one says for which part of the time its events were counted: merge those of each "
     "kind"},
    {"counter-bits", "64", "their counters are of different widths: merge those of each width"},
    {"x-times", "recorded", "their times have different meanings: merge those of each kind"},
    {"level", "", "they have other events: record all of them with the same --level"},
};

static int check_headers(const struct cli_merge_part *a, const struct cli_merge_part *b)
{
    for (size_t i = 0; i < CLI_COUNT(alike); i++) {
        const char *x = cli_merge_part_says(a, alike[i].key), *y = cli_merge_part_says(b, alike[i].key);

        x = x ? x : alike[i].usual;
        y = y ? y : alike[i].usual;
        if (!strcmp(x, y))
            continue;
        cli_say("%s has '%s: %s' and %s '%s: %s': %s", a->path, alike[i].key, *x ? x : "(none)", b->path, alike[i].key,
                *y ? y : "(none)", alike[i].why);
        return EXIT_INPUT;
    }
    return 0;
}

/* ---- what belongs to one recording ----------------------------------------------------------------------- */

/* Whether all scopes that both have were read at different times, the end of one at most the beginning of the other. */
static bool apart_in_time(const struct cli_merge_part *a, const struct cli_merge_part *b)
{
    bool any = false;

    for (size_t i = 0; i < b->scopes.n; i++) {
        const long k = td_scope_table_find(&a->scopes, &b->scopes.id[i]);
        const struct cli_merge_part_scope *x = k < 0 ? NULL : &a->scope[k], *y = &b->scope[i];

        if (!x)
            continue;
        if (!x->timed || !y->timed || (x->to > y->from && y->to > x->from))
            return false;
        any = true;
    }
    return any;
}

static int refuse_twice(const struct cli_merge_part *a, const struct cli_merge_part *b, const char *why)
{
    cli_say("%s and %s are the same recording (%s): its counts would be added twice; leave one out", a->path, b->path,
            why);
    return EXIT_INPUT;
}

/* Whether b goes on where a ends, as parts of one recording. Two that overlap are one given twice, or two runs. */
static int continues(const struct cli_merge_part *a, const struct cli_merge_part *b, bool *out)
{
    const char *run[] = {cli_merge_part_says(a, "x-run"), cli_merge_part_says(b, "x-run")};
    const bool same_run = same_text(run[0], run[1]), one_place = same_place(a, b);

    *out = same_run && one_place && apart_in_time(a, b);
    if (*out)
        return 0;
    if (a->file.st_dev == b->file.st_dev && a->file.st_ino == b->file.st_ino)
        return refuse_twice(a, b, "one file");
    if (same_run && one_place && run[0])
        return refuse_twice(a, b, "x-run and its times");
    if (same_run && one_place && a->digest == b->digest)
        return refuse_twice(a, b, "all counts are equal");
    if (a->rank < 0 || a->rank != b->rank || a->thread != b->thread)
        return 0;
    cli_say("%s and %s are both of rank %ld, and of different runs: merge the ranks of one run; 'tdprobe compare' "
            "compares runs",
            a->path, b->path, a->rank);
    return EXIT_INPUT;
}

/* Gives each part its member: those that go on where another ends are of one. */
static int find_members(struct cli_merge *m)
{
    for (size_t i = 0; i < m->n; i++) {
        struct cli_merge_part *p = &m->part[i];

        p->member = m->members;
        for (size_t k = 0; k < i; k++) {
            bool one;
            const int code = continues(&m->part[k], p, &one);

            if (code)
                return code;
            if (one)
                p->member = m->part[k].member;
        }
        m->members += p->member == m->members;
    }
    return 0;
}

/* Parts of one recording follow each other, in their time. */
static int compare_members(const void *x, const void *y)
{
    const struct cli_merge_part *a = x, *b = y;
    const uint64_t time[] = {first_time(a), first_time(b)};

    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    return (time[0] > time[1]) - (time[0] < time[1]);
}

/* ---- names ------------------------------------------------------------------------------------------------ */

/* Whether each member has another host. */
static bool hosts_differ(const struct cli_merge *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k <= i; k++)
            if (!cli_merge_part_host(&m->part[i]) ||
                (m->part[i].member != m->part[k].member &&
                 !strcmp(cli_merge_part_host(&m->part[i]), cli_merge_part_host(&m->part[k]))))
                return false;
    return true;
}

/* Whether all are of one host, or one does not say of which. */
static bool one_host(const struct cli_merge *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (!cli_merge_part_host(&m->part[i]))
            return true;
    for (size_t i = 1; i < m->n; i++)
        if (strcmp(cli_merge_part_host(&m->part[i]), cli_merge_part_host(&m->part[0])) != 0)
            return false;
    return true;
}

/* The file's name without its folder, and without what follows the last dot. */
static char *stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path, *dot = strrchr(name, '.');

    return strndup(name, dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The number of a thread is its host's. */
static char *name_part(const struct cli_merge_part *p, bool by_host, bool one_host)
{
    char *name = NULL;
    int n = 0;

    if (p->rank >= 0 && p->thread >= 0)
        n = asprintf(&name, "rank%ld.thread%ld", p->rank, p->thread);
    else if (p->rank >= 0)
        n = asprintf(&name, "rank%ld", p->rank);
    else if (p->thread >= 0)
        n = asprintf(&name, "%s%sthread%ld", one_host ? "" : cli_merge_part_host(p), one_host ? "" : ".", p->thread);
    else
        return by_host ? strdup(cli_merge_part_host(p)) : stem(p->path);
    return n < 0 ? NULL : name;
}

/* A name may come from a file's, and be shown on a terminal. */
static char *printable(char *name)
{
    const size_t size = name ? 4 * strlen(name) + 1 : 0;
    char *shown = name ? malloc(size) : NULL;

    if (shown) {
        memcpy(shown, name, strlen(name) + 1);
        td_printable(shown, size);
    }
    free(name);
    return shown;
}

static int name_all(struct cli_merge *m)
{
    const bool by_host = hosts_differ(m), one = one_host(m);
    size_t ranks = 0, threads = 0;

    for (size_t i = 0; i < m->n; i++) {
        struct cli_merge_part *p = &m->part[i];

        ranks += p->rank >= 0;
        threads += p->thread >= 0;
        p->label = printable(name_part(p, by_host, one));
        if (!p->label)
            return cli_no_memory();
        for (size_t k = 0; k < i; k++)
            if (m->part[k].member != p->member && !strcmp(m->part[k].label, p->label)) {
                cli_say("%s and %s would both be named %s: rename one of the files", m->part[k].path, p->path,
                        p->label);
                return EXIT_USAGE;
            }
    }
    m->called = threads == m->n                 ? "thread"
                : ranks == m->n                 ? "rank"
                : by_host && !ranks && !threads ? "host"
                                                : "recording";
    return 0;
}

/* ---- sums --------------------------------------------------------------------------------------------------- */

/* Whether what two members counted as one scope are two things. Each recorder counts a command and regions of its own;
 * a host is counted once, and so is what has the same name in it. What has a name only on its host, such as a CPU or
 * a process, is no part of a larger one. */
static bool own_of_recorder(const char *kind)
{
    return !strcmp(kind, "command") || !strcmp(kind, "region");
}

static bool one_on_host(const char *kind)
{
    return !strcmp(kind, "system") || !strcmp(kind, "cgroup");
}

static bool on_two_hosts(const struct cli_merge_part *a, const struct cli_merge_part *b)
{
    return cli_merge_part_host(a) && cli_merge_part_host(b) &&
           strcmp(cli_merge_part_host(a), cli_merge_part_host(b)) != 0;
}

static bool all_disjoint(const struct cli_merge *m, const struct td_scope_id *id)
{
    if (own_of_recorder(id->kind) || !one_on_host(id->kind) || m->disjoint)
        return own_of_recorder(id->kind) || one_on_host(id->kind);
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < i; k++)
            if (m->part[i].member != m->part[k].member && td_scope_table_find(&m->part[i].scopes, id) >= 0 &&
                td_scope_table_find(&m->part[k].scopes, id) >= 0 && !on_two_hosts(&m->part[i], &m->part[k]))
                return false;
    return true;
}

static int add_scopes(struct cli_merge *m, size_t part)
{
    const struct td_scope_table *t = &m->part[part].scopes;

    for (size_t i = 0; i < t->n; i++) {
        const long at = td_scope_table_number(&m->scopes, &t->id[i]);
        bool before = false;

        if (at < 0 || td_room_zeroed(&m->scope, &m->room, (size_t)at + 1, sizeof(*m->scope)))
            return cli_no_memory();
        for (size_t k = 0; k < part && !before; k++)
            before =
                m->part[k].member == m->part[part].member && td_scope_table_find(&m->part[k].scopes, &t->id[i]) >= 0;
        m->scope[at].first = m->scope[at].members ? m->scope[at].first : part;
        m->scope[at].members += !before;
    }
    return 0;
}

/* Of what is added up, the formula must be one. */
static int check_formula(const struct cli_merge_part *a, const struct cli_merge_part *b, const struct td_scope_id *id)
{
    const struct cli_merge_part_scope *x = &a->scope[td_scope_table_find(&a->scopes, id)],
                                      *y = &b->scope[td_scope_table_find(&b->scopes, id)];

    if (!x->cpu || !y->cpu || (!strcmp(x->cpu, y->cpu) && !strcmp(x->formula, y->formula)))
        return 0;
    cli_say("%s of %s was counted for %s [%s], and that of %s for %s [%s]: other formulas have other events, whose "
            "counts have no sum: record both with the same options",
            id->name, a->path, x->cpu, x->formula, b->path, y->cpu, y->formula);
    return EXIT_INPUT;
}

static int check_formulas(const struct cli_merge *m, size_t part)
{
    const struct td_scope_table *t = &m->part[part].scopes;
    int code = 0;

    for (size_t i = 0; i < t->n && !code; i++) {
        const struct cli_merged_scope *s = &m->scope[td_scope_table_find(&m->scopes, &t->id[i])];

        if (s->summed && s->first != part)
            code = check_formula(&m->part[s->first], &m->part[part], &t->id[i]);
    }
    return code;
}

/* Whether several members ran on one host, and others elsewhere. */
static bool has_nodes(const struct cli_merge *m)
{
    bool shared = false, other = false;

    for (size_t i = 0; i < m->n; i++) {
        if (!cli_merge_part_host(&m->part[i]))
            return false;
        for (size_t k = 0; k < i; k++) {
            const bool same = !strcmp(cli_merge_part_host(&m->part[i]), cli_merge_part_host(&m->part[k]));

            shared = shared || (same && m->part[i].member != m->part[k].member);
            other = other || !same;
        }
    }
    return shared && other;
}

static int find_sums(struct cli_merge *m)
{
    int code = 0;

    for (size_t i = 0; i < m->n && !code; i++)
        code = add_scopes(m, i);
    for (size_t i = 0; i < m->scopes.n && !code; i++) {
        struct cli_merged_scope *of = &m->scope[i];

        of->compared = of->members > 1 && (own_of_recorder(m->scopes.id[i].kind) || one_on_host(m->scopes.id[i].kind));
        of->summed = of->members > 1 && all_disjoint(m, &m->scopes.id[i]);
    }
    for (size_t i = 0; i < m->n && !code; i++)
        code = check_formulas(m, i);
    m->nodes = has_nodes(m);
    return code;
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

static int check_all(struct cli_merge *m)
{
    int code = 0;

    if (!m->n) {
        cli_say("no recording holds an interval: %s%s", m->nabsent > 1 ? "of the first, " : "", m->part[0].absent);
        return EXIT_INPUT;
    }
    for (size_t i = 1; i < m->n && !code; i++)
        code = check_headers(&m->part[0], &m->part[i]);
    return code;
}

int cli_merge_plan(struct cli_merge *m)
{
    int code;

    qsort(m->part, m->n, sizeof(*m->part), compare_parts);
    while (m->n && m->part[m->n - 1].absent) {
        m->n--;
        m->nabsent++;
    }
    code = check_all(m);
    code = code ? code : find_members(m);
    if (code)
        return code;
    qsort(m->part, m->n, sizeof(*m->part), compare_members);
    code = name_all(m);
    return code ? code : find_sums(m);
}

void cli_merge_free(struct cli_merge *m)
{
    for (size_t i = 0; i < m->n + m->nabsent; i++)
        cli_merge_part_free(&m->part[i]);
    td_scope_table_free(&m->scopes);
    free(m->scope);
    free(m->part);
}

/* ---- what is not there ---------------------------------------------------------------------------------------- */

static bool is_present(const struct cli_merge *m, long rank)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->part[i].rank == rank)
            return true;
    return false;
}

static long ranks_of(const struct cli_merge *m)
{
    long ranks = 0;

    for (size_t i = 0; i < m->n + m->nabsent; i++)
        ranks = m->part[i].ranks > ranks ? m->part[i].ranks : ranks;
    return ranks;
}

char *cli_merge_missing(const struct cli_merge *m)
{
    enum { SHOWN = 20 };
    const long ranks = ranks_of(m);
    char *text = NULL;
    size_t size = 0, found = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    for (long i = 0; i < ranks; i++)
        if (!is_present(m, i) && found++ < SHOWN)
            fprintf(out, "%s%ld", found > 1 ? ", " : "", i);
    if (found > SHOWN)
        fprintf(out, " and %zu others", found - SHOWN);
    if (fclose(out) || found)
        return text;
    free(text);
    return NULL;
}

/* Ranks of one job end together: one that ends long before was killed, or its recorder was. */
static void say_early(const struct cli_merge *m)
{
    uint64_t last = 0;

    for (size_t i = 0; i < m->n; i++)
        last = m->part[i].to > last ? m->part[i].to : last;
    for (size_t i = 0; i < m->n; i++) {
        const struct cli_merge_part *p = &m->part[i];
        bool goes_on = !p->to || (double)p->to > 0.9 * (double)last;

        for (size_t k = 0; k < m->n && !goes_on; k++)
            goes_on = m->part[k].member == p->member && m->part[k].to > p->to;
        if (!goes_on)
            cli_say("%s (%s) ends at %.3f s, the last at %.3f s: what it did after that is absent", p->path, p->label,
                    (double)p->to / 1e9, (double)last / 1e9);
    }
}

static void say_apart(const struct cli_merge *m)
{
    const struct td_scope_id *first = NULL;
    size_t others = 0;

    for (size_t i = 0; i < m->scopes.n; i++) {
        if (m->scope[i].members < 2 || m->scope[i].summed)
            continue;
        others += first != NULL;
        first = first ? first : &m->scopes.id[i];
    }
    if (!first)
        return;
    cli_say("%s%s not added up: %s", first->name, others ? " and others are" : " is",
            one_on_host(first->kind)
                ? "two recordings are of one host, or do not say of which, and may have counted the same "
                  "(--disjoint adds them up)"
                : "each is a thing of its own host, and is kept by its recording's name");
}

void cli_merge_say(const struct cli_merge *m)
{
    char *missing = cli_merge_missing(m);

    for (size_t i = m->n; i < m->n + m->nabsent; i++)
        cli_say("%s is left out: %s", m->part[i].path, m->part[i].absent);
    if (missing)
        cli_say("absent of %ld ranks: %s; the sums are those of the others", ranks_of(m), missing);
    free(missing);
    say_early(m);
    say_apart(m);
}
