/* SPDX-License-Identifier: MIT */
#include "sim/replay/recording.h"

#include "backends/event_match.h"
#include "backends/find_identity.h"
#include "util/log_prefix.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Formats that are recognised only in order to say what to do with them. */
static const struct {
    const char *mark, *what;
    bool inside; /* anywhere in the line; otherwise the line begins with the mark */
} foreign[] = {
    {"CPUs,Area,Value", "toplev's results, which are ratios: record counts with 'perf stat -x, -o FILE'", false},
    {"Area,Value,Unit", "toplev's results, which are ratios: record counts with 'perf stat -x, -o FILE'", true},
    {"interval,title,group,ename,val",
     "toplev's --valcsv, whose values are in the order of its schedule: let toplev write --perf-output FILE, "
     "which is read",
     false},
    {"{\"traceEvents\"",
     "a trace for Chrome, as toplev --json writes it, of ratios: record counts with 'perf stat -j -o FILE'", false},
    {"\"ph\":", "a trace for Chrome, as toplev --json writes it, of ratios: record counts with 'perf stat -j -o FILE'",
     true},
    {"time,group,stage,level,metric,value",
     "topdown-tool's metrics, which are ratios: let it write its counts too (--cpu-generate-csv metrics,events)",
     false},
    {"TS,SKT,CPU,CID,", "PerfSpect's metrics, which are ratios: let it keep its counts (--raw) and name the folder",
     false},
    {"{\"NumGeneralPurposeCounters\"",
     "PerfSpect's metadata, without counts: name the folder, or the file whose name ends with _events.jsonl where "
     "this one has _metadata.json",
     false},
    {"STRUCT,Info,",
     "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'", false},
    {"TABLE,", "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'",
     false},
    {"Event,Counter,",
     "likwid's tables, with events and metrics of its own names: record counts with 'perf stat -x, -o FILE'", false},
    {"# GID|", "likwid's metrics over time, which are ratios: record counts with 'perf stat -x, -I 1000 -o FILE'",
     false},
    {"System,System,",
     "pcm's results, which are ratios cut to whole per cent: record counts with 'perf stat -x, -o FILE'", false},
    {"Date,Time,", "pcm's results, which are ratios cut to whole per cent: record counts with 'perf stat -x, -o FILE'",
     false},
};

int td_recording_bad(struct td_recording *r, const char *format, ...)
{
    va_list args;
    int err;

    va_start(args, format);
    err = td_log_fail_at(r->log, -EBADMSG, r->stream.name, r->bytes.line, format, args);
    va_end(args);
    return err;
}

int td_recording_unread(struct td_recording *r, int err)
{
    if (r->unread && *r->unread)
        return td_log_fail(r->log, -EBADMSG, "%s %s", r->stream.name, r->unread);
    return td_log_fail(r->log, err, "%s: cannot be read: %s", r->stream.name, strerror(-err));
}

void td_recording_note(struct td_recording *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    td_log_note_at(r->log, r->stream.name, r->bytes.line, format, args);
    va_end(args);
}

int td_recording_foreign(struct td_recording *r, const char *line)
{
    const char *report = td_own_report(line);

    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
        if (foreign[i].inside ? strstr(line, foreign[i].mark) != NULL
                              : !strncmp(line, foreign[i].mark, strlen(foreign[i].mark)))
            return td_recording_bad(r, "%s", foreign[i].what);
    if (report)
        return td_recording_bad(r,
                                "this is %s, not a recording: it has shares, and no counts to compute them from; "
                                "'tdprobe record' writes a recording",
                                report);
    return 0;
}

void td_recording_skip(struct td_recording *r)
{
    if (!r->nskipped++)
        r->skipped_at = r->bytes.line;
}

void td_recording_skipped(struct td_recording *r)
{
    const unsigned long n = r->nskipped, last = r->bytes.line;

    if (!n)
        return;
    r->bytes.line = r->skipped_at;
    td_recording_note(r,
                      n == 1 ? "1 line is of another program; it is left out"
                             : "%lu lines are of another program; they are left out, from this one on",
                      n);
    r->bytes.line = last;
    r->nskipped = 0;
}

/* The name as perf wrote it, or a raw event of the CPU's own PMU. */
static bool is_event(const struct td_recording *r, const char *name, size_t len)
{
    return td_texts_find(&r->stream.texts, name, len) >= 0 || td_event_known(name, len);
}

bool td_recording_names_event(const struct td_recording *r, const char *line, size_t len, const char *separator)
{
    const size_t own = separator && separator[0] && !separator[1] ? (unsigned char)separator[0] : 0;
    const char *const end = line + len;

    for (const char *at = line, *next; at < end; at = next + 1) {
        size_t n;

        for (next = at; next < end && !strchr(",;|\t\"\x1f", *next) && (unsigned char)*next != own;)
            next++;
        while (at < next && *at == ' ')
            at++;
        for (n = (size_t)(next - at); n && at[n - 1] == ' ';)
            n--;
        if (n && is_event(r, at, n))
            return true;
    }
    return false;
}

int td_recording_cpu(struct td_recording *r, const char *id)
{
    const struct td_identity *asked = &r->settings->identity;
    struct td_identity said;
    char why[256];
    int err = td_identity_find(id, &said, why, sizeof(why));

    if (asked->nparts) {
        if (err || !td_identity_same(&said, asked))
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
    r->stream.identity = said;
    return 0;
}

void td_recording_smt(struct td_recording *r, enum td_smt said)
{
    static const char *const names[] = {[TD_SMT_ON] = "on", [TD_SMT_OFF] = "off"};
    const enum td_smt asked = r->settings->smt;

    if (asked != TD_SMT_UNKNOWN && said != TD_SMT_UNKNOWN && said != asked)
        td_recording_note(r, "the file says that SMT was %s; read as %s, as asked", names[said], names[asked]);
    r->stream.smt = asked != TD_SMT_UNKNOWN ? asked : said;
}

int td_recording_line(struct td_recording *r, char **line, size_t *len)
{
    int err = td_bytes_line(&r->bytes, line, len);
    size_t before;

    switch (err) {
    case 0:
        before = r->prefixed ? td_log_prefix(*line) : 0;
        *line += before;
        *len -= before;
        return 0;
    case -ENODATA: return err;
    case -EMSGSIZE:
        err = td_recording_foreign(r, *line);
        return err ? err : td_recording_bad(r, "the line is longer than 64 KiB: this is no recording of counters");
    case -EPROTO: return td_recording_bad(r, "a carriage return inside the line: lines end with LF or CRLF");
    case -EILSEQ:
        err = td_recording_foreign(r, *line);
        return err ? err : td_recording_bad(r, "a NUL byte: this is no text file");
    default: return td_recording_unread(r, err);
    }
}

int td_recording_split(struct td_recording *r, char *line, size_t len)
{
    switch (td_bytes_split(&r->bytes, line, len)) {
    case 0: return 0;
    case -E2BIG: return td_recording_bad(r, "more than %d columns", TD_FIELDS_MAX);
    case -EILSEQ: return td_recording_bad(r, "a quote is not closed on this line");
    default: return td_log_no_memory(r->log);
    }
}

int td_recording_text(struct td_recording *r, const char *name, size_t len)
{
    int i = td_texts_number(&r->stream.texts, name, len);

    if (i == -E2BIG)
        return td_recording_bad(r, "more than %d different events", TD_TEXTS_MAX);
    return i < 0 ? td_log_no_memory(r->log) : i;
}

int td_recording_check_hints(struct td_recording *r)
{
    if (r->stream.hints.err == -E2BIG)
        return td_recording_bad(r, "more than %d different sets of metrics beside counts", TD_HINTS_MAX);
    return r->stream.hints.err ? td_log_no_memory(r->log) : 0;
}

void td_recording_close(struct td_recording *r)
{
    if (!r)
        return;
    if (r->reader)
        r->reader->close(r);
    td_bytes_close(&r->bytes);
    td_stream_free(&r->stream);
    free(r);
}
