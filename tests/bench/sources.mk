# SPDX-License-Identifier: MIT
# speed against libcsv, and what regions cost
bench_programs = \
	tests/bench/calls tests/bench/engine tests/bench/generate tests/bench/likely tests/bench/likely_once tests/bench/likely_road tests/bench/peak tests/bench/regions tests/bench/split \
	tests/bench/steps tests/bench/width
EXTRA_PROGRAMS += $(bench_programs)
bench_files = tests/bench/faults tests/bench/hostile.sh tests/bench/hostile_samples.py tests/bench/hostile_traces.py tests/bench/long_samples.py tests/bench/run.sh tests/bench/samples.sh
tests_bench_calls_SOURCES = tests/bench/bench.h tests/bench/calls.c
tests_bench_calls_LDADD = libtd.la -lm
tests_bench_engine_SOURCES = tests/bench/engine.c tests/support/random.h tests/support/synthetic.c tests/support/synthetic.h
tests_bench_engine_LDADD = libtd.la -lm
tests_bench_generate_SOURCES = tests/bench/generate.c tests/bench/generate.h tests/bench/generate_data.c tests/support/random.h
tests_bench_likely_SOURCES = tests/bench/likely.c \
	tests/support/likely_chance.h tests/support/likely_deep.c tests/support/likely_deep.h tests/support/likely_formulas.c tests/support/likely_restore.c \
	tests/support/likely_sim.c tests/support/likely_sim.h
tests_bench_likely_LDADD = libtd.la -lm
tests_bench_likely_once_SOURCES = tests/bench/likely_once.c \
	tests/support/likely_chance.h tests/support/likely_once.c tests/support/likely_once.h tests/support/likely_sim.c tests/support/likely_sim.h \
	tests/support/oracle.c tests/support/oracle.h tests/support/oracle_amd.c tests/support/oracle_arm.c tests/support/oracle_atom.c \
	tests/support/oracle_intel.c tests/support/oracle_intel_events.c
tests_bench_likely_once_LDADD = libtd.la -lm
tests_bench_likely_road_SOURCES = tests/bench/likely_road.c \
	tests/support/likely_chance.h tests/support/likely_road.c tests/support/likely_road.h tests/support/random.h
tests_bench_likely_road_LDADD = libtd.la -lm
tests_bench_peak_SOURCES = tests/bench/peak.c
tests_bench_regions_SOURCES = tests/bench/bench.h tests/bench/regions.c
tests_bench_regions_LDADD = libtd.la -lm
tests_bench_steps_SOURCES = tests/bench/bench.h tests/bench/steps.c
tests_bench_steps_LDADD = libtd.la -lm
tests_bench_width_SOURCES = tests/bench/bench.h tests/bench/width.c tests/support/random.h
tests_bench_width_LDADD = libtd.la -lm
tests_bench_split_SOURCES = tests/bench/split.c
tests_bench_split_LDADD = $(CSV_LIBS)
CLEANFILES += $(bench_programs)
bench: bench-speed bench-likely bench-samples
	$(MAKE) bench-guest
bench-speed: tdprobe$(EXEEXT) $(bench_programs)
	$(SHELL) $(srcdir)/tests/bench/run.sh $(abs_builddir) $(abs_srcdir)
	sed 's/0-15/0-255/' $(srcdir)/sim/machines/sapphirerapids.machine | tests/bench/calls
	tests/bench/width < $(srcdir)/sim/machines/sapphirerapids.machine
	tests/bench/steps < $(srcdir)/sim/machines/sapphirerapids.machine
	tests/bench/regions < $(srcdir)/sim/machines/sapphirerapids.machine
# coverage of the likely bounds: 1,000 runs a cell; as many comparisons of recordings, and sampled programs
bench-likely: bench-speed tests/unit$(EXEEXT) tdprobe$(EXEEXT)
	tests/bench/likely
	tests/bench/likely_once
	tests/bench/likely_road
	TD_SRCDIR='$(srcdir)' TD_LONG=1 tests/unit 'likely bounds of all levels' compare phases 'sampled programs'
	TD_SRCDIR='$(abs_srcdir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' TD_LONG=1 $(SHELL) $(srcdir)/tests/scripts/compare-machines.sh
	TD_SRCDIR='$(abs_srcdir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' TD_LONG=1 $(SHELL) $(srcdir)/tests/scripts/baseline.sh
# the same of one reading alone: bounds and names by way and family
bench-likely-once: tests/bench/likely_once$(EXEEXT)
	tests/bench/likely_once
# a long recording of samples, beside perf script
bench-samples: tdprobe$(EXEEXT) tests/bench/peak$(EXEEXT)
	$(SHELL) $(srcdir)/tests/bench/samples.sh $(abs_builddir) $(abs_srcdir)
# recordings of samples that were made to cost much
bench-hostile: tdprobe$(EXEEXT) tests/bench/peak$(EXEEXT)
	$(SHELL) $(srcdir)/tests/callgrind/growth.sh $(abs_builddir) $(abs_srcdir) || test $$? -eq 77
	$(SHELL) $(srcdir)/tests/bench/hostile.sh $(abs_builddir) $(abs_srcdir)
# how many faults of counters selftest finds on the simulated machines: the table in tdprobe-selftest(1)
bench-faults: tdprobe$(EXEEXT)
	python3 $(srcdir)/tests/bench/faults $(abs_builddir)/tdprobe$(EXEEXT) $(srcdir)/sim/machines
.PHONY: bench bench-faults bench-hostile bench-likely bench-likely-once bench-samples bench-speed
