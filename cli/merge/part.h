/* SPDX-License-Identifier: MIT */
/* One of the recordings that are merged: what its header and its readings say of what it counted. */
#ifndef CLI_MERGE_PART_H
#define CLI_MERGE_PART_H

#include "cli/input.h"
#include "cli/reading.h"
#include "util/scope_table.h"

#include <sys/stat.h>

/* A scope, by its number in the part's table. */
struct cli_merge_part_scope {
    bool read; /* it has a row */
    bool timed;
    uint64_t from, to; /* ns: its first and last reading */
    uint64_t *end; /* ns: of a region, when each pass ended */
    size_t ends, room;
    char *cpu, *formula; /* what its sum was solved by; NULL: no interval */
};

struct cli_merge_part {
    const char *path;
    struct stat file;
    struct cli_header_line {
        char *key, *value;
    } * header;
    size_t nheader;
    struct td_scope_table scopes;
    struct cli_merge_part_scope *scope;
    size_t room;
    uint64_t digest; /* of all rows: equal where two recordings have the same counts */
    uint64_t to; /* ns: the last of its readings; 0: none has a time */
    long rank, ranks, thread; /* -1: not known */
    char *absent; /* why nothing in it counts, or NULL */
    char *label; /* what its scopes are named by */
    size_t member; /* which one of those that are told apart: several parts of one recording are one */
};

/* Reads it once. 0, or an exit code after a message. */
int cli_merge_part_read(struct cli_merge_part *, const char *path, const struct cli_reading *how);
/* The value of a line of its header; NULL: there is none. */
const char *cli_merge_part_says(const struct cli_merge_part *, const char *key);
/* The machine's name, by its header; NULL: it does not say. */
const char *cli_merge_part_host(const struct cli_merge_part *);
void cli_merge_part_free(struct cli_merge_part *);

struct cli_merge_part_reading {
    struct cli_options set;
    struct cli_input in;
    bool open;
    int err; /* of td_open(), which its caller reports */
};

/* Opens it, so that td_next() writes it as a trace. Notes are for the first reading, not for one again. 0, or an exit
 * code after a message. */
int cli_merge_part_open(struct cli_merge_part_reading *, const char *path, const struct cli_reading *how, bool again,
                        td_write_fn *write, void *ctx);
void cli_merge_part_close(struct cli_merge_part_reading *);

#endif
