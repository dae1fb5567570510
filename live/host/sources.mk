# SPDX-License-Identifier: MIT
libtd_sources += \
	live/host/host.c \
	live/host/host.h \
	live/host/host_assumed.c \
	live/host/host_cpus.c \
	live/host/host_facts.c \
	live/host/host_files.c \
	live/host/host_files.h \
	live/host/host_id.c \
	live/host/host_pmu.c
