/* SPDX-License-Identifier: MIT */
/* Three functions: their intervals are those of a recording, which is made here, their estimates are written out. */
#ifndef MADE_FUNCTIONS_H
#define MADE_FUNCTIONS_H

#include "report/functions/functions_report.h"
#include "tests/support/made_result.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"

enum {
    MADE_FUNCTIONS = 3,
    MADE_ESTIMATES = 5,
    MADE_NODES = 4,
    MADE_FIRST_NODE = 3 /* among a sample's values, after slots and cycles twice */,
    MADE_WIDTH = 6,
    MADE_PERIOD = 1000000 /* ns */
};

/* Of 100,000 cycles 40,000 are in main, in 50 intervals, of which the first began in f;g; 38,000 in f;g, of whose 20
 * intervals the first has no beginning; and 22,000 in c, in one that began in main. So 49 of the 50 intervals that
 * began in main ended there, 19 of 20 in f;g, and none began in c. */
static const struct made_visit {
    uint64_t address;
    unsigned samples;
    uint64_t cycles[MADE_NODES];
} made_visits[] = {
    {0x2000, 20, {1000, 250, 250, 500}},
    {0x1000, 50, {200, 100, 100, 400}},
    {0x3000, 1, {5500, 2750, 2750, 11000}},
};

static inline void made_functions_record(struct sampled_file *f)
{
    struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST, .time = MADE_PERIOD};

    sampled_file_begin(f, MADE_PERIOD, 0);
    for (size_t i = 0; i < MADE_FUNCTIONS; i++)
        for (unsigned k = 0; k < made_visits[i].samples; k++) {
            s.address = made_visits[i].address;
            s.time += MADE_PERIOD;
            for (size_t n = 0; n < MADE_NODES; n++) {
                s.value[MADE_FIRST_NODE + n] += MADE_WIDTH * made_visits[i].cycles[n];
                s.value[0] += MADE_WIDTH * made_visits[i].cycles[n];
                s.value[SAMPLED_FILE_FIRST] += made_visits[i].cycles[n];
                s.value[SAMPLED_FILE_SECOND] += made_visits[i].cycles[n];
            }
            sampled_file_sample(f, &s);
        }
    sampled_file_end(f);
}

struct made_functions {
    struct td_functions all;
    struct td_function *function[MADE_FUNCTIONS]; /* main, f;g, c */
    struct td *td;
    struct td_estimates of[MADE_FUNCTIONS];
    struct td_metric metric[MADE_FUNCTIONS][MADE_ESTIMATES];
    const struct td_metric *metrics[MADE_FUNCTIONS][MADE_ESTIMATES];
    struct td_weighed naive[MADE_FUNCTIONS][MADE_ESTIMATES];
    const struct td_metric *path[2];
    struct td_verdict verdict[MADE_FUNCTIONS];
};

static inline struct td_function *made_functions_at(const struct td_functions *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->function[i]->name, name))
            return f->function[i];
    CU_FAIL_FATAL("a place is missing");
    return NULL;
}

static inline void made_functions_read_functions(struct made_functions *m)
{
    struct sampled_file file;
    const struct td_result *r;
    struct source s;

    m->all = (struct td_functions){.seed = 1, .confidence = 0.95};
    m->td = td_new();
    made_functions_record(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(m->td && !td_set_uarch(m->td, "spr") && !td_set_level(m->td, 1) &&
                    !td_open(m->td, "f", source_read, &s));
    while (!td_next(m->td, &r))
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&m->all, r), 0);
    for (size_t i = 0; !td_summary(m->td, i, &r); i++)
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&m->all, r), 0);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&m->all), 0);
    CU_ASSERT_EQUAL_FATAL(m->all.n, MADE_FUNCTIONS);
    m->function[0] = made_functions_at(&m->all, "[program+0x1000]");
    m->function[1] = made_functions_at(&m->all, "[program+0x2000]");
    m->function[2] = made_functions_at(&m->all, "[program+0x3000]");
    sampled_file_free(&file);
}

static inline void made_functions_estimate(struct made_functions *m, size_t i)
{
    struct td_metric *to = m->metric[i];

    to[0] = made_metric("retiring", "", 1, 0.25);
    made_bounds(&to[0], TD_BOUNDS_LIKELY, 0.2, 0.3);
    to[1] = made_metric("bad_speculation", "", 1, 0.125);
    to[2] = made_metric("frontend_bound", "", 1, (double)NAN);
    to[2].status = TD_NOT_COUNTED;
    to[3] = made_metric("backend_bound", "", 1, 0.5);
    made_bounds(&to[3], TD_BOUNDS_LIKELY, 0.45, 0.55);
    to[4] = made_metric("memory_bound", "backend_bound", 2, (double)NAN);
    to[4].status = TD_ZERO_DIVISOR;
    m->naive[i][0] = (struct td_weighed){4, 1};
    m->naive[i][3] = (struct td_weighed){2, 1};
    m->naive[i][4] = (struct td_weighed){8, 1};
    for (size_t k = 0; k < MADE_ESTIMATES; k++)
        m->metrics[i][k] = &to[k];
    m->of[i] = (struct td_estimates){.metric = m->metrics[i],
                                     .metrics = MADE_ESTIMATES,
                                     .verdict = &m->verdict[i],
                                     .all = m->naive[i],
                                     .of = m->function[i]->of->of};
    m->function[i]->of = &m->of[i];
    m->function[i]->kind = "function";
    m->function[i]->limit = &to[3];
    m->function[i]->symbols = TD_SYMBOLS_FOUND;
}

static inline void made_functions_begin(struct made_functions *m)
{
    *m = (struct made_functions){.td = NULL};
    made_functions_read_functions(m);
    for (size_t i = 0; i < MADE_FUNCTIONS; i++) {
        made_functions_estimate(m, i);
        m->all.function[i] = m->function[i];
    }
    m->all.cpu = "spr";
    m->all.formula = "perf_metrics";
    m->all.kind = "function";
    memset(m->all.left, 0, sizeof(m->all.left));
    m->function[0]->name = "main";
    m->function[0]->dso = "/p,q";
    m->function[0]->weight = 0.2;
    m->of[0].flags = TD_FLAG_MULTIPLEXED | TD_FLAG_COUNTS_DOUBTFUL;
    m->path[0] = &m->metric[0][3];
    m->verdict[0] = (struct td_verdict){.status = TD_VERDICT_LIKELY, .node = m->path[0], .path = m->path, .npath = 1};
    m->function[1]->name = "f;g";
    m->function[1]->dso = NULL;
    m->function[1]->weight = 0.095;
    m->of[1].core = "E";
    m->metric[1][4] = made_metric("memory_bound", "backend_bound", 2, 0.25);
    made_bounds(&m->metric[1][4], TD_BOUNDS_LIKELY, 0.2, 0.35);
    m->metric[1][4].unit = "stalls";
    m->path[1] = &m->metric[1][4];
    m->verdict[1] = (struct td_verdict){.status = TD_VERDICT_LIKELY, .node = m->path[1], .path = m->path, .npath = 2};
    m->function[2]->name = "c";
    m->function[2]->dso = "/r";
    m->verdict[2] = (struct td_verdict){.status = TD_VERDICT_UNDECIDED};
    for (size_t k = 0; k < MADE_ESTIMATES; k++) {
        m->metric[2][k].status = TD_NOT_COUNTED;
        m->naive[2][k] = (struct td_weighed){0, 0};
    }
    CU_ASSERT_EQUAL(m->function[2]->status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT(m->function[0]->status == TD_PLACE_OK && m->function[1]->status == TD_PLACE_OK);
}

static inline void made_functions_end(struct made_functions *m)
{
    td_functions_free(&m->all);
    td_free(m->td);
}

#endif
