/* SPDX-License-Identifier: MIT */
/* What the trace of a measurement has in its header, whose readings it holds, and when a machine's time began: on a
 * simulated machine. */
#include "live/meter.h"
#include "include/td_run.h"
#include "private/result.h"
#include "session/to_trace.h"
#include "tests/support/pieces.h"
#include "tests/support/sapphire_rapids.h"

#include <errno.h>

/* A trace that is written, until there is no room: then its write() fails. */
struct trace {
    struct log log;
    size_t room;
};

static int write_trace(void *ctx, const void *buf, size_t size)
{
    struct trace *t = ctx;

    if (size > t->room)
        return -ENOSPC;
    t->room -= size;
    put(&t->log, "%.*s", (int)size, (const char *)buf);
    return 0;
}

static struct td *machine(const char *text)
{
    struct source s = {text, strlen(text), 4096, 0};
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_machine(td, "m", source_read, &s) && !td_set_level(td, 1));
    return td;
}

static const struct td_live all = {.size = sizeof(all)};

static int measure(struct td *td)
{
    struct td_run_event event = {.size = sizeof(event)};
    int err = td_open_live(td, &all);

    for (int i = 0; i < 2 && !err; i++) {
        err = td_run_wait(td, td_run_now(td) + 1000000, -1, &event);
        err = err ? err : td_take(td);
    }
    return err ? err : td_record_flush(td);
}

static bool has_line(const struct log *l, const char *line)
{
    const size_t n = strlen(line);

    for (const char *at = l->text; at; at = strchr(at, '\n'), at += at != NULL)
        if (!strncmp(at, line, n) && (at[n] == '\n' || !at[n]))
            return true;
    return false;
}

#define UUID(text_) "file /proc/sys/kernel/random/uuid = " text_ "\n"
#define ABSENT(file_) "absent /sys/devices/system/cpu/cpu0/topology/" file_ "\n"
#define TOPOLOGY(text_) "file /sys/devices/system/cpu/cpu0/topology/thread_siblings_list = " text_ "\n"

/* What a trace says of the run that it is of: eight digits, where the kernel gives a UUID. */
static void runs(void)
{
    static const struct {
        const char *uuid, *run; /* NULL: none */
    } rows[] = {
        {UUID("0123abcd-0000-4000-8000-000000000000"), "# x-run: 0123abcd"},
        {UUID("89efabc0"), "# x-run: 89efabc0"},
        {UUID("89efabc"), NULL},
        {UUID("89efabc-0000-4000-8000-000000000000"), NULL},
        {UUID("0123abcg-0000-4000-8000-000000000000"), NULL},
        {UUID("0123abcde-000-4000-8000-000000000000"), NULL},
        {UUID("0123ABCD-0000-4000-8000-000000000000"), NULL},
        {"absent /proc/sys/kernel/random/uuid\n", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct trace t = {.room = SIZE_MAX};
        char text[4096];
        struct td *td;

        snprintf(text, sizeof(text), "%s%s", SAPPHIRE_RAPIDS, rows[i].uuid);
        td = machine(text);
        CU_ASSERT_EQUAL(td_set_record(td, NULL, write_trace, &t), 0);
        CU_ASSERT_EQUAL(measure(td), 0);
        CU_ASSERT_EQUAL(strstr(t.log.text, "# x-run: ") != NULL, rows[i].run != NULL);
        CU_ASSERT(!rows[i].run || has_line(&t.log, rows[i].run));
        td_free(td);
    }
}

/* The CPU by its id, or by the name that it was given. */
static void cpus(void)
{
    for (int named = 0; named < 2; named++) {
        struct trace t = {.room = SIZE_MAX};
        struct td *td = machine(SAPPHIRE_RAPIDS);

        CU_ASSERT_FATAL(!named || !td_set_uarch(td, "emr"));
        CU_ASSERT_EQUAL(td_set_record(td, NULL, write_trace, &t), 0);
        CU_ASSERT_EQUAL(measure(td), 0);
        CU_ASSERT(has_line(&t.log, named ? "# cpu: emr" : "# cpu: GenuineIntel-6-8F-8"));
        CU_ASSERT(has_line(&t.log, "# source: simulated") && has_line(&t.log, "# topology: cpus=2"));
        CU_ASSERT(has_line(&t.log, "# level: 1"));
        CU_ASSERT_PTR_NULL(strstr(t.log.text, "# scaled"));
        CU_ASSERT_PTR_NULL(strstr(t.log.text, "# command"));
        CU_ASSERT_PTR_NULL(strstr(t.log.text, "# x-began-ns")); /* of regions only */
        td_free(td);
    }
}

/* Whether two siblings share a core: known by the machine's files, or not. */
static void smt(void)
{
    static const struct {
        const char *more, *line;
    } rows[] = {
        {TOPOLOGY("0-1"), "# smt: on"},
        {TOPOLOGY("0"), "# smt: off"},
        {ABSENT("thread_siblings_list") ABSENT("core_id"), "# smt: unknown"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct trace t = {.room = SIZE_MAX};
        char text[4096];
        struct td *td;

        snprintf(text, sizeof(text), "%s%s", SAPPHIRE_RAPIDS, rows[i].more);
        td = machine(text);
        CU_ASSERT_EQUAL(td_set_record(td, NULL, write_trace, &t), 0);
        CU_ASSERT_EQUAL(measure(td), 0);
        CU_ASSERT(has_line(&t.log, rows[i].line));
        td_free(td);
    }
}

/* Of several calls the last one counts: its command, and where it writes. */
static void commands(void)
{
    static const char *const last[] = {"make all", NULL};

    for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++) {
        struct trace first = {.room = SIZE_MAX}, second = {.room = SIZE_MAX};
        struct td *td = machine(SAPPHIRE_RAPIDS);

        CU_ASSERT_EQUAL(td_set_record(td, "first", write_trace, &first), 0);
        CU_ASSERT_EQUAL(td_set_record(td, last[i], write_trace, &second), 0);
        CU_ASSERT_EQUAL(measure(td), 0);
        CU_ASSERT_EQUAL(first.log.n, 0);
        CU_ASSERT_EQUAL(has_line(&second.log, "# command: make all"), last[i] != NULL);
        CU_ASSERT_EQUAL(strstr(second.log.text, "# command: ") != NULL, last[i] != NULL);
        td_free(td);
    }
}

/* One header, however many readings follow. */
static void readings(void)
{
    struct trace t = {.room = SIZE_MAX};
    struct td *td = machine(SAPPHIRE_RAPIDS);
    size_t headers = 0;

    CU_ASSERT_EQUAL(td_set_record(td, NULL, write_trace, &t), 0);
    CU_ASSERT_EQUAL(measure(td), 0);
    for (const char *at = t.log.text; (at = strstr(at, "# tdprobe-trace: 1\n")); at++)
        headers++;
    CU_ASSERT_EQUAL(headers, 1);
    td_free(td);
}

/* What cannot be written is said by the call that flushes it. */
static void full(void)
{
    struct trace t = {.room = 0};
    struct td *td = machine(SAPPHIRE_RAPIDS);

    CU_ASSERT_EQUAL(td_record_flush(td), 0); /* nothing is recorded */
    CU_ASSERT_EQUAL(td_set_record(td, NULL, write_trace, &t), 0);
    CU_ASSERT_EQUAL(measure(td), -ENOSPC);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the trace cannot be written: No space left on device");
    same_log(&t.log, "", 4096);
    td_free(td);
}

/* ---- when time began ------------------------------------------------------------------------------ */

static uint64_t a_date(void *ctx)
{
    (void)ctx;
    return UINT64_C(1700000000123456789);
}

/* A machine that has a date: the first opening says when time 0 was, and others change nothing. */
static void clocks(void)
{
    struct td *td = machine(SAPPHIRE_RAPIDS), *without = machine(SAPPHIRE_RAPIDS);
    struct td_os os = *td_session_os(td);
    struct td_origin_info from = {.size = sizeof(from)};
    uint64_t began, monotonic, realtime;

    os.realtime = a_date;
    td->os = &os;
    CU_ASSERT_PTR_NULL(td_recording_started(td, &monotonic, &realtime));
    CU_ASSERT_EQUAL(monotonic, 0);
    CU_ASSERT_EQUAL(realtime, 0);
    began = td_run_now(td);
    CU_ASSERT_EQUAL(measure(td), 0);
    CU_ASSERT(began > 0 && td_run_now(td) > began);
    CU_ASSERT_EQUAL(td->meter->stream.monotonic, td->meter->readings.start);
    CU_ASSERT(td->meter->readings.start >= began);
    CU_ASSERT_EQUAL(td->meter->stream.realtime, UINT64_C(1700000000123456789));
    began = td->meter->readings.start;
    CU_ASSERT_EQUAL(td->meter->readings.epoch, 0);
    CU_ASSERT_EQUAL(measure(td), 0);
    CU_ASSERT_EQUAL(td->meter->readings.epoch, 1);
    CU_ASSERT(td->meter->readings.start == began && td->meter->stream.monotonic == began);
    (void)td_recording_started(td, &monotonic, &realtime);
    CU_ASSERT_EQUAL(td_origin_about(td, &from), 0);
    CU_ASSERT(from.cpu && !strcmp(from.cpu, "spr") && !from.command);
    CU_ASSERT_EQUAL(monotonic, began);
    CU_ASSERT_EQUAL(realtime, UINT64_C(1700000000123456789));
    td_free(td);
    CU_ASSERT_EQUAL(measure(without), 0);
    CU_ASSERT(without->meter->stream.monotonic == 0 && without->meter->stream.realtime == 0);
    td_free(without);
}

static const CU_TestInfo tests[] = {
    {"runs", runs},         {"CPUs", cpus}, {"SMT", smt},       {"commands", commands},
    {"readings", readings}, {"full", full}, {"clocks", clocks}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("recorded measurements", tests);
