# SPDX-License-Identifier: MIT
report_sources += \
	report/functions/annotation.c \
	report/functions/annotation.h \
	report/functions/annotation_words.c \
	report/functions/functions_annotated.c \
	report/functions/functions_csv.c \
	report/functions/functions_flame.c \
	report/functions/functions_page.h \
	report/functions/functions_folded.c \
	report/functions/functions_html.c \
	report/functions/functions_json.c \
	report/functions/functions_report.c \
	report/functions/functions_report.h \
	report/functions/functions_rows.c \
	report/functions/functions_rows.h \
	report/functions/functions_silent.c \
	report/functions/functions_stacks.c \
	report/functions/functions_stacks.h \
	report/functions/functions_svg.c \
	report/functions/functions_text.c \
	report/functions/functions_unnamed.c \
	report/functions/functions_words.c \
	report/functions/html_code.c \
	report/functions/html_table.c \
	report/functions/html_table.h

functions_page_code = report/functions/functions_css.inc report/functions/functions_js.inc
report/functions/functions_css.inc: report/page/embed.sh report/functions/functions.css
	$(embed) $(srcdir)/report/functions/functions.css > $@.tmp && mv $@.tmp $@
report/functions/functions_js.inc: report/page/embed.sh report/functions/functions.js
	$(embed) $(srcdir)/report/functions/functions.js > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(functions_page_code)
