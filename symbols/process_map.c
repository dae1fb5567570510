/* SPDX-License-Identifier: MIT */
/* The functions that a process made while it ran, as JIT compilers name them in /tmp/perf-PID.map, or in a jitdump. */
#include "symbols/symbols.h"

#include "symbols/machine_code.h"
#include "symbols/jit_files.h"
#include "symbols/made_symbols.h"
#include "symbols/stores.h"
#include "util/made_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Anybody may write to /tmp, so that a map or dump is taken only from root and from who reports, as perf does, and only
 * where it is a regular file itself. Returns NULL, and *how says why. */
static FILE *open_map(const char *name, enum td_symbols *how)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat s;
    FILE *f;

    *how = fd < 0 && errno != EACCES ? TD_SYMBOLS_NO_MAP : TD_SYMBOLS_DENIED;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &s) || !S_ISREG(s.st_mode) || (s.st_uid && s.st_uid != geteuid()) || !(f = fdopen(fd, "r"))) {
        close(fd);
        return NULL;
    }
    *how = TD_SYMBOLS_NO_MAP;
    return f;
}

/* Opens a process's dump, or its map where dump is NULL: the recording's copy, or else the file below the root. */
static FILE *open_made(const struct td_stores *s, uint32_t pid, const char *dump, enum td_symbols *how)
{
    char map[TD_MADE_PATH], name[TD_STORE_NAME];
    FILE *kept = td_kept_files_open(s->kept, pid, dump);

    *how = TD_SYMBOLS_NO_MAP;
    if (kept)
        return kept;
    snprintf(map, sizeof(map), TD_MADE_MAP, (unsigned long)pid);
    return snprintf(name, sizeof(name), "%s%s", s->root, dump ? dump : map) < (int)sizeof(name) ? open_map(name, how)
                                                                                                : NULL;
}

int td_symbols_of_process(const struct td_stores *s, uint32_t pid, const char *dump, struct td_made_symbols **out,
                          enum td_symbols *how)
{
    struct td_symbol_list list = {.n = 0};
    FILE *f = open_made(s, pid, dump, how);
    int err;

    *out = NULL;
    if (!f)
        return 0;
    err = dump ? td_jit_dump_read(f, &list) : td_perf_map_read(f, &list);
    fclose(f);
    err = err ? err : td_made_symbols_new(&list, out);
    td_symbol_list_free(&list);
    return err;
}

int td_made_code_read(const struct td_stores *s, uint32_t pid, const char *dump, const struct td_symbol *symbol,
                      struct td_elf_code *out, enum td_code_status *how)
{
    const uint64_t n = symbol->end - symbol->start;
    enum td_symbols opened;
    FILE *f;

    *out = (struct td_elf_code){.address = symbol->start};
    *how = n > TD_CODE_MOST ? TD_CODE_TOO_LARGE : TD_CODE_NO_FILE;
    f = n > TD_CODE_MOST ? NULL : open_made(s, pid, dump, &opened);
    if (!f)
        return 0;
    out->bytes = malloc((size_t)n);
    if (out->bytes && td_jit_dump_code(f, symbol, out->bytes, &out->machine)) {
        out->n = (size_t)n;
        *how = TD_CODE_OK;
    }
    fclose(f);
    return out->bytes ? 0 : -ENOMEM;
}
