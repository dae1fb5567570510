# SPDX-License-Identifier: MIT
program_sources += \
	cli/collect/address.c \
	cli/collect/address.h \
	cli/collect/collect.c \
	cli/collect/collect.h \
	cli/collect/collect_options.c \
	cli/collect/followed.c \
	cli/collect/followed.h \
	cli/collect/http.c \
	cli/collect/http.h \
	cli/collect/manners.c \
	cli/collect/manners.h \
	cli/collect/microhttpd.c \
	cli/collect/microhttpd.h \
	cli/collect/patterns.c \
	cli/collect/patterns.h \
	cli/collect/published.c \
	cli/collect/published.h \
	cli/collect/textfile.c \
	cli/collect/textfile.h \
	cli/collect/watches.c \
	cli/collect/watches.h
