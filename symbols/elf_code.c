/* SPDX-License-Identifier: MIT */
#include "symbols/machine_code.h"

#ifdef HAVE_ELFUTILS

#include "symbols/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Copies the code from one offset to another, if both are in one segment. */
static int copy(const struct td_elf *e, uint64_t start, uint64_t end, struct td_elf_code *out, enum td_code_status *how)
{
    const size_t n = (size_t)(end - start);
    GElf_Ehdr header;
    Elf_Data *data;
    uint64_t last;

    *how = TD_CODE_NO_FILE;
    if (!e->elf || !e->gelf_getehdr(e->elf, &header) || !td_elf_to_address(e, start, &out->address) ||
        !td_elf_to_address(e, end - 1, &last) || last - out->address != n - 1)
        return 0;
    data = e->elf_getdata_rawchunk(e->elf, (int64_t)start, n, ELF_T_BYTE);
    if (!data || data->d_size < n)
        return 0;
    out->bytes = malloc(n);
    if (!out->bytes)
        return -ENOMEM;
    memcpy(out->bytes, data->d_buf, n);
    out->n = n;
    out->machine = header.e_machine;
    *how = TD_CODE_OK;
    return 0;
}

static int try_store(struct td_stores *stores, enum td_store store, const struct td_recorded_file *f, uint64_t start,
                     uint64_t end, struct td_elf_code *out, enum td_code_status *how)
{
    enum td_symbols ignored;
    struct td_elf *e;
    int err = td_elf_open(stores, store, f, &e, &ignored);

    if (!e)
        return err;
    out->written = e->written;
    err = copy(e, start, end, out, how);
    td_elf_close(e);
    return err;
}

int td_elf_code_read(struct td_stores *stores, const struct td_recorded_file *f, uint64_t start, uint64_t end,
                     struct td_elf_code *out, enum td_code_status *how)
{
    int err = 0;

    *out = (struct td_elf_code){.n = 0};
    *how = TD_CODE_NO_FILE;
    if (end <= start)
        return 0;
    if (end - start > TD_CODE_MOST) {
        *how = TD_CODE_TOO_LARGE;
        return 0;
    }
    for (enum td_store store = 0; store < TD_STORES && !out->bytes && !err; store++)
        err = try_store(stores, store, f, start, end, out, how);
    return err;
}

#else

int td_elf_code_read(struct td_stores *stores, const struct td_recorded_file *f, uint64_t start, uint64_t end,
                     struct td_elf_code *out, enum td_code_status *how)
{
    (void)stores, (void)f, (void)start, (void)end;
    *out = (struct td_elf_code){.n = 0};
    *how = TD_CODE_NO_FILE;
    return 0;
}

#endif
