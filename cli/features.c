/* SPDX-License-Identifier: MIT */
#include "cli/features.h"

#include "cli/cli.h"
#include "cli/table/offers.h"
#include "report/json_writer.h"

#include <stdio.h>
#include <string.h>

enum { FEATURES_MOST = 32 };

struct feature {
    const char *name, *about;
};
/* A cell is y (yes) or t (by turns of groups), after which a number may follow, u (untested), or the letter of the
 * reason why not. */
struct machine {
    const char *name, *cpus, *cell[FEATURES_MOST];
};

#include "cli/features.inc"

/* Whether a machine stands for a CPU of that name or alias, or, where kinds is set, for a kind of core of the hybrid of
 * that name. */
static bool stands_for(const struct machine *m, const char *cpu, bool kinds)
{
    const struct td_uarch *asked = td_uarch_by_name(cpu);
    char word[64];
    int used;

    for (const char *at = m->cpus; sscanf(at, " %63s%n", word, &used) == 1; at += used) {
        const struct td_uarch *u = td_uarch_by_name(word);

        if (kinds ? cli_is_cpu(u, cpu) : u == asked)
            return true;
    }
    return false;
}

static const struct machine *find_machine(const char *cpu)
{
    for (int kinds = 0; kinds < 2; kinds++)
        for (size_t i = 0; i < CLI_COUNT(machines); i++)
            if (stands_for(&machines[i], cpu, kinds))
                return &machines[i];
    return NULL;
}

static const char *word_of(const char *cell)
{
    switch (*cell) {
    case 'y': return "yes";
    case 't': return "turns";
    case 'u': return "untested";
    default: return "no";
    }
}

/* Why a feature is missing, or untested; NULL: it works. */
static const char *reason_of(const char *cell)
{
    return *cell == 'u' ? untested : *cell >= 'A' && *cell <= 'Z' ? reasons[*cell - 'A'] : NULL;
}

static void put_json(struct td_output *o, const struct machine *m)
{
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_text(&j, "machine", m->name);
    td_json_put_text(&j, "stands_for", m->cpus);
    td_json_put_key(&j, "features");
    td_json_put_open(&j, '[');
    for (size_t i = 0; i < CLI_COUNT(features); i++) {
        td_json_put_open(&j, '{');
        td_json_put_text(&j, "feature", features[i].about);
        td_json_put_text(&j, "works", word_of(m->cell[i]));
        td_json_put_text(&j, "reason", reason_of(m->cell[i]));
        if (m->cell[i][1]) {
            td_json_put_key(&j, "level");
            td_json_put_integer(&j, m->cell[i][1] - '0');
        }
        td_json_put_close(&j, '}');
    }
    td_json_put_close(&j, ']');
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

static void put_text(struct td_output *o, const struct machine *m)
{
    td_output_format(o, "# on the simulated machine %s, which stands for %s; not seen on hardware\n", m->name, m->cpus);
    for (size_t i = 0; i < CLI_COUNT(features); i++) {
        const char *reason = reason_of(m->cell[i]), *number = m->cell[i] + 1;

        td_output_format(o, "%-8s %s%s%s", word_of(m->cell[i]), features[i].about, *number ? ": " : "", number);
        if (reason)
            td_output_format(o, ": %s", reason);
        td_output_char(o, '\n');
    }
    td_output_text(
        o, "# turns: groups of events take turns, and values are scaled up; 'tdprobe doctor' tests this machine\n");
}

int cli_features_report(struct cli_options *s, const char *uarch)
{
    struct td_output *o = &s->report.out;
    const struct machine *m;
    int code;

    if (!uarch) {
        const int err = td_detect(s->td);

        if (err) {
            cli_say("%s. What to do: name the CPU by --uarch", td_error(s->td));
            return cli_exit_code(err);
        }
        uarch = td_machine_name(s->td);
    }
    m = find_machine(uarch);
    if (!m) {
        cli_say(
            "no top-down tree is published for %s, so no simulated machine stands for it. What to do: 'tdprobe doctor' "
            "tests the machine that it runs on",
            uarch);
        return EXIT_UNABLE;
    }
    code = cli_stdout(o);
    if (code)
        return code;
    (s->report.format == td_report_format_find("json") ? put_json : put_text)(o, m);
    return cli_stdout_end(o);
}
