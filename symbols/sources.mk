# SPDX-License-Identifier: MIT
libtd_sources += \
	symbols/elf_file.c \
	symbols/elf_file.h \
	symbols/elf_lines.c \
	symbols/elf_symbols.c \
	symbols/kernel_symbols.c \
	symbols/lines.h \
	symbols/symbol_table.c \
	symbols/symbols.h
