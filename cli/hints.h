/* SPDX-License-Identifier: MIT */
/* Hints: what to write instead of what was written. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include <stdbool.h>
#include <stddef.h>

struct option;

/* The most similar known name, without dashes; NULL: none is similar. Includes
 * hybrids and aliases; valid until the next call. */
const char *cli_hint_option(const char *text, const struct option *);
const char *cli_hint_uarch(const char *name);
const char *cli_hint_format(const char *name);
const char *cli_hint_backend(const char *name);
/* Reports an unknown CPU name, with the most similar one; EXIT_USAGE. */
int cli_hint_unknown_uarch(const char *name);
/* Whether execvp(3) would find a program. */
bool cli_hint_is_program(const char *name);
/* True, after a message with the command that reads it, if the first of the words of a command to measure is a
 * recording, and no program. */
bool cli_hint_recording(char *const *words);
/* True, after a message, if the first bytes of a recording show that it is compressed. command: the
 * subcommand that was going to read it. */
bool cli_hint_packed(const char *name, const char *command, const void *head, size_t n);

#endif
