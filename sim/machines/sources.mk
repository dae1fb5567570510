# SPDX-License-Identifier: MIT
machines = \
	sim/machines/alderlake.machine \
	sim/machines/cascadelake.machine \
	sim/machines/elkhartlake.machine \
	sim/machines/genoa.machine \
	sim/machines/graniterapids.machine \
	sim/machines/graviton4.machine \
	sim/machines/guest-lying-pmu.machine \
	sim/machines/guest-without-pmu.machine \
	sim/machines/icelake.machine \
	sim/machines/knightslanding.machine \
	sim/machines/lunarlake.machine \
	sim/machines/n2-r0p3.machine \
	sim/machines/sapphirerapids.machine \
	sim/machines/sierraforest.machine \
	sim/machines/skylake-nosmt.machine \
	sim/machines/skylake.machine \
	sim/machines/turin.machine \
	sim/machines/yitian710.machine
