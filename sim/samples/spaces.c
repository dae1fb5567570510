/* SPDX-License-Identifier: MIT */
/* Processes, threads and mappings are in trees of tsearch(3), in balance whatever their order. Mappings of one
 * process do not overlap, so a comparison that calls overlapping ones equal is an order. A process
 * that forks shares its mappings until one of both changes its own. */
#include "sim/samples/spaces.h"

#include "core/hash_index.h"
#include "core/room.h"
#include "core/text_clean.h"

#include <search.h>

struct map {
    uint64_t start, end, offset; /* end: the last address */
    const struct td_dso *dso;
};

/* The mappings of one process, or of several that share them. */
struct maps {
    void *tree; /* of struct map */
    size_t users;
};

struct process {
    uint32_t pid;
    size_t threads;
    struct maps *maps; /* NULL: none */
};

struct thread {
    uint32_t tid, name; /* name: its number */
};

/* What a table of texts or files has under a number. */
struct names {
    char **name;
    size_t n, room;
    struct td_hash_index hashes;
};

struct td_spaces {
    void *processes, *threads;
    struct process *last; /* found last, or NULL */
    struct thread *last_thread;
    struct maps kernel;
    size_t nmaps, nthreads;
    struct names comms;
    struct names files; /* whose build-ids are known apart */
    struct build_id {
        unsigned char id[TD_BUILD_ID_MAX];
        size_t size;
    } *build_ids; /* by number of files */
    size_t build_ids_room;
    struct td_dso **dso;
    size_t ndsos, dso_room;
    struct td_hash_index dsos;
};

/* ---- names and files -------------------------------------------------------------------- */

/* The number of a text, -1: it has none. */
static long find_name(const struct names *t, const char *name, size_t len)
{
    long at = t->n ? td_hash_first(&t->hashes, td_hash(&t->hashes, name, len)) : -1;

    while (at >= 0 && (strncmp(t->name[at], name, len) || t->name[at][len]))
        at = td_hash_next(&t->hashes, at);
    return at;
}

/* Takes over a text that is safe to print: its number, a new one at the end; -ENOMEM. */
static long number_of(struct names *t, char *name)
{
    const size_t len = name ? strlen(name) : 0;
    const long at = name ? find_name(t, name, len) : -ENOMEM; /* -1: new */

    if (at != -1) {
        free(name);
        return at;
    }
    if (td_hash_room(&t->hashes) || td_room(&t->name, &t->room, t->n + 1, sizeof(*t->name))) {
        free(name);
        return -ENOMEM;
    }
    t->name[t->n] = name;
    td_hash_add(&t->hashes, td_hash(&t->hashes, name, len));
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
    return d->kernel == m->kernel && d->build_id_size == m->build_id_size && !memcmp(d->build_id, m->build_id, m->build_id_size) &&
           !strncmp(d->path, m->path, m->path_size) && !d->path[m->path_size];
}

static struct td_dso *new_dso(const struct td_mapping *m, size_t number)
{
    struct td_dso *d = calloc(1, sizeof(*d));

    if (!d)
        return NULL;
    d->path = td_text_copy(m->path, m->path_size);
    if (!d->path) {
        free(d);
        return NULL;
    }
    memcpy(d->build_id, m->build_id, m->build_id_size);
    d->build_id_size = m->build_id_size;
    d->number = (uint32_t)number;
    d->kernel = m->kernel;
    d->text = m->text;
    d->file = *d->path == '/' && strncmp(d->path, "//", 2) != 0;
    return d;
}

static uint32_t hash_dso(const struct td_spaces *s, const struct td_mapping *m)
{
    return td_hash(&s->dsos, m->path, m->path_size) ^ td_hash(&s->dsos, m->build_id, m->build_id_size);
}

/* perf's names for the kernel's own text, with the symbol that tells where it was moved to: "[kernel.kallsyms]_text". */
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

/* What is known of the file apart from the mapping. */
static void complete(const struct td_spaces *s, struct td_mapping *m)
{
    long at;

    if (m->kernel)
        name_kernel(m);
    at = m->build_id_size ? -1 : find_name(&s->files, m->path, m->path_size);
    if (at >= 0) {
        m->build_id = s->build_ids[at].id;
        m->build_id_size = s->build_ids[at].size;
    }
    if (!m->build_id)
        m->build_id = (const unsigned char *)"";
    if (m->build_id_size > TD_BUILD_ID_MAX)
        m->build_id_size = TD_BUILD_ID_MAX;
}

/* The file of a mapping that is complete; NULL: out of memory. */
static const struct td_dso *dso_of(struct td_spaces *s, const struct td_mapping *m)
{
    uint32_t hash;

    if (td_hash_room(&s->dsos) || td_room(&s->dso, &s->dso_room, s->ndsos + 1, sizeof(struct td_dso *)))
        return NULL;
    hash = hash_dso(s, m);
    for (long at = td_hash_first(&s->dsos, hash); at >= 0; at = td_hash_next(&s->dsos, at))
        if (same_dso(s->dso[at], m))
            return s->dso[at];
    s->dso[s->ndsos] = new_dso(m, s->ndsos);
    if (!s->dso[s->ndsos])
        return NULL;
    td_hash_add(&s->dsos, hash);
    return s->dso[s->ndsos++];
}

int td_spaces_build_id(struct td_spaces *s, const char *path, size_t len, const unsigned char *id, size_t size)
{
    struct td_mapping m = {.path = path, .path_size = len};
    const size_t before = s->files.n;
    struct build_id *b;
    long at;

    name_kernel(&m);
    at = number_of(&s->files, td_text_copy(m.path, m.path_size));
    if (at < 0 || td_room(&s->build_ids, &s->build_ids_room, s->files.n, sizeof(*s->build_ids)))
        return -ENOMEM;
    b = &s->build_ids[at];
    if (s->files.n > before)
        *b = (struct build_id){.size = 0};
    b->size = size < TD_BUILD_ID_MAX ? size : TD_BUILD_ID_MAX;
    memcpy(b->id, id, b->size);
    return 0;
}

/* ---- mappings ------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const struct map *one = a, *other = b;

    return one->end < other->start ? -1 : one->start > other->end;
}

static void *found(void *node)
{
    return node ? *(void **)node : NULL;
}

static int put_map(struct td_spaces *s, struct maps *maps, struct map map)
{
    struct map *new;

    if (s->nmaps == TD_MAPS_MAX)
        return 0;
    new = malloc(sizeof(*new));
    if (!new)
        return -ENOMEM;
    *new = map;
    if (!tsearch(new, &maps->tree, by_address)) {
        free(new);
        return -ENOMEM;
    }
    s->nmaps++;
    return 0;
}

/* Takes the addresses out of what is mapped: one mapping may become two. */
static int clear(struct td_spaces *s, struct maps *maps, const struct map *range)
{
    struct map *old;
    int err = 0;

    while (!err && (old = found(tfind(range, &maps->tree, by_address)))) {
        const struct map was = *old;

        tdelete(old, &maps->tree, by_address);
        free(old);
        s->nmaps--;
        if (was.start < range->start)
            err = put_map(s, maps, (struct map){was.start, range->start - 1, was.offset, was.dso});
        if (!err && was.end > range->end)
            err = put_map(s, maps, (struct map){range->end + 1, was.end, was.offset + (range->end + 1 - was.start), was.dso});
    }
    return err;
}

struct copying {
    struct td_spaces *s;
    struct maps *to;
    int err;
};

static void copy_map(const void *node, VISIT visit, void *ctx)
{
    struct copying *c = ctx;

    if ((visit == postorder || visit == leaf) && !c->err)
        c->err = put_map(c->s, c->to, **(struct map *const *)node);
}

static void free_tree(struct td_spaces *s, struct maps *maps)
{
    while (maps->tree) {
        struct map *root = found(maps->tree);

        tdelete(root, &maps->tree, by_address);
        free(root);
        s->nmaps--;
    }
}

static void release(struct td_spaces *s, struct process *p)
{
    struct maps *maps = p->maps;

    p->maps = NULL;
    if (!maps || --maps->users)
        return;
    free_tree(s, maps);
    free(maps);
}

/* The mappings of a process alone, to be changed; NULL: out of memory. */
static struct maps *own_maps(struct td_spaces *s, struct process *p)
{
    struct copying c = {.s = s};

    if (p->maps && p->maps->users == 1)
        return p->maps;
    c.to = calloc(1, sizeof(*c.to));
    if (!c.to)
        return NULL;
    c.to->users = 1;
    if (p->maps)
        twalk_r(p->maps->tree, copy_map, &c);
    release(s, p);
    p->maps = c.to;
    return c.err ? NULL : c.to;
}

/* ---- processes and threads ------------------------------------------------------------------ */

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

/* Adds it if it is new; NULL: out of memory. */
static struct process *need_process(struct td_spaces *s, uint32_t pid)
{
    struct process *p = find_process(s, pid);

    if (p)
        return p;
    p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    *p = (struct process){.pid = pid, .threads = 1};
    if (tsearch(p, &s->processes, by_pid))
        return s->last = p;
    free(p);
    return NULL;
}

static void end_process(struct td_spaces *s, struct process *p)
{
    s->last = NULL;
    tdelete(p, &s->processes, by_pid);
    release(s, p);
    free(p);
}

static struct thread *find_thread(struct td_spaces *s, uint32_t tid)
{
    const struct thread wanted = {.tid = tid};
    struct thread *t = s->last_thread && s->last_thread->tid == tid ? s->last_thread : found(tfind(&wanted, &s->threads, by_tid));

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

static int map(struct td_spaces *s, struct maps *maps, struct td_mapping *m)
{
    struct map new = {.start = m->start, .end = m->start + (m->size - 1), .offset = m->kernel ? m->start : m->offset};
    int err;

    if (!m->size || new.end < new.start)
        return 0;
    complete(s, m);
    new.dso = dso_of(s, m);
    err = new.dso ? clear(s, maps, &new) : -ENOMEM;
    return err ? err : put_map(s, maps, new);
}

int td_spaces_map(struct td_spaces *s, uint32_t pid, const struct td_mapping *m)
{
    struct process *p = m->kernel ? NULL : need_process(s, pid);
    struct maps *maps = m->kernel ? &s->kernel : p ? own_maps(s, p) : NULL;
    char *path = td_text_copy(m->path, m->path_size);
    struct td_mapping whole = *m;
    int err = -ENOMEM;

    whole.path = path;
    if (maps && path)
        err = map(s, maps, &whole);
    free(path);
    return err;
}

int td_spaces_fork(struct td_spaces *s, uint32_t pid, uint32_t parent, uint32_t tid, uint32_t parent_tid)
{
    struct process *from = find_process(s, parent), *p;
    const struct thread *t = find_thread(s, parent_tid);
    int err = t ? name_thread(s, tid, t->name) : 0;

    if (pid == parent) {
        if (from && tid != pid)
            from->threads++;
        return err;
    }
    p = err ? NULL : need_process(s, pid);
    if (!p)
        return -ENOMEM;
    release(s, p);
    p->threads = 1;
    if (from && from->maps) {
        p->maps = from->maps;
        p->maps->users++;
    }
    return 0;
}

int td_spaces_name(struct td_spaces *s, uint32_t pid, uint32_t tid, const char *name, size_t len, bool exec)
{
    const long number = number_of(&s->comms, td_text_copy(name, len));
    struct process *p = exec ? find_process(s, pid) : NULL;

    if (p)
        release(s, p);
    return number < 0 ? -ENOMEM : name_thread(s, tid, (uint32_t)number);
}

void td_spaces_exit(struct td_spaces *s, uint32_t pid, uint32_t tid)
{
    struct process *p = find_process(s, pid);

    end_thread(s, tid);
    if (p && !--p->threads)
        end_process(s, p);
}

const struct td_dso *td_spaces_find(struct td_spaces *s, uint32_t pid, bool kernel, uint64_t address, uint64_t *offset)
{
    const struct map at = {.start = address, .end = address};
    struct process *p = kernel ? NULL : find_process(s, pid);
    struct maps *maps = kernel ? &s->kernel : p ? p->maps : NULL;
    const struct map *m = maps ? found(tfind(&at, &maps->tree, by_address)) : NULL;

    *offset = m ? address - m->start + m->offset : address;
    return m ? m->dso : NULL;
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
    free_tree(s, &s->kernel);
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
