/* SPDX-License-Identifier: MIT */
/* Where a report goes, and what all formats say of a metric. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(const char *path)
{
    int err = errno; /* which saying so may change */

    cli_say("%s cannot be written: %s", path ? path : "stdout", strerror(err));
    return err == EACCES || err == EPERM ? EXIT_PERMISSION : EXIT_OUTPUT;
}

/* A file of its own beside path, with the rights that path would get. */
static int open_temporary(struct cli_out *o)
{
    size_t size = strlen(o->path) + sizeof(".XXXXXX");
    mode_t mask = umask(0);
    int fd, code;

    umask(mask);
    o->temporary = malloc(size);
    if (!o->temporary)
        return cannot_write(o->path);
    snprintf(o->temporary, size, "%s.XXXXXX", o->path);
    fd = mkstemp(o->temporary);
    if (fd < 0) {
        free(o->temporary);
        o->temporary = NULL;
        return cannot_write(o->path);
    }
    o->file = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
    if (o->file)
        return 0;
    code = cannot_write(o->path);
    close(fd);
    unlink(o->temporary);
    free(o->temporary);
    o->temporary = NULL;
    return code;
}

int cli_out_open(struct cli_out *o, const char *path)
{
    struct stat st;
    int code = 0;

    o->path = path;
    o->temporary = NULL;
    o->file = stdout;
    o->bars = !path && isatty(STDOUT_FILENO);
    /* what is there and is no plain file (/dev/null, a pipe) is written in place */
    if (path && (lstat(path, &st) || S_ISREG(st.st_mode)))
        code = open_temporary(o);
    else if (path && !(o->file = fopen(path, "w")))
        code = cannot_write(path);
    if (!code && !o->bars)
        setvbuf(o->file, NULL, _IOFBF, 64 * 1024); /* unless a person waits for each interval */
    return code;
}

int cli_out_close(struct cli_out *o, bool ok)
{
    int code = 0;

    errno = 0;
    if (fflush(o->file) || ferror(o->file)) {
        errno = errno ? errno : EIO;
        code = cannot_write(o->path);
    }
    if (!o->path)
        return code;
    if (fclose(o->file) && !code)
        code = cannot_write(o->path);
    if (o->temporary && (!ok || code))
        unlink(o->temporary);
    else if (o->temporary && rename(o->temporary, o->path))
        code = cannot_write(o->path);
    free(o->temporary);
    return code;
}

char *cli_printable(char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    return text;
}

const char *cli_status(const struct td_metric *m, char buf[CLI_STATUS])
{
    if (m->status != TD_MISSING_EVENT || !m->event)
        return td_status_name(m->status);
    snprintf(buf, CLI_STATUS, "%s:%s", td_status_name(m->status), m->event);
    return buf;
}

const unsigned cli_result_flags = TD_FLAG_REVISION_ASSUMED | TD_FLAG_SMT_UNKNOWN | TD_FLAG_ONE_SIBLING | TD_FLAG_WIDTH_ASSUMED;

void cli_each_flag_of(const struct td_result *r, unsigned flags, unsigned corrections, cli_flag_fn *each, void *ctx)
{
    const char *event;

    flags &= ~(unsigned)TD_FLAG_CORRECTION_MISSING;
    for (unsigned bit = 1; flags; bit <<= 1) {
        if (flags & bit)
            each(ctx, td_flag_name(bit), NULL);
        flags &= ~bit;
    }
    for (size_t i = 0; corrections && (event = td_result_correction(r, i)); i++)
        if (corrections >> i & 1)
            each(ctx, td_flag_name(TD_FLAG_CORRECTION_MISSING), event);
}

void cli_each_flag(const struct td_result *r, const struct td_metric *m, cli_flag_fn *each, void *ctx)
{
    if (m)
        cli_each_flag_of(r, m->flags | (td_result_flags(r) & cli_result_flags), m->corrections, each, ctx);
    else
        cli_each_flag_of(r, td_result_flags(r), ~0u, each, ctx);
}
