# SPDX-License-Identifier: MIT
program_sources += \
	cli/sampling/record.c \
	cli/sampling/sampling.h \
	cli/sampling/sampling_options.c
