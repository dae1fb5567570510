/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_samples_parts.h"

#include "samples/wanted.h"
#include "symbols/jit_files.h"
#include "symbols/stores.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool td_perf_samples_are(const struct td_perf_data *p)
{
    for (size_t i = 0; i < p->nevents; i++)
        if (p->event[i].period)
            return true;
    return false;
}

static bool is_metric(const struct td_recording *r, const struct td_perf_data_event *e)
{
    const char *name = r->stream.texts.names[e->text], *slash = strchr(name, '/');

    return !strncasecmp(slash ? slash + 1 : name, "topdown-", strlen("topdown-")) ||
           (e->named == 0 && (e->config & ~UINT64_C(0x700)) == 0x8000);
}

/* Refuses events whose samples do not all have their id in the same place: by that the event of a sample is found. */
static int check_events(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_samples *s = p->samples;
    bool identifier = true, grouped = false;

    s->like = &p->event[0];
    for (size_t i = 0; i < p->nevents; i++) {
        struct td_perf_data_event *e = &p->event[i];

        e->metric = is_metric(r, e);
        grouped = grouped || (e->period && td_perf_reads_group(e));
        identifier = identifier && e->sample_type & TD_SAMPLE_IDENTIFIER;
        if (e->sample_type != s->like->sample_type && !identifier)
            return td_recording_bad(
                r,
                "perf.data: the events' samples have different fields, and no id at one place: record the group alone");
    }
    if (!grouped)
        return td_recording_bad(
            r, "perf.data of 'perf record' whose samples have no readings of a group of top-down events: "
               "'tdprobe perf-command --functions --uarch NAME' prints the perf record -e '{...}:S' that has them");
    if (r->settings->samples->by == TD_SAMPLES_BY_CGROUP && !(s->like->sample_type & TD_SAMPLE_CGROUP))
        return td_recording_bad(
            r, "perf.data whose samples do not say their cgroup: record with perf record --all-cgroups");
    return 0;
}

static void note_limits(struct td_recording *r)
{
    const struct td_perf_data *p = td_perf_data_of(r);
    const struct td_perf_data_event *e = p->event;

    while (!(e->period && td_perf_reads_group(e)))
        e++;
    p->samples->info.times_recorded =
        e->read_format & TD_READ_ENABLED && e->read_format & TD_READ_RUNNING && !(e->flags & TD_ATTR_INHERIT);
    if (e->flags & TD_ATTR_INHERIT)
        td_recording_note(r,
                          "threads inherited the events of each CPU, whose times go on while a thread is on another: "
                          "multiplexing would not be seen");
    else if (!p->samples->info.times_recorded)
        td_recording_note(r,
                          "it was not recorded for how long the events were counted: multiplexing would not be seen; "
                          "perf record --running-time records it");
    if (!(e->sample_type & TD_SAMPLE_TIME))
        td_recording_note(
            r, "the samples have no times, as with perf record --per-thread, which leaves out threads that are started "
               "later: record without it");
    p->samples->info.chains = e->sample_type & TD_SAMPLE_CALLCHAIN;
    if (td_calls_chained(p->samples->calls) && !p->samples->info.chains)
        td_recording_note(
            r, "no call chains were recorded, so that each sample counts for its own function only; perf record -g "
               "records them");
}

static int find_code(struct td_stream *stream, const char *function, struct td_code **out)
{
    const struct td_perf_data *p = td_perf_data_of((struct td_recording *)stream); /* its first member */

    return td_places_code(p->samples->places, function, out);
}

static int new_places(const struct td_samples_wanted *set, const struct td_stores *stores, struct td_perf_samples *s)
{
    s->calls = td_calls_new(set->by, set->chain, set->function, set->code);
    s->places = s->calls ? td_places_new(set->by, stores, set->inlined, td_calls_chained(s->calls)) : NULL;
    if (s->places && set->code && !td_calls_chained(s->calls))
        return td_places_split(s->places, set->code, set->code_dso);
    return s->places ? 0 : -ENOMEM;
}

int td_perf_samples_open(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    struct td_perf_samples *s = p->samples = calloc(1, sizeof(*s));
    const struct td_samples_wanted *wanted = r->settings->samples;
    struct td_stores stores = {
        .root = wanted->root, .cache = wanted->cache, .kallsyms = wanted->kallsyms, .servers = wanted->servers};
    int err;

    if (!s)
        return td_log_no_memory(r->log);
    if (stores.servers && td_servers_missing())
        return td_log_fail(r->log, -ENOTSUP, "debuginfod servers cannot be asked: %s", td_servers_missing());
    if (td_kept_files_new(p->kept.at, p->kept.n, &s->kept))
        return td_log_no_memory(r->log);
    stores.kept = s->kept;
    s->spaces = td_spaces_new();
    if (new_places(wanted, &stores, s))
        return td_log_no_memory(r->log);
    s->courses = td_courses_new();
    s->cgroups = td_cgroups_new();
    s->order = td_perf_order_new();
    s->tasks = true;
    if (!s->spaces || !s->courses || !s->cgroups || !s->order)
        return td_log_no_memory(r->log);
    r->stream.samples = &s->info;
    r->stream.code = find_code;
    err = check_events(r);
    if (!err)
        note_limits(r);
    return err ? err : td_perf_take_build_ids(r);
}

void td_perf_samples_free(struct td_perf_samples *s)
{
    if (!s)
        return;
    td_spaces_free(s->spaces);
    td_calls_free(s->calls);
    td_places_free(s->places);
    td_kept_files_free(s->kept);
    td_courses_free(s->courses);
    td_cgroups_free(s->cgroups);
    td_perf_order_free(s->order);
    td_perf_unpack_free(s->unpack);
    free(s);
}
