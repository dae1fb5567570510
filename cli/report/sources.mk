# SPDX-License-Identifier: MIT
program_sources += \
	cli/report/next_steps.c \
	cli/report/next_steps.h \
	cli/report/report.c
