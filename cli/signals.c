/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE, PIPE, SIGNALS };

static struct {
    int number;
    bool ignored;
    void (*before)(int); /* the handler when tdprobe was started */
} signals[SIGNALS] = {[SIZE] = {.number = SIGXFSZ}, [PIPE] = {.number = SIGPIPE}};

static void ignore(size_t i)
{
    signals[i].before = signal(signals[i].number, SIG_IGN);
    signals[i].ignored = signals[i].before != SIG_ERR;
}

void cli_signals_ignore_size(void)
{
    ignore(SIZE);
}

void cli_signals_ignore_pipe(void)
{
    ignore(PIPE);
}

void cli_signals_give(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        if (signals[i].ignored)
            signal(signals[i].number, signals[i].before);
}

void cli_signals_take(void)
{
    for (size_t i = 0; i < SIGNALS; i++)
        if (signals[i].ignored)
            signal(signals[i].number, SIG_IGN);
}
