/* SPDX-License-Identifier: MIT */
#include "cli/collect/http.h"

#include "cli/cli.h"

#ifdef HAVE_MICROHTTPD

#include "cli/collect/microhttpd.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECTIONS = 32, /* at one time; a further one ends another */
    ENDING = 32, /* those that are ended and not closed yet, besides */
    SILENCE = 5, /* s, after which a connection that neither gives nor takes anything ends */
    LONGEST = 15, /* s that a connection can last */
    HEADERS = 16 * 1024, /* bytes of memory for the request of a connection, all headers together */
    BACKLOG = 1024,
};

/* What is given, for as long as anybody has it. */
struct offer {
    struct cli_published text;
    unsigned holders; /* the server, and the responses under way */
    pthread_mutex_t *lock; /* of the server */
};

struct connection {
    int fd; /* -1: there is none */
    bool asked; /* it has sent a request */
    bool ended; /* it is closed soon */
    time_t began; /* s, CLOCK_MONOTONIC */
    unsigned long number; /* in the order in which they came */
};

struct cli_http {
    struct cli_microhttpd mhd;
    struct MHD_Daemon *daemon;
    int listening;
    pthread_mutex_t lock; /* of all that follows: the thread of the daemon uses it too */
    struct offer *offer[TD_EXPOSITIONS]; /* by dialect; NULL: nothing has been measured yet */
    struct connection connection[CONNECTIONS + ENDING];
    unsigned long came; /* connections so far */
};

/* ---- texts ------------------------------------------------------------------------------ */

/* One holder less. The lock is held. */
static void let_go(struct offer *o)
{
    if (!o || --o->holders)
        return;
    free(o->text.at);
    free(o);
}

/* Called by the daemon once a response is over. */
static void given(void *offer)
{
    pthread_mutex_t *lock = ((struct offer *)offer)->lock;

    pthread_mutex_lock(lock);
    let_go(offer);
    pthread_mutex_unlock(lock);
}

int cli_http_offer(struct cli_http *h, struct cli_published of_dialect[TD_EXPOSITIONS])
{
    struct offer *made[TD_EXPOSITIONS];
    int err = 0;

    for (int i = 0; i < TD_EXPOSITIONS; i++) {
        made[i] = malloc(sizeof(*made[i]));
        if (made[i])
            *made[i] = (struct offer){.text = of_dialect[i], .holders = 1, .lock = &h->lock};
        else
            free(of_dialect[i].at);
        err = made[i] ? err : -ENOMEM;
    }
    pthread_mutex_lock(&h->lock);
    for (int i = 0; i < TD_EXPOSITIONS; i++)
        if (made[i]) {
            let_go(h->offer[i]);
            h->offer[i] = made[i];
        }
    pthread_mutex_unlock(&h->lock);
    return err;
}

/* ---- connections ------------------------------------------------------------------------------ */

static time_t seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* The connection of a descriptor, -1: an unused one; NULL: there is none. */
static struct connection *find(struct cli_http *h, int fd)
{
    for (struct connection *c = h->connection; c < h->connection + CONNECTIONS + ENDING; c++)
        if (c->fd == fd)
            return c;
    return NULL;
}

/* The descriptor of a connection. */
static int descriptor(const struct cli_http *h, struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info = h->mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

    return info ? info->connect_fd : -1;
}

/* The daemon sees the end, and closes the descriptor. The lock is held. */
static void end_connection(struct connection *c)
{
    shutdown(c->fd, SHUT_RDWR);
    c->ended = true;
}

/* Where there are too many beside a new one, ends the oldest of those that have not asked, or else of all: clients that
 * hold connections do not keep others from their answer. The lock is held. */
static void make_room(struct cli_http *h, const struct connection *new)
{
    struct connection *oldest = NULL;
    int n = 0;

    for (struct connection *c = h->connection; c < h->connection + CONNECTIONS + ENDING; c++) {
        if (c == new || c->fd < 0 || c->ended)
            continue;
        n++;
        if (!oldest || (c->asked == oldest->asked ? c->number < oldest->number : oldest->asked))
            oldest = c;
    }
    if (n >= CONNECTIONS)
        end_connection(oldest);
}

/* Called by the daemon after a connection begins, and before it closes its descriptor. */
static void on_connection(void *server, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode what)
{
    struct cli_http *h = server;
    const bool begins = what == MHD_CONNECTION_NOTIFY_STARTED;
    const int fd = descriptor(h, connection);
    struct connection *c;

    (void)own;
    pthread_mutex_lock(&h->lock);
    c = find(h, begins ? -1 : fd);
    if (c)
        *c = (struct connection){.fd = begins ? fd : -1, .began = seconds(), .number = h->came++};
    if (begins)
        make_room(h, c);
    pthread_mutex_unlock(&h->lock);
}

/* A connection has sent the headers of a request. */
static void on_request(struct cli_http *h, struct MHD_Connection *connection)
{
    struct connection *c;

    pthread_mutex_lock(&h->lock);
    c = find(h, descriptor(h, connection));
    if (c)
        c->asked = true;
    pthread_mutex_unlock(&h->lock);
}

void cli_http_tend(struct cli_http *h)
{
    const time_t now = seconds();

    pthread_mutex_lock(&h->lock);
    for (struct connection *c = h->connection; c < h->connection + CONNECTIONS + ENDING; c++)
        if (c->fd >= 0 && now - c->began >= LONGEST)
            end_connection(c);
    pthread_mutex_unlock(&h->lock);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Answers, and ends the connection: a scrape opens another one, and none waits idle. */
static enum MHD_Result answer(const struct cli_http *h, struct MHD_Connection *c, unsigned code,
                              struct MHD_Response *response, const char *type)
{
    enum MHD_Result done;

    if (!response)
        return MHD_NO;
    h->mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    h->mhd.add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    if (code == MHD_HTTP_METHOD_NOT_ALLOWED)
        h->mhd.add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    done = h->mhd.queue_response(c, code, response);
    h->mhd.destroy_response(response);
    return done;
}

static enum MHD_Result refuse(const struct cli_http *h, struct MHD_Connection *c, unsigned code, const char *text)
{
    return answer(h, c, code,
                  h->mhd.create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT),
                  "text/plain; charset=utf-8");
}

static enum MHD_Result give(struct cli_http *h, struct MHD_Connection *c)
{
    static const char *const type[TD_EXPOSITIONS] = {
        [TD_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
        [TD_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
    };
    const char *accept = h->mhd.lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
    const bool open = accept && strstr(accept, "application/openmetrics-text");
    const enum td_exposition dialect = open ? TD_OPENMETRICS : TD_PROMETHEUS;
    struct MHD_Response *response;
    struct offer *o;

    pthread_mutex_lock(&h->lock);
    o = h->offer[dialect];
    if (o)
        o->holders++;
    pthread_mutex_unlock(&h->lock);
    if (!o)
        return refuse(h, c, MHD_HTTP_SERVICE_UNAVAILABLE, "The first interval is not over: ask again.\n");
    response = h->mhd.create_response_from_buffer_with_free_callback_cls(o->text.n, o->text.at, given, o);
    if (!response)
        given(o);
    return answer(h, c, MHD_HTTP_OK, response, type[dialect]);
}

/* Called by the daemon with the headers, with each part of a body, which is dropped, and at the end. */
static enum MHD_Result request(void *server, struct MHD_Connection *c, const char *url, const char *method,
                               const char *version, const char *body, size_t *size, void **seen)
{
    struct cli_http *h = server;

    (void)version;
    (void)body;
    if (!*seen)
        on_request(h, c);
    if (!*seen || *size) {
        *seen = h;
        *size = 0;
        return MHD_YES;
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(h, c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET and HEAD only.\n");
    if (strcmp(url, "/metrics") != 0)
        return refuse(h, c, MHD_HTTP_NOT_FOUND, "The counters are at /metrics; there is nothing else here.\n");
    return give(h, c);
}

/* ---- everything ---------------------------------------------------------------------------------- */

static const char *remedy(int error)
{
    switch (error) {
    case EADDRINUSE: return "'ss -ltnp' shows by what; end that, or name another port";
    case EACCES: return "ports below 1024 are root's: name another one";
    case EADDRNOTAVAIL: return "it is no address of this machine, 'ip address' shows them";
    default: return "name another one";
    }
}

/* Binds the port. 0, or an exit code after a message. */
static int bind_to(struct cli_http *h, const struct cli_address *a, const char *where)
{
    static const int on = 1;
    int error;

    h->listening = socket(a->at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (h->listening >= 0 && !setsockopt(h->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
        !bind(h->listening, (const struct sockaddr *)&a->at, a->size) && !listen(h->listening, BACKLOG))
        return 0;
    error = errno;
    cli_say("--listen: %s cannot be listened on: %s; %s", where, strerror(error), remedy(error));
    return error == EACCES ? EXIT_PERMISSION : EXIT_OUTPUT;
}

static struct MHD_Daemon *start(struct cli_http *h)
{
    return h->mhd.start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, request, h,
                               MHD_OPTION_LISTEN_SOCKET, h->listening, MHD_OPTION_CONNECTION_LIMIT,
                               (unsigned)(CONNECTIONS + ENDING), MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE,
                               MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS, MHD_OPTION_NOTIFY_CONNECTION,
                               on_connection, h, MHD_OPTION_END);
}

int cli_http_open(struct cli_http **out, const struct cli_address *a, const char *where)
{
    struct cli_http *h = *out = calloc(1, sizeof(*h));
    int code;

    if (!h)
        return cli_no_memory();
    h->listening = -1;
    pthread_mutex_init(&h->lock, NULL);
    for (struct connection *c = h->connection; c < h->connection + CONNECTIONS + ENDING; c++)
        c->fd = -1;
    if (!cli_microhttpd_load(&h->mhd)) {
        cli_say("--listen: " CLI_MICROHTTPD " cannot be loaded: install libmicrohttpd12, or use --textfile");
        return EXIT_UNABLE;
    }
    code = bind_to(h, a, where);
    if (code)
        return code;
    h->daemon = start(h);
    if (h->daemon)
        return 0;
    cli_say("--listen: " CLI_MICROHTTPD " does not start: %s; use --textfile", strerror(errno));
    return EXIT_UNABLE;
}

void cli_http_close(struct cli_http *h)
{
    if (!h)
        return;
    if (h->daemon)
        h->mhd.stop_daemon(h->daemon); /* which closes the socket */
    else if (h->listening >= 0)
        close(h->listening);
    for (int i = 0; i < TD_EXPOSITIONS; i++)
        let_go(h->offer[i]);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

#else

#include <stddef.h>

int cli_http_open(struct cli_http **out, const struct cli_address *a, const char *where)
{
    (void)a;
    (void)where;
    *out = NULL;
    cli_say("--listen needs libmicrohttpd, which this tdprobe was built without: use --textfile");
    return EXIT_UNABLE;
}

int cli_http_offer(struct cli_http *h, struct cli_published of_dialect[TD_EXPOSITIONS])
{
    (void)h;
    (void)of_dialect;
    return 0;
}

void cli_http_tend(struct cli_http *h)
{
    (void)h;
}

void cli_http_close(struct cli_http *h)
{
    (void)h;
}

#endif
