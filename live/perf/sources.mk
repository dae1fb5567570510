# SPDX-License-Identifier: MIT
libtd_sources += \
	live/perf/perf.c \
	live/perf/perf.h \
	live/perf/perf_source.c \
	live/perf/perf_source.h
