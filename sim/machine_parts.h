/* SPDX-License-Identifier: MIT */
/* What the simulated machine is made of; for its own files only. */
#ifndef TD_SIM_MACHINE_PARTS_H
#define TD_SIM_MACHINE_PARTS_H

#include "machine.h"

enum {
    TD_SIM_CPUS = 512,
    TD_SIM_PMUS = 8,
    TD_SIM_BANKS = 4, /* of TD_PMU_RATES ordinary events each */
    TD_SIM_CONFIGS = TD_SIM_BANKS * TD_PMU_RATES,
    TD_SIM_SHARE = 4, /* most threads of a core */
    TD_SIM_FIXED = 32, /* bits of counters: general ones from 0, fixed ones from here, ... */
    TD_SIM_CYCLE = 47, /* Arm's cycle counter, */
    TD_SIM_METRIC = 48, /* the eight metric events, as Linux numbers them */
    TD_SIM_COUNTERS = 56,
    TD_SIM_NSEC = 1000000000,
    TD_SIM_MSEC = 1000000,
    TD_SIM_TICK = 4 * TD_SIM_MSEC, /* perf_event_mux_interval_ms */
    TD_SIM_CALL = 1000, /* what a perf call takes */
    TD_SIM_LOST = 1 << 4, /* PERF_FORMAT_LOST, which headers before Linux 6.0 lack */
};

struct td_sim_set {
    uint64_t word[TD_SIM_CPUS / 64];
};

/* ---- what is described ------------------------------------------------- */

struct td_sim_file {
    char *path, *text; /* text NULL: hidden, with all below it */
};

struct td_sim_files {
    struct td_sim_file *file;
    size_t n, room;
};

struct td_sim_cpuid {
    uint32_t leaf, subleaf, word[4];
    bool any; /* subleaf */
    struct td_sim_set cpus;
};

/* An ordinary event of a PMU. */
struct td_sim_config {
    uint64_t config;
    uint64_t on; /* counters that can hold it; 0: any general one */
    enum {
        TD_SIM_CORE = 1, /* counts on each thread of a core what all of them do */
        TD_SIM_CLOCK = 2, /* by time: a busy sibling takes slots from a thread, but no clock cycles */
        TD_SIM_ALONE = 4, /* only while no sibling is busy */
    } how;
};

struct td_sim_pmu {
    char name[32];
    unsigned type, metrics, rdpmc; /* rdpmc: the file of that name; x86 */
    struct td_sim_set cpus;
    uint64_t counters, taken; /* as bits */
    bool arm;
    enum { TD_SIM_HONEST, TD_SIM_EQUAL, TD_SIM_CONSTANT, TD_SIM_SLOTS } lie;
    enum td_pmu_rounding rounding;
    int skew;
    struct td_sim_config config[TD_SIM_CONFIGS];
    size_t nconfigs;
};

struct td_sim_phase {
    uint64_t ns;
    uint32_t weight[TD_PMU_FIELDS];
    uint32_t rate[TD_SIM_CONFIGS];
};

/* A workload as one PMU sees it. */
struct td_sim_work {
    char name[32];
    size_t pmu;
    uint64_t per_ms; /* slots of a thread that has its core for itself */
    uint64_t ns; /* of all phases */
    struct td_sim_phase *phase;
    size_t nphases;
    struct td_pmu_phase *built; /* [threads that share the core - 1][bank][phase] */
};

/* Something that executes a workload, wherever it is. */
struct td_sim_runner {
    char work[32];
    uint64_t ran; /* ns */
};

/* ---- what runs --------------------------------------------------------- */

struct td_sim_event;
struct td_sim_page; /* kernel_page.h */
struct td_sim_trap; /* trap.h */

/* Events of a CPU or of a task: leaders in the order in which they are tried. */
struct td_sim_context {
    struct td_sim_event *first;
    bool rotate; /* one of them found no counter */
};

struct td_sim_task {
    pid_t pid, tid;
    char name[32];
    struct td_sim_runner runner;
    uint16_t *cpus; /* in their order */
    size_t ncpus;
    uint64_t slice, next; /* ns, 0: it stays; when it moves */
    uint64_t length, end; /* ns, 0: no end; */
    size_t turn, cgroup; /* cgroup: 0 is the root */
    bool started, dead;
    int cpu; /* where it runs now, or -1 */
    int place; /* where it will run, while places are given out */
    unsigned bound; /* CPU + 1 that tdprobe was bound to when it started the command; 0: none */
    struct td_sim_context events;
    struct td_sim_task *link;
};

struct td_sim_cpu {
    bool exists, online;
    unsigned sibling; /* the next thread of the core, in a ring */
    unsigned first; /* of the core's threads: it keeps the time */
    unsigned package, node, core;
    uint64_t midr;
    size_t pmu; /* TD_SIM_PMUS: none */
    struct td_sim_runner *back; /* what runs while no task does, or NULL */
    struct td_sim_task *task;
    struct td_sim_runner *runner; /* of the two, or NULL */
    uint64_t per_ms, rest; /* slots; rest: of the division by 1e6 */
    uint64_t synced; /* kept by the core's first: up to when its threads were simulated */
    struct td_pmu *bank;
    size_t nbanks;
    struct td_sim_context events;
    bool rotating;
    uint64_t rotation; /* when */
    struct td_sim_event *topdown; /* the leader that has the metrics */
    struct td_sim_msr *msr; /* made when somebody opens them */
};

/* What a register holds when the machine begins. */
struct td_sim_preset {
    struct td_sim_set cpus;
    uint32_t reg;
    uint64_t value;
};

/* Something that happens at a time. */
struct td_sim_happening {
    uint64_t at;
    enum td_sim_what { TD_SIM_CPU_OFF, TD_SIM_CPU_ON, TD_SIM_SIGNAL } what;
    int which;
    bool done;
};

struct td_sim_group {
    char *path;
};

struct td_sim_event {
    int fd;
    uint64_t id;
    enum { TD_SIM_SOFT, TD_SIM_COUNT, TD_SIM_SLOT, TD_SIM_FIELD, TD_SIM_FOLDER, TD_SIM_MSR } kind; /* the last two are no events */
    size_t pmu, index; /* index: ordinary event (TD_SIM_CONFIGS: none), field, or cgroup of a folder */
    uint64_t software; /* its config */
    uint64_t mask; /* counters that can hold it */
    int cpu; /* or -1 */
    struct td_sim_task *task; /* or NULL */
    size_t cgroup; /* + 1; 0: not of a cgroup */
    struct td_sim_event *leader, *sibling; /* sibling: the next of the group */
    struct td_sim_event *next; /* leader in the context */
    struct td_sim_context *context; /* NULL: removed */
    enum { TD_SIM_EXIT = -3, TD_SIM_ERROR = -2, TD_SIM_OFF = -1, TD_SIM_INACTIVE = 0, TD_SIM_ACTIVE = 1 } state;
    bool pinned, on_exec, on_sample, user, wanted;
    uint64_t format;
    uint64_t count, raw; /* the value is count + raw / TD_PMU_WHOLE */
    uint64_t start; /* of raw, while active */
    uint64_t enabled, running, since; /* ns */
    unsigned counter; /* its bit, while active */
    uint64_t offset; /* the value less what the counter shows; not of metrics and their slots */
    unsigned width; /* of the counter, as the page says */
    bool readable, inherit; /* readable: by an instruction */
    struct td_sim_page *page; /* NULL: not mapped */
    /* of a leader */
    bool topdown, fresh;
    uint64_t slots, metrics; /* saved registers */
};

struct td_sim {
    struct td_os os;
    uint64_t now;
    struct td_sim_cpu cpu[TD_SIM_CPUS];
    unsigned ncpus; /* highest + 1 */
    unsigned cores, packages, nodes;
    struct td_sim_pmu pmu[TD_SIM_PMUS];
    size_t npmus;
    struct td_sim_work *work;
    size_t nworks;
    struct td_sim_cpuid *cpuid;
    size_t ncpuid;
    struct td_sim_files given, made; /* by "file" lines; from the rest, made anew when it changes */
    struct td_sim_task *tasks; /* in the order of the description */
    struct td_sim_group *group;
    size_t ngroups; /* [0] is the root */
    struct td_sim_happening *happening;
    size_t nhappenings;
    struct td_sim_runner *backs;
    struct td_sim_task *command, *self; /* self: the calling thread */
    bool resident; /* it keeps its CPU between spins as well, */
    bool computing; /* and executes its workload */
    struct td_pmu_truth truth[TD_SIM_PMUS]; /* what it executed, on CPUs of each PMU */
    struct td_sim_page *pages;
    struct td_sim_trap *trap; /* NULL: nothing is trapped */
    unsigned long preempted; /* how often it lost its CPU, or got another */
    td_sim_rdpmc_fn *on_rdpmc;
    void *on_rdpmc_ctx;
    unsigned long rdpmcs; /* since on_rdpmc was set */
    bool user_access; /* the file perf_user_access; Arm */
    bool privileged;
    int refuse; /* errno of every perf_open, 0: none */
    int pinned; /* CPU of this process, or -1 */
    uint64_t adds; /* per second of spin() */
    uint64_t each; /* ns that this process computes before each reading of a counter */
    struct {
        bool spawned, released, over, told, missing;
        int exit, signal, status;
    } child;
    struct td_sim_event **fd;
    size_t nfds, free_fd; /* free_fd: none below it is free */
    uint64_t ids;
    struct td_sim_calls calls;
    struct td_sim_preset *preset;
    size_t npresets;
    bool msr_absent;
    uint64_t msr_locked; /* from when on, ns; UINT64_MAX: never */
    struct td_sim_msr_access *access; /* all that were made */
    size_t naccesses;
};

/* ---- machine_set.c: sets of CPUs ---------------------------------------- */

bool td_sim_set_has(const struct td_sim_set *, unsigned cpu);
void td_sim_set_add(struct td_sim_set *, unsigned cpu);
/* "0-3,8": false if it is no such list. order (of TD_SIM_CPUS) may be NULL. */
bool td_sim_set_read(const char *text, struct td_sim_set *out, uint16_t *order, size_t *n);
/* The same text with a newline. */
void td_sim_set_text(const struct td_sim_set *, char *out, size_t size);

/* ---- machine_files.c: the files that the machine shows ------------------- */

int td_sim_file_put(struct td_sim_files *, const char *path, const char *text);
int td_sim_file_format(struct td_sim_files *, const char *text, const char *path, ...) __attribute__((format(printf, 3, 4)));
void td_sim_files_free(struct td_sim_files *);
ssize_t td_sim_os_file(void *ctx, const char *path, char *buf, size_t size);
int td_sim_os_names(void *ctx, const char *path, td_os_name_fn *each, void *arg);

/* ---- machine_sysfs.c: what they say --------------------------------------- */

/* Once, of the PMUs and defaults: false if out of memory. */
int td_sim_files_fixed(struct td_sim *);
/* Makes anew what depends on CPUs and tasks. */
int td_sim_files_make(struct td_sim *);

/* ---- machine_work.c: workloads and their execution ------------------------ */

int td_sim_work_build(struct td_sim *, struct td_sim_work *);
const struct td_sim_work *td_sim_work_find(const struct td_sim *, const char *name, size_t pmu);
/* Lets a CPU execute what it should from now on, and its siblings at their share. */
void td_sim_core_load(struct td_sim *, unsigned cpu);
/* Simulates a core up to the time. */
void td_sim_core_sync(struct td_sim *, unsigned cpu, uint64_t to);

/* All that a CPU has counted of an ordinary event of its PMU, * TD_PMU_WHOLE modulo 2^64. */
uint64_t td_sim_config_count(const struct td_sim *, const struct td_sim_cpu *, size_t index);
/* Sets the fields of the register beside these slots; of all fractions that a
 * field stands for, it goes on with the least. */
void td_sim_fields_write(struct td_pmu *, uint64_t slots, uint64_t metrics);

/* ---- machine_msr.c: registers ----------------------------------------------- */

int td_sim_os_msr_open(void *ctx, int cpu);
int td_sim_os_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value);
int td_sim_os_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value);
void td_sim_msr_free(struct td_sim *);

/* ---- machine_time.c: tasks move and end, CPUs come and go ----------------- */

void td_sim_run(struct td_sim *, uint64_t to);
/* Gives the tasks their CPUs. */
void td_sim_place(struct td_sim *);
void td_sim_task_start(struct td_sim *, struct td_sim_task *);
void td_sim_task_exit(struct td_sim *, struct td_sim_task *);
/* When the next thing happens; UINT64_MAX: nothing does. */
uint64_t td_sim_next(const struct td_sim *);

/* ---- machine_os.c: the process of the caller and its command -------------- */

void td_sim_os_init(struct td_sim *);

/* ---- kernel_fit.c: which events fit the counters together ----------------- */

struct td_sim_fit {
    uint64_t counters, used;
    const struct td_sim_event *owner[TD_SIM_COUNTERS];
};
/* Adds a group's events (and one more, or NULL), all or none. on: only those that are switched on. */
bool td_sim_fit_group(struct td_sim_fit *, const struct td_sim_event *leader, const struct td_sim_event *more, bool on);
/* The PMU of a group's events, TD_SIM_PMUS: software only. */
size_t td_sim_group_pmu(const struct td_sim_event *leader);

/* ---- kernel_run.c: events get counters and count --------------------------- */

/* Brings an event's times up to now; live: whether its context ran since. */
void td_sim_event_time(struct td_sim *, struct td_sim_event *);
/* Decides which groups of a CPU have counters now. The core must be in sync. */
void td_sim_resched(struct td_sim *, unsigned cpu);
void td_sim_rotate(struct td_sim *, unsigned cpu);
/* Takes a group's counters away. */
void td_sim_group_stop(struct td_sim *, struct td_sim_event *leader);
/* Stops all of a context's groups that count on the CPU, and brings their times up to date. */
void td_sim_context_out(struct td_sim *, struct td_sim_context *);
void td_sim_context_times(struct td_sim *, struct td_sim_context *);
/* The CPU that the event's counter is on, or would be, or -1. */
int td_sim_event_cpu(const struct td_sim_event *);
/* Brings the count up to now; reading it from the counter as read(2) does. */
void td_sim_event_update(struct td_sim *, struct td_sim_event *);
uint64_t td_sim_event_value(const struct td_sim *, const struct td_sim_event *);
/* What the event's counter has counted since the machine began, * TD_PMU_WHOLE modulo 2^64; c: its CPU. */
uint64_t td_sim_counter(const struct td_sim *, const struct td_sim_event *, const struct td_sim_cpu *c);
/* The register PERF_METRICS. */
uint64_t td_sim_metrics(const struct td_sim *, const struct td_sim_cpu *);
/* A slots leader gets its first metric. */
void td_sim_topdown_join(struct td_sim *, struct td_sim_event *leader);

/* ---- kernel_group.c: groups are joined and broken -------------------------- */

void td_sim_group_join(struct td_sim *, struct td_sim_event *leader, struct td_sim_event *);
void td_sim_context_add(struct td_sim_context *, struct td_sim_event *leader);
/* Takes an event out of its group and context; a leader's siblings become single. */
void td_sim_event_leave(struct td_sim *, struct td_sim_event *);
/* A CPU went off or a task ended. */
void td_sim_context_end(struct td_sim *, struct td_sim_context *, bool off);

/* ---- kernel_open.c, kernel_calls.c: the calls ------------------------------ */

int td_sim_os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags);
int td_sim_os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg);
ssize_t td_sim_os_read(void *ctx, int fd, void *buf, size_t size);
int td_sim_os_close(void *ctx, int fd);
int td_sim_os_folder(void *ctx, const char *path);
/* A perf call begins: it takes its time. */
void td_sim_call(struct td_sim *);
struct td_sim_event *td_sim_fd(const struct td_sim *, int fd);
int td_sim_fd_new(struct td_sim *, struct td_sim_event *);
/* Nothing refers to the event any more. */
void td_sim_event_end(struct td_sim *, struct td_sim_event *);

#endif
