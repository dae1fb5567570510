# SPDX-License-Identifier: MIT
"""What Python says of the library is what its headers say: the compiler compares them."""

import ctypes
import os
import subprocess

import pytest
from tdprobe import _library

HEADERS = '#include "tdprobe.h"\n#include "td_regions.h"\n#include "td_run.h"\n#include "private/drawing.h"\n'


def compiles(source, tmp_path, text):
    file = tmp_path / "drift.c"
    file.write_text(text)
    command = [os.environ.get("CC", "gcc"), "-std=gnu11", "-Werror", "-fsyntax-only", f"-I{source}/include", f"-I{source}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def layouts(structs):
    """Assertions that each struct has exactly these members' places and sizes."""
    for name, struct in structs.items():
        yield f'_Static_assert(sizeof(struct {name}) == {ctypes.sizeof(struct)}, "{name}");'
        for member, *_ in struct._fields_:
            field = getattr(struct, member)
            yield (
                f"_Static_assert(offsetof(struct {name}, {member}) == {field.offset} && "
                f'sizeof(((struct {name} *)0)->{member}) == {field.size}, "{name}.{member}");'
            )


def numbers():
    for prefix, words in (
        ("TD_REMEDY", _library.REMEDIES),
        ("TD_METRIC", _library.METRIC_KINDS),
        ("TD_DISCARD", _library.DISCARDS),
        ("TD_OVER", ("unknown", "no", "yes")),
        ("TD_BOUNDS", ("none", *_library.BOUNDS[1:])),
    ):
        for i, word in enumerate(words):
            yield f'_Static_assert({prefix}_{word.upper()} == {i}, "{word}");'
    yield f'_Static_assert(TD_DISCARDS == {len(_library.DISCARDS)}, "TD_DISCARDS");'
    yield f'_Static_assert(TD_OK == {_library.STATUS_OK}, "TD_OK");'
    yield f'_Static_assert(TD_FLAG_CORRECTION_MISSING == {_library.FLAG_CORRECTION_MISSING}, "flag");'
    yield f'_Static_assert(TD_RUN_EXIT == {_library.RUN_EXIT}, "TD_RUN_EXIT");'
    yield f'_Static_assert(TD_SELF_EVENTS == {_library.SELF_EVENTS}, "TD_SELF_EVENTS");'
    # -Wswitch: the last one of an enum is Python's last
    for enum, last in (("td_remedy", _library.REMEDIES), ("td_metric_kind", _library.METRIC_KINDS)):
        prefix = {"td_remedy": "TD_REMEDY", "td_metric_kind": "TD_METRIC"}[enum]
        cases = " ".join(f"case {prefix}_{word.upper()}:" for word in last)
        yield f"static inline void {enum}_whole(enum {enum} x) {{ switch (x) {{ {cases} break; }} }}"


def test_functions_structs_and_numbers(source, tmp_path):
    text = HEADERS + _library.DECLARATIONS + _library.PRIVATE + "\n".join([*layouts(_library.STRUCTS), *numbers()])
    done, errors = compiles(source, tmp_path, "#pragma GCC diagnostic error \"-Wswitch\"\n" + text)
    assert done, errors


@pytest.mark.parametrize(
    "drift",
    [
        "int td_set_level(struct td *, unsigned);",
        "unsigned td_take(struct td *);",
        "int td_open_file(struct td *, char *);",
        '_Static_assert(TD_REMEDY_SMT == 9, "");',
    ],
)
def test_drift_is_noticed(source, tmp_path, drift):
    assert not compiles(source, tmp_path, HEADERS + drift)[0]


def test_a_member_that_moves_is_noticed(source, tmp_path):
    class Moved(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("status", ctypes.c_int), ("what", ctypes.c_int), ("signal", ctypes.c_int), ("group", ctypes.c_bool)]

    assert not compiles(source, tmp_path, HEADERS + "\n".join(layouts({"td_run_event": Moved})))[0]
