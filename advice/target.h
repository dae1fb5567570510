/* SPDX-License-Identifier: MIT */
/* What perf record should sample, so that it samples what was counted. */
#ifndef ADVICE_TARGET_H
#define ADVICE_TARGET_H

#include <stdbool.h>

/* Whether a shell takes the word as it stands. */
bool td_advice_plain(const char *word);
/* Writes a blank and the word as a shell takes it, at most 4 * strlen(word) + 3 bytes; returns the end of what was
 * written. */
char *td_advice_word(char *at, const char *word);

enum { TD_ADVICE_TARGET = 1024 };
/* "-a -- sleep 10", "-- make -j8", "-C 1 -- sleep 10", "-p 1234", "-a -G 'a b' -- sleep 10": by the kind and name of a
 * scope, and the command of its recording (NULL: not known), whose words are apart by blanks. Returns buf. */
const char *td_advice_target(const char *kind, const char *scope, const char *command, char buf[TD_ADVICE_TARGET]);
/* What follows --uarch in advice for a CPU, or for one of several ("spr|emr|gnr"): its name, or NAME. */
const char *td_advice_uarch(const char *cpus, char buf[TD_ADVICE_TARGET]);
/* What then follows the sentence: ", where NAME is spr, emr or gnr", or "". Returns buf. */
const char *td_advice_names(const char *cpus, char buf[TD_ADVICE_TARGET]);

#endif
