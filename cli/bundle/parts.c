/* SPDX-License-Identifier: MIT */
/* Names in an archive are only looked at: no file is made or opened by them. */
#include "cli/bundle/parts.h"

#include "cli/bundle/bundle.h"
#include "cli/cli.h"
#include "private/result.h"
#include "report/tar.h"
#include "util/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS_MOST = 1000, MESSAGES_MOST = 10, LINE = 128 };

struct part_search {
    const struct cli_input *in;
    struct cli_parts *to;
    size_t left_out; /* after a message, or where there were too many of them */
    int code;
};

static void leave_out(struct part_search *f, const struct td_tar_entry *e, const char *why)
{
    if (f->left_out++ < MESSAGES_MOST)
        cli_say("%s: '%.200s' is left out: %s", f->in->name, e->name, why);
}

/* ---- names -------------------------------------------------------------------------------------- */

/* Whether a name leads out of the folder that it is unpacked into, as none needs that is a bundle's. */
static bool leads_out(const char *name)
{
    bool out = *name == '/' || !*name;

    for (const char *at = name; at && !out; at = strchr(at, '/')) {
        at += *at == '/';
        out = !strncmp(at, "..", 2) && (!at[2] || at[2] == '/');
    }
    return out;
}

/* The name without the folder that all of a bundle is in. */
static const char *within(const char *name)
{
    const char *slash;

    while (!strncmp(name, "./", 2))
        name += 2;
    if (!strncmp(name, CLI_BUNDLE_TRACES, strlen(CLI_BUNDLE_TRACES)))
        return name;
    slash = strchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool is_recording(const char *name)
{
    const size_t n = strlen(CLI_BUNDLE_TRACES);

    return !strncmp(name, CLI_BUNDLE_TRACES, n) && name[n] && !strchr(name + n, '/');
}

/* ---- entries ------------------------------------------------------------------------------------ */

/* The CPU by the first line of the file "machine": "# cpu: GenuineIntel-6-8F-8". */
static void take_cpu(struct part_search *f, const struct td_tar_entry *e)
{
    static const char key[] = "# cpu: ";
    char line[LINE];
    const size_t most = e->size < LINE - 1 ? (size_t)e->size : LINE - 1;
    const ssize_t n = pread(f->in->fd, line, most, (off_t)e->at);

    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (!strncmp(line, key, strlen(key)))
        snprintf(f->to->cpu, sizeof(f->to->cpu), "%.*s", (int)sizeof(f->to->cpu) - 1, line + strlen(key));
}

/* A copy that is safe to print, of n bytes and their escapes. */
static char *copy(const char *text, size_t n)
{
    const size_t size = 4 * n + 1;
    char *made = malloc(size);

    if (!made)
        return NULL;
    snprintf(made, n + 1, "%s", text);
    return td_printable(made, size);
}

static int add(struct part_search *f, const struct td_tar_entry *e, const char *name)
{
    const char *base = name + strlen(CLI_BUNDLE_TRACES), *dot = strrchr(base, '.');
    struct cli_parts *p = f->to;
    struct cli_part *part;

    if (td_room(&p->part, &p->room, p->n + 1, sizeof(*p->part)))
        return cli_no_memory();
    part = &p->part[p->n++];
    *part = (struct cli_part){.name = copy(name, strlen(name)),
                              .label = copy(base, dot && dot > base ? (size_t)(dot - base) : strlen(base)),
                              .at = e->at,
                              .size = e->size};
    return part->name && part->label ? 0 : cli_no_memory();
}

static bool has(const struct cli_parts *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->part[i].name, name))
            return true;
    return false;
}

static int take_entry(void *search, const struct td_tar_entry *e)
{
    struct part_search *f = search;
    const char *name = within(e->name);

    if (e->kind == TD_TAR_FOLDER || e->kind == TD_TAR_EXTENSION)
        return 0;
    if (e->kind == TD_TAR_OTHER)
        leave_out(f, e, "it is a link or a device, no file");
    else if (leads_out(e->name))
        leave_out(f, e, "its name leads out of the bundle");
    else if (!strcmp(name, CLI_BUNDLE_MACHINE))
        take_cpu(f, e);
    else if (is_recording(name) && has(f->to, name))
        leave_out(f, e, "the bundle has another of that name");
    else if (is_recording(name) && f->to->n == PARTS_MOST)
        leave_out(f, e, "the bundle has too many recordings");
    else if (is_recording(name))
        f->code = add(f, e, name);
    return f->code;
}

int cli_parts_find(const struct cli_input *in, struct cli_parts *out)
{
    struct part_search f = {.in = in, .to = out};
    char why[TD_TAR_WHY];
    int err;

    *out = (struct cli_parts){.n = 0};
    err = td_tar_read(in->fd, in->part.at, in->part.end, take_entry, &f, why);
    if (err && !f.code) {
        cli_say("%s: is no whole bundle: %s", in->name, why);
        f.code = EXIT_INPUT;
    }
    if (f.left_out > MESSAGES_MOST)
        cli_say("%s: %zu more are left out", in->name, f.left_out - MESSAGES_MOST);
    if (!f.code && !out->n) {
        cli_say("%s: is an archive without recordings, which a bundle has in its folder traces; 'tar -tf' lists it",
                in->name);
        f.code = EXIT_INPUT;
    }
    if (f.code)
        cli_parts_free(out);
    return f.code;
}

void cli_parts_free(struct cli_parts *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free(p->part[i].name);
        free(p->part[i].label);
    }
    free(p->part);
    *p = (struct cli_parts){.n = 0};
}

struct cli_input cli_parts_input(const struct cli_input *bundle, const struct cli_part *p, char name[static 512])
{
    struct cli_input in = {.fd = bundle->fd, .name = name, .size = p->size};

    snprintf(name, 512, "%.250s:%.250s", bundle->name, p->name);
    in.part.at = in.part.begin = p->at;
    in.part.end = p->at + p->size;
    return in;
}
