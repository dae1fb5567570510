# SPDX-License-Identifier: MIT
libtd_sources += \
	core/core_kind.c \
	core/core_kind.h \
	core/extent.h \
	core/identity.h \
	core/log.c \
	core/log.h \
	core/result.c \
	core/result.h \
	core/settings.h \
	core/sink.h \
	core/sized.c \
	core/sized.h \
	core/stream.c \
	core/stream.h \
	core/tree.h \
	core/uarch.c \
	core/uarch.h
