# SPDX-License-Identifier: MIT
libtd_sources += \
	stats/mean.c \
	stats/mean.h \
	stats/repeat.c \
	stats/repeat.h \
	stats/spread.c \
	stats/spread.h
