/* SPDX-License-Identifier: MIT */
#include "core/stream.h"

#include "util/room.h"

const char *td_times_name(enum td_times t)
{
    static const char *const names[] = {[TD_TIMES_RECORDED] = "recorded",
                                        [TD_TIMES_RELATIVE] = "relative",
                                        [TD_TIMES_CPUS] = "cpus",
                                        [TD_TIMES_TASKS] = "tasks"};

    return names[t];
}

void td_interval_between(struct td_interval *v, const struct td_snap *from, const struct td_snap *to)
{
    const bool recorded = from->untimed || to->untimed || to->elapsed > from->elapsed;
    const uint64_t begin = recorded ? from->elapsed : from->time, end = recorded ? to->elapsed : to->time;

    v->at.duration = end > begin ? end - begin : 0;
    v->switches_known = from->switches_known && to->switches_known && to->switches >= from->switches;
    v->switches = v->switches_known ? (double)(to->switches - from->switches) : 0;
}

struct td_interval *td_stream_interval(struct td_stream *s)
{
    struct td_interval *v;

    if (td_room_zeroed(&s->batch, &s->room, s->nbatch + 1, sizeof(*s->batch)))
        return NULL;
    v = &s->batch[s->nbatch++];
    *v = (struct td_interval){.counts = {.room = v->counts.room, .c = v->counts.c}}; /* the array is used again */
    return v;
}

void td_stream_free(struct td_stream *s)
{
    for (size_t i = 0; i < s->room; i++)
        td_counts_free(&s->batch[i].counts);
    free(s->batch);
    s->batch = NULL;
    s->room = s->nbatch = 0;
    free(s->host);
    free(s->command);
    free(s->started);
    free(s->labels);
    s->host = s->command = s->started = s->labels = NULL;
    td_texts_free(&s->texts);
    td_hints_free(&s->hints);
}
