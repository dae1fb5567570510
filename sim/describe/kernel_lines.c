/* SPDX-License-Identifier: MIT */
/* The lines of a description about what the kernel shows, allows and refuses. */
#include "sim/describe/description.h"
#include "sim/describe/keywords.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---------------------------------------------------------------------- */

/* Replaces \n, \t and \\. */
static int unescape(struct td_description *d, char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text != '\\') {
            *to++ = *text;
            continue;
        }
        text++;
        if (*text != 'n' && *text != 't' && *text != '\\')
            return td_description_bad(d, "a '\\' that is not of \\n, \\t or \\\\");
        *to++ = *text == 'n' ? '\n' : *text == 't' ? '\t' : '\\';
    }
    *to = '\0';
    return 0;
}

int td_keyword_file(struct td_description *d)
{
    const char *path = td_description_word(d, 1);
    int err;

    if (!path || *path != '/' || !d->tail)
        return td_description_bad(d, "not 'file /PATH = text'");
    err = unescape(d, d->tail);
    return err ? err : td_sim_file_put(&d->sim->sysfs.given, path, d->tail);
}

int td_keyword_absent(struct td_description *d)
{
    const char *path = td_description_word(d, 1);

    if (!path || *path != '/')
        return td_description_bad(d, "not 'absent /PATH'");
    return td_sim_file_hide(&d->sim->sysfs.given, path);
}

/* A file below the PMU's folder in sysfs. */
static int pmu_file(struct td_description *d, const char *folder, const char *suffix, const char *text)
{
    const struct td_sim_pmu *p = td_description_pmu(d);
    const char *name = td_description_word(d, 2);
    char *line;
    int err;

    if (!p)
        return -EBADMSG;
    if (!name || strchr(name, '/') || !text)
        return td_description_bad(d, "not '%s PMU NAME = text'", d->word[0]);
    if (asprintf(&line, "%s\n", text) < 0)
        return -ENOMEM;
    err = td_sim_file_format(&d->sim->sysfs.given, line, "/sys/bus/event_source/devices/%s/%s/%s%s", p->name, folder,
                             name, suffix);
    free(line);
    return err;
}

int td_keyword_event(struct td_description *d)
{
    const char *text = NULL, *scale = NULL;
    int err;

    if (d->tail) {
        size_t at = d->n;

        if (td_description_words(d, d->tail))
            return -EBADMSG;
        text = td_description_word(d, at);
        scale = td_description_value(d, "scale");
    }
    err = pmu_file(d, "events", "", text);
    return err || !scale ? err : pmu_file(d, "events", ".scale", scale);
}

int td_keyword_format(struct td_description *d)
{
    return pmu_file(d, "format", "", d->tail);
}

int td_keyword_caps(struct td_description *d)
{
    return pmu_file(d, "caps", "", d->tail);
}

/* ---- permissions ------------------------------------------------------------------ */

int td_keyword_privileged(struct td_description *d)
{
    const char *word = td_description_word(d, 1);

    if (!word || (strcmp(word, "yes") && strcmp(word, "no") && strcmp(word, "perfmon")))
        return td_description_bad(d, "'%.40s' is not yes, no or perfmon", word ? word : "");
    d->sim->privileged = !strcmp(word, "yes");
    d->sim->perfmon = !strcmp(word, "perfmon");
    return 0;
}

int td_keyword_paranoid(struct td_description *d)
{
    return td_description_either(d, 1, "mainline", "debian", &d->sim->mainline);
}

int td_keyword_tsc(struct td_description *d)
{
    return td_description_number_of(d, "tsc", td_description_word(d, 1), 1000000, UINT64_C(100000000000), &d->sim->tsc);
}

/* A value that can only be "no": whether it is there, or -errno. */
static int is_no(struct td_description *d, const char *name)
{
    const char *value = td_description_value(d, name);

    if (value && strcmp(value, "no"))
        return td_description_bad(d, "'%s=%.40s' is not %s=no", name, value, name);
    return value != NULL;
}

int td_keyword_sampling(struct td_description *d)
{
    const int inherit = is_no(d, "inherit"), switches = inherit < 0 ? inherit : is_no(d, "switches");
    int err;

    if (d->n == 1)
        return td_description_bad(d, "not 'sampling cost=NS handler=SLOTS inherit=no switches=no'");
    if (switches < 0)
        return switches;
    d->sim->opening.no_inherited_read |= inherit > 0;
    d->sim->opening.no_switches |= switches > 0;
    err = td_description_number(d, "cost", 0, 1000000, &d->sim->cost);
    return err ? err : td_description_number(d, "handler", 1, 1000000, &d->sim->handler);
}

int td_keyword_watchdog(struct td_description *d)
{
    return td_description_either(d, 1, "on", "off", &d->sim->watchdog.on);
}

int td_keyword_refuse(struct td_description *d)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EPERM", EPERM},   {"EACCES", EACCES}, {"ENOSYS", ENOSYS},
                  {"EMFILE", EMFILE}, {"EBUSY", EBUSY},   {"EOPNOTSUPP", EOPNOTSUPP}};
    const char *name = td_description_word(d, 1);

    for (size_t i = 0; name && i < sizeof(errors) / sizeof(*errors); i++)
        if (!strcmp(errors[i].name, name)) {
            d->sim->opening.refuse = errors[i].number;
            return 0;
        }
    return td_description_bad(d, "'%.40s' is not EPERM, EACCES, ENOSYS, EMFILE, EBUSY or EOPNOTSUPP", name ? name : "");
}

/* ---- registers -------------------------------------------------------------------- */

static int preset_of(struct td_description *d, struct td_sim_preset *p)
{
    uint64_t reg = 0;
    int err = td_description_number_of(d, "the register", td_description_word(d, 1), 0, UINT32_MAX, &reg);

    p->reg = (uint32_t)reg;
    if (!err)
        err = td_description_cpu_set(d, &p->cpus);
    return err ? err : td_description_number_of(d, "the value", d->tail, 0, UINT64_MAX, &p->value);
}

static int add_preset(struct td_description *d)
{
    struct td_sim_hw *hw = &d->sim->hw;
    struct td_sim_preset p = {.reg = 0}, *more;
    int err = preset_of(d, &p);

    more = err ? NULL : td_sim_grow(hw->preset, hw->npresets, sizeof(*more));
    if (!more) {
        td_cpu_set_free(&p.cpus);
        return err ? err : -ENOMEM;
    }
    hw->preset = more;
    more[hw->npresets++] = p;
    return 0;
}

int td_keyword_msr(struct td_description *d)
{
    const char *what = d->n > 1 ? d->word[1] : "";
    uint64_t ms = 0;
    int err;

    if (d->tail)
        return add_preset(d);
    td_description_word(d, 1);
    if (!strcmp(what, "absent")) {
        d->sim->msrs.absent = true;
        return 0;
    }
    if (strcmp(what, "locked"))
        return td_description_bad(d, "not 'msr absent', 'msr locked' or 'msr REGISTER = VALUE'");
    err = td_description_number(d, "at", 0, 1000000000, &ms);
    d->sim->msrs.locked = ms * TD_SIM_MSEC;
    return err;
}
