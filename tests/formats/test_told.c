/* SPDX-License-Identifier: MIT */
/* Which CPU the text around counts names, as mails and reports of faults do: by the name that it is sold under, or by
 * lscpu's and cpuinfo's numbers (families and models: arch/x86/include/asm/intel-family.h). */
#include "tests/support/open_recording.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNTS " Performance counter stats for 'x':\n\n     5      slots\n     6      cycles\n"

static int nowhere(void *ctx, uint64_t offset)
{
    (void)ctx, (void)offset;
    return -ESPIPE;
}

/* seek: it is a file, of which also what is after the counts is looked at. */
static void tells(const char *text, bool seek, const char *wanted)
{
    static struct opened o;
    struct source from = {text, strlen(text), 1000, 0};
    const char *told;

    CU_ASSERT_EQUAL_FATAL(begin_recording(&o), 0);
    o.r->seek = seek ? nowhere : NULL;
    CU_ASSERT_EQUAL(td_recording_open(&o.r, source_read, &from, NULL), 0);
    CU_ASSERT_EQUAL(o.r->stream.told.nparts > 0, *wanted != '\0');
    told = o.r->stream.told.nparts ? o.r->stream.told.name : "";
    CU_ASSERT_STRING_EQUAL(told, wanted);
    if (strcmp(told, wanted))
        printf("\n    '%s' of\n%s", told, text);
    close_recording(&o);
}

#define XEON(number_) "model name : Intel(R) Xeon(R) Platinum " number_ " CPU @ 2.00GHz\n"

static void names(void)
{
    tells(COUNTS, false, "");
    tells(XEON("8480+") COUNTS, false, "spr");
    tells(XEON("8380") COUNTS, false, "icx");
    tells("on an AMD EPYC 9654 96-Core Processor here\n" COUNTS, false, "zen4");
    tells("AMD Ryzen 9 5950X 16-Core Processor\n" COUNTS, false, "zen3");
    tells("an AWS Graviton3 machine\n" COUNTS, false, "neoverse-v1");
    tells("on Ampere Altra Max\n" COUNTS, false, "neoverse-n1");
    tells("a Xeon Platinum 8480+\n" COUNTS, false, ""); /* it may be a name of anything */
    tells("Hello\n\n" XEON("8480+") "and so on\n" COUNTS, false, "spr");
    tells(XEON("8480+") XEON("8480+") COUNTS, false, "spr");
    tells(XEON("8480+") XEON("8380") COUNTS, false, ""); /* of which of them the counts are is not said */
    tells(XEON("8480+") XEON("8380") XEON("8380") COUNTS, false, "");
    tells(COUNTS XEON("8480+"), false, "");
    tells(COUNTS XEON("8480+"), true, "spr");
    tells(XEON("8380") COUNTS XEON("8480+"), true, "");
    tells(XEON("8380") COUNTS XEON("8480+"), false, "icx");
}

#define QUOTED "> Performance counter stats for 'x':\n> \n>      5      slots\n>      6      cycles\n"

/* Of a mail's quote. */
static void quoted(void)
{
    tells(QUOTED XEON("8480+"), false, "");
    tells(QUOTED XEON("8480+"), true, "spr");
    tells("> " XEON("8380") QUOTED XEON("8480+"), false, "icx");
}

#define LSCPU(family_, model_, stepping_) \
    "Vendor ID:   GenuineIntel\nModel name:  unknown\nCPU family:  " family_ "\nModel:       " model_ \
    "\nStepping:    " stepping_ "\n"
#define CPUINFO(family_, model_, stepping_) \
    "vendor_id\t: GenuineIntel\ncpu family\t: " family_ "\nmodel\t\t: " model_ "\nstepping\t: " stepping_ "\n"

static void numbers(void)
{
    tells(LSCPU("6", "143", "8") COUNTS, false, "spr");
    tells(LSCPU("6", "106", "6") COUNTS, false, "icx");
    tells(CPUINFO("6", "106", "6") COUNTS, false, "icx");
    tells(CPUINFO("6", "85", "4") COUNTS, false, "skx"); /* Cascade Lake from stepping 5 on */
    tells(CPUINFO("6", "85", "7") COUNTS, false, "clx");
    tells(LSCPU("6", "999", "8") COUNTS, false, "");
    tells("    Vendor ID: GenuineIntel\n\tCPU family: 6\n  Model: 143\n  Stepping: 8\n" COUNTS, false, "spr");
    tells("> Vendor ID: GenuineIntel\n> CPU family: 6\n> Model: 143\n" COUNTS, false, "");
    tells(XEON("8380") LSCPU("6", "143", "8") COUNTS, false, "icx"); /* a name is surer */
    tells(COUNTS LSCPU("6", "143", "8"), true, "spr");
    tells(COUNTS LSCPU("6", "143", "8"), false, "");
}

/* Lines of numbers are kept up to 200 bytes, of each the first 40 and a blank: 26 and 15 here, three times 41, and what
 * is then left below 200, or not. */
static void many_numbers(void)
{
    for (int last = 33; last <= 36; last++) {
        char text[600];

        snprintf(text, sizeof(text),
                 "Vendor ID:   GenuineIntel\nCPU family:  6\n%-50s\n%-50s\n%-50s\n%-*s\nModel:       143\n" COUNTS,
                 "Stepping", "Stepping", "Stepping", last, "Stepping");
        tells(text, false, last < 35 ? "spr" : ""); /* 26 + 15 + 3 * 41 + 36 = 200 */
    }
}

static const CU_TestInfo tests[] = {
    {"names", names}, {"quoted", quoted}, {"numbers", numbers}, {"many numbers", many_numbers}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("CPUs that text tells", tests);
