/* SPDX-License-Identifier: MIT */
/* One page, /metrics, by HTTP: a thread of libmicrohttpd gives the last whole text to whoever asks, and never waits for
 * counters. */
#ifndef CLI_COLLECT_HTTP_H
#define CLI_COLLECT_HTTP_H

#include "cli/collect/address.h"
#include "cli/collect/published.h"

struct cli_http;

/* Listens there; where: as the user wrote it. To be called once signals are taken, so that its thread gets none. 0, or
 * an exit code after a message. */
int cli_http_open(struct cli_http **, const struct cli_address *, const char *where);
/* From now on these are what is given, for each dialect one: it takes their memory over. 0, or -ENOMEM. */
int cli_http_offer(struct cli_http *, struct cli_published of_dialect[TD_EXPOSITIONS]);
/* Ends connections that last too long, whatever their clients do. To be called every few seconds. */
void cli_http_tend(struct cli_http *);
/* NULL is fine. */
void cli_http_close(struct cli_http *);

#endif
