# SPDX-License-Identifier: MIT
program_sources += \
	cli/bench.c \
	cli/child.c \
	cli/child.h \
	cli/cli.h \
	cli/convert.c \
	cli/doctor.c \
	cli/drilldown.c \
	cli/drilldown.h \
	cli/explain.c \
	cli/explain_tree.c \
	cli/explain_tree.h \
	cli/features.c \
	cli/features.h \
	cli/folder.c \
	cli/folder.h \
	cli/habits.c \
	cli/habits.h \
	cli/hints.c \
	cli/hints.h \
	cli/history.c \
	cli/history.h \
	cli/input.c \
	cli/input.h \
	cli/job.c \
	cli/job.h \
	cli/jobs.c \
	cli/jobs.h \
	cli/list.c \
	cli/main.c \
	cli/messages.c \
	cli/metric_names.c \
	cli/metric_names.h \
	cli/nearest.c \
	cli/nearest.h \
	cli/no_verdict.c \
	cli/exit_codes.h \
	cli/numbers.c \
	cli/numbers.h \
	cli/options.c \
	cli/options.h \
	cli/paths.c \
	cli/paths.h \
	cli/perf_command.c \
	cli/perfspect.c \
	cli/phases.c \
	cli/places.c \
	cli/progress.c \
	cli/read_fd.c \
	cli/reading.c \
	cli/reading.h \
	cli/replay.c \
	cli/sampled_group.c \
	cli/sampled_group.h \
	cli/results.c \
	cli/screen.c \
	cli/shell.c \
	cli/shell.h \
	cli/signals.c \
	cli/signals.h \
	cli/stack.c \
	cli/strict.c \
	cli/subcommands.c \
	cli/subcommands.h \
	cli/usual_file.c \
	cli/usual_file.h \
	cli/word.c \
	cli/word.h

cli/features.inc: cli/features.awk doc/FEATURES
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/cli/features.awk $(srcdir)/doc/FEATURES > $@.tmp && mv $@.tmp $@
# The page is written anew, by what the program does on the simulated machines.
features: all
	TD_SRCDIR=$(abs_srcdir) TDPROBE=$(abs_builddir)/tdprobe TD_FEATURES=$(abs_srcdir)/doc/FEATURES LC_ALL=C sh $(srcdir)/tests/scripts/features.sh
.PHONY: features
