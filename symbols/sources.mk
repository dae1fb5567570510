# SPDX-License-Identifier: MIT
libtd_sources += \
	symbols/disassembly.c \
	symbols/elf_code.c \
	symbols/machine_code.h \
	symbols/elf_file.c \
	symbols/elf_file.h \
	symbols/elf_lines.c \
	symbols/elf_symbols.c \
	symbols/kernel_symbols.c \
	symbols/lines.h \
	symbols/jit_dump.c \
	symbols/kept_files.c \
	symbols/made_symbols.c \
	symbols/made_symbols.h \
	symbols/perf_map.c \
	symbols/jit_files.h \
	symbols/process_map.c \
	symbols/servers.c \
	symbols/source_text.c \
	symbols/source_text.h \
	symbols/stores.c \
	symbols/stores.h \
	symbols/symbol_table.c \
	symbols/symbols.h
