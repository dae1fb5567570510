/* SPDX-License-Identifier: MIT */
/* One line of perf stat -j: an object, taken apart by json-c where it is not flat
 * (json_flat.c), whatever perf's versions put around and into it. */
#include "formats/perf_stat/perf_json.h"

#include "util/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 4 /* perf's objects are flat */, SHOWN = 40 };

const char td_json_count[] = "\"counter-value\"";
static const char metric_value[] = "\"metric-value\"";

bool td_json_open(struct td_json_parser *p)
{
    p->tokener = json_tokener_new_ex(DEPTH);
    p->repaired = malloc(2 * TD_LINE_MAX); /* repair() makes three characters of two, at most */
    return p->tokener && p->repaired;
}

void td_json_close(struct td_json_parser *p)
{
    if (p->tokener)
        json_tokener_free(p->tokener);
    free(p->repaired);
}

static void take_keys(struct td_json_line *out)
{
    json_object_object_foreach(out->object, name, value)
    {
        const int key = td_json_key(name, strlen(name));

        if (key != TD_JSON_KEYS)
            out->key[key].object = value;
    }
}

/* Rewrites an object as JSON where perf writes what is none: the "\x2d" of systemd's
 * cgroups, a decimal comma, and metrics that are nan or inf, which are dropped. */
static size_t repair(const char *from, size_t len, char *to)
{
    bool quoted = false;
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (!quoted && !strncmp(from + i, metric_value, strlen(metric_value))) {
            to[n++] = '}';
            break;
        }
        if (quoted && from[i] == '\\' && from[i + 1] == 'x')
            to[n++] = '\\';
        else if (quoted && from[i] == '\\' && from[i + 1])
            to[n++] = from[i++];
        else if (from[i] == '"')
            quoted = !quoted;
        to[n++] = !quoted && from[i] == ',' && td_is_digit(from[i - 1]) && td_is_digit(from[i + 1]) ? '.' : from[i];
    }
    to[n] = '\0';
    return n;
}

/* A line that was found to be no object of perf, which the log says: 0 where it is another program's, and was left out;
 * otherwise err. What was wrong with the first of those is kept, for files without a single count. */
static int leave_out(struct td_recording *r, struct td_json_parser *p, const char *line, size_t len, int err)
{
    if (strstr(line, td_json_count) || td_recording_names_event(r, line, len, NULL))
        return *line != '{' && *p->why ? td_log_fail(r->log, err, "%s", p->why)
                                       : err; /* the lines above began an object */
    if (!*p->why)
        snprintf(p->why, sizeof(p->why), "%s", r->log->error);
    td_recording_skip(r);
    return 0;
}

/* Why json-c could not read the object that begins at line. */
static int refuse(struct td_recording *r, struct json_tokener *tokener, enum json_tokener_error err, const char *line)
{
    const char *at = line + json_tokener_get_parse_end(tokener);
    const char *before = at;

    if (err == json_tokener_continue)
        return td_recording_bad(
            r, "the object does not end on its line: one object per line is read, as perf stat -j writes them "
               "(jq -c makes them so)");
    if (err == json_tokener_error_depth)
        return td_recording_bad(r, "objects inside the object: this is not of perf stat -j");
    while (before > line && before[-1] == ' ')
        before--;
    if (before < at && before[-1] == ',')
        return td_recording_bad(
            r, "no JSON: perf stat -j together with -x writes lines that are neither; record again with one of them");
    return td_recording_bad(r, "no JSON: %s at '%.40s'", json_tokener_error_desc(err), at);
}

/* Checks what follows the object: the end of an array, or perf 6.1's further
 * metrics, which lost their first brace or newline. */
static int check_rest(struct td_recording *r, const char *rest)
{
    const char *metric;
    size_t n;

    if (!*rest) /* mostly */
        return 0;
    rest += strspn(rest, " \t");
    metric = rest + (*rest == '{');
    /* of a line that is cut off, what there is of it */
    n = r->bytes.unterminated ? strnlen(metric, strlen(metric_value)) : strlen(metric_value);
    if (!strncmp(metric, metric_value, n))
        return 0;
    rest += strspn(rest, " \t,]");
    if (*rest == '{')
        return td_recording_bad(r,
                                "several objects on one line: one object per line is read, as perf stat -j writes them "
                                "(jq -c '.[]' makes them so)");
    return *rest ? td_recording_bad(r, "text after the object: '%.40s'", rest) : 0;
}

/* Whether the object is the whole line. */
static int end_line(struct td_recording *r, struct td_json_parser *p, const char *line, size_t len,
                    struct td_json_line *out)
{
    const int err = check_rest(r, out->rest);

    out->any = !err;
    return err ? leave_out(r, p, line, len, err) : 0;
}

static enum json_tokener_error parse(struct td_json_parser *p, const char *text, size_t len, struct td_json_line *out)
{
    json_tokener_reset(p->tokener);
    out->object = json_tokener_parse_ex(p->tokener, text, (int)len);
    return json_tokener_get_error(p->tokener);
}

int td_json_line(struct td_recording *r, struct td_json_parser *p, const char *line, size_t len,
                 struct td_json_line *out)
{
    size_t begin = strspn(line, " \t[],");
    const char *metrics = NULL, *whole;
    enum json_tokener_error err;
    size_t whole_len;
    int err_rest;

    *out = (struct td_json_line){0};
    line += begin, len -= begin;
    whole = line, whole_len = len;
    if (!len || *line == '#')
        return 0;
    if (*line != '{')
        return leave_out(r, p, line, len, td_recording_bad(r, "'%.40s' is no object of perf stat -j", line));
    if (!r->bytes.by_libraries && td_json_flat(p, line, len, out))
        return end_line(r, p, whole, whole_len, out);
    err = parse(p, line, len, out);
    if (err != json_tokener_success && r->bytes.unterminated) {
        out->cut_off = true;
        return 0;
    }
    if (err != json_tokener_success && err != json_tokener_continue) {
        len = repair(line, len, p->repaired);
        metrics = strstr(line, metric_value);
        line = p->repaired;
        err = parse(p, line, len, out);
    }
    if (err != json_tokener_success)
        return leave_out(r, p, whole, whole_len, refuse(r, p->tokener, err, line));
    take_keys(out);
    line += json_tokener_get_parse_end(p->tokener);
    out->rest = line;
    err_rest = end_line(r, p, whole, whole_len, out);
    out->rest = metrics ? metrics : line;
    return err_rest;
}

const char *td_json_text(const struct td_json_value *v, size_t *len)
{
    const char *text;

    *len = v->len; /* 0 where it is json-c's */
    if (!v->object)
        return v->text;
    if (json_object_is_type(v->object, json_type_object) || json_object_is_type(v->object, json_type_array))
        return NULL;
    /* json-c keeps the text of a number with a fraction, so no digit changes and the locale does not matter */
    text = json_object_get_string(v->object);
    if (text)
        *len = json_object_is_type(v->object, json_type_string) ? (size_t)json_object_get_string_len(v->object)
                                                                : strlen(text);
    return text;
}

const char *td_json_shown(const struct td_json_value *v, int *len)
{
    const char *text = v->object ? json_object_get_string(v->object) : v->text;

    *len = v->object || v->len > SHOWN ? SHOWN : (int)v->len;
    return text ? text : "";
}

/* perf's six decimals after a comma, as it writes them in other locales. */
static const char *comma_number(const char *text, size_t len, double *out)
{
    const char *comma = memchr(text, ',', len);
    char copy[32];

    if (!comma || text + len - comma != 7 || len >= sizeof(copy))
        return td_number_none;
    memcpy(copy, text, len);
    copy[comma - text] = '.';
    return td_number_decimal(copy, len, out);
}

const char *td_json_number(const struct td_json_value *v, double *out)
{
    const char *text, *wrong;
    size_t len;

    if (v->object && json_object_is_type(v->object, json_type_int)) {
        uint64_t n = json_object_get_uint64(v->object); /* numbers out of range come as the nearest */

        *out = (double)n;
        return json_object_get_int64(v->object) < 0 ? td_number_negative : n == UINT64_MAX ? td_number_large : NULL;
    }
    text = td_json_text(v, &len);
    wrong = text ? td_number_decimal(text, len, out) : td_number_none;
    return text && wrong == td_number_none ? comma_number(text, len, out) : wrong;
}
