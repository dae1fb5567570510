# SPDX-License-Identifier: MIT
libtd_sources += \
	stats/mean.c \
	stats/mean.h \
	stats/repeat.c \
	stats/repeat.h \
	stats/scope_of.h \
	stats/spread.c \
	stats/mean.h
# not in the library: comparing needs GSL, which its users need not have
compare_sources += \
	stats/bootstrap.c \
	stats/bootstrap.h \
	stats/chance.c \
	stats/chance.h \
	stats/comparison.c \
	stats/comparison.h \
	stats/course.c \
	stats/deltas.c \
	stats/deltas.h \
	stats/difference.c \
	stats/difference.h \
	stats/distances.c \
	stats/distances.h \
	stats/estimates.c \
	stats/estimates.h \
	stats/functions.c \
	stats/functions.h \
	stats/functions_order.c \
	stats/gate.c \
	stats/gate.h \
	stats/calls.c \
	stats/moves.c \
	stats/moves.h \
	stats/order.c \
	stats/phases.c \
	stats/phases.h \
	stats/place_bounds.c \
	stats/place_bounds.h \
	stats/pure_deltas.c \
	stats/pure_deltas.h \
	stats/series.c \
	stats/series.h \
	stats/smear.c \
	stats/smear.h \
	stats/timeline.c \
	stats/timeline.h \
	stats/totals.c
# what reports give that needs no GSL
report_sources += \
	stats/tally.c \
	stats/tally.h
