# SPDX-License-Identifier: MIT
# for maintainers only: tests/import/check REFERENCE
import_files += \
	tests/import/bundle \
	tests/import/check \
	tests/import/differences.csv \
	tests/import/fields.py \
	tests/import/formulas.py \
	tests/import/kernels \
	tests/import/machines \
	tests/import/sides.py
