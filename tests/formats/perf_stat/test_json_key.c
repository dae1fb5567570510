/* SPDX-License-Identifier: MIT */
/* The keys of perf stat -j, also where another program wrote '_' in place of '-'. */
#include "formats/perf_stat/perf_json.h"
#include "tests/support/unit.h"

#include <string.h>

static void keys(void)
{
    static const struct {
        const char *name;
        int key;
    } all[] = {
        {"interval", TD_JSON_TIME},
        {"counter-value", TD_JSON_VALUE},
        {"counter_value", TD_JSON_VALUE},
        {"event", TD_JSON_EVENT},
        {"event-runtime", TD_JSON_RUN},
        {"event_runtime", TD_JSON_RUN},
        {"pcnt-running", TD_JSON_PERCENT},
        {"metric-unit", TD_JSON_METRIC},
        {"metric-value", TD_JSON_RATIO},
        {"aggregate-number", TD_JSON_MEMBERS},
        {"cpu-count", TD_JSON_MEMBERS},
        {"cpu_count", TD_JSON_MEMBERS},
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
        {"", TD_JSON_KEYS},
        {"unit", TD_JSON_KEYS},
        {"interva", TD_JSON_KEYS},
        {"intervals", TD_JSON_KEYS},
        {"Interval", TD_JSON_KEYS},
        {"counter value", TD_JSON_KEYS},
        {"counter-", TD_JSON_KEYS},
        {"cpu-", TD_JSON_KEYS},
        {"_", TD_JSON_KEYS},
        {"ev_nt", TD_JSON_KEYS},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT_EQUAL(td_json_key(all[i].name, strlen(all[i].name)), all[i].key);
    CU_ASSERT_EQUAL(td_json_key("cpu-count", 3), TD_JSON_CPU); /* the name has no end of its own */
    CU_ASSERT_EQUAL(td_json_key("node\"", 4), TD_JSON_NODE);
}

static const CU_TestInfo tests[] = {
    {"keys", keys},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("keys of perf stat -j", tests);
