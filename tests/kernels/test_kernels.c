/* SPDX-License-Identifier: MIT */
/* The programs of known bottleneck: what they prepare is what their reasons say. */
#include "kernels/data.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct td_caches usual = {
    .code = 32 << 10, .data = 48 << 10, .second = 2 << 20, .last = 32 << 20, .line = 64, .page = 4096};

static void names(void)
{
    const char *const all[] = {"adds", "chain", "divider", "branches", "icache", "chase-l1", "chase-memory", "dtlb"};

    for (size_t i = 0; i < 8; i++) {
        CU_ASSERT_STRING_EQUAL_FATAL(td_kernel_at(i)->name, all[i]);
        CU_ASSERT_PTR_EQUAL(td_kernel_find(all[i]), td_kernel_at(i));
    }
    CU_ASSERT_PTR_NULL(td_kernel_at(8));
    CU_ASSERT_PTR_NULL(td_kernel_find("chase"));
}

/* The first numbers of splitmix64 for the seed 1234567 are 6457827717110365317, 3203168211198807973 and
 * 9817491932198370423. */
static void random_numbers(void)
{
    uint64_t state = 1234567;

    CU_ASSERT_EQUAL(td_kernel_random(&state, 1000), 317);
    CU_ASSERT_EQUAL(td_kernel_random(&state, 1000), 973);
    CU_ASSERT_EQUAL(td_kernel_random(&state, 10000000000), 2198370423);
}

static void sizes(void)
{
    struct td_caches c = usual;

    CU_ASSERT_EQUAL(td_kernel_icache.size(&c), 128 << 10);
    c.code = 64 << 10, c.second = 256 << 10; /* what is larger than the half of the second level would be of the last */
    CU_ASSERT_EQUAL(td_kernel_icache.size(&c), 128 << 10);
    c.code = 192 << 10; /* but it has to be larger than the first */
    CU_ASSERT_EQUAL(td_kernel_icache.size(&c), 768 << 10);
    CU_ASSERT_EQUAL(td_kernel_chase_l1.size(&usual), 24 << 10);
    CU_ASSERT_EQUAL(td_kernel_chase_memory.size(&usual), 64 << 20);
    c.last = (size_t)1 << 30;
    CU_ASSERT(td_kernel_chase_memory.size(&c) <= 256 << 20);
    c.last = c.second = 4 << 20;
    CU_ASSERT_EQUAL(td_kernel_chase_memory.size(&c), 16 << 20);
    CU_ASSERT_EQUAL(td_kernel_dtlb.size(&usual), 32 << 20);
}

/* How many pointers a chase goes through before it is where it began; each is counted by its place in its step. */
static size_t walk(const struct td_kernel_data *d, size_t step, size_t line, size_t *at)
{
    const char *const begin = d->at;
    const void *next = d->next;
    size_t n = 0;

    do {
        at[(size_t)((const char *)next - begin) % step / line]++;
        memcpy(&next, next, sizeof(next));
        n++;
    } while (next != d->next && n <= 1 << 20);
    return n;
}

static void chases(void)
{
    struct td_kernel_data d = {.at = NULL};
    char why[TD_KERNEL_WHY];
    size_t at[64] = {0};

    CU_ASSERT_FATAL(!td_kernel_chase_l1.begin(&d, &usual, why));
    CU_ASSERT_EQUAL(walk(&d, 64, 64, at), (24 << 10) / 64);
    munmap(d.at, d.size);
    CU_ASSERT_FATAL(!td_kernel_dtlb.begin(&d, &usual, why));
    memset(at, 0, sizeof(at));
    CU_ASSERT_EQUAL(walk(&d, 4096, 64, at), 8192);
    for (size_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(at[i], 8192 / 64); /* spread over all lines of a page */
    munmap(d.at, d.size);
}

/* The block that a block of the code jumps to; NULL: it returns. */
static const unsigned char *jump_of(const unsigned char *block)
{
#if defined __x86_64__
    int32_t distance;

    if (block[0] == 0xc3)
        return NULL;
    CU_ASSERT_EQUAL_FATAL(block[3], 0xe9);
    memcpy(&distance, block + 4, sizeof(distance));
    return block + 8 + distance;
#else
    uint32_t code[4];

    memcpy(code, block, sizeof(code));
    if (code[0] == 0xd65f03c0)
        return NULL;
    CU_ASSERT_EQUAL_FATAL(code[3] >> 26, 5);
    return block + 12 + (ptrdiff_t)4 * ((int32_t)(code[3] << 6) >> 6);
#endif
}

/* Each block once, beginning with the first; and it runs. */
static void code(void)
{
    enum { BLOCKS = (128 << 10) / 64 };
    struct td_kernel_data d = {.at = NULL};
    char why[TD_KERNEL_WHY];
    bool seen[BLOCKS] = {false};
    size_t n = 0;

    if (td_kernel_icache.begin(&d, &usual, why))
        return; /* where code may not be written */
    for (const unsigned char *at = d.at; at; at = jump_of(at), n++) {
        const size_t block = (size_t)(at - (unsigned char *)d.at) / 64;

        CU_ASSERT_FATAL(block < BLOCKS && !seen[block]);
        seen[block] = true;
    }
    CU_ASSERT_EQUAL(n, BLOCKS);
    td_kernel_icache.run(&d, 3);
    munmap(d.at, d.size);
}

struct told {
    int on, off;
};

static void tell(void *ctx, bool on)
{
    struct told *t = ctx;

    CU_ASSERT(on ? !t->off : t->on == 1);
    t->on += on;
    t->off += !on;
}

/* All run, for as long as was asked for, and are told of once each. */
static void all_run(void)
{
    const struct td_kernel *k;
    char why[TD_KERNEL_WHY] = "";

    for (size_t i = 0; (k = td_kernel_at(i)); i++) {
        struct td_caches small = usual;
        struct told told = {0, 0};

        small.last = 1 << 20;
        if (td_kernel_run(k, &small, 0.002, tell, &told, why)) {
            CU_ASSERT_STRING_EQUAL(k->name, "icache");
            CU_ASSERT(strlen(why) > 10);
        } else {
            CU_ASSERT(told.on == 1 && told.off == 1);
        }
    }
}

/* What a kernel says in a process of its own; "" if it begins. */
static void say_alone(const struct td_kernel *k, void (*limit)(void), char why[TD_KERNEL_WHY])
{
    int ends[2], status;
    ssize_t n;
    pid_t pid;

    CU_ASSERT_FATAL(!pipe(ends));
    pid = fork();
    CU_ASSERT_FATAL(pid >= 0);
    if (!pid) {
        struct td_kernel_data d = {.at = NULL};

        *why = '\0';
        if (limit)
            limit();
        k->begin(&d, &usual, why);
        n = write(ends[1], why, strlen(why));
        _exit(n == (ssize_t)strlen(why) ? 0 : 1);
    }
    close(ends[1]);
    n = read(ends[0], why, TD_KERNEL_WHY - 1);
    why[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    CU_ASSERT(waitpid(pid, &status, 0) == pid && !status);
}

/* The first chase has 24 KiB, which the room that is left does not hold. */
static void leave_no_room(void)
{
    setrlimit(RLIMIT_AS, &(struct rlimit){0, 0});
}

/* Whether that has an effect: qemu-user gives programs memory all the same. */
static bool room_ends(void)
{
    int status;
    const pid_t pid = fork();

    if (!pid) {
        leave_no_room();
        _exit(mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    }
    return waitpid(pid, &status, 0) == pid && !status;
}

/* prctl(2) of Linux 6.3 and later, by which memory that was written is never executed. */
enum { SET_MDWE = 65, GET_MDWE = 66, REFUSE_EXEC_GAIN = 1 };

static void refuse_written_code(void)
{
    prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0L, 0L, 0L);
}

static void reasons(void)
{
    char why[TD_KERNEL_WHY];

    say_alone(&td_kernel_chase_l1, NULL, why);
    CU_ASSERT_STRING_EQUAL(why, "");
    if (room_ends()) {
        say_alone(&td_kernel_chase_l1, leave_no_room, why);
        CU_ASSERT_STRING_EQUAL(why, "no memory for its 24 KiB: Cannot allocate memory");
        say_alone(&td_kernel_icache, leave_no_room, why);
        CU_ASSERT_STRING_EQUAL(why, "no memory for its 128 KiB: Cannot allocate memory");
    }
    if (prctl(GET_MDWE, 0L, 0L, 0L, 0L) == 0) { /* the kernel knows it, and it is off */
        say_alone(&td_kernel_icache, refuse_written_code, why);
        CU_ASSERT_STRING_EQUAL(
            why, "memory that was written may not be executed here (Permission denied), as SELinux's execmem forbids");
        say_alone(&td_kernel_icache, NULL, why);
        CU_ASSERT_STRING_EQUAL(why, "");
    }
}

/* ---- caches ---- */

static void put_cache(const char *folder, int i, const char *level, const char *type, const char *size)
{
    const char *const files[][2] = {{"level", level}, {"type", type}, {"size", size}, {"coherency_line_size", "128"}};
    char path[128];

    snprintf(path, sizeof(path), "%s/index%d", folder, i);
    CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
    for (size_t f = 0; f < 4; f++) {
        FILE *file;

        snprintf(path, sizeof(path), "%s/index%d/%s", folder, i, files[f][0]);
        file = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fprintf(file, "%s\n", files[f][1]);
        fclose(file);
    }
}

/* What does not fit any cache follows the last level there is: twice the third, where there is none four times the
 * second; where nothing is known, what is usual. */
static void caches(void)
{
    char folder[] = "/tmp/td-caches-XXXXXX", remove[64];
    struct td_caches c;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    td_caches_read(folder, &c);
    CU_ASSERT(c.assumed && c.last == 32 << 20);
    put_cache(folder, 0, "1", "Data", "48K");
    put_cache(folder, 1, "1", "Instruction", "64K");
    put_cache(folder, 2, "2", "Unified", "2048K");
    td_caches_read(folder, &c);
    CU_ASSERT(!c.assumed && c.data == 48 << 10 && c.code == 64 << 10 && c.second == 2 << 20 && c.line == 128);
    CU_ASSERT_EQUAL(c.last, 2 << 20);
    CU_ASSERT_EQUAL(td_kernel_chase_memory.size(&c), 8 << 20);
    put_cache(folder, 3, "3", "Unified", "16M");
    td_caches_read(folder, &c);
    CU_ASSERT_EQUAL(td_kernel_chase_memory.size(&c), 32 << 20);
    snprintf(remove, sizeof(remove), "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(remove), 0);
}

/* ---- a process of its own ---- */

/* Whether it has used 10 ms of a CPU, within 10 s. */
static bool is_busy(pid_t pid)
{
    clockid_t clock;
    struct timespec used = {.tv_sec = 0};

    for (int i = 0; i < 10000 && !used.tv_sec && used.tv_nsec < 10000000; i++) {
        usleep(1000);
        if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
            return false;
    }
    return used.tv_sec || used.tv_nsec >= 10000000;
}

static int cannot(struct td_kernel_data *d, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    (void)d, (void)c;
    snprintf(why, TD_KERNEL_WHY, "no room");
    return -ENOMEM;
}

/* It runs until it is ended, or tells why it does not; neither leaves a child. */
static void process(void)
{
    const struct td_kernel bad = {.name = "bad", .begin = cannot};
    char why[TD_KERNEL_WHY] = "?";
    const pid_t pid = td_kernel_start(&td_kernel_chain, &usual, why);

    CU_ASSERT_FATAL(pid > 0);
    CU_ASSERT_STRING_EQUAL(why, "");
    CU_ASSERT(is_busy(pid));
    td_kernel_end(pid);
    CU_ASSERT(kill(pid, 0) < 0 && errno == ESRCH);
    CU_ASSERT(td_kernel_start(&bad, &usual, why) < 0);
    CU_ASSERT_STRING_EQUAL(why, "no room");
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* Nor does it outlive who started it, who has become a child of this process here. */
static void orphan(void)
{
    int ends[2], status = 0;
    pid_t middle, pid = 0, ended = 0;

    if (prctl(PR_SET_CHILD_SUBREAPER, 1) || pipe(ends))
        return;
    middle = fork();
    if (!middle) {
        char why[TD_KERNEL_WHY];

        pid = td_kernel_start(&td_kernel_chain, &usual, why);
        _exit(write(ends[1], &pid, sizeof(pid)) != sizeof(pid));
    }
    close(ends[1]);
    CU_ASSERT(read(ends[0], &pid, sizeof(pid)) == sizeof(pid));
    close(ends[0]);
    CU_ASSERT(waitpid(middle, NULL, 0) == middle);
    CU_ASSERT_FATAL(pid > 0);
    for (int i = 0; i < 5000 && !ended; i++) {
        usleep(1000);
        ended = waitpid(pid, &status, WNOHANG);
    }
    CU_ASSERT(ended == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    if (!ended)
        td_kernel_end(pid);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static const CU_TestInfo tests[] = {
    {"names", names},     {"random numbers", random_numbers},
    {"sizes", sizes},     {"chases", chases},
    {"code", code},       {"all run", all_run},
    {"reasons", reasons}, {"caches", caches},
    {"process", process}, {"orphan", orphan},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("kernels", tests);
