/* SPDX-License-Identifier: MIT */
#include "cli/collect/manners.h"

#include <math.h>

static const double little = 0.9, too_little = 0.5;

enum { IN_A_ROW = 2 };

void cli_manners_yield(struct cli_manners *m)
{
    m->last = !m->last ? 1 : m->last < CLI_WAIT_MOST / 2 ? 2 * m->last : CLI_WAIT_MOST;
    m->wait = m->last;
    m->low = 0;
    m->yielded = true;
    m->yields++;
}

/* Too little once may be a person's short look; the one thing that is worse is to be looked at for longer. */
static enum cli_move be_shallow(struct cli_manners *m)
{
    if (m->shallow || ++m->low < IN_A_ROW)
        return CLI_MOVE_NONE;
    m->low = 0;
    m->shallow = true;
    m->wait = CLI_WAIT_MOST;
    return CLI_MOVE_SHALLOWER;
}

enum cli_move cli_manners_take(struct cli_manners *m, double coverage)
{
    if (isnan(coverage))
        return CLI_MOVE_NONE;
    if (coverage < too_little) {
        cli_manners_yield(m);
        return CLI_MOVE_CLOSE;
    }
    if (coverage < little)
        return be_shallow(m);
    m->low = m->last = 0;
    if (!m->shallow || --m->wait)
        return CLI_MOVE_NONE;
    m->shallow = false;
    return CLI_MOVE_DEEPER;
}

enum cli_move cli_manners_wait(struct cli_manners *m)
{
    if (--m->wait)
        return CLI_MOVE_NONE;
    m->yielded = false;
    m->wait = m->shallow ? CLI_WAIT_MOST : 0;
    return CLI_MOVE_OPEN;
}
