# SPDX-License-Identifier: MIT
"""Recordings: the module gives what the program prints."""

import errno
import json
import os
import shlex
import subprocess

import pytest
import tdprobe

TRACES = os.path.join(os.environ["TD_SRCDIR"], "traces")
VECTORS = sorted(name for name in os.listdir(TRACES) if name.endswith(".expect"))
# options of tdprobe replay, and what they are here
OPTIONS = {"--uarch": "uarch", "--level": "level", "-M": "metrics", "--metrics": "metrics", "--smt": "smt", "--format": "format"}


def vector(name):
    """The recording's path, replay()'s options, and the program's words, or None where it has options that replay() has not."""
    lines = dict(line.split(":", 1) for line in open(os.path.join(TRACES, name)) if line.startswith(("trace:", "args:")))
    words = shlex.split(lines.get("args", ""))
    path = os.path.join(TRACES, lines["trace"].strip())
    if any(word.startswith("-") and word not in OPTIONS for word in words) or len(words) % 2:
        return path, None, words
    options = {OPTIONS[k]: v for k, v in zip(words[::2], words[1::2])}
    if "level" in options:
        options["level"] = int(options["level"])
    return path, options, words


def printed(path, words):
    done = subprocess.run([os.environ["TDPROBE"], "replay", *words, "--format", "json", path], capture_output=True)
    found = [json.loads(line) for line in done.stdout.decode("utf-8", "surrogateescape").splitlines()]
    return [f for f in found if "metrics" in f]


def test_most_vectors_are_compared():
    assert len(VECTORS) >= 200
    assert sum(vector(name)[1] is not None for name in VECTORS) >= 0.9 * len(VECTORS)


@pytest.mark.parametrize("name", VECTORS)
def test_replay_is_what_the_program_prints(name):
    path, options, words = vector(name)
    if options is None:
        pytest.skip(f"replay() has no {' '.join(words)}")
    wanted = printed(path, words)
    with tdprobe.replay(path, **options) as recording:
        try:
            results = list(recording)
        except tdprobe.Error as error:
            assert not wanted, error
            return
        # what has no interval is printed as its sum
        if wanted and not results:
            results = recording.summary()
    assert len(results) == len(wanted)
    for result, object in zip(results, wanted):
        for key in ("scope", "scope_kind", "core", "cpu", "backend", "formula"):
            assert getattr(result, key) == object[key], key
        assert (None if result.time_ns is None else result.time_ns / 1e9) == object["time"]
        assert result.verdict.node == object["verdict"]["node"]
        assert result.verdict.status == object["verdict"]["status"]
        assert list(result.verdict.path) == object["verdict"]["path"]
        assert set(result.metrics) == set(object["metrics"])
        for metric in result:
            m = object["metrics"][metric.name]
            for key in ("value", "low", "high", "bounds"):
                assert getattr(metric, key) == m.get(key), (metric.name, key)  # bit for bit
            assert metric.status == m.get("status", "ok").split(":")[0]
            assert set(m.get("flags", [])) <= set(metric.flags)


def test_summary_and_times(source):
    path = source / "traces" / "adl-hybrid-intervals.trace"
    times = [r.time_ns for r in tdprobe.replay(path)]
    assert len(set(times)) == 2
    with tdprobe.replay(path, until=times[0] / 1e9) as first:
        assert {r.time_ns for r in first} == {times[0]}
    with tdprobe.replay(path) as recording:
        sums = recording.summary()
        assert {(s.scope, s.core) for s in sums} == {(r.scope, r.core) for r in tdprobe.replay(path)}
        assert all(s.summary for s in sums) and not any(r.summary for r in tdprobe.replay(path))
    with tdprobe.replay(path, intervals=False, counts=True) as recording:
        assert next(recording, None) is None
        assert [s.metrics for s in recording.summary()] == [s.metrics for s in sums]
        assert all(count.event for s in recording.summary() for count in s.counts)


def test_counts_are_the_recordings(source, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("1000,,slots,9,100.00,,\n200,,topdown-retiring,9,100.00,,\n100,,topdown-bad-spec,9,100.00,,\n"
                    "300,,topdown-fe-bound,9,100.00,,\n400,,topdown-be-bound,9,100.00,,\n")
    (result,) = tdprobe.replay(file, uarch="spr", counts=True)
    assert {c.event: c.value for c in result.counts} == {
        "slots": 1000, "topdown-retiring": 200, "topdown-bad-spec": 100, "topdown-fe-bound": 300, "topdown-be-bound": 400}
    assert all(c.coverage == 1 and c.status == "ok" for c in result.counts)
    assert [(m.name, m.value) for _, m in result.tree()] == [
        ("retiring", 0.2), ("bad_speculation", 0.1), ("frontend_bound", 0.3), ("backend_bound", 0.4)]
    assert result["memory_bound"].value is None and result["memory_bound"].status == "missing_event"
    assert result["memory_bound"].event == "topdown-mem-bound"
    assert not next(iter(tdprobe.replay(file, uarch="spr"))).counts
    assert str(result).splitlines()[0] == f"system (spr): {result.verdict}"
    assert "backend_bound: 40.0 % of slots" in str(result)


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(tdprobe.Error, match="cannot be opened") as caught:
        tdprobe.replay(tmp_path / "missing")
    assert caught.value.errno == errno.ENOENT
    file = tmp_path / "prose"
    file.write_text("no recording\n")
    with pytest.raises(tdprobe.Error) as caught:
        list(tdprobe.replay(file))
    assert caught.value.errno == errno.EBADMSG and "prose" in str(caught.value)
    with pytest.raises(tdprobe.Error, match="nonsense"):
        tdprobe.replay(file, uarch="nonsense")
    with pytest.raises(tdprobe.Error):
        tdprobe.replay(file, level=7)
    with pytest.raises(tdprobe.Error):
        tdprobe.replay(file, after=2, until=1)
    with pytest.raises(TypeError):
        tdprobe.replay(file, levels=1)


def test_after_an_error_and_after_close_there_is_nothing(source, tmp_path):
    file = tmp_path / "prose"
    file.write_text("no recording\n")
    recording = tdprobe.replay(source / "traces" / "adl-hybrid-intervals.trace")
    next(recording)
    recording.close()
    recording.close()
    assert list(recording) == []
