/* SPDX-License-Identifier: MIT */
/* What the reader of a format gives to the session: intervals, in order. */
#ifndef TD_RECORDING_H
#define TD_RECORDING_H

#include "counts.h"
#include "csv_rows.h"
#include "identity.h"
#include "kinds.h"
#include "texts.h"

enum { TD_WHY = 512, TD_CORES = 4, TD_SNIFF = 16 /* bytes that a binary format is known by */ };

/* One interval of one scope and kind of core. */
struct td_interval {
    bool has_time;
    uint64_t time; /* ns since the recording began */
    const char *scope, *scope_kind; /* of the reader, for good */
    char core; /* 'P', 'E', 'L'; 0: the recording does not say */
    bool switched; /* see td_solve_ask */
    bool unknown; /* it had counts, but none that a formula knows */
    uint32_t order; /* within its batch: by scope, then by kind of core */
    const struct td_uarch *uarch; /* counts have this CPU's event numbers; NULL: only texts */
    struct td_counts counts;
};

/* An open recording. One reader fills in the first part, td_recording_* the rest. */
struct td_recording {
    const struct td_reader *format; /* asked for; NULL: found by the content */
    const struct td_reader *reader;
    void *state; /* the reader's own */
    /* The intervals that ended at one time, given by next(). */
    struct td_interval *batch;
    size_t nbatch, room;
    /* What the recording says of its machine; nparts 0: nothing. */
    struct td_machine machine;
    enum { TD_SMT_UNKNOWN, TD_SMT_ON, TD_SMT_OFF } smt;
    bool raw; /* counts without sysfs scales: the reader applied them */
    bool coverage_unknown; /* counts may be scaled up from part of the time; enabled and running are 0 */
    int level[TD_CORES]; /* how deep the recorder looked, by td_core_index(); 0: not said */

    struct td_csv csv;
    struct td_texts texts;
    const char *name; /* of the file, for messages */
    td_note_fn *note;
    void *note_ctx;
    struct td_trace_writer *copy; /* a trace writes its header and readings there, as they are; NULL: none */
    char why[TD_WHY];
};

struct td_reader {
    const char *name;
    /* true: the file is of this format; first: its first line that is not
     * empty and no '#' comment (a trace's own first line is none). */
    bool (*sniff)(const char *first, size_t len);
    /* Of a binary format instead: by the first TD_SNIFF bytes; open then has no first line. */
    bool (*sniff_bytes)(const char *bytes, size_t len);
    /* first and the lines behind it are still to be read; machine overrides
     * what the recording will say, NULL: none. */
    int (*open)(struct td_recording *, char *first, size_t len, const struct td_machine *machine);
    /* Fills batch; -ENODATA: the end; -EBADMSG: bad input, said in why. */
    int (*next)(struct td_recording *);
    void (*close)(struct td_recording *);
    const char *about; /* what writes the format, for lists */
    bool marked; /* its files begin with a mark that sniff knows and open relies on */
};

extern const struct td_reader td_reader_perf_data, td_reader_trace, td_reader_perf_json, td_reader_perf_text, td_reader_arm_events, td_reader_perf_csv;

/* The batch's next interval, without counts; NULL: out of memory. */
struct td_interval *td_recording_interval(struct td_recording *);
/* 0 for none, then P, E and LP */
size_t td_core_index(char core);
/* Writes "NAME:LINE: text" to why and returns -EBADMSG. */
int td_recording_bad(struct td_recording *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says so in why and returns -ENOMEM. */
int td_recording_no_memory(struct td_recording *);
/* Like td_recording_bad(), as a note. */
void td_recording_note(struct td_recording *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refuses a line by which a format is known that cannot be read, and says what to do. */
int td_recording_foreign(struct td_recording *, const char *line);
/* Takes the CPU that the recording itself names (see td_set_uarch()), with a note
 * if it is not the one that was asked for (NULL: none was), or not known.
 * -EOPNOTSUPP: it has no top-down events. */
int td_recording_cpu(struct td_recording *, const char *id, const struct td_machine *asked);
/* The next line, with errors of td_csv_line() said in why. */
int td_recording_line(struct td_recording *, char **line, size_t *len);
/* The same for td_csv_split(). */
int td_recording_split(struct td_recording *, char *line, size_t len);
/* The number of an event's name; errors said in why. */
int td_recording_text(struct td_recording *, const char *name, size_t len);
/* All formats, in the order in which they are tried; NULL behind the last. */
const struct td_reader *td_reader_at(size_t i);
/* Finds the format of what read gives and opens it. */
int td_recording_open(struct td_recording *, td_read_fn *read, void *ctx, const struct td_machine *machine);
void td_recording_close(struct td_recording *);

#endif
