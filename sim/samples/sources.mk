# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/samples/calls.c \
	sim/samples/calls.h \
	sim/samples/cgroups.c \
	sim/samples/cgroups.h \
	sim/samples/code_of.c \
	sim/samples/code_of.h \
	sim/samples/courses.c \
	sim/samples/courses.h \
	sim/samples/lines_of.c \
	sim/samples/lines_of.h \
	sim/samples/maps.c \
	sim/samples/maps.h \
	sim/samples/maps_tree.h \
	sim/samples/pairs.c \
	sim/samples/pairs.h \
	sim/samples/places.c \
	sim/samples/places.h \
	sim/samples/same_files.c \
	sim/samples/same_files.h \
	sim/samples/spaces.c \
	sim/samples/spaces.h
