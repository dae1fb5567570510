# SPDX-License-Identifier: MIT
libtd_sources += \
	core/solve/corrections.c \
	core/solve/forms.c \
	core/solve/forms.h \
	core/solve/load.c \
	core/solve/metric.c \
	core/solve/siblings.c \
	core/solve/solve.c \
	core/solve/solve.h \
	core/solve/work.h
