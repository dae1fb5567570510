# SPDX-License-Identifier: MIT
libtd_sources += \
	drawing/bar.c \
	drawing/colours.c \
	drawing/put.c \
	drawing/put.h \
	drawing/tree.c

drawing/tree_css.inc: report/page/embed.sh drawing/tree.css
	$(embed) $(srcdir)/drawing/tree.css > $@.tmp && mv $@.tmp $@
