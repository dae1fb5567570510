# SPDX-License-Identifier: MIT
# The Python module. It has no compiled part: it calls the shared library by ctypes. python3-tdprobe of Debian has it as it is here; make wheel
# puts a copy of the library beside it, for this kind of machine (needs python3's pip, setuptools and wheel).
python_module = \
	python/tdprobe/__init__.py \
	python/tdprobe/_frame.py \
	python/tdprobe/_library.py \
	python/tdprobe/_live.py \
	python/tdprobe/_notebook.py \
	python/tdprobe/_program.py \
	python/tdprobe/_recording.py \
	python/tdprobe/_regions.py \
	python/tdprobe/_results.py \
	python/tdprobe/py.typed \
	python/tdprobe/pytest_plugin.py
python_files = python/README $(python_module)

# the folder in which it is put together is new each time: nothing of an older one goes along
wheel: libtdprobe.la python/pyproject.toml
	rm -rf python/wheel
	$(MKDIR_P) python/wheel/tdprobe
	for file in $(python_module); do cp $(srcdir)/$$file python/wheel/tdprobe/ || exit 1; done
	cp python/pyproject.toml python/wheel/
	printf '[bdist_wheel]\nplat_name = linux_%s\n' "$$(uname -m)" > python/wheel/setup.cfg
	$(LIBTOOL) --mode=install cp libtdprobe.la $(abs_builddir)/python/wheel/ > /dev/null 2>&1
	cp -L python/wheel/libtdprobe.so.1 python/wheel/tdprobe/ && $(STRIP) --strip-unneeded python/wheel/tdprobe/libtdprobe.so.1
	rm -f python/wheel/libtdprobe.*
	cd python/wheel && $(PYTHON3) -m pip --quiet wheel --no-deps --no-build-isolation --wheel-dir .. .
	rm -rf python/wheel
PYTHON3 = python3
.PHONY: wheel
CLEANFILES += python/tdprobe-*.whl
