/* SPDX-License-Identifier: MIT */
/* Where a report goes: one buffer, and one place that detects what could not be written. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include "report/temporary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Writes all bytes: 0 or -errno. */
typedef int td_output_fn(void *ctx, const char *bytes, size_t n);

struct td_output {
    char *buffer; /* NULL: not open */
    size_t n; /* bytes in buffer */
    int fd; /* -1: bytes go to write */
    td_output_fn *write;
    void *ctx;
    int error; /* -errno of the first write that failed: nothing is written after it */
    const char *path; /* NULL: no file */
    char name[32]; /* for messages, if there is no path */
    struct td_temporary temporary; /* has a name until it is complete; otherwise the file is written in place */
    bool terminal; /* a person is reading */
    bool appended; /* it is added to existing content */
    bool created; /* we have created the file, and it is still empty */
};

enum { TD_OUTPUT_BUFFER = 64 * 1024, TD_OUTPUT_ROOM = 4096 /* the most that td_output_room() gives */ };

/* Opens standard output, or a file that gets its name only when it is complete. An existing
 * path that is no plain file (/dev/null, a fifo) is written in place. path must stay. 0 or -errno. */
int td_output_open(struct td_output *, const char *path);
/* Opens a report that is followed while it grows, and so is written in place: path, or if that is NULL the descriptor
 * fd. The content of path is kept until td_output_start(). */
int td_output_open_live(struct td_output *, const char *path, bool append, int fd);
/* Opens an output that a function writes. */
int td_output_open_fn(struct td_output *, td_output_fn *write, void *ctx);
/* Empties the file, unless it is appended to: then an incomplete last line is ended. */
int td_output_start(struct td_output *);
/* Writes what the buffer holds. 0, or the error of this or an earlier write. */
int td_output_flush(struct td_output *);
/* Replaces bytes that were written to a file before. 0, or the error of this or an earlier write; -ESPIPE: it is no
 * file. */
int td_output_again(struct td_output *, uint64_t at, const void *bytes, size_t n);
/* Flushes; gives the file its name if ok and everything was written, else removes it. 0 or -errno. */
int td_output_close(struct td_output *, bool ok);
/* The file's or descriptor's name, for messages. */
const char *td_output_name(const struct td_output *);

/* Room for at least n <= TD_OUTPUT_ROOM bytes in the buffer, to be filled and taken by td_output_take(). */
static inline char *td_output_room(struct td_output *o, size_t n)
{
    if (n > TD_OUTPUT_BUFFER - o->n)
        td_output_flush(o);
    return o->buffer + o->n;
}
/* Takes what was written up to end, which is in the last room given. */
static inline void td_output_take(struct td_output *o, const char *end)
{
    o->n = (size_t)(end - o->buffer);
}
/* Adds any number of bytes. */
void td_output_long(struct td_output *, const char *bytes, size_t n);
static inline void td_output_bytes(struct td_output *o, const char *bytes, size_t n)
{
    if (n > TD_OUTPUT_ROOM) {
        td_output_long(o, bytes, n);
        return;
    }
    memcpy(td_output_room(o, n), bytes, n);
    o->n += n;
}
static inline void td_output_text(struct td_output *o, const char *text)
{
    td_output_bytes(o, text, strlen(text));
}
static inline void td_output_char(struct td_output *o, char ch)
{
    *td_output_room(o, 1) = ch;
    o->n++;
}
/* A td_write_fn that adds them to a struct td_output: 0, or its error. */
int td_output_write(void *output, const void *bytes, size_t n);
/* Adds up to TD_OUTPUT_ROOM - 1 bytes. */
void td_output_format(struct td_output *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens a file for writing that keeps its content until the first write, and locks it until it is closed: against all
 * others, or with O_APPEND in flags against those that do not append. The
 * descriptor, or -errno (-EALREADY, -EEXIST: another process writes it, or may do so, see report/kept.h); created: the
 * file did not exist. */
int td_output_open_kept(const char *path, int flags, bool *created);
/* Removes a file that td_output_open_kept() created, if nothing was written. */
void td_output_drop_empty(const char *path, int fd);

#endif
