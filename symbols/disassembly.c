/* SPDX-License-Identifier: MIT */
#include "symbols/machine_code.h"

#include <stdlib.h>

void td_disassembly_free(struct td_disassembly *d)
{
    free(d->at);
    free(d->text);
    *d = (struct td_disassembly){.n = 0};
}

#ifdef HAVE_CAPSTONE

#include "util/room.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Only the major version that this was built against is loaded: those of others have other structs. */
#define STRING(x) #x
#define SONAME(major) "libcapstone.so." STRING(major)

/* The library is loaded when there is something to decode: linked, it would make each start of the program slower. */
#define FUNCTIONS(X) X(cs_open) X(cs_option) X(cs_malloc) X(cs_disasm_iter) X(cs_free) X(cs_close)

struct decoder {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
    csh handle;
    cs_insn *instruction;
};

/* Loads the library, which is never unloaded, and finds its functions. */
static bool load(struct decoder *d)
{
    void *library = dlopen(SONAME(CS_API_MAJOR), RTLD_LAZY | RTLD_LOCAL);
    bool all = library;

#define FIND(name) all = all && (d->name = (__typeof__(name) *)dlsym(library, #name));
    FUNCTIONS(FIND)
    return all;
}

static const struct {
    unsigned machine; /* e_machine of elf(5) */
    cs_arch arch;
    cs_mode mode;
} machines[] = {
    {EM_X86_64, CS_ARCH_X86, CS_MODE_64},
    {EM_386, CS_ARCH_X86, CS_MODE_32},
    {EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM},
};

/* Prepares for code of that machine. -ENOTSUP: there is no decoder for its CPU here. */
static int begin(struct decoder *d, unsigned machine)
{
    size_t i = 0;

    while (i < sizeof(machines) / sizeof(*machines) && machines[i].machine != machine)
        i++;
    if (i == sizeof(machines) / sizeof(*machines) ||
        d->cs_open(machines[i].arch, machines[i].mode, &d->handle) != CS_ERR_OK)
        return -ENOTSUP;
    if (machines[i].arch == CS_ARCH_X86)
        d->cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    d->cs_option(d->handle, CS_OPT_SKIPDATA, CS_OPT_ON);
    d->instruction = d->cs_malloc(d->handle);
    return d->instruction ? 0 : -ENOMEM;
}

static void end(struct decoder *d)
{
    if (d->instruction)
        d->cs_free(d->instruction, 1);
    if (d->handle)
        d->cs_close(&d->handle);
}

static int take(struct td_disassembly *out, const cs_insn *i)
{
    int err = td_room(&out->at, &out->room, out->n + 1, sizeof(*out->at));

    err = err ? err : td_room(&out->text, &out->text_room, out->used + sizeof(i->mnemonic) + sizeof(i->op_str) + 2, 1);
    if (err)
        return err;
    out->at[out->n++] = (struct td_decoded){i->address, out->used};
    out->used += (size_t)sprintf(out->text + out->used, "%.*s%s%.*s", (int)sizeof(i->mnemonic), i->mnemonic,
                                 *i->op_str ? " " : "", (int)sizeof(i->op_str), i->op_str) +
                 1;
    return 0;
}

int td_disassemble(const struct td_elf_code *c, struct td_disassembly *out, enum td_code_status *how)
{
    struct decoder d = {.handle = 0};
    const uint8_t *at = c->bytes;
    uint64_t address = c->address;
    size_t left = c->n;
    int err;

    *out = (struct td_disassembly){.n = 0};
    *how = TD_CODE_NO_LIBRARY;
    if (!load(&d))
        return 0;
    err = begin(&d, c->machine);
    *how = err == -ENOTSUP ? TD_CODE_OTHER_CPU : TD_CODE_OK;
    while (!err && left && d.cs_disasm_iter(d.handle, &at, &left, &address, d.instruction))
        err = take(out, d.instruction);
    end(&d);
    return err == -ENOTSUP ? 0 : err;
}

#else

int td_disassemble(const struct td_elf_code *c, struct td_disassembly *out, enum td_code_status *how)
{
    (void)c;
    *out = (struct td_disassembly){.n = 0};
    *how = TD_CODE_NOT_BUILT;
    return 0;
}

#endif
