# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/percentages/percent_nodes.c \
	formats/percentages/percentages.c \
	formats/percentages/percentages.h
