/* SPDX-License-Identifier: MIT */
#include "cli/sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What linux/landlock.h defines, of which Debian 12 has version 2: the numbers are the same on all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

#define BIT(n) ((uint64_t)1 << (n))
#define FS_WRITE_FILE BIT(1)
#define FS_READ_FILE BIT(2)
#define FS_READ_DIR BIT(3)
#define FS_REMOVE_DIR BIT(4)
#define FS_REMOVE_FILE BIT(5)
#define FS_MAKE_DIR BIT(7)
#define FS_MAKE_REG BIT(8)
#define FS_TRUNCATE BIT(14)
#define FS_OF_FILES (FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define NET_BIND BIT(0)
#define NET_CONNECT BIT(1)
#define SCOPE_ABSTRACT_SOCKETS BIT(0)
#define SCOPE_SIGNALS BIT(1)

/* An older kernel takes a longer struct, if what it does not know is 0. */
struct ruleset {
    uint64_t fs, net, scoped;
};

struct rule {
    uint64_t fs;
    int32_t beneath;
} __attribute__((packed));

/* All that a version can refuse: 13 kinds of access, in version 2 files that change their folder, in 3 truncation, in 5
 * ioctl(2) of devices; in 4 TCP, in 6 signals and abstract sockets of processes outside. */
static struct ruleset everything(int version, bool connects)
{
    const unsigned kinds = 13u + (version >= 2) + (version >= 3) + (version >= 5);
    struct ruleset all = {.fs = BIT(kinds) - 1};

    if (version >= 4)
        all.net = connects ? NET_BIND : NET_BIND | NET_CONNECT;
    if (version >= 6)
        all.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    return all;
}

int cli_landlock_version(void)
{
    const long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);

    return version < 0 ? -errno : (int)version;
}

bool cli_landlock_begin(struct cli_landlock *l, bool connects)
{
    const int version = cli_landlock_version();
    const struct ruleset all = everything(version, connects);

    *l = (struct cli_landlock){.handled = all.fs};
    l->rules = version < 1 ? -1 : (int)syscall(CREATE_RULESET, &all, sizeof(all), 0);
    return l->rules >= 0;
}

static uint64_t accesses(unsigned rights)
{
    uint64_t fs = 0;

    if (rights & CLI_LANDLOCK_READ)
        fs |= FS_READ_FILE | FS_READ_DIR;
    if (rights & CLI_LANDLOCK_WRITE)
        fs |= FS_WRITE_FILE | FS_TRUNCATE;
    if (rights & CLI_LANDLOCK_MAKE)
        fs |= FS_MAKE_REG | FS_REMOVE_FILE;
    if (rights & CLI_LANDLOCK_FOLDERS)
        fs |= FS_MAKE_DIR | FS_REMOVE_DIR;
    return fs;
}

static bool is_short(int err)
{
    return err == EMFILE || err == ENFILE || err == ENOMEM;
}

void cli_landlock_allow(struct cli_landlock *l, const char *path, unsigned rights)
{
    struct rule rule = {accesses(rights) & l->handled, open(path, O_PATH | O_CLOEXEC)};
    struct stat st;

    if (rule.beneath < 0) {
        l->lacking = l->lacking || is_short(errno);
        return;
    }
    if (fstat(rule.beneath, &st) || !S_ISDIR(st.st_mode))
        rule.fs &= FS_OF_FILES;
    /* this fails for pipes and sockets, which Landlock leaves alone */
    if (syscall(ADD_RULE, l->rules, PATH_BENEATH, &rule, 0))
        l->lacking = l->lacking || is_short(errno);
    close(rule.beneath);
}

bool cli_landlock_end(struct cli_landlock *l)
{
    const bool done = !l->lacking && !syscall(RESTRICT_SELF, l->rules, 0);

    close(l->rules);
    return done;
}
