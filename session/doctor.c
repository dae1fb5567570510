/* SPDX-License-Identifier: MIT */
/* The API of the doctor, which measures with the meter of the handle. */
#include "include/td_regions.h"
#include "include/td_sampling.h"
#include "live/doctor/doctor.h"
#include "live/latency/latencies.h"
#include "live/sampling/recorder.h"
#include "session/machine.h"

#include <stdio.h>
#include <string.h>

/* Another handle on the same machine, to try something with. NULL: out of memory. */
static struct td *alike(const struct td *td, const struct td_doctor *d)
{
    struct td *own = td_new();

    if (!own)
        return NULL;
    own->os = d->meter->ask.os;
    own->settings.identity = td->settings.identity;
    own->settings.backend = td->settings.backend;
    return own;
}

/* Whether a program could measure itself: tried with a handle that does. */
static void see_rdpmc(const struct td *td, struct td_doctor *d)
{
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0};
    struct td *own = alike(td, d);
    int err;

    if (!own)
        return;
    err = td_open_self(own, &ask);
    td_doctor_say(d, err ? TD_FINDING_NOTE : TD_FINDING_OK, "source", NULL, "rdpmc: %s",
                  err ? td_error(own) : "usable by programs that measure themselves (td_regions(3))");
    td_free(own);
}

static int write_nothing(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    (void)ctx;
    (void)at;
    (void)bytes;
    (void)n;
    return 0;
}

static void keep_note(void *ctx, const char *text)
{
    snprintf(ctx, TD_LOG_TEXT, "%s", text);
}

/* Whether functions can be sampled: tried with the calling thread. */
static void see_sampling(const struct td *td, struct td_doctor *d)
{
    static const pid_t self = 0;
    const struct td_live what = {.size = sizeof(struct td_live), .tasks = &self, .ntasks = 1};
    struct td_sampling_info info = {.size = sizeof(info)};
    char note[TD_LOG_TEXT] = "";
    struct td *own = alike(td, d);
    bool turns;
    int err;

    if (!own)
        return;
    td_set_note(own, keep_note, note);
    err = td_sampling_open(own, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, write_nothing,
                           NULL);
    td_sampling_about(own, &info);
    turns = !err && own->recorder->how.turns;
    if (err)
        td_doctor_say(d, TD_FINDING_NOTE, "sampling", NULL, "record --functions: %s", td_error(own));
    else
        td_doctor_say(d, TD_FINDING_OK, "sampling", NULL, "record --functions: can take %s%s%s",
                      turns        ? note
                      : info.pairs ? "pairs of samples"
                                   : "single samples, by the formulas' own cycles",
                      *note && !turns ? ", " : "", turns ? "" : note);
    td_free(own);
}

static void keep_first(void *ctx, const char *text)
{
    if (!*(char *)ctx && !strncmp(text, "retire latencies", strlen("retire latencies")))
        keep_note(ctx, text);
}

/* Whether retire latencies can be sampled, where metrics of the CPU need them: tried with the calling thread. */
static void see_latencies(const struct td *td, struct td_doctor *d)
{
    static const pid_t self = 0;
    const struct td_live what = {
        .size = sizeof(struct td_live), .tasks = &self, .ntasks = 1, .no_inherit = true, .disabled = true};
    char note[TD_LOG_TEXT] = "";
    struct td *own = alike(td, d);
    bool any;

    if (!own)
        return;
    td_set_note(own, keep_first, note);
    if (!td_set_metrics(own, "all") && !td_open_live(own, &what)) {
        any = td_latencies_any(own->meter);
        if (any || *note)
            td_doctor_say(d, any ? TD_FINDING_OK : TD_FINDING_NOTE, "sampling", NULL, "%s",
                          any ? "retire latencies: can be sampled (Linux 6.3 and later have them in samples)" : note);
    }
    td_free(own);
}

int td_doctor(struct td *td, td_finding_fn *each, void *ctx)
{
    struct td_doctor d = {.each = each, .ctx = ctx};
    char kept[TD_LOG_TEXT];
    int err = td_detect(td);

    d.meter = td->meter;
    if (!d.meter || !d.meter->host.os)
        return err;
    td_doctor_look(&d);
    if (err)
        return err;
    err = td_session_find_pmus(td);
    if (err)
        td_doctor_say(&d, TD_FINDING_OBSTACLE, "pmu", NULL, "%s", td->log.error);
    else
        err = td_doctor_measure(&d);
    memcpy(kept, td->log.error, sizeof(kept)); /* the verdict is about what is wrong with perf */
    td_doctor_see_msr(&d);
    memcpy(td->log.error, kept, sizeof(kept));
    see_rdpmc(td, &d);
    see_sampling(td, &d);
    see_latencies(td, &d);
    return err;
}
