/* SPDX-License-Identifier: MIT */
/* Which copies of its events a metric uses if perf printed it next to a count:
 * the rule step by step, and its effect on sums. Names: P0 retiring, P1
 * bad speculation, P2 frontend, P3 backend bound; P15 another metric; 16 more
 * for plain names. Gracemont has five slots a cycle. */
#include "tests/support/solve_text.h"

#define FE(value) "TOPDOWN_FE_BOUND.ALL=" value " "
#define CLOCK(value) "CPU_CLK_UNHALTED.CORE=" value " "

/* frontend_bound of an E-core */
#define FRONTEND(text, wanted) \
    do { \
        solve("adl-e", text); \
        GIVES("frontend_bound", wanted); \
    } while (0)

static void the_line_itself(void)
{
    FRONTEND(FE("100@1") CLOCK("200@1") FE("150@2P2"), 0.15);
    FRONTEND(FE("150@1P2") CLOCK("200@1") FE("100@2") CLOCK("200@2"), 0.15);
    /* it was not counted: the next is used */
    FRONTEND(FE("0@1NP2") CLOCK("200@1") FE("100@2"), 0.1);
}

static void its_group(void)
{
    /* same segment, same share: before and after the line, whatever is printed on it */
    FRONTEND(CLOCK("200@1%50") FE("100@1%50P2") CLOCK("400@2%50"), 0.1);
    FRONTEND(FE("100@1%50P2") CLOCK("200@1%50P15") CLOCK("400@2%50"), 0.1);
    /* another share, another segment, or all of the time: no match */
    FRONTEND(CLOCK("200@1%49") FE("100@1%50P2") CLOCK("400@2%50"), 0.05);
    FRONTEND(CLOCK("200@1%50.01") FE("100@1%50P2") CLOCK("400@2%50"), 0.05);
    FRONTEND(FE("100@1%50P2") CLOCK("400@2%30") CLOCK("200@3%50"), 0.05);
    FRONTEND(CLOCK("200@1") FE("100@1P2") CLOCK("400@2"), 0.05);
    /* times of less than a nanosecond have shares, too */
    FRONTEND(CLOCK("200@1%0.2/0.5") FE("100@1%0.2/0.5P2") CLOCK("400@2%50"), 0.1);
    FRONTEND(CLOCK("200@1%0.2/0.5") FE("100@1%0.3/0.5P2") CLOCK("400@2%50"), 0.05);
    /* where no times are known it is all of it */
    FRONTEND(CLOCK("200@1%0/0") FE("100@1%99.999P2") CLOCK("400@2%50"), 0.1);
    /* 0.005 % more than nothing is half of a digit, and too much */
    FRONTEND(CLOCK("200@1%0.005") FE("100@1%0P2") CLOCK("400@2%50"), 0.05);
    FRONTEND(CLOCK("200@1%0.0049") FE("100@1%0P2") CLOCK("400@2%50"), 0.1);
    /* perf prints shares to two decimals */
    FRONTEND(CLOCK("200@1%50.00001") FE("100@1%50P2") CLOCK("400@2%50"), 0.1);
}

static void later_ones(void)
{
    /* the first that is free of metrics */
    FRONTEND(FE("100@1P2") CLOCK("200@1P0") CLOCK("250@2P15") CLOCK("400@3") CLOCK("800@4"), 0.05);
    FRONTEND(FE("100@1P2") CLOCK("400@1") CLOCK("200@2"), 0.05);
    FRONTEND(FE("100@1P2") CLOCK("250@1P16") CLOCK("400@2"), 0.05);
    /* else the first, though an earlier one is free */
    FRONTEND(FE("100@1P2") CLOCK("400@1P0") CLOCK("200@2P15"), 0.05);
    FRONTEND(CLOCK("200@1") FE("100@1P2") CLOCK("400@2P0") CLOCK("250@3P15"), 0.05);
}

#define RET(value) "TOPDOWN_RETIRING.ALL=" value " "

/* The next interval has other shares, and so may have other copies: here those of its_group(). */
static void another_interval(void)
{
    solve("adl-e", CLOCK("200@1%50") RET("100@1%50P0") CLOCK("400@2%50"));
    GIVES("retiring", 0.1);
    solve_again(CLOCK("200@1%49") RET("100@1%50P0") CLOCK("400@2%50"));
    GIVES("retiring", 0.05);
    solve_again(CLOCK("200@1%49") RET("100@1%49P0") CLOCK("400@2%50"));
    GIVES("retiring", 0.1);
    solve("adl-e", CLOCK("200@1%50") FE("100@1%50P2") CLOCK("400@2%50"));
    GIVES("frontend_bound", 0.1);
    solve_again(CLOCK("200@1%49") FE("100@1%50P2") CLOCK("400@2%50"));
    GIVES("frontend_bound", 0.05);
    /* the line is the first of all counts */
    solve("adl-e", FE("100@1%50P2") FE("100@1%30") CLOCK("250@1%49") CLOCK("200@1%50"));
    GIVES("frontend_bound", 0.1);
    solve_again(FE("100@1%50P2") FE("100@1%30") CLOCK("250@1%49") CLOCK("200@1%49"));
    GIVES("frontend_bound", 0.08);
}

/* Zen 4's retiring_fastpath: slots are 6 cycles. */
#define CYCLES(value) "LS_NOT_HALTED_CYC=" value " "
#define OPS(value) "EX_RET_OPS=" value " "
#define UCODE(value) "EX_RET_UCODE_OPS=" value " "

static void fastpath(const char *text, double ops, double ucode, double cycles)
{
    solve("zen4", text);
    CU_assertImplementation(metric("retiring_fastpath")->status == TD_OK &&
                                is(metric("retiring_fastpath")->value, (ops - ucode) / (6 * cycles)),
                            (unsigned)__LINE__, text, __FILE__, "", CU_FALSE);
}

/* Where the copies found one by one are of several runs of the metric's events, they are of the one around the line. */
static void one_run(void)
{
    char line[64], text[512];
    static const struct {
        const char *before, *line, *after;
        double ops, ucode, cycles;
    } all[] = {
        /* cycles of the same share stand before the line, in its segment, and after it with the rest of its group */
        {CYCLES("1000@1%25.01") OPS("3000@1%25.01") CYCLES("1100@2%25"), "40@2%25",
         CYCLES("1200@3%25") OPS("3300@3%25") CYCLES("1300@4%25"), 3300, 40, 1200},
        /* equal shares before what runs forward: here all of the group stands before the line */
        {CYCLES("1000@1%25") OPS("3000@1%25") CYCLES("1100@2%25") OPS("3100@2%25"), "40@2%25",
         CYCLES("1200@3%30") OPS("3300@3%30"), 3100, 40, 1100},
        {OPS("3100@1%25.01") CYCLES("1100@2%25"), "40@2%25", CYCLES("1200@3%30") OPS("3300@3%30"), 3100, 40, 1100},
        {CYCLES("1100@2%25"), "40@2%25", CYCLES("1200@3%30") OPS("3300@3%30"), 3300, 40, 1200},
        /* nothing is repeated between the lines: the nearest stay, of one share */
        {CYCLES("1100@2%25"), "40@2%25", OPS("3300@2%25") CYCLES("1200@3%25"), 3300, 40, 1100},
        /* counted all of the time: the copies stay where they were found */
        {CYCLES("1000@1") OPS("3000@1"), "40@1", OPS("3300@2") OPS("3400@3") CYCLES("1200@3"), 3300, 40, 1200},
        /* the line is the first of all counts */
        {"", "40@2%25", CYCLES("1100@3%25P15") OPS("3100@3%25") CYCLES("1200@4%30"), 3100, 40, 1100},
        /* no stretch has all of them once */
        {CYCLES("1000@1%25"), "40@1%25", CYCLES("1100@2%25") CYCLES("1200@3%25") OPS("3300@3%25"), 3300, 40, 1000},
    };
    const int node = td_node_number("retiring_fastpath");

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        snprintf(line, sizeof(line), "EX_RET_UCODE_OPS=%sP%d ", all[i].line, 16 + node);
        snprintf(text, sizeof(text), "%s%s%s", all[i].before, line, all[i].after);
        fastpath(text, all[i].ops, all[i].ucode, all[i].cycles);
    }
}

static void the_last(void)
{
    FRONTEND(CLOCK("200@1") CLOCK("250@2P15") CLOCK("400@3") FE("100@4P2"), 0.05);
    FRONTEND(CLOCK("200@1") CLOCK("400@2P0") FE("100@2P2"), 0.05);
}

static void only_what_was_counted(void)
{
    FRONTEND(FE("100@1P2") CLOCK("0@1N") CLOCK("0@2P0N") CLOCK("400@3P1"), 0.05);
    FRONTEND(CLOCK("400@1") FE("100@1%50P2") CLOCK("0@2N"), 0.05);
    FRONTEND(CLOCK("400@1") CLOCK("0@2N") FE("100@3P2") CLOCK("0@4S"), 0.05);
    solve("adl-e", FE("100@1P2") CLOCK("0@1N") CLOCK("0@2N"));
    ABSENT("frontend_bound", TD_NOT_COUNTED, "CPU_CLK_UNHALTED.CORE");
    solve("adl-e", FE("100@1P2") FE("100@2"));
    ABSENT("frontend_bound", TD_MISSING_EVENT, "CPU_CLK_UNHALTED.CORE");
}

/* Modes of the line; the vendor's name takes precedence over "cycles", unless that is the line's group. */
static void of_the_same_kind(void)
{
    FRONTEND(FE("100@1P2m1") CLOCK("200@1m2") CLOCK("400@2m1"), 0.05);
    FRONTEND(CLOCK("200@1m2") FE("100@1P2m1") CLOCK("400@2m1"), 0.05);
    FRONTEND(FE("100@1P2") CLOCK("200@1G") CLOCK("400@2"), 0.05);
    FRONTEND(CLOCK("400@1") CLOCK("200@2G") FE("100@3P2"), 0.05);
    FRONTEND(CLOCK("200@1G") CLOCK("400@2G") FE("100@3P2"), 0.05);
    FRONTEND(CLOCK("400@1") FE("100@2P2") CLOCK("200@2G"), 0.05);
    FRONTEND(FE("100@1%50P2") CLOCK("400@1%50G") CLOCK("200@2"), 0.05);
    FRONTEND(FE("100@1%50P2") CLOCK("400@1%50G") CLOCK("200@1%40"), 0.05); /* names that differ do not end a segment */
}

/* No line or several: copies of one segment. A published formula's line takes precedence over a plain name's. */
static void which_line(void)
{
    static const char text[] = FE("300@1P2") FE("100@2P2") CLOCK("200@2");

    FRONTEND(text, 0.1);
    FRONTEND(FE("300@1P2") FE("100@2") CLOCK("200@2") FE("500@3P2"), 0.1);
    FRONTEND(FE("300@1") FE("100@2P3") CLOCK("200@2"), 0.1);
    FRONTEND(FE("300@1P2") FE("100@2P18") CLOCK("200@2"), 0.3);
    FRONTEND(FE("100@1P18") FE("300@2P2") CLOCK("200@2"), 0.3);
    FRONTEND(FE("300@1P18") FE("100@2") CLOCK("200@2"), 0.3);
    solve("adl-e", RET("300@1P16") RET("100@2") CLOCK("200@2"));
    GIVES("retiring", 0.3);
    FRONTEND(FE("300@1P2P15P1") FE("100@2") CLOCK("200@2"), 0.3);
    FRONTEND(CLOCK("400@1G") FE("100@1P2") CLOCK("200@1"), 0.1);
}

/* Each metric uses its own copies, also for what it is computed from: here bad speculation is
 * 1 - 0.3 - 0.25 - 0.2 of 400 cycles, frontend bound is 100 of 200. */
static void each_metric(void)
{
    solve("adl-e", FE("500@1P2") "TOPDOWN_BE_BOUND.ALL=1@1P0 TOPDOWN_RETIRING.ALL=400@1P1 " CLOCK("200@1P15")
                       FE("600@2") "TOPDOWN_BE_BOUND.ALL=500@2 " CLOCK("400@2"));
    GIVES("frontend_bound", 0.25);
    GIVES("bad_speculation", 0.25);
    solve("adl-e", FE("500@1%40P2") CLOCK("200@1%40")
                       FE("100@2%50") "TOPDOWN_BE_BOUND.ALL=100@2%50 TOPDOWN_RETIRING.ALL=100@2%50 " CLOCK("200@2%50"));
    GIVES("frontend_bound", 0.5);
    GIVES("backend_bound", 0.1);
    GIVES("bad_speculation", 0.7);
}

static void standing(void)
{
    solve("adl-e", FE("100@1%50P2") CLOCK("400@2%30") CLOCK("200@3%30"));
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    UNBOUNDED("frontend_bound");
    CU_ASSERT(is(r.coverage, 0.3));
    solve("adl-e", FE("100@1%50P2") CLOCK("200@1%50") CLOCK("200@2"));
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED);
    solve("adl-e", FE("100@1P2") CLOCK("200@2") CLOCK("300@3"));
    FLAGS("frontend_bound", 0);
    EXACT("frontend_bound");
}

/* Events of one group that ran equally long, but were enabled for other times, were counted at different times. */
static void equal_running(void)
{
    static const struct {
        const char *fe, *clock;
        unsigned flags;
        double coverage;
    } all[] = {
        {FE("100@1%50/100"), CLOCK("200@1%50/50"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 0.5},
        {FE("100@1%50/50"), CLOCK("200@1%50/100"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 0.5},
        {FE("100@1%50/100"), CLOCK("200@1%50/80"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 0.5},
        {FE("100@1%50/100"), CLOCK("200@1%40/100"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 0.4},
        {FE("100@1%50/100"), CLOCK("200@2%50/100"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 0.5},
        {FE("100@1%50/100"), CLOCK("200@1%50/100"), TD_FLAG_MULTIPLEXED, 0.5},
        {FE("100@1%50/50"), CLOCK("200@1%50/50"), 0, 1},
        {FE("100@1%50/50"), CLOCK("200@1%80/80"), 0, 1}, /* all of the time, of whatever CPUs that was */
        {FE("100@1%50/50"), CLOCK("200@2%80/80"), 0, 1},
        /* 33.33 % and 33.34 % may be the same to perf, which rounds, and either is right; 33.35 % is not */
        {FE("100@1%50/150.015"), CLOCK("200@1%50/149.97"), TD_FLAG_MULTIPLEXED, 50 / 149.97},
        {FE("100@1%50/149.97"), CLOCK("200@1%50/150.015"), TD_FLAG_MULTIPLEXED, 50 / 150.015},
        {FE("100@1%50/150.015"), CLOCK("200@1%50/149.925"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 50 / 150.015},
        /* 99.99 % is not all of the time, whatever it was rounded from */
        {FE("100@1%50/50"), CLOCK("200@1%50/50.005"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 50 / 50.005},
        /* far below what a percentage can tell, only where times are recorded */
        {FE("100@1%0.0002/100"), CLOCK("200@1%0.0002/200"), TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, 1e-6},
        {FE("100@1%0.0002/100"), CLOCK("200@1%0.0002/100"), TD_FLAG_MULTIPLEXED, 2e-6},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        char text[256];

        snprintf(text, sizeof(text), "%s%s", all[i].fe, all[i].clock);
        for (int again = 0; again < 2; again++) { /* what is kept of the first may not decide the second */
            solve("adl-e", again ? FE("100@1") CLOCK("200@1") : text);
            solve_again(text);
            CU_assertImplementation(metric("frontend_bound")->flags == all[i].flags && is(r.coverage, all[i].coverage),
                                    (unsigned)__LINE__, text, __FILE__, "", CU_FALSE);
            if (all[i].flags)
                UNBOUNDED("frontend_bound");
            else
                EXACT("frontend_bound");
        }
    }
}

/* Shares decide again in each interval, whichever other metrics have no line. */
static void other_shares(void)
{
    static const char same[] =
        CLOCK("200@1%50") FE("100@1%50P2") CLOCK("400@2%50") CLOCK("500@3") "TOPDOWN_BE_BOUND.ALL=250@3";
    static const char other[] =
        CLOCK("200@1%49") FE("100@1%50P2") CLOCK("400@2%50") CLOCK("500@3") "TOPDOWN_BE_BOUND.ALL=250@3";

    solve("adl-e", same);
    GIVES("frontend_bound", 0.1);
    GIVES("backend_bound", 0.1);
    solve_again(other);
    GIVES("frontend_bound", 0.05);
    GIVES("backend_bound", 0.1);
    solve_again(same);
    GIVES("frontend_bound", 0.1);
}

/* What was counted all the time serves rather than what took turns, unless the copies of some group differ, whose
 * counts are of no groups then: the first serves. */
static void times_of_groups(void)
{
#define TWO_GROUPS FE("100@1%30") CLOCK("200@1%30") FE("100@2") CLOCK("400@2")
#define OTHERS(be, ret) " TOPDOWN_BE_BOUND.ALL=10@3%" be " TOPDOWN_RETIRING.ALL=20@3%" ret
    FRONTEND(TWO_GROUPS, 0.05);
    FRONTEND(TWO_GROUPS OTHERS("100", "100"), 0.05);
    FRONTEND(TWO_GROUPS OTHERS("30", "30"), 0.05);
    FRONTEND(TWO_GROUPS OTHERS("100", "30"), 0.1);
    FRONTEND(TWO_GROUPS OTHERS("30", "100"), 0.1);
    FRONTEND(TWO_GROUPS OTHERS("39.9", "40.1"), 0.1); /* every second turn, or less */
    FRONTEND(TWO_GROUPS OTHERS("39.8", "39.9"), 0.05);
    FRONTEND(TWO_GROUPS OTHERS("40", "40.1"), 0.05);
    FRONTEND(TWO_GROUPS OTHERS("99.9", "100"), 0.05);
    FRONTEND(TWO_GROUPS OTHERS("99.89", "99.91"), 0.1);
    FRONTEND(TWO_GROUPS OTHERS("99.91", "99.99"), 0.05);
    /* where no times are known it counts as all of it */
    FRONTEND(FE("100@1%30") CLOCK("200@1%30") FE("100@2%0/0") CLOCK("400@2%0/0"), 0.05);
    /* what was counted all the time is no reason for a group of others, whichever group comes first */
    FRONTEND(CLOCK("200@1") FE("80@2%30") FE("100@3%30") CLOCK("400@3%30"), 0.08);
    FRONTEND(FE("80@2%30") FE("100@3%30") CLOCK("400@3%30") CLOCK("200@1"), 0.08);
    FRONTEND(CLOCK("200@1%30") FE("80@2%30") FE("100@3%30") CLOCK("400@3%30"), 0.05);
    /* one group in turns beside what was counted all the time: 1 - (600 + 2900 + 4 * 25) / 4000 */
    solve("skl", "UOPS_ISSUED.ANY=2900@0%50 INT_MISC.RECOVERY_CYCLES=25@0%50 UOPS_ISSUED.ANY=3000@1 "
                 "CPU_CLK_UNHALTED.THREAD=1000@1 IDQ_UOPS_NOT_DELIVERED.CORE=600@1");
    GIVES("backend_bound", 0.1);
#undef OTHERS
#undef TWO_GROUPS
}

/* Each choice has another number than those before it, and one that stands keeps its own. */
static void numbers_of_choices(void)
{
    static const char *const texts[] = {
        CLOCK("200@1%50") FE("100@1%50P2") CLOCK("400@2%50"), CLOCK("200@1%49") FE("100@1%50P2") CLOCK("400@2%50"),
        CLOCK("200@1%49") FE("100@1%49P2") CLOCK("400@2%50"), CLOCK("200@1") FE("100@1"),
        CLOCK("200@1%50") FE("100@1%50P2") CLOCK("400@2%50"), CLOCK("200@1%49") FE("100@1%50P2") CLOCK("400@2%50"),
    };
    size_t made[sizeof(texts) / sizeof(*texts)];

    solve("adl-e", texts[0]);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        solve_again(texts[i]);
        made[i] = forms->solving.choice.made;
        solve_again(texts[i]);
        CU_ASSERT_EQUAL(forms->solving.choice.made, made[i]);
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(made[i], made[k]);
    }
}

/* The metrics of a solution follow those of the one before, and all are there once. */
static void metrics_in_order(void)
{
    const struct td_choice *c;
    bool seen[64] = {false};
    size_t at = 0;

    solve("adl-e", FE("500@1P2") "TOPDOWN_BE_BOUND.ALL=1@1P0 TOPDOWN_RETIRING.ALL=400@1P1 " CLOCK("200@1P15")
                       FE("600@2") "TOPDOWN_BE_BOUND.ALL=500@2 " CLOCK("400@2"));
    c = &forms->solving.choice;
    CU_ASSERT_FATAL(c->nsolutions > 1);
    for (size_t s = 0; s < c->nsolutions; s++) {
        CU_ASSERT_EQUAL_FATAL(c->solution[s].metrics, at);
        CU_ASSERT(c->solution[s].nmetrics > 0);
        for (size_t m = 0; m < c->solution[s].nmetrics; m++, at++) {
            CU_ASSERT_FATAL(c->metric[at] < 64);
            CU_ASSERT_FALSE(seen[c->metric[at]]);
            seen[c->metric[at]] = true;
        }
    }
}

/* Whether one of the four fields of level 1 was not recorded. */
static void lacks_a_field(void)
{
    static const char *const fields[] = {"retiring", "bad-spec", "fe-bound", "be-bound", "heavy-ops", "none"};

    for (size_t without = 0; without < 6; without++) {
        const struct td_choice *c;
        char text[256] = "slots=1000";
        bool lacks = false;

        for (size_t i = 0; i < 5; i++)
            if (i != without)
                snprintf(text + strlen(text), sizeof(text) - strlen(text), " topdown-%s=200", fields[i]);
        solve("spr", text);
        c = &forms->solving.choice;
        for (size_t s = 0; s < c->nsolutions; s++)
            lacks = lacks || c->solution[s].lacks_field;
        check(lacks == (without < 4), text, __LINE__);
    }
}

/* Adds intervals as a summary does. */
static void sum_of(const char *const texts[2])
{
    const struct td_uarch *u = td_uarch_by_name("adl-e");
    struct td_counts sum = {0};

    use_forms(u);
    for (size_t i = 0; i < 2; i++) {
        parse_counts(u, texts[i]);
        CU_ASSERT_EQUAL(td_counts_add(&sum, &counts, &hints), 0);
    }
    td_counts_balance(&sum);
    CU_ASSERT_EQUAL(td_solve(forms, &sum, &ask, &r), 0);
    td_counts_free(&sum);
}

static void sums(void)
{
    /* printed in both, or in one only */
    sum_of((const char *const[2]){FE("100@1P2") CLOCK("300@1P0") CLOCK("200@2"),
                                  FE("300@1P2") CLOCK("900@1P0") CLOCK("200@2")});
    GIVES("frontend_bound", 0.2);
    sum_of((const char *const[2]){FE("100@1") CLOCK("300@1") CLOCK("200@2"),
                                  FE("300@1P2") CLOCK("900@1P0") CLOCK("200@2")});
    GIVES("frontend_bound", 0.2);
    sum_of((const char *const[2]){FE("100@1P2") CLOCK("300@1P0") CLOCK("200@2"),
                                  FE("300@1") CLOCK("900@1") CLOCK("200@2")});
    GIVES("frontend_bound", 0.2);
    /* on different lines: no longer known */
    sum_of((const char *const[2]){FE("100@1P2") FE("50@2") CLOCK("200@2"), FE("100@1") FE("150@2P2") CLOCK("200@2")});
    GIVES("frontend_bound", 0.1);
    /* a copy that the first interval lacks comes last, but still belongs to an early group */
    sum_of((const char *const[2]){FE("100@1P2") CLOCK("300@2"), FE("100@1P2") CLOCK("200@1") CLOCK("300@2")});
    GIVES("frontend_bound", 0.1);
}

/* In a sum equal times are not enough: in each interval one event was counted for half of the time, and the other one
 * for all of it. */
static void sums_of_times(void)
{
    static const char *const apart[2] = {FE("100@1%50/100") CLOCK("200@1%50/50"),
                                         FE("100@1%50/50") CLOCK("200@1%50/100")};
    static const char *const turns[2] = {FE("100@1%40") CLOCK("200@1%60"), FE("100@1%60") CLOCK("200@1%40")};
    static const char *const same[2] = {FE("100@1%40") CLOCK("200@1%40"), FE("100@1%60") CLOCK("200@1%60")};

    sum_of(apart);
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    CU_ASSERT(is(r.coverage, 2. / 3));
    sum_of(turns);
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    CU_ASSERT(is(r.coverage, 0.5));
    sum_of(same);
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED);
    CU_ASSERT(is(r.coverage, 0.5));
}

/* Adds an interval of events, each of them twice in one group: event i counts i + 1. apart: all of them, and then
 * again. */
static void add_twice(struct td_counts *sum, size_t events, bool apart)
{
    struct td_counts interval = {.n = 0};

    for (size_t i = 0; i < 2 * events; i++) {
        const size_t at = apart ? i % events : i / 2;

        CU_ASSERT_EQUAL_FATAL(td_counts_append(&interval, &(struct td_count){.value = (double)(at + 1),
                                                                             .enabled = 10,
                                                                             .running = 10,
                                                                             .text = (uint32_t)at,
                                                                             .status = TD_OK}),
                              0);
    }
    CU_ASSERT_EQUAL(td_counts_add(sum, &interval, &hints), 0);
    td_counts_free(&interval);
}

/* A group of samples has two members of cycles: each is a copy of its own, counted as often as the others. */
static void twice_in_a_group(void)
{
    static const size_t events[] = {3, 400 /* are searched by an index */};

    for (size_t k = 0; k < 2; k++) {
        struct td_counts sum = {.n = 0};

        for (int i = 0; i < 4; i++)
            add_twice(&sum, events[k], i % 2);
        td_counts_balance(&sum);
        CU_ASSERT_EQUAL(sum.n, 2 * events[k]);
        for (size_t i = 0; i < sum.n; i++)
            CU_ASSERT(sum.c[i].intervals == 4 && sum.c[i].value == 4 * (double)(sum.c[i].text + 1) &&
                      sum.c[i].enabled == 40 && sum.c[i].running == 40);
        td_counts_free(&sum);
    }
}

/* td_sums_add() takes back that an interval was added where its time is that of the one before, as with samples of one
 * moment. */
static void of_one_time(void)
{
    struct td_counts sum = {.n = 0};

    for (int i = 0; i < 100; i++) {
        add_twice(&sum, 3, i % 2);
        sum.added--;
    }
    CU_ASSERT_EQUAL(sum.n, 6);
    for (size_t i = 0; i < sum.n; i++)
        CU_ASSERT_EQUAL(sum.c[i].value, 100 * (double)(sum.c[i].text + 1));
    td_counts_free(&sum);
}

static const CU_TestInfo tests[] = {
    {"times of groups", times_of_groups},
    {"numbers of choices", numbers_of_choices},
    {"metrics in order", metrics_in_order},
    {"a field that is lacking", lacks_a_field},
    {"another interval", another_interval},
    {"the line itself", the_line_itself},
    {"its group", its_group},
    {"later ones", later_ones},
    {"one run", one_run},
    {"the last", the_last},
    {"only what was counted", only_what_was_counted},
    {"of the same kind", of_the_same_kind},
    {"which line", which_line},
    {"each metric its own", each_metric},
    {"flags and bounds", standing},
    {"equal running times", equal_running},
    {"other shares", other_shares},
    {"sums", sums},
    {"sums of equal times", sums_of_times},
    {"an event twice in a group", twice_in_a_group},
    {"intervals of one time", of_one_time},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("copies", tests);
