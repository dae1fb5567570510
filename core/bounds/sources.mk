# SPDX-License-Identifier: MIT
libtd_sources += \
	core/bounds/likely.c \
	core/bounds/likely.h \
	core/bounds/lint.c \
	core/bounds/lint.h \
	core/bounds/measured.h \
	core/bounds/missing_term.c \
	core/bounds/missing_term.h \
	core/bounds/observed.c \
	core/bounds/observed.h \
	core/bounds/relation.c \
	core/bounds/relation.h \
	core/bounds/written_back.c \
	core/bounds/written_back.h
