/* SPDX-License-Identifier: MIT */
/* Every published metric of every CPU, compared with a separate evaluator that reads
 * published-nodes.csv: the same publications, transcribed independently. Neither the
 * engine nor backends/import has used that file. */
#include "backends/registry.h"
#include "core/solve/solve.h"
#include "tests/support/plain.h"
#include "tests/support/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 2000, ROUNDS = 100, COMPARED_AT_LEAST = 14298 /* metrics times forms when this was written */ };

struct line {
    char *kind, *name, *cpus, *formula;
};

/* One CPU and one set of counts. */
struct oracle {
    const struct line *line;
    size_t n;
    const char *cpu;
    const struct td_uarch *uarch;
    const double *counts;
    bool smt, ebs, fixed;
    double duration, cpus;
    double value[LINES], scale[LINES];
    double largest; /* largest addend so far: cancellation leaves an error in the last bits of that size */
    bool known[LINES];
    const char *at;
    char unresolved[120]; /* a word without a meaning */
};

/* ---- the file ----------------------------------------------------------------------- */

static size_t read_lines(struct line *out)
{
    const char *src = getenv("TD_SRCDIR");
    char path[400], text[8192];
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof(path), "%s/tests/backends/published-nodes.csv", src ? src : ".");
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (fgets(text, sizeof(text), f) && n < LINES) {
        char *at = text;

        if (*text == '#')
            continue;
        text[strcspn(text, "\n")] = '\0';
        out[n].kind = strdup(strsep(&at, ","));
        out[n].name = strdup(strsep(&at, ","));
        out[n].cpus = strdup(strsep(&at, ","));
        out[n++].formula = strdup(at);
    }
    fclose(f);
    CU_ASSERT_TRUE(n > 1400 && n < LINES);
    return n;
}

static void free_lines(struct line *line, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(line[i].kind);
        free(line[i].name);
        free(line[i].cpus);
        free(line[i].formula);
    }
}

/* Of two CPUs with one publication (toplev's models, perf's mapfile.csv), the file has the first. */
static const char *published_as(const char *cpu)
{
    static const struct {
        const char *cpu, *other;
    } shared[] = {{"icl", "rkl"},       {"spr", "emr"}, {"lnl-p", "arl-p"}, {"bdx", "bdw-de"},  {"ehl", "snr"},
                  {"mtl-e", "arl-lpe"}, {"srf", "grr"}, {"lnl-e", "arl-e"}, {"lnl-e", "ptl-e"}, {"lnl-e", "cwf"}};

    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        if (!strcmp(shared[i].other, cpu))
            return shared[i].cpu;
    return cpu;
}

static bool is_of(const struct line *l, const char *cpu)
{
    const size_t len = strlen(cpu);

    for (const char *at = l->cpus; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == len && !strncmp(at, cpu, len))
            return true;
    return false;
}

static long find_line(const struct oracle *o, const char *name)
{
    for (size_t i = 0; i < o->n; i++)
        if (!strcmp(o->line[i].name, name) && is_of(&o->line[i], o->cpu))
            return (long)i;
    return -1;
}

/* ---- the evaluator --------------------------------------------------------------------- */

static double expr(struct oracle *o);

static double line_value(struct oracle *o, size_t i)
{
    const char *at = o->at;
    const double before = o->largest;

    if (o->known[i]) {
        o->largest = fmax(before, o->scale[i]);
        return o->value[i];
    }
    o->at = o->line[i].formula;
    o->largest = 0;
    o->value[i] = expr(o);
    o->scale[i] = o->largest;
    o->largest = fmax(before, o->largest);
    if (*o->at)
        snprintf(o->unresolved, sizeof(o->unresolved), "%.100s", o->at);
    o->known[i] = true;
    o->at = at;
    return o->value[i];
}

/* The modifiers of an event in the order and spelling of the tables. */
static void order_modifiers(const char *word, char *out, size_t size)
{
    static const struct {
        const char *published, *table;
    } order[] = {{"u0", NULL},   {"c", NULL},    {"eq", NULL},  {"e", NULL},     {"i", NULL},
                 {"ocr_", NULL}, {"one_", NULL}, {"opc", NULL}, {"Match", NULL}, {"percore", NULL},
                 {"SUP", "k"},   {"sup", "k"},   {"USER", "u"}, {"R", "R"},      {"retire_latency", "R"}};
    static const size_t rank[] = {0, 1, 4, 2, 3, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7};
    const char *colon = strchr(word, ':');
    const size_t base = colon ? (size_t)(colon - word) : strlen(word);

    snprintf(out, size, "%.*s", (int)base, word);
    for (size_t r = 0; r < 8; r++)
        for (const char *m = colon; m && *m; m = strchr(m + 1, ':'))
            for (size_t i = 0; i < sizeof(rank) / sizeof(*rank); i++)
                if (!strncmp(m + 1, order[i].published, strlen(order[i].published))) {
                    if (rank[i] == r && i == 0)
                        snprintf(out + strlen(out), size - strlen(out), ":u0x%lx", strtoul(m + 2, NULL, 16));
                    else if (rank[i] == r)
                        snprintf(out + strlen(out), size - strlen(out), ":%.*s",
                                 order[i].table ? 1 : (int)strcspn(m + 1, ":"),
                                 order[i].table ? order[i].table : m + 1);
                    break;
                }
}

static double word_value(struct oracle *o, const char *word)
{
    char event[120], *end;
    const double number = strtod(word, &end);
    const long line = find_line(o, word);
    int e;

    if (!*end)
        return number;
    if (!strcmp(word, "Num_CPUs"))
        return o->cpus;
    if (line >= 0)
        return line_value(o, (size_t)line);
    if (!strcmp(word, "SMT"))
        return o->smt;
    if (!strcmp(word, "EBS"))
        return o->ebs;
    if (!strcmp(word, "FIXED"))
        return o->fixed;
    if (!strcmp(word, "interval-s") || !strcmp(word, "duration_time"))
        return o->duration;
    order_modifiers(word, event, sizeof(event));
    e = td_uarch_event_number(o->uarch, event);
    if (e < 0)
        snprintf(o->unresolved, sizeof(o->unresolved), "%.100s", word);
    return e < 0 ? NAN : o->counts[e];
}

static bool take(struct oracle *o, const char *text)
{
    o->at += strspn(o->at, " ");
    if (strncmp(o->at, text, strlen(text)))
        return false;
    o->at += strlen(text);
    return true;
}

static void take_word(struct oracle *o, char word[120])
{
    static const char *const odd[] = {"interval-s", "msr/tsc/"};
    size_t n = 0;

    o->at += strspn(o->at, " ");
    for (size_t i = 0; i < 2; i++)
        if (!strncmp(o->at, odd[i], strlen(odd[i])))
            n = strlen(odd[i]);
    while (!n || (n < 119 && (isalnum((unsigned char)o->at[n]) || (o->at[n] && strchr("_.:=", o->at[n])))))
        if (!(isalnum((unsigned char)o->at[n]) || (o->at[n] && strchr("_.:=", o->at[n]))))
            break;
        else
            n++;
    snprintf(word, 120, "%.*s", (int)n, o->at);
    o->at += n;
}

static double factor(struct oracle *o)
{
    char word[120];
    double x, y;

    if (take(o, "-"))
        return -factor(o);
    if (take(o, "(")) {
        x = expr(o);
        take(o, ")");
        return x;
    }
    take_word(o, word);
    if (!take(o, "("))
        return word_value(o, word);
    x = expr(o);
    y = take(o, ",") ? expr(o) : x;
    take(o, ")");
    if (isnan(x) || isnan(y))
        return NAN;
    return !strcmp(word, "min") ? fmin(x, y) : !strcmp(word, "max") ? fmax(x, y) : x; /* per_cpu: for one CPU */
}

static double product(struct oracle *o)
{
    double x = factor(o), y;

    for (;;) {
        if (take(o, "*")) {
            x *= factor(o);
        } else if (take(o, "/")) {
            y = factor(o);
            x = y == 0 ? NAN : x / y;
        } else {
            return x;
        }
    }
}

static double sum(struct oracle *o)
{
    double x = product(o);

    for (;;) {
        if (take(o, "+"))
            x += product(o);
        else if (take(o, "-"))
            x -= product(o);
        else
            return x;
        o->largest = fmax(o->largest, fabs(x));
    }
}

static double test(struct oracle *o)
{
    double x = sum(o), y;
    const bool less = take(o, "<"), more = !less && take(o, ">"), equal = (less || more) && take(o, "=");

    if (!less && !more)
        return x;
    y = sum(o);
    if (isnan(x) || isnan(y))
        return NAN;
    return (equal && x == y) || (less ? x < y : x > y);
}

static double expr(struct oracle *o)
{
    double x = test(o), c, y;

    if (!take(o, "if "))
        return x;
    c = test(o);
    take(o, "else ");
    y = expr(o);
    return isnan(c) ? NAN : c != 0 ? x : y;
}

/* ---- the engine -------------------------------------------------------------------------- */

struct engine {
    struct td_formcode code;
    struct td_val *cells;
    uint32_t *order;
    size_t norder;
};

static void engine_new(struct engine *g, const struct td_uarch *u, const struct td_form *form)
{
    struct td_bits all;
    char why[256];

    CU_ASSERT_EQUAL_FATAL(td_form_init(&g->code, u, form), 0);
    CU_ASSERT_EQUAL_FATAL(td_form_open(&g->code), 0);
    CU_ASSERT_EQUAL_FATAL(td_bits_new(&all, td_program_count(g->code.p)), 0);
    for (size_t d = 0; d < td_program_count(g->code.p); d++) {
        CU_ASSERT_EQUAL_FATAL(td_program_compile(g->code.p, d, why, sizeof(why)), 0);
        td_bits_add(&all, d);
    }
    g->cells = calloc(td_program_cells(g->code.p), sizeof(*g->cells));
    g->order = calloc(td_program_count(g->code.p) + 1, sizeof(*g->order));
    CU_ASSERT_FATAL(g->cells && g->order);
    td_program_prepare(g->code.p, g->cells);
    g->norder = td_program_order(g->code.p, &all, g->order);
    td_bits_free(&all);
}

static void engine_run(struct engine *g, const struct oracle *o)
{
    const struct td_program *p = g->code.p;

    for (size_t e = 0; e < o->uarch->nevents; e++)
        g->cells[td_event_cell(e)].r = g->cells[td_correction_cell(p, e)].r = td_range_exact(o->counts[e]);
    g->cells[td_input_cell(p, TD_INPUT_SMT)].r = td_range_exact(o->smt);
    g->cells[td_input_cell(p, TD_INPUT_DURATION)].r = td_range_exact(o->duration);
    g->cells[td_input_cell(p, TD_INPUT_CPUS)].r = td_range_exact(o->cpus);
    g->cells[td_input_cell(p, TD_INPUT_ONE_CPU)].r = td_range_exact(1);
    for (int whole = 0; whole <= 1; whole++) { /* of one thread's part of a core first, which nobody publishes */
        g->cells[td_input_cell(p, TD_INPUT_WHOLE_CORE)].r = td_range_exact(whole);
        g->cells[td_input_cell(p, TD_INPUT_HALTED)].r.low = whole || o->smt ? 0 : TD_HALTED;
        td_program_run(p, g->order, g->norder, g->cells);
        CU_ASSERT(plain_agrees(p, g->order, g->norder, g->cells));
    }
}

static void engine_free(struct engine *g)
{
    td_form_free(&g->code);
    free(g->cells);
    free(g->order);
}

/* ---- both ----------------------------------------------------------------------------------- */

/* tests/import/differences.csv: a constant of toplev's model where nothing is measured. And of EBS, the time in which
 * two threads ran: from the clock's own events, where the published one takes another, or 0. */
static bool differs(const struct oracle *o, const char *name)
{
    const char *cpu = o->cpu;
    const bool two =
        !strcmp(name, "info_system_smt_2t_utilization") || !strcmp(name, "info_botlnk_l0_core_bound_likely");
    const bool cxl = !strcmp(name, "info_system_cxl_mem_read_bw") || !strcmp(name, "info_system_cxl_mem_write_bw");

    return (o->ebs && two) || (!strcmp(cpu, "spr-hbm") && cxl) ||
           (!strcmp(cpu, "gnr") && (cxl || !strcmp(name, "cxl_mem_bound")));
}

/* E-cores' names: "fetch_latency, fetch_bandwidth for IFetch_*" */
static const char *engine_name(const char *published)
{
    return !strcmp(published, "ifetch_latency") || !strcmp(published, "ifetch_bandwidth") ? published + 1 : published;
}

static void failed(const struct oracle *o, const struct td_form *form, const char *name, double wanted,
                   const struct td_val *got)
{
    char text[300];

    snprintf(text, sizeof(text), "%s %s smt %d: %s is %.12g, not %.12g (state %d) %s", o->cpu, form->name, o->smt, name,
             got ? got->r.value : NAN, wanted, got ? (int)got->state : -1, o->unresolved);
    CU_assertImplementation(false, __LINE__, text, __FILE__, "", CU_FALSE);
}

static void compare(struct oracle *o, const struct td_form *form, const struct engine *g, size_t i)
{
    const char *name = engine_name(o->line[i].name);
    const int def = td_program_find(g->code.p, name);
    const struct td_val *v = def < 0 ? NULL : &g->cells[td_def_cell(g->code.p, (size_t)def)];
    double wanted = line_value(o, i), got = v && v->state == TD_VAL_OK ? v->r.value : NAN;

    if (v && !strcmp(o->line[i].kind, "metric") && !td_program_def(g->code.p, (size_t)def)->unit)
        got *= 100; /* Arm publishes percent of slots */
    if (!v || *o->unresolved || isnan(got) != isnan(wanted) ||
        fabs(got - wanted) > 1e-9 * fabs(wanted) + 1e-12 * o->scale[i])
        failed(o, form, o->line[i].name, wanted, v);
    *o->unresolved = '\0';
}

/* Counts of all magnitudes, so that each branch is taken; one in zeros of them is 0, so that formulas divide by it (0:
 * none). But not SLOTS, which the tables cancel: its fields are shares of it. */
static void draw(struct unit_random *r, const struct td_uarch *u, double *counts, uint64_t zeros)
{
    for (size_t e = 0; e < u->nevents; e++) {
        counts[e] = 1 + (double)(unit_random_below(r, UINT64_C(1) << 30) >> unit_random_below(r, 12));
        if (zeros && !td_event_is_slots(&u->events[e]) && !unit_random_below(r, zeros))
            counts[e] = 0;
    }
}

static void compare_form(struct oracle *o, const struct td_form *form, struct unit_random *r, unsigned long *compared,
                         unsigned long *absent)
{
    double *counts = calloc(o->uarch->nevents, sizeof(*counts));
    struct engine g;

    CU_ASSERT_PTR_NOT_NULL_FATAL(counts);
    engine_new(&g, o->uarch, form);
    o->counts = counts;
    o->ebs = form->flags & TD_FORM_EBS;
    o->fixed = form->flags & TD_FORM_FIXED;
    for (unsigned long round = 0; round < unit_long_rounds(ROUNDS); round++) {
        o->smt = form->flags & TD_FORM_SMT_ASKED && !o->ebs ? round % 2 : form->flags & TD_FORM_SMT;
        o->duration = 0.5 + unit_random_ratio(r);
        o->cpus = 1 + (double)unit_random_below(r, 100);
        draw(r, o->uarch, counts, round % 3 ? 0 : 6);
        memset(o->known, 0, sizeof(o->known));
        engine_run(&g, o);
        for (size_t i = 0; i < o->n; i++)
            if (strcmp(o->line[i].kind, "aux") && is_of(&o->line[i], o->cpu) && !differs(o, o->line[i].name)) {
                compare(o, form, &g, i);
                ++*compared;
                *absent += isnan(o->value[i]) ? 1 : 0;
            }
    }
    engine_free(&g);
    free(counts);
}

/* The metrics that the file lacks. */
static size_t count_unread(const struct oracle *o)
{
    const struct td_table *t = o->uarch->table;
    size_t unread = 0;

    for (size_t i = 0; t && i < t->n; i++) {
        const char *name = t->texts + t->row[i].name;
        char published[120];

        snprintf(published, sizeof(published), "i%s", name); /* engine_name() */
        if (t->row[i].kind == TD_ROW_AUX || find_line(o, name) >= 0 || find_line(o, published) >= 0)
            continue;
        unread++;
        printf("\n    %s: nobody else read %s", o->uarch->name, name);
    }
    return unread;
}

static void every_metric(void)
{
    static struct line line[LINES];
    static struct oracle o;
    struct unit_random r = {0x0dac1e};
    unsigned long compared = 0, absent = 0, unread = 0;
    const size_t n = read_lines(line);

    for (size_t row = 0; (o.uarch = td_uarch_at(row)); row++) {
        o.line = line;
        o.n = n;
        o.cpu = published_as(o.uarch->name);
        unread += count_unread(&o);
        for (size_t f = 0; o.uarch->forms[f]; f++)
            if (o.uarch->forms[f]->flags & TD_FORM_TABLE)
                compare_form(&o, o.uarch->forms[f], &r, &compared, &absent);
    }
    CU_ASSERT_EQUAL(unread, 0);
    CU_ASSERT_TRUE(absent > compared / 100); /* where the engine must have no value, and never 0 */
    CU_ASSERT_TRUE(compared >= COMPARED_AT_LEAST * unit_long_rounds(ROUNDS));
    free_lines(line, n);
}

static const CU_TestInfo tests[] = {{"every metric", every_metric}, CU_TEST_INFO_NULL};
UNIT_SUITE("published nodes", tests);
