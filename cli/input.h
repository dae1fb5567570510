/* SPDX-License-Identifier: MIT */
/* What is replayed. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/options.h"
#include "cli/paths.h"

struct cli_input {
    int fd;
    const char *name; /* for messages */
    char head[8]; /* the first bytes, read when the input was opened */
    size_t nhead, given; /* nhead: bytes in head; given: those of them already passed on */
    off_t base; /* where the input begins in its file; below 0: it is no file */
    bool keeps; /* to be set before cli_input_begin(): what is read of a pipe is kept for cli_input_again() */
    char *kept; /* of a pipe: its beginning, where it keeps it; NULL: nothing was read, or it is too long */
    size_t nkept, again; /* again: bytes of kept already given once more */
    bool lost, repeats; /* kept is not all that was read; it is being given once more */
    char *found; /* the file found in a folder; NULL: none was searched for */
    bool grows; /* it may still be growing */
    uint64_t size, done; /* bytes; size 0: not known */
    double begun, drawn; /* s on CLOCK_MONOTONIC; drawn: when the progress line was last drawn */
    bool line; /* there is to be a progress line */
    bool bundle; /* it is an archive, which lies in the bytes of part; cli/bundle/parts.h has its recordings */
    struct {
        uint64_t begin, at, end; /* which bytes of the file it is, and where reading goes on; end 0: all of it */
    } part;
};

/* What a command line names to be read. */
struct cli_recordings {
    char **name; /* "-" is stdin */
    size_t n;
    char *one[2]; /* where name points if the line names none */
    struct cli_paths found; /* where name points if there may be several; owned */
};

/* Takes the options of a command that reads recordings, whose settings begin with their struct cli_options. -1:
 * continue with the recordings, at least one and at most most; else the exit code. Where there may be several, a
 * folder stands for those in it, unless it is PerfSpect's. cli_recordings_free() frees them in any case. */
int cli_input_options(const struct cli_subcommand *, void *settings, int argc, char **argv, int most,
                      struct cli_recordings *);
void cli_recordings_free(struct cli_recordings *);
/* Opens a file, a folder of PerfSpect (its counts; its metadata go to the handle,
 * as for the counts file alone), or "-", stdin. command: the subcommand, for messages. 0, or an exit code after a
 * message. */
int cli_input_open(struct cli_options *, const char *path, const char *command, struct cli_input *out);
void cli_input_close(struct cli_input *);
/* A td_read_fn for a struct cli_input. */
ssize_t cli_input_read(void *input, void *buf, size_t size);
/* Begins again where the input did. false: it cannot, as a pipe that keeps nothing. */
bool cli_input_again(struct cli_input *);
/* Where a recording of counts could not be read, before any result: whether it has percentages, which the handle then
 * gives, after a note. */
bool cli_input_percentages(struct cli_input *, struct td *);
/* Opens the handle for it: td_open() and its errors. */
int cli_input_begin(struct cli_input *, struct td *);
/* From now on a line on stderr shows the progress, if the file is large and stderr is a
 * terminal. prints: results are printed during reading; if they go to the same
 * terminal, there is no such line. */
void cli_input_watch(struct cli_input *, const struct td_output *, bool prints);

#endif
