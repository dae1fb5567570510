# SPDX-License-Identifier: MIT
report_sources += \
	report/csv.c \
	report/digits.cc \
	report/digits.h \
	report/flags.c \
	report/flags.h \
	report/json.c \
	report/json_writer.c \
	report/json_writer.h \
	report/lines.c \
	report/lines.h \
	report/output.c \
	report/output.h \
	report/report.c \
	report/report.h \
	report/temporary.c \
	report/temporary.h \
	report/screen.c \
	report/screen.h \
	report/text.c \
	report/tree.c \
	report/tree.h \
	report/tree_view.c \
	report/tree_view.h \
	report/verdict_line.c \
	report/verdict_line.h
