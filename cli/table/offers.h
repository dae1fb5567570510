/* SPDX-License-Identifier: MIT */
/* What a shell may complete a word to, as lines: a word, a tab and what it is; or ":files", with patterns of names
 * after it, ":folders", or
 * ":program" and the number of the word that begins a program's own words. */
#ifndef CLI_TABLE_OFFERS_H
#define CLI_TABLE_OFFERS_H

#include "cli/table/option.h"
#include "include/tdprobe.h"
#include "report/output.h"

struct cli_offers {
    struct td_output *out;
    const char *lead; /* what comes before each word: "--uarch=", or names before a comma */
    size_t nlead;
    const char *typed; /* of the word itself, so far */
    const char *uarch; /* the CPU that the line names, or NULL */
};

/* Offers a word, if it begins as typed. about: what it is, or NULL. */
void cli_offer_word(const struct cli_offers *, const char *word, const char *about);
/* Offers what there is of a kind, or the choices. */
void cli_offer(const struct cli_offers *, enum cli_offer what, const char *(*choice)(size_t i));

/* Whether a CPU has that name or alias, or is a kind of core of the hybrid that has. */
bool cli_is_cpu(const struct td_uarch *, const char *name);

#endif
