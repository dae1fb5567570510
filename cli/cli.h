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
    EXIT_UNABLE = 69, /* this CPU or backend cannot answer */
    EXIT_BUG = 70, /* an error of tdprobe's own */
    EXIT_OUTPUT = 74, /* the output could not be written */
    EXIT_PERMISSION = 77,
};

/* The exit code for an error of the library. */
int cli_exit_code(int err);
/* "tdprobe: text" on stderr */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, with the command that explains more; returns EXIT_USAGE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Subcommands; argv[0] is their name. */
int cli_replay(int argc, char **argv);
int cli_list(int argc, char **argv);
extern const char cli_replay_help[], cli_list_help[];

/* Where a report goes: stdout, or a file that takes its name only when it is
 * whole. */
struct cli_out {
    FILE *file;
    const char *path; /* NULL: stdout */
    char *temporary; /* the name it has until then; NULL: written in place */
    bool bars; /* a terminal: draw bars */
    bool counts; /* --counts */
};

/* 0, or an exit code; said on stderr. */
int cli_out_open(struct cli_out *, const char *path);
/* Gives the file its name if ok, else removes it. 0, or an exit code. */
int cli_out_close(struct cli_out *, bool ok);

/* A format of reports. */
struct cli_format {
    const char *name;
    void (*begin)(struct cli_out *);
    void (*result)(struct cli_out *, const struct td_result *);
};

extern const struct cli_format cli_format_text, cli_format_csv, cli_format_json;

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
