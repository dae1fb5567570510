# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/arm_events.c \
	formats/formats.c \
	formats/formats.h \
	formats/codecs.c \
	formats/codecs.h \
	formats/packed.c \
	formats/unpack.c \
	formats/unpack.h \
	formats/perfspect.c
