# SPDX-License-Identifier: MIT
report_sources += \
	report/functions/functions_csv.c \
	report/functions/functions_folded.c \
	report/functions/functions_json.c \
	report/functions/functions_report.c \
	report/functions/functions_report.h \
	report/functions/functions_stacks.c \
	report/functions/functions_stacks.h \
	report/functions/functions_svg.c \
	report/functions/functions_text.c \
	report/functions/functions_unnamed.c \
	report/functions/functions_words.c
