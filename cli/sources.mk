# SPDX-License-Identifier: MIT
program_sources += \
	cli/bench.c \
	cli/child.c \
	cli/child.h \
	cli/cli.h \
	cli/convert.c \
	cli/doctor.c \
	cli/explain.c \
	cli/hints.c \
	cli/hints.h \
	cli/input.c \
	cli/input.h \
	cli/jobs.c \
	cli/jobs.h \
	cli/known.c \
	cli/main.c \
	cli/messages.c \
	cli/nearest.c \
	cli/nearest.h \
	cli/nothing_said.c \
	cli/nothing_said.h \
	cli/numbers.c \
	cli/numbers.h \
	cli/options.c \
	cli/options.h \
	cli/perf_command.c \
	cli/progress.c \
	cli/read_fd.c \
	cli/replay.c \
	cli/screen.c \
	cli/shell.c \
	cli/shell.h \
	cli/signals.c \
	cli/signals.h \
	cli/strict.c \
	cli/strict.h
