# SPDX-License-Identifier: MIT
"""What the program tdprobe has and the library does not: comparisons and explanations."""

import errno
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, List, Optional, Sequence, Union

from ._library import Error

Path = Union[str, "os.PathLike[str]"]

# exit codes of tdprobe(1) that stand for an answer: 0, and 69, 1, 2 with what was found
_ANSWERS = (0, 1, 2, 69)
_ERRNO = {64: errno.EINVAL, 65: errno.EBADMSG, 69: errno.ENODATA, 74: errno.EIO, 77: errno.EACCES}


def _program() -> str:
    """TDPROBE_PROGRAM, or tdprobe beside the module or in PATH."""
    asked = os.environ.get("TDPROBE_PROGRAM")
    beside = pathlib.Path(__file__).parent / "tdprobe"
    found = asked or (str(beside) if beside.exists() else shutil.which("tdprobe"))
    if not found:
        raise Error(errno.ENOENT, "the program tdprobe is not found; install it, or let TDPROBE_PROGRAM name it")
    return found


def _run(arguments: Sequence[str], answers: Sequence[int]) -> str:
    done = subprocess.run([_program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          encoding="utf-8", errors="surrogateescape")
    if done.returncode not in answers or not done.stdout:
        text = done.stderr.strip().splitlines()
        number = _ERRNO.get(done.returncode, errno.EIO)
        raise Error(number, text[-1].removeprefix("tdprobe: ") if text else f"tdprobe ended with {done.returncode}")
    return done.stdout


def _files(side: Union[Path, Sequence[Path]]) -> List[str]:
    paths = [side] if isinstance(side, (str, os.PathLike)) else list(side)
    # a path that begins with - is no option
    return [path if not (path := os.fspath(p)).startswith("-") else "./" + path for p in paths]


def compare(
    a: Union[Path, Sequence[Path]],
    b: Union[Path, Sequence[Path]],
    *,
    uarch: Optional[str] = None,
    level: Optional[int] = None,
    metrics: Optional[str] = None,
) -> List[Dict[str, Any]]:
    """How b differs from a, each a recording or a list of several of one side, by the program's 'tdprobe compare'.

    Returns the objects of its json, which tdprobe-formats(5) describes: one for each metric of each scope, with both
    sides' values, the difference, its interval, and whether chance could explain it. Raises Error.
    """
    options: List[str] = []
    for name, value in (("--uarch", uarch), ("--level", level), ("--metrics", metrics)):
        if value is not None:
            options += [name, str(value)]
    out = _run(["compare", "--format", "json", *options, *_files(a), "--vs", *_files(b)], _ANSWERS)
    return [json.loads(line) for line in out.splitlines()]


def explain(name: str) -> str:
    """What a metric, flag or status means, its causes and what to try: the text of 'tdprobe explain NAME'."""
    return _run(["explain", name], (0,))
