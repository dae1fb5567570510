# SPDX-License-Identifier: MIT
libtd_sources += \
	os/lent.c \
	os/lent.h \
	os/linux.c \
	os/linux.h \
	os/linux_clock.c \
	os/linux_command.c \
	os/linux_files.c \
	os/linux_rings.c \
	os/linux_thread.c \
	os/os.h
