/* SPDX-License-Identifier: MIT */
#include "formats/formats.h"

#include "backends/find_identity.h"
#include "sim/replay/recording.h"
#include "util/log_prefix.h"
#include "util/text_buffer.h"
#include "util/text_clean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In order of how sure a format is to recognise its own; perf's CSV has no mark at all. */
static const struct td_reader *const readers[] = {
    &td_reader_perf_data,  &td_reader_trace,     &td_reader_perf_json,
    &td_reader_arm_events, &td_reader_perf_text, &td_reader_perf_csv,
};

const struct td_reader *td_reader_at(size_t i)
{
    return i < sizeof(readers) / sizeof(*readers) ? readers[i] : NULL;
}

static int next(struct td_stream *s)
{
    struct td_recording *r = (struct td_recording *)s; /* its first member */
    int err = r->reader->next(r);

    if (err == -ENODATA)
        td_recording_skipped(r);
    s->line = r->bytes.line;
    return err;
}

static void close(struct td_stream *s)
{
    td_recording_close((struct td_recording *)s);
}

static bool blank(const char *line, size_t len)
{
    return strspn(line, " \t") == len;
}

/* Comments that may come before any format; a trace begins with one of its own. */
static bool is_comment(const char *line, size_t len)
{
    return *line == '#' && !td_reader_trace.sniff(line, len) && !td_reader_perf_text.sniff(line, len);
}

/* ---- whose lines these are -------------------------------------------------------------------- */

static const struct td_reader *find_sure(const struct td_reader *format, const char *line, size_t len)
{
    const struct td_reader *reader;

    for (size_t i = 0; (reader = td_reader_at(i)); i++)
        if ((!format || format == reader) && (reader->sure || reader->sniff) &&
            (reader->sure ? reader->sure : reader->sniff)(line, len))
            return reader;
    return NULL;
}

/* Finds the format whose line comes first among those of mails, logs and programs, and whether a log put something
 * before its lines. *reader stays NULL where no line within reach is of any. 0, or the read function's error. */
static int look_ahead(struct td_recording *r, const struct td_reader *format, const struct td_reader **reader)
{
    size_t at = 0, len, before;
    char *line;
    int err = 0;

    *reader = NULL;
    while (!*reader && !(err = td_bytes_ahead(&r->bytes, &at, &line, &len))) {
        before = td_log_prefix(line);
        if (before)
            *reader = find_sure(format, line + before, len - before);
        r->prefixed = *reader != NULL;
        if (!*reader)
            *reader = find_sure(format, line, len);
    }
    return err == -ENODATA ? 0 : err;
}

/* Takes the CPU that a line names, such as a mail's "model name : Intel(R) Xeon(R) Platinum 8480+"; false: another than
 * the lines before. */
static bool take_told(struct td_recording *r, const char *line)
{
    static const char *const marks[] = {"Intel(R) ",   "AMD EPYC ", "AMD Ryzen ", "Neoverse-",
                                        "Intel Xeon ", "Graviton",  "Ampere"};
    struct td_identity *told = &r->stream.told, now;
    char name[TD_IDENTITY_TEXT], why[256];
    const char *at = NULL;

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && !at; i++)
        at = strstr(line, marks[i]);
    if (!at || !td_cpu_sold_as(at, name, sizeof(name)) || td_identity_find(name, &now, why, sizeof(why)))
        return true;
    if (told->nparts && !td_identity_same(told, &now))
        return false;
    *told = now;
    return true;
}

enum { LINES_OF_NUMBERS = 200 /* bytes that are kept of them */ };

/* Keeps the lines of lscpu and cpuinfo that have the CPU's numbers, each of which is on a line of its own. */
static void keep_numbers(struct td_text_buffer *all, const char *line)
{
    static const char *const marks[] = {"Vendor ID", "vendor_id", "CPU family", "cpu family",
                                        "Model:",    "model\t",   "Stepping",   "stepping"};

    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (!strncmp(line, marks[i], strlen(marks[i])) && all->length < LINES_OF_NUMBERS) {
            td_text_buffer_add(all, "%.40s ", line); /* without memory the CPU is not told */
            return;
        }
}

/* Looks for the CPU in the text around the counts: in a file all of it within reach, else only before them, as more may
 * not have come yet. */
static int look_for_cpu(struct td_recording *r, const struct td_reader *reader)
{
    size_t at = 0, len, before;
    bool one = true, ahead = true;
    struct td_text_buffer numbers = {0};
    char *line, name[TD_IDENTITY_TEXT], why[256];
    int err = 0;

    while (one && ahead && !(err = td_bytes_ahead(&r->bytes, &at, &line, &len))) {
        one = take_told(r, line);
        keep_numbers(&numbers, line);
        before = r->prefixed ? td_log_prefix(line) : 0;
        ahead = r->seek || !reader->sure || !reader->sure(line + before, len - before);
    }
    if (!one)
        r->stream.told = (struct td_identity){.nparts = 0};
    else if (!r->stream.told.nparts && numbers.length && td_cpu_sold_as(numbers.at, name, sizeof(name)) &&
             td_identity_find(name, &r->stream.told, why, sizeof(why)))
        r->stream.told = (struct td_identity){.nparts = 0};
    td_text_buffer_free(&numbers);
    return err == -ENODATA ? 0 : err;
}

/* Moves the recording into the struct of its reader, which then opens it. */
static int open_as(struct td_recording **at, const struct td_reader *reader, char *line, size_t len)
{
    struct td_recording *r = calloc(1, reader->size);

    if (!r)
        return td_log_no_memory((*at)->log);
    *r = **at;
    free(*at);
    *at = r;
    r->reader = reader;
    r->stream.next = next;
    r->stream.close = close;
    return reader->open(r, line, len);
}

/* By the first bytes. 1: it is not one of the binary formats. */
static int open_binary(struct td_recording **at, const struct td_reader *format)
{
    struct td_recording *r = *at;
    const struct td_reader *reader;
    const char *bytes;
    ssize_t n;

    if (format && !format->sniff_bytes)
        return 1;
    n = td_bytes_peek(&r->bytes, &bytes, TD_SNIFF);
    if (n < 0)
        return td_recording_unread(r, (int)n);
    for (size_t i = 0; (reader = td_reader_at(i)); i++)
        if (reader->sniff_bytes && (!format || format == reader) && reader->sniff_bytes(bytes, (size_t)n))
            return open_as(at, reader, NULL, 0);
    if (!format)
        return 1;
    r->bytes.line = 1;
    return td_recording_bad(r, "not of the format %s, as which it was to be read", format->name);
}

/* Keeps when perf stat -o began, the first time: "# started on Tue Nov 24 10:00:00 2026". */
static int keep_started(struct td_recording *r, const char *line)
{
    static const char mark[] = "# started on ";
    const char *at = line + (*line == '"'); /* of a spreadsheet */
    size_t n;

    if (r->stream.started || strncmp(at, mark, strlen(mark)) != 0)
        return 0;
    at += strlen(mark);
    n = strcspn(at, "\"\r\n,;");
    while (n && at[n - 1] == ' ')
        n--;
    r->stream.started = td_text_copy(at, n);
    return r->stream.started ? 0 : td_log_no_memory(r->log);
}

/* Finds the first line that is neither blank nor a comment. found: the format is known. */
static int first_line(struct td_recording *r, bool found, char **line, size_t *len)
{
    bool commented = false;
    int err;

    do {
        err = td_recording_line(r, line, len);
        commented = commented || (!err && is_comment(*line, *len));
        err = err ? err : keep_started(r, *line);
        if (!err && (!found || td_own_report(*line))) /* whose rows may look like counts */
            err = td_recording_foreign(r, *line);
    } while (!err && (blank(*line, *len) || is_comment(*line, *len)));
    if (err == -ENODATA)
        return td_recording_bad(r, commented ? "the file ends without a single count" : "the file is empty");
    return err;
}

/* The last reader takes any line, and reports what is wrong with it. */
static const struct td_reader *find_by_line(const char *line, size_t len)
{
    size_t i = 0;

    while (!td_reader_at(i)->sniff || !td_reader_at(i)->sniff(line, len))
        i++;
    return td_reader_at(i);
}

/* Takes the lines before the one that the format begins with. */
static int skip_to_mark(struct td_recording *r, const struct td_reader *reader, char **line, size_t *len)
{
    int err;

    do
        err = td_recording_line(r, line, len);
    while (!err && !reader->sniff(*line, *len));
    return err;
}

static int find_reader(struct td_recording *r, const struct td_reader *format, const struct td_reader **reader,
                       char **line, size_t *len)
{
    int err = look_ahead(r, format, reader);

    if (err)
        return td_recording_unread(r, err);
    if (*reader && (*reader)->marked)
        return skip_to_mark(r, *reader, line, len);
    err = *reader ? look_for_cpu(r, *reader) : 0;
    if (err)
        return td_recording_unread(r, err);
    err = first_line(r, format || *reader, line, len);
    if (err)
        return err;
    if (format && format->marked)
        return td_recording_bad(r, "not of the format %s, as which it was to be read: '%.40s'", format->name, *line);
    *reader = format ? format : *reader ? *reader : find_by_line(*line, *len);
    return 0;
}

/* ---- traces are looked at to their end ------------------------------------------------------ */

/* Reads a trace to its end; given: it has intervals. */
static int read_to_end(struct td_recording **probe, td_read_fn *read, void *ctx, bool *given)
{
    const struct td_reader *reader;
    char *line;
    size_t len;
    int err = td_bytes_open(&(*probe)->bytes, read, ctx) ? td_log_no_memory((*probe)->log)
                                                         : find_reader(*probe, &td_reader_trace, &reader, &line, &len);

    err = err ? err : open_as(probe, reader, line, len);
    while (!err) {
        err = reader->next(*probe);
        *given = *given || !err;
    }
    return err;
}

/* Whether a trace is what one recorder wrote. Two that write one file leave whole readings of either before the line
 * that does not fit, so that nothing before it can be given as sound. What is wrong before the first interval is found
 * by reading itself. */
static int check_trace(struct td_recording *r, td_read_fn *read, void *ctx)
{
    struct td_log log = {.note = NULL};
    struct td_recording *probe = calloc(1, sizeof(*probe));
    bool given = false;
    int err;

    if (!probe)
        return td_log_no_memory(r->log);
    probe->settings = r->settings;
    probe->log = &log;
    probe->stream.name = r->stream.name;
    probe->seek = r->seek;
    probe->unread = r->unread;
    err = r->seek(ctx, 0);
    err = err ? err : read_to_end(&probe, read, ctx, &given);
    td_recording_close(probe);
    if (err == -EBADMSG && r->unread && *r->unread)
        return td_recording_unread(r, err);
    if (err == -EBADMSG && given)
        return td_log_fail(
            r->log, err,
            "%s; a trace of one recorder has no such line, so nothing of it is given as sound: record it again",
            log.error);
    err = r->seek(ctx, 0);
    return err ? td_recording_unread(r, err) : 0;
}

/* Begins again where the file does. */
static int open_again(struct td_recording **at, td_read_fn *read, void *ctx, const struct td_reader *format)
{
    struct td_recording *r = *at;
    const struct td_reader *reader;
    char *line;
    size_t len;
    int err;

    td_bytes_close(&r->bytes);
    if (td_bytes_open(&r->bytes, read, ctx))
        return td_log_no_memory(r->log);
    err = find_reader(r, format, &reader, &line, &len);
    return err ? err : open_as(at, reader, line, len);
}

int td_recording_open(struct td_recording **at, td_read_fn *read, void *ctx, const struct td_reader *format)
{
    struct td_recording *r = *at;
    const struct td_reader *reader;
    char *line;
    size_t len;
    int err = td_bytes_open(&r->bytes, read, ctx) ? td_log_no_memory(r->log) : open_binary(at, format);

    if (err != 1)
        return err;
    err = find_reader(r, format, &reader, &line, &len);
    if (err)
        return err;
    if (reader != &td_reader_trace || !r->seek)
        return open_as(at, reader, line, len);
    err = check_trace(r, read, ctx);
    return err ? err : open_again(at, read, ctx, format);
}
