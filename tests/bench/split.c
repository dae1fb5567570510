/* SPDX-License-Identifier: MIT */
/* The yardstick: libcsv splitting stdin into fields, and nothing else. */
#include <csv.h>
#include <stdio.h>
#include <unistd.h>

struct total {
    unsigned long fields, rows, bytes;
};

static void field(void *text, size_t len, void *ctx)
{
    struct total *t = ctx;

    (void)text;
    t->fields++;
    t->bytes += len;
}

static void row(int end, void *ctx)
{
    struct total *t = ctx;

    (void)end;
    t->rows++;
}

int main(void)
{
    static char buf[64 * 1024];
    struct total total = {0};
    struct csv_parser parser;
    ssize_t n;

    if (csv_init(&parser, 0))
        return 70;
    csv_set_quote(&parser, '\0');
    while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0)
        if (csv_parse(&parser, buf, (size_t)n, field, row, &total) != (size_t)n)
            return 70;
    csv_fini(&parser, field, row, &total);
    csv_free(&parser);
    printf("%lu rows, %lu fields, %lu bytes in fields\n", total.rows, total.fields, total.bytes);
    return n < 0 ? 74 : 0;
}
