/* SPDX-License-Identifier: MIT */
/* libtdprobe: where a CPU's pipeline slots went (top-down analysis).
 *
 * Every function that can fail returns 0 or -errno; the text of the error is
 * td_error() of the handle. The library never prints, exits or reads the
 * environment, and reaches the machine only through the functions it is given.
 * A handle may be used by one thread at a time.
 *
 * A struct that the caller allocates begins with size, which the caller sets to its sizeof before each call that takes
 * it; all else zeroed is the default of what is asked for. So it can grow: of a smaller one, of a program that is older
 * than the library, only what it has is read or written; a larger one of a newer program is refused with -E2BIG if it
 * asks for something (a byte that is not 0) that this library does not know, and what it cannot tell is 0 in what it
 * writes. A size of 0 is -EINVAL. A struct that the library gives by pointer is allocated by the library alone, and may
 * grow at its end: copy members, not the struct. struct td_point and struct td_snapshot, which the inline functions
 * write, and what begins with td__ or TD__, stay as they are. */
#ifndef TDPROBE_H
#define TDPROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TD_EXPORT
#define TD_EXPORT __attribute__((visibility("default")))
#endif

/* Version of the library, such as "0.1.0". Static storage. */
TD_EXPORT const char *td_version(void);

/* ---- the PERF_METRICS register (Intel, Ice Lake and later) ------------- */

/* The eight 8-bit fields, lowest byte first. Source of the layout: Linux
 * arch/x86/include/asm/perf_event.h, INTEL_TD_METRIC_*. The upper four read 0
 * on the Ice Lake generation. */
enum td_field {
    TD_FIELD_RETIRING,
    TD_FIELD_BAD_SPECULATION,
    TD_FIELD_FRONTEND_BOUND,
    TD_FIELD_BACKEND_BOUND,
    TD_FIELD_HEAVY_OPERATIONS,
    TD_FIELD_BRANCH_MISPREDICTS,
    TD_FIELD_FETCH_LATENCY,
    TD_FIELD_MEMORY_BOUND,
    TD_FIELDS,
};

/* One field of the register: 0..255, in 255ths of the slots since both
 * registers were last zeroed. 0 for a field that does not exist. */
TD_EXPORT unsigned td_metrics_field(uint64_t perf_metrics, enum td_field field);

/* Slots of one field between two readings of SLOTS and PERF_METRICS:
 * (slots1 * field1 - slots0 * field0) / 255, the arithmetic of Linux
 * tools/perf/Documentation/topdown.txt. *err gets the half-width of the
 * uncertainty that 8 bits leave, (slots0 + slots1) / 255: no rounding mode is
 * documented, so the true value is within one unit of a field. The result may be
 * negative by up to *err. Both readings must be from the same epoch: slots1
 * >= slots0, else -ESTALE and nothing is written. */
TD_EXPORT int td_metrics_delta(enum td_field field, uint64_t slots0, uint64_t metrics0, uint64_t slots1,
                               uint64_t metrics1, double *slots, double *err);

/* ---- results ------------------------------------------------------------ */

/* Why a metric has a value, or has none. */
enum td_status {
    TD_OK,
    TD_NOT_ON_THIS_CPU, /* the vendor publishes no such node for this CPU */
    TD_MISSING_EVENT, /* td_metric.event was not recorded */
    TD_NOT_COUNTED, /* recorded, but it never ran */
    TD_NOT_SUPPORTED, /* recorded, but the machine could not count it */
    TD_NO_SLOTS, /* no slot passed: there is nothing to divide */
    TD_ZERO_DIVISOR, /* another divisor of the formula is 0 */
    TD_IMPOSSIBLE, /* a share of slots further than 0.05 outside 0..1, or td_metric.event counted what no program can,
                    * for which td_metric.why has the reason; td_metric.raw has the number */
    TD_COUNTER_RESET, /* td_metric.event ran backwards within one epoch */
    TD_EPOCH_CHANGED, /* the counters started again inside the interval */
    TD_PUBLISHED_FORMULA_WRONG, /* td_metric.why has what is wrong with it */
    TD_NOT_IN_THIS_FORMULA, /* another formula of this CPU has the node, from other events */
};

/* Caveats about a value. */
enum td_flag {
    TD_FLAG_NEGATIVE = 1 << 0, /* a share below 0; a share of slots by 0.05 at most */
    TD_FLAG_OVER_ONE = 1 << 1, /* a share above 1; a share of slots by 0.05 at most */
    TD_FLAG_MULTIPLEXED = 1 << 2, /* scaled up from part of the time: no sound bounds */
    TD_FLAG_SPLIT_GROUPS = 1 << 3, /* its events were measured at different times: no sound bounds */
    TD_FLAG_SUM_OFF = 1 << 4, /* the level-1 counts differ from the slots by more than counters can: no sound bounds */
    TD_FLAG_NO_BOUNDS = 1 << 5, /* no sound bound exists for another reason */
    TD_FLAG_REVISION_ASSUMED = 1 << 6, /* the CPU was named without the revision that the formula depends on */
    /* depends on what sibling threads did, which is not known: of a metric, no sound bounds */
    TD_FLAG_SMT_UNKNOWN = 1 << 7,
    TD_FLAG_ONE_SIBLING = 1 << 8, /* a core-wide clock, but the scope is not a whole core: level 1 has likely bounds */
    TD_FLAG_WIDTH_ASSUMED = 1 << 9, /* the vendor does not publish this CPU's width */
    TD_FLAG_CORRECTION_MISSING = 1 << 10, /* td_result_correction() names the term left out: bounds are likely ones */
    TD_FLAG_CPUS_CHANGED = 1 << 11, /* a measured CPU went offline or came back: some of its counts are missing */
    /* how often the kernel rotates was not recorded: likely bounds are for 4 ms */
    TD_FLAG_MUX_INTERVAL_ASSUMED = 1 << 12,
    /* Why there are no likely bounds either. */
    TD_FLAG_FEW_WINDOWS = 1 << 13, /* its events were counted in fewer than 8 turns of the rotation */
    TD_FLAG_COVERAGE_UNKNOWN = 1 << 14, /* how long they were counted is not known */
    TD_FLAG_CPUS_UNKNOWN = 1 << 15, /* on how many CPUs they were counted at the same time is not known */
    TD_FLAG_IN_STEP = 1 << 16, /* the program keeps step with the rotation */
    TD_FLAG_NO_LIMITS = 1 << 17, /* how much may have passed in one turn is not known */
    TD_FLAG_SWITCHES_UNKNOWN = 1 << 18, /* how often the kernel wrote PERF_METRICS back is not known */
    TD_FLAG_MANY_SWITCHES = 1 << 19, /* the kernel wrote it back too often */
    /* an event's mean retire latency was not recorded: the vendor's mean stands for it, of td_result_latency()'s table;
       no bounds */
    TD_FLAG_LATENCY_ASSUMED = 1 << 20,
    TD_FLAG_OTHER_WIDTH = 1 << 21, /* slots are exactly as many per cycle as another CPU has, and not this one */
    TD_FLAG_COUNTS_DOUBTFUL = 1 << 22, /* its events, counted at different times, contradict each other, or two counts
                                        * of one event of the same time do: td_result_contradiction(); no bounds */
    /* a level-1 field of PERF_METRICS was not recorded, and is what the other three leave: likely bounds at most */
    TD_FLAG_REST_OF_SLOTS = 1 << 23,
};

/* What the bounds of a value promise. */
enum td_bounds {
    TD_BOUNDS_NONE,
    TD_BOUNDS_SOUND, /* the true value is within them, always */
    TD_BOUNDS_LIKELY, /* it is in at least 95 of 100 cases: tdprobe-metrics(7) */
};

/* What a metric is. */
enum td_metric_kind {
    TD_METRIC_NODE, /* a node of the top-down tree: a share */
    TD_METRIC_BOTTLENECK, /* a row of Intel's bottleneck view: percent of slots from several parts of the tree */
    TD_METRIC_INFO, /* a ratio, rate or count with a unit of its own */
};

/* Whether the condition holds under which a metric is worth looking at: td_metric_info.threshold, and that
 * of the nodes above it. Found by values, not by bounds. */
enum td_over {
    TD_OVER_UNKNOWN, /* a value that it depends on is absent; or nothing was asked for beyond levels 1 and 2 */
    TD_OVER_NO,
    TD_OVER_YES, /* also where no condition is published */
};

/* One node of the top-down tree, or another metric, in one interval. Owned by its result. */
struct td_metric {
    const char *name; /* "frontend_bound" */
    const char *parent; /* "" at level 1 */
    int level; /* 1 to 6; 0: not in the tree */
    /* For a node, what it is a share of: "slots", "cycles" (of the thread), "core_cycles", "stalls", "uops";
     * for others, the unit of value: "GB/s", "per cycle", "ratio" */
    const char *unit;
    enum td_status status; /* the numbers below hold only with TD_OK, raw only with TD_IMPOSSIBLE */
    double value; /* for a node 0..1, or outside (see flags); for others in their unit */
    double low, high; /* low <= value <= high; NAN where flags say that there are no bounds */
    enum td_bounds bounds; /* of what kind low and high are */
    double raw; /* what the formula gave, with TD_IMPOSSIBLE */
    unsigned flags; /* enum td_flag */
    unsigned corrections; /* bit i: td_result_correction(i) was left out of this metric; for the first 32 */
    const char *event; /* the event that TD_MISSING_EVENT and the like refer to, or NULL */
    const char *why; /* more about the status, or NULL */
    enum td_metric_kind kind;
    enum td_over over;
    unsigned latencies; /* bit i: means of td_result_latency(i) stand for latencies of it */
    bool named; /* td_set_metrics() named it, or a group of it: it is not there only for its level */
};

/* One event of the interval, for those who want the counts themselves. */
struct td_event_count {
    const char *event; /* as the recording names it */
    enum td_status status; /* value holds only with TD_OK */
    double value; /* scaled for multiplexing; integers are exact up to 2^53 */
    double coverage; /* share of the time in which it was counted, 0..1; NAN: not recorded */
};

/* One interval of one scope and kind of core. Valid until the next call that
 * takes the handle. */
struct td_result;

/* End of the interval in ns since the recording began; false: not recorded. */
TD_EXPORT bool td_result_time(const struct td_result *, uint64_t *ns);
/* How long the interval was, in ns; for a summary, all intervals. false: not recorded. */
TD_EXPORT bool td_result_duration(const struct td_result *, uint64_t *ns);
/* What was counted ("CPU3", "system") and of which kind ("cpu", "system"). */
TD_EXPORT const char *td_result_scope(const struct td_result *);
TD_EXPORT const char *td_result_scope_kind(const struct td_result *);
/* "P", "E" or "LP" on hybrids, else NULL. */
TD_EXPORT const char *td_result_core(const struct td_result *);
/* The CPU, or all that fit the recording and give this answer, joined by '|'. */
TD_EXPORT const char *td_result_cpu(const struct td_result *);
TD_EXPORT const char *td_result_backend(const struct td_result *);
/* The formula, and the corrections it had to leave out: "NAME without EVENT". */
TD_EXPORT const char *td_result_formula(const struct td_result *);
/* True for the summary of a whole recording. */
TD_EXPORT bool td_result_is_summary(const struct td_result *);
/* The least running / enabled of the events used; NAN: not recorded. */
TD_EXPORT double td_result_coverage(const struct td_result *);
/* All flags: those of the interval and of its metrics. */
TD_EXPORT unsigned td_result_flags(const struct td_result *);
/* Those of the interval, which hold for each of its metrics, whatever td_metric.flags says. */
TD_EXPORT unsigned td_result_common_flags(const struct td_result *);
/* The i-th correction term that was left out, or NULL. */
TD_EXPORT const char *td_result_correction(const struct td_result *, size_t i);
/* The i-th of the vendor's tables whose mean retire latencies stand for those that were not recorded ("perfmon": of
 * intel/perfmon's metrics folder; "pmu-tools": of its NAME-retlat.json), or NULL. */
TD_EXPORT const char *td_result_latency(const struct td_result *, size_t i);
/* The i-th relation that no program breaks and the interval's counts do, with both sides' numbers: "INST_RETIRED.ANY <=
 * 2 * UOPS_RETIRED.SLOTS does not hold: 8000000000 > 0"; or NULL. What rests on counts of one group or of the whole
 * time that do so is TD_IMPOSSIBLE; otherwise TD_FLAG_COUNTS_DOUBTFUL. Also "CPU_CLK_UNHALTED.THREAD was counted twice
 * at the same time, as 5000000 and 1000000". tdprobe-metrics(7) lists them. Owned by the result. */
TD_EXPORT const char *td_result_contradiction(const struct td_result *, size_t i);
TD_EXPORT size_t td_result_metrics(const struct td_result *);
TD_EXPORT const struct td_metric *td_result_metric(const struct td_result *, size_t i);
TD_EXPORT size_t td_result_counts(const struct td_result *);
/* Valid until the next call for this result; NULL after the last. */
TD_EXPORT const struct td_event_count *td_result_count(const struct td_result *, size_t i);

/* How fast the code of an interval ran, as far as cycles and instructions were counted along with the interval's
 * events: instructions per cycle; NAN: they were not both counted in one group. */
TD_EXPORT double td_result_ipc(const struct td_result *);
/* For tasks, cycles per ns on a CPU; NAN: they were not counted, or not in all modes. */
TD_EXPORT double td_result_ghz(const struct td_result *);

/* "missing_event" and the like; static storage. */
TD_EXPORT const char *td_status_name(enum td_status);
/* The name of one flag bit, or NULL; static storage. */
TD_EXPORT const char *td_flag_name(unsigned flag);
/* "sound", "likely"; NULL: there are none. Static storage. */
TD_EXPORT const char *td_bounds_name(enum td_bounds);

enum td_verdict_status {
    TD_VERDICT_DECIDED, /* sound bounds name the node */
    TD_VERDICT_LIKELY, /* likely bounds do, at its level or at one above it */
    TD_VERDICT_UNDECIDED, /* bounds name none, not even at level 1 */
    TD_VERDICT_NONE, /* no node but retiring can be above its threshold */
};

/* "decided", "likely", "undecided", "none"; static storage. */
TD_EXPORT const char *td_verdict_name(enum td_verdict_status);

/* What would decide more. */
enum td_remedy {
    TD_REMEDY_NONE,
    TD_REMEDY_WHOLE_CPUS, /* counts of whole CPUs, not of tasks: -a */
    TD_REMEDY_LONGER, /* a longer run */
    TD_REMEDY_LEVEL_1, /* only level 1 */
    TD_REMEDY_FEWER_EVENTS, /* fewer events at once */
    TD_REMEDY_INTERVALS, /* a recording with times: intervals */
    TD_REMEDY_CORES, /* counts of whole cores */
    TD_REMEDY_ONE_CPU, /* counts of one CPU, not the sum of several: -C N */
    TD_REMEDY_RUNS, /* more runs of each group: 8 and more have bounds */
    TD_REMEDY_DOCTOR, /* the counters lie: td_doctor() looks into it */
    TD_REMEDY_SMT, /* whether SMT was on: td_set_smt() */
};

/* What limits the program, as far as the bounds can show it. It belongs to the result, and so do its arrays. */
struct td_verdict {
    enum td_verdict_status status;
    const struct td_metric *node; /* the deepest node that is decided or likely, or NULL */
    /* from level 1 to node; the first nsound of them are decided by sound bounds */
    const struct td_metric *const *path;
    size_t npath, nsound;
    /* The children of node (or the level-1 nodes) that the verdict is undecided between,
     * largest first: those that are, or by their bounds may be, above their thresholds.
     * None: node is the whole verdict. */
    const struct td_metric *const *among;
    size_t namong;
    const struct td_metric *absent; /* undecided because this sibling has no value, or NULL */
    bool unbounded; /* undecided because bounds are missing: among[0] is merely the largest above its threshold */
    bool no_values; /* no metric has a value */
    enum td_remedy remedy; /* what would decide between among */
};

/* Level 1 first, then the children of its winner, and so on. A node is decided where its
 * low is above its threshold (toplev's) and above the high of each sibling
 * that is, or by its bounds may be, above its own: retiring 40 % limits nothing. The
 * decision is likely where any of these bounds is. Valid until the next call for this result. */
TD_EXPORT const struct td_verdict *td_result_verdict(const struct td_result *);

/* ---- reading a recording ------------------------------------------------ */

struct td;

/* Reads up to size bytes: their number, 0 at the end, -errno on failure. */
typedef ssize_t td_read_fn(void *ctx, void *buf, size_t size);
/* Continues reading at a byte of the file: 0 or -errno. */
typedef int td_seek_fn(void *ctx, uint64_t offset);
/* Gets what the caller should know but that is no error: one line, without
 * a newline, naming file:line where there is one. */
typedef void td_note_fn(void *ctx, const char *text);

/* NULL: out of memory. Free with td_free(). */
TD_EXPORT struct td *td_new(void);
TD_EXPORT void td_free(struct td *);
/* The text of the last error, "" if there was none. Valid until the next call. */
TD_EXPORT const char *td_error(const struct td *);
TD_EXPORT void td_set_note(struct td *, td_note_fn *, void *ctx);

/* The CPU the counts come from: a name or alias of td_uarch_name(), a hybrid
 * such as "adl" (both kinds of core), a MIDR such as "0x410fd493", perf's
 * "GenuineIntel-6-55-7", or what it is sold as, as in "model name" of /proc/cpuinfo:
 * "Intel(R) Xeon(R) Platinum 8480+", "AMD EPYC 9654". Overrides what the recording says. -EINVAL: not
 * known, -EOPNOTSUPP: known, but it has no top-down events. */
TD_EXPORT int td_set_uarch(struct td *, const char *name_or_id);
/* Before td_open(): whether cores of the recorded machine had two threads online, "on" or "off", which overrides what
 * the recording says; "auto" (the default): what it says. Where neither tells, metrics that depend on it have
 * TD_FLAG_SMT_UNKNOWN. A machine that is measured shows it. -EINVAL: another word, or the handle has been opened. */
TD_EXPORT int td_set_smt(struct td *, const char *state);
/* Only CPUs of this backend; "auto" (the default): any. -EINVAL: no such backend. */
TD_EXPORT int td_set_backend(struct td *, const char *name);
/* false: the generic-event form even where the metrics register was recorded
 * (toplev: topdown_use_fixed). true: the register for tasks and cgroups too. Without this
 * call the register is used wherever it was recorded, and to measure CPUs; tasks and cgroups
 * are measured by ordinary events where one group holds those of a level, since the kernel
 * loses a part of the register's contents at each task switch. */
TD_EXPORT void td_set_fixed(struct td *, bool use_fixed);
/* Levels of the top-down tree. */
enum {
    TD_LEVEL_TOP = 1, /* whose nodes have no parent */
    TD_LEVEL_USUAL = 2, /* the deepest that is given where none is asked for */
    TD_LEVELS = 6, /* the deepest that any CPU has */
};
/* Deepest level to give, 1 to 6; 2 is the default. A level deeper than the CPU's tree
 * gives the whole tree. -EINVAL: any other level. */
TD_EXPORT int td_set_level(struct td *, int level);
/* Metrics to give besides those of the level, separated by commas: names as perf, toplev and
 * Arm's tools have them ("tma_dram_bound", "info_inst_mix_iptb"), groups ("MemoryBW"; of the tree "TopdownL3",
 * "memory_bound_group"), or "all"; in upper or lower case, with "tma_" or without; NULL: none. Those that a CPU does
 * not have are absent there. -EINVAL: none is named, or no CPU has one of that name; -ENOMEM. */
TD_EXPORT int td_set_metrics(struct td *, const char *names);
/* Only the intervals of a recording that end after the one and not after the other time, in ns since it began, are
 * given and added up (a trace that td_set_convert() copies is copied whole); an interval without a time counts as one
 * at the beginning. Default: 0 and UINT64_MAX. -EINVAL: no time is between, or a recording is open. */
TD_EXPORT int td_set_times(struct td *, uint64_t after, uint64_t until);
/* false: intervals are only added up, for td_summary(). Default true. */
TD_EXPORT void td_set_intervals(struct td *, bool wanted);

/* The format of the recording, one of td_format_name(); "auto" (the default): it
 * is found by the content. A recording that is not of it is refused with -EBADMSG.
 * -EINVAL: no such format; td_error() names them all. */
TD_EXPORT int td_set_format(struct td *, const char *name);
/* Before td_open(): reads a second file about the recorded machine, the
 * HOST_metadata.json of PerfSpect's raw folder, whose HOST_events.jsonl td_open() gets.
 * It gives the CPU, unless td_set_uarch() names one, and whether cores ran two
 * threads. It is read to its end at once; name is for messages. -EBADMSG: it cannot be
 * read; -EOPNOTSUPP: that CPU has no top-down events; otherwise read's error. */
TD_EXPORT int td_set_metadata(struct td *, const char *name, td_read_fn *read, void *ctx);

/* Before td_open(), for a file that can be read from anywhere; seek gets the ctx of td_open(). perf.data files of more
 * than 48 MiB have the names of their CPU and events at the end, which are used only with it; a trace is read to its
 * end before its first interval is given, so that none is given of one that two recorders wrote, see tdprobe-trace(5).
 * -EINVAL: the handle has been opened. */
TD_EXPORT int td_set_seek(struct td *, td_seek_fn *seek);

/* Starts reading a recording; name is for messages. The format is found by
 * its content, unless td_set_format() names it: tdprobe-trace(5), perf stat -x, perf.data, ... -EBADMSG: not a
 * recording that can be read; -EOPNOTSUPP: no CPU here can answer; otherwise read's error. */
TD_EXPORT int td_open(struct td *, const char *name, td_read_fn *read, void *ctx);
/* td_open() of a file, FIFO or device by its path, which is the name in messages as well; with td_set_seek(), where the
 * file can seek. The handle keeps it open until td_free(). Errors of open(2) and read(2) too; -EBADMSG also for a file
 * that xz, bzip2 or zip compressed: td_error() has the command that unpacks it. */
TD_EXPORT int td_open_file(struct td *, const char *path);

/* The next interval; with td_set_intervals(false) reads to the end.
 * -ENODATA: the end. -EBADMSG: bad input; -EINVAL: several CPUs fit the events
 * and their answers differ, td_set_uarch() must name one; -EOPNOTSUPP: none
 * fits; -EAGAIN: see td_take(). After an error other than -ENODATA and -EAGAIN
 * the handle can only be freed. */
TD_EXPORT int td_next(struct td *, const struct td_result **out);

/* After -ENODATA: the i-th of the sums over the whole recording, one per scope
 * and kind of core. The counts are added and solved once. -ENODATA: no more. */
TD_EXPORT int td_summary(struct td *, size_t i, const struct td_result **out);
/* Writes size bytes: 0 or -errno. */
typedef int td_write_fn(void *ctx, const void *buf, size_t size);
/* Before td_open(): what td_next() reads is written as a tdprobe-trace(5) as well,
 * which gives the same results when it is read. It names the CPU found or set, the
 * first if several fit; td_set_intervals(false) avoids solving. A recording that is a
 * trace is written as it is, except for its CPU if that was set. The rest is handed
 * over when td_next() reaches the end. A failed write is td_next()'s error. -EINVAL: a
 * recording is open, or this was called before; -ENOMEM. */
TD_EXPORT int td_set_convert(struct td *, td_write_fn *write, void *ctx);

/* ---- measuring this machine ---------------------------------------------- */

/* Where the counts come from, before anything is opened: "auto" (the default) and
 * "perf", perf_event_open(2); "msr": the model-specific registers of Intel CPUs,
 * and of AMD's since Zen 4, by /dev/cpu/N/msr, which needs root, whole CPUs
 * (td_live.cpus) and counters that nobody else uses. td_close_live() or td_free() restores the registers: so whoever
 * measures by msr must make sure that no signal ends the process before that.
 * -EINVAL: another name, such as "rdpmc" (which measures the
 * calling thread only: td_open_self()), or the handle is open. */
TD_EXPORT int td_set_source(struct td *, const char *name);

/* How the counts are put together: one scope for all that is measured, or
 * one for each CPU, core, socket, NUMA node, or thread. */
enum td_by { TD_BY_ALL, TD_BY_CPU, TD_BY_CORE, TD_BY_SOCKET, TD_BY_NODE, TD_BY_THREAD };

/* What to measure. Zeroed but for size: all online CPUs, in user and kernel mode, as one
 * scope, counting at once. The arrays are only read by td_open_live(). */
struct td_live {
    size_t size; /* sizeof(struct td_live) */
    const int *cpus; /* these CPUs only */
    size_t ncpus;
    const pid_t *tasks; /* these processes with all their threads, instead of CPUs; 0: the calling thread */
    size_t ntasks;
    const char *name; /* of the scope that all tasks make, NULL: by their own names */
    bool threads; /* tasks are single threads */
    /* each a scope, on the CPUs; names below the perf_event or unified hierarchy, without ".." */
    const char *const *cgroups;
    size_t ncgroups;
    enum td_by by;
    bool no_user, no_kernel; /* leave that mode out */
    bool no_inherit; /* not what the tasks start from now on */
    bool on_exec; /* counting begins when the task calls execve(2) */
    bool disabled; /* counting begins with td_enable() */
};

/* Finds out what machine this is: CPU, PMUs, topology. Implied by
 * td_open_live(). td_set_uarch() overrides the CPU. -EOPNOTSUPP: no CPU that
 * tdprobe knows, or one without top-down events; -EINVAL: the handle is open. */
TD_EXPORT int td_detect(struct td *);
/* The CPU found or asked for, such as "spr", and where that comes from;
 * "" before that. Owned by the handle. */
TD_EXPORT const char *td_machine_name(const struct td *);
TD_EXPORT const char *td_machine_origin(const struct td *);

/* Chooses a form of the CPU's formulas that this machine can count, plans the
 * groups of events and opens them. Falls back to the next form where the first
 * cannot be counted, and reports why to td_set_note(). -EINVAL: the scopes exclude each other, or a
 * cgroup's name has ".."; -ENOENT: no such cgroup; -EACCES, -EPERM: not
 * permitted; -EOPNOTSUPP: this machine cannot count top-down events; -ESRCH: no
 * such task; -ENODEV: no such CPU; -EMFILE: too many descriptors; -EBUSY,
 * -ENOSPC: the counters are in use; td_error() names the layer and what to do. */
TD_EXPORT int td_open_live(struct td *, const struct td_live *);
/* The same without opening anything: for td_plan(). */
TD_EXPORT int td_plan_live(struct td *, const struct td_live *);
/* What td_plan() gives. */
enum td_plan_what {
    /* The groups of events on the i-th kind of core, as perf stat -e takes them, "{slots,topdown-retiring,...}", by
       perf's names. */
    TD_PLAN_EVENTS,
    /* The same with the vendors' events by their encodings, which perf accepts even if its lists lack the events:
     * "{slots,topdown-retiring,cpu/config=0x100d,name=int_misc.uop_dropping/}". */
    TD_PLAN_ENCODINGS,
    /* The same of the events whose mean retire latencies metrics need, for perf stat --record-tpebs:
       "mem_load_retired.l2_hit:R,...", or "". */
    TD_PLAN_LATENCIES,
    /* The i-th line of a description of what is opened, or would be: the groups, the perf_event_attr of each event, the
       counters they need. */
    TD_PLAN_TEXT,
};
/* After td_plan_live() or td_open_live(). NULL after the last. Owned by the handle, valid until it is planned or opened
 * again. */
TD_EXPORT const char *td_plan(struct td *, enum td_plan_what, size_t i);

/* Resumes or pauses counting. */
TD_EXPORT int td_enable(struct td *, bool on);
/* Reads all counters: one interval of each scope ends; td_next() then gives
 * these one by one, and -EAGAIN after the last. -ENODATA: all measured CPUs
 * went offline (their last intervals are there); the end of tasks is
 * not noticed here. */
TD_EXPORT int td_take(struct td *);

/* Ends measuring and closes what is open, as td_free() would. -ENOTRECOVERABLE:
 * registers could not be restored; td_error() names one. */
TD_EXPORT int td_close_live(struct td *);

/* With the source msr, before td_open_live(): counts an event besides those of the
 * formulas, which then are counted only where PERF_METRICS gives them and as far
 * as counters are left. event: the name of a CPU's own event (td_uarch_event()), one of
 * cycles, instructions, ref-cycles, branches, branch-misses, cache-references and
 * cache-misses, or numbers: "event,umask[,cmask[,edge[,inv]]]". At most 16.
 * -EINVAL: too many, or another source. td_open_live() looks the event up, and
 * returns -EINVAL if the CPU has no such event. */
TD_EXPORT int td_add_event(struct td *, const char *event);
/* What such an event counted between the last two td_take(), on all CPUs. */
struct td_added_count {
    size_t size; /* sizeof(struct td_added_count) */
    const char *event; /* as it was added; owned by the handle */
    uint64_t config; /* perf's raw config, once it is open */
    enum td_status status; /* value holds only with TD_OK */
    uint64_t value;
};
/* The i-th, in the order of td_add_event(). -ENODATA after the last. */
TD_EXPORT int td_added_event(struct td *, size_t i, struct td_added_count *out);

/* Before td_open_live(): each reading is written as a tdprobe-trace(5) as well,
 * whole readings at a time. command (or NULL) is noted in its header. A failed
 * write is td_take()'s error. */
TD_EXPORT int td_set_record(struct td *, const char *command, td_write_fn *write, void *ctx);

/* Where counts come from. The texts belong to the handle; NULL: not known, or the recording does not say it. */
struct td_origin_info {
    size_t size; /* sizeof(struct td_origin_info) */
    const char *host; /* the machine's name, as uname(2) has it */
    const char *cpu; /* its CPU, as td_uarch_name() or a hybrid's name */
    const char *command; /* of a recording: what was measured */
};
/* After td_open(): of the recording. After td_detect(), td_plan_live() or td_open_live(): of the machine.
 * -ENODATA: the handle has neither. Source: x-host, cpu and command of tdprobe-trace(5); hostname and
 * command line of perf.data; /proc/sys/kernel/hostname. */
TD_EXPORT int td_origin_about(struct td *, struct td_origin_info *out);

/* Instead of this machine, one that is simulated from its description,
 * tdprobe-machine(5). -EBADMSG: it cannot be read. */
TD_EXPORT int td_set_machine(struct td *, const char *name, td_read_fn *read, void *ctx);

/* What td_doctor() found; valid while the function is called. */
enum td_finding_kind { TD_FINDING_OK, TD_FINDING_NOTE, TD_FINDING_OBSTACLE };
struct td_finding {
    enum td_finding_kind kind;
    const char *layer; /* "cpu", "pmu", "backend", "source", "paranoid", "capability", "seccomp", ... */
    const char *text; /* what was found */
    const char *remedy; /* the least privileged thing to do, or NULL */
};
typedef void td_finding_fn(void *ctx, const struct td_finding *);
/* Looks at everything that measuring depends on and measures a known loop for
 * about a tenth of a second. 0: tdprobe can measure here; -EACCES, -EPERM,
 * -EOPNOTSUPP as td_open_live(); -EILSEQ: the counters count, but they lie. */
TD_EXPORT int td_doctor(struct td *, td_finding_fn *, void *ctx);

/* ---- what is known ------------------------------------------------------ */

struct td_uarch;

/* The i-th of each, NULL after the last. Static storage. */
TD_EXPORT const char *td_backend_name(size_t i);
TD_EXPORT const char *td_backend_about(size_t i);
TD_EXPORT const struct td_uarch *td_uarch_at(size_t i);

/* The i-th format of recordings and what writes it, NULL after the last. Static storage. */
TD_EXPORT const char *td_format_name(size_t i);
TD_EXPORT const char *td_format_about(size_t i);

/* By name or alias (one kind of core); NULL: not known. */
TD_EXPORT const struct td_uarch *td_uarch_by_name(const char *name);
TD_EXPORT const char *td_uarch_name(const struct td_uarch *);
TD_EXPORT const char *td_uarch_title(const struct td_uarch *);
TD_EXPORT const char *td_uarch_backend(const struct td_uarch *);
TD_EXPORT const char *td_uarch_aliases(const struct td_uarch *); /* blank-separated */
/* blank-separated FAMILY-MODEL[..MODEL][:STEPPINGS] or IMPLEMENTER-PART[:REVISIONS], hex */
TD_EXPORT const char *td_uarch_ids(const struct td_uarch *);
TD_EXPORT const char *td_uarch_source(const struct td_uarch *); /* where its formulas are published */
/* For a kind of core of hybrids, its PMU as the kernel and perf name it: "cpu_core", "cpu_atom", "cpu_lowpower"; else
 * NULL. */
TD_EXPORT const char *td_uarch_pmu(const struct td_uarch *);
TD_EXPORT int td_uarch_width(const struct td_uarch *); /* slots per cycle; 0: only ratios are published for it */
/* The i-th formula, NULL after the last; the first whose events are there is used. */
TD_EXPORT const char *td_uarch_formula(const struct td_uarch *, size_t i);

/* An event that a CPU's formulas use. */
struct td_event_info {
    size_t size; /* sizeof(struct td_event_info) */
    const char *name; /* the vendor's */
    uint64_t config; /* perf's raw config */
    const char *counters; /* the counters that can hold it, SMT on: "0-3", "fixed 3", "metrics" */
    const char *counters_alone; /* the same with the sibling thread off */
};
/* -ENODATA after the last; -EINVAL: of the size. */
TD_EXPORT int td_uarch_event(const struct td_uarch *, size_t i, struct td_event_info *out);

/* A definition in a formula of a CPU. */
struct td_metric_info {
    size_t size; /* sizeof(struct td_metric_info) */
    const char *formula; /* which formula of the CPU */
    const char *name; /* a metric, or a helper value */
    const char *expr; /* NULL: see wrong */
    const char *unit; /* "slots", "cycles" */
    const char *wrong; /* why the published formula is not used, or NULL */
    int level; /* 1 to 6; 0 for a helper value, and for what is not in the tree */
    /* For what the vendor publishes (formula "published", for all of the CPU's formulas); else NULL: */
    const char *parent; /* the node above, or "" */
    const char *threshold; /* the condition under which it is worth looking at, or "" */
    const char *groups, *samples; /* blank-separated: names for several metrics at once; events to sample */
    const char *needs; /* what it takes besides a core's counters: "offcore", "tsc", "retire_latency"; or "" */
    const char *source; /* the publication, or the two that agree */
    enum td_metric_kind kind;
};
/* -ENODATA after the last; -EINVAL: of the size. */
TD_EXPORT int td_uarch_metric(const struct td_uarch *, size_t i, struct td_metric_info *out);

#ifdef __cplusplus
}
#endif

#endif
