# SPDX-License-Identifier: MIT
libtd_sources += \
	symbols/elf_symbols.c \
	symbols/kernel_symbols.c \
	symbols/symbol_table.c \
	symbols/symbols.h
