# SPDX-License-Identifier: MIT
report_sources += \
	report/page/heat_map.c \
	report/page/nodes.c \
	report/page/nodes.h \
	report/page/packed.c \
	report/page/packed.h \
	report/page/page.c \
	report/page/page.h \
	report/page/time_line.c \
	report/page/time_line.h \
	report/page/time_table.c \
	report/page/time_table.h

embed = $(AM_V_GEN)$(MKDIR_P) $(@D) && AWK="$(AWK)" sh $(srcdir)/report/page/embed.sh
page_code = drawing/tree_css.inc report/page/compare_css.inc report/page/heat_map_js.inc report/page/page_css.inc report/page/results_css.inc report/page/time_line_js.inc
report/page/compare_css.inc: report/page/embed.sh report/page/compare.css
	$(embed) $(srcdir)/report/page/compare.css > $@.tmp && mv $@.tmp $@
report/page/heat_map_js.inc: report/page/embed.sh report/page/heat_map.js
	$(embed) $(srcdir)/report/page/heat_map.js > $@.tmp && mv $@.tmp $@
report/page/results_css.inc: report/page/embed.sh report/page/results.css
	$(embed) $(srcdir)/report/page/results.css > $@.tmp && mv $@.tmp $@
report/page/page_css.inc: report/page/embed.sh report/page/page.css
	$(embed) $(srcdir)/report/page/page.css > $@.tmp && mv $@.tmp $@
report/page/time_line_js.inc: report/page/embed.sh report/page/time_line.js
	$(embed) $(srcdir)/report/page/time_line.js > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(page_code)
page_files = drawing/tree.css report/page/embed.sh report/page/compare.css report/page/heat_map.js report/page/page.css report/page/results.css report/page/time_line.js report/functions/functions.css report/functions/functions.js
