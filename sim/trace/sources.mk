# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/trace/trace_write.c \
	sim/trace/trace_write.h
