/* SPDX-License-Identifier: MIT */
/* A recording as a stream, and what the reader of its format works with. */
#ifndef TD_RECORDING_H
#define TD_RECORDING_H

#include "core/settings.h"
#include "core/sink.h"
#include "core/stream.h"
#include "sim/replay/bytes.h"

enum { TD_SNIFF = 16 /* bytes that a binary format is known by */ };

/* An open recording. The format's reader fills in the stream, except for its functions, and has a struct of its own
 * that begins with this one. */
struct td_recording {
    struct td_stream stream; /* first: the stream's functions find the recording by it */
    const struct td_settings *settings;
    struct td_log *log;
    const struct td_sink *sink; /* gets a trace's header and readings, as they are; NULL: none */
    td_seek_fn *seek; /* continues its read function elsewhere; NULL: it cannot */
    const char
        *unread; /* why its read function failed, if there is more to say than the error; NULL or "": there is not */
    struct td_bytes bytes; /* the lines; bytes.line is named in messages */
    bool prefixed; /* before each of its lines a log may have its own words: td_log_prefix() */
    unsigned long nskipped, skipped_at; /* td_recording_skip() */
    const struct td_reader *reader; /* NULL: the format is not known yet */
};

/* How one format is read. */
struct td_reader {
    const char *name;
    size_t size; /* of its struct, whose own members are 0 when open begins */
    /* true: the file is of this format; first: its first line that is not
     * empty and not a '#' comment (a trace's own first line is not one). */
    bool (*sniff)(const char *first, size_t len);
    /* For a binary format instead: by the first TD_SNIFF bytes; open then has no first line. */
    bool (*sniff_bytes)(const char *bytes, size_t len);
    /* first, and the lines after it, are still to be read. */
    int (*open)(struct td_recording *, char *first, size_t len);
    /* Fills the stream's batch, like td_stream.next. */
    int (*next)(struct td_recording *);
    /* Frees what the struct's own members hold; also called after an error of open. */
    void (*close)(struct td_recording *);
    const char *about; /* what writes the format, for lists */
    bool marked; /* its files begin with a mark that sniff knows and open relies on */
    /* true: no other text has such a line, wherever in a file it is. NULL: sniff says so, of one that begins the
     * format. */
    bool (*sure)(const char *line, size_t len);
};

/* Fails with "NAME:LINE: text": -EBADMSG. */
int td_recording_bad(struct td_recording *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fails for an error of the read function. */
int td_recording_unread(struct td_recording *, int err);
/* The same, as a note. */
void td_recording_note(struct td_recording *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the CPU that the recording itself names (see td_set_uarch()), with a note
 * if it is not the one that was asked for, or is not known.
 * -EOPNOTSUPP: it has no top-down events. */
int td_recording_cpu(struct td_recording *, const char *id);
/* Takes what the recording itself says of SMT (see td_set_smt()), with a note if it is not what was asked for. */
void td_recording_smt(struct td_recording *, enum td_smt said);
/* Refuses a line that identifies a format that cannot be read, and says what to do; otherwise 0. */
int td_recording_foreign(struct td_recording *, const char *line);
/* Leaves out the line last given, which is of another program; td_recording_skipped() says of all that there were such.
 */
void td_recording_skip(struct td_recording *);
void td_recording_skipped(struct td_recording *);
/* Whether the line has the name of an event that a table or this recording has, between any of what separates columns:
 * such a line is not of another program. separator: the file's own, or NULL. */
bool td_recording_names_event(const struct td_recording *, const char *line, size_t len, const char *separator);
/* The next line, without what a log put before it; td_bytes_line() and its errors. */
int td_recording_line(struct td_recording *, char **line, size_t *len);
/* Its fields; td_bytes_split() and its errors. */
int td_recording_split(struct td_recording *, char *line, size_t len);
/* The number of an event's name in the stream's texts. */
int td_recording_text(struct td_recording *, const char *name, size_t len);
/* Fails if not everything that was printed beside counts could be kept. */
int td_recording_check_hints(struct td_recording *);
/* Frees it and all that it holds. NULL: nothing. */
void td_recording_close(struct td_recording *);

/* What begins with this line, in any of its formats and with any separator: "a report" of results, phases or functions,
 * "a comparison", or NULL. */
const char *td_own_report(const char *line);

#endif
