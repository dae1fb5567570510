/* SPDX-License-Identifier: MIT */
#include "live/sampling/made.h"

#include "live/host/host_files.h"
#include "util/made_files.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MOST = 4096, PID_AT = 8, PARENT_AT = 12, SAMPLE_PID_AT = 16, FILE_AT = 72, TRAILER = 32 };

struct td_made_process {
    uint32_t pid;
    unsigned long inside; /* its number as it sees it itself: in a container another one */
    uid_t user; /* whose files it makes */
    uint64_t samples;
    char *dump; /* the path of the jitdump that it mapped last, as it sees it; NULL: none */
};

static int by_pid(const void *a, const void *b)
{
    const struct td_made_process *x = a, *y = b;

    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* The k-th number, from 1, in a line of /proc/PID/status; 0: the last one. Returns fallback where it has none. */
static unsigned long number_in(const char *status, const char *line, unsigned k, unsigned long fallback)
{
    const char *at = td_host_field(status, line);
    unsigned long n = fallback;

    for (unsigned i = 1; at && *at && *at != '\n' && (!k || i <= k); i++) {
        char *end;
        const unsigned long next = strtoul(at, &end, 10);

        if (end == at)
            break;
        n = next;
        at = end + strspn(end, "\t ");
    }
    return n;
}

/* Looks up a process's number and user, which stay as they were where it has ended. */
static void look(struct td_made_process *p, const struct td_os *os)
{
    enum { EFFECTIVE = 2 };
    char status[4096];

    if (!td_host_text(os, status, sizeof(status), "/proc/%lu/status", (unsigned long)p->pid) || !*status)
        return;
    p->inside = number_in(status, "\nNSpid:", 0, p->pid);
    p->user = (uid_t)number_in(status, "\nUid:", EFFECTIVE, 0);
}

/* Finds a process, or adds it; NULL: there are too many, or no memory. */
static struct td_made_process *need(struct td_made *m, const struct td_os *os, uint32_t pid)
{
    const struct td_made_process wanted = {.pid = pid, .inside = pid};
    struct td_made_process *const *found = tfind(&wanted, &m->processes, by_pid), *p;

    if (found)
        return m->last = *found;
    p = m->n < PROCESSES_MOST ? malloc(sizeof(*p)) : NULL;
    if (!p)
        return NULL;
    *p = wanted;
    if (!tsearch(p, &m->processes, by_pid)) {
        free(p);
        return NULL;
    }
    m->n++;
    look(p, os);
    return m->last = p;
}

static struct td_made_process *process_of(struct td_made *m, const struct td_os *os, uint32_t pid)
{
    return m->last && m->last->pid == pid ? m->last : pid && pid != UINT32_MAX ? need(m, os, pid) : NULL;
}

static uint32_t word(const struct perf_event_header *h, size_t at)
{
    uint32_t value = 0;

    if (at + sizeof(value) <= h->size)
        memcpy(&value, (const unsigned char *)h + at, sizeof(value));
    return value;
}

static int take_mapping(struct td_made *m, const struct td_os *os, const struct perf_event_header *h)
{
    struct td_made_process *p;
    char *path;

    if (h->size <= FILE_AT + TRAILER)
        return 0;
    path = strndup((const char *)h + FILE_AT, h->size - FILE_AT - TRAILER);
    if (!path)
        return -ENOMEM;
    p = *path == '/' && td_jit_dump_named(path) ? process_of(m, os, word(h, PID_AT)) : NULL;
    if (!p) {
        free(path);
        return 0;
    }
    free(p->dump);
    p->dump = path;
    return 0;
}

/* A new process has its parent's code. Its number may have been another one's before. */
static void take_fork(struct td_made *m, const struct td_os *os, const struct perf_event_header *h)
{
    const struct td_made_process wanted = {.pid = word(h, PID_AT), .inside = word(h, PID_AT)};
    const uint32_t parent = word(h, PARENT_AT);
    struct td_made_process *const *found = wanted.pid != parent ? tfind(&wanted, &m->processes, by_pid) : NULL;

    if (wanted.pid != parent)
        process_of(m, os, parent);
    if (!found)
        return;
    free((*found)->dump);
    **found = wanted;
    look(*found, os);
}

int td_made_take(struct td_made *m, const struct td_os *os, const struct perf_event_header *h)
{
    struct td_made_process *p;

    switch (h->type) {
    case PERF_RECORD_SAMPLE:
        p = process_of(m, os, word(h, SAMPLE_PID_AT));
        if (p)
            p->samples++;
        return 0;
    case PERF_RECORD_MMAP2: return take_mapping(m, os, h);
    case PERF_RECORD_FORK: take_fork(m, os, h); return 0;
    default: return 0;
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Those that are left to copy, and room for one file. */
struct copying {
    const struct td_os *os;
    struct td_data_bytes *out;
    unsigned char *buf;
    size_t left;
    bool cut; /* there was more than that */
};

/* Copies a file as the process sees it; of one that has ended in no container, as everybody does. A byte more than is
 * left shows that there is more. */
static void put_file(struct copying *c, const struct td_made_process *p, const char *path, bool dump)
{
    const struct td_os *os = c->os;
    ssize_t n = os->file_of(os->ctx, (pid_t)p->pid, path, p->user, c->buf, c->left + 1);

    if (n == -ESRCH && p->inside == p->pid)
        n = os->file_of(os->ctx, 0, path, p->user, c->buf, c->left + 1);
    c->cut = n > (ssize_t)c->left;
    n = c->cut ? (ssize_t)c->left : n;
    if (n <= 0)
        return;
    if (!c->out->n)
        td_data_put(c->out, TD_KEPT_BEGINS, sizeof(TD_KEPT_BEGINS));
    td_data_put32(c->out, p->pid);
    td_data_put32(c->out, dump ? (uint32_t)strlen(path) : 0);
    td_data_put64(c->out, (uint64_t)n);
    td_data_put(c->out, path, dump ? strlen(path) : 0);
    td_data_put(c->out, c->buf, (size_t)n);
    c->left -= (size_t)n;
}

static int by_samples(const void *a, const void *b)
{
    const struct td_made_process *const *x = a, *const *y = b;

    return (*x)->samples != (*y)->samples ? ((*x)->samples < (*y)->samples ? 1 : -1) : by_pid(*x, *y);
}

struct sampled_processes {
    struct td_made_process **process;
    size_t n;
};

static void list(const void *node, VISIT visit, void *arg)
{
    struct sampled_processes *l = arg;

    if (visit == postorder || visit == leaf)
        l->process[l->n++] = *(struct td_made_process *const *)node;
}

bool td_made_put(struct td_made *m, const struct td_os *os, struct td_data_bytes *b)
{
    struct copying c = {.os = os, .out = b, .buf = malloc(TD_KEPT_MOST + 1), .left = TD_KEPT_MOST};
    struct sampled_processes l = {.process = calloc(m->n + 1, sizeof(struct td_made_process *))};
    char map[TD_MADE_PATH];

    if (c.buf && l.process) {
        twalk_r(m->processes, list, &l);
        qsort(l.process, l.n, sizeof(struct td_made_process *), by_samples);
    }
    for (size_t i = 0; i < l.n && !c.cut; i++) {
        look(l.process[i], os);
        snprintf(map, sizeof(map), TD_MADE_MAP, l.process[i]->inside);
        put_file(&c, l.process[i], map, false);
        if (l.process[i]->dump && !c.cut)
            put_file(&c, l.process[i], l.process[i]->dump, true);
    }
    free(l.process);
    free(c.buf);
    return c.cut;
}

static void free_process(void *process)
{
    free(((struct td_made_process *)process)->dump);
    free(process);
}

void td_made_free(struct td_made *m)
{
    tdestroy(m->processes, free_process);
    *m = (struct td_made){.n = 0};
}
