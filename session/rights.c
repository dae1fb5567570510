/* SPDX-License-Identifier: MIT */
/* What the program asks of os/lent.h, which is not exported. */
#include "private/rights.h"

#include "os/lent.h"

int td_rights_give_back(bool counting)
{
    return td_lent_give_back(counting);
}

const char *td_rights_environment(const char *name)
{
    return td_lent_environment(name);
}
