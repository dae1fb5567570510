/* SPDX-License-Identifier: MIT */
/* Random numbers that anybody can check. */
#include "stats/chance.h"
#include "tests/support/unit.h"

/* The 10000th number of the generator as it is begun by 5489: ISO/IEC 14882:2017, 29.6.5.5 (rand.predef), mt19937. */
static void known(void)
{
    struct td_chance *c = td_chance_available() ? td_chance_new(5489) : NULL;
    uint32_t bits = 0;

    if (!td_chance_available())
        return;
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    for (int i = 0; i < 10000; i++)
        bits = td_chance_bits(c);
    CU_ASSERT_EQUAL(bits, UINT32_C(4123659995));
    td_chance_free(c);
}

/* Every number of the first four refills, by the recurrence of the paper written as one long sequence. */
static void recurrence(void)
{
    enum { N = TD_CHANCE_WORDS, ALL = 5 * N };
    static uint32_t x[ALL];
    struct td_chance *c = td_chance_available() ? td_chance_new(7) : NULL;
    size_t wrong = 0;

    x[0] = 7;
    for (uint32_t i = 1; i < N; i++)
        x[i] = 1812433253U * (x[i - 1] ^ (x[i - 1] >> 30)) + i;
    for (size_t i = N; c && i < ALL; i++) {
        const uint32_t joined = (x[i - N] & 0x80000000U) + (x[i - N + 1] & 0x7fffffffU);
        uint32_t y = x[i] = x[i - N + 397] ^ (joined >> 1) ^ (joined % 2 ? 0x9908b0dfU : 0);

        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680U;
        y ^= (y << 15) & 0xefc60000U;
        wrong += td_chance_bits(c) != (y ^ (y >> 18));
    }
    CU_ASSERT_EQUAL(wrong, 0);
    td_chance_free(c);
}

/* Of n results each has as many of the 2^32 numbers, and what is left over is drawn again; ratios are the numbers, from
 * 0 to below 1. */
static void parts(void)
{
    static const size_t all[] = {1, 2, 3, 7, 1000, 4294967295};

    for (size_t i = 0; td_chance_available() && i < sizeof(all) / sizeof(*all); i++) {
        struct td_chance *a = td_chance_new(0), *b = td_chance_new(4357);
        const uint64_t each = UINT32_MAX / all[i];
        size_t wrong = 0;

        CU_ASSERT_FATAL(a && b);
        for (int k = 0; k < 5000; k++) {
            uint32_t bits = td_chance_bits(b);

            while (bits >= each * all[i])
                bits = td_chance_bits(b);
            wrong += td_chance_below(a, all[i]) != bits / each;
        }
        wrong += td_chance_ratio(a) != td_chance_bits(b) / 4294967296.0;
        CU_ASSERT_EQUAL(wrong, 0);
        td_chance_free(a);
        td_chance_free(b);
    }
}

static const CU_TestInfo tests[] = {
    {"known numbers", known},
    {"the recurrence", recurrence},
    {"parts", parts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("chance", tests);
