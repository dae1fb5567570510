# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/trace/trace.h \
	sim/replay/trace/trace_header.c \
	sim/replay/trace/trace_read.c \
	sim/replay/trace/trace_row.c
