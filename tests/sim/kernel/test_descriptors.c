/* SPDX-License-Identifier: MIT */
/* Descriptors: the lowest that is free, after those that every process has, and as many as Linux's fs.nr_open allows by
 * default. */
#include "sim/kernel/descriptors.h"
#include "tests/support/unit.h"

#include <errno.h>

enum { FIRST = 3, MOST = 1048576 };

static const struct td_sim_fd folder = {.what = TD_SIM_FD_CGROUP, .number = 7};

static void all(void)
{
    struct td_sim_fds fds = {.room = 0};
    int fd = FIRST;

    while (fd - FIRST < MOST && td_sim_fd_open(&fds, &folder) == fd)
        fd++;
    CU_ASSERT_EQUAL(fd, FIRST + MOST);
    CU_ASSERT_EQUAL(fds.open, MOST);
    CU_ASSERT_EQUAL(td_sim_fd_open(&fds, &folder), -EMFILE);
    td_sim_fd_close(&fds, FIRST + MOST / 2);
    td_sim_fd_close(&fds, FIRST + 1);
    CU_ASSERT_EQUAL(td_sim_fd_open(&fds, &folder), FIRST + 1);
    CU_ASSERT_EQUAL(td_sim_fd_open(&fds, &folder), FIRST + MOST / 2);
    CU_ASSERT_EQUAL(td_sim_fd_open(&fds, &folder), -EMFILE);
    td_sim_fds_free(&fds);
}

static void found(void)
{
    struct td_sim_fds fds = {.room = 0};

    CU_ASSERT_PTR_NULL(td_sim_fd_find(&fds, FIRST));
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(td_sim_fd_open(&fds, &folder), FIRST + i);
    for (int fd = -1; fd < FIRST + 100; fd++) {
        const struct td_sim_fd *at = td_sim_fd_find(&fds, fd);

        CU_ASSERT_EQUAL(at != NULL, fd >= FIRST && fd < FIRST + 3);
        CU_ASSERT_TRUE(!at || at->number == folder.number);
        CU_ASSERT_PTR_NULL(td_sim_fd_event(&fds, fd));
    }
    td_sim_fd_close(&fds, FIRST + 1);
    CU_ASSERT_PTR_NULL(td_sim_fd_find(&fds, FIRST + 1));
    td_sim_fds_free(&fds);
}

static CU_TestInfo tests[] = {
    {"the lowest free descriptor is taken, until all are", all},
    {"what is open is found, and nothing else", found},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("descriptors", tests);
