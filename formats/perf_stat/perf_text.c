/* SPDX-License-Identifier: MIT */
/* The text of perf stat: on a terminal, in a file, pasted into a mail with other
 * lines around it. Counts are scaled already; how long an event ran is known only
 * from its "(66.65%)". Group separators and the decimal point are the same in
 * the whole file, so lines are kept until one of them shows which they are. */
#include "formats/perf_stat/perf_text.h"

#include "backends/event_match.h"
#include "private/plan.h"
#include "util/cpu_list.h"
#include "util/text_clean.h"
#include "formats/perf_stat/metric_names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_LINES = 256, KEPT_BYTES = 2 * TD_LINE_MAX };

/* What is refused, recognised by a word that none of perf's counts has. */
static const struct {
    const char *mark, *what;
} foreign[] = {
    {"% Slots", "toplev's results are ratios"},
    {"% Clocks", "toplev's results are ratios"},
    {"-full-perf on ", "toplev's results are ratios"}, /* "# 4.8-full-perf on Intel(R) Xeon(R) ... [icx]" */
    {"Performance Counter Monitor", "pcm's results are ratios"},
    {"(SKT)", "pcm's results are ratios"},
    {"LIKWID", "likwid's results are ratios"},
    /* github.com/mvermeulen/wspy: each counter group ran for part of the time, and is not scaled */
    {"on_cpu  ", "wspy's table has names of its own, and counts that are not scaled to the whole time"},
    {"smt-contention  ", "wspy's table has names of its own, and counts that are not scaled to the whole time"},
};
static const char perf_ratios[] = "perf stat's table has only ratios (--topdown, --metric-only)";

/* By how many CPUs the clock of all may be off a whole number, as they begin and end one after the other. */
#define CLOCK_OFF 0.25

struct perf_text {
    struct td_recording recording; /* first: perf_text_of() */
    struct td_gather *gather;
    char decimal; /* '.' or ','; 0: not known yet */
    /* Lines that were read ahead to find decimal. */
    char *kept;
    size_t used, nkept, next;
    struct {
        size_t at;
        unsigned long number;
        bool unterminated;
    } line[KEPT_LINES];
    int end; /* the code that the file ended with */
    /* The line at hand; held: it is to be given once more. */
    struct td_text_line now;
    bool unterminated, held;
    /* The run at hand. */
    bool rows, timed, any, block, started; /* block: another begins with the next row */
    bool cpus; /* its header says that it counted whole CPUs */
    unsigned ncpus; /* that many; 0: all */
    bool command; /* its header says that it counted a command */
    double clock; /* ms on all CPUs; 0: not counted */
    int what; /* the scope that its header names; -1: the system */
    bool ended; /* a run before it has ended */
    uint64_t time;
    bool told_summary, told_number;
    struct td_printed_memory names;
    const char *ratios; /* whose they are, if such lines were seen, and the first of them */
    unsigned long ratios_at;
};

static struct perf_text *perf_text_of(struct td_recording *r)
{
    return (struct perf_text *)r; /* its first member */
}

/* What may be a separator of CSV (in prose a blank follows), or perf's percentage. */
static bool is_csv(const char *line)
{
    unsigned separators = 0;
    bool blank = false;

    for (; *line; line++) {
        bool separator = strchr(",;|\t", *line) && line[1] != ' ';

        if (separator && !blank)
            return true;
        blank = blank || *line == ' ';
        separators += separator;
        if (*line == '.' && td_text_digits(line + 1) == 2)
            return true;
    }
    return separators > 1;
}

static bool sniff(const char *first, size_t len)
{
    struct td_text_line l;
    const char *at = td_text_skip(first);

    (void)len;
    td_text_parse(first, &l);
    if (!strncmp(first, "Events ", 7)) /* perf stat -D, before CSV too */
        return false;
    if (*at == '#') /* before other formats too, except for these */
        return l.kind == TD_TEXT_COLUMNS || l.kind == TD_TEXT_RATIOS || (l.kind == TD_TEXT_MORE && strchr(first, '%'));
    if (l.kind != TD_TEXT_OTHER || *at == '>' || *at == '$' || strstr(first, "perf stat "))
        return true;
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
        if (strstr(first, foreign[i].mark))
            return true;
    return ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')) && !is_csv(at);
}

/* Software events of perf's usual list, which no table has. */
static bool is_usual(const char *name, size_t len)
{
    static const char *const usual[] = {"task-clock", "cpu-clock", "context-switches", "cpu-migrations", "page-faults"};

    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        if (len == strlen(usual[i]) && !memcmp(name, usual[i], len))
            return true;
    return false;
}

/* Of other programs' lines some are counts by their form alone: "12 files  # 3 of them new", "  842 some-file.c". */
static bool sure(const char *line, size_t len)
{
    struct td_text_line l;
    const char *colon;

    (void)len;
    td_text_parse(line, &l);
    if (l.kind != TD_TEXT_COUNT)
        return l.kind == TD_TEXT_HEAD || (l.kind == TD_TEXT_COLUMNS && strstr(line, " counts "));
    colon = memchr(l.name, ':', l.name_len);
    return is_usual(l.name, colon ? (size_t)(colon - l.name) : l.name_len) || td_event_known(l.name, l.name_len);
}

static int count_range(void *ctx, unsigned first, unsigned last)
{
    *(unsigned *)ctx += last - first + 1;
    return 0;
}

/* What perf counted, where its header has that in quotes, other than a command (print_header() in Linux
 * tools/perf/util/stat-display.c). */
static bool is_other(const char *what)
{
    static const char *const others[] = {"'system wide'", "'CPU(s) ", "'process id ",
                                         "'thread id ",   "'cgroup ", "'pipe'"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (!strncmp(what, others[i], strlen(others[i])))
            return true;
    return false;
}

/* A text without the quote that ends it. */
struct quoted {
    const char *at;
    size_t len;
};

/* What is after the words, up to the quote that ends it; at is NULL: the header has other words. */
static struct quoted named_by(const char *head, const char *words)
{
    static const char before[] = "Performance counter stats for ";
    const char *at = !strncmp(head, before, strlen(before)) ? head + strlen(before) : "", *end = strrchr(at, '\'');

    if (strncmp(at, words, strlen(words)) != 0 || !end || end < at + strlen(words))
        return (struct quoted){NULL, 0};
    return (struct quoted){at + strlen(words), (size_t)(end - at) - strlen(words)};
}

/* The program's name in a command. */
static struct quoted program_of(struct quoted command)
{
    struct quoted p = {command.at, 0};

    while (p.len < command.len && command.at[p.len] != ' ')
        p.len++;
    for (const char *slash; (slash = memchr(p.at, '/', p.len)) && slash + 1 < p.at + p.len;)
        p.len -= (size_t)(slash + 1 - p.at), p.at = slash + 1;
    return p;
}

/* A command's scope has its program's name; where the file has another command already, all of its words. */
static int command_scope(struct td_recording *r, struct perf_text *p, struct quoted command)
{
    struct quoted name = program_of(command);
    char *known = r->stream.command;

    if (known && (strlen(known) != command.len || memcmp(known, command.at, command.len) != 0))
        name = command;
    if (!known && !(r->stream.command = td_text_copy(command.at, command.len)))
        return td_log_no_memory(r->log);
    return td_gather_scope(r, p->gather, name.at, name.len, TD_KIND_COMMAND);
}

static int prefixed_scope(struct td_recording *r, struct perf_text *p, const char *before, struct quoted what,
                          enum td_scope_kind kind)
{
    char name[256];

    snprintf(name, sizeof(name), "%s%.*s", before, (int)what.len, what.at);
    return td_gather_scope(r, p->gather, name, strlen(name), kind);
}

/* What a run's header says was counted (print_header() in Linux tools/perf/util/stat-display.c): 'system wide', which
 * does not tell how many CPUs there are, 'CPU(s) 0-3', process id '5', thread id '6', or else a 'command'. 0, or an
 * error, logged. */
static int see_head(struct td_recording *r, struct perf_text *p)
{
    const char *head = p->now.kind == TD_TEXT_HEAD ? p->now.rest : NULL;
    struct quoted what;

    if (!head || !strchr(head, '\''))
        return 0;
    p->ncpus = 0;
    p->clock = 0;
    p->command = false;
    p->cpus = named_by(head, "'system wide").at;
    p->what = -1;
    if ((what = named_by(head, "'CPU(s) ")).at) {
        p->cpus = !td_cpu_ranges(what.at, what.len, count_range, &p->ncpus) && p->ncpus;
        p->what = p->cpus ? prefixed_scope(r, p, "CPU", what, p->ncpus == 1 ? TD_KIND_CPU : TD_KIND_SYSTEM) : -1;
    } else if ((what = named_by(head, "process id '")).at && what.len) {
        p->what = prefixed_scope(r, p, "process ", what, TD_KIND_PROCESS);
    } else if ((what = named_by(head, "thread id '")).at && what.len) {
        p->what = prefixed_scope(r, p, "thread ", what, TD_KIND_PROCESS);
    } else if ((what = named_by(head, "'")).at && what.len && !is_other(what.at - 1)) {
        p->command = true;
        p->what = command_scope(r, p, what);
    }
    return p->what < -1 ? p->what : 0;
}

static void see_other(const struct td_recording *r, struct perf_text *p, const char *line)
{
    if (p->any || p->ratios)
        return;
    p->ratios_at = r->bytes.line;
    for (size_t i = 0; !p->ratios && i < sizeof(foreign) / sizeof(*foreign); i++)
        if (strstr(line, foreign[i].mark))
            p->ratios = foreign[i].what;
    if (!p->ratios && (p->now.kind == TD_TEXT_RATIOS || p->now.kind == TD_TEXT_MORE))
        p->ratios = perf_ratios;
}

static void keep(struct td_recording *r, struct perf_text *p, const char *line, size_t len)
{
    memcpy(p->kept + p->used, line, len + 1);
    p->line[p->nkept].at = p->used;
    p->line[p->nkept].number = r->bytes.line;
    p->line[p->nkept++].unterminated = r->bytes.unterminated;
    p->used += len + 1;
}

/* Reads ahead until a line shows what the decimal point is. Lines before the first count are not kept. */
static int decide(struct td_recording *r, struct perf_text *p)
{
    char *line, found, likely = 0;
    size_t len;
    bool sure;
    int err;

    p->kept = malloc(KEPT_BYTES);
    if (!p->kept)
        return td_log_no_memory(r->log);
    while (!p->decimal && p->nkept < KEPT_LINES && p->used + TD_LINE_MAX < KEPT_BYTES) {
        p->end = td_recording_line(r, &line, &len);
        if (p->end)
            break;
        td_text_parse(line, &p->now);
        if (!p->nkept && p->now.kind != TD_TEXT_COUNT) {
            see_other(r, p, line);
            err = see_head(r, p);
            if (err)
                return err;
            r->stream.times = p->cpus ? TD_TIMES_CPUS : p->command ? TD_TIMES_TASKS : TD_TIMES_RELATIVE;
            r->stream.times_cpus = p->ncpus;
            continue;
        }
        keep(r, p, line, len);
        found = td_text_decimal(&p->now, &sure);
        if (found && sure)
            p->decimal = found;
        likely = likely ? likely : found;
    }
    if (!p->decimal)
        p->decimal = likely ? likely : '.';
    return 0;
}

/* Reads the next line into now. */
static int next_line(struct td_recording *r, struct perf_text *p)
{
    char *line;
    size_t len;

    if (p->held) {
        p->held = false;
        return 0;
    }
    if (p->next < p->nkept) {
        line = p->kept + p->line[p->next].at;
        r->bytes.line = p->line[p->next].number;
        p->unterminated = p->line[p->next++].unterminated;
    } else {
        if (!p->end)
            p->end = td_recording_line(r, &line, &len);
        if (p->end)
            return p->end;
        p->unterminated = r->bytes.unterminated;
    }
    td_text_parse(line, &p->now);
    if (p->now.kind == TD_TEXT_OTHER || p->now.kind == TD_TEXT_RATIOS)
        see_other(r, p, line);
    return 0;
}

/* Notes whether the row begins another run; false: it is of a summary, which is left out. */
static bool take_run(struct td_recording *r, struct perf_text *p, struct td_row *out)
{
    const struct td_text_line *l = &p->now;

    if (!l->has_time && p->timed && !p->started) {
        if (!p->told_summary)
            td_recording_note(r, "the summary lines are left out: they repeat the intervals");
        p->told_summary = true;
        return false;
    }
    if (p->rows)
        out->new_run = p->started || (l->has_time ? !p->timed || l->time < p->time : p->block);
    if (out->new_run)
        td_recording_note(r, "a further recording begins here");
    p->rows = true;
    p->started = p->block = false;
    p->timed = out->has_time = l->has_time;
    p->time = out->time = l->time;
    return true;
}

static void take_coverage(const char *rest, struct td_row *out, bool *known)
{
    double percent;

    if (*known || !td_text_coverage(rest, &percent))
        return;
    *known = true;
    if (percent < 100) /* it ran, so "0.00" means less than half of that unit */
        out->running = percent > 0 ? percent * 1e7 : 0.005 * 1e7;
}

static uint32_t printed_in(struct td_recording *r, struct perf_text *p, const char *rest)
{
    return td_printed_rest(&p->names, &r->stream.hints, &r->stream.printed, rest);
}

/* Metrics that continue below the count; the percentage may follow the last of them. */
static void take_more(struct td_recording *r, struct perf_text *p, struct td_row *out, bool known)
{
    while (!next_line(r, p)) {
        p->held = p->now.kind != TD_TEXT_MORE;
        if (p->held)
            return;
        take_coverage(p->now.rest, out, &known);
        out->printed = td_hints_join(&r->stream.hints, out->printed, printed_in(r, p, p->now.rest));
    }
}

/* The last line without a newline: its event is whole if something follows it
 * in which every bracket is closed. */
static bool cut_off(const struct perf_text *p)
{
    const char *rest = p->now.rest, *open;

    if (!p->unterminated)
        return false;
    open = strpbrk(rest, "([");
    for (const char *next = open; next; next = strpbrk(next + 1, "(["))
        open = next;
    return rest == p->now.name + p->now.name_len || (open && !strpbrk(open, ")]"));
}

/* Without a unit a count has no decimals, or the two of a scale: with more, it
 * groups digits differently from the rest of the file. */
static bool take_value(struct td_recording *r, struct perf_text *p, struct td_row *out)
{
    const struct td_text_line *l = &p->now;
    const char *mark = memchr(l->value, p->decimal, l->value_len);

    if ((l->unit || !mark || td_text_digits(mark + 1) < 3) &&
        td_text_number(l->value, l->value_len, p->decimal, &out->value))
        return true;
    if (!p->told_number)
        td_recording_note(r, "'%.*s' is no count where '%c' makes decimals; such lines are left out",
                          (int)(l->value_len < 40 ? l->value_len : 40), l->value, p->decimal);
    p->told_number = true;
    return false;
}

/* perf's clock of the whole system, which runs on each CPU from the beginning to the end, idle or not. */
static bool is_clock(const struct td_text_line *l)
{
    return l->unit && !l->scope && l->name_len == 9 && !memcmp(l->name, "cpu-clock", 9);
}

/* Takes the count at hand; 1: it is left out. */
static int take_row(struct td_recording *r, struct perf_text *p, struct td_row *out)
{
    const struct td_text_line *l = &p->now;
    bool known = false;

    if (cut_off(p)) {
        td_recording_note(r, "the last line may have been cut off; it is left out");
        return 1;
    }
    out->status = l->status;
    if (l->status == TD_OK && !take_value(r, p, out))
        return 1;
    if (!take_run(r, p, out))
        return 1;
    out->scope = l->scope       ? td_gather_scope(r, p->gather, l->scope, l->scope_len, l->scope_kind)
                 : p->what >= 0 ? p->what
                                : td_gather_system(r, p->gather);
    if (out->scope < 0)
        return out->scope;
    out->text = td_recording_text(r, l->name, l->name_len);
    if (out->text < 0)
        return out->text;
    p->any = true;
    out->enabled = 1e9;
    out->running = l->status == TD_OK ? 1e9 : 0;
    out->printed = printed_in(r, p, l->rest);
    if (l->status == TD_OK && is_clock(l))
        p->clock = out->value;
    if (l->status == TD_OK)
        take_coverage(l->rest, out, &known);
    take_more(r, p, out, known || l->status != TD_OK);
    return 0;
}

/* On how many CPUs the whole system was counted, as its clock shows; 0: it does not. */
static unsigned cpus_by_clock(const struct perf_text *p, double seconds)
{
    const double cpus = seconds > 0 ? p->clock / 1000 / seconds : 0;

    return cpus > TD_CPUS_MAX || fabs(cpus - round(cpus)) > CLOCK_OFF ? 0 : (unsigned)round(cpus);
}

/* For a run that was printed as a whole: with -I there is no such line. Where it would tell for how long counters
 * were enabled, that of runs that may not have counted as many whole CPUs is left out. */
static void take_elapsed(struct td_recording *r, struct perf_text *p)
{
    double seconds;

    if (!td_text_number(p->now.value, p->now.value_len, p->decimal, &seconds))
        return;
    if (r->stream.times == TD_TIMES_CPUS && p->cpus && !p->ncpus) {
        p->ncpus = cpus_by_clock(p, seconds);
        r->stream.times_cpus = p->ended ? r->stream.times_cpus : p->ncpus;
    }
    p->ended = true;
    if (r->stream.times == TD_TIMES_CPUS && (!p->cpus || p->ncpus != r->stream.times_cpus))
        return;
    if (r->stream.times == TD_TIMES_TASKS && !p->command)
        return;
    p->cpus = false;
    td_gather_elapsed(p->gather, seconds * 1e9);
}

static int refuse(struct td_recording *r, const struct perf_text *p)
{
    if (p->ratios) {
        r->bytes.line = p->ratios_at;
        return td_recording_bad(r, "%s: record counts with 'perf stat -x, -o FILE'", p->ratios);
    }
    return td_recording_bad(r, "no line is a count as perf stat prints it, nor is it another recording: "
                               "'tdprobe list formats' names what is read");
}

static int next_row(struct td_recording *r, struct td_row *out)
{
    struct perf_text *p = perf_text_of(r);
    int err = p->decimal ? 0 : decide(r, p);

    *out = (struct td_row){0};
    if (err)
        return err;
    while (!(err = next_line(r, p))) {
        if (p->now.kind == TD_TEXT_COUNT) {
            err = take_row(r, p, out);
            if (err <= 0)
                return err;
            continue;
        }
        err = see_head(r, p);
        if (err)
            return err;
        if (p->now.kind == TD_TEXT_ELAPSED)
            take_elapsed(r, p);
        p->block = p->block || p->now.kind == TD_TEXT_HEAD || p->now.kind == TD_TEXT_ELAPSED;
        p->started = p->started || p->now.kind == TD_TEXT_STARTED;
    }
    return err == -ENODATA && !p->any ? refuse(r, p) : err;
}

static int next(struct td_recording *r)
{
    return td_gather_next(r, perf_text_of(r)->gather, next_row);
}

static void perf_text_close(struct td_recording *r)
{
    struct perf_text *p = perf_text_of(r);

    td_gather_free(p->gather);
    free(p->kept);
}

static int perf_text_open(struct td_recording *r, char *first, size_t len)
{
    struct perf_text *p = perf_text_of(r);

    (void)first;
    (void)len;
    p->gather = td_gather_new();
    if (!p->gather)
        return td_log_no_memory(r->log);
    p->what = -1;
    r->stream.times = TD_TIMES_RELATIVE; /* only a percentage is printed */
    td_bytes_again(&r->bytes);
    return 0;
}

const struct td_reader td_reader_perf_text = {
    .name = "perf-text",
    .size = sizeof(struct perf_text),
    .sniff = sniff,
    .sure = sure,
    .open = perf_text_open,
    .next = next,
    .close = perf_text_close,
    .about = "the text of perf stat",
};
