# SPDX-License-Identifier: MIT
report_sources += \
	advice/advice.c \
	advice/advice.h \
	advice/meanings.h \
	advice/meanings.c
advice_tables = advice/samples.inc

advice/samples.inc: advice/samples.csv advice/samples.awk $(metric_tables)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && events= && for table in $(metric_tables); do \
		case $$table in *-metrics.csv) ;; *) events="$$events $(srcdir)/$$table" ;; esac; done && \
		$(AWK) -f $(srcdir)/advice/samples.awk $$events $(srcdir)/advice/samples.csv > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(advice_tables)
