/* SPDX-License-Identifier: MIT */
/* Of results and their texts, what the program needs besides the API. */
#ifndef PRIVATE_RESULT_H
#define PRIVATE_RESULT_H

#include "include/td_samples.h"
#include "private/exported.h"

/* As td_result_verdict(), among the children of a node, which another result has named: path begins below it. */
TD_PRIVATE void td_result_verdict_below(const struct td_result *, const char *parent, struct td_verdict *out);
/* As td_result_verdict(), by the caller's copy of the result's metrics, all of them in their order, whose bounds are
 * others: such as wider ones, because the result is a sample. The verdict points into that copy. */
TD_PRIVATE void td_result_verdict_by(const struct td_result *, const struct td_metric *metrics, struct td_verdict *out);

/* Before the first td_next(): where several CPUs fit a recording and their answers differ, td_next() and td_summary()
 * give the result of each, one after the other, and a note names them, and the node that limits a single reading on
 * each of them; false, the default: that is an error. */
TD_PRIVATE void td_set_each_cpu(struct td *, bool each);
/* Whether the results are such ones: from the first of them on. */
TD_PRIVATE bool td_gives_each_cpu(const struct td *);

/* Where td_open(), or td_next() before any result, failed with -EBADMSG or -EOPNOTSUPP, or td_next() ended and no
 * result had a value: what the recording has may be percentages that a tool printed, and no counts that give them. Then
 * td_next() gives them as they are, without bounds; td_summary() gives their means. read begins where the recording
 * does. -EBADMSG: there are none either, and td_error() is still what td_open() or td_next() said. */
TD_PRIVATE int td_open_printed(struct td *, const char *name, td_read_fn *read, void *ctx);

/* After td_open() or td_open_live(): when the recording began, in the words of its header; NULL: they do not say.
 * *monotonic and *realtime get what CLOCK_MONOTONIC and CLOCK_REALTIME then showed, in ns; 0: it is not recorded. */
TD_PRIVATE const char *td_recording_started(const struct td *, uint64_t *monotonic, uint64_t *realtime);
/* What the recorder calls the recording by: "build=4711;service=web"; NULL: nothing. */
TD_PRIVATE const char *td_recording_labels(const struct td *);
/* Before td_set_record() or td_set_convert(): adds a label, KEY=VALUE, or several with semicolons between, to the trace
 * that is to be written. -EINVAL: it is none, or the key is taken. */
TD_PRIVATE int td_set_label(struct td *, const char *label);

/* The i-th sum begins anew with the next interval that belongs to it; until then it stays what it is.
 * -ENODATA: there is none. */
TD_PRIVATE int td_summary_restart(struct td *, size_t i);

/* For a caller's own texts, such as file names: shows each byte of a control or format character, of a bidirectional
 * control or of invalid UTF-8 as an escape such as \xe9, in place, so that a terminal can show the text. size: of its
 * memory in bytes, at least 1; what does not fit is cut off at the end, no escape in the middle. What the library gives
 * (names of scopes and events, td_error()) is printable already: there names of different bytes are different. Returns
 * text. */
TD_PRIVATE char *td_printable(char *text, size_t size);

/* How many slots passed, of which level 1 has shares; NAN: they were not recorded. Scaled up where they were counted
 * part of the time. */
TD_PRIVATE double td_result_slots(const struct td_result *);
/* How many cycles of the threads passed, in the modes that were counted; NAN: they were not recorded. */
TD_PRIVATE double td_result_cycles(const struct td_result *);

enum { TD_RESULT_MODES = 8 };
/* The modes that were counted, as a modifier of perf: "u"; "": all of them. Returns out. */
TD_PRIVATE const char *td_result_modes(const struct td_result *, char out[TD_RESULT_MODES]);

/* With TD_PAIR_SHORT and TD_PAIR_FAR: what the event of the first samples counted since the first sample; else 0. */
TD_PRIVATE uint64_t td_result_distance(const struct td_result *);
/* For how many ns the task was on no CPU in an interval between two samples of it: with 0 it was not switched out,
 * whose counters the kernel would have written back. false: samples of CPUs, or the times were not recorded. */
TD_PRIVATE bool td_result_waited(const struct td_result *, uint64_t *ns);
/* Where a thread of a CPU goes on after others have pre-empted it, against where it was when it was sampled last. */
enum td_back {
    TD_BACK_NONE, /* none has; or it is not known */
    TD_BACK_HERE,
    TD_BACK_ELSEWHERE,
};
/* Which sequence of samples it belongs to: from 0, one for each counter that samples
 * and, where threads inherit it, for each thread. The samples of one course come in the order of their time, those of
 * several courses nearly so. own: of a CPU whose samples at both ends are of one thread, that thread's share of the
 * time in which the CPU was not idle; 0: they are not, or it is not known. */
TD_PRIVATE uint32_t td_result_course(const struct td_result *, double *own, enum td_back *);

#endif
