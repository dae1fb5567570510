# SPDX-License-Identifier: MIT
program_sources += \
	cli/compare/baseline.c \
	cli/compare/baseline.h \
	cli/compare/commands.c \
	cli/compare/commands.h \
	cli/compare/compare.c \
	cli/compare/gates.c \
	cli/compare/gates.h \
	cli/compare/sides.c \
	cli/compare/sides.h
