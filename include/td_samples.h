/* SPDX-License-Identifier: MIT */
/* Samples of read groups: where in the code the slots went. A recording of
 * 'perf record -e {...}:S' is read like any other: td_open(), td_next(), td_summary().
 * Each sample ends an interval: its counts are what was counted since the
 * sample before it, its scope is the place of the sample's address. The program may have been
 * elsewhere in between: only an interval that began and ended in one place is likely to be of that place
 * alone. td_result_began() tells, and td_summary() adds up no others, except by CPU. In a recording
 * of pairs it adds up those between the two samples of a pair. */
#ifndef TD_SAMPLES_H
#define TD_SAMPLES_H

#include "tdprobe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How samples are told apart: what the scope of an interval is. */
enum td_samples_by {
    /* "main"; where its file has no symbols "libc.so.6 (no symbols)", one for all of the file; where only this address
     * has none "[dso+0xoffset]", in the kernel "[kernel+0xaddress]" */
    TD_SAMPLES_BY_FUNCTION,
    TD_SAMPLES_BY_DSO, /* the program or library: "/usr/lib/libc.so.6", "[kernel]" */
    TD_SAMPLES_BY_THREAD, /* "comm-tid" */
    TD_SAMPLES_BY_COMM, /* the name of the thread */
    TD_SAMPLES_BY_CPU, /* "CPU3" */
    /* "/src/app/parse.c:120": of inlined code its own line; "[main+unknown line]", without a symbol "[dso+unknown
       line]" */
    TD_SAMPLES_BY_LINE,
    TD_SAMPLES_BY_SOURCE, /* the file of source: "/src/app/parse.c"; "[main+unknown source]" */
    /* its path from the root of the hierarchy: "/system.slice/web"; without a record of it "[cgroup 123]" */
    TD_SAMPLES_BY_CGROUP,
    /* the path of calls, the outermost first: "main;read_all;parse"; each sample counts for all of its path */
    TD_SAMPLES_BY_STACK,
    /* as by function, but "[dso+0xoffset]" for each address of a file without symbols, too */
    TD_SAMPLES_BY_ADDRESS,
};
/* "function", "dso", ...: the kind of scope, and the word for options; NULL after the last. Static storage. */
TD_EXPORT const char *td_samples_by_name(enum td_samples_by);
/* Before td_open(). The default is TD_SAMPLES_BY_FUNCTION. No effect on recordings without samples.
 * -EINVAL: no such way, or the handle has been opened. */
TD_EXPORT int td_set_samples_by(struct td *, enum td_samples_by);

/* What of a sample's call chain counts. */
enum td_samples_chain {
    TD_CHAIN_SELF, /* where the sample was */
    TD_CHAIN_CHILDREN, /* each function (dso, ...) on the chain: with all that it calls */
    TD_CHAIN_CALLERS, /* who called one function: "[no caller]", and "[not in NAME]" where it is not on the chain */
    TD_CHAIN_CALLEES, /* what it called, itself where it called nothing */
};
/* Before td_open(). The default is TD_CHAIN_SELF. function: whose callers or callees, as scopes are named; a copy is
 * made; else NULL. Then an interval began where it ended if both chains share the scope, from the outermost function
 * on: what was called in between does not matter. With TD_CHAIN_CHILDREN, and by stack, td_next() gives an interval for
 * each scope of the chain: td_result_depth(). Samples without a chain (perf record without -g) have their address as
 * the chain. No effect by thread, comm, CPU and cgroup. -EINVAL: no such way, a function without need or none where one
 * is needed, or the handle has been opened; -ENOMEM. */
TD_EXPORT int td_set_samples_chain(struct td *, enum td_samples_chain, const char *function);
/* Before td_open(): by function and stack, code that was inlined is of the function that it was inlined of, "mix
 * (inlined)", and by call chains also of those that it is in. The default is false: it is of the function that it is
 * in. Needs what td_set_symbols() needs, and debug information. -EINVAL: the handle has been opened. */
TD_EXPORT int td_set_samples_inlined(struct td *, bool inlined);
/* Of the intervals that one sample ends, which one: 0, the innermost, comes first; only this one should be counted
 * for totals. -1: the sample ends no other interval, as without TD_CHAIN_CHILDREN, or the result is no sample's. */
TD_EXPORT int td_result_depth(const struct td_result *);

/* Before td_open(): functions get names by the symbols of the recorded files, which are looked for below the
 * folder root (a copy is made): "": this machine's own; NULL, the default: no file is looked at. The file of
 * /usr/bin/app is ROOT/usr/bin/app or, with the recorded build-id, ROOT/app. A file whose build-id is not the recorded
 * one is not used; where none was recorded, only one below a root. The kernel's come from proc/kallsyms, as long as it
 * is the same kernel, wherever it was loaded; so do those of its modules, where it was not started again and they are
 * still loaded, or else they come from the module's file (.text alone). Functions that the kernel made while it ran,
 * BPF programs and trampolines, have the recorded names. Needs a library that was built with elfutils. -EINVAL: the
 * handle has been opened; -ENOMEM. */
TD_EXPORT int td_set_symbols(struct td *, const char *root);
/* Before td_open(): files that are not below that root, or are others there, are also looked for by their build-ids in
 * the folder where perf record keeps those that it met, and into which the archive of perf archive is unpacked: as a
 * rule ~/.debug. A copy is made; NULL, the default: in none. There is also the kernel's kallsyms. -EINVAL: the handle
 * has been opened; -ENOMEM. */
TD_EXPORT int td_set_symbol_cache(struct td *, const char *folder);
/* Before td_open(): the kernel's functions, and those of its modules where it was not started again since, come from
 * this copy of its /proc/kallsyms, whichever kernel that is. A copy of the path is made; NULL, the default: none.
 * What cannot be read or has no addresses gives TD_SYMBOLS_HIDDEN. -EINVAL: the handle has been opened; -ENOMEM. */
TD_EXPORT int td_set_kallsyms(struct td *, const char *path);
/* Before td_open(): files that are found nowhere else, and missing debug information, are asked for by their build-ids
 * from the debuginfod servers that the environment's DEBUGINFOD_URLS names (debuginfod_find_debuginfo(3) has the other
 * variables). The default is false: nobody learns what was recorded. A server that does not answer is not asked again.
 * Where the library was built without libdebuginfod, td_open() of a recording of samples then gives -ENOTSUP. -EINVAL:
 * the handle has been opened. */
TD_EXPORT int td_set_debuginfod(struct td *, bool ask);

/* What is known of how an interval between samples began. */
enum td_sample_start {
    TD_START_SAMPLE, /* with the previous sample of its course; also in every interval that ends with no sample */
    TD_START_ENABLED, /* when counting was enabled: it is the first of its course */
    TD_START_LOST, /* with an earlier sample: the kernel lost samples in between */
    TD_START_THROTTLED, /* with an earlier sample: the kernel held samples back in between */
};
/* Any result has one. */
TD_EXPORT enum td_sample_start td_result_start(const struct td_result *);
/* The place where the interval began, as td_result_scope() names places: in one stream equal
 * places are equal pointers, and they are valid until td_free(). NULL: it is not known
 * (td_result_start() says why), or the result is no sample's. */
TD_EXPORT const char *td_result_began(const struct td_result *);
/* What an interval is in a recording of pairs of samples (tdprobe record --functions): two members of the group sample
 * with one period, the second a short distance after the first. What lies between the two is likely to be of one place.
 */
enum td_sample_pair {
    TD_PAIR_NONE, /* the recording has no pairs; or the result is no sample's */
    TD_PAIR_SHORT, /* from the first sample of a pair to its second: only these say something of a place */
    /* up to a first sample; also to a second one that has lost its first; also, in any recording, between two turns of
       a group that takes turns with others: it counts, wherever it was */
    TD_PAIR_REST,
    TD_PAIR_FAR, /* from the first to the second, whose distance is outside TD_PAIR_LEAST..TD_PAIR_MOST: as the rest */
};
enum {
    TD_PAIR_LEAST = 5000,
    TD_PAIR_MOST = 50000 /* what the event that samples, such as cycles, counts between the two */
};
/* Any result has one. */
TD_EXPORT enum td_sample_pair td_result_pair(const struct td_result *);
/* By function, line and source: the program or library that the scope is in; NULL: not known, or not by these.
 * Functions of one name, or one line, in two of them are two places. */
TD_EXPORT const char *td_result_dso(const struct td_result *);
/* Why functions of a program, a library or the kernel have no names, or no lines. */
enum td_symbols {
    TD_SYMBOLS_FOUND, /* they have, as far as it has symbols there */
    TD_SYMBOLS_NOT_ASKED, /* td_set_symbols() was not called; or the scope is no function of a known file */
    TD_SYMBOLS_NO_FILE, /* neither ROOT/its/path nor, with its build-id, ROOT/NAME exists */
    TD_SYMBOLS_DENIED, /* the file may not be read */
    TD_SYMBOLS_OTHER_BUILD, /* a file of the name has another build-id */
    TD_SYMBOLS_UNKNOWN_BUILD, /* no build-id was recorded, and only a root tells whose files are meant */
    TD_SYMBOLS_NONE, /* the file has no symbols of functions, nor has debug information been found for it */
    TD_SYMBOLS_OTHER_KERNEL, /* another one runs by now */
    TD_SYMBOLS_HIDDEN, /* proc/kallsyms shows no addresses to this user */
    TD_SYMBOLS_NO_LINES, /* by line and source: they have names, but no line of theirs is known */
    TD_SYMBOLS_NOT_BUILT, /* the library was built without elfutils */
    TD_SYMBOLS_NO_SERVER, /* no file was found here, and a server of td_set_debuginfod() did not answer */
    TD_SYMBOLS_NO_MAP, /* code that was made while the program ran: ROOT/tmp/perf-PID.map is not there, or has not named
                          it */
};
/* "no_file", "other_build", ...; NULL after the last. Static storage. */
TD_EXPORT const char *td_symbols_name(enum td_symbols);
/* By function, line and source: of td_result_dso(). Any result has one. */
TD_EXPORT enum td_symbols td_result_symbols(const struct td_result *);
/* What a recording of samples holds, as far as it has been read. */
struct td_samples_info {
    size_t size; /* sizeof(struct td_samples_info) */
    uint64_t samples; /* of groups with top-down events */
    uint64_t first; /* that began a course: counted since counting was enabled */
    uint64_t lost, throttled; /* whose interval goes over a hole: by the kernel's LOST and THROTTLE records */
    uint64_t still; /* that counted nothing since the one before: left out, td_next() does not give them */
    uint64_t missing; /* how many samples the kernel says that it lost */
    uint32_t courses;
    /* enabled and running, of events that are not inherited: otherwise multiplexing cannot be seen */
    bool times_recorded;
    /* the event of the first samples, such as cycles, in whose counts distances are; until td_free(); NULL: there are
     * no pairs */
    const char *paired;
    uint64_t pairs, far; /* those of TD_PAIR_SHORT and TD_PAIR_FAR */
    /* The kernel's mode was counted with PERF_METRICS by Linux before 6.14, where reading them in the interrupt starts
     * the counters again: what the interrupt's handler executes meanwhile is counted, too. */
    bool handler;
    bool chains; /* samples have call chains (perf record -g) */
    uint64_t broken; /* pairs of which one sample is missing, was lost, or was held back */
};
/* -ENODATA: the handle has no recording of samples open. */
TD_EXPORT int td_samples_about(struct td *, struct td_samples_info *out);

#ifdef __cplusplus
}
#endif

#endif
