# SPDX-License-Identifier: MIT
program_sources += \
	cli/report/annotate.c \
	cli/report/annotate.h \
	cli/report/next_steps.c \
	cli/report/next_steps.h \
	cli/report/page.c \
	cli/report/page.h \
	cli/report/report.c
