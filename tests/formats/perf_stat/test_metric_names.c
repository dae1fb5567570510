/* SPDX-License-Identifier: MIT */
/* Metrics that perf prints beside counts: which names are nodes, which other metrics, and what numbers are shares. */
#include "backends/nodes.h"
#include "core/stream.h"
#include "formats/perf_stat/metric_names.h"
#include "tests/support/pieces.h"

static const char *name_of(uint16_t hint)
{
    static char text[100];

    if (hint == TD_HINT_NONE || hint == TD_HINT_OTHER)
        return hint ? "other" : "none";
    snprintf(text, sizeof(text), "%s%s", hint >= TD_HINT_PLAIN ? "" : "tma_",
             td_node_name(hint >= TD_HINT_PLAIN ? hint - (unsigned)TD_HINT_PLAIN : hint - 1u));
    return text;
}

/* A unit, the name and a remark are apart by two blanks; what has blanks, a slash or no letter first is a rate. */
static void names(void)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"", "none"},
        {"  ", "none"},
        {"%", "none"},
        {"% % ", "none"},
        {"retiring", "retiring"},
        {"Retiring", "retiring"},
        {"retiring  ", "retiring"},
        {"  %  retiring", "retiring"},
        {"%retiring", "retiring"},
        {"%  tma_retiring", "tma_retiring"},
        {"bad speculation", "bad_speculation"},
        {"bad-speculation", "bad_speculation"},
        {"branch mispredict", "branch_mispredicts"},
        {"ifetch_bandwidth", "fetch_bandwidth"},
        /* of a hybrid's PMU, or of both threads of a core */
        {"cpu_core/retiring", "retiring"},
        {"cpu_atom retiring", "retiring"},
        {"cpu_corx/retiring", "none"},
        {"cpu_coresretiring", "other"},
        {"cpu_core/", "none"},
        {"cpu_core/retiring  x", "retiring"},
        {"tmaxretiring", "other"},
        {"retiring_smt", "retiring"},
        {"retiring_SMT  x", "retiring"},
        {"retiring_smx", "other"},
        {"%  tma_bad_speculation", "tma_bad_speculation"},
        {"retiring  x", "retiring"},
        {"x  retiring", "retiring"},
        {"x y  retiring  z", "retiring"},
        {"x", "other"},
        {"x  y", "other"},
        {"x  y/z", "none"},
        {"x y", "none"},
        {"x retiring", "none"},
        {"M/sec", "none"},
        {"GHz", "none"},
        {"GHzx", "other"},
        {"GH", "other"},
        {"GHx", "other"},
        {"gHz", "other"},
        {"CPUs utilized", "none"},
        {"5x", "none"},
        {"_x", "none"},
        {"@x", "none"},
        {"[x", "none"},
        {"`x", "none"},
        {"{x", "none"},
        {"ax", "other"},
        {"zx", "other"},
        {"Ax", "other"},
        {"Zx", "other"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *got = name_of(td_printed_name(rows[i].text, strlen(rows[i].text)));

        if (strcmp(got, rows[i].wanted))
            printf("\n    '%s' is %s, not %s", rows[i].text, got, rows[i].wanted);
        CU_ASSERT_STRING_EQUAL(got, rows[i].wanted);
    }
    CU_ASSERT_STRING_EQUAL(name_of(td_printed_name("retiring", 7)), "other"); /* "retirin" */
    CU_ASSERT_EQUAL(td_printed_name("%x", 1), TD_HINT_NONE);
}

/* What follows a count: "NAME=SHARE/UNIT" of each node whose number is a share, with "!" where another was printed. */
static void shares(void)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"", ""},
        {"#     25.1 %  tma_retiring", "tma_retiring=0.251/0.001 "},
        {"#     25,1 %  tma_retiring", "tma_retiring=0.251/0.001 "},
        {"  #  25.13%  retiring", "retiring=0.2513/0.0001 "},
        {"#  0.25 retiring", "retiring=0.25/0.01 "},
        {"#  1.00 retiring", "retiring=1/0.01 "},
        {"#  1.01 retiring", ""}, /* more than all */
        {"#  100.0 % retiring", "retiring=1/0.001 "},
        {"#  100.1 % retiring", ""},
        {"#  25 % retiring", ""}, /* without decimals it may be a number of anything */
        {"#  1 retiring", ""},
        {"#  nan %  retiring", ""},
        {"#  inf %  retiring", ""},
        {"#  % retiring", ""},
        {"#  25.1 %  other_metric", ""},
        {"#  25.1 M/sec", ""},
        {"#  0.1234567890123 retiring", "retiring=0.1234567890123/1e-13 "}, /* 15 bytes */
        {"#  0.12345678901234 retiring", ""},
        {"#  25.1 % retiring  #  30.2 % bad speculation", "retiring=0.251/0.001 bad_speculation=0.302/0.001 "},
        {"#  25.1 % retiring  #  25.1 % retiring", "retiring=0.251/0.001 "},
        {"#  25.1 % retiring  #  25.2 % retiring", "retiring=0.251/0.001! "},
        {"#  25.1 % retiring  #  25.2 % tma_retiring", "retiring=0.251/0.001 tma_retiring=0.252/0.001 "},
        {"#  25.1 % retiring  (50.00%)  # 30.2 % bad speculation", "retiring=0.251/0.001 "},
        {"#  25.1 % retiring <--- 7  # 30.2 % bad speculation", "retiring=0.251/0.001 bad_speculation=0.302/0.001 "},
        {"#  25.1 % retiring <--- 7 (50.00%)", "retiring=0.251/0.001 "},
        {"(50.00%) # 25.1 % retiring", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_printed_memory memory = {.next = 0};
        struct td_hints hints = {.nsets = 0};
        struct td_printed_shares all = {.n = 0};
        struct log l = {.n = 0};

        td_printed_rest(&memory, &hints, &all, rows[i].text);
        for (size_t k = 0; k < all.n; k++)
            put(&l, "%s=%.13g/%.3g%s ", name_of(all.of[k].hint), all.of[k].share, all.of[k].unit,
                all.of[k].several ? "!" : "");
        if (!same_log(&l, rows[i].wanted, 0))
            printf("\n    of '%s'", rows[i].text);
        td_hints_free(&hints);
    }
}

/* So many different nodes are kept; of these what comes later is still looked at. */
static void many(void)
{
    struct td_printed_memory memory = {.next = 0};
    struct td_hints hints = {.nsets = 0};
    struct td_printed_shares all = {.n = 0};
    char text[100];

    for (unsigned i = 0; i < TD_PRINTED_SHARES + 1; i++) {
        snprintf(text, sizeof(text), "# 0.%u1 tma_%s", i, td_node_name(i));
        td_printed_rest(&memory, &hints, &all, text);
        CU_ASSERT_EQUAL(all.n, i < TD_PRINTED_SHARES ? i + 1 : TD_PRINTED_SHARES);
    }
    for (unsigned i = 0; i < TD_PRINTED_SHARES; i++)
        CU_ASSERT(all.of[i].hint == td_hint_published(i) && !all.of[i].several);
    snprintf(text, sizeof(text), "# 0.99 tma_%s", td_node_name(TD_PRINTED_SHARES - 1));
    td_printed_rest(&memory, &hints, &all, text);
    CU_ASSERT(all.of[TD_PRINTED_SHARES - 1].several && !all.of[TD_PRINTED_SHARES - 2].several);
    td_hints_free(&hints);
}

/* The set of all that a line's rest names; numbers may be missing. */
static void sets(void)
{
    static const struct {
        const char *text;
        uint16_t hint[3]; /* rising */
        size_t n;
    } rows[] = {
        {"", {0}, 0},
        {"# 1.5 GHz", {0}, 0},
        {"# retiring", {TD_HINT_PLAIN}, 1},
        {"# nan %  tma_retiring", {1}, 1},
        {"# inf x", {TD_HINT_OTHER}, 1},
        {"# nanretiring", {TD_HINT_PLAIN}, 1},
        {"# naxretiring", {TD_HINT_OTHER}, 1},
        {"# infretiring", {TD_HINT_PLAIN}, 1},
        {"# inxretiring", {TD_HINT_OTHER}, 1},
        {"# 1.5 tma_retiring # 2 x # 3 retiring", {1, TD_HINT_OTHER, TD_HINT_PLAIN}, 3},
        {"# 1.5 retiring # 2 retiring", {TD_HINT_PLAIN}, 1},
        {"# 1.5 retiring (1.00%) # 2 x", {TD_HINT_PLAIN}, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_printed_memory memory = {.next = 0};
        struct td_printed_shares shares = {.n = 0};
        struct td_hints hints = {.nsets = 0};
        const uint16_t *hint = NULL;
        const uint32_t set = td_printed_rest(&memory, &hints, &shares, rows[i].text);
        const size_t n = td_hints_members(&hints, set, &hint);

        CU_ASSERT_EQUAL_FATAL(n, rows[i].n);
        for (size_t k = 0; k < n; k++)
            CU_ASSERT_EQUAL(hint[k], rows[i].hint[k]);
        td_hints_free(&hints);
    }
}

/* A name that is too long to be a node's is not taken for the one before it. */
static void too_long(void)
{
    static const char name[] = "retiring_and_so_on_until_it_is_longer_than_all_nodes";
    const uint16_t first = td_printed_name("retiring", strlen("retiring")),
                   second = td_printed_name(name, strlen(name));

    CU_ASSERT(first == TD_HINT_PLAIN && second == TD_HINT_OTHER);
}

static const char *const other_names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"};

/* Names are looked up once: 16 of up to 40 bytes are remembered, and a further one replaces that which was used
 * longest ago. */
static void remembered(void)
{
    static const char name[] = "forty-one-bytes-of-a-name-that-is-no-node";
    struct td_printed_memory m = {.next = 0};
    struct td_hints hints = {.nsets = 0};

    td_printed_again(&m, &hints, name, 41);
    CU_ASSERT(!m.next && !m.name[0].len);
    td_printed_again(&m, &hints, name, 40);
    CU_ASSERT(m.next == 1 && m.name[0].len == 40 && !memcmp(m.name[0].text, name, 40));
    for (unsigned i = 0; i < 15; i++)
        td_printed_again(&m, &hints, other_names[i], 1);
    CU_ASSERT(!m.next && m.name[15].len == 1 && *m.name[15].text == 'o' && m.name[0].len == 40);
    m.name[0].printed = 77;
    CU_ASSERT_EQUAL(td_printed_again(&m, &hints, name, 40), 77);
    CU_ASSERT_EQUAL(m.next, 1);
    m.name[14].printed = 78;
    CU_ASSERT_EQUAL(td_printed_again(&m, &hints, "n", 1), 78);
    CU_ASSERT_EQUAL(m.next, 15);
    td_printed_again(&m, &hints, "x", 1);
    CU_ASSERT(!m.next && *m.name[15].text == 'x' && *m.name[14].text == 'n');
    CU_ASSERT(m.name[15].hint == TD_HINT_OTHER && m.name[0].printed == 77);
    td_hints_free(&hints);
}

/* A number is passed over where it is the one that its name had before, and not where another name had it in the same
 * place of the memory. */
static void numbers(void)
{
    struct td_printed_memory m = {.next = 0};
    struct td_hints hints = {.nsets = 0};
    struct td_printed_shares all = {.n = 0};
    char text[40];

    td_printed_rest(&m, &hints, &all, "# 0.25 retiring");
    CU_ASSERT(m.name[0].digits == 4 && !memcmp(m.name[0].number, "0.25", 4));
    td_printed_rest(&m, &hints, &all, "# 0.25 retiring # 123456789012345 retiring");
    CU_ASSERT(all.n == 1 && !all.of[0].several && m.name[0].digits == 15);
    td_printed_rest(&m, &hints, &all, "# 1234567890123456 retiring");
    CU_ASSERT_EQUAL(m.name[0].digits, 0);
    td_printed_rest(&m, &hints, &all, "# 0.35 retiring");
    CU_ASSERT(all.n == 1 && all.of[0].several);
    all.n = 0;
    for (unsigned i = 0; i < 15; i++) {
        snprintf(text, sizeof(text), "# 1 %s", other_names[i]);
        td_printed_rest(&m, &hints, &all, text);
    }
    CU_ASSERT(!m.next && m.name[0].digits == 4);
    td_printed_rest(&m, &hints, &all, "# 0.35 tma_retiring");
    CU_ASSERT(m.next == 1 && all.n == 1 && all.of[0].share == 0.35);
    td_hints_free(&hints);
}

static const CU_TestInfo tests[] = {
    {"names that are too long", too_long},
    {"names that are remembered", remembered},
    {"numbers that are remembered", numbers},
    {"names of metrics", names},
    {"shares beside counts", shares},
    {"many shares", many},
    {"sets of metrics", sets},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("names of metrics", tests);
