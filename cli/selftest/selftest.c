/* SPDX-License-Identifier: MIT */
/* tdprobe selftest: whether this machine's counters find the bottlenecks of programs whose bottleneck is known. */
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/selftest/measure.h"
#include "cli/table/parse.h"
#include "private/plan.h"
#include "report/json_writer.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OFF = 1 };

struct selftest {
    struct cli_options set;
    struct cli_reading reading;
    const char *machine;
    const char *run, *only; /* names of kernels */
    const char *bundle_path;
    struct cli_bundle bundle;
    bool list;
    long cpu;
    double seconds; /* of a kernel */
};

/* ---- options ------------------------------------------------------------------ */

static const char *kernel_name(size_t i)
{
    const struct td_kernel *k = td_kernel_at(i);

    return k ? k->name : NULL;
}

static int take_run(void *settings, const char *value)
{
    ((struct selftest *)settings)->run = value;
    return 0;
}

static int take_only(void *settings, const char *value)
{
    ((struct selftest *)settings)->only = value;
    return 0;
}

static int take_machine(void *settings, const char *value)
{
    ((struct selftest *)settings)->machine = value;
    return cli_take_machine(settings, value); /* each measurement will do so again: what is wrong is told now */
}

static const struct cli_option options[] = {
    {"list", CLI_SETS(struct selftest, list), .common = true,
     .help = "instead: the kernels, and what is expected of them"},
    {"run", .arg = "NAME", .kind = CLI_CHOICE, .take = take_run, .choice = kernel_name, .what = "the kernel",
     .common = true, .help = "instead: run one kernel and nothing else, to be measured by any program"},
    {"kernel", .arg = "NAME", .kind = CLI_CHOICE, .take = take_only, .choice = kernel_name, .what = "the kernel",
     .common = true, .help = "only this kernel"},
    {"time", .arg = "S", CLI_REAL_IN(struct selftest, seconds, 0, 86400), .above = true,
     .is = "a number of seconds, above 0", .usual = "0.2", .common = true, .help = "run each kernel for S seconds",
     .more = "(--run: 1)"},
    {"cpu", 'C', "CPU", CLI_NUMBER_IN(struct selftest, cpu, 0, TD_CPUS_MAX - 1), .is = "one CPU", .common = true,
     .usual = "0", .help = "the CPU that they are bound to"},
    CLI_BUNDLE(struct selftest, bundle_path),
    CLI_JSON(cli_take_format),
    CLI_UARCH(.help = "the CPU, instead of the detected one"),
    CLI_BACKEND(.help = "only by this backend"),
    CLI_NO_FIXED(.common = false),
    CLI_MACHINE(.kind = CLI_TAKEN, .take = take_machine, .common = true,
                .help = "a simulated machine, whose commands have the kernels' names"),
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {"--list", .with = "--run --kernel --time -C --machine --bundle"},
    {"--run", .with = "--kernel --machine -C -j --bundle --uarch --backend --no-fixed"},
};

const struct cli_subcommand cli_selftest_command = {
    .name = "selftest",
    .brief = "do the counters find bottlenecks that are known?",
    .page = "tdprobe-selftest(1)",
    .usage = "selftest [options]\n"
             "selftest --list\n"
             "selftest --run NAME [--time S]",
    .about = "Runs small programs, kernels, whose bottleneck is known from how CPUs work, each\n"
             "bound to one CPU, and measures it in every way that works here: as a task, as a\n"
             "CPU, and by the CPU's registers. A line for each: ok; off, where the counts\n"
             "contradict each other or two ways do; unexpected, where a share is not what the\n"
             "kernel leads to expect; skipped, with the reason.\n",
    .end = "Exit codes: 0 no kernel is off; 1 one is off; 69 none could be measured; 64 wrong\n"
           "usage; 65 bad machine file; 74 the output could not be written; 77 not permitted.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .reading = offsetof(struct selftest, reading),
};

static int parse(struct selftest *s, int argc, char **argv)
{
    int code = cli_parse(&cli_selftest_command, s, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        return cli_usage("selftest takes no arguments such as '%s'; a kernel is named with --kernel or --run",
                         argv[optind]);
    code = cli_check(&cli_selftest_command, &s->set, false);
    return code ? code : -1;
}

/* ---- --list, --run -------------------------------------------------------------------- */

static void list_range(struct td_output *o, const struct td_kernel_range *r)
{
    td_output_format(o, "%-13s expected: %.*s %s %g\n", "", (int)strcspn(r->node, " "), r->node,
                     r->most > 0 ? "<=" : ">=", r->most > 0 ? r->most : r->least);
}

static int list(struct selftest *s)
{
    struct td_output *o = &s->set.report.out;
    struct td_caches caches;
    const struct td_kernel *k;
    int code = cli_stdout(o);

    if (code)
        return code;
    td_caches_find(0, &caches);
    for (size_t i = 0; (k = td_kernel_at(i)); i++) {
        td_output_format(o, "%-13s %s", k->name, k->about);
        if (k->size)
            td_output_format(o, "; %zu KiB here", k->size(&caches) >> 10);
        td_output_char(o, '\n');
        for (size_t r = 0; r < TD_KERNEL_RANGES && k->range[r].node; r++)
            list_range(o, &k->range[r]);
    }
    if (caches.assumed)
        td_output_text(o, "Sizes of this CPU's caches that the system does not tell are assumed.\n");
    return cli_stdout_end(o) ? EXIT_OUTPUT : 0;
}

static int run(const struct selftest *s, bool timed)
{
    char why[TD_KERNEL_WHY] = "";
    struct td_caches caches;

    td_caches_find(0, &caches);
    if (!td_kernel_run(td_kernel_find(s->run), &caches, timed ? s->seconds : 1, NULL, NULL, why))
        return 0;
    cli_say("%s: %s", s->run, why);
    return EXIT_UNABLE;
}

/* ---- the test ---------------------------------------------------------------------------- */

struct tested {
    const struct td_kernel *kernel;
    const struct td_kernel_measured *of;
    enum td_kernel_status status;
    const char *text;
    bool busy; /* so was another thread of the core */
};

/* ---- lines ---------------------------------------------------------------------------- */

/* The way whose numbers are shown: the first that has some. */
static const struct td_kernel_measured *first(const struct td_kernel_measured *of)
{
    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
        if (of[way].n)
            return &of[way];
    return NULL;
}

static void put_text(struct td_output *o, const struct tested *s)
{
    const struct td_kernel_measured *m = first(s->of);

    td_output_format(o, "%-10s %-13s", td_kernel_status_name(s->status), s->kernel->name);
    for (size_t i = 0; m && i < m->n; i++)
        td_output_format(o, " %s %.1f", m->level1[i].name, 100 * m->level1[i].value);
    if (m) {
        td_output_text(o, " % by");
        for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
            if (s->of[way].n)
                td_output_format(o, "%s %s", &s->of[way] == m ? "" : ",", td_kernel_way_name(way));
    }
    if (s->busy)
        td_output_text(o, m ? ", sibling busy" : " sibling busy:");
    if (*s->text)
        td_output_format(o, "%s %s", m ? ":" : "", s->text);
    td_output_char(o, '\n');
}

static void put_way(struct td_json_writer *j, enum td_kernel_way way, const struct td_kernel_measured *m)
{
    td_json_put_open(j, '{');
    td_json_put_key(j, "way");
    td_json_put_string(j, td_kernel_way_name(way));
    td_json_put_key(j, "why");
    td_json_put_string(j, *m->why ? m->why : NULL);
    td_json_put_key(j, "shares");
    td_json_put_open(j, '{');
    for (size_t i = 0; i < m->n; i++) {
        td_json_put_name(j, m->level1[i].name);
        td_json_put_open(j, '{');
        td_json_put_key(j, "value");
        td_json_put_ratio(j, m->level1[i].value);
        td_json_put_key(j, "low");
        td_json_put_ratio(j, m->level1[i].low);
        td_json_put_key(j, "high");
        td_json_put_ratio(j, m->level1[i].high);
        td_json_put_close(j, '}');
    }
    td_json_put_close(j, '}');
    td_json_put_close(j, '}');
}

/* An object in a line of its own for each kernel. */
static void put_json(struct td_output *o, const struct tested *s)
{
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_key(&j, "kernel");
    td_json_put_string(&j, s->kernel->name);
    td_json_put_key(&j, "status");
    td_json_put_string(&j, td_kernel_status_name(s->status));
    td_json_put_key(&j, "why");
    td_json_put_string(&j, *s->text ? s->text : NULL);
    td_json_put_key(&j, "ways");
    td_json_put_open(&j, '[');
    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
        put_way(&j, way, &s->of[way]);
    td_json_put_close(&j, ']');
    td_json_put_key(&j, "sibling");
    td_json_put_string(&j, s->busy ? "busy" : NULL);
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

/* Another thread of the core runs the same kernel meanwhile, if that is asked for: by symmetry, each has a half of all
 * that a core has, and what limits one limits both. */
static int measure_all_ways(const struct cli_measuring *m, const struct td_kernel *k, struct td_kernel_measured *of)
{
    char why[TD_KERNEL_WHY] = "";
    const bool starts = m->sibling >= 0 && !m->machine;
    const pid_t beside = starts ? cli_sibling_start(m->sibling, k, &m->caches, why) : 0;
    int code = 0;

    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++) {
        of[way] = (struct td_kernel_measured){.done = false};
        snprintf(of[way].why, sizeof(of[way].why), "%s", why);
        cli_line_show("%s, by %s%s", k->name, td_kernel_way_name(way), m->sibling < 0 ? "" : ", sibling busy");
        code = code || beside < 0 ? code : cli_measure_kernel(m, k, way, &of[way]);
    }
    cli_line_erase();
    if (beside > 0)
        td_kernel_end(beside);
    return code;
}

/* Measures a kernel in all ways. results: what the bundle gets, or NULL. 0, or an exit code after a message. */
static int test_kernel(struct selftest *s, const struct cli_measuring *m, const struct td_kernel *k,
                       struct td_output *results, size_t *count)
{
    struct td_output *o = &s->set.report.out;
    struct td_kernel_measured of[TD_KERNEL_WAYS];
    char text[TD_KERNEL_TEXT];
    struct tested tested = {.kernel = k, .of = of, .text = text, .busy = m->sibling >= 0};
    int code = measure_all_ways(m, k, of);

    if (code)
        return code;
    tested.status = td_kernel_judge(k, of, text);
    if (cli_given(&cli_selftest_command, &s->set, "-j"))
        put_json(o, &tested);
    else
        put_text(o, &tested);
    if (results)
        put_json(results, &tested);
    td_output_flush(o);
    count[tested.status]++;
    return 0;
}

static void put_readings_text(struct td_output *o, const double ns[TD_KERNEL_WAYS])
{
    const char *before = "reading    ";

    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
        if (!isnan(ns[way])) {
            td_output_format(o, "%s%.0f ns by %s", before, ns[way], td_kernel_way_name(way));
            before = ", ";
        }
    if (*before == ',')
        td_output_text(o, ": what counting costs each time\n");
}

/* An object in a line of its own. */
static void put_readings_json(struct td_output *o, const double ns[TD_KERNEL_WAYS])
{
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_key(&j, "reading_ns");
    td_json_put_open(&j, '{');
    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++) {
        td_json_put_key(&j, td_kernel_way_name(way));
        td_json_put_ratio(&j, ns[way]);
    }
    td_json_put_close(&j, '}');
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

/* What one reading of the counters takes in each way. 0, or an exit code after a message. */
static int put_readings(struct selftest *s, const struct cli_measuring *m, struct td_output *results, bool json)
{
    double ns[TD_KERNEL_WAYS];
    int code = 0;

    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
        code = code ? code : cli_measure_reading(m, way, &ns[way]);
    if (code)
        return code;
    (json ? put_readings_json : put_readings_text)(&s->set.report.out, ns);
    if (results)
        put_readings_json(results, ns);
    return 0;
}

/* What to do next, after all kernels. Returns the exit code. */
static int conclude(struct td_output *o, bool json, const size_t count[TD_KERNEL_OFF + 1])
{
    const size_t measured = count[TD_KERNEL_OK] + count[TD_KERNEL_UNEXPECTED] + count[TD_KERNEL_OFF];

    if (!json && count[TD_KERNEL_OFF])
        td_output_text(
            o, "What is off cannot be right: do not trust these counters; 'tdprobe doctor' looks for the reason.\n");
    else if (!json && count[TD_KERNEL_UNEXPECTED])
        td_output_text(
            o, "What is unexpected may be wrong in tdprobe rather than in the machine: please report this output, or "
               "better what --bundle FILE writes.\n");
    else if (!json && !measured)
        td_output_text(o, "No kernel could be measured: 'tdprobe doctor' tells what prevents it.\n");
    return count[TD_KERNEL_OFF] ? EXIT_OFF : measured ? 0 : EXIT_UNABLE;
}

/* ---- everything ------------------------------------------------------------------------- */

struct looked {
    struct td_report *shown, *kept; /* NULL: they are not shown, not kept */
};

/* Of what is shown only what prevents measuring, and what a guest or a container may hide: doctor has the rest. */
static bool is_shown(const struct td_finding *f)
{
    return f->kind == TD_FINDING_OBSTACLE || !strcmp(f->layer, "guest") || !strcmp(f->layer, "container") ||
           (!strcmp(f->layer, "event") && f->kind == TD_FINDING_NOTE);
}

static void take_finding(void *findings, const struct td_finding *f)
{
    const struct looked *to = findings;

    if (to->shown && is_shown(f))
        td_report_finding(to->shown, f);
    if (to->kept)
        td_report_finding(to->kept, f);
}

/* Looks first whether anything can be measured. 0: go on, as with counters that lie, which the kernels will show, too;
 * else the exit code after a message. */
static int look(struct selftest *s, bool json)
{
    struct td_report kept;
    struct looked to = {.shown = json ? NULL : &s->set.report, .kept = s->bundle_path ? &kept : NULL};
    int code = to.kept ? cli_bundle_machine(&s->bundle, s->set.td) : 0, err;

    if (!code && to.kept)
        code = cli_bundle_report(&s->bundle, "doctor.json", "findings", &kept);
    if (code)
        return code;
    err = td_doctor(s->set.td, take_finding, &to);
    if (to.kept) {
        td_report_diagnosis(&kept, cli_exit_code(err), err ? td_error(s->set.td) : "tdprobe can measure here");
        td_report_end(&kept, NULL);
        td_output_close(&kept.out, true);
    }
    if (!err || err == -EILSEQ)
        return 0;
    td_output_flush(&s->set.report.out);
    cli_say("no kernel can be measured: %s", td_error(s->set.td));
    return cli_exit_code(err);
}

/* Tests all kernels that were asked for. */
static int test_kernels(struct selftest *s, const struct cli_measuring *m, struct td_output *results, size_t *count)
{
    const struct td_kernel *k;
    int code = 0;

    for (size_t i = 0; !code && (k = td_kernel_at(i)); i++)
        if (!s->only || k == td_kernel_find(s->only))
            code = test_kernel(s, m, k, results, count);
    return code;
}

/* The same with another thread of the core busy; a line says where there is none. */
static int test_busy(struct selftest *s, struct cli_measuring *m, struct td_output *results, size_t *count, bool json)
{
    int code = cli_sibling_find(s->set.td, m->cpu, &m->sibling);

    if (!code && m->sibling >= 0)
        code = test_kernels(s, m, results, count);
    else if (!code && !json)
        td_output_format(&s->set.report.out,
                         "%-10s %-13s CPU %d has its core for itself, or the machine does not show otherwise\n",
                         td_kernel_status_name(TD_KERNEL_SKIPPED), "sibling busy", m->cpu);
    return code;
}

static int test_all(struct selftest *s, bool json)
{
    struct cli_measuring m = {.how = &s->reading,
                              .machine = s->machine,
                              .cpu = (int)s->cpu,
                              .sibling = -1,
                              .seconds = s->seconds,
                              .bundle = s->bundle_path ? &s->bundle : NULL};
    size_t count[TD_KERNEL_OFF + 1] = {0};
    struct td_report kept;
    struct td_output *results = m.bundle ? &kept.out : NULL;
    int code = m.bundle ? cli_bundle_report(m.bundle, "selftest.json", "results", &kept) : 0;

    td_caches_find(m.cpu, &m.caches);
    code = code ? code : test_kernels(s, &m, results, count);
    code = code ? code : test_busy(s, &m, results, count, json);
    m.sibling = -1;
    code = code ? code : put_readings(s, &m, results, json);
    if (m.bundle)
        td_output_close(&kept.out, true);
    return code ? code : conclude(&s->set.report.out, json, count);
}

/* A machine that cannot be measured has its bundle all the same: it says why. */
static int test(struct selftest *s)
{
    const bool json = cli_given(&cli_selftest_command, &s->set, "-j");
    struct td_output *o = &s->set.report.out;
    int code = cli_stdout(o), written = 0;

    if (code)
        return code;
    code = look(s, json);
    code = code ? code : test_all(s, json);
    if (s->bundle_path && code != EXIT_BUG)
        written = cli_bundle_write(&s->bundle, s->bundle_path, o, json);
    cli_bundle_free(&s->bundle);
    return cli_stdout_end(o) ? EXIT_OUTPUT : written ? written : code;
}

int cli_selftest_main(int argc, char **argv)
{
    struct selftest s = {.seconds = 0.2};
    int code = cli_options_begin(&s.set);

    if (code)
        return code;
    code = parse(&s, argc, argv);
    if (code < 0 && s.list)
        code = list(&s);
    else if (code < 0 && s.run)
        code = run(&s, cli_given(&cli_selftest_command, &s.set, "--time") != NULL);
    else if (code < 0)
        code = test(&s);
    cli_reading_free(&s.reading);
    td_free(s.set.td);
    return code;
}
