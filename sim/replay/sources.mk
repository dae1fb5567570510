# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/arm_events.c \
	sim/replay/intervals.c \
	sim/replay/intervals.h \
	sim/replay/lines.c \
	sim/replay/lines.h \
	sim/replay/reader.c \
	sim/replay/reader.h \
	sim/replay/readers.c \
	sim/replay/readers.h \
	sim/replay/run_groups.c \
	sim/replay/run_groups.h
