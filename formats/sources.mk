# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/arm_events.c \
	formats/formats.c \
	formats/formats.h \
	formats/packed.c \
	formats/perfspect.c \
	formats/perfspect.h
