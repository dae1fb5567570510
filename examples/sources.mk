# SPDX-License-Identifier: MIT
# What users may copy: includes only what is installed, and links with the shared library.
examples = examples/regions examples/threads examples/two-snapshots
if HAVE_BENCHMARK
examples += examples/benchmark
endif
examples_include = -I$(srcdir)/include
examples_link = $(AM_LDFLAGS) -no-install
examples_regions_SOURCES = examples/machine.h examples/print.h examples/regions.c
examples_regions_CPPFLAGS = $(examples_include)
examples_regions_LDADD = libtdprobe.la
examples_regions_LDFLAGS = $(examples_link)
examples_threads_SOURCES = examples/machine.h examples/threads.c examples/threads.h
examples_threads_CPPFLAGS = $(examples_include)
examples_threads_LDADD = libtdprobe.la -lpthread
examples_threads_LDFLAGS = $(examples_link)
examples_two_snapshots_SOURCES = examples/machine.h examples/print.h examples/two-snapshots.c
examples_two_snapshots_CPPFLAGS = $(examples_include)
examples_two_snapshots_LDADD = libtdprobe.la
examples_two_snapshots_LDFLAGS = $(examples_link)
examples_benchmark_SOURCES = examples/benchmark.cc examples/machine.h examples/topdown.hpp
examples_benchmark_CPPFLAGS = $(examples_include)
examples_benchmark_CXXFLAGS = $(WARN_CXXFLAGS)
examples_benchmark_LDADD = libtdprobe.la -lbenchmark -lpthread
examples_benchmark_LDFLAGS = $(examples_link)
