/* SPDX-License-Identifier: MIT */
#include "tdprobe.h"
int main(void)
{
    return !td_version();
}
