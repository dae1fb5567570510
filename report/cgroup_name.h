/* SPDX-License-Identifier: MIT */
/* What the path of a cgroup says about what runs in it, by the conventions of systemd and of container runtimes. */
#ifndef REPORT_CGROUP_NAME_H
#define REPORT_CGROUP_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Of a container's cgroup the last part of its path, with the first 12 digits of the id, as docker ps prints it:
 * "docker-4283fefc63f0". false: it is none of a container, and out is empty. */
bool td_cgroup_container(const char *path, char *out, size_t size);
/* The unit of systemd that a cgroup belongs to, the last .service or .scope in its path, "nginx.service"; NULL: none.
 * It is *len bytes of the path. */
const char *td_cgroup_unit(const char *path, size_t *len);

/* Of a cgroup in a pod of Kubernetes the pod's uid, from a name such as kubepods-burstable-pod<uid>.slice (systemd's)
 * or pod<uid> (cgroupfs). false: it is in none, and out is empty. */
bool td_cgroup_pod(const char *path, char *out, size_t size);

#endif
