/* SPDX-License-Identifier: MIT */
/* Words of a command as a shell accepts them. */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

/* "-- make 'two words'", without control characters; the caller frees it. NULL: out of memory. */
char *cli_shell_join(const char *head, char *const *words);
enum { CLI_SHELL_WORD = 1024 };
/* One word, for a command in a message. Returns buf; of a word that is too long, or without memory, "...". */
const char *cli_shell_word(const char *word, char buf[CLI_SHELL_WORD]);
/* "make two words", for people who read a recording's header: not quoted; otherwise the same. */
char *cli_shell_plain(char *const *words);

#endif
