/* SPDX-License-Identifier: MIT */
/* perf stat -j: shared by its lines (json_line.c) and their intervals (perf_json.c). */
#ifndef TD_PERF_JSON_H
#define TD_PERF_JSON_H

#include "gather.h"

#include <json-c/json.h>

/* The keys that a row is made of; the others are of metrics, or say nothing more. */
enum td_json_key {
    TD_JSON_TIME, TD_JSON_VALUE, TD_JSON_EVENT, TD_JSON_RUN, TD_JSON_PERCENT, TD_JSON_METRIC, TD_JSON_MEMBERS, TD_JSON_CGROUP,
    TD_JSON_THREAD, TD_JSON_CPU, TD_JSON_CORE, TD_JSON_CACHE, TD_JSON_CLUSTER, TD_JSON_DIE, TD_JSON_SOCKET, TD_JSON_NODE,
    TD_JSON_KEYS
};

/* The object of one line. */
struct td_json_line {
    struct json_object *object; /* NULL: a line without one; json_object_put() */
    struct json_object *key[TD_JSON_KEYS]; /* of the object; NULL: absent, or null */
    const char *rest; /* the line behind the object, where further metrics may stand */
    bool cut_off; /* the last line, and no whole object */
};

struct td_json_parser {
    struct json_tokener *tokener;
    char *repaired; /* room for a line that had to be repaired */
};

/* 0 or -ENOMEM; td_json_close() in any case. */
int td_json_open(struct td_json_parser *);
void td_json_close(struct td_json_parser *);
/* Reads the line last given; errors said in why. */
int td_json_line(struct td_recording *, struct td_json_parser *, const char *line, size_t len, struct td_json_line *out);
/* A value as text, valid as long as its object; len may span NUL bytes. NULL: it
 * is an object or an array. */
const char *td_json_text(struct json_object *, size_t *len);
/* A number, or one in quotes. NULL, or why it is none. */
const char *td_json_number(struct json_object *, double *out);

#endif
