/* SPDX-License-Identifier: MIT */
/* --control: commands that come while tdprobe measures. */
#ifndef CLI_CONTROL_H
#define CLI_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

enum cli_order { CLI_NO_ORDER, CLI_ENABLE, CLI_DISABLE, CLI_PING, CLI_SNAPSHOT, CLI_STOP };

struct cli_control {
    int in, ack; /* descriptors, -1: none */
    bool own; /* they must be closed */
    char line[256];
    size_t n; /* bytes in line */
    bool cut; /* the line is longer than the buffer */
};

#define CLI_CONTROL_NONE \
    { \
        .in = -1, .ack = -1 \
    }

/* "fd:CTL[,ACK]" or "fifo:CTL[,ACK]", perf's grammar. 0, or an exit code. */
int cli_control_open(struct cli_control *, const char *text);
/* Whether there is something to read. */
bool cli_control_ready(const struct cli_control *);
/* After input: reads once what is available. If the other end is closed, in becomes -1. */
void cli_control_read(struct cli_control *);
/* The next command that has been read; unknown ones are reported on stderr. */
enum cli_order cli_control_next(struct cli_control *);
/* Acknowledges that the last command was carried out. */
void cli_control_ack(struct cli_control *);
void cli_control_close(struct cli_control *);

#endif
