# SPDX-License-Identifier: MIT
libtd_sources += \
	backends/arm/arm_neoverse.c
event_lists += \
	backends/arm/arm-neoverse-events.inc
metric_tables += \
	backends/arm/ampereone-events.csv \
	backends/arm/ampereone-metrics.csv \
	backends/arm/ampereonex-events.csv \
	backends/arm/ampereonex-metrics.csv \
	backends/arm/neoverse-n1-events.csv \
	backends/arm/neoverse-n1-metrics.csv \
	backends/arm/neoverse-n2-events.csv \
	backends/arm/neoverse-n2-metrics.csv \
	backends/arm/neoverse-n2-r0p3-events.csv \
	backends/arm/neoverse-n2-r0p3-metrics.csv \
	backends/arm/neoverse-n3-events.csv \
	backends/arm/neoverse-n3-metrics.csv \
	backends/arm/neoverse-v1-events.csv \
	backends/arm/neoverse-v1-metrics.csv \
	backends/arm/neoverse-v2-events.csv \
	backends/arm/neoverse-v2-metrics.csv \
	backends/arm/neoverse-v3-events.csv \
	backends/arm/neoverse-v3-metrics.csv
