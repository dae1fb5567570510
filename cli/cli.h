/* SPDX-License-Identifier: MIT */
/* What the subcommands share: exit codes, messages, text on standard output. */
#ifndef CLI_H
#define CLI_H

#include "include/tdprobe.h"
#include "report/output.h"

struct cli_subcommand;

/* The codes of sysexits.h that tdprobe uses. */
enum {
    EXIT_USAGE = 64, /* wrong usage */
    EXIT_INPUT = 65, /* bad input */
    EXIT_UNABLE = 69, /* this CPU, backend or machine cannot answer */
    EXIT_BUG = 70, /* a bug in tdprobe */
    EXIT_OUTPUT = 74, /* the output could not be written */
    EXIT_PERMISSION = 77,
    /* as shells do */
    EXIT_NOT_STARTED = 126, /* the command exists but could not be started */
    EXIT_NOT_FOUND = 127, /* there is no such command */
    EXIT_SIGNAL = 128, /* plus the number of the signal that killed the command */
};

/* The exit code for an error of the library. */
int cli_exit_code(int err);

/* Prints "tdprobe: text" on stderr. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, naming the command that explains more; returns EXIT_USAGE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whose --help that is: a subcommand's, with static storage. Without it, tdprobe's own. */
void cli_usage_of(const char *command);
/* From now on messages go through write instead of to stderr. */
void cli_say_through(td_output_fn *write, void *ctx);
/* Whether messages that would go to stderr are left out. */
void cli_say_nothing(bool);
/* Prints td_error(); returns the exit code for err. */
int cli_library_error(const struct td *, int err);
/* Reports that the output could not be written, if err is -errno; returns the exit code, 0 if err is 0. */
int cli_output_error(const struct td_output *, int err);
/* The exit code for a file that cannot be written, by -errno. */
int cli_output_code(int err);
/* Why, and what to do about it; valid until the next call. */
const char *cli_output_why(const char *name, int err);
/* What to do next if measuring failed because the CPU is not known, else "". */
const char *cli_next_step(const struct td *, int err);

/* Shows a line on stderr, if that is a terminal, in place of the last one. */
void cli_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Erases that line, before something else is printed. */
void cli_line_erase(void);

/* Reports that memory ran out; EXIT_BUG. */
int cli_no_memory(void);
/* Reports that statistics need GSL, which this tdprobe was built without; EXIT_UNABLE. */
int cli_without_gsl(void);

/* Prints a usage on standard output: 0, or an exit code. */
int cli_help(const char *text);
/* Opens standard output for text that is not a report: 0, or an exit code. */
int cli_stdout(struct td_output *);
/* Ends it: 0, or an exit code. */
int cli_stdout_end(struct td_output *);

/* A td_read_fn for an int file descriptor. */
ssize_t cli_read_fd(void *fd, void *buf, size_t size);

/* Subcommands; argv[0] is the subcommand's name. */
int cli_bench_main(int argc, char **argv);
int cli_collect_main(int argc, char **argv);
int cli_compare_main(int argc, char **argv);
int cli_convert_main(int argc, char **argv);
int cli_doctor_main(int argc, char **argv);
int cli_explain_main(int argc, char **argv);
int cli_list_main(int argc, char **argv);
int cli_merge_main(int argc, char **argv);
int cli_perf_command_main(int argc, char **argv);
int cli_phases_main(int argc, char **argv);
int cli_record_main(int argc, char **argv);
int cli_replay_main(int argc, char **argv);
int cli_report_main(int argc, char **argv);
int cli_selftest_main(int argc, char **argv);
int cli_stat_main(int argc, char **argv);
/* Their options and help. */
extern const struct cli_subcommand cli_bench_command, cli_collect_command, cli_compare_command, cli_convert_command,
    cli_doctor_command, cli_explain_command, cli_list_command, cli_merge_command, cli_perf_command_command,
    cli_phases_command, cli_record_command, cli_replay_command, cli_report_command, cli_sampling_command,
    cli_selftest_command, cli_stat_command;
/* The index in argv, read with the options of all subcommands, of the first word that is no option; argc: there is
 * none. */
int cli_stat_command_at(int argc, char **argv);
/* The next node that explain lists, of one CPU or of all, and what it is; NULL after the last. *at: 0 at first. */
const char *cli_explain_node(size_t *at, const struct td_uarch *only, const char **about);

#endif
