# SPDX-License-Identifier: MIT
program_sources += \
	cli/report/annotate.c \
	cli/report/additions.h \
	cli/report/next_steps.c \
	cli/report/page.c \
	cli/report/page.h \
	cli/report/report.c
