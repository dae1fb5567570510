# SPDX-License-Identifier: MIT
libtd_sources += \
	live/describe.c \
	live/describe.h \
	live/meter.c \
	live/meter.h \
	live/obstacle.c \
	live/obstacle.h \
	live/opening.c \
	live/opening.h \
	live/readings.c \
	live/readings.h \
	live/rights.c \
	live/rights.h \
	live/watchdog.h \
	live/scopes.c \
	live/scopes.h \
	live/source.h \
	live/sources.c \
	live/switches.c \
	live/switches.h
