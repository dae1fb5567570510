/* SPDX-License-Identifier: MIT */
/* tdprobe merge: recordings of ranks, hosts or parts of one become one trace. */
#include "cli/cli.h"
#include "cli/merge/imbalance.h"
#include "cli/merge/stream.h"
#include "cli/reading.h"
#include "cli/sandbox/sandbox.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct merge {
    struct cli_options set;
    struct cli_reading reading;
    struct cli_merge all;
    struct cli_imbalance imbalance;
};

static const struct cli_option options[] = {
    CLI_OUTPUT(.help = "the merged trace", .more = "(which appears only when it is whole)"),
    {"disjoint", CLI_SETS(struct merge, all.disjoint), .common = true,
     .help = "add systems and cgroups up, whatever their hosts are"},
    CLI_UARCH_RECORDED,
    CLI_SMT,
    CLI_IMPORT_FORMAT,
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_merge_command = {
    .name = "merge",
    .brief = "recordings of ranks, hosts or parts to one trace",
    .page = "tdprobe-merge(1)",
    .usage = "merge [options] FILE... -o FILE",
    .about = "Adds recordings up that counted different things: the ranks of a job, hosts, the\n"
             "parts of a recording. The trace has their sums, and each of them by its name.\n",
    .more = "Each FILE is anything that replay reads, and is read twice. What they have in common\n"
            "is printed with the least, mean and most of all, and which was worst.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .reading = offsetof(struct merge, reading),
    .offer = CLI_RECORDINGS,
    .confined = true,
};

/* ---- reading ------------------------------------------------------------------------------------------ */

static int read_parts(struct merge *m, char **name, size_t n)
{
    int code = 0;

    m->all.part = calloc(n, sizeof(*m->all.part));
    if (!m->all.part)
        return cli_no_memory();
    for (size_t i = 0; i < n && !code; i++) {
        m->all.n++;
        code = cli_merge_part_read(&m->all.part[i], name[i], &m->reading);
    }
    return code;
}

/* The merged trace as it is made, which is written, and read for its sums. */
struct merged {
    struct cli_merge_stream from;
    struct td_output *to;
};

static ssize_t read_and_write(void *merged, void *buf, size_t size)
{
    struct merged *m = merged;
    const ssize_t n = cli_merge_stream_read(&m->from, buf, size);

    return n > 0 && td_output_write(m->to, buf, (size_t)n) ? m->to->error : n;
}

/* What could not be read again is reported by whoever reads it, and what could not be written by closing the output. */
static int read_merged(struct merge *m, struct td *td, struct merged *merged)
{
    const struct td_result *ignored;
    int err;

    td_set_note(td, NULL, NULL); /* the parts' have been printed */
    td_set_intervals(td, false);
    err = td_open(td, m->set.output, read_and_write, merged);
    err = err ? err : td_next(td, &ignored);
    if (merged->from.code || merged->to->error)
        return merged->from.code;
    if (err != -ENODATA)
        return cli_library_error(td, err);
    return cli_each_sum(td, cli_imbalance_take, &m->imbalance);
}

static int write_merged(struct merge *m)
{
    struct td_output *o = &m->set.report.out;
    struct cli_options set = {0}; /* by no option of the parts */
    struct merged merged = {.to = o};
    int code = cli_output_error(o, td_output_open(o, m->set.output)), closed;

    if (code)
        return code;
    code = cli_merge_stream_begin(&merged.from, &m->all, &m->reading);
    code = code ? code : cli_options_begin(&set);
    code = code ? code : read_merged(m, set.td, &merged);
    td_free(set.td);
    cli_merge_stream_end(&merged.from);
    closed = cli_output_error(o, td_output_close(o, !code));
    return code ? code : closed;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static int put_all(const struct merge *m)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    td_output_format(&o, "%s: %zu %s%s%s\n", m->set.output, m->all.members, m->all.called,
                     m->all.members > 1 ? "s" : "", m->all.n > m->all.members ? ", in several parts" : "");
    cli_imbalance_put(&m->imbalance, &o);
    return cli_stdout_end(&o);
}

static int run(struct merge *m, char **name, size_t n)
{
    int code;

    cli_sandbox_enter(NULL, 0);
    code = read_parts(m, name, n);
    code = code ? code : cli_merge_plan(&m->all);
    if (code)
        return code;
    cli_merge_say(&m->all);
    code = write_merged(m);
    return code ? code : put_all(m);
}

static int check(const struct merge *m, char **name, size_t n)
{
    if (!m->set.output || !strcmp(m->set.output, "-"))
        return cli_usage("merge writes a trace to a file, and prints on stdout how even the recordings were: name the "
                         "file with -o");
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name[i], "-"))
            return cli_usage("merge reads each recording twice, and stdin can be read only once: name a file instead "
                             "of -");
    return 0;
}

int cli_merge_main(int argc, char **argv)
{
    struct merge m = {.imbalance = {.merge = &m.all}};
    struct cli_recordings input = {.n = 0};
    int code = cli_options_begin(&m.set);

    if (code)
        return code;
    code = cli_input_options(&cli_merge_command, &m, argc, argv, argc, &input);
    if (code < 0) {
        code = check(&m, input.name, input.n);
        code = code ? code : run(&m, input.name, input.n);
    }
    cli_recordings_free(&input);
    td_free(m.set.td);
    cli_imbalance_free(&m.imbalance);
    cli_merge_free(&m.all);
    cli_reading_free(&m.reading);
    return code;
}
