# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/perf_data/data_counters.c \
	sim/replay/perf_data/data_header.c \
	sim/replay/perf_data/data_names.c \
	sim/replay/perf_data/data_scopes.c \
	sim/replay/perf_data/data_view.c \
	sim/replay/perf_data/perf_data.c \
	sim/replay/perf_data/perf_data.h
