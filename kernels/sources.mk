# SPDX-License-Identifier: MIT
report_sources += \
	kernels/arithmetic.c \
	kernels/branches.c \
	kernels/caches.c \
	kernels/chase.c \
	kernels/data.c \
	kernels/data.h \
	kernels/icache.c \
	kernels/kernels.c \
	kernels/kernels.h \
	kernels/measured.c \
	kernels/measured.h \
	kernels/process.c
