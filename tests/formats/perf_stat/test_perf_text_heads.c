/* SPDX-License-Identifier: MIT */
/* What perf stat's text says around its counts: which file is one, what was counted, on how many CPUs, and for how
 * long. */
#include "tests/support/recorded.h"

#define HEAD(what_) " Performance counter stats for " what_ ":\n\n"
#define SLOTS "     5      slots\n"
#define CLOCK(ms_) "   " ms_ " msec cpu-clock\n"
#define ELAPSED(seconds_) "\n       " seconds_ " seconds time elapsed\n\n"
#define SECOND ELAPSED("1.000000000")
#define SYSTEM HEAD("'system wide'")

/* "SCOPE/kind SECONDS; " of each interval, then what its times mean, of how many CPUs, and the command. */
static void put_heads(struct log *l, const char *text)
{
    static struct opened o;
    struct source from = {text, strlen(text), 1000, 0};
    const struct td_stream *s;
    int err = open_recording_as(&o, &from, NULL, NULL, NULL, &td_reader_perf_text);

    for (s = &o.r->stream; !err && !(err = next_batch(&o));)
        for (size_t i = 0; i < s->nbatch; i++)
            put(l, "%s/%s %.9g; ", s->batch[i].at.scope, td_kind_name(s->batch[i].at.scope_kind),
                (double)s->batch[i].at.duration / 1e9);
    CU_ASSERT_EQUAL(err, -ENODATA);
    put(l, "%s %u%s%s", td_times_name(s->times), s->times_cpus, s->command ? " " : "", s->command ? s->command : "");
    close_recording(&o);
}

static void heads(void)
{
    static const struct {
        const char *text, *wanted;
    } all[] = {
        {SLOTS, "system/system 0; relative 0"},
        {HEAD("'./a/b.out -x'") SLOTS SECOND, "b.out/command 1; tasks 0 ./a/b.out -x"},
        {HEAD("'/bin/ x'") SLOTS, "bin//command 0; tasks 0 /bin/ x"},
        {HEAD("'a'") SLOTS SECOND HEAD("'a'") SLOTS SECOND, "a/command 1; a/command 1; tasks 0 a"},
        {HEAD("'a b'") SLOTS HEAD("'a c'") SLOTS, "a/command 0; a c/command 0; tasks 0 a b"},
        {HEAD("'a b'") SLOTS HEAD("'a b'") SLOTS, "a/command 0; a/command 0; tasks 0 a b"},
        {HEAD("'a bc'") SLOTS HEAD("'a b'") SLOTS, "a/command 0; a b/command 0; tasks 0 a bc"},
        {HEAD("'a b'") SLOTS HEAD("'a bc'") SLOTS, "a/command 0; a bc/command 0; tasks 0 a b"},
        {HEAD("process id '5'") SLOTS SECOND, "process 5/process 1; relative 0"},
        {HEAD("thread id '5'") SLOTS SECOND, "thread 5/process 1; relative 0"},
        {HEAD("process id ''") SLOTS, "system/system 0; relative 0"},
        {HEAD("thread id ''") SLOTS, "system/system 0; relative 0"},
        {HEAD("'process id 5'") SLOTS, "system/system 0; relative 0"},
        {HEAD("'thread id 5'") SLOTS, "system/system 0; relative 0"},
        {HEAD("'cgroup a'") SLOTS, "system/system 0; relative 0"},
        {HEAD("'pipe'") SLOTS, "system/system 0; relative 0"},
        {HEAD("'pipes'") SLOTS, "pipes/command 0; tasks 0 pipes"},
        {HEAD("x") SLOTS, "system/system 0; relative 0"},
        {HEAD("'x") SLOTS, "system/system 0; relative 0"}, /* cut before its quote ends */
        {HEAD("BPF program(s) '5'") SLOTS, "system/system 0; relative 0"},
        {HEAD("'CPU(s) 0-3,7'") SLOTS SECOND, "CPU0-3,7/system 1; cpus 5"},
        {HEAD("'CPU(s) 3'") SLOTS SECOND, "CPU3/cpu 1; cpus 1"},
        {HEAD("'CPU(s) '") SLOTS SECOND, "system/system 1; relative 0"},
        {HEAD("'CPU(s) x'") SLOTS SECOND, "system/system 1; relative 0"},
        /* a header, and then another before the counts */
        {HEAD("'a'") SYSTEM SLOTS SECOND, "system/system 1; cpus 0 a"},
        {HEAD("'CPU(s) 0-3'") SYSTEM SLOTS SECOND, "system/system 1; cpus 0"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct log l = {.n = 0};

        put_heads(&l, all[i].text);
        if (!same_log(&l, all[i].wanted, 0))
            printf("\n    of %s", all[i].text);
    }
}

/* The name of a scope is cut to 255 bytes. */
static void long_name(void)
{
    char text[600], ids[300], wanted[600];
    struct log l = {.n = 0};

    memset(ids, '1', sizeof(ids));
    snprintf(text, sizeof(text), HEAD("process id '%.300s'") SLOTS, ids);
    snprintf(wanted, sizeof(wanted), "process %.247s/process 0; relative 0", ids);
    put_heads(&l, text);
    same_log(&l, wanted, 0);
}

/* The whole system's clock ran on each CPU: it is off a whole number of these by a quarter at most. */
static void clocks(void)
{
    static const struct {
        const char *text, *wanted;
    } all[] = {
        {SYSTEM SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM SLOTS ELAPSED("0.001000000"), "system/system 0.001; cpus 0"},
        {SYSTEM CLOCK("4000.00") SLOTS SECOND, "system/system 1; cpus 4"},
        {SYSTEM CLOCK("4000.00") SLOTS ELAPSED("2.000000000"), "system/system 2; cpus 2"},
        {SYSTEM CLOCK("4000.00") SLOTS ELAPSED("0.500000000"), "system/system 0.5; cpus 8"},
        {SYSTEM CLOCK("4000.00") SLOTS ELAPSED("0.000000000"), "system/system 0; cpus 0"},
        {SYSTEM CLOCK("4250.00") SLOTS SECOND, "system/system 1; cpus 4"},
        {SYSTEM CLOCK("4260.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM CLOCK("3750.00") SLOTS SECOND, "system/system 1; cpus 4"},
        {SYSTEM CLOCK("3740.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM CLOCK("750.00") SLOTS SECOND, "system/system 1; cpus 1"},
        {SYSTEM CLOCK("740.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM CLOCK("500.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM CLOCK("250.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM CLOCK("65536000.00") SLOTS SECOND, "system/system 1; cpus 65536"},
        {SYSTEM CLOCK("65537000.00") SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM "   4000      cpu-clock\n" SLOTS SECOND, "system/system 1; cpus 0"}, /* without its unit */
        {SYSTEM "   4000.00 msec cpu-clocks\n" SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM "   4000.00 msec cpu-clocx\n" SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM "   4000.00 msec xpu-clock\n" SLOTS SECOND, "system/system 1; cpus 0"},
        {SYSTEM "   4000.00 msec cpu-clock  a.slice\n" SLOTS SECOND, "a.slice/cgroup 1; system/system 1; cpus 0"},
        /* of CPUs that the header names, and where none are counted, it does not tell */
        {HEAD("'CPU(s) 0-3'") CLOCK("2000.00") SLOTS SECOND, "CPU0-3/system 1; cpus 4"},
        {HEAD("'a'") CLOCK("2000.00") SLOTS SECOND, "a/command 1; tasks 0 a"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct log l = {.n = 0};

        put_heads(&l, all[i].text);
        if (!same_log(&l, all[i].wanted, 0))
            printf("\n    of %s", all[i].text);
    }
}

/* A further run's time tells for how long counters were enabled only if it counted the like. */
static void runs(void)
{
    static const struct {
        const char *text, *wanted;
    } all[] = {
        {SYSTEM CLOCK("4000.00") SECOND SYSTEM CLOCK("4000.00") SECOND, "system/system 1; system/system 1; cpus 4"},
        {SYSTEM CLOCK("4000.00") SECOND SYSTEM CLOCK("2000.00") SECOND, "system/system 1; system/system 0; cpus 4"},
        {SYSTEM CLOCK("4000.00") SECOND SYSTEM SLOTS SECOND, "system/system 1; system/system 0; cpus 4"},
        {SYSTEM SLOTS SECOND SYSTEM SLOTS SECOND, "system/system 1; system/system 1; cpus 0"},
        {SYSTEM SLOTS SECOND SYSTEM CLOCK("1000.00") SECOND, "system/system 1; system/system 0; cpus 0"},
        {SYSTEM SLOTS SECOND SLOTS SECOND, "system/system 1; system/system 0; cpus 0"}, /* without a header */
        {SYSTEM SLOTS SECOND HEAD("'a'") SLOTS SECOND, "system/system 1; a/command 0; cpus 0 a"},
        {HEAD("'CPU(s) 0-3'") SLOTS SECOND HEAD("'CPU(s) 4-7'") SLOTS SECOND,
         "CPU0-3/system 1; CPU4-7/system 1; cpus 4"},
        {HEAD("'CPU(s) 0-3'") SLOTS SECOND HEAD("'CPU(s) 0-1'") SLOTS SECOND,
         "CPU0-3/system 1; CPU0-1/system 0; cpus 4"},
        {HEAD("'a'") SLOTS SECOND SYSTEM SLOTS SECOND, "a/command 1; system/system 0; tasks 0 a"},
        {HEAD("'a'") SLOTS SECOND HEAD("process id '5'") SLOTS SECOND, "a/command 1; process 5/process 0; tasks 0 a"},
        {HEAD("process id '5'") SLOTS SECOND SYSTEM SLOTS SECOND, "process 5/process 1; system/system 1; relative 0"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct log l = {.n = 0};

        put_heads(&l, all[i].text);
        if (!same_log(&l, all[i].wanted, 0))
            printf("\n    of %s", all[i].text);
    }
}

/* Which first lines begin a file of perf's text, and which lines only such files have. */
static void sniffed(void)
{
    static const struct {
        const char *line;
        bool first, sure;
    } all[] = {
        {"a b", true, false},
        {"z b", true, false},
        {"A b", true, false},
        {"Z b", true, false},
        {"@ b", false, false},
        {"[ b", false, false},
        {"` b", false, false},
        {"{ b", false, false},
        {"5 b", false, false},
        {"> b", true, false},
        {"$ b", true, false},
        {"5 perf stat b", true, false},
        {"- 5 % Slots", true, false},
        {"- Slots", false, false},
        /* separators: one after a word, or two after blanks; of prose a blank follows */
        {"a,b", false, false},
        {"a b,c", true, false},
        {"a b,c,d", false, false},
        {"a b, c, d, e", true, false},
        {"a, b,c", true, false},
        {"a b,  ,c", true, false},
        {"a b|c;d", false, false},
        {"a 1.25", false, false},
        {"a 1.5", true, false},
        {"a 1.255", true, false},
        {"a .25", false, false},
        {"Events disabled", false, false},
        {"Eventsx disabled", true, false},
        /* comments */
        {"# x", false, false},
        {"# time counts unit events", true, true},
        {"# time unit events", true, false},
        {"# 5.0 x", false, false},
        {"# 5.0 % x", true, false},
        {"# retiring bad speculation", true, false},
        /* counts of perf's usual events, and of those that a table has */
        {"  5      slots", true, true},
        {"  5      page-faults", true, true},
        {"  5      page-faults:u", true, true},
        {"  5      page-faultx", true, false},
        {"  5      page-faultsx", true, false},
        {"  5      page-fault", true, false},
        {"  5      cpu-migrations", true, true},
        {"  0.5 msec task-clock", true, true},
        {"  842 some-file.c", true, false},
        {" Performance counter stats for 'x':", true, true},
        {"  1.0 seconds time elapsed", true, false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const size_t len = strlen(all[i].line);
        const bool first = td_reader_perf_text.sniff(all[i].line, len), is = td_reader_perf_text.sure(all[i].line, len);

        if (first != all[i].first || is != all[i].sure)
            printf("\n    '%s': %d %d", all[i].line, first, is);
        CU_ASSERT(first == all[i].first && is == all[i].sure);
    }
}

/* Numbers that are written otherwise than in the rest of the file are left out; of the first, 40 bytes are shown. */
static void numbers(void)
{
#define FORTY "1.234.567.890.123.456.789.012.345.678.90"
#define IS_LEFT_OUT "is no count where '.' makes decimals; such lines are left out}- system system: slots=5@0\n"
    static const struct recorded all[] = {
        {"  5   slots  # 1.5 x\n  " FORTY "1  cycles\n  1.234.567  cycles\n", "{f:2: '" FORTY "' " IS_LEFT_OUT},
        {"  5   slots  # 1.5 x\n  1.234.567  cycles\n", "{f:2: '1.234.567' " IS_LEFT_OUT},
        {"  5   slots  # 1.5 x\n  1.234  cycles\n", "{f:2: '1.234' " IS_LEFT_OUT},
        {"  5   slots  # 1.5 x\n  1.23  cycles\n", "- system system: slots=5@0 cycles=1.23@0\n"},
        {"  5   slots  # 1.5 x\n  1.234 msec task-clock\n", "- system system: slots=5@0 task-clock=1.234@0\n"},
        {0},
    };

    read_all(all);
}

static const CU_TestInfo tests[] = {
    {"what was counted", heads}, {"long names", long_name},        {"the system's clock", clocks},
    {"further runs", runs},      {"which lines are its", sniffed}, {"other numbers", numbers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("what perf stat's text says around counts", tests);
