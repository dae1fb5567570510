# SPDX-License-Identifier: MIT
# a real kernel with a software PMU, in qemu; skipped if qemu or the kernel is missing
guest = SRCDIR='$(abs_srcdir)' \
	SCRATCH='$(abs_builddir)/tests/guest/scratch' \
	TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' CC='$(CC)'
check-guest: all
	$(guest) bash $(srcdir)/tests/guest/run.sh || test $$? -eq 77
bench-guest: all
	$(guest) GUEST_SUITES=bench GUEST_FLAVOURS='spr cgroups' GUEST_JOBS=1 bash $(srcdir)/tests/guest/run.sh || test $$? -eq 77
.PHONY: check-guest bench-guest

guest_files = \
	tests/guest/bench.sh \
	tests/guest/build-initramfs.sh \
	tests/guest/cgroups.sh \
	tests/guest/hot.js \
	tests/guest/init \
	tests/guest/judge.sh \
	tests/guest/lent.sh \
	tests/guest/lib.sh \
	tests/guest/load.c \
	tests/guest/modes.sh \
	tests/guest/module/Kbuild \
	tests/guest/module/shim/stdbool.h \
	tests/guest/module/shim/stddef.h \
	tests/guest/module/shim/stdint.h \
	tests/guest/module/tdpmu.c \
	tests/guest/module/tdpmu.h \
	tests/guest/module/tdpmu_flavours.c \
	tests/guest/module/tdpmu_model.c \
	tests/guest/module/tdpmu_phases.c \
	tests/guest/module/tdpmu_sampling.c \
	tests/guest/module/tdpmu_sysfs.c \
	tests/guest/module/tdpmu_tasks.c \
	tests/guest/module/tdpmu_topdown.c \
	tests/guest/module/tdpmu_watchdog.c \
	tests/guest/node.sh \
	tests/guest/pairs.c \
	tests/guest/pairs.sh \
	tests/guest/perf.sh \
	tests/guest/rights.sh \
	tests/guest/ring.c \
	tests/guest/run.sh \
	tests/guest/service.sh \
	tests/guest/shares.awk \
	tests/guest/suites.service \
	tests/guest/switches.sh \
	tests/guest/td.sh \
	tests/guest/tdprobe.sh \
	tests/guest/tdprobe_shares.awk \
	tests/guest/turns.c \
	tests/guest/verdict.sh
