/* SPDX-License-Identifier: MIT */
#include "cli/report/page.h"

#include "advice/advice.h"
#include "cli/cli.h"
#include "cli/reading.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_HEARD = 32 };

/* Without memory it is only printed. */
static void hear(void *page, const char *text)
{
    struct cli_page *p = page;
    char **grown = p->nheard < MOST_HEARD ? realloc(p->heard, (p->nheard + 1) * sizeof(*grown)) : NULL;

    cli_say("%s", text);
    if (!grown)
        return;
    p->heard = grown;
    p->heard[p->nheard] = strdup(text);
    p->nheard += p->heard[p->nheard] ? 1 : 0;
}

void cli_page_listen(struct cli_page *p, struct td *td)
{
    td_set_note(td, hear, p);
}

static const char *meaning(const char *node)
{
    const struct td_advice *a = td_advice_find(node, NULL);

    return a ? a->brief : NULL;
}

static int read_paths(struct cli_page *p, const char *path, const struct cli_reading *how)
{
    struct cli_options *set = &p->again;
    struct cli_input in;
    int code = cli_reading_apply(how, set), err;

    if (!code && (td_set_samples_by(set->td, TD_SAMPLES_BY_STACK) || td_set_samples_inlined(set->td, p->inlined)))
        code = EXIT_BUG;
    code = code ? code : cli_input_open(set, path, "report", &in);
    if (code)
        return code;
    err = cli_input_begin(&in, set->td);
    code = err ? cli_library_error(set->td, err) : cli_places_read(set->td, &p->paths);
    cli_input_close(&in);
    return code;
}

/* Its notes are those of the first time. */
static int read_again(struct cli_page *p, const char *path, const struct cli_reading *how)
{
    const int code = cli_options_begin(&p->again);

    if (code)
        return code;
    td_set_note(p->again.td, NULL, NULL);
    return read_paths(p, path, how);
}

/* A file; a pipe can be read only once. */
static bool is_file(const struct cli_input *in, time_t *changed)
{
    struct stat st;

    if (in->fd == STDIN_FILENO || fstat(in->fd, &st) || !S_ISREG(st.st_mode))
        return false;
    *changed = st.st_mtime;
    return true;
}

int cli_page_fill(struct cli_page *p, const struct cli_input *in, const struct cli_reading *how,
                  struct td_functions_report *r)
{
    const bool file = is_file(in, &r->changed),
               stacks = !strcmp(r->functions->kind, td_samples_by_name(TD_SAMPLES_BY_STACK));
    int code = 0;

    r->of = p->of;
    r->meaning = meaning;
    r->heard = (const char *const *)p->heard;
    r->nheard = p->nheard;
    if (stacks && r->about.chains) {
        r->paths = r->functions;
    } else if (file && r->about.chains) {
        p->paths = (struct td_functions){.seed = r->functions->seed, .confidence = r->functions->confidence};
        r->paths = &p->paths;
        code = read_again(p, in->name, how);
    }
    return code;
}

void cli_page_free(struct cli_page *p)
{
    for (size_t i = 0; i < p->nheard; i++)
        free(p->heard[i]);
    free(p->heard);
    td_functions_free(&p->paths);
    td_free(p->again.td);
}
