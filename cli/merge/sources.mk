# SPDX-License-Identifier: MIT
program_sources += \
	cli/merge/imbalance.c \
	cli/merge/imbalance.h \
	cli/merge/merge.c \
	cli/merge/part.c \
	cli/merge/part.h \
	cli/merge/plan.c \
	cli/merge/plan.h \
	cli/merge/rows.c \
	cli/merge/rows.h \
	cli/merge/stream.c \
	cli/merge/stream.h
