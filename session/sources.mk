# SPDX-License-Identifier: MIT
libtd_sources += \
	session/solution.c \
	session/solution.h \
	session/candidates.c \
	session/candidates.h \
	session/doctor.c \
	session/identify.c \
	session/identify.h \
	session/machine.c \
	session/machine.h \
	session/measure.c \
	session/open_file.c \
	session/open_file.h \
	session/origin.c \
	session/printed.c \
	session/printed.h \
	session/printed_shares.c \
	session/printed_shares.h \
	session/recording.c \
	session/rights.c \
	session/next.c \
	session/run.c \
	session/samples.c \
	session/sampling.c \
	session/self.c \
	session/session.c \
	session/session.h \
	session/sums.c \
	session/sums.h \
	session/measured.c \
	session/measured.h \
	session/merged.c \
	session/merged.h \
	session/times.c \
	session/times.h \
	session/to_trace.c \
	session/to_trace.h
