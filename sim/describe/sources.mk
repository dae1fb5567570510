# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/describe/describe.c \
	sim/describe/description.c \
	sim/describe/description.h \
	sim/describe/hardware_lines.c \
	sim/describe/kernel_lines.c \
	sim/describe/keywords.h \
	sim/describe/running_lines.c \
	sim/describe/workload_lines.c
