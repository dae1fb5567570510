/* SPDX-License-Identifier: MIT */
#include "formats/trace/labels.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

/* Where the next label of a list begins; NULL: this is the last. */
static const char *after(const char *label)
{
    const char *end = strchr(label, ';');

    return end ? end + 1 : NULL;
}

/* Whether one label before end has the key of len characters. */
static bool has_key(const char *list, const char *end, const char *key, size_t len)
{
    for (const char *at = list; at && at < end; at = after(at))
        if (!strncmp(at, key, len) && at[len] == '=')
            return true;
    return false;
}

static bool is_value(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return len <= TD_LABEL_VALUE;
}

bool td_labels_are(const char *text)
{
    for (const char *at = text; at; at = after(at)) {
        const size_t key = strspn(at, letters), all = strcspn(at, ";");

        if (!key || key > TD_LABEL_KEY || at[key] != '=' || !is_value(at + key + 1, all - key - 1) ||
            has_key(text, at, at, key))
            return false;
    }
    return true;
}

char *td_labels_join(const char *these, const char *more)
{
    const size_t n = these ? strlen(these) : 0;
    char *out = calloc(1, n + 1 + (more ? strlen(more) : 0) + 1), *to = out;

    if (!out)
        return NULL;
    if (n)
        to = stpcpy(to, these);
    for (const char *at = more; at; at = after(at)) {
        const size_t len = strcspn(at, ";");

        if (n && has_key(these, these + n, at, strcspn(at, "=")))
            continue;
        if (to > out)
            *to++ = ';';
        memcpy(to, at, len);
        to += len;
    }
    return out;
}
