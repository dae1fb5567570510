/* SPDX-License-Identifier: MIT */
/* Files that are written by a name that may be a link: whose links are followed. */
#ifndef TD_OWN_LINKS_H
#define TD_OWN_LINKS_H

/* open(2) for writing with these flags besides, and mode 0666. If the name itself is a link, it is followed where it
 * belongs to this user or to root, and so on for what it names: others can put a link to this user's files into a
 * folder that they may write, and not every kernel has fs.protected_symlinks. Links among the folders of the name are
 * the system's, as for each other program. A descriptor or -errno; -ELOOP: the link is somebody else's. */
int td_own_links_open(const char *path, int flags);

#endif
