/* SPDX-License-Identifier: MIT */
/* One row of a trace: its numbers and their limits, its time, and its scope. */
#include "backends/find_identity.h"
#include "formats/trace/trace.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct td_trace *t;
static struct td_recording *r;
static struct td_settings settings;
static struct td_log own_log;
static char told[400];

static void keep_note(void *ctx, const char *text)
{
    (void)ctx;
    snprintf(told, sizeof(told), "%s", text);
}

static void begin(const char *cpu)
{
    char why[100];

    t = calloc(1, sizeof(*t));
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    r = &t->recording;
    own_log = (struct td_log){.note = keep_note};
    *told = '\0';
    r->stream.name = "f";
    r->settings = &settings;
    r->log = &own_log;
    r->bytes.line = 5;
    if (cpu)
        CU_ASSERT_EQUAL_FATAL(td_identity_find(cpu, &r->stream.identity, why, sizeof(why)), 0);
}

static void end(void)
{
    td_scope_index_free(&t->index);
    free(t->lane);
    free(t);
}

static void set(enum td_column c, const char *text)
{
    static char field[TD_COLUMNS][80];

    snprintf(field[c], sizeof(field[c]), "%s", text);
    r->bytes.field[c] = field[c];
    r->bytes.length[c] = strlen(text);
}

/* The values that a row has, or the message about it. */
static void numbers(void)
{
    static const struct {
        bool scaled, packed;
        const char *group, *value, *enabled, *running;
        struct td_sample wanted;
        const char *error;
    } rows[] = {
        {false, false, "0", "5", "9", "9", {.value = 5, .enabled = 9, .running = 9}, ""},
        {false, false, "65535", "0", "0", "0", {.group = 65535}, ""},
        {false, false, "65536", "0", "0", "0", {0}, "f:5: the group 65536 is beyond 65535"},
        {false, false, "3", "7", "9", "8", {.value = 7, .enabled = 9, .running = 8, .group = 3}, ""},
        {false, false, "3", "7", "9", "10", {0}, "f:5: running for 10 ns, but enabled for 9"},
        {false, false, "0", "not_counted", "9", "0", {.status = TD_NOT_COUNTED, .enabled = 9}, ""},
        {false, false, "0", "not_supported", "9", "0", {.status = TD_NOT_SUPPORTED, .enabled = 9}, ""},
        {false, false, "0", "counter_reset", "9", "0", {.status = TD_COUNTER_RESET, .enabled = 9}, ""},
        {false, true, "0", "0xff", "9", "9", {.value = 255, .enabled = 9, .running = 9}, ""},
        {false, true, "0", "not_counted", "9", "0", {.status = TD_NOT_COUNTED, .enabled = 9}, ""},
        {false, false, "0", "1.5", "9", "9", {0}, "f:5: the value '1.5' is not a number"},
        {false, false, "0", "1", "9.5", "9", {0}, "f:5: the enabled time '9.5' is not a number"},
        {false, false, "0", "1", "9", "8.5", {0}, "f:5: the running time '8.5' is not a number"},
        {true,
         false,
         "0",
         "1.5",
         "9.25",
         "9.125",
         {.value = 1, .fraction = 0.5, .enabled = 9, .enabled_fraction = 0.25, .running = 9, .running_fraction = 0.125},
         ""},
        {true,
         false,
         "0",
         "2",
         "9.25",
         "9.25",
         {.value = 2, .enabled = 9, .enabled_fraction = 0.25, .running = 9, .running_fraction = 0.25},
         ""},
        {true, false, "0", "2", "9.25", "9.5", {0}, "f:5: running for 9.5 ns, but enabled for 9.25"},
        {true, false, "0", "2", "9.5", "10.25", {0}, "f:5: running for 10.25 ns, but enabled for 9.5"},
        {true,
         false,
         "0",
         "2",
         "10.25",
         "9.5",
         {.value = 2, .enabled = 10, .enabled_fraction = 0.25, .running = 9, .running_fraction = 0.5},
         ""},
        /* 2^52 - 1 and a half is the last that has a fraction; from 2^53 on a point is refused */
        {true,
         false,
         "0",
         "4503599627370495.5",
         "9",
         "9",
         {.value = 4503599627370495, .fraction = 0.5, .enabled = 9, .running = 9},
         ""},
        {true, false, "0", "9007199254740991.0", "9", "9", {.value = 9007199254740991, .enabled = 9, .running = 9}, ""},
        {true, false, "0", "9007199254740992.0", "9", "9", {0}, "f:5: the value '9007199254740992.0' is beyond 2^64-1"},
        {true, false, "0", "18446744073709551615", "9", "9", {.value = UINT64_MAX, .enabled = 9, .running = 9}, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_sample s = {.value = 0};
        const struct td_sample *w = &rows[i].wanted;
        int err;

        begin(NULL);
        t->scaled = rows[i].scaled;
        set(TD_COL_GROUP, rows[i].group);
        set(TD_COL_VALUE, rows[i].value);
        set(TD_COL_ENABLED, rows[i].enabled);
        set(TD_COL_RUNNING, rows[i].running);
        err = td_trace_sample(r, rows[i].packed, &s);
        CU_ASSERT_EQUAL(err, *rows[i].error ? -EBADMSG : 0);
        CU_ASSERT_STRING_EQUAL(own_log.error, rows[i].error);
        if (!err)
            CU_ASSERT(s.value == w->value && s.fraction == w->fraction && s.enabled == w->enabled &&
                      s.enabled_fraction == w->enabled_fraction && s.running == w->running &&
                      s.running_fraction == w->running_fraction && s.group == w->group && s.status == w->status);
        end();
    }
}

/* What a reading has of the header, and of its row's time and epoch. */
static void places(void)
{
    static const struct {
        const char *time, *epoch, *error;
        bool untimed;
        uint64_t at;
        uint32_t number;
    } rows[] = {
        {"7", "0", "", false, 7, 0},
        {"", "3", "", true, 0, 3},
        {"18446744073709551615", "4294967295", "", false, UINT64_MAX, UINT32_MAX},
        {"7", "4294967296", "f:5: the epoch 4294967296 is beyond 2^32-1", false, 0, 0},
        {"x", "0", "f:5: the time 'x' is not a number", false, 0, 0},
        {"7", "", "f:5: the epoch '' is not a number", false, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int odd = 0; odd < 2; odd++) {
            struct td_snap s = {.time = 99};
            int err;

            begin(NULL);
            t->bits = odd ? 48 : 64;
            t->scaled = odd;
            r->stream.cpus = 8;
            r->stream.smt = odd ? TD_SMT_ON : TD_SMT_UNKNOWN;
            r->stream.coverage_unknown = odd;
            set(TD_COL_TIME, rows[i].time);
            set(TD_COL_EPOCH, rows[i].epoch);
            err = td_trace_place(r, &s);
            CU_ASSERT_EQUAL(err, *rows[i].error ? -EBADMSG : 0);
            CU_ASSERT_STRING_EQUAL(own_log.error, rows[i].error);
            if (!err) {
                CU_ASSERT(s.untimed == rows[i].untimed && s.time == rows[i].at && s.epoch == rows[i].number);
                CU_ASSERT(s.bits == (odd ? 48 : 64) && s.scaled == odd && s.smt == odd && s.coverage_unknown == odd);
                CU_ASSERT_EQUAL(s.readers, odd ? 0 : 8); /* what was scaled already is of no known number of reads */
            }
            end();
        }
}

/* A scope's lane is the one of its name, kind and core. Tasks are those of the command where it has one and the name
 * does not end in a task's number. */
static void lanes(void)
{
    static const struct {
        const char *cpu, *command, *scope, *kind, *core;
        enum td_scope_kind wanted;
        char of;
        bool known; /* the CPU has such a core */
        const char *error;
    } rows[] = {
        {"skl", NULL, "CPU3", "cpu", "", TD_KIND_CPU, 0, true, ""},
        {"adl", NULL, "CPU3", "cpu", "P", TD_KIND_CPU, 'P', true, ""},
        {"adl", NULL, "CPU3", "cpu", "E", TD_KIND_CPU, 'E', true, ""},
        {"adl", NULL, "CPU3", "cpu", "LP", TD_KIND_CPU, 'L', false, ""},
        {"adl", NULL, "CPU3", "cpu", "", TD_KIND_NONE, 0, false,
         "f:5: the core is empty, but adl has several kinds of core"},
        {"adl", NULL, "CPU3", "cpu", "L", TD_KIND_NONE, 0, false, "f:5: the core 'L' is not P, E, LP or empty"},
        {"adl", NULL, "CPU3", "cpu", "PE", TD_KIND_NONE, 0, false, "f:5: the core 'PE' is not P, E, LP or empty"},
        {"adl-p", NULL, "CPU3", "cpu", "", TD_KIND_CPU, 0, true, ""},
        {"skl", NULL, "", "cpu", "", TD_KIND_NONE, 0, false, "f:5: the scope has no name"},
        {"skl", NULL, "a", "thread", "", TD_KIND_THREAD, 0, true, ""},
        {"skl", "a b", "a", "thread", "", TD_KIND_COMMAND, 0, true, ""},
        {"skl", "a b", "a-12", "thread", "", TD_KIND_THREAD, 0, true, ""},
        {"skl", "a b", "a-12b", "thread", "", TD_KIND_COMMAND, 0, true, ""},
        {"skl", "a b", "a-", "thread", "", TD_KIND_COMMAND, 0, true, ""},
        {"skl", "a b", "a-b-0", "thread", "", TD_KIND_THREAD, 0, true, ""},
        {"skl", "a b", "CPU3", "cpu", "", TD_KIND_CPU, 0, true, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_trace_lane *l = NULL, *again = NULL;
        char command[20];
        int err;

        begin(rows[i].cpu);
        snprintf(command, sizeof(command), "%s", rows[i].command ? rows[i].command : "");
        r->stream.command = rows[i].command ? command : NULL;
        set(TD_COL_SCOPE, rows[i].scope);
        set(TD_COL_KIND, rows[i].kind);
        set(TD_COL_CORE, rows[i].core);
        err = td_trace_lane(r, &l);
        CU_ASSERT_EQUAL(err, *rows[i].error ? -EBADMSG : 0);
        CU_ASSERT_STRING_EQUAL(own_log.error, rows[i].error);
        if (!err) {
            CU_ASSERT_EQUAL(l->kind, rows[i].wanted);
            CU_ASSERT_EQUAL(l->core, rows[i].of);
            CU_ASSERT_STRING_EQUAL(l->name, rows[i].scope);
            CU_ASSERT_EQUAL(l->uarch != NULL, rows[i].known);
            CU_ASSERT_STRING_EQUAL(
                told, rows[i].known ? "" : "f:5: the counts of core LP are left out: adl has no such core");
            *told = '\0';
            CU_ASSERT_EQUAL(td_trace_lane(r, &again), 0); /* told once */
            CU_ASSERT(again == l && t->nlanes == 1 && !*told);
        }
        end();
    }
}

/* Names of scopes and events are written as they are shown; other fields are not names. */
static void originals(void)
{
    begin(NULL);
    set(TD_COL_SCOPE, "a\\x1bb");
    set(TD_COL_EVENT, "\\x07c");
    set(TD_COL_KIND, "\\x07c");
    td_trace_originals(r);
    CU_ASSERT(r->bytes.length[TD_COL_SCOPE] == 3 && !memcmp(td_trace_field(r, TD_COL_SCOPE), "a\033b", 3));
    CU_ASSERT(r->bytes.length[TD_COL_EVENT] == 2 && !memcmp(td_trace_field(r, TD_COL_EVENT), "\007c", 2));
    CU_ASSERT_STRING_EQUAL(td_trace_field(r, TD_COL_KIND), "\\x07c");
    set(TD_COL_SCOPE, "plain");
    td_trace_originals(r);
    CU_ASSERT_EQUAL(r->bytes.length[TD_COL_SCOPE], 5);
    CU_ASSERT_STRING_EQUAL(td_trace_field(r, TD_COL_SCOPE), "plain");
    end();
}

/* Lanes by the dozen, each found again. */
static void many(void)
{
    char name[20];

    begin("skl");
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 50; i++) {
            struct td_trace_lane *l = NULL;

            snprintf(name, sizeof(name), "CPU%u", i);
            set(TD_COL_SCOPE, name);
            set(TD_COL_KIND, "cpu");
            set(TD_COL_CORE, "");
            CU_ASSERT_EQUAL_FATAL(td_trace_lane(r, &l), 0);
            CU_ASSERT(l->number == i && l == &t->lane[i] && t->nlanes == (round ? 50 : i + 1));
            CU_ASSERT_STRING_EQUAL(l->name, name);
        }
    end();
}

static const CU_TestInfo tests[] = {
    {"numbers", numbers}, {"times and epochs", places},
    {"lanes", lanes},     {"names as they are shown", originals},
    {"many lanes", many}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("rows of traces", tests);
