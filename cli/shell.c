/* SPDX-License-Identifier: MIT */
#include "cli/shell.h"

#include "advice/target.h"
#include "include/tdprobe.h"
#include "private/result.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_shell_join(const char *head, char *const *words)
{
    size_t size = strlen(head) + 1;
    char *text, *at;

    for (char *const *word = words; *word; word++)
        size += 4 * strlen(*word) + 3; /* each quote takes four characters, and each escape */
    text = malloc(size);
    if (!text)
        return NULL;
    at = stpcpy(text, head);
    for (char *const *word = words; *word; word++)
        at = td_advice_word(at, *word);
    return td_printable(text, size);
}

const char *cli_shell_word(const char *word, char buf[CLI_SHELL_WORD])
{
    char *const words[] = {(char *)(uintptr_t)word, NULL};
    char *text = cli_shell_join("", words);

    snprintf(buf, CLI_SHELL_WORD, "%s", text && strlen(text) <= CLI_SHELL_WORD ? text + 1 : "...");
    free(text);
    return buf;
}

char *cli_shell_plain(char *const *words)
{
    size_t size = 1;
    char *text, *end;

    for (char *const *word = words; *word; word++)
        size += 4 * strlen(*word) + 1; /* each escape takes four characters */
    text = end = malloc(size);
    if (!text)
        return NULL;
    for (char *const *word = words; *word; word++)
        end = stpcpy(stpcpy(end, word == words ? "" : " "), *word);
    *end = '\0';
    return td_printable(text, size);
}
