# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/replay/perf_stat/csv_columns.c \
	sim/replay/perf_stat/csv_known.c \
	sim/replay/perf_stat/csv_line.c \
	sim/replay/perf_stat/csv_separator.c \
	sim/replay/perf_stat/json_flat.c \
	sim/replay/perf_stat/json_key.c \
	sim/replay/perf_stat/json_line.c \
	sim/replay/perf_stat/metric_names.c \
	sim/replay/perf_stat/metric_names.h \
	sim/replay/perf_stat/perf_csv.c \
	sim/replay/perf_stat/perf_csv.h \
	sim/replay/perf_stat/perf_json.c \
	sim/replay/perf_stat/perf_json.h \
	sim/replay/perf_stat/perf_rows.c \
	sim/replay/perf_stat/perf_rows.h \
	sim/replay/perf_stat/perf_text.c \
	sim/replay/perf_stat/perf_text.h \
	sim/replay/perf_stat/perfspect.c \
	sim/replay/perf_stat/perfspect.h \
	sim/replay/perf_stat/text_line.c \
	sim/replay/perf_stat/text_number.c
