/* SPDX-License-Identifier: MIT */
/* perf.data: what the events are called, and which CPU it was. */
#include "core/core_kind.h"
#include "util/number.h"
#include "formats/perf_data/perf_data.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = TD_PERF_NAME_MAX + 128 };

/* PERF_TYPE_* of linux/perf_event.h; with PERF_TYPE_HARDWARE the upper half of
 * config is the PMU of a hybrid (PERF_PMU_TYPE_SHIFT) */
enum { HARDWARE, SOFTWARE, RAW = 4, PMU_SHIFT = 32 };

/* as in perf's own list: event_symbols_hw and event_symbols_sw of tools/perf/util */
static const char *const hardware[] = {
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};
static const char *const software[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

/* The part of a file's list of PMUs that is used: those of the types that events have, by rising type. */
struct pmus {
    struct pmu {
        uint32_t type;
        const char *name; /* len bytes; NULL: the file names none */
        size_t len;
    } of[TD_PERF_EVENTS_MAX];
    size_t n;
};

/* The type of the event's PMU, which on hybrids is in config where type is PERF_TYPE_HARDWARE. */
static uint32_t pmu_type(const struct td_perf_data_event *e)
{
    return e->type == HARDWARE ? (uint32_t)(e->config >> PMU_SHIFT) : e->type;
}

static int by_type(const void *a, const void *b)
{
    const struct pmu *one = a, *other = b;

    return one->type < other->type ? -1 : one->type > other->type;
}

static struct pmu *find_pmu(struct pmus *all, uint32_t type)
{
    const struct pmu wanted = {.type = type};

    return bsearch(&wanted, all->of, all->n, sizeof(*all->of), by_type);
}

/* Finds the types of all events, each once, with the first name that the file has for them. */
static void find_pmus(const struct td_perf_data *p, struct td_perf_view list, struct pmus *out)
{
    uint32_t n, type;
    const char *name;
    size_t len, kept = 0;

    for (out->n = 0; out->n < p->nevents; out->n++)
        out->of[out->n] = (struct pmu){.type = pmu_type(&p->event[out->n])};
    qsort(out->of, out->n, sizeof(*out->of), by_type);
    for (size_t i = 0; i < out->n; i++)
        if (!kept || out->of[i].type != out->of[kept - 1].type)
            out->of[kept++] = out->of[i];
    out->n = kept;
    td_perf_u32(&list, &n);
    while (n-- && td_perf_u32(&list, &type) && td_perf_string(&list, &name, &len)) {
        struct pmu *pmu = find_pmu(out, type);

        if (pmu && !pmu->name)
            *pmu = (struct pmu){type, name, len};
    }
}

static void name_by_attr(const struct td_perf_data_event *e, const char *pmu, char out[NAME_SIZE])
{
    const char *modes = e->flags & TD_PERF_EXCLUDE_KERNEL ? (e->flags & TD_PERF_EXCLUDE_USER ? "" : "u")
                        : e->flags & TD_PERF_EXCLUDE_USER ? "k"
                                                          : "";
    uint64_t generic = e->config & UINT32_MAX;
    const char *colon = *modes ? ":" : "";

    if (e->type == HARDWARE && generic < sizeof(hardware) / sizeof(*hardware))
        snprintf(out, NAME_SIZE, "%s%s%s", hardware[generic], colon, modes);
    else if (e->type == SOFTWARE && e->config < sizeof(software) / sizeof(*software))
        snprintf(out, NAME_SIZE, "%s%s%s", software[e->config], colon, modes);
    else if (e->type == RAW)
        snprintf(out, NAME_SIZE, "r%llx%s%s", (unsigned long long)e->config, colon, modes);
    else if (*pmu)
        snprintf(out, NAME_SIZE, "%s/config=0x%llx/%s", pmu, (unsigned long long)e->config, modes);
    else
        snprintf(out, NAME_SIZE, "type%lu/config=0x%llx/%s", (unsigned long)e->type, (unsigned long long)e->config,
                 modes);
}

/* Completes a name that leaves the kind of core open by the PMU: "cpu_core/slots/u". */
static void add_pmu(const char *pmu, char name[NAME_SIZE])
{
    char plain[NAME_SIZE], *colon;

    if (!td_core_of_pmu(pmu) || strchr(name, '/'))
        return;
    snprintf(plain, sizeof(plain), "%.*s", TD_PERF_NAME_MAX, name);
    colon = strrchr(plain, ':');
    if (colon && strspn(colon + 1, "ukhGHpPSDWbeIR") == strlen(colon + 1))
        *colon++ = '\0';
    else
        colon = NULL;
    snprintf(name, NAME_SIZE, "%.60s/%.*s/%.10s", pmu, TD_PERF_NAME_MAX, plain, colon ? colon : "");
}

static int name_event(struct td_recording *r, struct td_perf_data_event *e, const char *said, size_t len,
                      struct pmus *pmus)
{
    const struct pmu *of = find_pmu(pmus, pmu_type(e));
    char pmu[64] = "", name[NAME_SIZE];

    if (of && of->name && (e->type != HARDWARE || e->config >> PMU_SHIFT))
        snprintf(pmu, sizeof(pmu), "%.*s", (int)(of->len < sizeof(pmu) ? of->len : sizeof(pmu)), of->name);
    e->named = len > 0;
    if (e->named)
        snprintf(name, sizeof(name), "%.*s", (int)(len < TD_PERF_NAME_MAX ? len : TD_PERF_NAME_MAX), said);
    else
        name_by_attr(e, pmu, name);
    add_pmu(pmu, name);
    e->text = td_recording_text(r, name, strlen(name));
    return e->text < 0 ? e->text : 0;
}

/* The next event of HEADER_EVENT_DESC: perf_event_attr, number of ids, name, ids. */
static bool next_desc(struct td_perf_view *desc, uint32_t attr_size, const struct td_perf_data_event *e,
                      const char **name, size_t *len)
{
    struct td_perf_view attr, ids;
    uint32_t nids, type, ignored;
    uint64_t config;
    bool good = td_perf_part(desc, attr_size, &attr) && td_perf_u32(desc, &nids) && td_perf_string(desc, name, len) &&
                td_perf_part(desc, (uint64_t)nids * 8, &ids);

    return good && td_perf_u32(&attr, &type) && td_perf_u32(&attr, &ignored) && td_perf_u64(&attr, &config) &&
           type == e->type && config == e->config;
}

int td_perf_data_names(struct td_recording *r, struct td_perf_view desc, struct td_perf_view pmus)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint32_t n, attr_size = 0;
    bool same = td_perf_u32(&desc, &n) && td_perf_u32(&desc, &attr_size) && n == p->nevents;
    struct pmus *all = malloc(sizeof(*all));
    int err = 0;

    if (!all)
        return td_log_no_memory(r->log);
    find_pmus(p, pmus, all);
    for (size_t i = 0; i < p->nevents && !err; i++) {
        const char *name = "";
        size_t len = 0;

        same = same && next_desc(&desc, attr_size, &p->event[i], &name, &len);
        err = name_event(r, &p->event[i], name, same ? len : 0, all);
    }
    free(all);
    return err;
}

enum { UPDATE_SCALE = 1, UPDATE_NAME }; /* of enum perf_event_update_type */

static int take_scale(struct td_recording *r, struct td_perf_view v, struct td_perf_data_event *e)
{
    uint64_t bits;
    double scale;

    td_perf_u64(&v, &bits);
    memcpy(&scale, &bits, sizeof(scale));
    if (!isfinite(scale) || scale <= 0)
        return td_recording_bad(r, "perf.data: the scale of an event is not a number above 0");
    e->scale = scale;
    return 0;
}

static int take_name(struct td_recording *r, struct td_perf_view v, struct td_perf_data_event *e)
{
    const unsigned char *end = v.n ? memchr(v.at, '\0', v.n) : NULL;
    size_t len = end ? (size_t)(end - v.at) : v.n;

    if (e->named || !len)
        return 0;
    e->text = td_recording_text(r, (const char *)v.at, len < TD_PERF_NAME_MAX ? len : TD_PERF_NAME_MAX);
    return e->text < 0 ? e->text : 0;
}

int td_perf_data_update(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    const struct td_perf_counter *c;
    uint64_t what, id;

    if (!td_perf_u64(&v, &what) || !td_perf_u64(&v, &id) || !(c = td_perf_data_find(p, id)))
        return 0; /* for an event that could not be counted */
    if (what == UPDATE_SCALE)
        return take_scale(r, v, &p->event[c->event]);
    return what == UPDATE_NAME ? take_name(r, v, &p->event[c->event]) : 0;
}

/* perf's "GenuineIntel,6,143,8" is decimal; the rest of tdprobe (and perf's own
 * tables) write GenuineIntel-6-8F-8. Arm's MIDR is the same in both. */
static void x86_id(const char *text, char *id, size_t size)
{
    const size_t vendor = strcspn(text, ",");
    const char *at = text + vendor;
    uint64_t part[3] = {0};

    snprintf(id, size, "%s", text);
    if (strncmp(text, "GenuineIntel,", vendor + 1) && strncmp(text, "AuthenticAMD,", vendor + 1))
        return;
    for (size_t i = 0; i < 3; i++) {
        size_t len = *at ? strcspn(at + 1, ",") : 0;

        if (!len || td_number_u64(at + 1, len, &part[i]))
            return;
        at += 1 + len;
    }
    snprintf(id, size, "%.*s-%llu-%llX-%llX", (int)vendor, text, (unsigned long long)part[0],
             (unsigned long long)part[1], (unsigned long long)part[2]);
}

/* Most versions of perf clear variant and revision in Arm's id before they write it. */
static void assume_revision(const char *id, struct td_identity *m)
{
    uint64_t midr;

    if (td_number_hex(id, strlen(id), &midr) || midr & 0xf0000f)
        return;
    for (size_t i = 0; i < m->nparts; i++)
        if (m->part[i]->unrevised)
            m->flags |= TD_FLAG_REVISION_ASSUMED;
}

int td_perf_data_cpuid(struct td_recording *r, struct td_perf_view cpuid)
{
    enum { ROOM = 80 };
    char text[ROOM], id[ROOM];
    const char *at;
    size_t len;
    int err;

    if (!td_perf_string(&cpuid, &at, &len) || !len)
        return 0;
    snprintf(text, sizeof(text), "%.*s", (int)(len < ROOM ? len : ROOM), at);
    x86_id(text, id, sizeof(id));
    err = td_recording_cpu(r, id);
    if (!err && !r->settings->identity.nparts)
        assume_revision(id, &r->stream.identity);
    return err;
}
