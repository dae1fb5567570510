/* SPDX-License-Identifier: MIT */
#include "cli/habits.h"

#include "util/words.h"

#include <stdio.h>
#include <string.h>

#define METRICS \
    "the metrics are those of the top-down tree: leave it out; " \
    "--level says how deep it goes, 'tdprobe list metrics' lists them"
#define EVENTS "tdprobe takes the events that the CPU's formulas need: leave it out; "
#define OTHERS "tdprobe measures top-down metrics only: leave it out; 'tdprobe bench -e LIST' counts other events"
#define FUNCTIONS "'tdprobe record --functions' takes samples, and 'tdprobe report' shows the functions"
#define SPREADSHEET "-x, -o FILE writes a file that spreadsheets read"
#define EXPLAIN "each node has at most one line, and 'tdprobe explain NODE' the whole text: leave it out"

/* In a text %s is the value that was given, a number, %c the subcommand and %o the option. Of several texts for an
 * option the first counts that names no option which the subcommand lacks; those of quoted commands do not matter. */
static const struct habit {
    const char *options; /* with their dashes, blanks between */
    const char *instead;
} habits[] = {
    {"--topdown",
     "top-down is all that tdprobe measures: leave it out; --level 2 goes one level deeper than --level 1"},
    {"--topdown", "top-down is all that tdprobe measures: leave it out"},
    {"--nodes", "-M LIST adds metrics by name or group; 'tdprobe list metrics' lists them"},
    {"-M --metrics --nodes", METRICS},
    {"-M --metrics --nodes", "'tdprobe replay -M LIST' prints further metrics"},
    {"--events", "--event LIST names them"},
    {"-e --event --events", EVENTS "--counts prints them, 'tdprobe bench -e' counts others"},
    {"-e --event --events", EVENTS "'tdprobe bench -e' counts others"},
    {"-d --detailed", "--level 2 is the detail that top-down has, --counts prints the events too"},
    {"-d --detailed", "--level 2 is the detail that top-down has"},
    {"--metric-only", "only metrics are printed: leave it out; --counts adds the events"},
    {"--metric-only", "only metrics are printed: leave it out"},
    {"-G --cgroup", "--for-each-cgroup LIST measures cgroups"},
    {"--cputype --hybrid-merge", "each kind of core has a result of its own: leave it out; -C LIST measures some CPUs"},
    {"--cputype --hybrid-merge", "each kind of core has a result of its own: leave it out"},
    {"--per-die --per-cache --per-cluster", "use --per-socket, --per-node or --per-core"},
    {"-l", "write --level %s"},
    {"-l", "--level N says how deep"},
    {"--td-level", "--level N says how deep"},
    {"--core --thread", "--per-core gives each core its result, and -C LIST measures some CPUs"},
    {"--core", "'tdprobe -a --per-core' gives each core its result, and 'tdprobe -a -A' each CPU"},
    {"-S --single-thread --sync", "leave it out: --smt off is for a recording whose cores had one thread each"},
    {"-S --single-thread --sync",
     "leave it out: a command's threads are counted by themselves, whatever else runs on their cores"},
    {"--no-desc --long-desc --desc -D", EXPLAIN},
    {"--describe", "'tdprobe explain NODE' describes a node"},
    {"--run-sample --show-sample", FUNCTIONS "; 'tdprobe explain NODE' has the events of one node"},
    {"--drilldown",
     "'tdprobe replay --drilldown FILE' goes down the tree of a recording, 'tdprobe --drilldown -- COMMAND' of a command"},
    {"--import --perf", "'tdprobe replay FILE' reads recordings"},
    {"-i --input", "name the recording without an option: 'tdprobe %c FILE'"},
    {"--stdio --stdio2 --tui --quiet -q -B --big-num --no-big-num --no-csv-summary --no-util --no-version --no-area",
     "it is printed that way in any case: leave it out"},
    {"--csv --valcsv", SPREADSHEET},
    {"--xlsx --plot --graph --gen-script", SPREADSHEET},
    {"--perf-summary --global", "--summary-only prints the sum of all intervals only"},
    {"--bottlenecks",
     "-M LIST takes their names, such as bottleneck_big_code: 'tdprobe explain --uarch NAME' lists them"},
    {"-v --verbose --all", "--all prints nodes below their thresholds too"},
    {"--power --sw --tsx --frequency --smi-cost --iostat -T --transaction --ipc", OTHERS},
    {"-g", "--children, --callers NAME and --callees NAME use call chains"},
    {"-g --group --no-group --metric-no-group --metric-no-merge --metric-no-threshold --force-events --ignore-errata",
     "events are grouped as the formulas need them: leave it out; 'tdprobe --dry-run COMMAND' shows the groups"},
    {"-c --scale -n --null --no-scale --quick -b --bpf-prog --bpf-counters --percore-show-thread "
     "--idle-threshold --tune",
     "leave it out: tdprobe has nothing like it"},
    {"--pre --post --setup", "write it into the command: 'tdprobe -- sh -c \"BEFORE; COMMAND; AFTER\"'"},
    {"-F --freq --call-graph", FUNCTIONS ": 'tdprobe record --functions --help'"},
    {"--kernel -k", "--all-kernel counts the kernel only"},
    {"--user -u", "--all-user counts user mode only"},
    {"--no-aggr -A", "'tdprobe -a -A' gives each CPU its result"},
    {"-s", "--by WHAT says what samples are told apart by, --sort WHAT what comes first"},
    {"-s --sort", "--by WHAT says what samples are told apart by: 'tdprobe report --help'"},
    {"--no-children", "each function has its own samples only, unless it is asked for otherwise: leave it out"},
    {"-a --all-cpus -C --cpu -p --pid -I --interval-print -r --repeat -t --tid",
     "'tdprobe stat' and 'tdprobe record' measure: %o is an option of theirs"},
};

static bool has_option(const struct cli_subcommand *c, const char *word, size_t n)
{
    const struct cli_option *o;
    const char *value;

    for (size_t i = 0; (o = cli_option_at(c, i)); i++)
        if (cli_option_named(o, word, n, &value))
            return true;
    return false;
}

/* Whether a subcommand has the options that a text names outside of quoted commands. */
static bool suits(const struct cli_subcommand *c, const char *text)
{
    bool quoted = false, all = true;

    for (const char *at = text; *at; at++) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzMIAC-");

        if (*at == '\'' && (at == text || at[-1] == ' ' || quoted))
            quoted = !quoted;
        else if (*at == '-' && !quoted && (at == text || at[-1] == ' ')) {
            all = all && has_option(c, at, n);
            at += n - 1;
        }
    }
    return all;
}

/* %s: the value, %c: the subcommand, %o: the option. */
static void fill(char text[static CLI_HABIT_TEXT], const char *from, const char *value, const char *command,
                 const char *option, size_t noption)
{
    size_t used = 0;

    for (; *from && used < CLI_HABIT_TEXT - 1; from++) {
        const char kind = *from == '%' ? from[1] : '\0';
        const size_t room = CLI_HABIT_TEXT - used;
        const int n = kind == 's'   ? snprintf(text + used, room, "%s", value)
                      : kind == 'c' ? snprintf(text + used, room, "%s", command)
                      : kind == 'o' ? snprintf(text + used, room, "%.*s", (int)noption, option)
                                    : snprintf(text + used, room, "%c", *from);

        used += (size_t)n < room ? (size_t)n : room - 1;
        from += kind != '\0';
    }
}

const char *cli_habit(const struct cli_subcommand *c, const char *option, const char *value,
                      char text[static CLI_HABIT_TEXT])
{
    const size_t n = strcspn(option, "=");
    const bool number = *value && strspn(value, "0123456789") == strlen(value);

    for (size_t i = 0; i < CLI_COUNT(habits); i++) {
        const struct habit *h = &habits[i];

        if (!td_words_have(h->options, option, n, strncmp) || (strstr(h->instead, "%s") && !number) ||
            !suits(c, h->instead))
            continue;
        fill(text, h->instead, value, c->offer == CLI_RECORDINGS || c->offer == CLI_SAMPLES ? c->name : "replay",
             option, n);
        return text;
    }
    return NULL;
}
