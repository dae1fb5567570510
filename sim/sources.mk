# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/sim.h
