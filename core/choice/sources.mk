# SPDX-License-Identifier: MIT
libtd_sources += \
	core/choice/copies.c \
	core/choice/copies.h \
	core/choice/form.c \
	core/choice/form.h \
	core/choice/select.c \
	core/choice/select.h \
	core/choice/steady.c \
	core/choice/steady.h \
	core/choice/stretch.c \
	core/choice/stretch.h
