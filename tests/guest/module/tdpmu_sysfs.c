// SPDX-License-Identifier: GPL-2.0
/* The files below /sys/bus/event_source/devices/<pmu>. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/sysfs.h>

#include "tdpmu.h"

#define FILES 48

struct text_file {
    struct device_attribute attr;
    const char *text;
};

static struct text_file files[FILES];
static unsigned nfiles;
static struct attribute *lists[FILES + 8];
static unsigned nlisted;
static struct attribute_group groups[4];
static const struct attribute_group *group_list[5];
static unsigned ngroups;

static ssize_t show(struct device *dev, struct device_attribute *attr, char *page)
{
    const struct text_file *f = container_of(attr, struct text_file, attr);

    if (!f->text)
        return cpumap_print_to_pagebuf(true, page, cpu_possible_mask);
    return sysfs_emit(page, "%s\n", f->text);
}

/* No .scale of the kernel ends with a newline: perf 4.8 read it as part of the number. */
static ssize_t show_bare(struct device *dev, struct device_attribute *attr, char *page)
{
    return sysfs_emit(page, "%s", container_of(attr, struct text_file, attr)->text);
}

static bool add_group(const char *name, const struct tdpmu_text *texts)
{
    struct attribute_group *g = &groups[ngroups];

    if (!texts)
        return true;
    g->name = name;
    g->attrs = &lists[nlisted];
    for (; texts->name; texts++) {
        struct text_file *f = &files[nfiles++];

        if (nfiles >= FILES)
            return false;
        sysfs_attr_init(&f->attr.attr);
        f->attr.attr.name = texts->name;
        f->attr.attr.mode = 0444;
        f->attr.show = strchr(texts->name, '.') ? show_bare : show;
        f->text = texts->text;
        lists[nlisted++] = &f->attr.attr;
    }
    lists[nlisted++] = NULL;
    group_list[ngroups++] = g;
    return true;
}

const struct attribute_group **tdpmu_sysfs_groups(void)
{
    const struct tdpmu_flavour *f = tdpmu_flavour;

    if (!add_group("events", f->event_files) || !add_group("format", f->format_files) ||
        !add_group("caps", f->cap_files) || !add_group(NULL, f->files))
        return NULL;
    return group_list;
}
