/* SPDX-License-Identifier: MIT */
/* A handle may be used by one thread at a time, and handles share nothing: threads that each have handles of
 * their own read all recordings, with names of functions where there are samples, and measure all simulated machines
 * or a region of their own on them, each thread in an order of its own. What they are given is what one thread alone is
 * given. What they would share all the same, the thread sanitizer sees: ./configure --enable-sanitizers=thread. Needs
 * TD_SRCDIR; its argument is the number of rounds. */
#include "include/td_regions.h"
#include "include/td_run.h"
#include "include/td_samples.h"
#include "tests/support/digest.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, JOBS_MAX = 1024, PATH = 4096, TAKES = 3, PASSES = 20, MSEC = 1000000 };

struct job {
    enum what { RECORDING, MACHINE, REGIONS } what;
    char path[PATH];
    char cpu[64]; /* "": the recording names it */
    uint64_t alone; /* the digest of what one thread was given */
};

static struct job job[JOBS_MAX];
static size_t jobs;
static char symbols[PATH];

static ssize_t read_file(void *ctx, void *buf, size_t size)
{
    const size_t n = fread(buf, 1, size, ctx);

    return n || !ferror(ctx) ? (ssize_t)n : -EIO;
}

static void digest_note(void *ctx, const char *text)
{
    digest_text(ctx, text);
}

static void replay(struct td *td, const struct job *j, FILE *f, uint64_t *digest)
{
    const struct td_result *r;
    int err = *j->cpu ? td_set_uarch(td, j->cpu) : 0;

    err = err ? err : td_set_level(td, 6);
    err = err ? err : td_set_symbols(td, symbols);
    err = err ? err : td_open(td, j->path, read_file, f);
    while (!err && !(err = td_next(td, &r)))
        digest_result(digest, r);
    for (size_t i = 0; err == -ENODATA && !td_summary(td, i, &r); i++)
        digest_result(digest, r);
    digest_text(digest, td_error(td));
}

/* Three intervals of the whole machine. */
static void measure(struct td *td, const struct job *j, FILE *f, uint64_t *digest)
{
    const struct td_live all = {.size = sizeof(struct td_live), .by = TD_BY_CPU};
    struct td_run_event event = {.size = sizeof(event)};
    const struct td_result *r;
    int err = td_set_machine(td, j->path, read_file, f);

    err = err ? err : td_open_live(td, &all);
    for (int i = 0; i < TAKES && !err; i++) {
        err = td_run_wait(td, td_run_now(td) + 10 * MSEC, -1, &event);
        err = err ? err : td_take(td);
        while (!err && !(err = td_next(td, &r)))
            digest_result(digest, r);
        err = err == -EAGAIN ? 0 : err;
    }
    digest_text(digest, td_error(td));
}

/* Passes through a region of this thread, on CPUs whose counters it may read. */
static void measure_self(struct td *td, const struct job *j, FILE *f, uint64_t *digest)
{
    struct td_region_info info = {.size = sizeof(info), .name = ""};
    const struct td_result *r;
    int err = td_set_machine(td, j->path, read_file, f), region = -1;

    err = err ? err : td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)});
    if (!err)
        region = td_region(td, "region");
    for (int i = 0; i < PASSES && region >= 0; i++) {
        td_region_begin(td, region);
        td_region_end(td, region);
    }
    if (region >= 0)
        td_region_result(td, 0, &info, &r);
    digest_bytes(digest, &err, sizeof(err));
    digest_text(digest, info.name);
    digest_bytes(digest, &info.passes, sizeof(info.passes));
}

static uint64_t do_job(const struct job *j)
{
    uint64_t digest = DIGEST_BEGIN;
    struct td *td = td_new();
    FILE *f = fopen(j->path, "rb");

    if (!td || !f) {
        fprintf(stderr, "threads: %s: %s\n", j->path, f ? "out of memory" : strerror(errno));
        exit(1);
    }
    td_set_note(td, digest_note, &digest);
    (j->what == REGIONS ? measure_self : j->what == MACHINE ? measure : replay)(td, j, f, &digest);
    fclose(f);
    td_free(td);
    return digest;
}

/* ---- which jobs there are ------------------------------------------------------------- */

static struct job *add_job(enum what what, const char *folder, const char *name)
{
    struct job *j = &job[jobs++];

    if (jobs == JOBS_MAX) {
        fprintf(stderr, "threads: more than %d jobs\n", JOBS_MAX - 1);
        exit(1);
    }
    j->what = what;
    snprintf(j->path, sizeof(j->path), "%.2000s/%.1000s", folder, name);
    return j;
}

/* The recording of an expected answer, with the CPU that it is replayed with. */
static void add_vector(const char *folder, const char *name)
{
    char path[PATH], line[PATH], file[PATH] = "", cpu[64] = "";
    FILE *f;

    snprintf(path, sizeof(path), "%.2000s/%.1000s", folder, name);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof(line), f)) {
        const char *uarch = strstr(line, "--uarch ");

        if (sscanf(line, "trace: %4095s", file) != 1 && !strncmp(line, "args:", 5) && uarch)
            sscanf(uarch, "--uarch %63s", cpu);
    }
    if (f)
        fclose(f);
    strcpy(add_job(RECORDING, folder, file)->cpu, cpu);
}

static void add_folder(const char *srcdir, const char *below, const char *end, enum what what)
{
    char folder[PATH];
    const struct dirent *entry;
    size_t before = jobs;
    DIR *dir;

    snprintf(folder, sizeof(folder), "%.2000s/%s", srcdir, below);
    dir = opendir(folder);
    while (dir && (entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot && !strcmp(dot, end) && !strcmp(end, ".expect"))
            add_vector(folder, entry->d_name);
        else if (dot && !strcmp(dot, end))
            add_job(what, folder, entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (jobs == before) {
        fprintf(stderr, "threads: %s: no file %s\n", folder, end);
        exit(1);
    }
}

/* ---- the threads ------------------------------------------------------------------------ */

struct worker {
    pthread_t thread;
    unsigned number;
    long rounds;
    const char *differs; /* the first job that gave something else, or NULL */
};

static void *work(void *ctx)
{
    struct worker *w = ctx;
    const size_t from = w->number * jobs / THREADS;

    for (long round = 0; round < w->rounds; round++)
        for (size_t i = 0; i < jobs; i++) {
            const struct job *j = &job[(from + (w->number % 2 ? jobs - i : i)) % jobs]; /* forwards or backwards */

            if (do_job(j) != j->alone && !w->differs)
                w->differs = j->path;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".";
    const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    struct worker worker[THREADS];
    int failed = 0;

    snprintf(symbols, sizeof(symbols), "%.2000s/tests/samples/symfs", srcdir);
    add_folder(srcdir, "traces", ".expect", RECORDING);
    add_folder(srcdir, "tests/samples", ".data", RECORDING);
    add_folder(srcdir, "sim/machines", ".machine", MACHINE);
#ifdef __x86_64__ /* as the other tests of a thread's own counters */
    add_folder(srcdir, "sim/machines", ".machine", REGIONS);
#endif
    for (size_t i = 0; i < jobs; i++)
        job[i].alone = do_job(&job[i]);
    for (unsigned i = 0; i < THREADS; i++) {
        worker[i] = (struct worker){.number = i, .rounds = rounds};
        if (pthread_create(&worker[i].thread, NULL, work, &worker[i])) {
            fprintf(stderr, "threads: no thread\n");
            return 1;
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(worker[i].thread, NULL);
        if (worker[i].differs)
            failed = !!fprintf(stderr, "FAIL: thread %u was given something else of %s than one thread alone\n", i,
                               worker[i].differs);
    }
    printf("%zu recordings and machines, %d threads, %ld rounds: %s\n", jobs, THREADS, rounds,
           failed ? "FAILED" : "the same");
    return failed;
}
