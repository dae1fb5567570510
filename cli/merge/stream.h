/* SPDX-License-Identifier: MIT */
/* The merged trace as text, made from its recordings while it is read: no more of it is in memory than a piece of one
 * of them. */
#ifndef CLI_MERGE_STREAM_H
#define CLI_MERGE_STREAM_H

#include "cli/merge/plan.h"
#include "cli/merge/rows.h"

/* How a scope of a part goes on in the scopes that it is written to. */
enum cli_joining {
    CLI_UNSEEN,
    CLI_BEGINS, /* nothing leads to the reading at hand, at which counting begins anew */
    CLI_GOES_ON, /* from the reading before, of this part or of the one before it */
};

enum { CLI_MERGE_TARGETS = 3 /* the scopes that a row is of: the part's own, its node's, the sum */ };

struct cli_merge_stream {
    const struct cli_merge *merge;
    const struct cli_reading *how;
    size_t part; /* the one that is read, or is read next */
    struct cli_merge_part_reading reading;
    bool reads; /* reading is open */
    struct cli_lines lines;
    char *node; /* what the scopes of the part's node are named by; NULL: there are no nodes */
    enum cli_joining *joining; /* of the part's scopes, by number */
    struct cli_text text; /* that is made */
    struct cli_text rows[CLI_MERGE_TARGETS]; /* of the reading at hand, up to its end */
    size_t given; /* of it */
    int code; /* the exit code for what failed, after a message */
};

/* Begins with the header. 0, or an exit code after a message. */
int cli_merge_stream_begin(struct cli_merge_stream *, const struct cli_merge *, const struct cli_reading *how);
/* A td_read_fn for a struct cli_merge_stream. */
ssize_t cli_merge_stream_read(void *stream, void *buf, size_t size);
void cli_merge_stream_end(struct cli_merge_stream *);

#endif
