/* SPDX-License-Identifier: MIT */
/* What all readers share: lines, messages, finding the format. */
#include "recording.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In order of how sure a format is of its own; perf's CSV has no mark at all. */
static const struct td_reader *const readers[] = {&td_reader_perf_data, &td_reader_trace, &td_reader_perf_json, &td_reader_perf_text, &td_reader_perf_csv};

/* Formats that are recognised so as to say what to do with them. */
static const struct {
    const char *mark, *what;
} foreign[] = {
    {"CPUs,Area,Value", "toplev's results, which are ratios: record counts with 'perf stat -x, -o FILE'"},
};

bool td_kind_switched(const char *scope_kind)
{
    return !strcmp(scope_kind, "thread") || !strcmp(scope_kind, "cgroup");
}

size_t td_core_index(char core)
{
    return core == 'P' ? 1 : core == 'E' ? 2 : core == 'L' ? 3 : 0;
}

static void say(struct td_recording *r, char *buf, size_t size, const char *format, va_list args)
{
    int n = snprintf(buf, size, "%s:%lu: ", r->name, r->csv.line);

    if (n < 0 || (size_t)n >= size)
        n = 0;
    vsnprintf(buf + n, size - (size_t)n, format, args);
}

int td_recording_bad(struct td_recording *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(r, r->why, sizeof(r->why), format, args);
    va_end(args);
    return -EBADMSG;
}

int td_recording_no_memory(struct td_recording *r)
{
    snprintf(r->why, sizeof(r->why), "out of memory");
    return -ENOMEM;
}

void td_recording_note(struct td_recording *r, const char *format, ...)
{
    char text[TD_WHY];
    va_list args;

    if (!r->note)
        return;
    va_start(args, format);
    say(r, text, sizeof(text), format, args);
    va_end(args);
    r->note(r->note_ctx, text);
}

int td_recording_foreign(struct td_recording *r, const char *line)
{
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
        if (!strncmp(line, foreign[i].mark, strlen(foreign[i].mark)))
            return td_recording_bad(r, "%s", foreign[i].what);
    return 0;
}

int td_recording_line(struct td_recording *r, char **line, size_t *len)
{
    int err = td_csv_line(&r->csv, line, len);

    switch (err) {
    case 0:
    case -ENODATA:
        return err;
    case -EMSGSIZE:
        return td_recording_bad(r, "the line is longer than 64 KiB: this is no recording of counters");
    case -EPROTO:
        return td_recording_bad(r, "a carriage return inside the line: lines end with LF or CRLF");
    case -EILSEQ:
        err = td_recording_foreign(r, *line);
        return err ? err : td_recording_bad(r, "a NUL byte: this is no text file");
    default:
        snprintf(r->why, sizeof(r->why), "%s: cannot be read: %s", r->name, strerror(-err));
        return err;
    }
}

int td_recording_split(struct td_recording *r, char *line, size_t len)
{
    switch (td_csv_split(&r->csv, line, len)) {
    case 0:
        return 0;
    case -E2BIG:
        return td_recording_bad(r, "more than %d columns", TD_FIELDS_MAX);
    case -EILSEQ:
        return td_recording_bad(r, "a quote is not closed on this line");
    default:
        return td_recording_no_memory(r);
    }
}

int td_recording_text(struct td_recording *r, const char *name, size_t len)
{
    int i = td_texts_number(&r->texts, name, len);

    if (i == -E2BIG)
        return td_recording_bad(r, "more than %d different events", TD_TEXTS_MAX);
    return i < 0 ? td_recording_no_memory(r) : i;
}

struct td_interval *td_recording_interval(struct td_recording *r)
{
    struct td_interval *v;

    if (r->nbatch == r->room) {
        size_t room = r->room ? 2 * r->room : 4;
        struct td_interval *grown = realloc(r->batch, room * sizeof(*grown));

        if (!grown)
            return NULL;
        memset(grown + r->room, 0, (room - r->room) * sizeof(*grown));
        r->batch = grown;
        r->room = room;
    }
    v = &r->batch[r->nbatch++];
    *v = (struct td_interval){.counts = {.room = v->counts.room, .c = v->counts.c}}; /* the array is used again */
    return v;
}

static bool blank(const char *line, size_t len)
{
    return strspn(line, " \t") == len;
}

/* Comments that may stand before any format; a trace begins with one of its own. */
static bool is_comment(const char *line, size_t len)
{
    return *line == '#' && !td_reader_trace.sniff(line, len) && !td_reader_perf_text.sniff(line, len);
}

/* By the first bytes. -EAGAIN: it is none of the binary formats. */
static int open_binary(struct td_recording *r, const struct td_machine *machine)
{
    const char *bytes;
    ssize_t n = td_csv_peek(&r->csv, &bytes, TD_SNIFF);

    if (n < 0) {
        snprintf(r->why, sizeof(r->why), "%s: cannot be read: %s", r->name, strerror((int)-n));
        return (int)n;
    }
    for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
        if (readers[i]->sniff_bytes && readers[i]->sniff_bytes(bytes, (size_t)n)) {
            r->reader = readers[i];
            return r->reader->open(r, NULL, 0, machine);
        }
    return -EAGAIN;
}

int td_recording_open(struct td_recording *r, td_read_fn *read, void *ctx, const struct td_machine *machine)
{
    char *line;
    size_t len;
    bool commented = false;
    int err = td_csv_open(&r->csv, read, ctx);

    if (err)
        return td_recording_no_memory(r);
    err = open_binary(r, machine);
    if (err != -EAGAIN)
        return err;
    do {
        err = td_recording_line(r, &line, &len);
        commented = commented || (!err && is_comment(line, len));
    } while (!err && (blank(line, len) || is_comment(line, len)));
    if (err == -ENODATA)
        return td_recording_bad(r, commented ? "the file ends without a single count" : "the file is empty");
    if (!err)
        err = td_recording_foreign(r, line);
    for (size_t i = 0; !err && i < sizeof(readers) / sizeof(*readers); i++)
        if (readers[i]->sniff && readers[i]->sniff(line, len)) {
            r->reader = readers[i];
            return r->reader->open(r, line, len, machine);
        }
    return err ? err : td_recording_bad(r, "not a recording that tdprobe knows");
}

void td_recording_close(struct td_recording *r)
{
    if (r->reader)
        r->reader->close(r);
    for (size_t i = 0; i < r->room; i++)
        td_counts_free(&r->batch[i].counts);
    free(r->batch);
    r->batch = NULL;
    r->room = r->nbatch = 0;
    td_csv_close(&r->csv);
    td_texts_free(&r->texts);
}
