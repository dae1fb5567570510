/* SPDX-License-Identifier: MIT */
#include "sim/kernel/files.h"

#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_path(const void *a, const void *b)
{
    const struct td_sim_node *x = a, *y = b;
    const int order = memcmp(x->path, y->path, x->len < y->len ? x->len : y->len);

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static struct td_sim_node *find(const struct td_sim_tree *t, const char *path, size_t len)
{
    const struct td_sim_node key = {.path = (char *)(uintptr_t)path, .len = len};
    struct td_sim_node *const *found = tfind(&key, &t->index, by_path);

    return found ? *found : NULL;
}

const struct td_sim_node *td_sim_file_find(const struct td_sim_tree *t, const char *path, size_t len)
{
    return find(t, path, len);
}

/* Where the path of the containing folder ends; 0: there is none. */
static size_t parent_length(const char *path, size_t len)
{
    while (len && path[len - 1] != '/')
        len--;
    while (len && path[len - 1] == '/')
        len--;
    return len;
}

static struct td_sim_node *new_node(struct td_sim_tree *t, const char *path, size_t len)
{
    struct td_sim_node *n = calloc(1, sizeof(*n));

    if (!n)
        return NULL;
    n->path = strndup(path, len);
    n->len = len;
    if (!n->path || !tsearch(n, &t->index, by_path)) {
        free(n->path);
        free(n);
        return NULL;
    }
    n->link = t->all;
    t->all = n;
    return n;
}

static void add_child(struct td_sim_node *folder, struct td_sim_node *n)
{
    n->parent = folder;
    *(folder->last ? &folder->last->next : &folder->child) = n;
    folder->last = n;
}

/* The node of a path, made if it is new, with the folders above it. NULL: out of memory. */
static struct td_sim_node *reach(struct td_sim_tree *t, const char *path)
{
    struct td_sim_node *wanted = NULL, *below = NULL;
    bool there = false;

    for (size_t len = strlen(path); !there; len = parent_length(path, len)) {
        struct td_sim_node *n = find(t, path, len);

        there = n || !len; /* nothing is above the root */
        if (!n)
            n = new_node(t, path, len);
        if (!n)
            return NULL;
        if (below)
            add_child(n, below);
        if (!wanted)
            wanted = n;
        below = n;
    }
    return wanted;
}

int td_sim_file_put(struct td_sim_tree *t, const char *path, const char *text)
{
    struct td_sim_node *n = reach(t, path);

    if (n && !n->text)
        n->text = strdup(text);
    return n && n->text ? 0 : -ENOMEM;
}

int td_sim_file_format(struct td_sim_tree *t, const char *text, const char *path, ...)
{
    char *full;
    va_list args;
    int err;

    va_start(args, path);
    err = vasprintf(&full, path, args) < 0 ? -ENOMEM : 0;
    va_end(args);
    if (err)
        return err;
    err = td_sim_file_put(t, full, text);
    free(full);
    return err;
}

int td_sim_file_hide(struct td_sim_tree *t, const char *path)
{
    struct td_sim_node *n = reach(t, path);

    if (!n)
        return -ENOMEM;
    t->nhidden += !n->hidden;
    n->hidden = true;
    return 0;
}

bool td_sim_file_hidden(const struct td_sim_tree *t, const char *path)
{
    for (size_t len = strlen(path); t->nhidden && len; len = parent_length(path, len)) {
        const struct td_sim_node *n = find(t, path, len);

        if (n && n->hidden)
            return true;
    }
    return false;
}

const char *td_sim_file_name(const struct td_sim_node *n)
{
    const char *slash = strrchr(n->path, '/');

    return slash ? slash + 1 : n->path;
}

static void keep(void *node)
{
    (void)node; /* the list of all nodes frees it */
}

void td_sim_tree_free(struct td_sim_tree *t)
{
    tdestroy(t->index, keep);
    while (t->all) {
        struct td_sim_node *n = t->all;

        t->all = n->link;
        free(n->path);
        free(n->text);
        free(n);
    }
    *t = (struct td_sim_tree){0};
}
