# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/bytes.c \
	sim/replay/bytes.h \
	sim/replay/intervals.c \
	sim/replay/intervals.h \
	sim/replay/own_report.c \
	sim/replay/recording.c \
	sim/replay/recording.h \
	sim/replay/run_groups.c \
	sim/replay/run_groups.h
