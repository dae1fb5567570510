# SPDX-License-Identifier: MIT
# instructions, which callgrind counts; skipped if valgrind is missing
check-bombs: tests/unit$(EXEEXT)
	TD_SRCDIR='$(abs_srcdir)' $(SHELL) $(srcdir)/tests/callgrind/bombs.sh tests/unit$(EXEEXT) || test $$? -eq 77
.PHONY: check-bombs

callgrind_files = tests/callgrind/bombs.sh tests/callgrind/growth.sh
