# SPDX-License-Identifier: MIT
libtd_sources += \
	backends/cpu_names.c \
	backends/event_match.c \
	backends/event_match.h \
	backends/find_identity.c \
	backends/find_identity.h \
	backends/nodes.c \
	backends/nodes.h \
	backends/registry.c \
	backends/registry.h \
	backends/rows.h \
	backends/tables.c \
	backends/tables.h
