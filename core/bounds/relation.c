/* SPDX-License-Identifier: MIT */
#include "core/bounds/relation.h"

#include "util/number.h"

#include <errno.h>
#include <string.h>

/* A word of a relation's text; length 0: there are no more. */
struct word {
    const char *at;
    size_t length;
};

static struct word next_word(const char **text)
{
    struct word w;

    *text += strspn(*text, " ");
    w = (struct word){*text, strcspn(*text, " ")};
    *text += w.length;
    return w;
}

static bool is(const struct word *w, const char *text)
{
    return w->length == strlen(text) && !memcmp(w->at, text, w->length);
}

/* "2", "0.5" or "width". 0: it is neither. */
static double factor_of(const struct word *w, const struct td_uarch *u)
{
    double number;

    if (is(w, "width"))
        return u->width;
    return td_number_decimal(w->at, w->length, &number) ? 0 : number;
}

/* "A" or "A/B". */
static int read_events(const struct word *w, const struct td_uarch *u, struct td_relation_term *t)
{
    const char *slash = memchr(w->at, '/', w->length);
    const size_t first = slash ? (size_t)(slash - w->at) : w->length;

    t->event[0] = td_uarch_event_find(u, w->at, first);
    t->event[1] = slash ? td_uarch_event_find(u, slash + 1, w->length - first - 1) : -1;
    return t->event[0] < 0 && t->event[1] < 0 ? -ENOENT : 0;
}

/* [FACTOR *] EVENT */
static int read_term(const char **text, const struct td_uarch *u, struct td_relation_term *t)
{
    struct word w = next_word(text), times;
    const char *after = *text;
    bool lacks = false; /* of ratios alone no width is known */

    t->factor = 1;
    times = next_word(&after);
    if (is(&times, "*")) {
        lacks = is(&w, "width") && !u->width;
        t->factor = lacks ? 1 : factor_of(&w, u);
        *text = after;
        w = next_word(text);
    }
    if (!w.length || !(t->factor > 0))
        return -EINVAL;
    return lacks ? -ENOENT : read_events(&w, u, t);
}

int td_relation_read(const struct td_relation *r, const struct td_uarch *u, struct td_relation_code *out)
{
    const char *text = r->text;
    int lacks = 0;

    *out = (struct td_relation_code){.relation = r};
    for (;;) {
        int err = out->n == TD_RELATION_TERMS ? -EINVAL : read_term(&text, u, &out->term[out->n]);
        struct word w;

        if (err == -EINVAL)
            return err;
        lacks = lacks ? lacks : err;
        out->n++;
        w = next_word(&text);
        if (!w.length)
            return out->nleft ? lacks : -EINVAL;
        if (is(&w, "<=") && !out->nleft)
            out->nleft = out->n;
        else if (!is(&w, "+"))
            return -EINVAL;
    }
}
