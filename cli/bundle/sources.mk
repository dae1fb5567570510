# SPDX-License-Identifier: MIT
program_sources += \
	cli/bundle/bundle.c \
	cli/bundle/bundle.h \
	cli/bundle/parts.c \
	cli/bundle/parts.h
