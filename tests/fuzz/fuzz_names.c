/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a perf-PID.map and as a jitdump; whatever they name is then looked for. */
#include "tests/fuzz/fuzz.h"

#include "symbols/jit_dump.h"
#include "symbols/perf_map.h"

static void check(const struct td_symbol_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct td_symbol *s = &list->symbol[i];

        require(s->name && *s->name && s->end > s->start);
    }
}

/* Each address of a function that was read is in a function, which is one that reaches it. */
static void find_all(const struct td_symbol_table *t, const uint64_t *address, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct td_symbol *s = td_symbols_find(t, address[i]);

        require(s && s->start <= address[i] && address[i] < s->end && *s->name);
    }
}

static void read_by(int (*read)(FILE *, struct td_symbol_list *), const uint8_t *data, size_t size)
{
    FILE *f = fmemopen((void *)data, size, "r");
    struct td_symbol_list list = {.n = 0};
    struct td_symbol_table *table;
    uint64_t *address;
    size_t n;

    if (!f)
        return;
    require(!read(f, &list));
    fclose(f);
    check(&list);
    n = list.n;
    address = malloc((n + 1) * sizeof(*address));
    require(address);
    for (size_t i = 0; i < n; i++)
        address[i] = list.symbol[i].start;
    require(!td_symbols_new(&list, &table) && !list.n && !table == !n);
    find_all(table, address, n);
    td_symbols_free(table);
    free(address);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_by(td_perf_map_read, data, size);
    read_by(td_jit_dump_read, data, size);
    return 0;
}
