# SPDX-License-Identifier: MIT
libtd_sources += \
	util/bits.h \
	util/cpu_list.c \
	util/cpu_list.h \
	util/cpu_set.c \
	util/hash_index.c \
	util/hash_index.h \
	util/log_prefix.c \
	util/log_prefix.h \
	util/made_files.c \
	util/made_files.h \
	util/number.c \
	util/number.h \
	util/room.h \
	util/words.h \
	util/scope_table.c \
	util/scope_table.h \
	util/student.c \
	util/student.h \
	util/text_buffer.c \
	util/text_buffer.h \
	util/text_clean.c \
	util/text_clean.h \
	util/words.h
