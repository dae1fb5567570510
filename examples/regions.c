/* SPDX-License-Identifier: MIT */
/* Named regions of a program, each with its top-down: numbers are sorted, and
 * pointers chased through memory, round after round.
 *
 *     regions            by the counters of this machine
 *     regions MACHINE    by those of a simulated one, tdprobe-machine(5) */
#include "machine.h"
#include "print.h"

#include <stdint.h>
#include <stdlib.h>
#include <td_regions.h>

enum { ROUNDS = 20, NUMBERS = 200000, LINKS = 1 << 18 };

static uint32_t numbers[NUMBERS], next[LINKS];
static uint64_t state = 88172645463325252;

static uint32_t random_below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

/* One ring through all links, in random order (Sattolo's shuffle). */
static void make_ring(void)
{
    for (uint32_t i = 0; i < LINKS; i++)
        next[i] = i;
    for (uint32_t i = LINKS - 1; i > 0; i--) {
        const uint32_t j = random_below(i), was = next[i];

        next[i] = next[j];
        next[j] = was;
    }
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static uint32_t chase(void)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < LINKS; i++)
        at = next[at];
    return at;
}

/* What begin and end return is ignored: a pass that cannot be measured is
 * counted as discarded, with its reason. */
static uint32_t work(struct td *td)
{
    const int whole = td_region(td, "round"), sorting = td_region(td, "sort"), chasing = td_region(td, "chase");
    uint32_t sum = 0;

    make_ring();
    for (int i = 0; i < ROUNDS; i++) {
        td_region_begin(td, whole);
        for (uint32_t k = 0; k < NUMBERS; k++)
            numbers[k] = random_below(UINT32_MAX);
        td_region_begin(td, sorting);
        qsort(numbers, NUMBERS, sizeof(*numbers), compare);
        td_region_end(td, sorting);
        td_region_begin(td, chasing);
        sum += chase();
        td_region_end(td, chasing);
        td_region_end(td, whole);
    }
    return sum + numbers[NUMBERS / 2];
}

static int report(struct td *td)
{
    const struct td_result *r = NULL;
    struct td_region_info info = {.size = sizeof(info)};
    int err = 0;

    for (size_t i = 0; !(err = td_region_result(td, i, &info, &r)); i++) {
        printf("%s: %llu passes", info.name, (unsigned long long)info.passes);
        if (info.slots) /* not every CPU counts them */
            printf(", %llu slots", (unsigned long long)info.slots);
        printf("; discarded:");
        for (int why = 0; why < TD_DISCARDS; why++)
            printf(" %llu %s", (unsigned long long)info.discarded[why], td_discard_name((enum td_discard)why));
        printf("\n");
        print_metrics(r);
    }
    return err == -ENODATA ? 0 : err;
}

int main(int argc, char **argv)
{
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0.02}; /* shares within two points */
    struct td *td = td_new();
    int err = td ? 0 : -ENOMEM;

    if (!err)
        td_set_note(td, print_note, NULL);
    if (!err && argc > 1)
        err = use_machine(td, argv[1]);
    if (!err)
        err = td_open_self(td, &ask);
    if (!err) {
        if (argc > 1)
            printf("%s is simulated: these are the shares of its own workload, whatever this program does\n", argv[1]);
        printf("%s\n", td_machine_name(td));
        fprintf(stderr, "(result %lu)\n", (unsigned long)work(td));
        err = report(td);
    }
    if (err)
        fprintf(stderr, "regions: %s\n", what_failed(td, err));
    td_free(td);
    return err ? 1 : 0;
}
