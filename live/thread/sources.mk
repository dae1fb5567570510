# SPDX-License-Identifier: MIT
libtd_sources += \
	live/thread/counter.h \
	live/thread/inline.c \
	live/thread/pass_sum.c \
	live/thread/pass_sum.h \
	live/thread/regions.c \
	live/thread/regions.h \
	live/thread/passes.c \
	live/thread/thread.h \
	live/thread/thread_read.c \
	live/thread/thread_source.c \
	live/thread/thread_source.h
