/* SPDX-License-Identifier: MIT */
#include "cli/bundle/bundle.h"

#include "cli/cli.h"
#include "private/facts.h"
#include "report/json_writer.h"
#include "report/tar.h"
#include "util/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tdprobe-bundle/" /* where tar(1) unpacks it */

enum { NAME = 64 };

struct cli_bundle_file {
    char name[NAME];
    const char *what;
    char *text;
    size_t n, room;
    bool failed; /* it is not whole, as memory ran out */
};

/* ---- files -------------------------------------------------------------------------------------- */

struct cli_bundle_file *cli_bundle_add(struct cli_bundle *b, const char *name, const char *what)
{
    struct cli_bundle_file *f = calloc(1, sizeof(*f));

    if (!f || td_room(&b->file, &b->room, b->n + 1, sizeof(*b->file))) {
        b->failed = true;
        free(f);
        return NULL;
    }
    snprintf(f->name, sizeof(f->name), "%s", name);
    f->what = what;
    b->file[b->n++] = f;
    return f;
}

static void free_file(struct cli_bundle_file *f)
{
    free(f->text);
    free(f);
}

void cli_bundle_drop(struct cli_bundle *b)
{
    if (b->n)
        free_file(b->file[--b->n]);
}

void cli_bundle_free(struct cli_bundle *b)
{
    while (b->n)
        cli_bundle_drop(b);
    free(b->file);
    *b = (struct cli_bundle){.n = 0};
}

/* A td_output_fn. */
static int put(void *file, const char *bytes, size_t n)
{
    struct cli_bundle_file *f = file;

    if (td_room(&f->text, &f->room, f->n + n, 1)) {
        f->failed = true;
        return -ENOMEM;
    }
    memcpy(f->text + f->n, bytes, n);
    f->n += n;
    return 0;
}

/* The library writes whole lines. */
int cli_bundle_write_trace(void *file, const void *buf, size_t size)
{
    static const char host[] = "# x-host: ";
    const char *at = buf, *end = at + size;
    int err = 0;

    while (!err && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
        const size_t n = (size_t)(next - at);

        if (n < strlen(host) || memcmp(at, host, strlen(host)) != 0)
            err = put(file, at, n);
        at = next;
    }
    return err;
}

int cli_bundle_report(struct cli_bundle *b, const char *name, const char *what, struct td_report *r)
{
    struct cli_bundle_file *f = cli_bundle_add(b, name, what);

    *r = (struct td_report){.format = td_report_format_find("json")};
    return !f || td_output_open_fn(&r->out, put, f) ? cli_no_memory() : 0;
}

/* ---- the machine -------------------------------------------------------------------------------- */

static void put_fact(void *file, const char *line)
{
    put(file, line, strlen(line));
    put(file, "\n", 1);
}

int cli_bundle_machine(struct cli_bundle *b, struct td *td)
{
    struct cli_bundle_file *about = cli_bundle_add(b, "about", "version");
    struct cli_bundle_file *machine = cli_bundle_add(b, CLI_BUNDLE_MACHINE, "machine");
    char by[NAME];
    int err;

    if (!about || !machine)
        return cli_no_memory();
    snprintf(by, sizeof(by), "by: tdprobe %s", td_version());
    put_fact(about, "tdprobe-bundle: 1");
    put_fact(about, by);
    err = td_facts(td, put_fact, machine);
    return err ? cli_library_error(td, err) : 0;
}

/* ---- the list, and the archive ------------------------------------------------------------------ */

static void list_text(struct td_output *o, const char *path, const struct cli_bundle *b)
{
    td_output_format(o, "%s will have, and nothing else:\n", path);
    for (size_t i = 0; i < b->n; i++)
        td_output_format(o, "  %-32s %8zu bytes  %s\n", b->file[i]->name, b->file[i]->n, b->file[i]->what);
}

/* An object in a line of its own. */
static void list_json(struct td_output *o, const char *path, const struct cli_bundle *b)
{
    struct td_json_writer j = {.out = o};

    td_json_put_open(&j, '{');
    td_json_put_clean(&j, "bundle", path);
    td_json_put_key(&j, "files");
    td_json_put_open(&j, '[');
    for (size_t i = 0; i < b->n; i++) {
        td_json_put_open(&j, '{');
        td_json_put_text(&j, "name", b->file[i]->name);
        td_json_put_key(&j, "bytes");
        td_json_put_integer(&j, (int64_t)b->file[i]->n);
        td_json_put_text(&j, "what", b->file[i]->what);
        td_json_put_close(&j, '}');
    }
    td_json_put_close(&j, ']');
    td_json_put_close(&j, '}');
    td_output_char(o, '\n');
}

static int write_archive(const struct cli_bundle *b, const char *path)
{
    struct td_output o;
    char name[sizeof(FOLDER) + NAME];
    int code = cli_output_error(&o, td_output_open(&o, path));

    if (code)
        return code;
    for (size_t i = 0; i < b->n; i++) {
        const struct cli_bundle_file *f = b->file[i];

        snprintf(name, sizeof(name), FOLDER "%s", f->name);
        td_tar_put(&o, name, f->n ? f->text : "", f->n);
    }
    td_tar_end(&o);
    return cli_output_error(&o, td_output_close(&o, true));
}

int cli_bundle_write(struct cli_bundle *b, const char *path, struct td_output *list, bool json)
{
    for (size_t i = 0; i < b->n; i++)
        b->failed = b->failed || b->file[i]->failed;
    if (b->failed)
        return cli_no_memory();
    (json ? list_json : list_text)(list, path, b);
    if (td_output_flush(list)) /* what nobody could see is not written; closing reports it */
        return EXIT_OUTPUT;
    return write_archive(b, path);
}
