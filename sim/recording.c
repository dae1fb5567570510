/* SPDX-License-Identifier: MIT */
/* What all readers share: lines, messages, finding the format. */
#include "recording.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In order of how sure a format is of its own; perf's CSV has no mark at all. */
static const struct td_reader *const readers[] = {
    &td_reader_perf_data, &td_reader_trace, &td_reader_perf_json,
    &td_reader_arm_events, &td_reader_perf_text, &td_reader_perf_csv,
};

/* Formats that are recognised so as to say what to do with them. */
static const struct {
    const char *mark, *what;
    bool inside; /* anywhere in the line; else it begins with the mark */
} foreign[] = {
    {"CPUs,Area,Value", "toplev's results, which are ratios: record counts with 'perf stat -x, -o FILE'", false},
    {"Area,Value,Unit", "toplev's results, which are ratios: record counts with 'perf stat -x, -o FILE'", true},
    {"interval,title,group,ename,val", "toplev's --valcsv, whose values are in the order of its schedule: let toplev write --perf-output FILE, which is read", false},
    {"{\"traceEvents\"", "a trace for Chrome, as toplev --json writes it, of ratios: record counts with 'perf stat -j -o FILE'", false},
    {"\"ph\":", "a trace for Chrome, as toplev --json writes it, of ratios: record counts with 'perf stat -j -o FILE'", true},
    {"time,group,stage,level,metric,value", "topdown-tool's metrics, which are ratios: let it write its counts too (--cpu-generate-csv metrics,events)", false},
    {"TS,SKT,CPU,CID,", "PerfSpect's metrics, which are ratios: let it keep its counts (--raw) and name the folder", false},
    {"{\"NumGeneralPurposeCounters\"", "PerfSpect's metadata, without counts: name the folder, or the file whose name ends with _events.jsonl where this one has _metadata.json", false},
    {"STRUCT,Info,", "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'", false},
    {"TABLE,", "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'", false},
    {"Event,Counter,", "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'", false},
    {"# GID|", "likwid's metrics over time, which are ratios: record counts with 'perf stat -x, -I 1000 -o FILE'", false},
    {"System,System,", "pcm's results, which are ratios cut to whole per cent: record counts with 'perf stat -x, -o FILE'", false},
    {"Date,Time,", "pcm's results, which are ratios cut to whole per cent: record counts with 'perf stat -x, -o FILE'", false},
};

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
    for (char *at = buf; *at; at++) /* one line, whatever the file's own words hold */
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
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
        if (foreign[i].inside ? strstr(line, foreign[i].mark) != NULL : !strncmp(line, foreign[i].mark, strlen(foreign[i].mark)))
            return td_recording_bad(r, "%s", foreign[i].what);
    return 0;
}

int td_recording_cpu(struct td_recording *r, const char *id, const struct td_machine *asked)
{
    struct td_machine said;
    char why[256];
    int err = td_machine_find(id, &said, why, sizeof(why));

    if (asked) {
        if (err || said.nparts != asked->nparts || said.part[0] != asked->part[0])
            td_recording_note(r, "the file says cpu %s; read as %s, as asked", id, asked->name);
        return 0;
    }
    if (err == -EOPNOTSUPP) {
        td_recording_bad(r, "the file says cpu %s: %s", id, why);
        return err;
    }
    if (err) {
        td_recording_note(r, "the file says cpu %s, which tdprobe does not know; the CPU is found by the events", id);
        return 0;
    }
    r->machine = said;
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
        err = td_recording_foreign(r, *line);
        return err ? err : td_recording_bad(r, "the line is longer than 64 KiB: this is no recording of counters");
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

const struct td_reader *td_reader_at(size_t i)
{
    return i < sizeof(readers) / sizeof(*readers) ? readers[i] : NULL;
}

static int open_as(struct td_recording *r, const struct td_reader *reader, char *line, size_t len, const struct td_machine *machine)
{
    r->reader = reader;
    return reader->open(r, line, len, machine);
}

/* By the first bytes. -EAGAIN: it is none of the binary formats. */
static int open_binary(struct td_recording *r, const struct td_machine *machine)
{
    const struct td_reader *reader;
    const char *bytes;
    ssize_t n;

    if (r->format && !r->format->sniff_bytes)
        return -EAGAIN;
    n = td_csv_peek(&r->csv, &bytes, TD_SNIFF);
    if (n < 0) {
        snprintf(r->why, sizeof(r->why), "%s: cannot be read: %s", r->name, strerror((int)-n));
        return (int)n;
    }
    for (size_t i = 0; (reader = td_reader_at(i)); i++)
        if (reader->sniff_bytes && (!r->format || r->format == reader) && reader->sniff_bytes(bytes, (size_t)n))
            return open_as(r, reader, NULL, 0, machine);
    if (!r->format)
        return -EAGAIN;
    r->csv.line = 1;
    return td_recording_bad(r, "not of the format %s, as which it was to be read", r->format->name);
}

/* The first line that is neither blank nor a comment. */
static int first_line(struct td_recording *r, char **line, size_t *len)
{
    bool commented = false;
    int err;

    do {
        err = td_recording_line(r, line, len);
        commented = commented || (!err && is_comment(*line, *len));
        if (!err && !r->format)
            err = td_recording_foreign(r, *line);
    } while (!err && (blank(*line, *len) || is_comment(*line, *len)));
    if (err == -ENODATA)
        return td_recording_bad(r, commented ? "the file ends without a single count" : "the file is empty");
    return err;
}

int td_recording_open(struct td_recording *r, td_read_fn *read, void *ctx, const struct td_machine *machine)
{
    const struct td_reader *reader = r->format;
    char *line;
    size_t len;
    int err = td_csv_open(&r->csv, read, ctx);

    if (err)
        return td_recording_no_memory(r);
    err = open_binary(r, machine);
    if (err != -EAGAIN)
        return err;
    err = first_line(r, &line, &len);
    if (err)
        return err;
    if (reader && reader->marked && !reader->sniff(line, len))
        return td_recording_bad(r, "not of the format %s, as which it was to be read: '%.40s'", reader->name, line);
    for (size_t i = 0; !reader && td_reader_at(i); i++)
        if (td_reader_at(i)->sniff && td_reader_at(i)->sniff(line, len))
            reader = td_reader_at(i);
    return reader ? open_as(r, reader, line, len, machine) : td_recording_bad(r, "not a recording that tdprobe knows");
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
