# SPDX-License-Identifier: MIT
libtd_sources += \
	live/msr/msr.c \
	live/msr/msr.h \
	live/msr/msr_end.c \
	live/msr/msr_event.c \
	live/msr/msr_plan.c \
	live/msr/msr_plan.h \
	live/msr/msr_regs.c \
	live/msr/msr_regs.h \
	live/msr/msr_source.c \
	live/msr/msr_source.h
