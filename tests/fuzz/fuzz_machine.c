/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a machine's description; the machine is then measured, or sampled. */
#include "tests/fuzz/fuzz.h"

#include "include/td_run.h"
#include "include/td_sampling.h"
#include "session/session.h"

#include <errno.h>

static void measure(struct td *td, const struct td_live *what)
{
    const struct td_os *os = td_session_os(td);
    const struct td_result *r;
    struct td_os_event event;

    if (td_open_live(td, what))
        return;
    for (int i = 0; i < 3; i++) {
        os->wait(os->ctx, os->now(os->ctx) + 20000000, -1, &event);
        if (td_take(td))
            return;
        while (!td_next(td, &r))
            fuzz_check(r, false);
    }
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        fuzz_check(r, true);
}

/* ---- samples ------------------------------------------------------------------------------ */

enum { FILE_MOST = 4 << 20, TAKES = 8 };

/* A recording in memory. */
struct file {
    uint8_t *at;
    size_t n, room;
};

static int write_file(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    struct file *f = ctx;

    require(at == f->n || (at == 0 && n <= f->n)); /* in order, but for the beginning again */
    if (at + n > FILE_MOST)
        return -EFBIG;
    if (at + n > f->room) {
        uint8_t *grown = realloc(f->at, 2 * (at + n));

        if (!grown)
            return -ENOMEM;
        f->at = grown;
        f->room = 2 * (at + n);
    }
    if (n)
        memcpy(f->at + at, bytes, n);
    f->n = at + n > f->n ? at + n : f->n;
    return 0;
}

/* What was recorded is read, unless nothing can be made of its events. */
static void read_back(const struct file *f)
{
    struct input in = {.data = f->at, .size = f->n};
    struct td *td = td_new();
    const struct td_result *r;

    if (td && !td_open(td, "fuzz", give, &in)) {
        while (!td_next(td, &r))
            fuzz_check(r, false);
        for (size_t i = 0; !td_summary(td, i, &r); i++)
            fuzz_check(r, true);
    }
    td_free(td);
}

static void take_some(struct td *td)
{
    struct td_run_event event = {.size = sizeof(event)};

    for (int i = 0; i < TAKES; i++) {
        td_run_wait(td, td_run_now(td) + 2000000, i % 2 ? -1 : td_sampling_fd(td), &event);
        if (td_sampling_take(td))
            return;
    }
}

static void sample(struct td *td, const struct td_live *what, unsigned options)
{
    char *argv[] = {"fuzz", NULL};
    struct td_live with = *what;
    pid_t pid = with.ntasks ? td_run_start(td, argv) : 0;
    struct td_sampling how = {.size = sizeof(struct td_sampling),
                              .what = &with,
                              .period = options & 0x20 ? 100000 : 3000000,
                              .overhead = 1,
                              .leader = options & 0x40,
                              .callchains = options & 8,
                              .handler = true};
    struct td_sampling_info info = {.size = sizeof(info)};
    struct file file = {.n = 0};

    if (pid > 0) {
        with.tasks = &pid;
        with.on_exec = true;
    }
    if (!td_sampling_open(td, &how, write_file, &file)) {
        if (pid > 0)
            td_run_release(td);
        take_some(td);
        if (!td_sampling_end(td)) {
            require(!td_sampling_about(td, &info) && info.groups);
            read_back(&file);
        }
    }
    free(file.at);
}

static void ignore(void *ctx, const struct td_finding *f)
{
    (void)ctx;
    require(f->text && *f->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const pid_t task = 701;
    static const struct td_live whats[] = {
        {.size = sizeof(struct td_live)},
        {.size = sizeof(struct td_live), .by = TD_BY_CPU},
        {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1, .by = TD_BY_THREAD},
        {.size = sizeof(struct td_live), .by = TD_BY_CORE},
    };
    struct input in = {.data = data, .size = size};
    struct td *td = td_new();

    if (td && size) {
        in.data++, in.size--;
        if (data[0] & 4)
            td_set_level(td, 2);
        if ((data[0] & 0x50) == 0x50)
            td_set_source(td, "msr");
        if (!td_set_machine(td, "fuzz", give, &in)) {
            if ((data[0] & 0x18) == 0x18)
                td_doctor(td, ignore, NULL);
            if (data[0] & 0x10)
                measure(td, &whats[data[0] & 3]);
            else
                sample(td, &whats[data[0] & 3], data[0]);
        }
    }
    td_free(td);
    return 0;
}
