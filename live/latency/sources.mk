# SPDX-License-Identifier: MIT
libtd_sources += \
	live/latency/latencies.c \
	live/latency/latencies.h \
	live/latency/latency_kind.c \
	live/latency/latency_place.c \
	live/latency/latency_place.h
