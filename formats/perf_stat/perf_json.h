/* SPDX-License-Identifier: MIT */
/* perf stat -j: shared by its lines (json_line.c, json_flat.c, json_key.c) and their intervals (perf_json.c). */
#ifndef TD_PERF_JSON_H
#define TD_PERF_JSON_H

#include "sim/replay/intervals.h"

#include <json-c/json.h>

/* The keys that make up a row; the others belong to metrics, or add nothing. */
enum td_json_key {
    TD_JSON_TIME,
    TD_JSON_VALUE,
    TD_JSON_EVENT,
    TD_JSON_RUN,
    TD_JSON_PERCENT,
    TD_JSON_METRIC,
    TD_JSON_RATIO,
    TD_JSON_MEMBERS,
    TD_JSON_CGROUP,
    TD_JSON_THREAD,
    TD_JSON_CPU,
    TD_JSON_CORE,
    TD_JSON_CACHE,
    TD_JSON_CLUSTER,
    TD_JSON_DIE,
    TD_JSON_SOCKET,
    TD_JSON_NODE,
    TD_JSON_KEYS
};

/* A value as json-c read it, or in a flat object the text on the line: a number, or what
 * is between two quotes. Neither: it is absent, or null. */
struct td_json_value {
    struct json_object *object;
    const char *text; /* len bytes */
    size_t len;
};

/* The object of one line. */
struct td_json_line {
    bool any; /* false: a line without an object, or of another program */
    struct json_object *object; /* NULL: json-c was not needed; json_object_put() */
    struct td_json_value key[TD_JSON_KEYS];
    const char *rest; /* the line after the object, where further metrics may follow */
    bool cut_off; /* the last line, without a whole object */
};

enum { TD_JSON_PLACES = 24, TD_JSON_FRONT = 48 };

struct td_json_parser {
    struct json_tokener *tokener;
    char why[TD_LOG_TEXT]; /* what is wrong with the first line that was left out; "": none was */
    char *repaired; /* room for a line that had to be repaired */
    /* What was before the first, second, ... value of the line before: perf writes the
     * same on each line. */
    struct td_json_front {
        char text[TD_JSON_FRONT]; /* {"interval" : */
        size_t len; /* 0: nothing yet */
        bool quoted; /* the text ends with the quote of a string */
        int key; /* an enum td_json_key; TD_JSON_KEYS: another */
    } front[TD_JSON_PLACES];
};

/* The key of a count, with its quotes: only perf's lines have it. */
extern const char td_json_count[];

/* false: no memory; td_json_close() in any case. */
bool td_json_open(struct td_json_parser *);
void td_json_close(struct td_json_parser *);
/* Reads the line last given; logs errors. */
int td_json_line(struct td_recording *, struct td_json_parser *, const char *line, size_t len,
                 struct td_json_line *out);
/* Reads an object that has only numbers and strings without escapes as json-c would, but
 * without it. false: it is no such object, or none at all. */
bool td_json_flat(struct td_json_parser *, const char *line, size_t len, struct td_json_line *out);
/* The enum td_json_key of a name; TD_JSON_KEYS: none of them. */
int td_json_key(const char *name, size_t len);
static inline bool td_json_has(const struct td_json_line *l, enum td_json_key key)
{
    return l->key[key].text || l->key[key].object;
}
/* A value as text, valid as long as its line and object; len may span NUL bytes. NULL, and a len of 0: it
 * is an object or an array, or absent. */
const char *td_json_text(const struct td_json_value *, size_t *len);
/* The first bytes of any value, for messages: "%.*s" with *len. */
const char *td_json_shown(const struct td_json_value *, int *len);
/* A number, or one in quotes. NULL, or why it is none. */
const char *td_json_number(const struct td_json_value *, double *out);

#endif
