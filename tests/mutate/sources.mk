# SPDX-License-Identifier: MIT
# make mutate: what the unit tests notice of one change in the code; needs python3. MUTATE: how many changes of each room, or all;
# MUTATE_ROOMS: core, stats, ...; MUTATE_SEED: which; MUTATE_BELOW: by how many points a score may miss what is wanted. See tests/mutate/README.
mutate_files = tests/mutate/README tests/mutate/accepted tests/mutate/mutate.py tests/mutate/scripts tests/mutate/touches.py
MUTATE = 300
MUTATE_ROOMS =
MUTATE_SEED = 1
MUTATE_BELOW = 0
mutate: all tests/unit$(EXEEXT)
	python3 $(srcdir)/tests/mutate/mutate.py --source $(abs_srcdir) --build $(abs_builddir) --number $(MUTATE) --seed $(MUTATE_SEED) --below $(MUTATE_BELOW) $(MUTATE_ROOMS)
mostlyclean-local:
	rm -rf tests/mutate/scratch
.PHONY: mutate
