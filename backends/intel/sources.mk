# SPDX-License-Identifier: MIT
libtd_sources += \
	backends/intel/intel_atom.c \
	backends/intel/intel_generic.c \
	backends/intel/intel_perf_metrics.c \
	backends/intel/kernel_topdown.h
event_lists += \
	backends/intel/intel-atom-events.inc \
	backends/intel/intel-generic-events.inc \
	backends/intel/intel-perf-metrics-events.inc
metric_tables += \
	backends/intel/adl-e-events.csv \
	backends/intel/adl-e-metrics.csv \
	backends/intel/adl-p-events.csv \
	backends/intel/adl-p-metrics.csv \
	backends/intel/arl-lpe-events.csv \
	backends/intel/arl-p-events.csv \
	backends/intel/bdw-de-events.csv \
	backends/intel/bdw-events.csv \
	backends/intel/bdw-metrics.csv \
	backends/intel/bdx-events.csv \
	backends/intel/bdx-metrics.csv \
	backends/intel/clx-events.csv \
	backends/intel/clx-metrics.csv \
	backends/intel/cwf-events.csv \
	backends/intel/ehl-events.csv \
	backends/intel/ehl-metrics.csv \
	backends/intel/emr-events.csv \
	backends/intel/gnr-events.csv \
	backends/intel/gnr-metrics.csv \
	backends/intel/grr-events.csv \
	backends/intel/hsw-events.csv \
	backends/intel/hsw-metrics.csv \
	backends/intel/hsx-events.csv \
	backends/intel/hsx-metrics.csv \
	backends/intel/icl-events.csv \
	backends/intel/icl-metrics.csv \
	backends/intel/icx-events.csv \
	backends/intel/icx-metrics.csv \
	backends/intel/intel-tables.csv \
	backends/intel/ivb-events.csv \
	backends/intel/ivb-metrics.csv \
	backends/intel/ivt-events.csv \
	backends/intel/ivt-metrics.csv \
	backends/intel/jkt-events.csv \
	backends/intel/jkt-metrics.csv \
	backends/intel/lnl-e-events.csv \
	backends/intel/lnl-e-metrics.csv \
	backends/intel/lnl-p-events.csv \
	backends/intel/lnl-p-metrics.csv \
	backends/intel/mtl-e-events.csv \
	backends/intel/mtl-e-metrics.csv \
	backends/intel/mtl-p-events.csv \
	backends/intel/mtl-p-metrics.csv \
	backends/intel/ptl-e-events.csv \
	backends/intel/ptl-p-events.csv \
	backends/intel/ptl-p-metrics.csv \
	backends/intel/skl-events.csv \
	backends/intel/skl-metrics.csv \
	backends/intel/skx-events.csv \
	backends/intel/skx-metrics.csv \
	backends/intel/snb-events.csv \
	backends/intel/snb-metrics.csv \
	backends/intel/spr-events.csv \
	backends/intel/spr-hbm-events.csv \
	backends/intel/spr-hbm-metrics.csv \
	backends/intel/spr-metrics.csv \
	backends/intel/srf-events.csv \
	backends/intel/srf-metrics.csv \
	backends/intel/tgl-events.csv \
	backends/intel/tgl-metrics.csv
