/* SPDX-License-Identifier: MIT */
/* Events as perf writes them, taken apart: "slots:u", "cpu_core/topdown-retiring/",
 * "cpu/event=0x9c,umask=0x1/", "cpu/INT_MISC.RECOVERY_CYCLES,cmask=1,edge/", "r19c". */
#ifndef TD_EVENT_TEXT_H
#define TD_EVENT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct td_event_text {
    char pmu[32]; /* "" if none is named */
    char name[96]; /* "" if it is given by its encoding */
    bool generic; /* a name that perf gives to an event of every CPU */
    bool coded; /* has event= or config=, or is a raw event */
    bool special; /* has a term that makes it another event than its encoding says */
    bool percore; /* is added up over the threads of a core, which makes it another event */
    bool latency; /* is the event's mean retire latency, not its count */
    uint64_t config; /* with coded */
    uint64_t config1; /* for an extra register, with has_config1 */
    bool has_config1;
    uint64_t change, mask; /* what terms besides event= set, and which bits of a config */
    unsigned modes; /* TD_MODE_* asked for by modifiers; 0: all */
};

void td_event_text_parse(const char *text, struct td_event_text *out);

#endif
