# SPDX-License-Identifier: MIT
libtd_sources += \
	samples/calls.c \
	samples/calls.h \
	samples/cgroups.c \
	samples/cgroups.h \
	samples/code_of.c \
	samples/code_of.h \
	samples/courses.c \
	samples/courses.h \
	samples/cpu_threads.c \
	samples/cpu_threads.h \
	samples/lines_of.c \
	samples/lines_of.h \
	samples/maps.c \
	samples/maps.h \
	samples/maps_tree.h \
	samples/pairs.c \
	samples/pairs.h \
	samples/places.c \
	samples/places.h \
	samples/same_files.c \
	samples/same_files.h \
	samples/spaces.c \
	samples/spaces.h \
	samples/wanted.h
