# SPDX-License-Identifier: MIT
libtd_sources += \
	live/doctor/findings.c \
	live/doctor/findings.h \
	live/doctor/known_loop.c \
	live/doctor/known_loop.h
