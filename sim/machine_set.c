/* SPDX-License-Identifier: MIT */
/* Sets of CPUs and their texts, as the kernel writes them: "0-3,8". */
#include "machine_parts.h"

#include "number.h"

#include <stdio.h>
#include <string.h>

bool td_sim_set_has(const struct td_sim_set *s, unsigned cpu)
{
    return cpu < TD_SIM_CPUS && (s->word[cpu / 64] >> (cpu % 64) & 1);
}

void td_sim_set_add(struct td_sim_set *s, unsigned cpu)
{
    s->word[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

bool td_sim_set_read(const char *text, struct td_sim_set *out, uint16_t *order, size_t *n)
{
    size_t count = 0;

    *out = (struct td_sim_set){0};
    for (;;) {
        size_t len = strcspn(text, ","), first = strcspn(text, ",-");
        uint64_t low, high;

        if (td_number_u64(text, first, &low))
            return false;
        high = low;
        if (first < len && td_number_u64(text + first + 1, len - first - 1, &high))
            return false;
        if (high >= TD_SIM_CPUS || low > high)
            return false;
        for (; low <= high; low++) {
            if (td_sim_set_has(out, (unsigned)low))
                return false;
            td_sim_set_add(out, (unsigned)low);
            if (order)
                order[count] = (uint16_t)low;
            count++;
        }
        if (!text[len])
            break;
        text += len + 1;
    }
    if (n)
        *n = count;
    return true;
}

void td_sim_set_text(const struct td_sim_set *s, char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < TD_SIM_CPUS && at < size; i++) {
        unsigned end = i;

        if (!td_sim_set_has(s, i))
            continue;
        while (td_sim_set_has(s, end + 1))
            end++;
        if (end > i)
            at += (size_t)snprintf(out + at, size - at, "%s%u-%u", at ? "," : "", i, end);
        else
            at += (size_t)snprintf(out + at, size - at, "%s%u", at ? "," : "", i);
        i = end;
    }
    if (at + 1 < size)
        memcpy(out + at, "\n", 2);
}
