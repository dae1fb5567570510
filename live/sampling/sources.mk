# SPDX-License-Identifier: MIT
libtd_sources += \
	live/sampling/build_id.c \
	live/sampling/data_file.c \
	live/sampling/data_file.h \
	live/sampling/features.c \
	live/sampling/features.h \
	live/sampling/made.c \
	live/sampling/made.h \
	live/sampling/pace.c \
	live/sampling/pace.h \
	live/sampling/recorder.c \
	live/sampling/recorder.h \
	live/sampling/ring.c \
	live/sampling/ring.h \
	live/sampling/sampled.c \
	live/sampling/sampled.h \
	live/sampling/synthesize.c \
	live/sampling/synthesize.h
