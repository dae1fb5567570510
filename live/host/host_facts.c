/* SPDX-License-Identifier: MIT */
/* What identifies the kind of a machine, and nothing that identifies the machine. */
#include "live/host/host.h"

#include "live/host/host_files.h"
#include "util/room.h"
#include "util/text_clean.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices"

enum {
    LINE = 512,
    TEXT = 256,
    CPUS = 128,
    LEAVES = 64, /* of a range; no CPU has more so far */
    SUBLEAVES = 16,
    LEAF_SERIAL_NUMBER = 3, /* of Pentium III (Intel SDM 2A, CPUID) */
    CACHES = 10,
};

struct facts {
    const struct td_host *host;
    void (*each)(void *ctx, const char *line);
    void *ctx;
};

static void say(const struct facts *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const struct facts *f, const char *format, ...)
{
    char line[LINE];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    td_text_clean(line, sizeof(line));
    f->each(f->ctx, line);
}

/* ---- CPUID -------------------------------------------------------------------------------------- */

/* Leaves whose answer depends on ECX: caches, features, counters. Those of the topology tell threads apart by numbers
 * that sysfs has more plainly, and those of other subjects, such as AVX, are of no interest here. */
static bool has_subleaves(uint32_t leaf)
{
    return leaf == 4 || leaf == 7 || leaf == 0x14 || leaf == 0x23 || leaf == 0x8000001d || leaf == 0x80000026;
}

static void say_leaf(const struct facts *f, int cpu, const char *cpus, uint32_t leaf)
{
    const struct td_os *os = f->host->os;
    uint32_t r[4];

    for (uint32_t sub = 0; sub < (has_subleaves(leaf) ? SUBLEAVES : 1); sub++) {
        if (os->cpuid(os->ctx, cpu, leaf, sub, r) || !(r[0] | r[1] | r[2] | r[3]))
            return;
        if (has_subleaves(leaf))
            say(f, "cpuid 0x%x.0x%x = 0x%x 0x%x 0x%x 0x%x%s", leaf, sub, r[0], r[1], r[2], r[3], cpus);
        else
            say(f, "cpuid 0x%x = 0x%x 0x%x 0x%x 0x%x%s", leaf, r[0], r[1], r[2], r[3], cpus);
    }
}

/* All leaves of a range, whose first one has the number of the last. */
static void say_leaves(const struct facts *f, int cpu, const char *cpus, uint32_t first)
{
    const struct td_os *os = f->host->os;
    uint32_t r[4], last;

    if (os->cpuid(os->ctx, cpu, first, 0, r))
        return;
    last = r[0] < first ? first : r[0] - first < LEAVES ? r[0] : first + LEAVES - 1;
    for (uint32_t leaf = first; leaf <= last; leaf++)
        if (leaf != LEAF_SERIAL_NUMBER)
            say_leaf(f, cpu, cpus, leaf);
}

/* Of one CPU of each kind; cpus: " cpus=LIST", or "" where there is one kind. */
static void say_cpuid(const struct facts *f, int cpu, const char *cpus)
{
    say_leaves(f, cpu, cpus, 0);
    if (f->host->guest)
        say_leaves(f, cpu, cpus, 0x40000000);
    say_leaves(f, cpu, cpus, 0x80000000);
}

/* ---- files -------------------------------------------------------------------------------------- */

static void say_file(const struct facts *f, const char *path)
{
    char text[TEXT];

    if (td_host_text(f->host->os, text, sizeof(text), "%s", path))
        say(f, "# %s: %s", path, text);
}

struct file_names {
    char **at;
    size_t n, room;
};

static int keep_name(void *arg, const char *name)
{
    struct file_names *all = arg;

    if (td_room(&all->at, &all->room, all->n + 1, sizeof(*all->at)))
        return -ENOMEM;
    all->at[all->n] = strdup(name);
    return all->at[all->n++] ? 0 : -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x ? *x : "", *y ? *y : "");
}

/* The files in a folder of a PMU. word: what tdprobe-machine(5) calls them; it has none for those of a scale or unit,
 * whose names have a dot. */
static void say_folder(const struct facts *f, const char *pmu, const char *folder, const char *word)
{
    const struct td_os *os = f->host->os;
    struct file_names all = {.n = 0};
    char path[TEXT], text[TEXT];

    snprintf(path, sizeof(path), DEVICES "/%s/%s/", pmu, folder);
    os->names(os->ctx, path, keep_name, &all); /* those that were found */
    if (all.n)
        qsort(all.at, all.n, sizeof(*all.at), by_name);
    for (size_t i = 0; i < all.n; i++) {
        if (all.at[i] && td_host_text(os, text, sizeof(text), DEVICES "/%s/%s/%s", pmu, folder, all.at[i])) {
            if (strchr(all.at[i], '.'))
                say(f, "# " DEVICES "/%s/%s/%s: %s", pmu, folder, all.at[i], text);
            else
                say(f, "%s %s %s = %s", word, pmu, all.at[i], text);
        }
        free(all.at[i]);
    }
    free(all.at);
}

static void say_pmu(const struct facts *f, const char *pmu)
{
    static const char *const files[] = {"type", "cpus", "rdpmc", "perf_event_mux_interval_ms"};
    char path[TEXT];

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, files[i]);
        say_file(f, path);
    }
    say_folder(f, pmu, "format", "format");
    say_folder(f, pmu, "caps", "caps");
    say_folder(f, pmu, "events", "event");
}

static void say_caches(const struct facts *f, int cpu)
{
    static const char *const files[] = {"size", "coherency_line_size", "ways_of_associativity", "shared_cpu_list"};
    char path[TEXT], level[16], type[32], text[TEXT];

    for (int i = 0; i < CACHES; i++) {
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, i);
        if (!td_host_text(f->host->os, level, sizeof(level), "%s/level", path) ||
            !td_host_text(f->host->os, type, sizeof(type), "%s/type", path))
            return;
        for (size_t k = 0; k < sizeof(files) / sizeof(*files); k++)
            if (td_host_text(f->host->os, text, sizeof(text), "%s/%s", path, files[k]))
                say(f, "# cpu%d cache L%s %s %s: %s", cpu, level, type, files[k], text);
    }
}

/* ---- threads of cores ---------------------------------------------------------------------------- */

/* A line for each core that has several: their CPUs. */
static void say_siblings(const struct facts *f)
{
    const struct td_host *h = f->host;

    for (size_t i = 0; i < h->ncpus; i++) {
        char list[CPUS] = "";
        size_t n = 0;

        if (!h->cpus[i].shared || h->cpus[i].sibling != h->cpus[i].cpu)
            continue;
        for (size_t k = i; k < h->ncpus && n < sizeof(list); k++)
            if (h->cpus[k].sibling == h->cpus[i].cpu)
                n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%d", n ? "," : "", h->cpus[k].cpu);
        say(f, "# siblings: %s", list);
    }
}

/* ---- all ---------------------------------------------------------------------------------------- */

/* What is known of one kind of core. pmu: its PMU; NULL: it has none. */
static void say_kind(const struct facts *f, const struct td_host_pmu *pmu)
{
    const int cpu = pmu && pmu->cpus.n ? pmu->cpus.cpu[0] : f->host->ncpus ? f->host->cpus[0].cpu : 0;
    const char *midr = pmu && *pmu->id ? pmu->id : !strncmp(f->host->id, "0x", 2) ? f->host->id : NULL;
    char list[CPUS], cpus[CPUS + 8] = "";

    if (pmu && f->host->npmus > 1) {
        td_cpu_list_text(&pmu->cpus, list, sizeof(list));
        snprintf(cpus, sizeof(cpus), " cpus=%s", list);
    }
    if (midr)
        say(f, "midr %s%s", midr, cpus);
    say_cpuid(f, cpu, cpus);
    if (pmu)
        say_pmu(f, pmu->name);
    say_caches(f, cpu);
}

void td_host_facts(const struct td_host *h, void (*each)(void *ctx, const char *line), void *ctx)
{
    static const char *const files[] = {
        "/proc/sys/kernel/osrelease", /* not /proc/version, which names who built it */
        "/proc/sys/kernel/perf_event_paranoid",
        "/proc/sys/kernel/nmi_watchdog",
        "/proc/sys/kernel/perf_event_mlock_kb",
        "/proc/sys/kernel/perf_cpu_time_max_percent",
        "/sys/devices/system/cpu/online",
        "/sys/devices/system/cpu/smt/control",
        "/sys/devices/system/cpu/cpu0/microcode/version",
    };
    const struct facts f = {h, each, ctx};

    say(&f, "# cpu: %s", *h->id ? h->id : "unknown");
    say(&f, "# name: %s", h->identity.nparts ? h->identity.name : "unknown");
    say(&f, "# hypervisor: %s", h->guest ? h->hypervisor : "none");
    say(&f, "# smt: %s", h->smt ? "on" : h->smt_unknown ? "unknown" : "off");
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        say_file(&f, files[i]);
    say_siblings(&f);
    for (size_t i = 0; i < h->npmus; i++)
        say_kind(&f, &h->pmu[i]);
    if (!h->npmus)
        say_kind(&f, NULL);
}
