# SPDX-License-Identifier: MIT
include traces/vectors.mk

TEST_EXTENSIONS = .expect .sh
EXPECT_LOG_COMPILER = $(SHELL) $(srcdir)/tests/scripts/run-vector
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)'; export TDPROBE; \
	TD_SRCDIR='$(abs_srcdir)'; export TD_SRCDIR; \
	TD_BUILDDIR='$(abs_builddir)'; export TD_BUILDDIR; \
	CC='$(CC)'; export CC; \
	LC_ALL=C; export LC_ALL;

check_scripts = \
	tests/scripts/abi.sh \
	tests/scripts/alone.sh \
	tests/scripts/annotate.sh \
	tests/scripts/apart.sh \
	tests/scripts/architecture.sh \
	tests/scripts/badinput.sh \
	tests/scripts/bench-data.sh \
	tests/scripts/baseline.sh \
	tests/scripts/bundle.sh \
	tests/scripts/bundle-script.sh \
	tests/scripts/circles.sh \
	tests/scripts/cli.sh \
	tests/scripts/closed.sh \
	tests/scripts/collect.sh \
	tests/scripts/compare.sh \
	tests/scripts/compare-appended.sh \
	tests/scripts/compare-functions.sh \
	tests/scripts/compare-machines.sh \
	tests/scripts/compare-series.sh \
	tests/scripts/completion.sh \
	tests/scripts/compressed.sh \
	tests/scripts/completion-shells.sh \
	tests/scripts/convert.sh \
	tests/scripts/coverage.sh \
	tests/scripts/cxx.sh \
	tests/scripts/deep-machines.sh \
	tests/scripts/doctor.sh \
	tests/scripts/drilldown.sh \
	tests/scripts/more-levels.sh \
	tests/scripts/mpi.sh \
	tests/scripts/examples.sh \
	tests/scripts/features.sh \
	tests/scripts/few-descriptors.sh \
	tests/scripts/flame.sh \
	tests/scripts/archive.sh \
	tests/scripts/fleet.sh \
	tests/scripts/headers.sh \
	tests/scripts/hints.sh \
	tests/scripts/installed.sh \
	tests/scripts/jobs.sh \
	tests/scripts/latencies.sh \
	tests/scripts/layout.sh \
	tests/scripts/levels.sh \
	tests/scripts/lent-rights.sh \
	tests/scripts/lines-inlined.sh \
	tests/scripts/lines.sh \
	tests/scripts/lint.sh \
	tests/scripts/live-files.sh \
	tests/scripts/live.sh \
	tests/scripts/functions-known.sh \
	tests/scripts/functions-machines.sh \
	tests/scripts/functions-turns.sh \
	tests/scripts/machines.sh \
	tests/scripts/manuals.sh \
	tests/scripts/merge.sh \
	tests/scripts/msr.sh \
	tests/scripts/neighbours.sh \
	tests/scripts/no-multiplex.sh \
	tests/scripts/options.sh \
	tests/scripts/page-browser.sh \
	tests/scripts/openmetrics.sh \
	tests/scripts/page.sh \
	tests/scripts/pastes.sh \
	tests/scripts/phases.sh \
	tests/scripts/perf-command.sh \
	tests/scripts/progress.sh \
	tests/scripts/python.sh \
	tests/scripts/quickstart.sh \
	tests/scripts/read-cost.sh \
	tests/scripts/report-cgroup.sh \
	tests/scripts/report-container.sh \
	tests/scripts/report-html-browser.sh \
	tests/scripts/report-html.sh \
	tests/scripts/report-jitdump.sh \
	tests/scripts/report-made.sh \
	tests/scripts/report-stores.sh \
	tests/scripts/report-unnamed.sh \
	tests/scripts/report.sh \
	tests/scripts/same-time.sh \
	tests/scripts/percentages.sh \
	tests/scripts/plain.sh \
	tests/scripts/reasons-files.sh \
	tests/scripts/reasons.sh \
	tests/scripts/reasons-blocks.sh \
	tests/scripts/reasons-limits.sh \
	tests/scripts/growth.sh \
	tests/scripts/rights.sh \
	tests/scripts/rivals.sh \
	tests/scripts/sampling.sh \
	tests/scripts/sandbox.sh \
	tests/scripts/scopes.sh \
	tests/scripts/seam.sh \
	tests/scripts/selftest.sh \
	tests/scripts/several-cpus.sh \
	tests/scripts/stack.sh \
	tests/scripts/smt.sh \
	tests/scripts/smt-known.sh \
	tests/scripts/strict.sh \
	tests/scripts/summary.sh \
	tests/scripts/symbols.sh \
	tests/scripts/targets.sh \
	tests/scripts/tasks.sh \
	tests/scripts/two-writers.sh \
	tests/scripts/until.sh \
	tests/scripts/terminal.sh \
	tests/scripts/threads.sh \
	tests/scripts/windows.sh \
	tests/scripts/words.sh
TESTS = $(test_programs) $(check_scripts) $(vectors)

# Scripts of which the usual build's run says all that there is to say: of texts, of the sources, of other programs (shells, browsers,
# compilers, Prometheus, Python), or of what the program does with large files and on all machines, by code that other scripts run as well.
plain_scripts = \
	tests/scripts/abi.sh \
	tests/scripts/architecture.sh \
	tests/scripts/circles.sh \
	tests/scripts/completion-shells.sh \
	tests/scripts/completion.sh \
	tests/scripts/coverage.sh \
	tests/scripts/cxx.sh \
	tests/scripts/features.sh \
	tests/scripts/flame.sh \
	tests/scripts/fleet.sh \
	tests/scripts/growth.sh \
	tests/scripts/installed.sh \
	tests/scripts/layout.sh \
	tests/scripts/manuals.sh \
	tests/scripts/options.sh \
	tests/scripts/page-browser.sh \
	tests/scripts/perf-command.sh \
	tests/scripts/progress.sh \
	tests/scripts/python.sh \
	tests/scripts/quickstart.sh \
	tests/scripts/read-cost.sh \
	tests/scripts/report-html-browser.sh \
	tests/scripts/symbols.sh
# What a sanitizer or another machine may find: make check TESTS='$(sanitizer_tests)'
sanitizer_tests = $(filter-out $(plain_scripts) tests/scripts/headers.sh tests/scripts/seam.sh,$(test_programs) $(check_scripts) $(vectors))
# What another compiler may find: its code in all programs of tests and for all recordings, each subcommand, what looks at the objects, and
# what is compiled with the tests. Undefined behaviour, on which compilers differ, is the sanitizers'.
compiler_tests = $(test_programs) $(vectors) $(addprefix tests/scripts/,$(addsuffix .sh, \
	archive baseline bundle cli collect compare doctor examples headers lent-rights live machines merge msr phases report sampling sandbox \
	seam selftest stack threads))
# What finds more where it finds more tools than ./autogen.sh --install-deps installs: .ci/run has them
tool_tests = $(addprefix tests/scripts/,$(addsuffix .sh, \
	abi collect compare cxx flame fleet growth headers installed lines manuals openmetrics page-browser python read-cost report-html-browser))
python_tests = \
	tests/python/conftest.py \
	tests/python/leaks \
	tests/python/test_declarations.py \
	tests/python/test_frame.py \
	tests/python/test_handles.py \
	tests/python/test_live.py \
	tests/python/test_notebook.py \
	tests/python/test_program.py \
	tests/python/test_pytest_plugin.py \
	tests/python/test_regions.py \
	tests/python/test_replay.py

if HAVE_CUNIT
test_programs = tests/unit tests/api tests/corpus tests/mutants tests/alloc tests/threads
else
test_programs =
check-local:
	@echo "CUnit is missing: install libcunit1-dev or run ./autogen.sh --install-deps, then configure again" >&2; exit 1
endif
check_PROGRAMS = $(test_programs) $(examples) tests/bench/generate tests/one-more-option tests/exploited

# The program with a row more in the table of replay: that everything else follows is tests/scripts/options.sh's.
nodist_tests_one_more_option_SOURCES = tests/one_more_option.c
nodist_EXTRA_tests_one_more_option_SOURCES = none.cc
tests_one_more_option_LDADD = $(filter-out cli/replay.$(OBJEXT),$(tdprobe_OBJECTS)) $(tdprobe_LDADD)
tests_one_more_option_DEPENDENCIES = $(tdprobe_OBJECTS) $(tdprobe_DEPENDENCIES)
tests_one_more_option_LDFLAGS = $(tdprobe_LDFLAGS)
tests/one_more_option.c: cli/replay.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed 's/^    CLI_HELP_ROWS,/    {"knobs", '"'k'"', "N", CLI_NUMBER_IN(struct replay, jobs, 3, 5), .usual = "4", .common = true, .help = "how many knobs"},\n&/' \
	    $(srcdir)/cli/replay.c > $@.tmp && mv $@.tmp $@
CLEANFILES += tests/one_more_option.c

# The program with a reader that a recording has taken over: what it then can do is tests/scripts/sandbox.sh's.
tests_exploited_SOURCES = tests/exploited.c
nodist_EXTRA_tests_exploited_SOURCES = none.cc
tests_exploited_LDADD = $(filter-out cli/read_fd.$(OBJEXT),$(tdprobe_OBJECTS)) $(tdprobe_LDADD)
tests_exploited_DEPENDENCIES = $(tdprobe_OBJECTS) $(tdprobe_DEPENDENCIES)
tests_exploited_LDFLAGS = $(tdprobe_LDFLAGS)

tests_unit_SOURCES = \
	tests/advice/test_advice.c \
	tests/backends/test_identity.c \
	tests/backends/test_metric_tables.c \
	tests/backends/test_published_nodes.c \
	tests/backends/test_tables.c \
	cli/collect/followed.c \
	cli/collect/manners.c \
	cli/collect/patterns.c \
	cli/paths.c \
	cli/collect/address.c \
	cli/numbers.c \
	tests/cli/collect/test_address.c \
	tests/cli/collect/test_followed.c \
	tests/cli/collect/test_manners.c \
	tests/cli/collect/test_patterns.c \
	tests/core/bounds/test_bounds.c \
	tests/core/bounds/test_bounds_deep.c \
	tests/core/choice/test_copies.c \
	tests/core/choice/test_form.c \
	tests/core/choice/test_select.c \
	tests/core/choice/test_steady.c \
	tests/core/choice/test_stretch.c \
	tests/util/test_cpu_list.c \
	tests/core/counts/test_counts.c \
	tests/core/counts/test_decode.c \
	tests/core/counts/test_delta.c \
	tests/core/counts/test_event_names.c \
	tests/core/counts/test_event_text.c \
	tests/core/formula/test_formula.c \
	tests/core/formula/test_formulas.c \
	tests/core/counts/test_groups.c \
	tests/core/counts/test_layout.c \
	tests/core/counts/test_hints.c \
	tests/core/counts/test_turns.c \
	tests/core/verdict/test_level_sum.c \
	tests/core/verdict/test_thresholds.c \
	tests/core/bounds/test_likely.c \
	tests/core/bounds/test_likely_apart.c \
	tests/core/bounds/test_likely_deep.c \
	tests/core/bounds/test_lint.c \
	tests/core/counts/test_modes.c \
	tests/core/counts/test_scope_kind.c \
	tests/core/formula/test_range.c \
	tests/core/formula/test_table.c \
	tests/core/formula/test_tape.c \
	tests/core/bounds/test_written_back.c \
	tests/core/test_result.c \
	tests/core/test_sized.c \
	tests/core/test_stream.c \
	tests/core/test_uarch.c \
	tests/core/solve/test_metric.c \
	tests/core/solve/test_missing_term.c \
	tests/core/solve/test_forms.c \
	tests/core/solve/test_restored.c \
	tests/core/solve/test_room.c \
	tests/core/bounds/test_observed.c \
	tests/core/solve/test_load.c \
	tests/core/solve/test_part_of_core.c \
	tests/core/solve/test_siblings.c \
	tests/core/solve/test_solve.c \
	tests/core/solve/test_solve_memory.c \
	tests/util/test_text_clean.c \
	tests/core/verdict/test_verdict.c \
	tests/core/verdict/test_verdict_edges.c \
	tests/kernels/test_kernels.c \
	tests/kernels/test_measured.c \
	tests/live/doctor/test_findings.c \
	tests/live/doctor/test_known_loop.c \
	tests/live/host/test_host.c \
	tests/live/host/test_host_assumed.c \
	tests/live/host/test_host_facts.c \
	tests/live/host/test_host_files.c \
	tests/live/latency/test_latencies.c \
	tests/live/latency/test_latency_kind.c \
	tests/live/latency/test_latency_place.c \
	tests/live/msr/test_msr.c \
	tests/live/msr/test_msr_end.c \
	tests/live/msr/test_msr_event.c \
	tests/live/msr/test_msr_faults.c \
	tests/live/msr/test_msr_look.c \
	tests/live/msr/test_msr_open.c \
	tests/live/msr/test_msr_live.c \
	tests/live/msr/test_msr_refused.c \
	tests/live/perf/test_perf.c \
	tests/live/perf/test_perf_source.c \
	tests/live/plan/test_fit.c \
	tests/live/plan/test_perf_events.c \
	tests/live/plan/test_plan.c \
	tests/live/plan/test_planner.c \
	tests/live/plan/test_wanted.c \
	tests/live/sampling/test_build_id.c \
	tests/live/sampling/test_data_file.c \
	tests/live/sampling/test_features.c \
	tests/live/sampling/test_made.c \
	tests/live/sampling/test_pace.c \
	tests/live/sampling/test_pair_distance.c \
	tests/live/sampling/test_pair_news.c \
	tests/live/sampling/test_recorder.c \
	tests/live/sampling/test_ring.c \
	tests/live/sampling/test_sampled.c \
	tests/live/sampling/test_synthesize.c \
	tests/live/test_beyond.c \
	tests/live/test_describe.c \
	tests/live/test_faults.c \
	tests/live/test_live_memory.c \
	tests/live/test_meter.c \
	tests/live/test_obstacle.c \
	tests/live/test_opening.c \
	tests/live/test_readings.c \
	tests/live/test_rights.c \
	tests/live/test_scopes.c \
	tests/live/test_switches.c \
	tests/live/test_times.c \
	tests/live/thread/test_passes.c \
	tests/live/thread/test_regions.c \
	tests/live/thread/test_self.c \
	tests/live/thread/test_self_faults.c \
	tests/live/thread/test_self_open.c \
	tests/live/thread/test_sums.c \
	tests/os/test_os.c \
	tests/os/test_os_files.c \
	tests/os/test_os_run.c \
	tests/os/test_os_signals.c \
	tests/report/test_annotation.c \
	tests/report/test_cgroup_name.c \
	tests/report/test_chrome.c \
	tests/report/test_compare_formats.c \
	tests/report/test_compare_html.c \
	tests/report/test_compare_words.c \
	tests/report/test_csv.c \
	tests/report/test_csv_fields.c \
	tests/report/test_digits.c \
	tests/report/test_formats.c \
	tests/report/test_flags.c \
	tests/report/test_functions_annotated.c \
	tests/report/test_functions_formats.c \
	tests/report/test_functions_page.c \
	tests/report/test_functions_pairs.c \
	tests/report/test_functions_words.c \
	tests/report/test_json_verdict.c \
	tests/report/test_json_writer.c \
	tests/report/test_keeper.c \
	tests/report/test_kept.c \
	tests/report/test_lines.c \
	tests/report/test_marks.c \
	tests/report/test_memory.c \
	tests/report/test_output.c \
	tests/report/test_own_links.c \
	tests/report/test_html.c \
	tests/report/test_openmetrics.c \
	tests/report/test_packed.c \
	tests/report/test_page.c \
	tests/report/test_report.c \
	tests/report/test_result_rows.c \
	tests/report/test_room.c \
	tests/report/test_screens.c \
	tests/report/test_shown.c \
	tests/report/test_stacks.c \
	tests/report/test_tables.c \
	tests/report/test_tar.c \
	tests/report/test_temporary.c \
	tests/report/test_text.c \
	tests/report/test_time_line.c \
	tests/report/test_tree.c \
	tests/report/test_tree_notes.c \
	tests/report/test_tree_rows.c \
	tests/report/test_tree_view.c \
	tests/report/test_unnamed.c \
	tests/report/test_verdict_line.c \
	tests/session/test_candidates.c \
	tests/session/test_convert.c \
	tests/session/test_identify.c \
	tests/session/test_likely_once.c \
	tests/session/test_likely_road.c \
	tests/session/test_doctor.c \
	tests/session/test_open_file.c \
	tests/session/test_opened.c \
	tests/session/test_printed.c \
	tests/session/test_printed_shares.c \
	tests/session/test_reasons.c \
	tests/session/test_record.c \
	tests/session/test_run.c \
	tests/session/test_samples.c \
	tests/session/test_session.c \
	tests/session/test_sampling.c \
	tests/session/test_sampling_wakes.c \
	tests/session/test_session_memory.c \
	tests/session/test_solution.c \
	tests/session/test_sums.c \
	tests/session/test_sums_growth.c \
	tests/session/test_measure.c \
	tests/session/test_next.c \
	tests/session/test_measured.c \
	tests/session/test_measured_step.c \
	tests/session/test_merged.c \
	tests/session/test_text_bombs.c \
	tests/session/test_waited.c \
	tests/sim/describe/test_machine.c \
	tests/sim/kernel/test_descriptors.c \
	tests/sim/kernel/test_event_map.c \
	tests/sim/kernel/test_event_page.c \
	tests/sim/kernel/test_files.c \
	tests/sim/kernel/test_heirs.c \
	tests/sim/kernel/test_kernel.c \
	tests/sim/kernel/test_many_cpus.c \
	tests/sim/kernel/test_rings.c \
	tests/sim/kernel/test_sampling.c \
	tests/sim/kernel/test_trap.c \
	tests/sim/kernel/test_trap_x86.c \
	tests/sim/kernel/test_wait.c \
	tests/sim/kernel/test_watchdog.c \
	tests/sim/kernel/test_weights.c \
	tests/sim/machine/test_pmu.c \
	tests/formats/perf_data/test_bombs.c \
	tests/formats/percentages/test_percentages.c \
	tests/formats/percentages/test_percent_nodes.c \
	tests/formats/perf_data/test_groups.c \
	tests/formats/perf_data/test_kernel_samples.c \
	tests/formats/perf_data/test_perf_data.c \
	tests/formats/perf_data/test_perf_data_limits.c \
	tests/formats/perf_data/test_sample_bombs.c \
	tests/formats/perf_data/test_sample_places.c \
	tests/formats/perf_data/test_damage.c \
	tests/formats/perf_data/test_data_counters.c \
	tests/formats/perf_data/test_data_header.c \
	tests/formats/perf_data/test_data_intervals.c \
	tests/formats/perf_data/test_data_names.c \
	tests/formats/perf_data/test_data_order.c \
	tests/formats/perf_data/test_data_origin.c \
	tests/formats/perf_data/test_data_pipe.c \
	tests/formats/perf_data/test_data_place.c \
	tests/formats/perf_data/test_data_processes.c \
	tests/formats/perf_data/test_data_record.c \
	tests/formats/perf_data/test_data_rounds.c \
	tests/formats/perf_data/test_data_samples.c \
	tests/formats/perf_data/test_data_scopes.c \
	tests/formats/perf_data/test_data_tail.c \
	tests/formats/perf_data/test_data_unpack.c \
	tests/formats/perf_data/test_sample_cuts.c \
	tests/formats/perf_data/test_sample_fields.c \
	tests/formats/perf_data/test_samples.c \
	tests/formats/perf_data/test_switches.c \
	tests/formats/perf_stat/test_csv_columns.c \
	tests/formats/perf_stat/test_csv_known.c \
	tests/formats/perf_stat/test_csv_known_lines.c \
	tests/formats/perf_stat/test_csv_line.c \
	tests/formats/perf_stat/test_csv_separator.c \
	tests/formats/perf_stat/test_json_flat.c \
	tests/formats/perf_stat/test_json_flat_fronts.c \
	tests/formats/perf_stat/test_json_key.c \
	tests/formats/perf_stat/test_json_line.c \
	tests/formats/perf_stat/test_metric_names.c \
	tests/formats/perf_stat/test_perf_csv.c \
	tests/formats/perf_stat/test_perf_json.c \
	tests/formats/perf_stat/test_perf_rows.c \
	tests/formats/perf_stat/test_perf_text.c \
	tests/formats/perf_stat/test_perf_text_heads.c \
	tests/formats/perf_stat/test_printed.c \
	tests/formats/perf_stat/test_text_number.c \
	tests/formats/test_arm_events.c \
	tests/sim/replay/test_bytes.c \
	tests/sim/replay/test_intervals.c \
	tests/sim/replay/test_own_report.c \
	tests/sim/replay/test_recording.c \
	tests/sim/replay/test_run_groups.c \
	tests/sim/replay/test_raw_bytes.c \
	tests/formats/test_formats.c \
	tests/formats/test_packed.c \
	tests/formats/test_unpack.c \
	tests/formats/test_told.c \
	tests/formats/test_readers_memory.c \
	tests/formats/test_foreign_lines.c \
	tests/sim/replay/test_metamorphic.c \
	tests/formats/trace/test_reader.c \
	tests/formats/trace/test_trace_header.c \
	tests/samples/test_calls.c \
	tests/samples/test_code_of.c \
	tests/samples/test_courses.c \
	tests/samples/test_cpu_threads.c \
	tests/samples/test_made_places.c \
	tests/samples/test_maps.c \
	tests/samples/test_nameless_places.c \
	tests/samples/test_pairs.c \
	tests/samples/test_places.c \
	tests/samples/test_same_files.c \
	tests/samples/test_samples_memory.c \
	tests/samples/test_spaces.c \
	tests/formats/trace/test_labels.c \
	tests/formats/trace/test_trace_row.c \
	tests/formats/trace/test_trace_write.c \
	tests/stats/test_bootstrap.c \
	tests/stats/test_calls.c \
	tests/stats/test_chance.c \
	tests/stats/test_pure_deltas.c \
	tests/stats/test_timeline.c \
	tests/stats/test_compare.c \
	tests/stats/test_comparison.c \
	tests/stats/test_course.c \
	tests/stats/test_deltas.c \
	tests/stats/test_estimates.c \
	tests/stats/test_difference.c \
	tests/stats/test_functions.c \
	tests/stats/test_functions_exact.c \
	tests/stats/test_functions_order.c \
	tests/stats/test_functions_sums.c \
	tests/stats/test_gate.c \
	tests/stats/test_order.c \
	tests/stats/test_phases.c \
	tests/stats/test_phases_exact.c \
	tests/stats/test_mean.c \
	tests/stats/test_place_bounds.c \
	tests/stats/test_programs.c \
	tests/stats/test_smear.c \
	tests/stats/test_repeat.c \
	tests/stats/test_repeat_scopes.c \
	tests/stats/test_series.c \
	tests/stats/test_tally.c \
	tests/stats/test_totals.c \
	tests/support/any_counts.h \
	tests/report/made_functions.h \
	tests/support/captured.h \
	tests/support/chance.c \
	tests/support/chance.h \
	tests/support/fake_os.h \
	tests/support/findings_text.h \
	tests/support/faulty.h \
	tests/support/keep_nothing.h \
	tests/support/likely_chance.h \
	tests/support/likely_deep.c \
	tests/support/likely_deep.h \
	tests/support/likely_formulas.c \
	tests/support/likely_once.c \
	tests/support/likely_once.h \
	tests/support/likely_restore.c \
	tests/support/likely_road.c \
	tests/support/likely_road.h \
	tests/support/likely_sim.c \
	tests/support/likely_sim.h \
	tests/support/linux_os.h \
	tests/support/little.h \
	tests/support/mixed.h \
	tests/support/msr_machine.h \
	tests/support/oracle.c \
	tests/support/open_recording.h \
	tests/support/oracle.h \
	tests/support/oracle_amd.c \
	tests/support/oracle_arm.c \
	tests/support/oracle_atom.c \
	tests/support/oracle_intel.c \
	tests/support/oracle_intel_events.c \
	tests/support/perf_file.h \
	tests/support/perf_read.h \
	tests/support/perf_samples.h \
	tests/support/pieces.h \
	tests/support/plain.h \
	tests/support/random.h \
	tests/support/random_pmu.h \
	tests/support/read_self.h \
	tests/support/recorded.h \
	tests/support/sampled_file.c \
	tests/support/sampled_file.h \
	tests/support/sampled_places.c \
	tests/support/sampled_places.h \
	tests/support/sampled_program.c \
	tests/support/sampled_program.h \
	tests/support/sampled_threads.c \
	tests/support/sampled_threads.h \
	tests/support/sapphire_rapids.h \
	tests/support/sets.h \
	tests/support/measuring.h \
	tests/support/shipped_machine.h \
	tests/support/sim_sampling.h \
	tests/support/sim_text.h \
	tests/support/solve_text.h \
	tests/support/slow.c \
	tests/support/slow.h \
	tests/support/source.h \
	tests/support/synthetic.c \
	tests/support/synthetic.h \
	tests/support/thread_regions.h \
	tests/support/trap_self.h \
	tests/symbols/test_kept_files.c \
	tests/symbols/test_made_symbols.c \
	tests/symbols/test_symbols.c \
	tests/util/test_hash_index.c \
	tests/util/test_log_prefix.c \
	tests/util/test_made_files.c \
	tests/util/test_number.c \
	tests/util/test_room.c \
	tests/util/test_scope_table.c \
	tests/util/test_student.c \
	tests/support/memory.c \
	tests/support/unit.c \
	tests/support/made_interval.h \
	tests/support/made_result.h \
	tests/support/memory.h \
	tests/support/unit.h
tests_unit_CFLAGS = $(AM_CFLAGS) $(CUNIT_CFLAGS) -pthread
nodist_EXTRA_tests_unit_SOURCES = none.cc
# tests/support/memory.c
tests_unit_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=strdup,--wrap=free
tests_unit_LDADD = libreport.la libcompare.la libtd.la $(CUNIT_LIBS) $(JSON_LIBS) $(GSL_LIBS) $(ZLIB_LIBS) -lm

# sees only what is exported, through the shared library
tests_api_SOURCES = tests/include/api.c
tests_api_LDADD = libtdprobe.la
tests_api_LDFLAGS = $(AM_LDFLAGS) -no-install

# accepts what abi.sh told
abi: libtdprobe.la
	TD_SRCDIR='$(abs_srcdir)' TD_BUILDDIR='$(abs_builddir)' CC='$(CC)' $(SHELL) $(srcdir)/tests/scripts/abi.sh write
.PHONY: abi

# what fuzzing starts with and found, without libFuzzer
tests_corpus_SOURCES = tests/support/digest.h tests/fuzz/corpus.c tests/fuzz/fuzz.h tests/fuzz/fuzz_check.c tests/fuzz/fuzz_recording.c
tests_corpus_LDADD = libtd.la -lm

# what other recordings of the same meaning answer, for all recordings and mutants of them: one in 8 (TD_QUICK: 40), or all
tests_mutants_SOURCES = tests/metamorphic/answer.c tests/metamorphic/answer.h tests/metamorphic/bytes.h tests/metamorphic/mutants.c \
	tests/metamorphic/relations.c tests/metamorphic/relations.h
tests_mutants_LDADD = libtd.la -lm
# What takes longer than a change can wait for, and seldom finds what make check does not: all mutants, all recordings in all ways to read
# them, all rounds of the random tests, the unit tests under valgrind, three days of tdprobe collect, and the Debian packages. Once for each larger change.
check-long: all tests/corpus$(EXEEXT) tests/mutants$(EXEEXT) tests/unit$(EXEEXT)
	TD_SRCDIR='$(abs_srcdir)' tests/mutants$(EXEEXT) 1
	TD_SRCDIR='$(abs_srcdir)' TD_LONG=1 tests/corpus$(EXEEXT)
	TD_SRCDIR='$(abs_srcdir)' TD_LONG=1 tests/unit$(EXEEXT)
	TD_SRCDIR='$(abs_srcdir)' TD_QUICK=1 env --default-signal valgrind -q --error-exitcode=9 --leak-check=full \
		--errors-for-leak-kinds=definite,indirect tests/unit$(EXEEXT)
	TD_SRCDIR='$(abs_srcdir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' CC='$(CC)' LC_ALL=C $(SHELL) $(srcdir)/tests/scripts/collect-days.sh
	$(MAKE) check-packages
	$(MAKE) check-fleet
# The layout of the code, by .clang-format and clang-format 14, which Debian 12 has.
check-format:
	cd '$(srcdir)' && find . -name '*.[ch]' -o -name '*.cc' | grep -vE '/scratch/|^\./(config\.h|tests/one_more_option\.c|tdprobe-|deb/)' | xargs clang-format --dry-run -Werror
# The Python module with a library that has ASan and UBSan. That is another build: configure --enable-sanitizers --disable-static
check-python-asan: all
	@grep -q __asan_init .libs/libtdprobe.so || \
	    { echo "This build has no sanitizers, or no shared library: do this in a folder of its own, after configure --enable-sanitizers --disable-static" >&2; exit 1; }
	TD_SRCDIR='$(abs_srcdir)' TD_BUILDDIR='$(abs_builddir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' CC='$(CC)' LC_ALL=C $(SHELL) $(srcdir)/tests/scripts/python.sh
list-tests:
	@printf '%s\n' $(TESTS)
list-sanitizer-tests:
	@printf '%s\n' $(sanitizer_tests)
.PHONY: check-format check-long check-python-asan list-sanitizer-tests list-tests

tests_alloc_SOURCES = tests/live/thread/alloc.c
tests_alloc_LDADD = libtd.la -lm

tests_threads_SOURCES = tests/threads.c tests/support/digest.h
tests_threads_CFLAGS = $(AM_CFLAGS) -pthread
tests_threads_LDADD = libtd.la -lm

# tdprobe as it is, but for two calls that also look at the simulated registers
tests/scripts/msr.log: tests/msr_cli$(EXEEXT)
EXTRA_PROGRAMS = tests/msr_cli
CLEANFILES += tests/msr_cli$(EXEEXT)
tests_msr_cli_SOURCES = tests/support/msr_cli.c $(program_sources)
nodist_EXTRA_tests_msr_cli_SOURCES = none.cc
tests_msr_cli_LDADD = libreport.la libcompare.la libtd.la $(CSV_LIBS) $(JSON_LIBS) $(GSL_LIBS) $(ZLIB_LIBS) -lm
tests_msr_cli_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=td_set_machine -Wl,--wrap=td_free

# the kernels of selftest, by what knows nothing of tdprobe
check-oracles: all
	TD_SRCDIR='$(srcdir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' CC='$(CC)' LC_ALL=C $(SHELL) $(srcdir)/tests/oracles/kernels.sh
.PHONY: check-oracles
# an archive in engines that exist: see tests/fleet/check.sh
check-fleet: all
	TD_SRCDIR='$(abs_srcdir)' TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' $(SHELL) $(srcdir)/tests/fleet/check.sh
.PHONY: check-fleet
# recordings with the percentages that their tool printed, in a folder outside: see tests/scripts/cases.sh
check-cases: all
	TDPROBE='$(abs_builddir)/tdprobe$(EXEEXT)' LC_ALL=C $(SHELL) $(srcdir)/tests/scripts/cases.sh '$(CASES)'
.PHONY: check-cases

screens = \
	tests/report/screens/bench.txt \
	tests/report/screens/bench-120.txt \
	tests/report/screens/bench-50.txt \
	tests/report/screens/bench-80.txt \
	tests/report/screens/lines.txt \
	tests/report/screens/lines-120.txt \
	tests/report/screens/lines-120-colour.txt \
	tests/report/screens/lines-50.txt \
	tests/report/screens/lines-50-colour.txt \
	tests/report/screens/lines-80.txt \
	tests/report/screens/lines-80-colour.txt \
	tests/report/screens/runs.txt \
	tests/report/screens/runs-120.txt \
	tests/report/screens/runs-50.txt \
	tests/report/screens/runs-80.txt \
	tests/report/screens/skl-level-4.trace \
	tests/report/screens/tree.txt \
	tests/report/screens/tree-120.txt \
	tests/report/screens/tree-120-colour.txt \
	tests/report/screens/tree-50.txt \
	tests/report/screens/tree-50-colour.txt \
	tests/report/screens/tree-80.txt \
	tests/report/screens/tree-80-colour.txt

test_files = tests/include/cxx.cc \
	tests/oracles/kernels.sh \
	tests/samples/README tests/samples/pack.py tests/samples/script.awk tests/samples/system-z.data tests/samples/system-pipe.data tests/samples/truth.json \
	tests/samples/fast.data tests/samples/fast.script tests/samples/long.data tests/samples/long.script tests/samples/nest.data tests/samples/nest.script \
	tests/samples/nogroup.data tests/samples/pairs.data tests/samples/pairs.machine tests/samples/pairs.script tests/samples/perthread.data tests/samples/perthread.script tests/samples/regs.data tests/samples/regs.script \
	tests/samples/system.data tests/samples/system.script tests/samples/throttled.data tests/samples/throttled.script \
	tests/samples/symfs/usr/bin/crew tests/samples/symfs/usr/bin/kernels tests/samples/symfs/other/usr/bin/kernels \
	tests/sim/level4.txt \
	$(screens) \
	tests/backends/published-nodes.csv \
	tests/cross/aarch64.sh \
	tests/scripts/cases.sh \
	tests/scripts/complete_in.py \
	tests/scripts/clocks.c \
	tests/scripts/collect-days.sh \
	tests/scripts/lent_rights.c \
	tests/scripts/halves.py \
	tests/scripts/page_options.awk \
	tests/scripts/html_drawn.py \
	tests/scripts/html_page.py \
	tests/scripts/alone.py \
	tests/scripts/results_chrome.py \
	tests/scripts/results_openmetrics.py \
	tests/scripts/scrapes.py \
	tests/scripts/results_drawn.py \
	tests/scripts/compare_page.py tests/scripts/results_page.py \
	tests/scripts/sampled_at.py \
	tests/support/programs.awk \
	traces/damaged/two-recorders.trace \
	traces/series/spr-infersuite-openclaw.csv.gz \
	traces/series/spr-infersuite-phpoffice.csv.gz \
	traces/series/spr-infersuite-sympy.csv.gz \
	tests/scripts/browser.sh \
	tests/scripts/pages.py tests/scripts/pages.sh \
	tests/scripts/checks.sh \
	tests/scripts/machine_shares.sh \
	tests/scripts/compare-programs \
	tests/scripts/orders.sh \
	tests/scripts/run-vector \
	$(check_scripts)
