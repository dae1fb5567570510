/* SPDX-License-Identifier: MIT */
/* The keys of perf stat -j that make up a row. */
#include "formats/perf_stat/perf_json.h"

/* Recordings that another program rewrote may have '_' in place of '-'. */
static bool is_key(const char *key, size_t len, const char *name)
{
    while (len && *name && (*key == *name || (*key == '_' && *name == '-')))
        key++, name++, len--;
    return !len && !*name;
}

int td_json_key(const char *name, size_t len)
{
    /* aggregate-number is in perf 6.1 and most later ones, cpu-count in a few, counters in 6.17 */
    static const struct {
        const char *name;
        enum td_json_key key;
    } keys[] = {
        {"interval", TD_JSON_TIME},
        {"counter-value", TD_JSON_VALUE},
        {"event", TD_JSON_EVENT},
        {"event-runtime", TD_JSON_RUN},
        {"pcnt-running", TD_JSON_PERCENT},
        {"metric-unit", TD_JSON_METRIC},
        {"metric-value", TD_JSON_RATIO},
        {"aggregate-number", TD_JSON_MEMBERS},
        {"cpu-count", TD_JSON_MEMBERS},
        {"counters", TD_JSON_MEMBERS},
        {"cgroup", TD_JSON_CGROUP},
        {"thread", TD_JSON_THREAD},
        {"cpu", TD_JSON_CPU},
        {"core", TD_JSON_CORE},
        {"cache", TD_JSON_CACHE},
        {"cluster", TD_JSON_CLUSTER},
        {"die", TD_JSON_DIE},
        {"socket", TD_JSON_SOCKET},
        {"node", TD_JSON_NODE},
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (is_key(name, len, keys[i].name))
            return (int)keys[i].key;
    return TD_JSON_KEYS;
}
