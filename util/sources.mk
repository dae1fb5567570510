# SPDX-License-Identifier: MIT
libtd_sources += \
	util/exported.h \
	util/hash_index.c \
	util/hash_index.h \
	util/room.h \
	util/same_text.h \
	util/scope_table.c \
	util/scope_table.h
