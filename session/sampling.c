/* SPDX-License-Identifier: MIT */
/* td_sampling.h: samples, live. */
#include "include/td_sampling.h"

#include "core/sized.h"
#include "live/host/host_files.h"
#include "live/sampling/recorder.h"
#include "session/session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const double usual_rate = 1000, samples_a_turn = 5.3, usual_overhead = 0.02,
                    assumed_cost = 5e-6 /* s a sample */, usual_clock = 3e9;

#define ROUNDING 1e-3 /* of a product or quotient of decimal fractions that is a whole number */

/* The fastest that CPU 0 goes, cycles a second. */
static double clock_of(const struct td_os *os)
{
    const long khz = td_host_number(os, 0, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");

    return khz > 0 ? 1e3 * (double)khz : usual_clock;
}

/* A fixed period, but no shorter than the overhead allows with an assumed clock and an assumed cost of a sample. */
static uint64_t fixed_period(struct td *td, const struct td_sampling *s, const struct td_pace *pace, bool tell)
{
    const uint64_t least =
        (uint64_t)(clock_of(td_session_os(td)) * pace->cost * pace->samples / pace->overhead + ROUNDING);

    if (s->period >= least)
        return s->period;
    if (tell)
        td_log_note(&td->log,
                    "a sample every %.0f cycles would take more than %g %% of the time, at %g us a sample: "
                    "the period is %llu cycles (--overhead)",
                    (double)s->period, 100 * pace->overhead, 1e6 * pace->cost, (unsigned long long)least);
    return least;
}

/* Limits a frequency to what perf_event_open(2) takes and what the overhead allows. */
static uint64_t frequency(struct td *td, const struct td_pace *pace, bool tell)
{
    const long most = td_host_number(td_session_os(td), 0, "/proc/sys/kernel/perf_event_max_sample_rate");
    double rate = pace->rate;

    if (td_pace_limited(pace)) {
        rate = pace->overhead / pace->cost;
        if (tell)
            td_log_note(
                &td->log,
                "%.0f samples a second would take more than %g %% of the time, at %g us a sample: the rate is %.0f "
                "(--overhead)",
                pace->rate, 100 * pace->overhead, 1e6 * pace->cost, rate);
    }
    if (most <= 0 || rate <= (double)most)
        return rate < 1 ? 1 : (uint64_t)(rate + ROUNDING);
    if (tell)
        td_log_note(&td->log, "kernel.perf_event_max_sample_rate allows %ld samples a second, which is the rate", most);
    return (uint64_t)most;
}

/* The rate where none was asked for. Groups that take turns have several samples in each turn, as what lies between two
 * turns is of no use for a value; and not a whole number of them, so that samples do not keep step with the turns. */
static double rate_of(const struct td *td, const struct td_sampled_how *how, double most)
{
    const double turn = td->meter->stream.mux_interval > 0 ? td->meter->stream.mux_interval : TD_LIKELY_MUX_INTERVAL,
                 rate = how->turns ? samples_a_turn * 1e9 / turn : usual_rate;

    return rate < usual_rate ? usual_rate : fmin(rate, most);
}

/* tell: notes say what is not as it was asked for. */
static void set_pace(struct td *td, const struct td_sampling *s, struct td_sampled_how *how, struct td_pace *pace,
                     bool tell)
{
    const double overhead = s->overhead > 0 ? s->overhead : usual_overhead;

    *pace = (struct td_pace){
        .rate = s->period     ? 0
                : s->rate > 0 ? s->rate
                              : rate_of(td, how, overhead / assumed_cost),
        .overhead = overhead,
        .samples = s->leader ? 1 : 2,
        .cost = assumed_cost,
    };
    if (s->period)
        how->period = fixed_period(td, s, pace, tell);
    else if (s->leader)
        how->freq = frequency(td, pace, tell);
    else
        how->period = (uint64_t)td_pace_period(pace, clock_of(td_session_os(td)));
}

/* Whether a read in the interrupt leaves the counters stopped: Linux since 6.14 (Avoid disable PMU if !cpuc->enabled in
 * sample read), or where no registers are read that the read itself changes. */
static bool handler_enters(const struct td_meter *m)
{
    char release[64];
    char *end;
    long major, minor;

    for (size_t i = 0; i < m->npmus; i++)
        if (m->pmu[i].plan.form->form->flags & TD_FORM_FIXED) {
            if (!td_host_text(m->ask.os, release, sizeof(release), "/proc/sys/kernel/osrelease"))
                return true;
            major = strtol(release, &end, 10);
            minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
            return major < 6 || (major == 6 && minor < 14);
        }
    return false;
}

static int check(struct td *td, const struct td_sampling *s)
{
    if (td->opened)
        return td_session_too_late(td);
    if (s->what->ncgroups)
        return td_log_fail(&td->log, -EINVAL, "cgroups cannot be sampled: sample CPUs or processes");
    if (s->what->no_user && !s->handler)
        return td_log_fail(
            &td->log, -EINVAL,
            "the kernel alone is sampled with --handler only: its samples hold slots of their own handler");
    return 0;
}

static int plan(struct td *td, const struct td_sampling *s, bool tell)
{
    struct td_live what = *s->what;
    int err;

    what.no_inherit = true;
    td->settings.fixed_tasks = td->settings.fixed; /* in samples the register is read and zeroed each time */
    td->settings.part_of_core = td->settings.sampled = true;
    err = td_plan_live(td, &what);
    if (err || td->meter->ask.no_kernel || s->handler || !handler_enters(td->meter))
        return err;
    td->meter->ask.no_kernel = true;
    if (tell)
        td_log_note(&td->log, "user mode only: before Linux 6.14 samples of the kernel hold slots of their "
                              "own handler (--handler samples it anyway)");
    return 0;
}

/* With the kernel's mode, or without it where the kernel forbids to sample that. */
static int open_allowed(struct td *td, const struct td_sampled_how *how, const struct td_pace *pace,
                        td_sampling_write_fn *write, void *ctx)
{
    int err = td_recorder_open(td->recorder, td->meter, how, pace, write, ctx);

    if (err != -EACCES || !td->meter->scopes.tasks || td->meter->host.paranoid <= 1)
        return err;
    td_recorder_free(td->recorder);
    td->meter->ask.no_kernel = true;
    return td_recorder_open(td->recorder, td->meter, how, pace, write, ctx);
}

/* Tells what is not as it was asked for, of the way of sampling. */
static void tell_way(struct td *td, const struct td_sampling *asked, const struct td_sampled_how *how)
{
    if (how->turns)
        td_log_note(
            &td->log,
            "single samples of %u groups of events that take turns (multiplexing): the counters do not hold them "
            "together, so that each is sampled for a part of the time%s",
            td_meter_turns(td->meter), td_sampled_what_helps(td->meter));
    else if (!how->pairs && !asked->leader)
        td_log_note(&td->log,
                    "single samples, not pairs: the counters do not hold two further events of cycles; functions of "
                    "short turns may be smeared");
}

/* Pairs if the counters hold their two further events, else single samples, which need none where the formulas' own
 * cycles take them; where not even the formulas' events are one group, single samples of groups that take turns. What
 * is then not as it was asked for is told. */
static int open_recorder(struct td *td, const struct td_sampling *asked, struct td_sampled_how *how,
                         td_sampling_write_fn *write, void *ctx)
{
    const bool kernel = !td->meter->ask.no_kernel;
    struct td_sampling s = *asked;
    struct td_pace pace;
    int err;

    how->turns = td_meter_turns(td->meter) > 1;
    how->pairs = how->pairs && !how->turns;
    s.leader = !how->pairs;
    set_pace(td, &s, how, &pace, false);
    err = open_allowed(td, how, &pace, write, ctx);
    if (err && how->pairs && td->recorder->too_big) {
        td_recorder_free(td->recorder);
        *td->log.error = '\0';
        s.leader = true;
        *how = (struct td_sampled_how){.callchains = how->callchains, .on_exec = how->on_exec};
        set_pace(td, &s, how, &pace, false);
        err = open_allowed(td, how, &pace, write, ctx);
    }
    if (err)
        return err;
    set_pace(td, &s, how, &pace, true);
    if (kernel && td->meter->ask.no_kernel)
        td_log_note(&td->log, "user mode only: kernel.perf_event_paranoid forbids to sample the kernel (CAP_PERFMON, "
                              "or sysctl kernel.perf_event_paranoid=1, allows it)");
    tell_way(td, asked, how);
    return 0;
}

/* Plans again, for fewer counters, where the kernel does not take the groups: others may hold some, or the PMU may have
 * fewer than it reports. */
static int plan_and_open(struct td *td, const struct td_sampling *s, struct td_sampled_how *how,
                         td_sampling_write_fn *write, void *ctx)
{
    const struct td_sampled_how asked = *how;
    int err = plan(td, s, true);

    if (err)
        return err;
    td->recorder = calloc(1, sizeof(*td->recorder));
    if (!td->recorder)
        return td_log_no_memory(&td->log);
    err = open_recorder(td, s, how, write, ctx);
    while (err && td->recorder->too_big && td_sampled_take_fewer(td->meter)) {
        td_recorder_free(td->recorder);
        *td->log.error = '\0';
        *how = asked;
        err = plan(td, s, false);
        err = err ? err : open_recorder(td, s, how, write, ctx);
    }
    return err;
}

static int open_sampling(struct td *td, const struct td_sampling *s, td_sampling_write_fn *write, void *ctx)
{
    struct td_sampled_how how = {.pairs = !s->leader, .callchains = s->callchains, .on_exec = s->what->on_exec};
    int err = check(td, s);

    if (err)
        return err;
    err = plan_and_open(td, s, &how, write, ctx);
    if (!td->recorder) /* nothing could be planned */
        return err;
    td->opened = true;
    td->recorder->command = s->command;
    if (!err && !how.on_exec)
        td_recorder_arm(td->recorder);
    return err == -ENOMEM ? td_log_no_memory(&td->log) : err;
}

int td_sampling_open(struct td *td, const struct td_sampling *given, td_sampling_write_fn *write, void *ctx)
{
    struct td_sampling s;
    struct td_live what;
    int err = td_sized_take(&td->log, "td_sampling", &s, sizeof(s), given);

    err = err ? err : td_sized_take(&td->log, "td_live", &what, sizeof(what), s.what);
    if (err)
        return err;
    s.what = &what;
    return open_sampling(td, &s, write, ctx);
}

int td_sampling_fd(const struct td *td)
{
    return td->recorder ? td->recorder->rings : -1;
}

static int finish(struct td *td, int err)
{
    return err && !*td->log.error ? td_log_fail(&td->log, err, "the samples cannot be written") : err;
}

int td_sampling_take(struct td *td)
{
    int err;

    if (!td->recorder)
        return td_log_fail(&td->log, -EINVAL, "nothing is open to be sampled (td_sampling_open)");
    *td->log.error = '\0';
    err = td_recorder_take(td->recorder);
    if (!err)
        td_recorder_arm(td->recorder);
    return finish(td, err);
}

int td_sampling_end(struct td *td)
{
    int err;

    if (!td->recorder)
        return td_log_fail(&td->log, -EINVAL, "nothing is open to be sampled (td_sampling_open)");
    *td->log.error = '\0';
    err = td_recorder_end(td->recorder);
    td_recorder_close(td->recorder);
    return finish(td, err);
}

int td_sampling_about(struct td *td, struct td_sampling_info *out)
{
    const struct td_recorder *r = td->recorder;
    struct td_sampling_info info = {.size = sizeof(info)};

    if (!r)
        return -ENODATA;
    info = (struct td_sampling_info){
        .period = r->how.freq ? 0 : r->kind[0].period,
        .cost = r->pace.cost,
        .cost_measured = r->pace.measured,
        .pairs = r->how.pairs,
        .limited = r->how.pairs && td_pace_limited(&r->pace),
        .samples = r->counts.samples,
        .near = r->counts.near,
        .far = r->counts.far,
        .lost = r->counts.lost,
        .throttled = r->counts.throttled,
        .missed = r->counts.missed,
        .groups = r->counts.sampled,
    };
    return td_sized_give(&td->log, "td_sampling_info", out, sizeof(info), &info);
}
