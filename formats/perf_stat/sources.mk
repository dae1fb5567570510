# SPDX-License-Identifier: MIT
libtd_sources += \
	formats/perf_stat/csv_columns.c \
	formats/perf_stat/csv_known.c \
	formats/perf_stat/csv_line.c \
	formats/perf_stat/csv_separator.c \
	formats/perf_stat/json_flat.c \
	formats/perf_stat/json_key.c \
	formats/perf_stat/json_line.c \
	formats/perf_stat/metric_names.c \
	formats/perf_stat/metric_names.h \
	formats/perf_stat/perf_csv.c \
	formats/perf_stat/perf_csv.h \
	formats/perf_stat/perf_json.c \
	formats/perf_stat/perf_json.h \
	formats/perf_stat/perf_rows.c \
	formats/perf_stat/perf_rows.h \
	formats/perf_stat/perf_text.c \
	formats/perf_stat/perf_text.h \
	formats/perf_stat/text_line.c \
	formats/perf_stat/text_number.c
