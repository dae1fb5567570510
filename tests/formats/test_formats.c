/* SPDX-License-Identifier: MIT */
/* Which format a recording has: by its content, or as asked; formats that are
 * refused by name; and the metadata that PerfSpect keeps beside its counts. */
#include "core/counts/scope_kind.h"
#include "tests/support/recorded.h"

#include <math.h>

#define ROWS \
    "1000,,slots,9,100.00,,\n300,,topdown-retiring,9,100.00,,\n100,,topdown-bad-spec,9,100.00,,\n300,,topdown-fe-bound,9,100.00,,\n300,,topdown-be-bound,9,100.00,,\n"
#define OBJECT(value_, event_) \
    "{\"interval\" : 5.000000000, \"counter-value\" : \"" value_ "\", \"unit\" : \"\", \"event\" : \"" event_ \
    "\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"
#define OBJECTS \
    OBJECT("1000", "TOPDOWN.SLOTS") \
    OBJECT("300", "PERF_METRICS.RETIRING") \
    OBJECT("100", "PERF_METRICS.BAD_SPECULATION") \
    OBJECT("300", "PERF_METRICS.FRONTEND_BOUND") OBJECT("300", "PERF_METRICS.BACKEND_BOUND")
#define SKYLAKE OBJECT("1000", "cpu-cycles") OBJECT("800", "IDQ_UOPS_NOT_DELIVERED.CORE")

/* What tdprobe advises instead. */
static void refused_by_name(void)
{
    static const struct recorded all[] = {
        {"CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\nC0,Frontend_Bound,53.9,% Slots,,,0.0,100.0,,Y\n",
         "!f:1: toplev's results, which are ratios: ~"},
        {"# 4.11-full-perf on Intel [skl]\nTimestamp,CPUs,Area,Value,Unit\n",
         "!f:2: toplev's results, which are ratios: ~"},
        {"Area,Value,Unit\n", "!f:1: toplev's results~"},
        {"interval,title,group,ename,val,event,index,stddev,multiplex,nodes\n", "!f:1: toplev's --valcsv~"},
        {"{\"traceEvents\": [\n", "!f:1: a trace for Chrome~"},
        {"{\"name\": \"Level1\",\"ph\":\"C\",\"ts\":0.1}\n", "!f:1: a trace for Chrome~"},
        {"time,group,stage,level,metric,value,units\n0.10,Topdown_L1,1,1,Retiring,17.02,%\n",
         "!f:1: topdown-tool's metrics, which are ratios: ~"},
        {"TS,SKT,CPU,CID,CPU operating frequency (in GHz),CPU utilization %\n",
         "!f:1: PerfSpect's metrics, which are ratios: ~"},
        {"{\"NumGeneralPurposeCounters\":8,\"SocketCount\":2}\n", "!f:1: PerfSpect's metadata, without counts: ~"},
        {"STRUCT,Info,3,,,\nCPU name:,Intel,,,\n", "!f:1: likwid's tables~"},
        {"TABLE,Group 1 Raw,TMA,8,\n", "!f:1: likwid's tables~"},
        {"Event,Counter,HWThread 0\n", "!f:1: likwid's tables~"},
        {"# GID|MetricsCount|CpuCount|Total runtime [s]|CPI\n1 4 2 0.300 1 2\n", "!f:1: likwid's metrics over time~"},
        {"System,System,System,Socket 0\nDate,Time,EXEC,IPC\n", "!f:1: pcm's results~"},
        {"Date,Time,EXEC,IPC,FREQ\n", "!f:1: pcm's results~"},
        {0},
    };

    read_all(all);
}

/* A line longer than any in a recording is recognised by its beginning. */
static void long_metadata(void)
{
    static char text[200 * 1024];
    struct source s = {text, sizeof(text), 4096, 0};
    struct log l = {.n = 0};

    memset(text, 'x', sizeof(text));
    memcpy(text, "{\"NumGeneralPurposeCounters\":8,", strlen("{\"NumGeneralPurposeCounters\":8,"));
    put_recording(&l, &s);
    CU_ASSERT(!strncmp(l.text, "!f:1: PerfSpect's metadata", strlen("!f:1: PerfSpect's metadata")));
    s = (struct source){text, sizeof(text), 4096, 0};
    memset(text, 'x', 40);
    l.n = 0;
    put_recording(&l, &s);
    CU_ASSERT(strstr(l.text, "64 KiB") != NULL);
}

/* When perf stat -o began is told by its first line, of whose CSV a spreadsheet may have made a field. */
static void started(void)
{
    static const struct {
        const char *text, *wanted; /* NULL: it is not told */
    } of[] = {
        {"# started on Tue Nov 24 10:00:00 2026\n\n" ROWS, "Tue Nov 24 10:00:00 2026"},
        {"\"# started on Tue Nov 24 10:00:00 2026\",,,\n" ROWS, "Tue Nov 24 10:00:00 2026"},
        {"# started on a b   ,,\n" ROWS, "a b"},
        {"# started on a;;\r\n" ROWS, "a"},
        {"# started on a\n# started on b\n" ROWS, "a"},
        {"# started on   ,\n" ROWS, ""},
        {"# start on a\n" ROWS, NULL},
        {"x# started on a\n" ROWS, NULL},
        {ROWS, NULL},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static struct opened o;
        struct source s = {of[i].text, strlen(of[i].text), 100, 0};
        const char *got;

        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
        got = o.r->stream.started;
        CU_ASSERT(got && of[i].wanted ? !strcmp(got, of[i].wanted) : !got && !of[i].wanted);
        if (got && of[i].wanted && strcmp(got, of[i].wanted))
            printf("\n    '%s', not '%s'", got, of[i].wanted);
        close_recording(&o);
    }
}

/* What a log or a mail puts before each line. */
static void prefixed(void)
{
    static const struct recorded all[] = {
        {"> 136,,slots,9,100.00,,\n> 32,,topdown-retiring,9,100.00,,\n",
         "- system system: slots=136@0 topdown-retiring=32@0\n"},
        {"10:11:12 " OBJECT("5", "slots") "10:11:12 " OBJECT("6", "topdown-retiring"),
         "5.000 system system: slots=5@0 topdown-retiring=6@0\n"},
        {0},
    };

    read_all(all);
}

/* How many lines were left out is told once, at the end. */
static void left_out(void)
{
    static const struct recorded all[] = {
        {"136,,slots,9,100.00,,\nhello there\n32,,topdown-retiring,9,100.00,,\n",
         "- system system: slots=136@0 topdown-retiring=32@0\n"
         "{f:2: 1 line is of another program; it is left out}"},
        {"136,,slots,9,100.00,,\nhello there\n32,,topdown-retiring,9,100.00,,\nand here\n",
         "- system system: slots=136@0 topdown-retiring=32@0\n"
         "{f:2: 2 lines are of another program; they are left out, from this one on}"},
        {0},
    };

    read_all(all);
}

/* What has no count at all. */
static void nothing(void)
{
    static const struct recorded all[] = {
        {"", "!f:0: the file is empty"},
        {"\n \t\n", "!f:2: the file is empty"},
        {"\n# x\n\n", "!f:3: the file ends without a single count"},
        {"# x", "!f:1: the file ends without a single count"},
        {0},
    };

    read_all(all);
}

/* A file that can be read from anywhere. */
struct seekable {
    const char *text;
    size_t at;
    int seeks, fails; /* the one that fails, from 1; 0: none */
};

static ssize_t seekable_read(void *ctx, void *buf, size_t size)
{
    struct seekable *f = ctx;
    const size_t left = strlen(f->text) - f->at, n = left < size ? left : size;

    memcpy(buf, f->text + f->at, n);
    f->at += n;
    return (ssize_t)n;
}

static int seekable_seek(void *ctx, uint64_t offset)
{
    struct seekable *f = ctx;

    if (++f->seeks == f->fails)
        return -EIO;
    f->at = (size_t)offset;
    return 0;
}

#define TRACE_HEAD \
    "# tdprobe-trace: 1\n# cpu: skl\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"
#define TRACE_READING(time_, value_) \
    time_ ",CPU3,cpu,,0,0,cycles," value_ "," time_ "," time_ "\n" time_ ",CPU3,cpu,,,0,end,1,,\n"

/* A trace is read to its end before anything of it is given, where that can be done. */
static void traces_to_their_end(void)
{
    static const struct {
        const char *text;
        int fails, seeks;
        const char *wanted;
    } of[] = {
        {TRACE_HEAD TRACE_READING("0", "5") TRACE_READING("9", "6"), 0, 2, "0.000 CPU3 cpu: cycles=1@0\n"},
        {"Hi,\n" TRACE_HEAD TRACE_READING("0", "5") TRACE_READING("9", "6"), 0, 2, "0.000 CPU3 cpu: cycles=1@0\n"},
        {TRACE_HEAD TRACE_READING("0", "5") TRACE_READING("9", "6") TRACE_READING("8", "7"), 0, 1,
         "!f:8: time goes backwards: 8 comes after 9; a trace of one recorder has no such line, so nothing of it is "
         "given as sound: record it again"},
        {TRACE_HEAD TRACE_READING("9", "5") TRACE_READING("8", "6"), 0, 2,
         "!f:6: time goes backwards: 8 comes after 9"},
        {"# tdprobe-trace: 2\n", 0, 2, "!f:1: version 2 of the format; this tdprobe reads version 1"},
        {TRACE_HEAD TRACE_READING("0", "5") TRACE_READING("9", "6"), 1, 2,
         "0.000 CPU3 cpu: cycles=1@0\n"}, /* that it cannot be read to its end alone is no reason to refuse it */
        {TRACE_HEAD TRACE_READING("0", "5") TRACE_READING("9", "6"), 2, 2, "!f: cannot be read: Input/output error"},
        {ROWS, 0, 0,
         "- system system: slots=1000@0 topdown-retiring=300@0 topdown-bad-spec=100@0 topdown-fe-bound=300@0 "
         "topdown-be-bound=300@0\n"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static struct opened o;
        struct seekable f = {.text = of[i].text, .fails = of[i].fails};
        struct log l = {.n = 0};
        int err;

        CU_ASSERT_EQUAL_FATAL(begin_recording(&o), 0);
        o.r->seek = seekable_seek;
        err = td_recording_open(&o.r, seekable_read, &f, NULL);
        while (!err && !(err = next_batch(&o)))
            for (size_t k = 0; k < o.r->stream.nbatch; k++)
                put_interval(&l, &o.r->stream, &o.r->stream.batch[k]);
        if (err != -ENODATA)
            put(&l, "!%s", o.log.error);
        same_log(&l, of[i].wanted, i);
        CU_ASSERT_EQUAL(f.seeks, of[i].seeks);
        close_recording(&o);
    }
}

struct heard {
    struct log notes;
    char said[1024];
    int err;
};

/* Reads text with metadata (NULL: none), a format and a CPU (NULL: not given);
 * gives "CPU flags", or the error. */
static void replay(struct heard *h, const char *text, const char *metadata, const char *format, const char *uarch)
{
    struct source s = {text, strlen(text), 7, 0}, m = {metadata, metadata ? strlen(metadata) : 0, 5, 0};
    const struct td_result *r = NULL;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    h->notes.n = 0;
    h->notes.text[0] = '\0';
    td_set_note(td, take_note, &h->notes);
    h->err = uarch ? td_set_uarch(td, uarch) : 0;
    if (!h->err && format)
        h->err = td_set_format(td, format);
    if (!h->err && metadata)
        h->err = td_set_metadata(td, "m", source_read, &m);
    if (!h->err)
        h->err = td_open(td, "f", source_read, &s);
    if (!h->err)
        h->err = td_next(td, &r);
    if (h->err)
        snprintf(h->said, sizeof(h->said), "%s", td_error(td));
    else
        snprintf(h->said, sizeof(h->said), "%s%s", td_result_cpu(r),
                 td_result_flags(r) & TD_FLAG_SMT_UNKNOWN ? " smt_unknown" : "");
    td_free(td);
}

static void formats(void)
{
    static const struct {
        const char *text, *format;
        int err;
        const char *said;
    } all[] = {
        {ROWS, NULL, 0, "spr"},
        {ROWS, "auto", 0, "spr"},
        {ROWS, "perf-csv", 0, "spr"},
        {OBJECTS, "perf-json", 0, "spr"},
        {ROWS, "json", -EINVAL,
         "no format 'json'; 'tdprobe list formats' says what they are: auto, perf-data, tdprobe-trace, perf-json, arm-events, perf-text, perf-csv"},
        {ROWS, "", -EINVAL, "no format ''; 'tdprobe list formats' says what they are: auto, "},
        {ROWS, "tdprobe-trace", -EBADMSG,
         "f:1: not of the format tdprobe-trace, as which it was to be read: '1000,,slots,9,100.00,,'"},
        {"\n# x\n" ROWS, "arm-events", -EBADMSG, "f:3: not of the format arm-events, as which it was to be read: "},
        {ROWS, "perf-data", -EBADMSG, "f:1: not of the format perf-data, as which it was to be read"},
        {"", "perf-data", -EBADMSG, "f:1: not of the format perf-data"},
        {"", "perf-csv", -EBADMSG, "f:0: the file is empty"},
        {ROWS, "perf-json", -EBADMSG, "f:1: '1000,,slots"},
        {OBJECTS, "perf-csv", -EBADMSG, "f:1: "},
        {ROWS, "perf-text", -EBADMSG, "f:5: "},
        /* what would be taken for another format by its first line */
        {"Welcome to the machine\n" OBJECTS, "perf-json", 0, "spr"},
        {"Welcome to the machine\n" OBJECTS, NULL, 0, "spr"},
        {"run,time,event,value\n" ROWS, "perf-csv", 0, "spr"}, /* lines of another format than asked are of no one */
        {"PERFILE2\n" ROWS, NULL, -EBADMSG, "f:"},
        {"PERFILE2, 9\n          1,000      slots\n        300      topdown-retiring\n", "perf-text", 0, "spr"},
        {"Date,Time,\n          1,000      slots\n            300      topdown-retiring\n", "perf-text", 0, "spr"},
    };
    struct heard h;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        replay(&h, all[i].text, NULL, all[i].format, "spr");
        CU_ASSERT_EQUAL(h.err, all[i].err);
        CU_ASSERT(!strncmp(h.said, all[i].said, strlen(all[i].said)));
        if (h.err != all[i].err || strncmp(h.said, all[i].said, strlen(all[i].said)))
            printf("\n    format %s: %d %s", all[i].format ? all[i].format : "-", h.err, h.said);
    }
    replay(&h, "PERFILE2" ROWS ROWS ROWS, NULL, "perf-data", "spr"); /* it is, by its first bytes */
    CU_ASSERT(h.err && !strstr(h.said, "not of the format"));
}

/* Each name is accepted, and each has a text about what writes the format. */
static void list(void)
{
    struct td *td = td_new();
    size_t n = 0;

    for (; td_format_name(n); n++)
        CU_ASSERT(td_format_about(n) && *td_format_about(n) && !td_set_format(td, td_format_name(n)));
    CU_ASSERT(n == 6 && !td_format_about(n));
    for (; n < 40; n++)
        CU_ASSERT_PTR_NULL(td_reader_at(n));
    td_free(td);
}

#define UARCH(name_) \
    "{\"ThreadsPerCore\":2,\"Microarchitecture\":\"" name_ \
    "\",\"Vendor\":\"GenuineIntel\",\"UncoreDeviceIDs\":{\"cha\":[0,1]},\"CPUSocketMap\":{\"0\":0}}\n"
#define MIDR(midr_, name_) "{\"Microarchitecture\":\"" name_ "\",\"Vendor\":\"ARM\",\"ARMCPUID\":\"" midr_ "\"}"

/* As PerfSpect's versions name CPUs; counts of another CPU end with its name in the error. */
static void cpus(void)
{
    static const struct {
        const char *metadata, *said;
        int err;
    } all[] = {
        {UARCH("SPR"), "spr", 0},
        {UARCH("SPR_XCC"), "spr", 0},
        {UARCH("EMR_MCC"), "emr", 0},
        {UARCH("GNR_X3"), "gnr", 0},
        {UARCH("GNR-D"), "gnr", 0},
        {UARCH("GNR_D"), "gnr", 0},
        {UARCH("ICX"), "icx", 0},
        {UARCH("ADL"), "adl-p", 0},
        {UARCH("SRF_SP"), "f:5: none of the events is one that the formulas of srf use~", -EBADMSG},
        {UARCH("CWF"), "f:5: none of the events is one that the formulas of cwf use~", -EBADMSG},
        {UARCH("CPX"), "f:5: none of the events is one that the formulas of clx use~", -EBADMSG},
        {UARCH("KBL"), "f:5: none of the events is one that the formulas of skl use~", -EBADMSG},
        {UARCH("DMR"), "m:1: the file says cpu DMR: Intel has published~", -EOPNOTSUPP},
        {MIDR("0x00000000410fd493", "Neoverse-N2"),
         "f:5: none of the events is one that the formulas of neoverse-n2-r0p3 use~", -EBADMSG},
        {MIDR("0x00000000410fd490", "Neoverse-N2"),
         "f:5: none of the events is one that the formulas of neoverse-n2 use~", -EBADMSG},
        {MIDR("", "Graviton4"), "f:5: none of the events is one that the formulas of neoverse-v2 use~", -EBADMSG},
        {MIDR("", "Axion"), "f:5: none of the events is one that the formulas of neoverse-v2 use~", -EBADMSG},
        {MIDR("", "Neoverse-V1"), "f:5: none of the events is one that the formulas of neoverse-v1 use~", -EBADMSG},
        {MIDR("", "AmpereOne AC03"), "f:5: none of the events is one that the formulas of ampereone use~", -EBADMSG},
        {MIDR("", "AmpereOne AC04_1"), "f:5: none of the events is one that the formulas of ampereonex use~", -EBADMSG},
        {MIDR("0x00000000413fd0c1", "Graviton2"),
         "f:5: none of the events is one that the formulas of neoverse-n1 use~", -EBADMSG},
        {MIDR("", "Altra Family"), "f:5: none of the events is one that the formulas of neoverse-n1 use~", -EBADMSG},
        {"{\"Microarchitecture\":\"Turin (Zen 5)\",\"Vendor\":\"AuthenticAMD\"}",
         "f:5: none of the events is one that the formulas of zen5 use~", -EBADMSG},
        {"{\"Microarchitecture\":\"Bergamo\",\"Vendor\":\"AuthenticAMD\"}",
         "f:5: none of the events is one that the formulas of zen4 use~", -EBADMSG},
        {"{\"Microarchitecture\":\"Dublin\",\"Vendor\":\"AuthenticAMD\"}", "m:1: the file says cpu AuthenticAMD: AMD~",
         -EOPNOTSUPP},
    };
    struct heard h;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        size_t n = strcspn(all[i].said, "~");

        replay(&h, OBJECTS, all[i].metadata, NULL, NULL);
        CU_ASSERT_EQUAL(h.err, all[i].err);
        CU_ASSERT(!strncmp(h.said, all[i].said, n) && (all[i].said[n] || !h.said[n]));
        if (h.err != all[i].err || strncmp(h.said, all[i].said, n) != 0)
            printf("\n    %s: %d %s", all[i].metadata, h.err, h.said);
    }
}

/* Events that no formula uses: of AMD's Zen, named as in perf (a recording's
 * --uarch is not asked for), or of no CPU's top-down analysis. */
static void no_formula(void)
{
    static const char zen[] =
        "f:2: events such as 'cpu/de_dis_uops_from_decoder.opcache_dispatched,cmask=0x6/' are of a CPU whose slots tdprobe does not compute: AMD ";
    static const struct {
        const char *text, *uarch;
        int err;
        const char *said;
    } all[] = {
        {"5;;cycles;9;100.00;;\n5;;cpu/de_dis_uops_from_decoder.opcache_dispatched,cmask=0x6/;9;100.00;;\n", NULL,
         -EOPNOTSUPP, zen},
        {"5;;cycles;9;100.00;;\n5;;cpu/de_dis_uops_from_decoder.opcache_dispatched,cmask=0x6/;9;100.00;;\n", "spr",
         -EOPNOTSUPP, zen},
        {"5,,LS_NOT_HALTED_CYC,9,100.00,,\n", "spr", -EBADMSG,
         "f:1: none of the events is one that the formulas of spr use"},
        {"5,,DE_DIS_UOPS:u,9,100.00,,\n", NULL, -EOPNOTSUPP, "f:1: events such as 'DE_DIS_UOPS:u' are"},
        {"5,,ex_ret_ops:u,9,100.00,,\n", NULL, -EOPNOTSUPP, "f:1: the top-down events of this recording fit no CPU"},
        {"5,,ex_ret,9,100.00,,\n", NULL, -EBADMSG, "f:1: no top-down events were recorded"},
        {"5,,cycles,9,100.00,,\n", NULL, -EBADMSG, "f:1: no top-down events were recorded"},
        {"5,,my_ex_ret_ops,9,100.00,,\n", "spr", -EBADMSG,
         "f:1: none of the events is one that the formulas of spr use: another CPU was recorded, or no top-down events were"},
        /* too few for any CPU */
        {"9,,slots,9,100.00,,\n5,,topdown-bad-spec,9,100.00,,\n", NULL, -EOPNOTSUPP,
         "f:2: the top-down events of this recording fit no CPU"},
        /* some events of a formula: it gives a result, with what is missing */
        {"5,,ex_ret_ops,9,100.00,,\n9,,slots,9,100.00,,\n", "spr", 0, "spr"},
    };
    struct heard h;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        replay(&h, all[i].text, NULL, NULL, all[i].uarch);
        CU_ASSERT_EQUAL(h.err, all[i].err);
        CU_ASSERT(!strncmp(h.said, all[i].said, strlen(all[i].said)));
        if (h.err != all[i].err || strncmp(h.said, all[i].said, strlen(all[i].said)) != 0)
            printf("\n    %s: %d %s", all[i].text, h.err, h.said);
    }
}

#define P_CORES(and_) \
    "1000,,cpu_core/slots/,9,100.00,,\n300,,cpu_core/topdown-retiring/,9,100.00,,\n100,,cpu_core/topdown-bad-spec/,9,100.00,,\n" \
    "300,,cpu_core/topdown-fe-bound/,9,100.00,,\n300,,cpu_core/topdown-be-bound/,9,100.00,,\n" and_

/* One kind of core identifies the CPU, whatever else is counted on the other. */
static void one_kind_of_core(void)
{
    static const struct {
        const char *text;
        int err;
    } all[] = {
        {P_CORES(""), 0},
        {P_CORES("5,,cpu_atom/branches/,9,100.00,,\n"), 0},
        {P_CORES("5,,cpu_atom/cycles/,9,100.00,,\n"), 0},
        {P_CORES("5,,cpu_atom/topdown-retiring/,9,100.00,,\n"), -EOPNOTSUPP},
        {"5,,cpu_core/branches/,9,100.00,,\n5,,cpu_atom/branches/,9,100.00,,\n", -EBADMSG},
    };
    struct heard h;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        replay(&h, all[i].text, NULL, NULL, NULL);
        CU_ASSERT_EQUAL(h.err, all[i].err);
        CU_ASSERT(h.err || !strcmp(h.said, "adl-p|mtl-p|lnl-p|arl-p|ptl-p"));
        if (h.err != all[i].err)
            printf("\n    %s: %d %s", all[i].text, h.err, h.said);
    }
}

/* The kernel switches the counters of tasks, and only scopes made of whole cores have both threads of each. */
static void kinds(void)
{
    static const struct {
        const char *name;
        bool switched, whole;
    } all[] = {
        {"system", false, true}, {"cpu", false, false},   {"core", false, true},   {"socket", false, true},
        {"node", false, true},   {"thread", true, false}, {"cgroup", true, false}, {"region", false, false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const enum td_scope_kind named = td_kind_named(all[i].name);

        CU_ASSERT_FATAL(named != TD_KIND_NONE);
        CU_ASSERT_STRING_EQUAL(td_kind_name(named), all[i].name);
        CU_ASSERT_EQUAL(td_kind_switched(named), all[i].switched);
        CU_ASSERT_EQUAL(td_kind_whole_core(named), all[i].whole);
    }
    CU_ASSERT(td_kind_named("die") == TD_KIND_NONE && td_kind_named("") == TD_KIND_NONE);
}

static void notes(void)
{
    struct heard h;

    replay(&h, OBJECTS, UARCH("XYZ"), NULL, NULL); /* of a PerfSpect that is newer than tdprobe */
    CU_ASSERT(!h.err && !strncmp(h.said, "icl|", 4) &&
              !strcmp(h.notes.text,
                      "{m:1: the file says cpu XYZ, which tdprobe does not know; the CPU is found by the events}"));
    replay(&h, OBJECTS, UARCH("SPR_XCC"), NULL, "gnr"); /* --uarch overrides */
    CU_ASSERT(!h.err && !strcmp(h.said, "gnr") &&
              !strcmp(h.notes.text, "{m:1: the file says cpu SPR; read as gnr, as asked}"));
    replay(&h, OBJECTS, UARCH("DMR"), NULL, "spr");
    CU_ASSERT(!h.err && !strcmp(h.said, "spr") && strstr(h.notes.text, "as asked") != NULL);
    replay(&h, OBJECTS, UARCH("SPR_MCC"), NULL, "spr");
    CU_ASSERT(!h.err && !h.notes.n);
}

/* Whether a second thread shared the core decides whether Skylake's formula for one thread is used. */
static void threads(void)
{
    static const char *const text[] = {"2", "\"2\"", "1", "4", "null", "\"\""};
    struct heard h;

    for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
        char metadata[128];

        snprintf(metadata, sizeof(metadata), "{\"Microarchitecture\":\"SKX\",\"ThreadsPerCore\":%s}", text[i]);
        replay(&h, SKYLAKE, metadata, NULL, NULL);
        CU_ASSERT_EQUAL(h.err, 0);
        CU_ASSERT_STRING_EQUAL(h.said, i == 2 ? "skx" : "skx smt_unknown");
    }
}

/* The CPU asked for takes precedence over that of the metadata in either order. */
static void asked_later(void)
{
    static const char metadata[] = UARCH("GNR");
    struct source m = {metadata, strlen(metadata), 100, 0}, s = {OBJECTS, strlen(OBJECTS), 100, 0};
    const struct td_result *r = NULL;
    struct td *td = td_new();

    CU_ASSERT(!td_set_metadata(td, "m", source_read, &m) && !td_set_uarch(td, "spr") &&
              !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    CU_ASSERT_STRING_EQUAL(td_result_cpu(r), "spr");
    td_free(td);
}

/* How long an event ran is not in topdown-tool's file, so it is not reported. */
static void coverage(void)
{
    static const char text[] = "run,time,event,value\n1,,CPU_CYCLES,1000\n1,,STALL_SLOT_FRONTEND,1500\n";
    struct source s = {text, strlen(text), 100, 0};
    const struct td_result *r = NULL;
    struct td *td = td_new();

    CU_ASSERT(!td_set_uarch(td, "neoverse-v1") && !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    CU_ASSERT(isnan(td_result_coverage(r)) && td_result_counts(r) == 2 && isnan(td_result_count(r, 0)->coverage));
    CU_ASSERT(td_result_flags(r) & TD_FLAG_NO_BOUNDS && !(td_result_flags(r) & TD_FLAG_MULTIPLEXED));
    td_free(td);
}

static void bad_metadata(void)
{
    static const struct {
        const char *metadata, *said;
    } all[] = {
        {"", "m:1: the metadata is empty"},
        {"null\n", "m:1: this is no object"},
        {"[1]\n", "m:1: this is no object"},
        {"{\"Vendor\":", "m:1: the metadata ends before its object does"},
        {"{]", "m:1: no JSON: "},
        {"run,time\n", "m:1: no JSON: "},
        {"{}\n", "m:1: this is no metadata of PerfSpect: it names no CPU ('Microarchitecture')"},
        {"{\"Microarchitecture\":\"\",\"ARMCPUID\":\"\",\"Vendor\":\"GenuineIntel\"}",
         "m:1: this is no metadata of PerfSpect"},
        {"{\"Microarchitecture\":[\"SPR\"]}", "m:1: the value of 'Microarchitecture' is no name"},
        {"{\"ThreadsPerCore\":{},\"Microarchitecture\":\"SPR\"}", "m:1: the value of 'ThreadsPerCore' is no number"},
        {"{\"Microarchitecture\":\"SPR\\u0000\"}", "m:1: the value of 'Microarchitecture' is no name"},
        {"{\"Microarchitecture\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}",
         "m:1: the value of 'Microarchitecture' is no name"},
        {"{\"a\":[[[[[[[1]]]]]]]}", "m:1: no JSON: "}, /* the number is at level 9 */
        {"{\"a\":[[[[[[1]]]]]]}", "m:1: this is no metadata of PerfSpect"},
    };
    static char large[4 * 1024 * 1024 + 1];
    struct source s = {"", 0, 1, -EIO};
    struct heard h;
    struct td *td = td_new();

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        replay(&h, OBJECTS, all[i].metadata, NULL, NULL);
        CU_ASSERT_EQUAL(h.err, -EBADMSG);
        CU_ASSERT(!strncmp(h.said, all[i].said, strlen(all[i].said)));
        if (h.err != -EBADMSG || strncmp(h.said, all[i].said, strlen(all[i].said)))
            printf("\n    %s: %d %s", all[i].metadata, h.err, h.said);
    }
    CU_ASSERT(td_set_metadata(td, "m", source_read, &s) == -EIO && strstr(td_error(td), "m: cannot be read") != NULL);
    memset(large, ' ', sizeof(large));
    s = (struct source){large, sizeof(large), sizeof(large), 0};
    CU_ASSERT(td_set_metadata(td, "m", source_read, &s) == -EBADMSG &&
              strstr(td_error(td), "larger than 4 MiB") != NULL);
    s = (struct source){large, sizeof(large) - 1, sizeof(large), 0};
    CU_ASSERT(td_set_metadata(td, "m", source_read, &s) == -EBADMSG &&
              strstr(td_error(td), "the metadata ends before its object does") != NULL);
    s = (struct source){OBJECTS, strlen(OBJECTS), 100, 0};
    CU_ASSERT(!td_open(td, "f", source_read, &s) && td_set_metadata(td, "m", source_read, &s) == -EINVAL);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"refused by name", refused_by_name},
    {"long metadata", long_metadata},
    {"when it began", started},
    {"prefixes", prefixed},
    {"left out", left_out},
    {"nothing", nothing},
    {"traces to their end", traces_to_their_end},
    {"formats", formats},
    {"list", list},
    {"CPUs", cpus},
    {"no formula", no_formula},
    {"one kind of core", one_kind_of_core},
    {"kinds", kinds},
    {"notes", notes},
    {"threads", threads},
    {"asked later", asked_later},
    {"coverage", coverage},
    {"bad metadata", bad_metadata},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("import", tests);
