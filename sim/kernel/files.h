/* SPDX-License-Identifier: MIT */
/* A tree of small files by their paths, found in O(log n). */
#ifndef TD_FILES_H
#define TD_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A file or a folder; in a description one path can be both. */
struct td_sim_node {
    char *path; /* "": the root */
    size_t len; /* of the path */
    char *text; /* NULL: not a file */
    bool hidden; /* it is hidden, with all that is below it */
    struct td_sim_node *parent;
    struct td_sim_node *child, *last; /* its first and last child, in the order of creation */
    struct td_sim_node *next; /* the next child of its parent */
    struct td_sim_node *link; /* links all nodes of the tree */
};

/* Zeroed: empty. */
struct td_sim_tree {
    void *index; /* tsearch(3), by path */
    struct td_sim_node *all;
    size_t nhidden;
};

/* Adds a file, unless it exists, and the folders above it. 0 or -ENOMEM. */
int td_sim_file_put(struct td_sim_tree *, const char *path, const char *text);
int td_sim_file_format(struct td_sim_tree *, const char *text, const char *path, ...)
    __attribute__((format(printf, 3, 4)));
/* Hides a path, whether or not it exists, and all below it. 0 or -ENOMEM. */
int td_sim_file_hide(struct td_sim_tree *, const char *path);
/* The node of a path; NULL: there is none. */
const struct td_sim_node *td_sim_file_find(const struct td_sim_tree *, const char *path, size_t len);
/* True if the path, or a folder above it, is hidden in this tree. */
bool td_sim_file_hidden(const struct td_sim_tree *, const char *path);
/* The last part of the node's path: its name in its folder. */
const char *td_sim_file_name(const struct td_sim_node *);
void td_sim_tree_free(struct td_sim_tree *);

#endif
