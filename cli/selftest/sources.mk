# SPDX-License-Identifier: MIT
program_sources += \
	cli/selftest/measure.c \
	cli/selftest/measure.h \
	cli/selftest/selftest.c \
	cli/selftest/sibling.c
