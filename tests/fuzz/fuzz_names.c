/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a perf-PID.map, as a jitdump and as copies of both; whatever they name is then looked for. */
#include "tests/fuzz/fuzz.h"

#include "symbols/jit_files.h"
#include "symbols/made_symbols.h"

enum { CODE_MOST = 16 /* functions whose code is read */ };

static void check(const struct td_symbol_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct td_symbol *s = &list->symbol[i];

        require(s->name && *s->name && s->end > s->start);
    }
}

/* Where a function was when it was made, one that was there before it, or was made later where none had been, is found.
 */
static void find_all(const struct td_made_symbols *t, const struct td_symbol *made, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t times[] = {made[i].since, 0, 1, UINT64_MAX};

        for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++) {
            const struct td_symbol *s = td_made_symbols_find(t, made[i].start, times[k]);

            require(s && s->start <= made[i].start && made[i].start < s->end && *s->name);
            require(k || !times[k] || s->since <= made[i].since);
            s = td_made_symbols_inherited(t, made[i].start, times[k]);
            require(!s || (s->start <= made[i].start && made[i].start < s->end));
        }
    }
}

/* Reads the code of what a dump names, as much of it as may be in the file. */
static void read_code(const struct td_symbol_list *list, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < list->n && i < CODE_MOST; i++) {
        const size_t n = (size_t)(list->symbol[i].end - list->symbol[i].start);
        unsigned char *bytes = n <= size ? malloc(n) : NULL;
        FILE *f = bytes ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
        unsigned machine;

        if (f) {
            td_jit_dump_code(f, &list->symbol[i], bytes, &machine);
            fclose(f);
        }
        free(bytes);
    }
}

static void open_copies(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {NULL, "/tmp/jit-5.dump"};
    struct td_kept_files *kept;

    require(!td_kept_files_new(data, size, &kept));
    for (size_t i = 0; i < 2; i++) {
        FILE *f = td_kept_files_open(kept, 5, paths[i]);
        char buf[64];

        if (!f)
            continue;
        while (fread(buf, 1, sizeof(buf), f) == sizeof(buf)) {
        }
        fclose(f);
    }
    td_kept_files_free(kept);
}

static void read_by(int (*read)(FILE *, struct td_symbol_list *), const uint8_t *data, size_t size)
{
    FILE *f = fmemopen((void *)data, size, "r");
    struct td_symbol_list list = {.n = 0};
    struct td_made_symbols *table;
    struct td_symbol *made; /* as they were read, but for their names */
    size_t n;

    if (!f)
        return;
    require(!read(f, &list));
    fclose(f);
    check(&list);
    read_code(&list, data, size);
    n = list.n;
    made = calloc(n + 1, sizeof(*made));
    require(made);
    if (n)
        memcpy(made, list.symbol, n * sizeof(*made));
    require(!td_made_symbols_new(&list, &table) && !list.n && !table == !n);
    find_all(table, made, n);
    td_made_symbols_free(table);
    free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_by(td_perf_map_read, data, size);
    read_by(td_jit_dump_read, data, size);
    open_copies(data, size);
    return 0;
}
