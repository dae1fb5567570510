/* SPDX-License-Identifier: MIT */
/* An output that is kept in memory. */
#ifndef CAPTURED_H
#define CAPTURED_H

#include "report/output.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>

struct captured {
    struct td_output out;
    char *text;
    size_t n;
    unsigned writes;
    int fail; /* -errno of the next write, 0: none */
};

static inline int captured_write(void *ctx, const char *bytes, size_t n)
{
    struct captured *c = ctx;
    char *grown = realloc(c->text, c->n + n + 1);

    c->writes++;
    if (grown)
        c->text = grown;
    if (!grown || c->fail)
        return grown ? c->fail : -ENOMEM;
    memcpy(c->text + c->n, bytes, n);
    c->n += n;
    c->text[c->n] = '\0';
    return 0;
}

static inline struct td_output *captured_begin(struct captured *c)
{
    *c = (struct captured){.text = calloc(1, 1)};
    CU_ASSERT_FATAL(c->text && !td_output_open_fn(&c->out, captured_write, c));
    return &c->out;
}

static inline const char *captured_text(struct captured *c)
{
    return td_output_flush(&c->out) ? "" : c->text;
}

static inline void captured_clear(struct captured *c)
{
    td_output_flush(&c->out);
    c->n = 0;
    *c->text = '\0';
}

static inline void captured_end(struct captured *c)
{
    td_output_close(&c->out, true);
    free(c->text);
}

#endif
