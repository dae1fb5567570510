# SPDX-License-Identifier: MIT
program_sources += \
	cli/sandbox/filter.c \
	cli/sandbox/landlock.c \
	cli/sandbox/landlock.h \
	cli/sandbox/sandbox.c \
	cli/sandbox/sandbox.h
