/* SPDX-License-Identifier: MIT */
/* Takes away from this process what reading recordings does not need, before the first of them is looked at: whoever
 * takes it over by a recording that was made for that finds little there. doc/THREATS has the whole. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct cli_options;
struct cli_subcommand;
struct td_finding;

/* Sanitizers trace this process, and read what describes it, for their reports. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLI_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CLI_SANITIZED
#endif
#endif

enum { CLI_SANDBOX_TEXT = 512 };

/* Remembers what a subcommand is going to read and write, for cli_sandbox_enter(). All of it has to last until then,
 * and the output's name until that is closed. A name is a recording's, "-" for stdin, or a folder's that has them.
 * output: NULL for stdout. */
void cli_sandbox_plan(const struct cli_subcommand *, const struct cli_options *, const char *output, char *const *name,
                      size_t n);
/* Enters what was planned, once, and has the output opened, which report/temporary.h then gives; nothing happens where
 * nothing was. head: the first n bytes of the only recording; NULL: there are several. Where the kernel has less of it,
 * less is done, quietly: cli_sandbox_finding() is who says so. */
void cli_sandbox_enter(const char *head, size_t n);
/* What it can do here, for the doctor. */
struct td_finding cli_sandbox_finding(char text[static CLI_SANDBOX_TEXT]);

/* Whether this build has a filter for its architecture, and the kernel takes filters. */
bool cli_filter_known(void);
/* Ends the process when it starts a program, traces another process, counts, mounts, and so on; refuses sockets, unless
 * it needs them, and changes of modes and owners by name. For all threads, and processes that they start, for ever. */
bool cli_filter_begin(bool sockets);

#endif
