/* SPDX-License-Identifier: MIT */
/* Linux's rights beyond the caller's: whether there are any, and how they are given back. */
#include "os/lent.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    PERFMON = 38, /* CAP_PERFMON, of Linux 5.8; older headers lack it */
    WORD = 32 /* capabilities are in words of this many bits */
};

static bool kept; /* CAP_PERFMON */

bool td_lent(void)
{
    return getauxval(AT_SECURE) != 0;
}

bool td_lent_counting(void)
{
    return kept;
}

const char *td_lent_environment(const char *name)
{
    return td_lent() ? NULL : getenv(name);
}

/* glibc has no function for capget(2) and capset(2). pid 0 is the calling thread. */
static int get_sets(struct __user_cap_data_struct set[2])
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

    return syscall(SYS_capget, &header, set) ? -errno : 0;
}

static int put_sets(const struct __user_cap_data_struct set[2])
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

    return syscall(SYS_capset, &header, set) ? -errno : 0;
}

/* Ids of the caller, for good: the saved ones too. Capabilities that are permitted stay so, which they otherwise do not
 * when the last id of root goes. */
static int take_ids_of_caller(void)
{
    const uid_t user = getuid();
    const gid_t group = getgid();
    int err = prctl(PR_SET_KEEPCAPS, 1L, 0L, 0L, 0L) ? -errno : 0;

    if (!err && (setresgid(group, group, group) || setresuid(user, user, user)))
        err = -errno;
    if (prctl(PR_SET_KEEPCAPS, 0L, 0L, 0L, 0L) && !err)
        err = -errno;
    return err;
}

int td_lent_give_back(bool counting)
{
    struct __user_cap_data_struct set[2] = {{.effective = 0}};
    const uint32_t perfmon = UINT32_C(1) << (PERFMON % WORD);
    int err = td_lent() ? take_ids_of_caller() : 0;

    if (err || !td_lent() || getuid() == 0) /* root as the caller lacks nothing */
        return err;
    err = get_sets(set);
    if (err)
        return err;
    kept = counting && set[PERFMON / WORD].permitted & perfmon;
    set[0] = set[1] = (struct __user_cap_data_struct){.effective = 0};
    set[PERFMON / WORD].permitted = kept ? perfmon : 0;
    err = put_sets(set);
    /* with nothing left that the caller lacks, it is the caller's process, of which a child can be counted */
    if (!err && !kept)
        prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
    return err;
}

void td_lent_counters(bool on)
{
    struct __user_cap_data_struct set[2] = {{.effective = 0}};

    if (!kept)
        return;
    set[PERFMON / WORD].permitted = UINT32_C(1) << (PERFMON % WORD);
    set[PERFMON / WORD].effective = on ? set[PERFMON / WORD].permitted : 0;
    put_sets(set); /* it cannot fail: the set in force stays within the permitted one */
}
