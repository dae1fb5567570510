/* SPDX-License-Identifier: MIT */
/* What the parts of the program share: subcommands, exit codes, outputs. */
#ifndef CLI_H
#define CLI_H

#include "tdprobe.h"

#include <stdio.h>

/* The codes of sysexits.h that tdprobe uses. */
enum {
    EXIT_USAGE = 64, /* wrong usage */
    EXIT_INPUT = 65, /* bad input */
    EXIT_UNABLE = 69, /* this CPU, backend or machine cannot answer */
    EXIT_BUG = 70, /* an error of tdprobe's own */
    EXIT_OUTPUT = 74, /* the output could not be written */
    EXIT_PERMISSION = 77,
    /* as shells do */
    EXIT_NOT_STARTED = 126, /* the command is there but could not be started */
    EXIT_NOT_FOUND = 127, /* there is no such command */
    EXIT_SIGNAL = 128, /* and the number of the signal that killed the command */
};

/* The exit code for an error of the library. */
int cli_exit_code(int err);
/* "tdprobe: text" on stderr */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with the command that explains more; returns EXIT_USAGE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The end of what goes to stdout: 0, or an exit code; said. */
int cli_flush(void);
/* Prints a usage there. */
int cli_help(const char *text);

/* Subcommands; argv[0] is their name. */
int cli_replay(int argc, char **argv);
int cli_convert(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_stat(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_bench(int argc, char **argv);
extern const char cli_live_options_help[];

/* Where a report goes. */
struct cli_out {
    FILE *file; /* NULL: not open */
    const char *path; /* NULL: no file */
    char name[32]; /* for messages, where there is no path */
    char *temporary; /* the name it has until it is whole; NULL: written in place */
    bool bars; /* a terminal: draw bars */
    bool counts; /* --counts */
    bool appended; /* to something that has begun already */
    bool created; /* by us, and it holds nothing yet */
    const char *separator; /* of csv; NULL: a comma */
};

/* stdout, or a file that takes its name only when it is whole. 0, or an exit
 * code; said on stderr. */
int cli_out_open(struct cli_out *, const char *path);
/* Opens a file to be written whose content is kept until its first write. The
 * descriptor, or -1 and errno; created: there was none. */
int cli_open_kept(const char *path, int flags, bool *created);
/* Removes what that created, where nothing was written. */
void cli_drop_empty(const char *path, int fd);

/* For a report that is followed while it grows: path, else file descriptor fd,
 * written in place. What path holds is kept until cli_out_start(). */
int cli_out_open_live(struct cli_out *, const char *path, bool append, int fd);
/* Empties the file, unless it is appended to: then a line that lacks its end
 * gets one. */
int cli_out_start(struct cli_out *);
/* 0, or -errno of anything that was written so far. */
int cli_out_flush(struct cli_out *);
/* Gives the file its name if ok, else removes it. 0, or an exit code. */
int cli_out_close(struct cli_out *, bool ok);

/* What comes behind the results of a live run. */
struct cli_end {
    double elapsed; /* s */
    unsigned runs; /* of the command */
    int code; /* that tdprobe ends with */
    bool command; /* one was started, or could not be */
    int signal; /* that killed it, or 0 */
    unsigned errors; /* of tdprobe */
};

/* Takes the line about reading (input.h) away, for something else that is to be printed. */
void cli_input_erase(void);

struct cli_spread;
struct cli_bench;

/* A format of reports. */
struct cli_format {
    const char *name;
    void (*begin)(struct cli_out *);
    void (*result)(struct cli_out *, const struct td_result *);
    /* of live runs; NULL: the format has no such thing */
    void (*spread)(struct cli_out *, const struct cli_spread *);
    void (*error)(struct cli_out *, int code, const char *text);
    void (*end)(struct cli_out *, const struct cli_end *);
    void (*bench)(struct cli_out *, const struct cli_bench *); /* all that tdprobe bench has to say */
};

extern const struct cli_format cli_format_text, cli_format_csv, cli_format_json;

/* One line of JSON: a finding of the doctor, and its last line. */
void cli_json_finding(FILE *, const struct td_finding *);
void cli_json_diagnosis(FILE *, int code, const char *text);

/* What the options say that replaying and measuring have in common. */
struct cli_settings {
    struct td *td;
    const struct cli_format *format;
    const char *output; /* -o */
    struct cli_out out;
};

/* Values of struct option, the same in all subcommands. */
enum { CLI_UARCH = 256, CLI_BACKEND, CLI_NO_FIXED, CLI_LEVEL, CLI_FORMAT, CLI_COUNTS, CLI_IMPORT_FORMAT, CLI_OTHER };
#define CLI_SETTINGS_OPTIONS \
    {"uarch", required_argument, NULL, CLI_UARCH}, {"backend", required_argument, NULL, CLI_BACKEND}, \
        {"no-fixed", no_argument, NULL, CLI_NO_FIXED}, {"level", required_argument, NULL, CLI_LEVEL}, \
        {"format", required_argument, NULL, CLI_FORMAT}, {"counts", no_argument, NULL, CLI_COUNTS}, \
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}

/* A handle whose notes go to stderr. 0, or an exit code. */
int cli_settings_begin(struct cli_settings *);
/* Takes one of CLI_SETTINGS_OPTIONS except help, or CLI_IMPORT_FORMAT. 0, or an exit code. */
int cli_settings_take(struct cli_settings *, int option, const char *value);
/* -x. 0, or an exit code. */
int cli_settings_separator(struct cli_settings *, const char *text);
/* What to say of getopt_long()'s '?' and ':'; EXIT_USAGE. */
struct option;
int cli_settings_wrong(const char *command, int option, char **argv, const struct option *options);
/* td_set_machine() with a file. 0, or an exit code. */
int cli_settings_machine(struct cli_settings *, const char *path);
/* Says td_error(); the exit code. */
int cli_library_error(const struct td *, int err);
/* What to do next where td_error() of measuring is that the CPU is not known,
 * else "". */
const char *cli_next_step(const struct td *, int err);
/* A td_read_fn of an int file descriptor. */
ssize_t cli_read_fd(void *fd, void *buf, size_t size);

/* Takes control bytes out of somebody else's text before a person sees it. */
char *cli_printable(char *text);
/* "missing_event:NAME" and the like, in buf where that is needed. */
enum { CLI_STATUS = 256 };
const char *cli_status(const struct td_metric *, char buf[CLI_STATUS]);
/* A flag, and what it is about ("correction_missing", EVENT) or NULL. */
typedef void cli_flag_fn(void *ctx, const char *flag, const char *about);
/* Calls each for every flag of a result (m: NULL), or of a metric: its own and
 * those of its whole result. "correction_missing" comes once for each event. */
void cli_each_flag(const struct td_result *, const struct td_metric *m, cli_flag_fn *each, void *ctx);
/* The same for some of the flags; corrections: bits as in td_metric. */
void cli_each_flag_of(const struct td_result *, unsigned flags, unsigned corrections, cli_flag_fn *each, void *ctx);
/* Flags that say something of the whole result. */
extern const unsigned cli_result_flags;

#endif
