/* SPDX-License-Identifier: MIT */
#include "formats/percentages/percentages.h"

#include "core/core_kind.h"
#include "sim/replay/bytes.h"
#include "util/room.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 512, /* of a header row */
    TOKENS = 256, /* of a row */
    LOOK_BACK = 512, /* rows in which another value of one time and scope may be */
};

/* A header row in force. */
struct percent_header {
    char separator; /* 0: columns of text */
    const struct td_node *node[COLUMNS];
    /* 't': a time, 's': part of a scope, 'n', 'v', 'u': toplev's name, value and unit; 0: neither */
    signed char kind[COLUMNS];
    size_t n; /* columns; of text: nodes alone */
    bool listed; /* toplev -x: a line for each node */
};

struct reader {
    struct td_percent_rows *out;
    struct percent_header header;
    const char *core; /* the PMU of a hybrid whose percentages follow: "cpu_atom"; NULL: none is named */
    int err;
};

/* ---- rows ------------------------------------------------------------------------------ */

static bool has(const struct td_percent_row *row, const struct td_node *node)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->value[i].node == node)
            return true;
    return false;
}

static bool same_place(const struct td_percent_row *a, const struct td_percent_row *b)
{
    return a->has_time == b->has_time && a->time == b->time && !strcmp(a->scope, b->scope);
}

static struct td_percent_row *append(struct reader *r, const struct td_percent_row *row)
{
    struct td_percent_rows *out = r->out;

    r->err = td_room(&out->row, &out->room, out->n + 1, sizeof(*out->row));
    if (r->err)
        return NULL;
    out->row[out->n] = *row;
    return &out->row[out->n++];
}

/* One value of a time and scope, from a line of its own: it goes to the row that has the others. */
static void add_one(struct reader *r, const struct td_percent_row *place, const struct td_node *node, double percent)
{
    struct td_percent_row *row = NULL;

    for (size_t i = 0; i < r->out->n && i < LOOK_BACK && !row; i++)
        if (same_place(&r->out->row[r->out->n - 1 - i], place) && !has(&r->out->row[r->out->n - 1 - i], node))
            row = &r->out->row[r->out->n - 1 - i];
    row = row ? row : append(r, place);
    if (row && row->n < TD_PERCENT_NODES)
        row->value[row->n++] = (struct td_percent_value){node, percent / 100};
}

/* ---- words of a line ------------------------------------------------------------------- */

/* "53.6", "53,6%", "-0.1": the whole of text. NAN: it is no number. */
static double number(const char *text, size_t len)
{
    char digits[32], *end;
    double value;

    while (len && text[len - 1] == '%')
        len--;
    if (!len || len >= sizeof(digits) || strspn(text, "0123456789.,+-eE") < len)
        return (double)NAN;
    for (size_t i = 0; i < len; i++)
        digits[i] = text[i] == ',' ? '.' : text[i];
    digits[len] = '\0';
    value = strtod(digits, &end);
    return *end || !isfinite(value) ? (double)NAN : value;
}

static bool set_time(struct td_percent_row *row, const char *text, size_t len)
{
    const double seconds = number(text, len);

    if (row->has_time || !(seconds >= 0 && seconds < 1e10))
        return false;
    row->has_time = true;
    row->time = (uint64_t)(seconds * 1e9 + 0.5);
    return true;
}

struct token {
    const char *at;
    size_t len;
};

/* Of what stands alone, a time has decimals: else it is a CPU's number, or how many there are. */
static bool take_time(struct td_percent_row *row, const struct token *t)
{
    return memchr(t->at, '.', t->len) && set_time(row, t->at, t->len);
}

static void add_scope(struct td_percent_row *row, const char *front, const char *text, size_t len)
{
    const size_t n = strlen(row->scope);

    snprintf(row->scope + n, sizeof(row->scope) - n, "%s%s%.*s", n ? "-" : "", front, (int)len, text);
}

/* By a separator, empty ones too, without blanks and quotes around; 0: by blanks. */
static size_t split(const char *line, char separator, struct token *token, size_t most)
{
    size_t n = 0;

    while (n < most && (separator || *(line += strspn(line, " \t")))) {
        const size_t len = separator ? strcspn(line, (const char[]){separator, '\0'}) : strcspn(line, " \t");
        const char *from = line, *to = line + len;

        while (from < to && strchr(" \"", *from))
            from++;
        while (to > from && strchr(" \"", to[-1]))
            to--;
        token[n++] = (struct token){from, (size_t)(to - from)};
        line += len;
        if (separator && !*line)
            break;
        line += separator ? 1 : 0;
    }
    return n;
}

static bool is(const struct token *t, const char *name)
{
    return strlen(name) == t->len && !strncasecmp(t->at, name, t->len);
}

/* ---- CSV -------------------------------------------------------------------------------- */

static signed char kind_of(const struct token *t)
{
    static const struct {
        const char *name;
        signed char kind;
    } kinds[] = {
        {"time", 't'},   {"timestamp", 't'}, {"interval", 't'}, {"ts", 't'},   {"cpu", 's'},     {"core", 's'},
        {"socket", 's'}, {"skt", 's'},       {"die", 's'},      {"node", 's'}, {"cluster", 's'}, {"cgroup", 's'},
        {"pid", 's'},    {"cmd", 's'},       {"thread", 's'},   {"task", 's'}, {"area", 'n'},    {"metric", 'n'},
        {"value", 'v'},  {"unit", 'u'},      {"units", 'u'},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (is(t, kinds[i].name))
            return kinds[i].kind;
    return 0;
}

/* "core,cpus,retiring,bad speculation,...", "CPUs,Area,Value,Unit,...": whether it is such a header. */
static bool take_csv_header(struct reader *r, const char *line, char separator)
{
    struct token token[COLUMNS];
    struct percent_header h = {.separator = separator};
    size_t nodes = 0, listed = 0;

    h.n = split(line, separator, token, COLUMNS);
    for (size_t i = 0; i < h.n; i++) {
        h.node[i] = td_percent_node(token[i].at, token[i].len);
        h.kind[i] = h.node[i]                                                           ? 0
                    : is(&token[i], "cpus") && i + 1 < h.n && is(&token[i + 1], "area") ? 's'
                                                                                        : kind_of(&token[i]);
        nodes += h.node[i] && h.node[i]->level == TD_LEVEL_TOP;
        listed += h.kind[i] == 'n' || h.kind[i] == 'v' || h.kind[i] == 'u';
    }
    h.listed = listed == 3;
    if (nodes < 2 && !h.listed)
        return false;
    r->header = h;
    return true;
}

/* "% Slots <" of toplev, "%" of topdown-tool. */
static bool is_share(const struct token *unit)
{
    return is(unit, "%") || !strncmp(unit->at, "% Slots", 7);
}

/* "1.000000000,,,,,,18.0,retiring,,": a value and its name, as perf stat -I --metric-only has them without a header. */
static bool take_csv_pair(struct reader *r, const char *line, char separator)
{
    struct token token[COLUMNS];
    struct td_percent_row place = {.n = 0};
    const size_t n = split(line, separator, token, COLUMNS);
    bool any = false;

    take_time(&place, &token[0]);
    for (size_t i = 1; i < n; i++) {
        const struct td_node *node = td_percent_node(token[i].at, token[i].len);

        if (!node || isnan(number(token[i - 1].at, token[i - 1].len)))
            continue;
        if (memchr(token[i].at, '#', token[i].len)) /* the commas are of a count in text */
            continue;
        /* after the time and the percentage for which an event was counted: a metric beside its count */
        if (i > 2 && !isnan(number(token[i - 2].at, token[i - 2].len)) &&
            !isnan(number(token[i - 3].at, token[i - 3].len)))
            continue;
        add_one(r, &place, node, number(token[i - 1].at, token[i - 1].len));
        any = true;
    }
    return any;
}

/* "S0-C0,Frontend_Bound,22.1,% Slots,,,3.00": toplev's without a header. */
static bool take_toplev_csv(struct reader *r, const char *line, char separator)
{
    struct token token[COLUMNS];
    struct td_percent_row place = {.sure = true};
    const size_t n = split(line, separator, token, COLUMNS);

    for (size_t i = 0; i + 2 < n; i++) {
        const struct td_node *node = td_percent_node(token[i].at, token[i].len);
        const double percent = number(token[i + 1].at, token[i + 1].len);

        if (node && !isnan(percent) && is_share(&token[i + 2])) {
            add_one(r, &place, node, percent);
            return true;
        }
        if (!take_time(&place, &token[i]) && token[i].len)
            add_scope(&place, "", token[i].at, token[i].len);
    }
    return false;
}

static void take_csv_row(struct reader *r, const char *line)
{
    const struct percent_header *h = &r->header;
    struct token token[COLUMNS], name = {"", 0}, unit = name;
    struct td_percent_row row = {.n = 0};
    const size_t n = split(line, h->separator, token, COLUMNS);
    double value = (double)NAN;

    for (size_t i = 0; i < n && i < h->n; i++) {
        if (h->kind[i] == 't')
            set_time(&row, token[i].at, token[i].len);
        else if (h->kind[i] == 's' && token[i].len)
            add_scope(&row, "", token[i].at, token[i].len);
        name = h->kind[i] == 'n' ? token[i] : name;
        unit = h->kind[i] == 'u' ? token[i] : unit;
        value = h->kind[i] == 'v' ? number(token[i].at, token[i].len) : value;
        if (h->node[i] && !isnan(number(token[i].at, token[i].len)) && row.n < TD_PERCENT_NODES &&
            !has(&row, h->node[i]))
            row.value[row.n++] = (struct td_percent_value){h->node[i], number(token[i].at, token[i].len) / 100};
    }
    if (!h->listed && row.n)
        append(r, &row);
    else if (h->listed && is_share(&unit) && !isnan(value) && td_percent_node(name.at, name.len))
        add_one(r, &row, td_percent_node(name.at, name.len), value);
}

/* ---- JSON: objects in one line each ------------------------------------------------------ */

/* The next "key" : "value" or number from *at on. */
static bool next_pair(const char **at, struct token *key, struct token *value)
{
    const char *open = strchr(*at, '"'), *close = open ? strchr(open + 1, '"') : NULL,
               *colon = close ? close + 1 + strspn(close + 1, " \t") : NULL;

    if (!colon)
        return false;
    *key = (struct token){open + 1, (size_t)(close - open - 1)};
    *value = (struct token){colon, 0};
    *at = close + 1;
    if (*colon != ':')
        return true;
    value->at = colon + 1 + strspn(colon + 1, " \t");
    if (*value->at == '{' || *value->at == '[') { /* its pairs are next */
        *at = value->at;
    } else if (*value->at == '"') {
        value->at++;
        value->len = strcspn(value->at, "\"");
        *at = value->at + value->len + (value->at[value->len] == '"');
    } else {
        value->len = strcspn(value->at, ",} \t]");
        *at = value->at + value->len;
    }
    return true;
}

/* {"name": "Level1", "ph": "C", "pid": "C0", "ts": 1.0e-06, "args": {"Frontend_Bound": 22.1, ...}}: an event of a trace
 * for Chrome, as toplev --json writes it, one for each level. Its time is in seconds divided by a million, where Chrome
 * has microseconds. */
static void take_event(struct reader *r, struct td_percent_row *event)
{
    struct td_percent_row place = *event;

    if (place.has_time)
        place.time = place.time < 1000000000 ? place.time * 1000000 : place.time / 1000000;
    place.n = 0;
    for (size_t i = 0; i < event->n; i++)
        add_one(r, &place, event->value[i].node, 100 * event->value[i].share);
    *event = (struct td_percent_row){.n = 0};
}

static void take_json(struct reader *r, const char *line)
{
    struct td_percent_row row = {.n = 0}, place;
    struct token key, value, metric = {"", 0}, unit = metric;
    const bool events = strstr(line, "\"ph\"") != NULL;

    while (next_pair(&line, &key, &value)) {
        const struct td_node *node = td_percent_node(key.at, key.len);

        if (events && is(&key, "name"))
            take_event(r, &row);
        if (is(&key, "counter-value") && value.len && isdigit((unsigned char)*value.at))
            return; /* counts are to be read */
        if (is(&key, "metric-value"))
            metric = value;
        else if (is(&key, "metric-unit"))
            unit = value;
        else if (kind_of(&key) == 't')
            set_time(&row, value.at, value.len);
        else if (kind_of(&key) == 's' && value.len)
            add_scope(&row, is(&key, "cpu") ? "CPU" : "", value.at, value.len);
        else if (node && !isnan(number(value.at, value.len)) && row.n < TD_PERCENT_NODES)
            row.value[row.n++] = (struct td_percent_value){node, number(value.at, value.len) / 100};
    }
    if (events) {
        take_event(r, &row);
        return;
    }
    place = row;
    place.n = 0;
    if (row.n > 1)
        append(r, &row);
    else if (!isnan(number(metric.at, metric.len)) && td_percent_node(unit.at, unit.len))
        add_one(r, &place, td_percent_node(unit.at, unit.len), number(metric.at, metric.len));
}

/* ---- text -------------------------------------------------------------------------------- */

/* "C0    FE    Frontend_Bound    % Slots    53.9": toplev's, with the time before it where there are intervals. */
static bool take_toplev(struct reader *r, const char *line)
{
    struct token token[TOKENS];
    struct td_percent_row row = {.sure = true};
    const struct td_node *node;
    size_t n, unit = 2, name;

    if (!strstr(line, "% Slots"))
        return false;
    n = split(line, 0, token, TOKENS);
    while (unit + 1 < n && !(is(&token[unit], "%") && !strncmp(token[unit + 1].at, "Slots", 5)))
        unit++;
    if (unit + 2 >= n)
        return true;
    name = unit - 1;
    node = td_percent_node(token[name].at, token[name].len);
    for (size_t i = 0; i + 1 < name; i++) /* the last before the name is its area: FE, BE/Mem */
        if (!take_time(&row, &token[i]))
            add_scope(&row, "", token[i].at, token[i].len);
    if (node && !isnan(number(token[unit + 2].at, token[unit + 2].len)))
        add_one(r, &row, node, number(token[unit + 2].at, token[unit + 2].len));
    return true;
}

/* "backend              33122828809181 # 35.9% (43.9%)": a node of level 1 in the table of wspy
 * (github.com/mvermeulen/wspy), whose counts are each of a part of the time. */
static bool take_wspy(struct reader *r, const char *line)
{
    static const struct {
        const char *name, *node;
    } names[] = {{"retiring", "retiring"},
                 {"frontend", "frontend_bound"},
                 {"backend", "backend_bound"},
                 {"speculation", "bad_speculation"},
                 {"smt-contention", "smt_contention"}};
    const struct td_percent_row place = {.n = 0};
    struct token token[4];

    if (split(line, 0, token, 4) < 4 || !is(&token[2], "#") || token[3].at[token[3].len - 1] != '%')
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (is(&token[0], names[i].name) && strspn(token[1].at, "0123456789") == token[1].len &&
            !isnan(number(token[3].at, token[3].len))) {
            add_one(r, &place, td_percent_node(names[i].node, strlen(names[i].node)),
                    number(token[3].at, token[3].len));
            return true;
        }
    return false;
}

/* "TopdownL1 (cpu_atom)    #", "5  cpu_atom/TOPDOWN_FE_BOUND.ALL/  #": the line says of which cores of a hybrid its
 * percentages are, and those of the lines below that begin with the mark. */
static void take_core(struct reader *r, const char *line, const char *mark)
{
    char text[TD_PERCENT_SCOPE * 2];

    if (line + strspn(line, " \t") == mark)
        return;
    snprintf(text, sizeof(text), "%.*s", (int)(mark - line), line);
    r->core = NULL;
    for (const char *kind = "PEL"; *kind && !r->core; kind++)
        if (strstr(text, td_core_pmu(*kind)))
            r->core = td_core_pmu(*kind);
}

/* "18.4 %  tma_backend_bound(lower)", "24.2% retiring": the percentage of a node after a mark. NAN: it is none. */
static double after_mark(const char *mark, const struct td_node **node)
{
    const char *digits = mark + 1 + strspn(mark + 1, " \t"), *sign = digits + strcspn(digits, " \t%#"), *name;

    name = sign + strspn(sign, " \t");
    *node = *name == '%' ? td_percent_node(name, strcspn(name, "(#")) : NULL;
    return *node ? number(digits, (size_t)(sign - digits)) : (double)NAN;
}

/* "TopdownL1    #   18.4 %  tma_backend_bound": what perf prints instead of counts. Beside a count it is taken only
 * where the counts are known to give nothing: else they are to be read. */
static bool take_beside(struct reader *r, const char *line)
{
    struct td_percent_row place = {.n = 0};
    const char *first = strchr(line, '#');
    const struct td_node *node;
    bool any = false;

    if (!first || (isdigit((unsigned char)line[strspn(line, " \t")]) && !r->out->beside_counts))
        return false;
    for (const char *mark = first; mark; mark = strchr(mark + 1, '#')) {
        const double percent = after_mark(mark, &node);

        if (isnan(percent))
            continue;
        if (!any)
            take_core(r, line, first);
        if (!any && r->core)
            add_scope(&place, "", r->core, strlen(r->core));
        add_one(r, &place, node, percent);
        any = true;
    }
    return any;
}

/* A header of perf's tables: nodes and nothing else but "time", "%" and prefixes. */
static bool take_text_header(struct reader *r, const char *line)
{
    struct percent_header h = {.separator = 0};
    const struct td_node *node;
    size_t at = 0, top = 0;

    while (h.n < TD_PERCENT_NODES && (node = td_percent_next(line, &at))) {
        h.node[h.n++] = node;
        top += node->level == TD_LEVEL_TOP;
    }
    if (top < 2 || strpbrk(line, "0123456789"))
        return false;
    r->header = h;
    return true;
}

/* A row of a table has as many numbers at its end as the header has nodes; before them may be a time, the scope, and
 * how many CPUs it has. */
static void take_text_row(struct reader *r, const char *line)
{
    const struct percent_header *h = &r->header;
    struct token token[TOKENS];
    struct td_percent_row row = {.n = 0};
    const size_t n = split(line, 0, token, TOKENS);

    if (n < h->n || strstr(line, "seconds"))
        return;
    for (size_t i = 0; i < h->n; i++) {
        const struct token *t = &token[n - h->n + i];

        if (isnan(number(t->at, t->len)))
            return;
        row.value[row.n++] = (struct td_percent_value){h->node[i], number(t->at, t->len) / 100};
    }
    for (size_t i = 0; i < n - h->n; i++)
        if (!take_time(&row, &token[i]) && isnan(number(token[i].at, token[i].len)))
            add_scope(&row, "", token[i].at, token[i].len);
    append(r, &row);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Whether a line may name a node: most lines of a large file do not. */
static bool may_name(const char *line)
{
    static const char *const parts[] = {
        "bound",      "retiring", "spec",     "latency", "bandwidth", "operations", "clears",
        "mispredict", "restarts", "base",     "path",    "microcode", "contention", "wasted",
        "area",       "metric",   "frontend", "backend", "uops",
    };
    bool may = false;

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !may; i++)
        may = strcasestr(line, parts[i]);
    return may;
}

static void take_line(struct reader *r, const char *line)
{
    static const char separators[] = ",;|\t";

    if (!may_name(line) && !r->header.n)
        return;
    if (strchr(line, '{') && strchr(line, ':')) {
        take_json(r, line);
        return;
    }
    for (const char *s = separators; *s; s++)
        if (strchr(line, *s) && (take_csv_header(r, line, *s) || (!r->header.separator && take_csv_pair(r, line, *s)) ||
                                 (!r->header.n && take_toplev_csv(r, line, *s))))
            return;
    if (r->header.separator)
        take_csv_row(r, line);
    else if (!take_toplev(r, line) && !take_beside(r, line) && !take_wspy(r, line) && !take_text_header(r, line) &&
             r->header.n)
        take_text_row(r, line);
}

/* Fractions of 1, as older perfs print them: level 1 adds up to about 1. */
static void scale(struct td_percent_row *row)
{
    double sum = 0;
    size_t top = 0;

    for (size_t i = 0; i < row->n; i++)
        if (row->value[i].node->level == TD_LEVEL_TOP)
            sum += 100 * row->value[i].share, top++;
    for (size_t i = 0; i < row->n && top > 2 && sum > 0.9 && sum < 1.1; i++)
        row->value[i].share *= 100;
}

static size_t count_top(const struct td_percent_row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->n; i++)
        n += row->value[i].node->level == TD_LEVEL_TOP;
    return n;
}

/* A node's children follow it. */
static int by_level(const void *a, const void *b)
{
    const struct td_percent_value *x = a, *y = b;

    return x->node->level != y->node->level ? x->node->level - y->node->level
                                            : (int)x->node->number - (int)y->node->number;
}

static void finish(struct td_percent_rows *rows)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->n; i++) {
        if (!rows->row[i].sure && count_top(&rows->row[i]) < 2)
            continue;
        rows->row[kept] = rows->row[i];
        scale(&rows->row[kept]);
        qsort(rows->row[kept].value, rows->row[kept].n, sizeof(*rows->row[kept].value), by_level);
        kept++;
    }
    rows->n = kept;
}

int td_percentages_read(struct td_percent_rows *out, td_read_fn *read, void *ctx)
{
    struct reader r = {.out = out};
    struct td_bytes bytes = {.line = 0};
    bool counts = false;
    char *line;
    size_t len;
    int err = td_bytes_open(&bytes, read, ctx);

    while (!err && !(err = td_bytes_line(&bytes, &line, &len))) {
        counts = counts || strstr(line, "# tdprobe-trace:");
        take_line(&r, line);
        err = r.err;
    }
    td_bytes_close(&bytes);
    if (counts) /* a trace has counts and nothing else: what is wrong with these is the answer */
        td_percentages_free(out);
    finish(out);
    return err == -ENODATA ? 0 : err;
}

void td_percentages_free(struct td_percent_rows *rows)
{
    free(rows->row);
    *rows = (struct td_percent_rows){.row = NULL};
}
