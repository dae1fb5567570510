# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/trace/labels.c \
	formats/trace/labels.h \
	formats/trace/trace.h \
	formats/trace/trace_header.c \
	formats/trace/trace_read.c \
	formats/trace/trace_row.c \
	formats/trace/trace_write.c \
	formats/trace/trace_write.h
