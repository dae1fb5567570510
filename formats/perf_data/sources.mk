# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/perf_data/data_counters.c \
	formats/perf_data/data_header.c \
	formats/perf_data/data_intervals.c \
	formats/perf_data/data_names.c \
	formats/perf_data/data_order.c \
	formats/perf_data/data_order.h \
	formats/perf_data/data_origin.c \
	formats/perf_data/data_pipe.c \
	formats/perf_data/data_place.c \
	formats/perf_data/data_processes.c \
	formats/perf_data/data_record.c \
	formats/perf_data/data_rounds.c \
	formats/perf_data/data_sample.c \
	formats/perf_data/data_sample.h \
	formats/perf_data/data_samples.c \
	formats/perf_data/data_samples_parts.h \
	formats/perf_data/data_scopes.c \
	formats/perf_data/data_unpack.c \
	formats/perf_data/data_view.c \
	formats/perf_data/data_view.h \
	formats/perf_data/perf_data.c \
	formats/perf_data/perf_data.h
