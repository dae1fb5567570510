/* SPDX-License-Identifier: MIT */
/* Makes a simulated machine from a description: its lines, by their keywords. */
#include "sim/describe/description.h"
#include "sim/describe/keywords.h"

#include "util/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, TEXT_MAX = 1 << 20 };

static const char magic[] = "# tdprobe-machine:";

static const struct {
    const char *name;
    td_keyword_fn *take;
} keywords[] = {
    {"absent", td_keyword_absent},     {"caps", td_keyword_caps},         {"cgroup", td_keyword_cgroup},
    {"command", td_keyword_command},   {"count", td_keyword_count},       {"cpuid", td_keyword_cpuid},
    {"cpus", td_keyword_cpus},         {"event", td_keyword_event},       {"file", td_keyword_file},
    {"format", td_keyword_format},     {"hotplug", td_keyword_hotplug},   {"lie", td_keyword_lie},
    {"midr", td_keyword_midr},         {"msr", td_keyword_msr},           {"paranoid", td_keyword_paranoid},
    {"phase", td_keyword_phase},       {"pmu", td_keyword_pmu},           {"privileged", td_keyword_privileged},
    {"refuse", td_keyword_refuse},     {"rival", td_keyword_rival},       {"run", td_keyword_run},
    {"sampling", td_keyword_sampling}, {"signal", td_keyword_signal},     {"spin", td_keyword_spin},
    {"start", td_keyword_start},       {"task", td_keyword_task},         {"tsc", td_keyword_tsc},
    {"watchdog", td_keyword_watchdog}, {"workload", td_keyword_workload},
};

/* Reads everything, and ends it with NUL. */
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

static int take_line(struct td_description *d, char *text)
{
    char *equal;
    int err;

    d->n = 0;
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return 0;
    if (strncmp(text, "file ", 5) && (equal = strstr(text, " #")) != NULL)
        *equal = '\0';
    equal = strstr(text, " = ");
    d->tail = equal ? equal + 3 + strspn(equal + 3, " \t") : NULL;
    if (equal)
        *equal = '\0';
    err = td_description_words(d, text);
    for (size_t i = 0; !err && i < sizeof(keywords) / sizeof(*keywords); i++)
        if (!strcmp(keywords[i].name, d->word[0])) {
            err = keywords[i].take(d);
            return err ? err : td_description_unused(d);
        }
    return err ? err : td_description_bad(d, "unknown keyword '%.40s': see tdprobe-machine(5)", d->word[0]);
}

static int first_line(struct td_description *d, const char *text)
{
    const char *value = text + strlen(magic);
    uint64_t version;

    if (strncmp(text, magic, strlen(magic)))
        return td_description_bad(d, "not a machine: the first line is not '%s %d'", magic, FORMAT);
    value += strspn(value, " ");
    if (td_number_u64(value, strlen(value), &version) || version != FORMAT)
        return td_description_bad(d, "version '%.20s' of the format; this tdprobe reads version %d", value, FORMAT);
    return 0;
}

static int take_text(struct td_description *d, char *text, size_t len)
{
    char *end = text + len;
    int err = 0;

    while (!err && text < end) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t n = stop ? (size_t)(stop - text) : (size_t)(end - text);

        d->number++;
        if (memchr(text, '\0', n))
            return td_description_bad(d, "a NUL byte");
        if (!stop)
            return td_description_bad(d, "the last line does not end: the file was cut off");
        text[n] = '\0';
        if (n && text[n - 1] == '\r')
            text[n - 1] = '\0';
        err = d->number == 1 ? first_line(d, text) : take_line(d, text);
        text = stop + 1;
    }
    return err;
}

static int check_complete(struct td_description *d)
{
    const struct td_sim_hw *hw = &d->sim->hw;

    if (!d->number)
        return td_description_bad(d, "the file is empty");
    if (!hw->existing)
        return td_description_bad(d, "no 'cpus' line");
    for (size_t i = 0; i < hw->works.n; i++)
        if (!hw->works.work[i].nphases)
            return td_description_bad(d, "the workload %s has no phase", hw->works.work[i].name);
    return 0;
}

static int read_description(struct td_description *d, td_read_fn *read, void *ctx)
{
    char *text = NULL;
    size_t len;
    int err = read_text(read, ctx, &text, &len);

    if (!err && len == TEXT_MAX)
        err = td_description_bad(d, "larger than %d bytes", TEXT_MAX);
    if (!err)
        err = take_text(d, text, len);
    free(text);
    return err ? err : check_complete(d);
}

int td_sim_new(const char *name, td_read_fn *read, void *ctx, struct td_sim **out, char *why, size_t whysize)
{
    struct td_description d = {.sim = td_sim_empty(), .name = name, .why = why, .whysize = whysize};
    int err;

    if (whysize)
        *why = '\0';
    if (!d.sim)
        return -ENOMEM;
    err = read_description(&d, read, ctx);
    if (!err)
        err = td_sim_begin(d.sim);
    if (err)
        td_sim_free(d.sim);
    else
        *out = d.sim;
    return err;
}
