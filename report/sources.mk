# SPDX-License-Identifier: MIT
report_sources += \
	report/columns.c \
	report/columns.h \
	report/csv.c \
	report/digits.cc \
	report/digits.h \
	report/findings.c \
	report/findings.h \
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
	report/tables.c \
	report/tables.h \
	report/text.c \
	report/tree.c \
	report/tree.h \
	report/tree_notes.c \
	report/tree_notes.h \
	report/tree_rows.c \
	report/tree_rows.h \
	report/tree_view.c \
	report/tree_view.h \
	report/verdict_line.c \
	report/verdict_line.h
