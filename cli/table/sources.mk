# SPDX-License-Identifier: MIT
program_sources += \
	cli/table/complete.c \
	cli/table/help.c \
	cli/table/help.h \
	cli/table/offers.c \
	cli/table/offers.h \
	cli/table/option.c \
	cli/table/option.h \
	cli/table/parse.c \
	cli/table/parse.h \
	cli/table/rules.c \
	cli/table/values.c \
	cli/table/values.h
