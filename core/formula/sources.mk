# SPDX-License-Identifier: MIT
libtd_sources += \
	core/formula/evaluate.c \
	core/formula/formula.c \
	core/formula/formula.h \
	core/formula/formula_code.h \
	core/formula/name_hash.h \
	core/formula/program.c \
	core/formula/range.h \
	core/formula/table.c \
	core/formula/table.h \
	core/formula/tape.c \
	core/formula/tape.h
