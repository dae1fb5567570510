# SPDX-License-Identifier: MIT
program_sources += \
	cli/stat/baseline.c \
	cli/stat/control.c \
	cli/stat/control.h \
	cli/stat/loop.c \
	cli/stat/outputs.c \
	cli/stat/stat.c \
	cli/stat/stat.h \
	cli/stat/stat_options.c \
	cli/stat/trace_output.c
