/* SPDX-License-Identifier: MIT */
/* A metric's status, its flags and its mark in all formats: each alone. */
#include "report/flags.h"
#include "tests/support/made_result.h"

#include <string.h>

/* ---- status ------------------------------------------------------------------------------------ */

static void status(enum td_status s, const char *event, const char *wanted)
{
    const struct td_metric m = {.status = s, .event = event};
    char buf[TD_STATUS_TEXT];

    CU_ASSERT_STRING_EQUAL(td_status_text(&m, buf), wanted);
}

/* Two kinds name the event; a long one is cut, so that 255 bytes are left. */
static void statuses(void)
{
    char name[400], wanted[400];

    status(TD_OK, "E", "ok");
    status(TD_MISSING_EVENT, "E.X", "missing_event:E.X");
    status(TD_MISSING_EVENT, NULL, "missing_event");
    status(TD_IMPOSSIBLE, "E", "impossible:E");
    status(TD_IMPOSSIBLE, NULL, "impossible");
    status(TD_NOT_COUNTED, "E", "not_counted");
    status(TD_NO_SLOTS, "E", "no_slots");
    for (size_t n = 254 - strlen("missing_event:"); n < 258 - strlen("missing_event:"); n++) {
        memset(name, 'x', n);
        name[n] = '\0';
        snprintf(wanted, sizeof(wanted), "missing_event:%.*s", 255 - (int)strlen("missing_event:"), name);
        status(TD_MISSING_EVENT, name, wanted);
    }
}

/* Whether nothing was counted, and nothing ran: without counts neither is known. */
static void nothing(void)
{
    static const struct {
        size_t n;
        enum td_status status[2];
        double enabled[2];
        bool none, never;
    } rows[] = {
        {0, {TD_OK}, {0}, false, false},
        {1, {TD_NOT_COUNTED}, {0}, true, true},
        {1, {TD_NOT_COUNTED}, {5}, true, false},
        {1, {TD_OK}, {0}, false, false},
        {2, {TD_NOT_COUNTED, TD_NOT_COUNTED}, {0, 0}, true, true},
        {2, {TD_NOT_COUNTED, TD_NOT_COUNTED}, {5, 0}, true, false},
        {2, {TD_NOT_COUNTED, TD_NOT_COUNTED}, {0, 5}, true, false},
        {2, {TD_NOT_COUNTED, TD_OK}, {0, 5}, false, false},
        {2, {TD_OK, TD_NOT_COUNTED}, {5, 0}, false, false},
        {2, {TD_NOT_COUNTED, TD_MISSING_EVENT}, {0, 0}, false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct made_result m;
        char buf[TD_STATUS_TEXT];

        made_begin(&m);
        m.counts.n = rows[i].n;
        for (size_t c = 0; c < 2; c++)
            m.count[c] = (struct td_count){.status = rows[i].status[c], .enabled = rows[i].enabled[c]};
        CU_ASSERT_EQUAL(td_none_counted(&m.r), rows[i].none);
        CU_ASSERT_EQUAL(td_never_ran(&m.r), rows[i].never);
        CU_ASSERT_STRING_EQUAL(td_status_said(&m.r, &(struct td_metric){.status = TD_NOT_COUNTED}, buf),
                               rows[i].never ? "idle" : "not_counted");
        CU_ASSERT_STRING_EQUAL(td_status_said(&m.r, &(struct td_metric){.status = TD_NO_SLOTS}, buf), "idle");
        CU_ASSERT_STRING_EQUAL(td_status_said(&m.r, &(struct td_metric){.status = TD_NOT_SUPPORTED}, buf),
                               "not_supported");
    }
}

/* ---- flags ------------------------------------------------------------------------------------- */

/* Those that are about all of a result, whatever else is common to its metrics. */
static void of_whole(void)
{
    const unsigned whole = 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 11 | 1 << 21;

    for (unsigned bit = 0; bit < 24; bit++) {
        struct made_result m;

        made_begin(&m);
        m.r.common = 1u << bit;
        m.r.flags = ~0u;
        CU_ASSERT_EQUAL(td_flags_of_whole(&m.r), whole & 1u << bit);
    }
}

static char told[1000];

static void tell(void *ctx, const char *flag, const char *about)
{
    const size_t n = strlen(told);

    snprintf(told + n, sizeof(told) - n, "%s%s%s%s", ctx ? (const char *)ctx : " ", flag, about ? ":" : "",
             about ? about : "");
}

static const char *each(const struct td_result *r, const struct td_metric *m)
{
    *told = '\0';
    td_flags_each(r, m, tell, NULL);
    return told;
}

/* Each event of a correction that was left out, and each table of latencies, once; of a metric only its own. */
static void each_flag(void)
{
    static const char *const events[] = {"A", "B", "C"};
    struct td_metric metric = {.flags = TD_FLAG_NEGATIVE | TD_FLAG_CORRECTION_MISSING | TD_FLAG_LATENCY_ASSUMED,
                               .corrections = 5,
                               .latencies = 2};
    struct made_result m;

    made_begin(&m);
    m.r.flags = TD_FLAG_MULTIPLEXED | TD_FLAG_CORRECTION_MISSING | TD_FLAG_SMT_UNKNOWN;
    m.r.common = 0;
    CU_ASSERT_STRING_EQUAL(each(&m.r, NULL), " multiplexed smt_unknown");
    m.r.corrections = events;
    m.r.ncorrections = 3;
    m.r.latency[0] = "one";
    m.r.latency[1] = "two";
    CU_ASSERT_STRING_EQUAL(each(&m.r, NULL), " multiplexed smt_unknown correction_missing:A correction_missing:B "
                                             "correction_missing:C latency_assumed:one latency_assumed:two");
    CU_ASSERT_STRING_EQUAL(each(&m.r, &metric),
                           " negative correction_missing:A correction_missing:C latency_assumed:two");
    m.r.common = TD_FLAG_SMT_UNKNOWN | TD_FLAG_MULTIPLEXED;
    metric.corrections = 2;
    metric.latencies = 1;
    CU_ASSERT_STRING_EQUAL(each(&m.r, &metric), " negative smt_unknown correction_missing:B latency_assumed:one");
    metric = (struct td_metric){.flags = 0};
    m.r.common = 0;
    CU_ASSERT_STRING_EQUAL(each(&m.r, &metric), "");
}

/* ---- marks ------------------------------------------------------------------------------------- */

static void marks(void)
{
    struct td_metric m = made_metric("a", "", 1, 0.5);

    CU_ASSERT_EQUAL(td_mark_of(&m), TD_MARK_UNBOUNDED);
    made_bounds(&m, TD_BOUNDS_SOUND, 0.25, 0.75);
    CU_ASSERT_EQUAL(td_mark_of(&m), 0);
    made_bounds(&m, TD_BOUNDS_LIKELY, 0.25, 0.75);
    CU_ASSERT_EQUAL(td_mark_of(&m), TD_MARK_LIKELY);
    m.status = TD_NOT_COUNTED;
    CU_ASSERT_EQUAL(td_mark_of(&m), 0);
}

static const CU_TestInfo tests[] = {
    {"statuses", statuses},
    {"nothing counted", nothing},
    {"flags of the whole", of_whole},
    {"each flag", each_flag},
    {"marks", marks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("flags in reports", tests);
