/* SPDX-License-Identifier: MIT */
/* What to write instead of what was written. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include <stdbool.h>
#include <stddef.h>

struct option;

/* What to do instead of an option of perf, as "-M" or "--topdown"; NULL: it is none. */
const char *cli_hint_reflex(const char *option);
/* The nearest of the names that are known, without dashes; NULL: none is near. Of a
 * hybrid's or an alias too; valid until the next call. */
const char *cli_hint_option(const char *text, const struct option *);
const char *cli_hint_uarch(const char *name);
const char *cli_hint_format(const char *name);
const char *cli_hint_backend(const char *name);
/* The name of a CPU that is not known: says so with the nearest; EXIT_USAGE. */
int cli_hint_unknown_uarch(const char *name);
/* Whether execvp(3) would find a program. */
bool cli_hint_is_program(const char *name);
/* True after a message: what a recording begins with shows that it is compressed. command: the
 * subcommand that was to read it. */
bool cli_hint_packed(const char *name, const char *command, const void *head, size_t n);

#endif
