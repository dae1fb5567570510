// SPDX-License-Identifier: GPL-2.0
/* With sampling=1, what runs is what the running task says: it writes '0' to '7', the number of one of
 * phases=, into /dev/tdphase when it enters a function or leaves it. Others are in phase 0; an idle CPU counts nothing.
 */
#include <linux/miscdevice.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "tdpmu.h"

#define TASKS 256

static struct {
    pid_t pid;
    unsigned phase;
} tasks[TASKS];
static DEFINE_RAW_SPINLOCK(lock);
static struct tracepoint *switched;

static unsigned phase_of(pid_t pid)
{
    for (unsigned i = 0; i < TASKS; i++)
        if (READ_ONCE(tasks[i].pid) == pid)
            return READ_ONCE(tasks[i].phase);
    return 0;
}

static void on_switch(void *unused, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned state)
{
    tdpmu_run(next->pid ? (int)phase_of(next->pid) : -1);
}

/* The task's place in the table, or one that nobody needs; -1: it is full. */
static int place_of(pid_t pid)
{
    int free = -1;

    for (int i = 0; i < TASKS; i++) {
        if (tasks[i].pid == pid)
            return i;
        if (free < 0 && (!tasks[i].pid || !tasks[i].phase))
            free = i;
    }
    return free;
}

static ssize_t write(struct file *file, const char __user *text, size_t size, loff_t *offset)
{
    unsigned long flags;
    int at;
    char c;

    if (!size || get_user(c, text) || c < '0' || c >= '0' + TDPMU_PHASES)
        return -EINVAL;
    raw_spin_lock_irqsave(&lock, flags);
    at = place_of(current->pid);
    if (at >= 0) {
        tasks[at].pid = current->pid;
        tasks[at].phase = (unsigned)(c - '0');
        tdpmu_run(c - '0');
    }
    raw_spin_unlock_irqrestore(&lock, flags);
    return at < 0 ? -ENOSPC : (ssize_t)size;
}

static const struct file_operations operations = {.owner = THIS_MODULE, .write = write};
static struct miscdevice device = {.minor = MISC_DYNAMIC_MINOR, .name = "tdphase", .mode = 0666, .fops = &operations};

static void find_switch(struct tracepoint *tp, void *unused)
{
    if (!strcmp(tp->name, "sched_switch"))
        switched = tp;
}

int tdpmu_tasks_load(void)
{
    int err;

    for_each_kernel_tracepoint(find_switch, NULL);
    if (!switched)
        return -ENOENT;
    err = misc_register(&device);
    if (err)
        return err;
    err = tracepoint_probe_register(switched, on_switch, NULL);
    if (err)
        misc_deregister(&device);
    return err;
}

void tdpmu_tasks_unload(void)
{
    tracepoint_probe_unregister(switched, on_switch, NULL);
    tracepoint_synchronize_unregister();
    misc_deregister(&device);
}
