# SPDX-License-Identifier: MIT
libtd_sources += \
	core/counts/counts.c \
	core/counts/counts.h \
	core/counts/event_names.c \
	core/counts/event_names.h \
	core/counts/event_text.c \
	core/counts/event_text.h \
	core/counts/groups.c \
	core/counts/groups.h \
	core/counts/hints.c \
	core/counts/hints.h \
	core/counts/layout.c \
	core/counts/layout.h \
	core/counts/metrics_register.c \
	core/counts/reading.c \
	core/counts/reading.h \
	core/counts/scope_index.c \
	core/counts/scope_index.h \
	core/counts/scope_kind.c \
	core/counts/scope_kind.h \
	core/counts/snapshot.c
