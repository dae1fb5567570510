# SPDX-License-Identifier: MIT
report_sources += \
	report/page/colours.c \
	report/page/colours.h \
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

page_code = report/page/compare_css.inc report/page/page_css.inc report/page/results_css.inc report/page/time_line_js.inc
report/page/compare_css.inc: report/page/embed.awk report/page/compare.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/report/page/embed.awk $(srcdir)/report/page/compare.css > $@.tmp && mv $@.tmp $@
report/page/results_css.inc: report/page/embed.awk report/page/results.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/report/page/embed.awk $(srcdir)/report/page/results.css > $@.tmp && mv $@.tmp $@
report/page/page_css.inc: report/page/embed.awk report/page/page.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/report/page/embed.awk $(srcdir)/report/page/page.css > $@.tmp && mv $@.tmp $@
report/page/time_line_js.inc: report/page/embed.awk report/page/time_line.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/report/page/embed.awk $(srcdir)/report/page/time_line.js > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(page_code)
page_files = report/page/embed.awk report/page/compare.css report/page/page.css report/page/results.css report/page/time_line.js report/functions/functions.css report/functions/functions.js
