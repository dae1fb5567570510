# SPDX-License-Identifier: MIT
libtd_sources += \
	live/doctor/findings.c \
	live/doctor/doctor.h \
	live/doctor/known_loop.c \
	live/doctor/doctor.h
