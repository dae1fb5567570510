/* SPDX-License-Identifier: MIT */
#include "live/sampling/synthesize.h"

#include "live/host/host_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_INDEX = 69, NAME = 16, INDEX_MOST = 1000 };
enum { READ_EXECUTE = 5, PRIVATE = 2 }; /* PROT_READ | PROT_EXEC, MAP_PRIVATE */

/* ---- records ---------------------------------------------------------------------------------- */

/* Begins a record; its size is set by end_record(). */
static size_t begin_record(struct td_data_bytes *b, uint32_t type, uint16_t misc)
{
    const struct perf_event_header h = {.type = type, .misc = misc};

    td_data_put(b, &h, sizeof(h));
    return b->n - sizeof(h);
}

static void set_size(struct td_data_bytes *b, size_t at)
{
    struct perf_event_header h;

    if (b->failed)
        return;
    memcpy(&h, b->at + at, sizeof(h));
    h.size = (uint16_t)(b->n - at);
    memcpy(b->at + at, &h, sizeof(h));
}

/* Ends a record with what attr.sample_id_all asks for: TID, TIME, ID, CPU. */
static void end_record(struct td_data_bytes *b, size_t at, pid_t pid, pid_t tid, uint64_t time)
{
    td_data_put32(b, (uint32_t)pid);
    td_data_put32(b, (uint32_t)tid);
    td_data_put64(b, time);
    td_data_put64(b, 0);
    td_data_put64(b, 0);
    set_size(b, at);
}

/* Adds a text with its NUL, filled up to whole words. */
static void put_name(struct td_data_bytes *b, const char *text)
{
    static const char zeros[8];
    const size_t n = strlen(text) + 1;

    td_data_put(b, text, n);
    td_data_put(b, zeros, (8 - n % 8) % 8);
}

/* ---- the kernel --------------------------------------------------------------------------------- */

/* The address of _text in /proc/kallsyms, whose first part has it; 0: hidden. */
static uint64_t text_address(const struct td_os *os)
{
    char *all = malloc(TD_OS_FILE_MAX), *at;
    uint64_t address = 0;

    if (all && os->file(os->ctx, "/proc/kallsyms", all, TD_OS_FILE_MAX) > 0) {
        at = strstr(all, " _text\n");
        while (at && at > all && at[-1] != '\n')
            at--;
        address = at ? strtoull(at, NULL, 16) : 0;
    }
    free(all);
    return address;
}

void td_synthesize_kernel(const struct td_os *os, struct td_data_bytes *b)
{
    const uint64_t text = text_address(os);
    size_t at;

    if (!text)
        return;
    at = begin_record(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
    td_data_put32(b, UINT32_MAX);
    td_data_put32(b, 0);
    td_data_put64(b, text);
    td_data_put64(b, UINT64_MAX - text);
    td_data_put64(b, text);
    put_name(b, "[kernel.kallsyms]_text");
    end_record(b, at, 0, 0, 0);
}

/* ---- processes ------------------------------------------------------------------------------------- */

static void put_comm(const struct td_os *os, pid_t pid, pid_t tid, uint64_t time, struct td_data_bytes *b)
{
    char name[64];
    size_t at;

    if (!td_host_text(os, name, sizeof(name), "/proc/%d/task/%d/comm", (int)pid, (int)tid))
        return;
    name[NAME - 1] = '\0';
    at = begin_record(b, PERF_RECORD_COMM, 0);
    td_data_put32(b, (uint32_t)pid);
    td_data_put32(b, (uint32_t)tid);
    put_name(b, name);
    end_record(b, at, pid, tid, time);
}

/* The next number of a line; *at moves past it and the character after it. */
static uint64_t next_number(const char **at, int base)
{
    char *end;
    const uint64_t n = strtoull(*at, &end, base);

    *at = *end ? end + 1 : end;
    return n;
}

/* Adds a mapping that can be executed, from a line of maps: "00400000-00452000 r-xp 00000000 08:02 173521
 * /usr/bin/dbus-daemon". */
static void put_mapping(pid_t pid, const char *line, uint64_t time, struct td_data_bytes *b)
{
    const uint64_t start = next_number(&line, 16), end = next_number(&line, 16);
    uint64_t offset, inode;
    uint32_t major, minor;
    size_t at;

    if (strlen(line) < 5 || line[2] != 'x')
        return;
    line += 5;
    offset = next_number(&line, 16);
    major = (uint32_t)next_number(&line, 16);
    minor = (uint32_t)next_number(&line, 16);
    inode = next_number(&line, 10);
    line += strspn(line, " ");
    at = begin_record(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
    td_data_put32(b, (uint32_t)pid);
    td_data_put32(b, (uint32_t)pid);
    td_data_put64(b, start);
    td_data_put64(b, end - start);
    td_data_put64(b, offset);
    td_data_put32(b, major);
    td_data_put32(b, minor);
    td_data_put64(b, inode);
    td_data_put64(b, 0);
    td_data_put32(b, READ_EXECUTE);
    td_data_put32(b, PRIVATE);
    put_name(b, *line ? line : "//anon");
    end_record(b, at, pid, pid, time);
}

static void put_mappings(const struct td_os *os, pid_t pid, uint64_t time, struct td_data_bytes *b)
{
    char path[40], *all = malloc(TD_OS_FILE_MAX);

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    if (all && os->file(os->ctx, path, all, TD_OS_FILE_MAX) > 0)
        for (char *line = all, *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            put_mapping(pid, line, time, b);
        }
    free(all);
}

struct listing {
    const struct td_os *os;
    pid_t process;
    uint64_t time;
    struct td_data_bytes *out;
};

static int put_thread(void *arg, const char *name)
{
    const struct listing *l = arg;
    const long tid = strtol(name, NULL, 10);

    if (tid > 0)
        put_comm(l->os, l->process, (pid_t)tid, l->time, l->out);
    return 0;
}

void td_synthesize_process(const struct td_os *os, pid_t process, uint64_t time, struct td_data_bytes *b)
{
    struct listing l = {os, process, time, b};
    char path[40];

    snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
    os->names(os->ctx, path, put_thread, &l);
    put_mappings(os, process, time, b);
}

static int put_process(void *arg, const char *name)
{
    const struct listing *l = arg;
    const long pid = *name >= '1' && *name <= '9' ? strtol(name, NULL, 10) : 0;

    if (pid > 0)
        td_synthesize_process(l->os, (pid_t)pid, l->time, l->out);
    return 0;
}

void td_synthesize_all(const struct td_os *os, uint64_t time, struct td_data_bytes *b)
{
    struct listing l = {os, 0, time, b};

    os->names(os->ctx, "/proc", put_process, &l);
}

/* ---- ids --------------------------------------------------------------------------------------------- */

static void put_index(const struct td_sampled *g, uint64_t index, struct td_data_bytes *b)
{
    for (size_t i = 0; i < g->n; i++) {
        td_data_put64(b, g->id[i]);
        td_data_put64(b, index);
        td_data_put64(b, (uint64_t)(int64_t)g->target.cpu);
        td_data_put64(b, (uint64_t)(int64_t)g->target.pid);
    }
}

/* Writes several records where there are many groups: one has at most 64 KiB. */
void td_synthesize_index(const struct td_sampled *const *group, size_t n, struct td_data_bytes *b)
{
    for (size_t i = 0; i < n;) {
        const size_t at = begin_record(b, ID_INDEX, 0), first = i;
        uint64_t entries = 0;

        while (i < n && entries + group[i]->n <= INDEX_MOST)
            entries += group[i++]->n;
        td_data_put64(b, entries);
        for (size_t k = first; k < i; k++)
            put_index(group[k], k, b);
        set_size(b, at);
    }
}
