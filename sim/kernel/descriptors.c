/* SPDX-License-Identifier: MIT */
#include "sim/kernel/descriptors.h"

#include "util/room.h"

enum { FIRST = 3, MOST = 1 << 20 };

int td_sim_fd_open(struct td_sim_fds *f, const struct td_sim_fd *what)
{
    int err;

    while (f->lowest < f->room && f->fd[f->lowest].what != TD_SIM_FD_FREE)
        f->lowest++;
    if (f->lowest == MOST)
        return -EMFILE;
    err = td_room_zeroed(&f->fd, &f->room, f->lowest + 1, sizeof(*f->fd));
    if (err)
        return err;
    f->fd[f->lowest] = *what;
    f->open++;
    return (int)f->lowest++ + FIRST;
}

struct td_sim_fd *td_sim_fd_find(const struct td_sim_fds *f, int fd)
{
    struct td_sim_fd *found = fd >= FIRST && (size_t)(fd - FIRST) < f->room ? &f->fd[fd - FIRST] : NULL;

    return found && found->what != TD_SIM_FD_FREE ? found : NULL;
}

struct td_sim_event *td_sim_fd_event(const struct td_sim_fds *f, int fd)
{
    const struct td_sim_fd *found = td_sim_fd_find(f, fd);

    return found && found->what == TD_SIM_FD_EVENT ? found->event : NULL;
}

void td_sim_fd_close(struct td_sim_fds *f, int fd)
{
    const size_t i = (size_t)(fd - FIRST);

    f->fd[i] = (struct td_sim_fd){0};
    f->open--;
    if (i < f->lowest)
        f->lowest = i;
}

void td_sim_event_free(struct td_sim_event *e)
{
    for (struct td_sim_event *h = e->heirs, *next; h; h = next) {
        next = h->brother;
        free(h);
    }
    free(e);
}

void td_sim_fds_free(struct td_sim_fds *f)
{
    for (size_t i = 0; i < f->room; i++)
        if (f->fd[i].event)
            td_sim_event_free(f->fd[i].event);
    free(f->fd);
    *f = (struct td_sim_fds){0};
}
