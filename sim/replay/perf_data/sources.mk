# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/perf_data/data_counters.c \
	sim/replay/perf_data/data_header.c \
	sim/replay/perf_data/data_intervals.c \
	sim/replay/perf_data/data_names.c \
	sim/replay/perf_data/data_order.c \
	sim/replay/perf_data/data_order.h \
	sim/replay/perf_data/data_origin.c \
	sim/replay/perf_data/data_pipe.c \
	sim/replay/perf_data/data_place.c \
	sim/replay/perf_data/data_place.h \
	sim/replay/perf_data/data_processes.c \
	sim/replay/perf_data/data_record.c \
	sim/replay/perf_data/data_rounds.c \
	sim/replay/perf_data/data_sample.c \
	sim/replay/perf_data/data_sample.h \
	sim/replay/perf_data/data_samples.c \
	sim/replay/perf_data/data_samples.h \
	sim/replay/perf_data/data_samples_parts.h \
	sim/replay/perf_data/data_scopes.c \
	sim/replay/perf_data/data_unpack.c \
	sim/replay/perf_data/data_unpack.h \
	sim/replay/perf_data/data_view.c \
	sim/replay/perf_data/data_view.h \
	sim/replay/perf_data/perf_data.c \
	sim/replay/perf_data/perf_data.h
