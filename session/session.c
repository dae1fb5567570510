/* SPDX-License-Identifier: MIT */
/* The handle: made, freed, and its settings. */
#include "session/printed.h"
#include "session/session.h"

#include "backends/find_identity.h"
#include "backends/registry.h"
#include "include/td_run.h"
#include "live/meter.h"
#include "live/source.h"
#include "private/plan.h"
#include "session/solution.h"
#include "formats/unpack.h"
#include "session/open_file.h"
#include "session/to_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct td *td_new(void)
{
    struct td *td = calloc(1, sizeof(*td));
    struct td_recording *recording = td ? calloc(1, sizeof(*recording)) : NULL;

    if (!recording) {
        free(td);
        return NULL;
    }
    *td = (struct td){.regions = &td->closed,
                      .settings = {.fixed = true, .samples = &td->samples},
                      .until = UINT64_MAX,
                      .recording = recording,
                      .source = td_source_find("perf")};
    return td;
}

void td_session_close_file(struct td *td)
{
    if (td->file && td->file->fd >= 0)
        td_os_linux.close(td_os_linux.ctx, td->file->fd);
    free(td->file);
    td->file = NULL;
}

void td_free(struct td *td)
{
    if (!td)
        return;
    td_recording_close(td->recording);
    td_printed_free(td);
    td_session_stop(td);
    td_convert_free(td->convert);
    td_record_free(td->record);
    td_candidates_free(&td->candidates);
    td_sums_free(&td->sums);
    td_unpack_free(td->unpack);
    td_session_close_file(td);
    free(td->name);
    free(td->command);
    td_counts_free(&td->unnamed.counts);
    td_counts_free(&td->bound[0]);
    td_counts_free(&td->bound[1]);
    td_result_free(&td->result);
    td_result_free(&td->other);
    td_merged_free(&td->merged);
    free(td->settings.metrics);
    free(td->settings.labels);
    free(td->samples.root);
    free(td->samples.cache);
    free(td->samples.kallsyms);
    free(td->samples.function);
    free(td->samples.code);
    free(td->samples.code_dso);
    td_counts_free(&td->spread.rest.counts);
    td_counts_free(&td->spread.bound);
    td_result_free(&td->spread.result);
    free(td->spread.parts);
    free(td);
}

const char *td_error(const struct td *td)
{
    return td->log.error;
}

int td_session_too_late(struct td *td)
{
    return td_log_fail(&td->log, -EINVAL, "the handle has been opened already");
}

void td_set_note(struct td *td, td_note_fn *note, void *ctx)
{
    td->log.note = note;
    td->log.note_ctx = ctx;
}

int td_set_uarch(struct td *td, const char *name_or_id)
{
    char why[256];
    int err = td_identity_find(name_or_id, &td->settings.identity, why, sizeof(why));

    return err ? td_log_fail(&td->log, err, "CPU '%.60s': %s", name_or_id, why) : 0;
}

int td_set_smt(struct td *td, const char *state)
{
    static const char *const states[] = {[TD_SMT_UNKNOWN] = "auto", [TD_SMT_ON] = "on", [TD_SMT_OFF] = "off"};

    if (td->opened || td->meter)
        return td_session_too_late(td);
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
        if (!strcmp(states[i], state)) {
            td->settings.smt = (enum td_smt)i;
            return 0;
        }
    return td_log_fail(&td->log, -EINVAL, "SMT is on, off or auto, not '%.60s'", state);
}

int td_set_backend(struct td *td, const char *name)
{
    td->settings.backend = NULL;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; td_backends[i]; i++)
        if (!strcmp(td_backends[i]->name, name)) {
            td->settings.backend = td_backends[i];
            return 0;
        }
    return td_log_fail(&td->log, -EINVAL, "no backend '%.60s'; 'tdprobe list backends' names them", name);
}

int td_set_source(struct td *td, const char *name)
{
    const struct td_source *source = td_source_find(strcmp(name, "auto") ? name : "perf");

    if (td->opened || td->meter)
        return td_log_fail(&td->log, -EINVAL, "the source is set once, before anything is measured");
    if (!strcmp(name, "rdpmc"))
        return td_log_fail(&td->log, -EINVAL,
                           "the source rdpmc measures the calling thread only, from inside a program: "
                           "see td_open_self() in td_regions(3)");
    if (!source)
        return td_log_fail(&td->log, -EINVAL, "the source is auto, perf or msr, not '%.60s'", name);
    td->source = source;
    return 0;
}

void td_set_fixed(struct td *td, bool use_fixed)
{
    td->settings.fixed = td->settings.fixed_tasks = use_fixed;
}

void td_set_watchdog(struct td *td, bool on)
{
    td->watchdog = on;
}

int td_set_level(struct td *td, int level)
{
    if (level < TD_LEVEL_TOP || level > TD_LEVELS)
        return td_log_fail(&td->log, -EINVAL, "the level is %d to %d", TD_LEVEL_TOP, TD_LEVELS);
    td->settings.level = level;
    return 0;
}

void td_unset_level(struct td *td)
{
    td->settings.level = 0;
}

void td_set_flexible(struct td *td)
{
    td->settings.flexible = true;
}

void td_set_group(struct td *td, unsigned group)
{
    td->settings.sampled = td->settings.sampled || group == TD_GROUPS_SAMPLED;
    td->settings.group = group == TD_GROUPS_SAMPLED ? 0 : group;
    if (td->meter)
        td_meter_forget_events(td->meter);
}

/* Whether any CPU has a metric or a group with that name. */
static bool is_known(const char *name, size_t len)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (td_uarch_has_metric(u, name, len))
            return true;
    return false;
}

int td_set_metrics(struct td *td, const char *names)
{
    char *copy = names ? strdup(names) : NULL;
    const char *name;
    bool named = false;
    size_t len;

    if (names && !copy)
        return td_log_no_memory(&td->log);
    for (const char *at = copy; at && td_next_name(&at, &name, &len); named = true)
        if (!is_known(name, len)) {
            const int err =
                td_log_fail(&td->log, -EINVAL,
                            "no CPU has a metric or a group '%.*s'; 'tdprobe list metrics --uarch NAME' lists them",
                            (int)len, name);

            free(copy);
            return err;
        }
    if (copy && !named) {
        free(copy);
        return td_log_fail(&td->log, -EINVAL, "no metric is named");
    }
    free(td->settings.metrics);
    td->settings.metrics = copy;
    return 0;
}

void td_set_intervals(struct td *td, bool wanted)
{
    td->skip_intervals = !wanted;
}
