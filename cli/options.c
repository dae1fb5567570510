/* SPDX-License-Identifier: MIT */
/* The options that replaying and measuring have in common. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

static void note(void *ctx, const char *text)
{
    (void)ctx;
    cli_say("%s", text);
}

int cli_settings_begin(struct cli_settings *s)
{
    s->format = &cli_format_text;
    s->td = td_new();
    if (!s->td) {
        cli_say("out of memory");
        return EXIT_BUG;
    }
    td_set_note(s->td, note, NULL);
    return 0;
}

int cli_library_error(const struct td *td, int err)
{
    cli_say("%s", td_error(td));
    return cli_exit_code(err);
}

const char *cli_next_step(const struct td *td, int err)
{
    if (err != -EOPNOTSUPP || *td_machine_name(td))
        return "";
    return strstr(td_error(td), "--uarch") ? "; 'tdprobe doctor' tells more"
                                           : "; 'tdprobe doctor' tells more, --uarch NAME measures it as another ('tdprobe list uarchs')";
}

static int set_format(struct cli_settings *s, const char *name)
{
    static const struct cli_format *const formats[] = {&cli_format_text, &cli_format_csv, &cli_format_json};

    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (!strcmp(formats[i]->name, name)) {
            s->format = formats[i];
            return 0;
        }
    return cli_usage("the format is text, csv or json, not '%s'", name);
}

static int set_level(struct cli_settings *s, const char *text)
{
    int err = td_set_level(s->td, !strcmp(text, "1") ? 1 : !strcmp(text, "2") ? 2 : 0);

    return err ? cli_usage("the level is 1 or 2, not '%s'", text) : 0;
}

int cli_settings_take(struct cli_settings *s, int option, const char *value)
{
    int err = 0;

    switch (option) {
    case CLI_UARCH:
        err = td_set_uarch(s->td, value);
        break;
    case CLI_BACKEND:
        err = td_set_backend(s->td, value);
        break;
    case CLI_IMPORT_FORMAT:
        err = td_set_format(s->td, value);
        break;
    case CLI_NO_FIXED:
        td_set_fixed(s->td, false);
        break;
    case CLI_LEVEL:
        return set_level(s, value);
    case CLI_FORMAT:
        return set_format(s, value);
    case CLI_COUNTS:
        s->out.counts = true;
        break;
    case 'o':
        s->output = value;
        return *value ? 0 : cli_usage("-o: the name of the file is empty");
    default: /* getopt_long() gives no other */
        return EXIT_BUG;
    }
    return err ? cli_library_error(s->td, err) : 0;
}

int cli_settings_separator(struct cli_settings *s, const char *text)
{
    if (!strcmp(text, "\\t")) /* as perf does */
        text = "\t";
    if (!*text || strpbrk(text, "\"\r\n"))
        return cli_usage("-x: the separator is one or more characters, but no quotes and no newlines");
    s->out.separator = text;
    s->format = &cli_format_csv;
    return 0;
}

/* The options that "--text" may stand for, joined: more than one, else false. */
static bool ambiguous(const char *text, const struct option *options, char *out, size_t size)
{
    size_t len = strcspn(text + 2, "="), used = 0, n = 0;

    for (; options->name; options++) {
        if (strncmp(options->name, text + 2, len))
            continue;
        if (!options->name[len])
            return false;
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s--%s", n ? ", " : "", options->name);
        n++;
    }
    return n > 1;
}

int cli_settings_wrong(const char *command, int option, char **argv, const struct option *options)
{
    char names[512];
    char letter[] = {'-', (char)optopt, '\0'};
    const char *text = argv[optind - 1]; /* the word before, where a letter is not the last of its word */
    bool long_name = !strncmp(text, "--", 2) && (option == ':' || !optopt || strchr(text, '='));

    if (!long_name && optopt > 0 && optopt < CLI_UARCH)
        text = letter;
    if (option == ':')
        return cli_usage("%s lacks its value", text);
    if (long_name && ambiguous(text, options, names, sizeof(names)))
        return cli_usage("%s may be %s", text, names);
    return cli_usage("%s has no option %s", command, text);
}

ssize_t cli_read_fd(void *fd, void *buf, size_t size)
{
    ssize_t n;

    do {
        n = read(*(int *)fd, buf, size);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

int cli_settings_machine(struct cli_settings *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), err;

    if (fd < 0) {
        cli_say("%s cannot be opened: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    err = td_set_machine(s->td, path, cli_read_fd, &fd);
    close(fd);
    return err ? cli_library_error(s->td, err) : 0;
}
