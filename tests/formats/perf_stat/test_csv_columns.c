/* SPDX-License-Identifier: MIT */
/* The columns of perf stat -x before and after a count: times, ids, names that the separator cuts, run times, cgroups.
 */
#include "formats/perf_stat/perf_csv.h"
#include "tests/support/recorded.h"

#include <stdio.h>

#define FIVE "5,,slots,9,100.00,,\n"
#define IS_FIVE "- system system: slots=5@0\n"
#define LEFT_OUT(n_) "{f:" n_ ": 1 line is of another program; it is left out}"

/* Of fields 0 and 1, which are all that there are; after them is what an earlier line had. */
static void fields(void)
{
    static char text[] = "\0"
                         "5\0"
                         "7%";
    static struct td_bytes c = {.nfields = 2, .field = {text, text + 1, text + 3, text + 3}, .length = {0, 1, 0, 2}};

    CU_ASSERT(td_perf_empty(&c, 0, 1) && !td_perf_empty(&c, 0, 2) && !td_perf_empty(&c, 1, 1));
    CU_ASSERT(!td_perf_empty(&c, 2, 1) && td_perf_empty(&c, 2, 0));
    c.length[1] = 0;
    CU_ASSERT(td_perf_empty(&c, 0, 2) && !td_perf_empty(&c, 0, 3));
    CU_ASSERT(!td_perf_is_value(&c, 0) && td_perf_is_value(&c, 1) && !td_perf_is_value(&c, 2));
    CU_ASSERT(!td_perf_is_deviation(&c, 0) && !td_perf_is_deviation(&c, 1) && !td_perf_is_deviation(&c, 3));
    c.nfields = 4;
    CU_ASSERT(td_perf_is_deviation(&c, 3) && !td_perf_is_deviation(&c, 2));
    CU_ASSERT(td_perf_only("0120", 4, "012") && !td_perf_only("0120", 4, "12") && !td_perf_only("", 0, "012"));
    CU_ASSERT(td_perf_only("013", 2, "01") && !td_perf_only("013", 3, "01"));
}

/* A time has at least one digit before its point, and a row without one has none. */
static void times(void)
{
    static const struct recorded all[] = {
        {"1,000000000;5;;slots;9;100,00;;\n,123456789;6;;slots;9;100,00;;\n", "!f:2: ',123456789' is neither~"},
        {"1.000000000,5,,slots,9,100.00,,\n0.999999999,6,,slots,9,100.00,,\n",
         "1.000 system system: slots=5@0\n!f:2: time goes backwards: 0.999999999 comes after 1.000000000"},
        {"1.000000000,5,,slots,9,100.00,,\n0.999999999,6,,cycles,9,100.00,,\n",
         "1.000 system system: slots=5@0\n!f:2: time goes backwards: 0.999999999 comes after 1.000000000"},
        {"1.000000000,5,,slots,9,100.00,,\n2.000000000\n1.000000000,5,,slots,9,100.00,,\n",
         "1.000 system system: slots=5@0\n!f:3: time goes backwards: 1.000000000 comes after 2.000000000"},
        {0},
    };
    static struct opened o;
    struct source s = {FIVE, sizeof(FIVE) - 1, 100, 0};

    read_all(all);
    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    CU_ASSERT(o.r->stream.nbatch == 1 && !o.r->stream.batch[0].at.has_time && !o.r->stream.batch[0].at.time);
    close_recording(&o);
}

/* After an id is a count, or three empty columns; no others tell that it is one. */
static void ids(void)
{
    static const struct recorded all[] = {
        {FIVE "CPU0,,,,slots\n", IS_FIVE},
        {FIVE "CPU0,,,slots\n", "!f:2: 'CPU0' is neither~"},
        {FIVE "CPU0,slots,,,\n", "!f:2: 'CPU0' is neither~"},
        {FIVE "CPU0,,,\n", IS_FIVE},
        {FIVE "CPU,6,,slots,9,100.00,,\n", "!f:2: 'CPU' is neither~"},
        {FIVE "CPU0x,6,,slots,9,100.00,,\n", "!f:2: 'CPU0x' is neither~"},
        {FIVE "S0-D0-C,6,,slots,9,100.00,,\n", "!f:2: 'S0-D0-C' is neither~"},
        {FIVE "a-1,,,,slots\n", IS_FIVE},
        {FIVE "a-1,,,slots\n", "!f:2: 'a-1' is neither~"},
        {FIVE "a-1,slots,,,\n", "!f:2: 'a-1' is neither~"},
        {FIVE "CPU0,6\n", "!f:2: the line ends before the event: 2 columns"},
        {FIVE ",a-1,6,,slots,9,100.00,,\n", "!f:2: '' is neither~"},
        {FIVE ",a-1,6,hello\n", IS_FIVE LEFT_OUT("2")},
        /* alike but for their lengths */
        {"S10,1,5,,slots,9,100.00,,\nS1,1,6,,slots,9,100.00,,\nS10,1,7,,cycles,9,100.00,,\n",
         "- S10 socket: slots=5@0 cycles=7@0\n- S1 socket: slots=6@0\n"},
        /* the same name, of another kind */
        {"N0,1,5,,slots,N0,9,100.00,,\n", "- N0 N0 cgroup: slots=5@0\n"},
        /* how many CPUs */
        {"S0,x,6,,slots,9,100.00,,\n", "!f:1: 'S0' is neither~"},
        {"N0,2,6,,slots,9,100.00,,\n", "- N0 node: slots=6@0\n"},
        {"CPU0,2,6,slots,9,100.00,,\n", "!f:1: the number '6' is where a count has its unit~"},
        {0},
    };

    read_all(all);
}

/* A thread's name may have 15 separators in it. */
static void cut_ids(void)
{
#define FIFTEEN "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,"
    static const struct recorded all[] = {
        {FIVE FIFTEEN "p-1,6,,slots,9,100.00,,\n", "- system system: slots=5@0\n- " FIFTEEN "p-1 thread: slots=6@0\n"},
        {FIVE "a," FIFTEEN "p-1,6,,slots,9,100.00,,\n", "!f:2: 'a' is neither~"},
        /* what was joined in vain is parted again */
        {"x,event,y,z\n" FIVE, IS_FIVE},
        {0},
    };

    read_all(all);
}

/* Names that are not remembered from line to line, as they are longer than 255 bytes. */
static void long_names(void)
{
    for (int more = 0; more < 2; more++) {
        char name[257], text[2048];
        struct log l = {.n = 0};
        struct source s = {text, 0, 500, 0};

        memset(name, 'x', sizeof(name));
        memcpy(name + 255 - 2 + more, "-1", 3);
        s.left = (size_t)snprintf(text, sizeof(text), "%s,5,,slots,/a,9,100.00,,\n", name);
        put_recording(&l, &s);
        CU_ASSERT_EQUAL(
            !strcmp(l.text, "!f:1: the name of the cgroup '/a...' is too long beside a CPU's: record without -A"),
            more);
        CU_ASSERT_EQUAL(!!strstr(l.text, "xx-1 /a cgroup: slots=5@0\n"), !more);
        /* a cgroup of that length, and one that it begins with */
        memcpy(name, "/", 1);
        s = (struct source){
            text, (size_t)snprintf(text, sizeof(text), "5,,slots,%s,9,100.00,,\n6,,slots,/,9,100.00,,\n", name), 500,
            0};
        l.n = 0;
        put_recording(&l, &s);
        CU_ASSERT_PTR_NOT_NULL(strstr(l.text, "- / cgroup: slots=6@0\n"));
    }
}

/* What is found without a percentage of two decimals is a run time of digits alone; it is none that the event has. */
static void run_times(void)
{
    static const struct recorded all[] = {
        {"5,,slots,/a,9.5,1.00,,\n", "- /a cgroup: slots=5@0*0.01\n"},
        {"5,,slots,/a,9.5,10.00,,\n", "- /a cgroup: slots=5@0*0.1\n"},
        {"5,,slots,/a,9.5,100.00,,\n", "- /a cgroup: slots=5@0\n"},
        {"5,,cpu/a,/b/,9,50.00,,\n", "- system system: cpu/a,/b/=5@0*0.5\n"}, /* one slash does not end the name */
        {"5;;slots;/a;9.5;10,00;;\n", "- /a cgroup: slots=5@0*0.1\n"},
        {"5,,0xc0,50.00,60.00,,\n", "- system system: 0xc0=5@0*0.6\n"},
        {"5,,slots,1.5%,x9,50.00,,\n", "!f:1: the run time 'x9' is not a number"},
        {"5,,slots,x9,50.00,,\n", "!f:1: the run time 'x9' is not a number"},
        {"5,,slots,9,50.x,,\n", "!f:1: the percentage '50.x' is not a number"},
        {"5,,slots,/a,9,50.0\n", "- /a cgroup: slots=5@0*0.5\n"}, /* the last columns that there are */
        /* a percentage that the line before had is not this one's */
        {"5,,slots,/a,9,100.00\n6,,slots,/a,9\n", "!f:2: the run time '/a' is not a number"},
        {0},
    };

    read_all(all);
}

/* A line that names the columns is none of another program, if it is before the counts and names three. */
static void headers(void)
{
    static const struct recorded all[] = {
        {"value,unit,event\n" FIVE, IS_FIVE},
        {"value,unit,Event Name\n" FIVE, IS_FIVE},
        {"Counter,value,unit\n" FIVE, IS_FIVE},
        {"value,event\n" FIVE, IS_FIVE LEFT_OUT("1")},
        {"value,unit,x\n" FIVE, IS_FIVE LEFT_OUT("1")},
        {FIVE "value,unit,event\n", IS_FIVE LEFT_OUT("2")},
        {0},
    };

    read_all(all);
}

/* A line is refused, as a damaged one, where it has a count in its place, or an event of the recording that the
 * separator cuts. */
static void damaged(void)
{
    static const struct recorded all[] = {
        {FIVE "5,x-1,6x,hello\n", "!f:2: the line ends before the run time and the percentage: 4 columns"},
        {FIVE "slots,a,b\n", "!f:2: 'slots' is neither~"},
        {FIVE "hello,world\n", IS_FIVE LEFT_OUT("2")}, /* the line before had an event in the third column */
        {FIVE ",,hello,x\n", IS_FIVE LEFT_OUT("2")},
        {FIVE ",,,hello\n", IS_FIVE},
        {FIVE ",,\n", IS_FIVE},
        {"1.000000000,5,,slots,9,100.00,,\n1.000000000,,\n", "1.000 system system: slots=5@0\n"},
        {"6--foo-bar-9-50.00--\nxx-yy-foo-bar-zz\n", "!f:2: ~"},
        {"6--x-9-50.00--\n7--foo-bar-9-50.00--\nxx-yy-foo-bar-zz\n", "!f:3: ~"},
        {"6--x-9-50.00--\n7--foo-bar-9-50.00--\nxx-yy-foo-zz\n",
         "- system system: x=6@0*0.5 foo-bar=7@0*0.5\n" LEFT_OUT("3")},
        {0},
    };

    read_all(all);
}

static const CU_TestInfo tests[] = {
    {"fields", fields},
    {"times", times},
    {"ids", ids},
    {"ids that the separator cuts", cut_ids},
    {"long names", long_names},
    {"run times", run_times},
    {"headers", headers},
    {"damaged lines", damaged},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("columns of perf stat -x", tests);
