# SPDX-License-Identifier: MIT
# libFuzzer (needs clang): any bytes through each importer, through the code that finds the importer, as a machine,
# as the names of functions that a program made, and as an archive.
# An importer is named after its reader; seeds are the recordings here and tests/fuzz/seeds/NAME.
FUZZ_TIME = 60
FUZZ_CC = clang
importers = perf-csv perf-json perf-text perf-data arm-events perfspect tdprobe-trace
fuzzers = $(importers) any $(own_targets)
own_targets = machine names tar
fuzz_programs = $(addprefix tests/fuzz/fuzz-,$(fuzzers))
fuzz_objects = $(patsubst %.c,tests/fuzz/objects/%.o,$(filter %.c,$(libtd_la_SOURCES)) $(fuzz_report) tests/fuzz/fuzz_check.c)
# the reader of archives is the program's
fuzz_report = report/keeper.c report/kept.c report/output.c report/own_links.c report/tar.c report/temporary.c
FUZZ_COMPILE = $(FUZZ_CC) -std=gnu11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	$(DEFS) -I. -I$(srcdir) $(AM_CPPFLAGS) $(JSON_CFLAGS)
FUZZ_LINK = $(FUZZ_CC) -g -fsanitize=fuzzer,address,undefined
$(fuzz_objects): tests/fuzz/objects/%.o: %.c $(BUILT_SOURCES) $(filter %.h,$(libtd_la_SOURCES)) tests/fuzz/fuzz.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(FUZZ_COMPILE) -c -o $@ $<
$(fuzz_programs): tests/fuzz/fuzz-%: $(fuzz_objects) tests/fuzz/fuzz_recording.c tests/fuzz/fuzz_machine.c tests/fuzz/fuzz_names.c tests/fuzz/fuzz_tar.c
	$(AM_V_CC)$(FUZZ_COMPILE) $(if $(filter $*,$(importers)),-DFUZZ_IMPORTER='"$*"') -c -o $@.o \
		$(srcdir)/tests/fuzz/fuzz_$(if $(filter $*,$(own_targets)),$*,recording).c
	$(AM_V_CCLD)$(FUZZ_LINK) -o $@ $@.o $(fuzz_objects) $(CSV_LIBS) $(JSON_LIBS) $(SYMBOLS_LIBS) -lm
fuzz: $(fuzz_programs) tests/bench/generate$(EXEEXT)
	SRCDIR='$(srcdir)' FUZZ_TIME='$(FUZZ_TIME)' $(SHELL) $(srcdir)/tests/fuzz/run.sh $(fuzzers)
# folders, histories, answers of servers, programs, orders and limits that are good but for one change; needs python3, and root for mounts
ATTACK_CASES = 100
ATTACK_SEED = 1
attack: all
	python3 $(srcdir)/tests/fuzz/attack.py --cases $(ATTACK_CASES) --seed $(ATTACK_SEED) ./tdprobe$(EXEEXT) $(srcdir) $(surfaces)
.PHONY: fuzz attack
clean-local:
	-rm -rf tests/fuzz/corpus tests/fuzz/objects $(fuzz_programs) $(addsuffix .o,$(fuzz_programs)) tests/guest/scratch
fuzz_files = tests/fuzz/attack.py tests/fuzz/fuzz_machine.c tests/fuzz/fuzz_names.c tests/fuzz/fuzz_tar.c tests/fuzz/names tests/fuzz/run.sh tests/fuzz/perf-data.dict tests/fuzz/text.dict tests/fuzz/seeds
