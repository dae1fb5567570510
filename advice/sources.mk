# SPDX-License-Identifier: MIT
report_sources += \
	advice/advice.c \
	advice/advice.h \
	advice/target.c \
	advice/target.h
advice_tables = advice/meanings.inc advice/marks.inc advice/samples.inc
# levels 1 and 2 first: these are looked up most
meanings = \
	advice/meanings/levels-1-2 \
	advice/meanings/frontend \
	advice/meanings/speculation \
	advice/meanings/memory \
	advice/meanings/core \
	advice/meanings/retiring \
	advice/meanings/bottlenecks \
	advice/meanings/info-intel \
	advice/meanings/info-arm

advice/meanings.inc: advice/meanings.awk $(meanings)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && out=`pwd`/$@ && (cd $(srcdir) && $(AWK) -v of=meanings -f advice/meanings.awk $(meanings)) > $$out.tmp && mv $$out.tmp $$out
advice/marks.inc: advice/meanings.awk advice/marks
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -v of=marks -f $(srcdir)/advice/meanings.awk $(srcdir)/advice/marks > $@.tmp && mv $@.tmp $@
advice/samples.inc: advice/samples.csv advice/samples.awk $(metric_tables)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && events= && metrics= && for table in $(metric_tables); do \
		case $$table in *-metrics.csv) metrics="$$metrics $(srcdir)/$$table" ;; *) events="$$events $(srcdir)/$$table" ;; esac; done && \
		$(AWK) -f $(srcdir)/advice/samples.awk $$events $(srcdir)/advice/samples.csv $$metrics > $@.tmp && mv $@.tmp $@
$(libreport_la_OBJECTS): $(advice_tables)
