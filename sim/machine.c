/* SPDX-License-Identifier: MIT */
/* A description becomes a simulated machine. */
#include "kernel_page.h"
#include "machine_line.h"

#include "number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, TEXT_MAX = 1 << 20 };

static const char magic[] = "# tdprobe-machine:";

static const struct {
    const char *name;
    td_sim_take_fn *take;
} lines[] = {
    {"cpuid", td_sim_take_cpuid}, {"cpus", td_sim_take_cpus}, {"midr", td_sim_take_midr}, {"file", td_sim_take_file},
    {"absent", td_sim_take_absent}, {"pmu", td_sim_take_pmu}, {"event", td_sim_take_event}, {"format", td_sim_take_format},
    {"caps", td_sim_take_caps}, {"lie", td_sim_take_lie}, {"workload", td_sim_take_workload}, {"phase", td_sim_take_phase},
    {"count", td_sim_take_count}, {"run", td_sim_take_run}, {"command", td_sim_take_command}, {"task", td_sim_take_task},
    {"cgroup", td_sim_take_cgroup}, {"hotplug", td_sim_take_hotplug}, {"signal", td_sim_take_signal}, {"spin", td_sim_take_spin},
    {"privileged", td_sim_take_privileged}, {"refuse", td_sim_take_refuse}, {"msr", td_sim_take_msr},
};

/* Reads everything, ended by NUL. */
static int read_text(td_read_fn *read, void *ctx, char **out, size_t *len)
{
    char *text = malloc(TEXT_MAX + 1);

    *out = text;
    *len = 0;
    if (!text)
        return -ENOMEM;
    while (*len < TEXT_MAX) {
        ssize_t n = read(ctx, text + *len, TEXT_MAX - *len);

        if (n < 0)
            return (int)n;
        if (!n)
            break;
        *len += (size_t)n;
    }
    text[*len] = '\0';
    return 0;
}

static int take_line(struct td_sim_line *l, char *text)
{
    char *equal;
    int err;

    l->n = 0;
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return 0;
    if (strncmp(text, "file ", 5) && (equal = strstr(text, " #")) != NULL)
        *equal = '\0';
    equal = strstr(text, " = ");
    l->tail = equal ? equal + 3 + strspn(equal + 3, " \t") : NULL;
    if (equal)
        *equal = '\0';
    err = td_sim_words(l, text);
    for (size_t i = 0; !err && i < sizeof(lines) / sizeof(*lines); i++)
        if (!strcmp(lines[i].name, l->word[0])) {
            err = lines[i].take(l);
            return err ? err : td_sim_unused(l);
        }
    return err ? err : td_sim_bad(l, "'%.40s' begins no line that is known", l->word[0]);
}

static int first_line(struct td_sim_line *l, const char *text)
{
    const char *value = text + strlen(magic);
    uint64_t version;

    if (strncmp(text, magic, strlen(magic)))
        return td_sim_bad(l, "not a machine: the first line is not '%s %d'", magic, FORMAT);
    value += strspn(value, " ");
    if (td_number_u64(value, strlen(value), &version) || version != FORMAT)
        return td_sim_bad(l, "version '%.20s' of the format; this tdprobe reads version %d", value, FORMAT);
    return 0;
}

static int take_text(struct td_sim_line *l, char *text, size_t len)
{
    char *end = text + len;
    int err = 0;

    while (!err && text < end) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t n = stop ? (size_t)(stop - text) : (size_t)(end - text);

        l->number++;
        if (memchr(text, '\0', n))
            return td_sim_bad(l, "a NUL byte");
        if (!stop)
            return td_sim_bad(l, "the last line does not end: the file was cut off");
        text[n] = '\0';
        if (n && text[n - 1] == '\r')
            text[n - 1] = '\0';
        err = l->number == 1 ? first_line(l, text) : take_line(l, text);
        text = stop + 1;
    }
    return err;
}

/* What an idle CPU's counters are set to; never executed. */
static const struct td_pmu_phase idle = {.slots = 1, .weight = {TD_PMU_WHOLE}};

static int build_cpu(struct td_sim *s, struct td_sim_cpu *c)
{
    const struct td_sim_pmu *p = &s->pmu[c->pmu];

    c->nbanks = p->nconfigs ? (p->nconfigs + TD_PMU_RATES - 1) / TD_PMU_RATES : 1;
    c->bank = calloc(c->nbanks, sizeof(*c->bank));
    if (!c->bank)
        return -ENOMEM;
    for (size_t b = 0; b < c->nbanks; b++)
        td_pmu_init(&c->bank[b], &idle, 1, p->rounding, p->skew);
    return 0;
}

/* perf may ask for the caller's process, which then does nothing. */
static int add_self(struct td_sim *s)
{
    struct td_sim_task *t = calloc(1, sizeof(*t));

    if (!t)
        return -ENOMEM;
    t->cpu = -1;
    t->link = s->tasks;
    s->tasks = s->self = t;
    return 0;
}

/* The description is complete: the machine starts at time 0. */
static int start(struct td_sim *s)
{
    int err = 0;

    for (size_t i = 0; !err && i < s->nworks; i++)
        err = td_sim_work_build(s, &s->work[i]);
    for (unsigned i = 0; !err && i < s->ncpus; i++)
        if (s->cpu[i].pmu < TD_SIM_PMUS)
            err = build_cpu(s, &s->cpu[i]);
    if (!err)
        err = td_sim_files_fixed(s);
    if (!err)
        td_sim_pages_init(s);
    if (!err && !s->self)
        err = add_self(s);
    if (err)
        return err;
    for (struct td_sim_task *t = s->tasks; t; t = t->link)
        if (t != s->command && t != s->self)
            td_sim_task_start(s, t);
    for (unsigned i = 0; i < s->ncpus; i++)
        if (s->cpu[i].exists && s->cpu[i].first == i)
            td_sim_core_load(s, i);
    td_sim_place(s);
    td_sim_run(s, 0);
    return td_sim_files_make(s);
}

static int complete(struct td_sim_line *l)
{
    const struct td_sim *s = l->sim;

    if (!l->number)
        return td_sim_bad(l, "the file is empty");
    if (!s->ncpus)
        return td_sim_bad(l, "no 'cpus' line");
    for (size_t i = 0; i < s->nworks; i++)
        if (!s->work[i].nphases)
            return td_sim_bad(l, "the workload %s has no phase", s->work[i].name);
    return 0;
}

int td_sim_new(const char *name, td_read_fn *read, void *ctx, struct td_sim **out, char *why, size_t whysize)
{
    struct td_sim *s = calloc(1, sizeof(*s));
    struct td_sim_line l = {.sim = s, .name = name, .why = why, .whysize = whysize};
    char *text = NULL;
    size_t len;
    int err = -ENOMEM;

    if (whysize)
        *why = '\0';
    if (!s)
        return err;
    s->privileged = true;
    s->pinned = -1;
    s->msr_locked = UINT64_MAX;
    s->adds = UINT64_C(1000000000);
    s->group = td_sim_grow(NULL, 0, sizeof(*s->group));
    if (s->group && (s->group[0].path = strdup("")) != NULL) {
        s->ngroups = 1;
        err = read_text(read, ctx, &text, &len);
    }
    if (!err && len == TEXT_MAX)
        err = td_sim_bad(&l, "larger than %d bytes", TEXT_MAX);
    if (!err)
        err = take_text(&l, text, len);
    if (!err)
        err = complete(&l);
    td_sim_os_init(s);
    if (!err)
        err = start(s);
    free(text);
    if (err)
        td_sim_free(s);
    else
        *out = s;
    return err;
}

void td_sim_free(struct td_sim *s)
{
    if (!s)
        return;
    td_sim_pages_free(s);
    for (size_t i = 0; i < s->nfds; i++)
        free(s->fd[i]);
    free(s->fd);
    for (size_t i = 0; i < s->nworks; i++) {
        free(s->work[i].phase);
        free(s->work[i].built);
    }
    free(s->work);
    while (s->tasks) {
        struct td_sim_task *t = s->tasks;

        s->tasks = t->link;
        free(t->cpus);
        free(t);
    }
    for (unsigned i = 0; i < s->ncpus; i++) {
        free(s->cpu[i].back);
        free(s->cpu[i].bank);
    }
    for (size_t i = 0; i < s->ngroups; i++)
        free(s->group[i].path);
    free(s->group);
    td_sim_msr_free(s);
    free(s->cpuid);
    free(s->happening);
    td_sim_files_free(&s->given);
    td_sim_files_free(&s->made);
    free(s);
}

const struct td_os *td_sim_os(const struct td_sim *s)
{
    return &s->os;
}

void td_sim_calls(const struct td_sim *s, struct td_sim_calls *out)
{
    *out = s->calls;
    out->open_fds = 0;
    for (size_t i = 0; i < s->nfds; i++)
        out->open_fds += s->fd[i] != NULL;
    out->mapped = td_sim_pages_mapped(s);
}
