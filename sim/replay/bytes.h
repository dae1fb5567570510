/* SPDX-License-Identifier: MIT */
/* Rows of a CSV file, one at a time: split where they are, or by libcsv where they have quotes. */
#ifndef TD_BYTES_H
#define TD_BYTES_H

#include "include/tdprobe.h"

#include <csv.h>

enum {
    TD_LINE_MAX = 64 * 1024, /* longest line, without its end */
    TD_FIELDS_MAX = 64,
};

struct td_bytes {
    td_read_fn *read;
    void *ctx;
    struct csv_parser parser;
    char separator, quote; /* what the parser is set to */
    bool parser_ready, at_end, begun;
    bool odd; /* a NUL byte or a carriage return has been read */
    bool by_libraries; /* for tests: libcsv and json-c read every line, not only what is unusual */
    char *buf; /* what was read and not yet used: buf[start..end) */
    size_t start, end;
    unsigned long line; /* number of the line last given, from 1 */
    char *last; /* the line last given */
    size_t last_len;
    bool again; /* the line last given is to be given again */
    bool unterminated; /* the line last given is the last one and has no newline */
    /* The row last split: NUL-terminated fields, one after the other in the line or in text. */
    size_t nfields;
    char *field[TD_FIELDS_MAX];
    size_t length[TD_FIELDS_MAX];
    char *text; /* libcsv's fields */
    size_t used;
    bool overflow, complete;
};

/* Begins to read. 0 or -ENOMEM; td_bytes_close() has to be called in either case. */
int td_bytes_open(struct td_bytes *, td_read_fn *, void *ctx);
int td_bytes_format(struct td_bytes *, char sep, char quote);
void td_bytes_close(struct td_bytes *);

/* The next line without its end (LF or CRLF) and, at the start of the file, without a
 * byte-order mark: NUL-terminated, valid until the next call. -ENODATA: the
 * end; -EMSGSIZE: longer than TD_LINE_MAX, line has its beginning; -EILSEQ: it has a NUL byte (binary
 * files are full of them); -EPROTO: a CR inside; otherwise the read function's error. */
int td_bytes_line(struct td_bytes *, char **line, size_t *len);
/* The first n bytes of the file, or fewer if it is shorter, before any line is taken.
 * Returns how many, or the read function's error. */
ssize_t td_bytes_peek(struct td_bytes *, const char **bytes, size_t n);
/* Looks ahead without taking a line: copies the line that begins *at bytes after the start of the next one, and moves
 * *at to the line after it. The copy is valid until the next call. -ENODATA: no whole line is there, because the file
 * ends, or within TD_LINE_MAX bytes; or, once a line was given, within what was read already, because reading more
 * might move that line. Otherwise the read function's error. */
int td_bytes_ahead(struct td_bytes *, size_t *at, char **line, size_t *len);
/* Bytes as they are, for binary formats. Returns how many (size, unless the file ends
 * before), or the read function's error. */
ssize_t td_bytes_take(struct td_bytes *, void *buf, size_t size);
/* Continues at a byte of the file. The error of seek. */
int td_bytes_seek(struct td_bytes *, td_seek_fn *seek, uint64_t offset);
/* Takes back the line last given, which must not have been split: the next call
 * of td_bytes_line() gives it again. */
void td_bytes_again(struct td_bytes *);
/* Splits the line last given into fields. -E2BIG: too many; -EILSEQ: a quote
 * is not closed on this line; -ENOMEM. */
int td_bytes_split(struct td_bytes *, char *line, size_t len);

#endif
