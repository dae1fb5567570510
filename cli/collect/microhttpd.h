/* SPDX-License-Identifier: MIT */
/* The functions of libmicrohttpd that a collector uses. It is loaded where it is needed: linked, it and what it needs
 * would make each start of tdprobe slower. */
#ifndef CLI_COLLECT_MICROHTTPD_H
#define CLI_COLLECT_MICROHTTPD_H

#ifdef HAVE_MICROHTTPD

#include <microhttpd.h>
#include <stdbool.h>

#define CLI_MICROHTTPD "libmicrohttpd.so.12"

struct cli_microhttpd {
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_lookup_connection_value) *lookup_connection_value;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_create_response_from_buffer_with_free_callback_cls)
        *create_response_from_buffer_with_free_callback_cls;
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_destroy_response) *destroy_response;
};

/* false: it is not there, or is not what it was when tdprobe was built. */
bool cli_microhttpd_load(struct cli_microhttpd *);

#endif

#endif
