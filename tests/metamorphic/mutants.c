/* SPDX-License-Identifier: MIT */
/* Metamorphic tests: every recording of traces/ and mutants of it (a line deleted, cut after a line, a value zeroed, an
 * event with a strange name) must answer what the recordings that relations.h makes of it answer. The program prints
 * which recording, mutant and relation fail.
 *
 * Usage: mutants [EACH [FILE [CPU]]]: one in EACH mutants, of all recordings or of a file. Needs TD_SRCDIR. make
 * check-long has them all. */
#include "tests/metamorphic/relations.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>

enum {
    PATH = 4096,
    FAILURES_SHOWN = 40,
    ALL_OF = 8 /* every so many mutants: then all metrics of each recording, too */,
    EACH = 8,
    EACH_QUICK = 40,
    CUTS = 24 /* of a file that has no lines */
};

#define LEVEL1_SLACK 0.06 /* of the sum of its shares */

struct tested {
    const char *name, *cpu;
    bool all; /* metrics */
    struct bytes original, mutant, trace, other;
    struct answer answer, of_trace, of_other;
    struct unit_random random;
    unsigned long each, mutants, compared, failed;
};

/* ---- mutants ---------------------------------------------------------------------------- */

enum change { DELETE, CUT, ZERO, RENAME, CHANGES };

static const char *const change_name[] = {"without line", "cut after line", "zeroed in line",
                                          "named as a word of a trace in line"};

/* Where the number is that a line counts: as perf stat -x, -j, its text, and a trace have it; n 0: nowhere. */
static struct piece value_of(struct piece line, bool trace)
{
    static const char key[] = "\"counter-value\" : \"";
    struct piece c[TRACE_COLUMNS];
    size_t from = 0, n = 0;

    if (trace)
        return trace_row(line, c) && trace_is_event(c[TRACE_EVENT]) && isdigit((unsigned char)*c[TRACE_VALUE].at)
                   ? c[TRACE_VALUE]
                   : (struct piece){line.at, 0};
    for (size_t i = 0; i + strlen(key) < line.n; i++)
        if (!memcmp(line.at + i, key, strlen(key)))
            from = i + strlen(key);
    for (size_t i = 1; i + 1 < line.n && !from; i++) /* a field before an empty one: there is no unit */
        if (strchr(",;", line.at[i]) && line.at[i + 1] == line.at[i] && isdigit((unsigned char)line.at[i - 1]))
            for (from = i; from && isdigit((unsigned char)line.at[from - 1]);)
                from--;
    while (!from && n < line.n && line.at[n] == ' ')
        n++;
    for (from = from ? from : n, n = 0;
         from + n < line.n && (isdigit((unsigned char)line.at[from + n]) || strchr(",.", line.at[from + n]));)
        n++;
    return (struct piece){line.at + from, n};
}

/* The name of what is counted; n 0: there is none. */
static struct piece name_of(struct piece line, bool trace)
{
    static const char key[] = "\"event\" : \"";
    const struct piece v = value_of(line, trace);
    const char *end = line.at + line.n, *at = memmem(line.at, line.n, key, strlen(key));
    struct piece c[TRACE_COLUMNS];
    size_t n = 0;

    if (trace)
        return trace_row(line, c) && trace_is_event(c[TRACE_EVENT]) ? c[TRACE_EVENT] : (struct piece){line.at, 0};
    at = at ? at + strlen(key) : v.at + v.n;
    while (at < end && strchr(" ,;", *at))
        at++;
    while (at + n < end && !strchr(" ,;\"", at[n]))
        n++;
    return (struct piece){at, v.n ? n : 0};
}

/* The line with another text in place of a piece of it. */
static bool put_instead(struct bytes *to, struct piece line, struct piece of, const char *text)
{
    if (!of.n)
        return false;
    bytes_add(to, line.at, (size_t)(of.at - line.at));
    bytes_add(to, text, strlen(text));
    bytes_add_line(to, (struct piece){of.at + of.n, (size_t)(line.at + line.n - of.at) - of.n});
    return true;
}

/* A word that means something in a trace, where it is no event. */
static const char *word_for(size_t line)
{
    static const char *const words[] = {
        "end",           "begin",           "start",           "restores",     "Switches",         "cpus_changed:u",
        "duration_time", "latency_samples", "latency_squares", "PERF_METRICS", "printed:retiring", "event:end",
    };

    return words[line % (sizeof(words) / sizeof(*words))];
}

static bool put_changed(struct bytes *to, struct piece line, bool trace, enum change change, size_t n)
{
    char name[40];

    snprintf(name, sizeof(name), "%s%s", trace ? "event:" : "", word_for(n));
    return change == ZERO ? put_instead(to, line, value_of(line, trace), "0")
                          : put_instead(to, line, name_of(line, trace), name);
}

/* After a deleted row, the end of its reading in a trace has one row less. */
static bool put_end(struct bytes *to, struct piece line)
{
    struct piece c[TRACE_COLUMNS];
    char text[24];

    if (!trace_row(line, c) || !(piece_is(c[TRACE_EVENT], "end") || piece_is(c[TRACE_EVENT], "begin")))
        return false;
    snprintf(text, sizeof(text), "%llu", strtoull(c[TRACE_VALUE].at, NULL, 10) - 1);
    c[TRACE_VALUE] = (struct piece){text, strlen(text)};
    trace_add_row(to, c);
    return true;
}

static bool is_trace(const struct bytes *b)
{
    return b->n > 16 && !memcmp(b->at, "# tdprobe-trace:", 16);
}

/* Whether a line is one that may be deleted: no header. */
static bool is_body(struct piece line, bool trace)
{
    struct piece c[TRACE_COLUMNS];

    return trace ? trace_row(line, c) && trace_is_event(c[TRACE_EVENT]) : line.n && *line.at != '#';
}

/* Of the n-th line; false: that line has no such mutant. */
static bool change_line(const struct bytes *from, struct bytes *to, enum change change, size_t n)
{
    const bool trace = is_trace(from);
    bool open = false; /* a row of a reading was deleted, whose end is to come */
    struct piece line;
    size_t at = 0;

    to->n = 0;
    for (size_t i = 0; bytes_line(from, &at, &line); i++) {
        if (i == n && !is_body(line, trace) && change != CUT)
            return false;
        if (i == n && change == DELETE) {
            open = trace;
            continue;
        }
        if (i == n && change != CUT) {
            if (!put_changed(to, line, trace, change, i))
                return false;
            continue;
        }
        if (open && put_end(to, line)) {
            open = false;
            continue;
        }
        bytes_add_line(to, line);
        if (i == n && change == CUT)
            return line.n > 0;
    }
    return true;
}

/* ---- one mutant ------------------------------------------------------------------------- */

static void fail(struct tested *t, const char *mutant, const char *relation, const char *why)
{
    if (t->failed++ < FAILURES_SHOWN)
        printf("%s, %s: %s: %s\n", t->name, mutant, relation, why);
}

static void compare(struct tested *t, const char *mutant, const struct relation *rel, bool one_group)
{
    const struct bytes *from = rel->of_trace ? &t->trace : &t->mutant;
    struct answer *base = rel->of_trace && strcmp(rel->name, "convert") ? &t->of_trace : &t->answer;
    char why[1024];

    if ((rel->whole && !one_group) || (rel->of_trace && t->answer.err != -ENODATA))
        return;
    t->other.n = 0;
    if (!rel->make(from, &t->other, &t->random))
        return;
    answer_take(&t->of_other, &t->other, rel->of_trace ? NULL : t->cpu, t->all, NULL);
    if (rel->any_order) {
        answer_sort(base);
        answer_sort(&t->of_other);
    }
    t->compared++;
    if (!answer_same(base, &t->of_other, rel->parts, why, sizeof(why)))
        fail(t, mutant, rel->name, why);
}

/* What the shares of level 1 add up to, from the first on. */
struct level1 {
    size_t n;
    bool known, apart; /* known: all have values, and none is marked; apart: some were counted at different times */
    double value, low, high; /* without bounds a share is between 0 and 1 */
};

static struct level1 level1_from(const struct answer *a, size_t first)
{
    struct level1 sum = {.known = true};

    for (; first + sum.n < a->n && a->item[first + sum.n].share; sum.n++) {
        const struct answer_item *x = &a->item[first + sum.n];

        sum.known = sum.known && x->status == TD_OK && !(x->flags & TD_FLAG_SUM_OFF);
        sum.apart = sum.apart || x->flags & TD_FLAG_SPLIT_GROUPS;
        sum.value += x->value;
        sum.low += isnan(x->low) ? 0 : x->low;
        sum.high += isnan(x->high) ? 1 : x->high;
    }
    return sum;
}

/* The shares of level 1 add up to 1, or are marked as not doing so; if they are of different times, they may by their
 * bounds. */
static void check_level1(struct tested *t, const char *mutant)
{
    char why[128];

    for (size_t i = 0; i < t->answer.n;) {
        const struct level1 sum = level1_from(&t->answer, i);

        i += sum.n + !sum.n;
        if (!sum.n || !sum.known || fabs(sum.value - 1) <= LEVEL1_SLACK ||
            (sum.apart && sum.low <= 1 + LEVEL1_SLACK && sum.high >= 1 - LEVEL1_SLACK))
            continue;
        snprintf(why, sizeof(why), "the shares%s add up to %.9g, and by their bounds to %.9g .. %.9g",
                 t->answer.item[i - 1].summary ? " of the summary" : "", sum.value, sum.low, sum.high);
        fail(t, mutant, "level 1", why);
    }
}

static void try_mutant(struct tested *t, const char *mutant)
{
    const struct relation *rel;
    bool one_group;

    t->mutants++;
    t->trace.n = 0;
    answer_take(&t->answer, &t->mutant, t->cpu, t->all, &t->trace);
    one_group = t->answer.err == -ENODATA && relation_one_group(&t->trace);
    answer_take(&t->of_trace, &t->trace, NULL, t->all, NULL);
    check_level1(t, mutant);
    for (size_t i = 0; (rel = relation_at(i)); i++)
        if (!rel->any_order)
            compare(t, mutant, rel, one_group);
    for (size_t i = 0; (rel = relation_at(i)); i++) /* they sort the answer */
        if (rel->any_order)
            compare(t, mutant, rel, one_group);
}

static bool is_turn(struct tested *t)
{
    return unit_random_below(&t->random, t->each) == 0;
}

static void try_lines(struct tested *t)
{
    struct piece line;
    size_t at = 0;
    char name[64];

    for (size_t i = 0; bytes_line(&t->original, &at, &line); i++)
        for (enum change c = DELETE; c < CHANGES; c++)
            if (is_turn(t) && change_line(&t->original, &t->mutant, c, i)) {
                snprintf(name, sizeof(name), "%s %zu", change_name[c], i + 1);
                try_mutant(t, name);
            }
}

static void try_cuts(struct tested *t)
{
    char name[64];

    for (size_t i = 1; i < CUTS; i++)
        if (is_turn(t)) {
            t->mutant.n = 0;
            bytes_add(&t->mutant, t->original.at, t->original.n * i / CUTS);
            snprintf(name, sizeof(name), "cut after byte %zu", t->mutant.n);
            try_mutant(t, name);
        }
}

/* ---- all recordings ------------------------------------------------------------------------ */

static void read_file(const char *path, struct bytes *out)
{
    FILE *f = fopen(path, "rb");
    char part[PATH];
    size_t n;

    out->n = 0;
    if (!f) {
        fprintf(stderr, "mutants: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    while ((n = fread(part, 1, sizeof(part), f)) > 0)
        bytes_add(out, part, n);
    fclose(f);
}

static void try_file(struct tested *t, const char *path, const char *name, const char *cpu)
{
    t->name = name;
    t->cpu = cpu;
    read_file(path, &t->original);
    t->mutant.n = 0;
    bytes_add(&t->mutant, t->original.at, t->original.n);
    t->all = is_turn(t) || t->each <= ALL_OF;
    try_mutant(t, "as it is");
    t->all = false;
    if (memchr(t->original.at, '\0', t->original.n))
        try_cuts(t);
    else
        try_lines(t);
}

/* The rest of the line after key in a .expect file; "": it has none. */
static void find_line(const struct bytes *expect, const char *key, char *out, size_t size)
{
    struct piece line;
    size_t at = 0;

    *out = '\0';
    while (bytes_line(expect, &at, &line))
        if (line.n > strlen(key) && !memcmp(line.at, key, strlen(key)))
            snprintf(out, size, "%.*s", (int)(line.n - strlen(key)), line.at + strlen(key));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_expect(const struct dirent *e)
{
    const char *end = strrchr(e->d_name, '.');

    return end && !strcmp(end, ".expect");
}

static void try_all(struct tested *t, const char *folder)
{
    struct bytes expect = {.n = 0};
    struct dirent **entry;
    int n = scandir(folder, &entry, is_expect, by_name);
    char path[2 * PATH], name[256], args[256];

    for (int i = 0; i < n; i++) {
        char *cpu;

        snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
        read_file(path, &expect);
        find_line(&expect, "trace: ", name, sizeof(name));
        find_line(&expect, "args: ", args, sizeof(args));
        cpu = strstr(args, "--uarch ");
        if (cpu) {
            cpu += strlen("--uarch ");
            cpu[strcspn(cpu, " ")] = '\0';
        }
        snprintf(path, sizeof(path), "%s/%s", folder, name);
        try_file(t, path, name, cpu);
        free(entry[i]);
    }
    free(entry);
    free(expect.at);
}

static void free_all(struct tested *t)
{
    answer_free(&t->answer);
    answer_free(&t->of_trace);
    answer_free(&t->of_other);
    free(t->original.at);
    free(t->mutant.at);
    free(t->trace.at);
    free(t->other.at);
}

int main(int argc, char **argv)
{
    static struct tested t = {.random = {1}};
    const char *srcdir = getenv("TD_SRCDIR");
    char folder[PATH];

    t.each = argc > 1 ? strtoul(argv[1], NULL, 10) : getenv("TD_QUICK") ? EACH_QUICK : EACH;
    snprintf(folder, sizeof(folder), "%s/traces", srcdir ? srcdir : ".");
    if (argc > 2)
        try_file(&t, argv[2], argv[2], argc > 3 ? argv[3] : NULL);
    else
        try_all(&t, folder);
    free_all(&t);
    printf("%lu mutants, %lu comparisons, %lu failed\n", t.mutants, t.compared, t.failed);
    return t.failed > 0;
}
