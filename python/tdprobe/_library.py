# SPDX-License-Identifier: MIT
"""The shared library: where it is found, and what of it is called.

The declarations are C's own text. ctypes' prototypes are made of them, and a test compiles them after the installed
headers, so that a name or a signature that drifts is an error of the compiler.
"""

import ctypes
import ctypes.util
import errno
import os
import pathlib
import re
import weakref
from typing import Any, BinaryIO, Callable, Dict, List, Optional

DECLARATIONS = """
const char *td_version(void);
struct td *td_new(void);
void td_free(struct td *);
const char *td_error(const struct td *);
void td_set_note(struct td *, td_note_fn *, void *);
int td_set_uarch(struct td *, const char *);
int td_set_smt(struct td *, const char *);
int td_set_format(struct td *, const char *);
int td_set_level(struct td *, int);
int td_set_metrics(struct td *, const char *);
int td_set_times(struct td *, uint64_t, uint64_t);
int td_set_machine(struct td *, const char *, td_read_fn *, void *);
int td_set_metadata(struct td *, const char *, td_read_fn *, void *);
int td_open_file(struct td *, const char *);
int td_next(struct td *, const struct td_result **);
int td_summary(struct td *, size_t, const struct td_result **);
void td_set_intervals(struct td *, bool);
_Bool td_result_time(const struct td_result *, uint64_t *);
_Bool td_result_duration(const struct td_result *, uint64_t *);
const char *td_result_scope(const struct td_result *);
const char *td_result_scope_kind(const struct td_result *);
const char *td_result_core(const struct td_result *);
const char *td_result_cpu(const struct td_result *);
const char *td_result_backend(const struct td_result *);
const char *td_result_formula(const struct td_result *);
_Bool td_result_is_summary(const struct td_result *);
double td_result_coverage(const struct td_result *);
unsigned td_result_flags(const struct td_result *);
const char *td_result_correction(const struct td_result *, size_t);
const char *td_result_contradiction(const struct td_result *, size_t);
size_t td_result_metrics(const struct td_result *);
const struct td_metric *td_result_metric(const struct td_result *, size_t);
const struct td_event_count *td_result_count(const struct td_result *, size_t);
double td_result_ipc(const struct td_result *);
double td_result_ghz(const struct td_result *);
const struct td_verdict *td_result_verdict(const struct td_result *);
const char *td_status_name(enum td_status);
const char *td_flag_name(unsigned);
const char *td_bounds_name(enum td_bounds);
const char *td_verdict_name(enum td_verdict_status);
int td_open_live(struct td *, const struct td_live *);
int td_take(struct td *);
int td_close_live(struct td *);
pid_t td_run_start(struct td *, char *const *);
int td_run_release(struct td *);
int td_run_wait(struct td *, uint64_t, int, struct td_run_event *);
uint64_t td_run_now(const struct td *);
int td_open_self(struct td *, const struct td_self_ask *);
int td_read(struct td *, struct td_snapshot *);
int td_measure(struct td *, const struct td_snapshot *, const struct td_snapshot *, const struct td_result **);
int td_region(struct td *, const char *);
int td_region_begin(struct td *, int);
int td_region_end(struct td *, int);
int td_region_result(struct td *, size_t, struct td_region_info *, const struct td_result **);
const char *td_discard_name(enum td_discard);
"""

# What is not of the API, but for the program and this module: another version of the library may lack it.
PRIVATE = """
int td_tree_html(const struct td_drawn_tree *);
const struct td_page_code *td_tree_style(void);
int td_bar_patterns(td_write_fn *, void *);
"""

# The enumerators that Python code counts on, each list from 0 in the header's order.
METRIC_KINDS = ("node", "bottleneck", "info")
REMEDIES = (
    "none", "whole_cpus", "longer", "level_1", "fewer_events", "intervals", "cores", "one_cpu", "runs", "doctor", "smt",
)
DISCARDS = ("reset", "unscheduled", "other_core")
OVER = (None, False, True)  # enum td_over: unknown, no, yes
BOUNDS = (None, "sound", "likely")  # enum td_bounds: none, sound, likely
STATUS_OK = 0
FLAG_CORRECTION_MISSING = 1 << 10
RUN_EXIT = 1
SELF_EVENTS = 12

c_td = ctypes.c_void_p
c_result = ctypes.c_void_p


class Metric(ctypes.Structure):
    """struct td_metric of tdprobe.h."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("parent", ctypes.c_char_p),
        ("level", ctypes.c_int),
        ("unit", ctypes.c_char_p),
        ("status", ctypes.c_int),
        ("value", ctypes.c_double),
        ("low", ctypes.c_double),
        ("high", ctypes.c_double),
        ("bounds", ctypes.c_int),
        ("raw", ctypes.c_double),
        ("flags", ctypes.c_uint),
        ("corrections", ctypes.c_uint),
        ("event", ctypes.c_char_p),
        ("why", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("over", ctypes.c_int),
        ("latencies", ctypes.c_uint),
        ("named", ctypes.c_bool),
    ]


class EventCount(ctypes.Structure):
    """struct td_event_count of tdprobe.h."""

    _fields_ = [
        ("event", ctypes.c_char_p),
        ("status", ctypes.c_int),
        ("value", ctypes.c_double),
        ("coverage", ctypes.c_double),
    ]


class Verdict(ctypes.Structure):
    """struct td_verdict of tdprobe.h."""

    _fields_ = [
        ("status", ctypes.c_int),
        ("node", ctypes.POINTER(Metric)),
        ("path", ctypes.POINTER(ctypes.POINTER(Metric))),
        ("npath", ctypes.c_size_t),
        ("nsound", ctypes.c_size_t),
        ("among", ctypes.POINTER(ctypes.POINTER(Metric))),
        ("namong", ctypes.c_size_t),
        ("absent", ctypes.POINTER(Metric)),
        ("unbounded", ctypes.c_bool),
        ("no_values", ctypes.c_bool),
        ("remedy", ctypes.c_int),
    ]


class Live(ctypes.Structure):
    """struct td_live of tdprobe.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("cpus", ctypes.POINTER(ctypes.c_int)),
        ("ncpus", ctypes.c_size_t),
        ("tasks", ctypes.POINTER(ctypes.c_int)),
        ("ntasks", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("threads", ctypes.c_bool),
        ("cgroups", ctypes.POINTER(ctypes.c_char_p)),
        ("ncgroups", ctypes.c_size_t),
        ("by", ctypes.c_int),
        ("no_user", ctypes.c_bool),
        ("no_kernel", ctypes.c_bool),
        ("no_inherit", ctypes.c_bool),
        ("on_exec", ctypes.c_bool),
        ("disabled", ctypes.c_bool),
    ]


class RunEvent(ctypes.Structure):
    """struct td_run_event of td_run.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("what", ctypes.c_int),
        ("status", ctypes.c_int),
        ("signal", ctypes.c_int),
        ("group", ctypes.c_bool),
    ]


class Point(ctypes.Structure):
    """struct td_point of td_read.h."""

    _fields_ = [
        ("slots", ctypes.c_uint64),
        ("metrics", ctypes.c_uint64),
        ("unscheduled", ctypes.c_uint64),
        ("updates", ctypes.c_uint32),
        ("epoch", ctypes.c_uint32),
    ]


class Snapshot(ctypes.Structure):
    """struct td_snapshot of td_regions.h."""

    _fields_ = [("point", Point), ("count", ctypes.c_uint64 * SELF_EVENTS)]


class SelfAsk(ctypes.Structure):
    """struct td_self_ask of td_regions.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("target", ctypes.c_double),
        ("corrections", ctypes.c_bool),
        ("no_user", ctypes.c_bool),
        ("no_kernel", ctypes.c_bool),
        ("regions", ctypes.c_uint),
        ("depth", ctypes.c_uint),
        ("ring", ctypes.c_uint),
    ]


class RegionInfo(ctypes.Structure):
    """struct td_region_info of td_regions.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("passes", ctypes.c_uint64),
        ("discarded", ctypes.c_uint64 * 8),
        ("slots", ctypes.c_uint64),
    ]


class PageCode(ctypes.Structure):
    """struct td_page_code of private/drawing.h."""

    _fields_ = [("text", ctypes.c_char_p), ("hash", ctypes.c_char_p)]


READ_FN = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
WRITE_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
NOTE_FN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Tree(ctypes.Structure):
    """struct td_drawn_tree of private/drawing.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("metric_size", ctypes.c_size_t),
        ("metric", ctypes.POINTER(Metric)),
        ("n", ctypes.c_size_t),
        ("shown", ctypes.POINTER(ctypes.c_bool)),
        ("verdict", ctypes.POINTER(Verdict)),
        ("write", WRITE_FN),
        ("reason", ctypes.c_void_p),
        ("unfolds", ctypes.c_void_p),
        ("meaning", ctypes.c_void_p),
        ("ctx", ctypes.c_void_p),
    ]


STRUCTS = {
    "td_metric": Metric,
    "td_event_count": EventCount,
    "td_verdict": Verdict,
    "td_live": Live,
    "td_run_event": RunEvent,
    "td_point": Point,
    "td_snapshot": Snapshot,
    "td_self_ask": SelfAsk,
    "td_region_info": RegionInfo,
    "td_page_code": PageCode,
    "td_drawn_tree": Tree,
}

_PLAIN = {
    "void": None,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
    "bool": ctypes.c_bool,
    "_Bool": ctypes.c_bool,
    "pid_t": ctypes.c_int,
    "char *": ctypes.c_char_p,
    "void *": ctypes.c_void_p,
    "char **": ctypes.POINTER(ctypes.c_char_p),
    "uint64_t *": ctypes.POINTER(ctypes.c_uint64),
    "td_read_fn *": READ_FN,
    "td_write_fn *": WRITE_FN,
    "td_note_fn *": NOTE_FN,
}


def _ctype(text: str) -> Any:
    """The ctypes type of a C type."""
    text = " ".join(text.replace("const", " ").replace("*", " * ").split()).replace("* *", "**")
    if text.startswith("enum "):
        return ctypes.c_int
    match = re.fullmatch(r"struct (\w+) (\*+)", text)
    if not match:
        return _PLAIN[text]
    known = STRUCTS.get(match[1], None)
    base = ctypes.POINTER(known) if known else ctypes.c_void_p
    return base if match[2] == "*" else ctypes.POINTER(base)


def _declare(library: ctypes.CDLL, declarations: str) -> None:
    for line in declarations.strip().splitlines():
        match = re.fullmatch(r"(.*?)(\w+)\((.*)\);", line)
        assert match, line
        function = getattr(library, match[2])
        function.restype = _ctype(match[1])
        function.argtypes = [] if match[3] == "void" else [_ctype(word) for word in match[3].split(",")]


def _candidates() -> List[str]:
    """Where the library may be, first what was asked for: TDPROBE_LIBRARY, the module's own folder, the system."""
    asked = os.environ.get("TDPROBE_LIBRARY")
    if asked:
        return [asked]
    beside = sorted(str(p) for p in pathlib.Path(__file__).parent.glob("libtdprobe.so*"))
    found = ctypes.util.find_library("tdprobe")
    return beside + ([found] if found else []) + ["libtdprobe.so.1"]


def _load() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            _declare(library, DECLARATIONS)
            return library
        except OSError as error:
            tried.append(f"{path}: {error}")
        except AttributeError as error:
            tried.append(f"{path}: it is another version of the library: {error}")
    raise ImportError(
        "libtdprobe is not found; install Debian's libtdprobe1, or let TDPROBE_LIBRARY name libtdprobe.so. Tried: "
        + "; ".join(tried)
    )


def _draws() -> bool:
    try:
        _declare(lib, PRIVATE)
    except AttributeError:
        return False
    return True


lib = _load()
DRAWS = _draws()


class Error(Exception):
    """What the library could not do.

    str() is its own text: what, where, why, and what to do next. errno is the error's number of errno(3), such as
    errno.EBADMSG for what is no recording.
    """

    def __init__(self, number: int, text: str):
        super().__init__(text or os.strerror(number))
        self.errno = number


def text(value: Optional[bytes]) -> Optional[str]:
    """A name of the library's as Python's text; bytes that are no UTF-8 are kept as os.fsdecode() keeps them."""
    return None if value is None else value.decode("utf-8", "surrogateescape")


def raw(value: "str | bytes | os.PathLike[str]") -> bytes:
    """The bytes of a name or path, for the library."""
    value = os.fspath(value)
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")


def reader(file: BinaryIO) -> Any:
    """A function by which the library reads an open file; to be kept while it may be called."""

    def read(_: Any, buffer: int, size: int) -> int:
        try:
            data = file.read(size)
        except OSError as error:
            return -(error.errno or errno.EIO)
        ctypes.memmove(buffer, data, len(data))
        return len(data)

    return READ_FN(read)


class Handle:
    """A struct td of the library, for one thread at a time. It is freed by close(), or with the last reference."""

    def __init__(self) -> None:
        self.td = lib.td_new()
        if not self.td:
            raise MemoryError
        self.notes: List[str] = []
        notes = self.notes
        # the functions that the library calls: they stay as long as the handle does, and do not keep it
        self._note = NOTE_FN(lambda _, line: notes.append(line.decode("utf-8", "replace")))
        lib.td_set_note(self.td, self._note, None)
        self._free: Callable[[], Any] = weakref.finalize(self, lib.td_free, self.td)

    def close(self) -> None:
        """Gives back everything. The handle cannot be used any more."""
        self._free()
        self.td = None

    def check(self, code: int) -> int:
        """code, unless it is an error, which is raised."""
        if code < 0:
            raise self.error(code)
        return code

    def error(self, code: int) -> Error:
        """The error of the last call, which returned code."""
        return Error(-code, lib.td_error(self.td).decode("utf-8", "replace"))

    def set(self, function: Callable[..., int], *values: Any) -> None:
        """Calls a setter, unless its only value is None."""
        if values != (None,):
            self.check(function(self.td, *(raw(v) if isinstance(v, (str, os.PathLike)) else v for v in values)))

    def settings(self, uarch: Optional[str], level: Optional[int], metrics: Optional[str]) -> None:
        """What recordings, commands and regions have in common."""
        self.set(lib.td_set_uarch, uarch)
        self.set(lib.td_set_level, level)
        self.set(lib.td_set_metrics, metrics)

    def machine(self, path: "str | os.PathLike[str] | None") -> None:
        """Instead of this machine, the simulated one that the file describes."""
        if path is None:
            return
        with open(path, "rb") as file:
            self.check(lib.td_set_machine(self.td, raw(path), reader(file), None))


def flag_names(flags: int) -> Dict[int, str]:
    """The bits of flags that are set, with their names."""
    names: Dict[int, str] = {}
    bit = 1
    while bit <= flags:
        if flags & bit:
            names[bit] = lib.td_flag_name(bit).decode()
        bit <<= 1
    return names
