/* SPDX-License-Identifier: MIT */
/* Processes and threads are kept in trees of tsearch(3), which stay in balance whatever their order; what each process
 * has mapped is a tree of maps.h. */
#include "samples/spaces.h"

#include "util/hash_index.h"
#include "util/made_files.h"
#include "util/room.h"
#include "util/text_clean.h"
#include "samples/maps.h"

#include <search.h>

struct process {
    uint32_t pid;
    size_t threads;
    struct td_maps *maps;
    struct td_maker maker[TD_MAKERS]; /* the first is the process itself */
    size_t makers;
};

struct thread {
    uint32_t tid;
    uint32_t name; /* the number of its name in comms */
};

/* Texts, each of which has a number. */
struct names {
    char **name;
    size_t n, room;
    struct td_hash_index hashes;
};

struct td_spaces {
    void *processes, *threads;
    struct process *last; /* the one that was found last, or NULL */
    struct thread *last_thread;
    struct td_maps *kernel;
    struct td_maps *functions; /* those that the kernel made while it ran, which hide what else is mapped there */
    struct td_maps_pool pool;
    const struct td_dso *running; /* the kernel itself; NULL: no record has mapped it yet */
    size_t nthreads;
    struct names comms;
    struct names files; /* those whose build-ids are recorded apart from mappings */
    struct build_id {
        unsigned char id[TD_BUILD_ID_MAX];
        size_t size;
    } * build_ids; /* by number in files */
    size_t build_ids_room;
    struct td_dso **dso;
    size_t ndsos, dso_room;
    struct td_hash_index dsos;
};

/* ---- names and files -------------------------------------------------------------------- */

/* The number of a text; -1: it has none. */
static long find_name(const struct names *t, const char *name, size_t len)
{
    long at = t->n ? td_hash_first(&t->hashes, td_hash(&t->hashes, name, len)) : -1;

    while (at >= 0 && (strncmp(t->name[at], name, len) || t->name[at][len]))
        at = td_hash_next(&t->hashes, at);
    return at;
}

/* The number of a text, which gets the next one if it is new. Takes the text over. name NULL: the caller had no memory.
 * -ENOMEM. */
static long number_of(struct names *t, char *name)
{
    long at;

    if (!name)
        return -ENOMEM;
    at = find_name(t, name, strlen(name));
    if (at >= 0) {
        free(name);
        return at;
    }
    if (td_hash_room(&t->hashes) || td_room(&t->name, &t->room, t->n + 1, sizeof(*t->name))) {
        free(name);
        return -ENOMEM;
    }
    t->name[t->n] = name;
    td_hash_add(&t->hashes, td_hash(&t->hashes, name, strlen(name)));
    return (long)t->n++;
}

static void free_names(struct names *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->name[i]);
    free(t->name);
    td_hash_index_free(&t->hashes);
}

static bool same_dso(const struct td_dso *d, const struct td_mapping *m)
{
    return d->kernel == m->kernel && d->function == m->function && d->build_id_size == m->build_id_size &&
           !memcmp(d->build_id, m->build_id, m->build_id_size) && !strncmp(d->path, m->path, m->path_size) &&
           !d->path[m->path_size];
}

/* What the kernel calls mappings of memory that is in no file; perf looks for the names of a process's functions in
 * these, too (tools/perf/util/map.c: is_anon_memory(), is_no_dso_memory()). */
static bool is_made(const char *path)
{
    static const char *const begins[] = {
        "//anon", "/dev/zero", "/anon_hugepage", "/memfd:", "/SYSV", "[heap]", "[stack", "[anon"};

    for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
        if (!strncmp(path, begins[i], strlen(begins[i])))
            return true;
    return false;
}

/* A dso for a mapping whose path is safe to print; NULL: out of memory. */
static struct td_dso *new_dso(const struct td_mapping *m, size_t number)
{
    struct td_dso *d = calloc(1, sizeof(*d));

    if (!d)
        return NULL;
    d->path = strndup(m->path, m->path_size);
    if (!d->path) {
        free(d);
        return NULL;
    }
    memcpy(d->build_id, m->build_id, m->build_id_size);
    d->build_id_size = m->build_id_size;
    d->number = (uint32_t)number;
    d->kernel = m->kernel;
    d->function = m->function;
    d->start = m->kernel ? m->start : 0;
    d->end = m->kernel ? m->start + (m->size - 1) : 0;
    d->text = m->text;
    d->made = !m->kernel && is_made(d->path);
    d->file = *d->path == '/' && strncmp(d->path, "//", 2) != 0 && !m->function && !d->made;
    return d;
}

static uint32_t hash_dso(const struct td_spaces *s, const struct td_mapping *m, size_t id_size)
{
    return td_hash(&s->dsos, m->path, m->path_size) ^ td_hash(&s->dsos, m->build_id, id_size);
}

/* perf calls the kernel's own text "[kernel.kallsyms]_text", where the offset is the address of the symbol _text. Here
 * it is "[kernel]". */
static void name_kernel(struct td_mapping *m)
{
    static const char perf_name[] = "[kernel.kallsyms]", name[] = "[kernel]", symbol[] = "_text";
    const size_t len = strlen(perf_name);

    if (m->path_size < len || memcmp(m->path, perf_name, len))
        return;
    if (m->path_size == len + strlen(symbol) && !memcmp(m->path + len, symbol, strlen(symbol)))
        m->text = m->offset;
    m->path = name;
    m->path_size = strlen(name);
}

/* Adds to a mapping what is known of its file from elsewhere: above all a build-id. */
static void complete(const struct td_spaces *s, struct td_mapping *m)
{
    long at;

    if (m->kernel && !m->function)
        name_kernel(m);
    at = m->build_id_size || m->function ? -1 : find_name(&s->files, m->path, m->path_size);
    if (at >= 0) {
        m->build_id = s->build_ids[at].id;
        m->build_id_size = s->build_ids[at].size;
    }
    if (!m->build_id)
        m->build_id = (const unsigned char *)"";
    if (m->build_id_size > TD_BUILD_ID_MAX)
        m->build_id_size = TD_BUILD_ID_MAX;
}

/* The dso of a mapping; NULL: there is none yet. */
static struct td_dso *find_dso(const struct td_spaces *s, const struct td_mapping *m, bool moved)
{
    const size_t sizes[] = {m->build_id_size, 0}; /* 0: where a dso is hashed that got its build-id later */

    for (size_t i = 0; i < 2; i++)
        for (long at = td_hash_first(&s->dsos, hash_dso(s, m, sizes[i])); at >= 0; at = td_hash_next(&s->dsos, at))
            if (s->dso[at]->moved == moved && same_dso(s->dso[at], m))
                return s->dso[at];
    return NULL;
}

/* The dso of a mapping, for which complete() was called; it is added if it is new. NULL: out of memory. */
static const struct td_dso *dso_of(struct td_spaces *s, const struct td_mapping *m)
{
    struct td_dso *d;
    bool moved;

    if (td_hash_room(&s->dsos) || td_room(&s->dso, &s->dso_room, s->ndsos + 1, sizeof(struct td_dso *)))
        return NULL;
    d = find_dso(s, m, false);
    moved = d && d->kernel && !d->function && d->start != m->start;
    d = moved ? find_dso(s, m, true) : d;
    if (d)
        return d;
    d = new_dso(m, s->ndsos);
    if (!d)
        return NULL;
    d->moved = moved;
    td_hash_add(&s->dsos, hash_dso(s, m, m->build_id_size));
    return s->dso[s->ndsos++] = d;
}

/* Gives the build-id to the files of that path that are mapped already, without one. */
static void complete_dsos(struct td_spaces *s, const struct td_mapping *m)
{
    long at = s->ndsos ? td_hash_first(&s->dsos, hash_dso(s, m, 0)) : -1;

    for (; at >= 0; at = td_hash_next(&s->dsos, at)) {
        struct td_dso *d = s->dso[at];

        if (d->build_id_size || d->function || strcmp(d->path, m->path) != 0)
            continue;
        memcpy(d->build_id, m->build_id, m->build_id_size);
        d->build_id_size = m->build_id_size;
    }
}

int td_spaces_build_id(struct td_spaces *s, const char *path, size_t len, const unsigned char *id, size_t size)
{
    struct td_mapping m = {.path = path,
                           .path_size = len,
                           .build_id = id,
                           .build_id_size = size < TD_BUILD_ID_MAX ? size : TD_BUILD_ID_MAX};
    struct build_id *b;
    long at;

    name_kernel(&m);
    at = number_of(&s->files, td_text_copy(m.path, m.path_size));
    if (at < 0 || td_room(&s->build_ids, &s->build_ids_room, s->files.n, sizeof(*s->build_ids)))
        return -ENOMEM;
    b = &s->build_ids[at];
    b->size = m.build_id_size;
    memcpy(b->id, id, b->size);
    m.path = s->files.name[at];
    m.path_size = strlen(m.path);
    complete_dsos(s, &m);
    return 0;
}

/* ---- processes and threads ------------------------------------------------------------------ */

static void *found(void *node)
{
    return node ? *(void **)node : NULL;
}

static int by_pid(const void *a, const void *b)
{
    const struct process *one = a, *other = b;

    return one->pid < other->pid ? -1 : one->pid > other->pid;
}

static int by_tid(const void *a, const void *b)
{
    const struct thread *one = a, *other = b;

    return one->tid < other->tid ? -1 : one->tid > other->tid;
}

static struct process *find_process(struct td_spaces *s, uint32_t pid)
{
    const struct process wanted = {.pid = pid};
    struct process *p = s->last && s->last->pid == pid ? s->last : found(tfind(&wanted, &s->processes, by_pid));

    if (p)
        s->last = p;
    return p;
}

static struct td_maker itself(uint32_t pid)
{
    return (struct td_maker){.pid = pid, .until = UINT64_MAX};
}

/* From now on a process has no code but its own. */
static void forget_makers(struct process *p)
{
    p->maker[0] = itself(p->pid);
    p->makers = 1;
}

/* Finds a process, or adds it; NULL: out of memory. */
static struct process *need_process(struct td_spaces *s, uint32_t pid)
{
    struct process *p = find_process(s, pid);

    if (p)
        return p;
    p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    *p = (struct process){.pid = pid, .threads = 1};
    forget_makers(p);
    if (tsearch(p, &s->processes, by_pid))
        return s->last = p;
    free(p);
    return NULL;
}

static void end_process(struct td_spaces *s, struct process *p)
{
    s->last = NULL;
    tdelete(p, &s->processes, by_pid);
    td_maps_drop(&s->pool, p->maps);
    free(p);
}

static struct thread *find_thread(struct td_spaces *s, uint32_t tid)
{
    const struct thread wanted = {.tid = tid};
    struct thread *t =
        s->last_thread && s->last_thread->tid == tid ? s->last_thread : found(tfind(&wanted, &s->threads, by_tid));

    if (t)
        s->last_thread = t;
    return t;
}

static int name_thread(struct td_spaces *s, uint32_t tid, uint32_t name)
{
    struct thread *t = find_thread(s, tid);

    if (!t && s->nthreads < TD_THREADS_KEPT) {
        t = malloc(sizeof(*t));
        if (!t)
            return -ENOMEM;
        t->tid = tid;
        if (!tsearch(t, &s->threads, by_tid)) {
            free(t);
            return -ENOMEM;
        }
        s->nthreads++;
    }
    if (t)
        t->name = name;
    return 0;
}

static void end_thread(struct td_spaces *s, uint32_t tid)
{
    struct thread *t = find_thread(s, tid);

    if (!t)
        return;
    s->last_thread = NULL;
    tdelete(t, &s->threads, by_tid);
    free(t);
    s->nthreads--;
}

/* ---- what records say ----------------------------------------------------------------------- */

static int map(struct td_spaces *s, struct td_maps **maps, struct td_mapping *m)
{
    struct td_map new = {
        .start = m->start, .end = m->start + (m->size - 1), .offset = m->kernel ? m->start : m->offset};

    if (!m->size || new.end < new.start || s->pool.n >= TD_MAPS_MAX)
        return 0;
    complete(s, m);
    new.dso = dso_of(s, m);
    if (!new.dso)
        return -ENOMEM;
    if (new.dso->text)
        s->running = new.dso;
    return td_maps_put(&s->pool, maps, &new);
}

/* A JIT compiler maps its dump for no other reason than that it is recorded. */
static void note_dump(struct process *p, const struct td_mapping *m)
{
    const struct td_map *at = td_jit_dump_named(m->path) ? td_maps_find(p->maps, m->start) : NULL;

    if (at)
        p->maker[0].dump = at->dso;
}

int td_spaces_map(struct td_spaces *s, uint32_t pid, const struct td_mapping *m)
{
    struct process *p = m->kernel ? NULL : need_process(s, pid);
    struct td_maps **maps = m->function ? &s->functions : m->kernel ? &s->kernel : p ? &p->maps : NULL;
    char *path = td_text_copy(m->path, m->path_size);
    struct td_mapping whole = *m;
    int err = -ENOMEM;

    if (maps && path) {
        whole.path = path;
        whole.path_size = strlen(path);
        err = map(s, maps, &whole);
    }
    if (!err && p)
        note_dump(p, &whole);
    free(path);
    return err;
}

int td_spaces_unmap_function(struct td_spaces *s, uint64_t start, uint64_t size)
{
    const struct td_map none = {.start = start, .end = start + (size - 1)};

    return !size || none.end < start ? 0 : td_maps_put(&s->pool, &s->functions, &none);
}

/* A process that is forked now has code of all who made its parent's, as it is now; one that was there before has at
 * most the dump that its parent mapped. */
static void note_makers(struct process *p, const struct process *from, const struct td_birth *b)
{
    forget_makers(p);
    if (!b->seen) {
        p->maker[0].dump = from ? from->maker[0].dump : NULL;
        return;
    }
    p->maker[p->makers++] = (struct td_maker){b->parent, from ? from->maker[0].dump : NULL, b->time};
    for (size_t i = 1; from && i < from->makers && p->makers < TD_MAKERS; i++)
        p->maker[p->makers++] = from->maker[i];
}

int td_spaces_fork(struct td_spaces *s, const struct td_birth *b)
{
    struct process *from = find_process(s, b->parent), *p;
    const struct thread *t = find_thread(s, b->parent_tid);
    int err = t ? name_thread(s, b->tid, t->name) : 0;

    if (b->pid == b->parent) {
        if (from && b->tid != b->pid)
            from->threads++;
        return err;
    }
    p = err ? NULL : need_process(s, b->pid);
    if (!p)
        return -ENOMEM;
    td_maps_drop(&s->pool, p->maps);
    p->threads = 1;
    p->maps = from ? td_maps_share(from->maps) : NULL;
    note_makers(p, from, b);
    return 0;
}

int td_spaces_name(struct td_spaces *s, uint32_t pid, uint32_t tid, const char *name, size_t len, bool exec)
{
    const long number = number_of(&s->comms, td_text_copy(name, len));
    struct process *p = exec ? find_process(s, pid) : NULL;

    if (p) {
        td_maps_drop(&s->pool, p->maps);
        p->maps = NULL;
        forget_makers(p);
    }
    return number < 0 ? -ENOMEM : name_thread(s, tid, (uint32_t)number);
}

void td_spaces_exit(struct td_spaces *s, uint32_t pid, uint32_t tid)
{
    struct process *p = find_process(s, pid);

    end_thread(s, tid);
    if (p && !--p->threads)
        end_process(s, p);
}

static const struct td_map *find_map(struct td_spaces *s, uint32_t pid, bool kernel, uint64_t address)
{
    const struct process *p = kernel ? NULL : find_process(s, pid);
    const struct td_map *m = kernel ? td_maps_find(s->functions, address) : NULL;

    return m ? m : td_maps_find(kernel ? s->kernel : p ? p->maps : NULL, address);
}

const struct td_dso *td_spaces_find(struct td_spaces *s, uint32_t pid, bool kernel, uint64_t address, uint64_t *offset)
{
    const struct td_map *m = find_map(s, pid, kernel, address);

    *offset = m ? address - m->start + m->offset : address;
    return m ? m->dso : NULL;
}

size_t td_spaces_makers(struct td_spaces *s, uint32_t pid, struct td_maker out[TD_MAKERS])
{
    const struct process *p = find_process(s, pid);

    if (!p) {
        out[0] = itself(pid);
        return 1;
    }
    memcpy(out, p->maker, p->makers * sizeof(*out));
    return p->makers;
}

const struct td_dso *td_spaces_kernel(const struct td_spaces *s)
{
    return s->running;
}

const char *td_spaces_comm(struct td_spaces *s, uint32_t tid, uint32_t *number)
{
    const struct thread *t = find_thread(s, tid);

    *number = t ? t->name + 1 : 0;
    return t ? s->comms.name[t->name] : "";
}

struct td_spaces *td_spaces_new(void)
{
    return calloc(1, sizeof(struct td_spaces));
}

static void free_processes(struct td_spaces *s)
{
    while (s->processes)
        end_process(s, found(s->processes));
    while (s->threads)
        end_thread(s, ((struct thread *)found(s->threads))->tid);
}

void td_spaces_free(struct td_spaces *s)
{
    if (!s)
        return;
    free_processes(s);
    td_maps_drop(&s->pool, s->kernel);
    td_maps_drop(&s->pool, s->functions);
    for (size_t i = 0; i < s->ndsos; i++) {
        free(s->dso[i]->path);
        free(s->dso[i]);
    }
    free(s->dso);
    free(s->build_ids);
    td_hash_index_free(&s->dsos);
    free_names(&s->comms);
    free_names(&s->files);
    free(s);
}
