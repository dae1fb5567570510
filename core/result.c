/* SPDX-License-Identifier: MIT */
/* Reading a result, and the names of its statuses and flags. */
#include "core/result.h"

#include "core/choice/copies.h"
#include "util/room.h"
#include "core/counts/scope_kind.h"
#include "private/result.h"

#include <math.h>

int td_result_reserve(struct td_result *r, size_t n)
{
    int err = td_room(&r->metrics, &r->metrics_room, n, sizeof(*r->metrics));

    if (!r->given)
        r->given = calloc(1, sizeof(*r->given));
    err = err ? err : r->given ? 0 : -ENOMEM;
    err = err ? err : td_room(&r->nodes, &r->nodes_room, n, sizeof(*r->nodes));
    err = err ? err : td_room(&r->per_cpu, &r->per_cpu_room, n, sizeof(*r->per_cpu));
    err = err ? err : td_room(&r->lacks, &r->lacks_room, n, sizeof(*r->lacks));
    err = err ? err : td_room(&r->path, &r->path_room, n, sizeof(*r->path));
    return err ? err : td_room(&r->among, &r->among_room, n, sizeof(*r->among));
}

void td_result_free(struct td_result *r)
{
    free(r->metrics);
    free(r->nodes);
    free(r->per_cpu);
    free(r->lacks);
    free(r->among);
    free(r->path);
    free(r->given);
    *r = (struct td_result){0};
}

bool td_result_time(const struct td_result *r, uint64_t *ns)
{
    *ns = r->at.time;
    return r->at.has_time;
}

bool td_result_duration(const struct td_result *r, uint64_t *ns)
{
    *ns = r->at.duration;
    return r->at.duration > 0;
}

const char *td_result_scope(const struct td_result *r)
{
    return r->at.scope;
}

const char *td_result_scope_kind(const struct td_result *r)
{
    return td_kind_name(r->at.scope_kind);
}

const char *td_result_core(const struct td_result *r)
{
    switch (r->uarch->core) {
    case 'P': return "P";
    case 'E': return "E";
    case 'L': return "LP";
    default: return NULL;
    }
}

const char *td_result_cpu(const struct td_result *r)
{
    return r->cpu;
}

const char *td_result_backend(const struct td_result *r)
{
    return r->backend->name;
}

const char *td_result_formula(const struct td_result *r)
{
    return r->formula;
}

bool td_result_is_summary(const struct td_result *r)
{
    return r->summary;
}

enum td_sample_start td_result_start(const struct td_result *r)
{
    return r->at.start;
}

enum td_sample_pair td_result_pair(const struct td_result *r)
{
    return r->at.pair;
}

bool td_result_waited(const struct td_result *r, uint64_t *ns)
{
    *ns = r->waited;
    return r->waits;
}

uint64_t td_result_distance(const struct td_result *r)
{
    return r->at.distance;
}

const char *td_result_began(const struct td_result *r)
{
    return r->at.began;
}

const char *td_result_dso(const struct td_result *r)
{
    return r->at.dso;
}

const struct td_code_at *td_result_code(const struct td_result *r)
{
    return r->at.code;
}

enum td_symbols td_result_symbols(const struct td_result *r)
{
    return r->at.dso ? r->at.symbols : TD_SYMBOLS_NOT_ASKED;
}

uint32_t td_result_course(const struct td_result *r, double *own, enum td_back *back)
{
    *own = r->at.own;
    *back = r->at.back;
    return r->at.course;
}

int td_result_depth(const struct td_result *r)
{
    return (int)r->at.nth - 1;
}

double td_result_coverage(const struct td_result *r)
{
    return r->coverage;
}

unsigned td_result_common_flags(const struct td_result *r)
{
    return r->common;
}

unsigned td_result_flags(const struct td_result *r)
{
    return r->flags;
}

const char *td_result_correction(const struct td_result *r, size_t i)
{
    return i < r->ncorrections ? r->corrections[i] : NULL;
}

const char *td_result_latency(const struct td_result *r, size_t i)
{
    return i < TD_LATENCY_TABLES ? r->latency[i] : NULL;
}

const char *td_result_contradiction(const struct td_result *r, size_t i)
{
    return i < r->ncontradictions ? r->contradictions[i] : NULL;
}

size_t td_result_metrics(const struct td_result *r)
{
    return r->nmetrics;
}

const struct td_metric *td_result_metric(const struct td_result *r, size_t i)
{
    return i < r->nmetrics ? &r->metrics[i] : NULL;
}

size_t td_result_counts(const struct td_result *r)
{
    return r->counts->n;
}

const struct td_event_count *td_result_count(const struct td_result *r, size_t i)
{
    const struct td_count *c = i < r->counts->n ? &r->counts->c[i] : NULL;

    if (!c)
        return NULL;
    r->given->count = (struct td_event_count){
        .event = r->texts[c->text],
        .status = c->status == TD_OK && c->sampled.any && !c->sampled.n ? TD_NOT_COUNTED : c->status,
        .value = c->sampled.n ? c->value / (double)c->sampled.n : c->value,
        .coverage = c->enabled > 0 ? fmin(1, c->running / c->enabled) : NAN,
    };
    return &r->given->count;
}

static bool counted(const struct td_result *r, const struct td_count *c, const char *event)
{
    return c->status == TD_OK && c->event == td_uarch_event_number(r->uarch, event);
}

/* Including kernel mode: time on a CPU is spent there as well. */
static bool in_all_modes(const struct td_count *c)
{
    const unsigned both = TD_MODE_USER | TD_MODE_KERNEL;

    return !c->modes || (c->modes & both) == both;
}

static bool are_cycles(const struct td_result *r, const struct td_count *c)
{
    return counted(r, c, "cycles") && c->value > 0;
}

double td_result_slots(const struct td_result *r)
{
    return r->printed ? (double)NAN : r->slots;
}

double td_result_cycles(const struct td_result *r)
{
    for (const struct td_count *c = r->counts->c; c < r->counts->c + r->counts->n; c++)
        if (counted(r, c, "cycles") && c->modes == r->modes)
            return c->value;
    return (double)NAN;
}

double td_result_ipc(const struct td_result *r)
{
    const struct td_count *end = r->counts->c + r->counts->n;

    for (const struct td_count *cycles = r->counts->c; cycles < end; cycles++)
        for (const struct td_count *c = r->counts->c; c < end && are_cycles(r, cycles); c++)
            if (counted(r, c, "instructions") && td_copies_together(c, cycles) && c->modes == r->modes &&
                cycles->modes == r->modes)
                return c->value / cycles->value;
    return (double)NAN;
}

const char *td_result_modes(const struct td_result *r, char out[TD_RESULT_MODES])
{
    static const struct {
        unsigned mode;
        char letter;
    } all[] = {{TD_MODE_USER, 'u'},
               {TD_MODE_KERNEL, 'k'},
               {TD_MODE_HYPERVISOR, 'h'},
               {TD_MODE_GUEST, 'G'},
               {TD_MODE_HOST, 'H'}};
    char *at = out;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (r->modes & all[i].mode)
            *at++ = all[i].letter;
    *at = '\0';
    return out;
}

double td_result_ghz(const struct td_result *r)
{
    double ghz = (double)NAN;

    for (const struct td_count *c = r->counts->c; c < r->counts->c + r->counts->n; c++)
        if (are_cycles(r, c) && td_kind_switched(r->at.scope_kind) && !r->several_cpus && in_all_modes(c) &&
            c->enabled > 0)
            ghz = c->value / c->enabled;
    return ghz;
}

const char *td_status_name(enum td_status status)
{
    static const char *const names[] = {
        [TD_OK] = "ok",
        [TD_NOT_ON_THIS_CPU] = "not_on_this_cpu",
        [TD_MISSING_EVENT] = "missing_event",
        [TD_NOT_COUNTED] = "not_counted",
        [TD_NOT_SUPPORTED] = "not_supported",
        [TD_NO_SLOTS] = "no_slots",
        [TD_ZERO_DIVISOR] = "zero_divisor",
        [TD_IMPOSSIBLE] = "impossible",
        [TD_COUNTER_RESET] = "counter_reset",
        [TD_EPOCH_CHANGED] = "epoch_changed",
        [TD_PUBLISHED_FORMULA_WRONG] = "published_formula_wrong",
        [TD_NOT_IN_THIS_FORMULA] = "not_in_this_formula",
    };

    return (size_t)status < sizeof(names) / sizeof(*names) ? names[status] : "unknown";
}

const char *td_flag_name(unsigned flag)
{
    static const char *const names[] = {
        "negative",
        "over_one",
        "multiplexed",
        "split_groups",
        "sum_off",
        "no_bounds",
        "revision_assumed",
        "smt_unknown",
        "one_sibling",
        "width_assumed",
        "correction_missing",
        "cpus_changed",
        "mux_interval_assumed",
        "few_windows",
        "coverage_unknown",
        "cpus_unknown",
        "in_step",
        "no_limits",
        "switches_unknown",
        "many_switches",
        "latency_assumed",
        "other_width",
        "counts_doubtful",
        "rest_of_slots",
    };

    const size_t bit = flag ? (size_t)__builtin_ctz(flag) : sizeof(names) / sizeof(*names);

    return bit < sizeof(names) / sizeof(*names) && flag == 1u << bit ? names[bit] : NULL;
}

const char *td_bounds_name(enum td_bounds kind)
{
    return kind == TD_BOUNDS_SOUND ? "sound" : kind == TD_BOUNDS_LIKELY ? "likely" : NULL;
}

const char *td_verdict_name(enum td_verdict_status status)
{
    static const char *const names[] = {
        [TD_VERDICT_DECIDED] = "decided",
        [TD_VERDICT_LIKELY] = "likely",
        [TD_VERDICT_UNDECIDED] = "undecided",
        [TD_VERDICT_NONE] = "none",
    };

    return (size_t)status < sizeof(names) / sizeof(*names) ? names[status] : "unknown";
}

const char *td_version(void)
{
    return PACKAGE_VERSION;
}
