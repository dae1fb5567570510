# SPDX-License-Identifier: MIT
# A simulated Sapphire Rapids, tdprobe-machine(5), with the programs app and app-changed, whose stretches of MS milliseconds draw their
# shares at random: retiring 0.30 on average with a deviation of SCATTER, backend_bound the rest of 0.70. Variables: seed, stretches, ms,
# scatter, short (how far every other MS is off, so that multiplexing sees a part only), stays (mean stretches in one of
# two phases 10 points apart; 0: one phase), drift (of retiring, per stretch), more (of app-changed's memory_bound), counters,
# run (ms of a command).
BEGIN {
    srand(seed)
    print "# tdprobe-machine: 1"
    print "cpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69"
    print "cpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0"
    print "cpuid 0xa = 0x08300805 0x0 0xf 0x8604"
    print "cpus 0"
    print "pmu cpu type=4 cpus=0 general=" counters " fixed=0-3 metrics=8"
    n = split("slots:0x4 topdown-retiring:0x80 topdown-bad-spec:0x81 topdown-fe-bound:0x82 topdown-be-bound:0x83 topdown-heavy-ops:0x84 " \
              "topdown-br-mispredict:0x85 topdown-fetch-lat:0x86 topdown-mem-bound:0x87", names, " ")
    for (i = 1; i <= n; i++) {
        split(names[i], part, ":")
        printf "event cpu %s = event=0x00,umask=%s\n", part[1], part[2]
    }
    second = rand() < 0.5
    for (i = 0; i < stretches; i++) {
        if (stays && rand() < 1 / stays)
            second = !second
        # of four numbers between 0 and 1, the deviation is sqrt(4 / 12)
        share[i] = 0.30 + scatter * (rand() + rand() + rand() + rand() - 2) * sqrt(3) + (stays ? (second ? 0.05 : -0.05) : 0) + drift * i + (rand() < 0.5 ? short : -short)
    }
    workload("app", 0)
    workload("app-changed", more)
    print "command app ms=" run " name=app by-clock"
    print "command app-changed ms=" run " name=app-changed by-clock"
    print "run " (more ? "app-changed" : "app") " cpus=0"
}
function workload(name, shift,    i, retiring, backend, memory) {
    print "workload " name " rate=18000000000"
    for (i = 0; i < stretches; i++) {
        retiring = sprintf("%.6f", share[i] - shift)
        backend = sprintf("%.6f", 0.7 - retiring)
        memory = sprintf("%.6f", 0.6 - retiring)
        printf "phase ms=%d retiring=%s bad=0.1 frontend=0.2 backend=%s heavy=0.05 mispredict=0.05 latency=0.1 memory=%s\n", ms, retiring, backend, memory
        print "count 0x3c 0.166667 clock\ncount 0xc0 0.1875\ncount 0x1a4 1\ncount 0x2a4 " backend "\ncount 0x4a4 0.1 on=0\ncount 0x8a4 0.05 on=0"
        print "count 0x10a4 " memory "\ncount 0x19c 0.2\ncount 0x600019c 0.016667\ncount 0x2c2 " retiring "\ncount 0x1c2 0.05"
    }
}
