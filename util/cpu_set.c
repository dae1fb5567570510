/* SPDX-License-Identifier: MIT */
#include "util/cpu_list.h"

#include "util/room.h"
#include "private/plan.h"

bool td_cpu_set_empty(const struct td_cpu_set *s)
{
    return td_bits_empty(&s->ids);
}

bool td_cpu_set_has(const struct td_cpu_set *s, unsigned cpu)
{
    return td_bits_has(&s->ids, cpu);
}

static int make_room(struct td_cpu_set *s, unsigned last)
{
    const size_t words = td_bits_words((size_t)last + 1), had = s->ids.words;
    size_t room = had;
    int err = words > had ? td_room(&s->ids.word, &room, words, sizeof(*s->ids.word)) : 0;

    if (err)
        return err;
    s->ids.words = room;
    for (size_t i = had; i < room; i++)
        s->ids.word[i] = 0;
    return 0;
}

int td_cpu_set_add(struct td_cpu_set *s, unsigned first, unsigned last)
{
    int err = make_room(s, last);

    for (unsigned cpu = first; !err && cpu <= last; cpu++)
        td_bits_add(&s->ids, cpu);
    return err;
}

unsigned td_cpu_set_next(const struct td_cpu_set *s, unsigned cpu)
{
    const size_t next = td_bits_next(&s->ids, cpu);

    return next == SIZE_MAX ? TD_CPUS_MAX : (unsigned)next;
}

void td_cpu_set_free(struct td_cpu_set *s)
{
    td_bits_free(&s->ids);
}
