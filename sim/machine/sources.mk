# SPDX-License-Identifier: MIT
libtd_sources += \
	sim/machine/core_pmu.c \
	sim/machine/core_pmu.h \
	sim/machine/execute.c \
	sim/machine/execute.h \
	sim/machine/grow.c \
	sim/machine/grow.h \
	sim/machine/hardware.c \
	sim/machine/hardware.h \
	sim/machine/pmu.c \
	sim/machine/pmu.h \
	sim/machine/registers.c \
	sim/machine/registers.h \
	sim/machine/workload.c \
	sim/machine/workload.h
