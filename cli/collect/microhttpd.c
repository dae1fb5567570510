/* SPDX-License-Identifier: MIT */
#include "cli/collect/microhttpd.h"

#ifdef HAVE_MICROHTTPD

#include <dlfcn.h>

bool cli_microhttpd_load(struct cli_microhttpd *m)
{
    void *library = dlopen(CLI_MICROHTTPD, RTLD_LAZY | RTLD_LOCAL);
    bool all = library != NULL;

#define FIND(name) all = all && (m->name = (__typeof__(m->name))dlsym(library, "MHD_" #name))
    FIND(start_daemon);
    FIND(stop_daemon);
    FIND(get_connection_info);
    FIND(lookup_connection_value);
    FIND(create_response_from_buffer);
    FIND(create_response_from_buffer_with_free_callback_cls);
    FIND(add_response_header);
    FIND(queue_response);
    FIND(destroy_response);
#undef FIND
    return all;
}

#else

typedef int cli_microhttpd_unused; /* a file has to have something in it */

#endif
