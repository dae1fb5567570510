# SPDX-License-Identifier: MIT
report_sources += \
	report/page/colours.c \
	report/page/colours.h \
	report/page/page.c \
	report/page/page.h

page_code = report/page/page_css.inc
report/page/page_css.inc: report/page/embed.awk report/page/page.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/report/page/embed.awk $(srcdir)/report/page/page.css > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(page_code)
page_files = report/page/embed.awk report/page/page.css report/functions/functions.css report/functions/functions.js
