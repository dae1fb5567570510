# SPDX-License-Identifier: MIT
libtd_sources += \
	backends/amd/amd_zen.c
event_lists += \
	backends/amd/amd-zen-events.inc
metric_tables += \
	backends/amd/zen1-events.csv \
	backends/amd/zen1-metrics.csv \
	backends/amd/zen2-events.csv \
	backends/amd/zen2-metrics.csv \
	backends/amd/zen3-events.csv \
	backends/amd/zen3-metrics.csv \
	backends/amd/zen4-events.csv \
	backends/amd/zen4-metrics.csv \
	backends/amd/zen5-events.csv \
	backends/amd/zen5-metrics.csv \
	backends/amd/zen6-events.csv \
	backends/amd/zen6-metrics.csv
