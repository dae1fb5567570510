# SPDX-License-Identifier: MIT
libtd_sources += \
	live/plan/fit.c \
	live/plan/fit.h \
	live/plan/perf_events.c \
	live/plan/plan.c \
	live/plan/plan.h \
	live/plan/planner.c \
	live/plan/planner.h \
	live/plan/wanted.c
