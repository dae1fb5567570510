/* SPDX-License-Identifier: MIT */
#include "live/sampling/features.h"

#include "include/tdprobe.h"
#include "live/host/host_files.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUILD_ID = 2,
    HOSTNAME = 3,
    OSRELEASE = 4,
    PERF_VERSION = 5,
    ARCH = 6,
    NRCPUS = 7,
    CPUDESC = 8,
    CPUID = 9,
    CMDLINE = 11,
    EVENT_DESC = 12,
    PMU_MAPPINGS = 16,
    GROUP_DESC = 17
};
enum { FILE_AT_MMAP = 40, FILE_AT_MMAP2 = 72, HAS_SIZE = 1 << 15, ID_FIELD = 24, TRAILER = 32 };

static const char kernel_name[] = "[kernel.kallsyms]";

/* ---- executed files -------------------------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

int td_images_take(struct td_images *x, const struct perf_event_header *h)
{
    const size_t at = h->type == PERF_RECORD_MMAP ? FILE_AT_MMAP : FILE_AT_MMAP2;
    char *path;

    if ((h->type != PERF_RECORD_MMAP && h->type != PERF_RECORD_MMAP2) || h->size <= at + TRAILER)
        return 0;
    path = strndup((const char *)h + at, h->size - at - TRAILER);
    if (!path)
        return -ENOMEM;
    x->kernel = x->kernel || *path == '[';
    if (*path != '/' || path[1] == '/' || tfind(path, &x->tree, by_path)) {
        free(path);
        return 0;
    }
    if (tsearch(path, &x->tree, by_path))
        return 0;
    free(path);
    return -ENOMEM;
}

void td_images_free(struct td_images *x)
{
    tdestroy(x->tree, free);
    x->tree = NULL;
}

/* Adds a build_id_event of perf: its header, the pid (-1: the host), the id and the file. */
static void put_build_id(struct td_data_bytes *b, uint16_t mode, const struct td_build_id *id, const char *path)
{
    static const char zeros[64];
    const size_t n = strlen(path) + 1, size = (n + 63) / 64 * 64;
    const struct perf_event_header h = {.misc = (uint16_t)(mode | HAS_SIZE),
                                        .size = (uint16_t)(sizeof(h) + 4 + ID_FIELD + size)};
    unsigned char field[ID_FIELD] = {0};

    memcpy(field, id->at, id->n);
    field[20] = (unsigned char)id->n;
    td_data_put(b, &h, sizeof(h));
    td_data_put32(b, UINT32_MAX);
    td_data_put(b, field, sizeof(field));
    td_data_put(b, path, n);
    td_data_put(b, zeros, size - n);
}

struct build_ids {
    const struct td_os *os;
    struct td_data_bytes *out;
};

static void put_image(const void *node, VISIT when, void *arg)
{
    const char *path = *(const char *const *)node;
    const struct build_ids *x = arg;
    struct td_build_id id;

    if ((when == preorder || when == leaf) && strlen(path) < 4000 && td_build_id_of_file(x->os, path, &id))
        put_build_id(x->out, PERF_RECORD_MISC_USER, &id, path);
}

static void put_build_ids(const struct td_os *os, const struct td_images *x, struct td_data_bytes *b)
{
    struct build_ids all = {os, b};
    struct td_build_id id;

    if (x->kernel && td_build_id_of_kernel(os, &id))
        put_build_id(b, PERF_RECORD_MISC_KERNEL, &id, kernel_name);
    twalk_r(x->tree, put_image, &all);
}

/* ---- the machine ---------------------------------------------------------------------------------------- */

static void put_file(const struct td_os *os, const char *path, struct td_data_bytes *b)
{
    char text[256];

    if (td_host_text(os, text, sizeof(text), "%s", path))
        td_data_put_text(b, text);
}

/* perf's CPUID on x86 is decimal: "GenuineIntel,6,143,8". */
static void put_cpuid(const struct td_host *h, struct td_data_bytes *b)
{
    const size_t vendor = strcspn(h->id, "-");
    unsigned long family, model, stepping;
    char text[96], *at;

    if (!h->id[vendor]) { /* Arm's */
        if (*h->id)
            td_data_put_text(b, h->id);
        return;
    }
    family = strtoul(h->id + vendor + 1, &at, 10);
    model = *at ? strtoul(at + 1, &at, 16) : 0;
    stepping = *at ? strtoul(at + 1, &at, 16) : 0;
    snprintf(text, sizeof(text), "%.*s,%lu,%lu,%lu", (int)vendor, h->id, family, model, stepping);
    td_data_put_text(b, text);
}

static const char *architecture(void)
{
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#else
    return "unknown";
#endif
}

static void put_command(const char *const *words, struct td_data_bytes *b)
{
    uint32_t n = 0;

    while (words && words[n])
        n++;
    if (n)
        td_data_put32(b, n);
    for (uint32_t i = 0; i < n; i++)
        td_data_put_text(b, words[i]);
}

static void put_events(const struct td_data_file *f, struct td_data_bytes *b)
{
    td_data_put32(b, (uint32_t)f->nevents);
    td_data_put32(b, sizeof(struct perf_event_attr));
    for (size_t i = 0; i < f->nevents; i++) {
        const struct td_data_event *e = &f->event[i];

        td_data_put(b, e->attr, sizeof(*e->attr));
        td_data_put32(b, (uint32_t)e->nids);
        td_data_put_text(b, e->name);
        td_data_put(b, e->id, e->nids * 8);
    }
}

static void put_groups(const struct td_data_file *f, struct td_data_bytes *b)
{
    uint32_t n = 0;

    for (size_t i = 0; i < f->nevents; i++)
        n += f->event[i].members > 0;
    td_data_put32(b, n);
    for (size_t i = 0; i < f->nevents; i++)
        if (f->event[i].members) {
            td_data_put_text(b, "{anon_group}");
            td_data_put32(b, f->event[i].leader);
            td_data_put32(b, f->event[i].members);
        }
}

static void put_pmus(const struct td_meter *m, struct td_data_bytes *b)
{
    td_data_put32(b, (uint32_t)m->npmus);
    for (size_t i = 0; i < m->npmus; i++) {
        td_data_put32(b, m->pmu[i].host->type);
        td_data_put_text(b, m->pmu[i].host->name);
    }
}

void td_features_make(const struct td_meter *m, const struct td_data_file *f, const struct td_images *x,
                      const char *const *command, struct td_data_bytes feature[TD_DATA_FEATURES])
{
    const struct td_os *os = m->ask.os;
    char version[64];

    put_build_ids(os, x, &feature[BUILD_ID]);
    if (*m->host.name)
        td_data_put_text(&feature[HOSTNAME], m->host.name);
    put_file(os, "/proc/sys/kernel/osrelease", &feature[OSRELEASE]);
    snprintf(version, sizeof(version), "tdprobe %s", td_version());
    td_data_put_text(&feature[PERF_VERSION], version);
    td_data_put_text(&feature[ARCH], architecture());
    td_data_put32(&feature[NRCPUS], (uint32_t)m->host.ncpus);
    td_data_put32(&feature[NRCPUS], (uint32_t)m->host.ncpus);
    put_cpuid(&m->host, &feature[CPUID]);
    put_command(command, &feature[CMDLINE]);
    put_events(f, &feature[EVENT_DESC]);
    put_pmus(m, &feature[PMU_MAPPINGS]);
    put_groups(f, &feature[GROUP_DESC]);
}
