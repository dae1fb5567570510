# SPDX-License-Identifier: MIT
report_sources += \
	report/compare/compare_csv.c \
	report/compare/compare_github.c \
	report/compare/compare_html.c \
	report/compare/compare_gitlab.c \
	report/compare/compare_json.c \
	report/compare/compare_junit.c \
	report/compare/compare_markdown.c \
	report/compare/compare_text.c \
	report/compare/compare_words.c \
	report/compare/comparison_report.c \
	report/compare/comparison_report.h
