/* SPDX-License-Identifier: MIT */
/* The description of a Sapphire Rapids of two CPUs at 3 GHz, where that is what is assumed, with a program of one
 * function. */
#ifndef SAPPHIRE_RAPIDS_H
#define SAPPHIRE_RAPIDS_H

#define SAPPHIRE_RAPIDS \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0-1\npmu cpu type=4 cpus=0-1 general=8 fixed=0-3 metrics=8\n" \
    "event cpu slots = event=0x00,umask=0x4\nevent cpu topdown-retiring = event=0x00,umask=0x80\n" \
    "event cpu topdown-bad-spec = event=0x00,umask=0x81\nevent cpu topdown-fe-bound = event=0x00,umask=0x82\n" \
    "event cpu topdown-be-bound = event=0x00,umask=0x83\nworkload w rate=18000000000 file=/sim/w at=0x400000 size=0x10000\n" \
    "phase ms=1000 function=0x401000 retiring=0.7 bad=0.1 frontend=0.1 backend=0.1\ncount 0x3c 0.166667 clock\n"

#endif
