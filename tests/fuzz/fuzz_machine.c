/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a machine's description; the machine is then measured. */
#include "tests/fuzz/fuzz.h"

#include "session/session.h"

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

static void ignore(void *ctx, const struct td_finding *f)
{
    (void)ctx;
    require(f->text && *f->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const pid_t task = 701;
    static const struct td_live whats[] = {{0}, {.by = TD_BY_CPU}, {.tasks = &task, .ntasks = 1, .by = TD_BY_THREAD}, {.by = TD_BY_CORE}};
    struct input in = {.data = data, .size = size};
    struct td *td = td_new();

    if (td && size) {
        in.data++, in.size--;
        if (data[0] & 4)
            td_set_level(td, 2);
        if (data[0] & 0x40)
            td_set_source(td, "msr");
        if (!td_set_machine(td, "fuzz", give, &in)) {
            if (data[0] & 8)
                td_doctor(td, ignore, NULL);
            measure(td, &whats[data[0] & 3]);
        }
    }
    td_free(td);
    return 0;
}
