# SPDX-License-Identifier: MIT
import_files += \
	backends/import/__main__.py \
	backends/import/amd-cpus.csv \
	backends/import/amd-events.csv \
	backends/import/amd.py \
	backends/import/arm-cpus.csv \
	backends/import/arm.py \
	backends/import/corrections.csv \
	backends/import/corrections.py \
	backends/import/evaluate.py \
	backends/import/intel-cpus.csv \
	backends/import/intel.py \
	backends/import/intel_events.py \
	backends/import/lint.py \
	backends/import/merging.py \
	backends/import/notation.py \
	backends/import/perf_json.py \
	backends/import/perfmon.py \
	backends/import/publication.py \
	backends/import/publications.csv \
	backends/import/rows.py \
	backends/import/tables.py \
	backends/import/tma_csv.py \
	backends/import/toplev.py \
	backends/import/units.py

# maintainers only: the tables from the vendors' publications in SRC (backends/import/publications.csv), byte for byte
check-import:
	@test -n '$(SRC)' || { echo 'make check-import SRC=DIR: DIR has the publications of backends/import/publications.csv' \
		>&2; exit 2; }
	$${PYTHON:-python3} $(srcdir)/backends/import --check '$(SRC)'
.PHONY: check-import
