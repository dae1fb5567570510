/* SPDX-License-Identifier: MIT */
/* Samples a group whose two members of cycles overflow a short distance apart, and writes a perf.data:
 * pairs FILE PERIOD DISTANCE task|cpus COMMAND...; DISTANCE 0: only the first member samples. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMBERS = 7, UNITS = 8, PAGES = 128 /* of the ring */, HEADER = 104, FINISHED_ROUND = 68 };

/* One CPU or task: a group, and its ring. */
struct unit {
    int fd[MEMBERS];
    uint64_t id[MEMBERS];
    struct perf_event_mmap_page *page;
    bool paired;
};

static struct unit unit[UNITS];
static size_t units;
static struct perf_event_attr attr[MEMBERS];
static uint64_t period, distance;
static FILE *out;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void make_attrs(int whole)
{
    static const uint64_t config[MEMBERS] = {0x400, 0x3c, 0x3c, 0x8000, 0x8100, 0x8200, 0x8300};

    for (size_t i = 0; i < MEMBERS; i++) {
        attr[i] = (struct perf_event_attr){
            .type = PERF_TYPE_RAW,
            .size = sizeof(*attr),
            .config = config[i],
            .sample_id_all = 1,
            .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU |
                           PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ,
            .read_format =
                PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
            .sample_period = i == 1 || (i == 2 && distance) ? period : 0,
        };
    }
    attr[0].disabled = 1;
    attr[0].enable_on_exec = !whole;
    attr[1].mmap = attr[1].mmap2 = attr[1].comm = attr[1].task = 1;
}

/* The ring is the first sampling member's; the second writes there, too. */
static void map_ring(struct unit *u)
{
    u->page = mmap(NULL, (size_t)(PAGES + 1) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, u->fd[1], 0);
    if (u->page == MAP_FAILED)
        fail("mmap");
    if (distance && ioctl(u->fd[2], PERF_EVENT_IOC_SET_OUTPUT, u->fd[1]))
        fail("PERF_EVENT_IOC_SET_OUTPUT");
}

static void open_unit(pid_t pid, int cpu)
{
    struct unit *u = &unit[units++];

    for (size_t i = 0; i < MEMBERS; i++) {
        u->fd[i] = (int)syscall(SYS_perf_event_open, &attr[i], pid, cpu, i ? u->fd[0] : -1, PERF_FLAG_FD_CLOEXEC);
        if (u->fd[i] < 0 || ioctl(u->fd[i], PERF_EVENT_IOC_ID, &u->id[i]))
            fail("perf_event_open");
    }
    map_ring(u);
}

/* What the first sampling member has counted. */
static uint64_t cycles_of(const struct unit *u)
{
    uint64_t values[3 + 2 * MEMBERS];

    if (read(u->fd[0], values, sizeof(values)) != sizeof(values))
        fail("read");
    return values[3 + 2 * 1];
}

/* A member's period begins anew at a time between two readings of what was counted. */
static void restart(const struct unit *u, size_t member, uint64_t *least, uint64_t *most)
{
    *least = cycles_of(u);
    if (ioctl(u->fd[member], PERF_EVENT_IOC_PERIOD, &period))
        fail("PERF_EVENT_IOC_PERIOD");
    *most = cycles_of(u);
}

/* Begins the first member's period anew, and the second's after the distance, by what is counted: a unit that does not
 * run is left for later, and so is one whose host took too long. */
static void pair_up(struct unit *u)
{
    uint64_t first[2], second[2], now;

    if (!distance || u->paired)
        return;
    restart(u, 1, &first[0], &first[1]);
    for (int i = 0; (now = cycles_of(u)) < first[1] + distance; i++)
        if (i > 20 && now == first[1])
            return;
    restart(u, 2, &second[0], &second[1]);
    u->paired = second[1] - first[0] < distance + distance / 2;
}

/* Moves what is in the ring to the file. */
static void drain(struct unit *u)
{
    const unsigned char *ring = (unsigned char *)u->page + 4096;
    const size_t size = (size_t)PAGES * 4096;
    uint64_t head = __atomic_load_n(&u->page->data_head, __ATOMIC_ACQUIRE), tail = u->page->data_tail;

    while (tail < head) {
        const size_t at = tail % size, n = head - tail < size - at ? head - tail : size - at;

        if (fwrite(ring + at, 1, n, out) != n)
            fail("write");
        tail += n;
    }
    __atomic_store_n(&u->page->data_tail, tail, __ATOMIC_RELEASE);
}

static void drain_all(void)
{
    static const struct perf_event_header round = {FINISHED_ROUND, 0, sizeof(round)};

    for (size_t i = 0; i < units; i++)
        drain(&unit[i]);
    fwrite(&round, sizeof(round), 1, out);
}

static void put(uint64_t value)
{
    fwrite(&value, sizeof(value), 1, out);
}

/* The file's header, all ids, and the events. */
static void put_header(uint64_t data_size)
{
    const uint64_t attrs = HEADER + 8 * MEMBERS * units, data = attrs + MEMBERS * (sizeof(*attr) + 16);

    rewind(out);
    fwrite("PERFILE2", 8, 1, out);
    put(HEADER), put(sizeof(*attr) + 16), put(attrs), put(data - attrs), put(data), put(data_size);
    while (ftell(out) < HEADER)
        put(0);
    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t k = 0; k < units; k++)
            put(unit[k].id[i]);
    for (size_t i = 0; i < MEMBERS; i++) {
        fwrite(&attr[i], sizeof(attr[i]), 1, out);
        put(HEADER + 8 * i * units), put(8 * units);
    }
}

static pid_t start(char **command, int *go)
{
    int pipes[2];
    char byte;
    pid_t pid;

    if (pipe(pipes))
        fail("pipe");
    pid = fork();
    if (pid < 0)
        fail("fork");
    if (!pid) {
        close(pipes[1]);
        if (read(pipes[0], &byte, 1) != 1)
            _exit(1);
        execvp(*command, command);
        _exit(127);
    }
    close(pipes[0]);
    *go = pipes[1];
    return pid;
}

static void record(pid_t pid, int go, int whole)
{
    int status;

    put_header(0);
    for (size_t i = 0; whole && i < units; i++)
        ioctl(unit[i].fd[0], PERF_EVENT_IOC_ENABLE, 0);
    if (write(go, "g", 1) != 1)
        fail("write");
    while (waitpid(pid, &status, WNOHANG) == 0) {
        for (size_t i = 0; i < units; i++)
            pair_up(&unit[i]);
        drain_all();
        usleep(5000);
    }
    drain_all();
}

int main(int argc, char **argv)
{
    const int whole = argc > 5 && !strcmp(argv[4], "cpus");
    struct rusage r;
    long begin, end;
    pid_t pid;
    int go;

    if (argc < 6 || !(out = fopen(argv[1], "w+")))
        return fputs("pairs FILE PERIOD DISTANCE task|cpus COMMAND...\n", stderr), 2;
    period = strtoull(argv[2], NULL, 0);
    distance = strtoull(argv[3], NULL, 0);
    make_attrs(whole);
    pid = start(argv + 5, &go);
    for (int cpu = 0; whole && cpu < sysconf(_SC_NPROCESSORS_ONLN) && cpu < UNITS; cpu++)
        open_unit(-1, cpu);
    if (!whole)
        open_unit(pid, -1);
    put_header(0);
    begin = ftell(out);
    record(pid, go, whole);
    end = ftell(out);
    put_header((uint64_t)(end - begin));
    if (fclose(out) || getrusage(RUSAGE_CHILDREN, &r))
        fail(argv[1]);
    return 0;
}
