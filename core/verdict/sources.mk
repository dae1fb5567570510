# SPDX-License-Identifier: MIT
libtd_sources += \
	core/verdict/level_sum.c \
	core/verdict/level_sum.h \
	core/verdict/thresholds.c \
	core/verdict/thresholds.h \
	core/verdict/verdict.c
