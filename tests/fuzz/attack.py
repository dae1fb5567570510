#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Structured mutations of what the program reads besides recordings, and of the world it runs in.

    attack.py PROGRAM SRCDIR [--cases N] [--seed N] [SURFACE...]

libFuzzer (fuzz_recording.c, fuzz_machine.c) gives bytes to the library's readers. Here the whole program is given folders,
histories, answers of servers, files of other programs and orders, each good but for one change that a broken or hostile
other side makes. It must end within its time with one of README's exit codes, without a signal or a sanitizer's report, with text
that is UTF-8 without control characters, with JSON that is JSON, and without an output file where it failed.
Each surface runs N cases; what fails is printed with its seed and kept in the folder attack-failed."""
import argparse, collections, http.server, json, os, random, shlex, shutil, subprocess, sys, tempfile, threading

LIMIT = 20  # s of any clock for one run, with sanitizers on a busy machine
CODES = {0, 1, 2, 3, 64, 65, 69, 74, 77}
FAILED = {64, 65, 69, 74, 77}
ODD = [b"", b"0", b"-1", b"1e308", b"1e400", b"nan", b"inf", b"-0", b"18446744073709551616", b"9" * 400, b"\xff\xfe", b"\x1b[2J", b"\xe2\x80\xae",
       b"%s%n", b"../../etc/passwd", b"'; echo $(id)", b"\"", b",", b"\r", b"\n", b"\0", b"a" * 70000]


class Case:
    def __init__(self, surface, number, seed):
        self.random = random.Random(f"{surface}-{number}-{seed}")
        self.surface, self.number = surface, number
        self.folder = tempfile.mkdtemp(prefix="attack-")

    def path(self, *names):
        full = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        return full

    def write(self, name, data):
        with open(self.path(*name.split("/")), "wb") as f:
            f.write(data)
        return os.path.join(self.folder, name)

    def mutate(self, data):
        """One change, of the kind that a text or a binary may have."""
        r = self.random
        at = r.randrange(len(data) + 1)
        kind = r.randrange(9)
        lines = data.split(b"\n")
        line = r.randrange(len(lines))
        if kind == 0:
            return data[:at]
        if kind == 1:
            return data[:at] + r.choice(ODD) + data[at:]
        if kind == 2:
            del lines[line]
        elif kind == 3:
            lines.insert(line, lines[r.randrange(len(lines))])
        elif kind == 4:
            other = r.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        elif kind == 5:  # a field
            fields = lines[line].split(b",")
            fields[r.randrange(len(fields))] = r.choice(ODD)
            lines[line] = b",".join(fields)
        elif kind == 6:  # a word
            words = lines[line].split(b" ")
            words[r.randrange(len(words))] = r.choice(ODD)
            lines[line] = b" ".join(words)
        elif kind == 7 and data:
            cut = bytearray(data)
            for _ in range(1 << r.randrange(6)):
                cut[r.randrange(len(cut))] = r.choice([0, 1, 0x7f, 0x80, 0xff, r.randrange(256)])
            return bytes(cut)
        elif kind == 8:
            return data + data
        return b"\n".join(lines)

    def mutate_json(self, data):
        """One value of a JSON text is another one, or is gone."""
        try:
            tree = json.loads(data)
        except ValueError:
            return self.mutate(data)
        r, places = self.random, []

        def walk(x):
            for key in list(x) if isinstance(x, dict) else range(len(x)) if isinstance(x, list) else []:
                places.append((x, key))
                walk(x[key])

        walk(tree)
        if not places or r.random() < 0.3:
            return self.mutate(data)
        where, key = r.choice(places)
        if r.random() < 0.3:
            del where[key]
        else:
            where[key] = r.choice([None, True, -1, 0, 1e308, 2**70, "", "x" * 5000, [], {}, [[[[]]]], "\u202e", "\u001b[2J", "GenuineIntel-6-8F-8"])
        return json.dumps(tree).encode()


class Attack:
    def __init__(self, program, srcdir):
        self.program, self.srcdir = os.path.abspath(program), os.path.abspath(srcdir)
        self.codes = collections.Counter()

    def read(self, name):
        with open(os.path.join(self.srcdir, name), "rb") as f:
            return f.read()

    def source(self, name):
        return os.path.join(self.srcdir, name)

    # ---- what a surface runs: a list of (arguments, environment, input) ------------------------------

    def perfspect(self, c):
        seed = self.read("tests/fuzz/seeds/perfspect/spr")
        head, events = seed.split(b"\0", 1)
        which = c.random.randrange(3)
        folder = os.path.dirname(c.write("raw/host_metadata.json", c.mutate_json(head) if which != 1 else head))
        c.write("raw/host_events.jsonl", c.mutate(events) if which else events)
        if c.random.random() < 0.1:
            os.mkfifo(c.path("raw", "other_metadata.json"))
        return [(["replay", "--summary", "-j", folder], {}), (["phases", "-j", folder], {}), (["convert", "-o", c.path("out"), folder], {})]

    def arm(self, c):
        name = c.write("events.csv", c.mutate(self.read("traces/neoverse-n2-openanolis-arm-events.csv")))
        return [(["replay", "--uarch", "neoverse-n2", "--summary", "-j", name], {}), (["replay", name], {}), (["compare", "--uarch", "neoverse-n2", name, name], {})]

    def machine(self, c):
        machines = sorted(os.listdir(self.source("sim/machines")))
        name = c.write("m.machine", c.mutate(self.read("sim/machines/" + c.random.choice([m for m in machines if m.endswith(".machine")]))))
        return [(["--machine", name, "--fast", "-a", "-j", "-I", "10", "--timeout", "30"], {}), (["doctor", "--machine", name], {}),
                (["record", "--machine", name, "--fast", "-a", "--timeout", "30", "-o", c.path("out")], {}),
                (["perf-command", "--machine", name], {})]

    def baseline(self, c):
        good = self.read("traces/spr-lkml-default-events-capitalised.trace")
        for i in range(4):
            c.write(f"history/run{i}.trace", c.mutate(good) if i == 1 else good)
        return [(["compare", "--baseline", c.path("history"), c.write("new.trace", good)], {}), (["compare", "--format", "junit", "--baseline", c.path("history")], {})]

    def debuginfod(self, c):
        Server.answer = c.mutate(self.read("tests/samples/symfs/usr/bin/kernels")) if c.random.random() < 0.9 else c.random.choice(ODD)
        Server.lie = c.random.choice([0, 0, 0, 1, -1])
        env = {"DEBUGINFOD_CACHE_PATH": c.path("cache"), "HOME": c.folder, "DEBUGINFOD_TIMEOUT": "2"}
        os.mkdir(c.path("none"))
        return [(["report", "--uarch", "spr", "--symfs", c.path("none"), f"--debuginfod=http://127.0.0.1:{Server.port}", "--by", c.random.choice(["function", "line", "source"]),
                  "-j", self.source("tests/samples/long.data")], env)]

    def elf(self, c):
        """Notes, section headers, symbol and line tables of a program that was recorded."""
        data = bytearray(self.read("tests/samples/symfs/usr/bin/kernels"))
        r = c.random
        where = r.choice([b".note", b"GNU\0", b".symtab", b".debug_line", None])
        at = data.find(where) if where else 0
        for _ in range(1 << r.randrange(5)):
            data[max(0, min(len(data) - 1, at + r.randrange(-64, 256)))] = r.randrange(256)
        if r.random() < 0.5:  # a field of a section's or a segment's header
            table = int.from_bytes(data[0x28:0x30] if r.random() < 0.5 else data[0x20:0x28], "little")
            field = table + 8 * r.randrange(200)
            if field + 8 <= len(data):
                data[field:field + 8] = r.choice([0, 1, 2**63, 2**64 - 1, r.randrange(2**32), len(data)]).to_bytes(8, "little")
        c.write("root/usr/bin/kernels", bytes(data))
        env = {"HOME": c.folder}
        return [(["report", "--uarch", "spr", "--symfs", c.path("root"), "--by", c.random.choice(["function", "line", "source"]), "--inline", "-j", self.source("tests/samples/long.data")], env),
                (["report", "--uarch", "spr", "--symfs", c.path("root"), "--annotate", "chase", self.source("tests/samples/long.data")], env)]

    def kallsyms(self, c):
        good = b"ffffffff8ba00000 T _text\nffffffff8ba9c53d T hit\nffffffff8ba9c53e T missed\nffffffff8c800000 T after [module]\n"
        ident = "3b/43fad5034874490492495d552c0af6a5fab235"
        c.write("cache/kept/kallsyms", c.mutate(good))
        os.makedirs(os.path.dirname(c.path("cache", ".build-id", ident)), exist_ok=True)
        os.symlink("../../kept", c.path("cache", ".build-id", ident))
        os.mkdir(c.path("none"))
        note = (4).to_bytes(4, "little") + (20).to_bytes(4, "little") + (3).to_bytes(4, "little") + b"GNU\0" + bytes.fromhex(ident.replace("/", ""))
        c.write("live/sys/kernel/notes", c.mutate(note) if c.random.random() < 0.5 else note)
        c.write("live/proc/kallsyms", c.mutate(good))
        c.write("live/proc/modules", c.mutate(b"module 16384 0 - Live 0xffffffff8c800000\n"))
        data = self.source("tests/samples/long.data")
        return [(["report", "--uarch", "spr", "--symfs", c.path("none"), "--buildid-dir", c.path("cache"), "-j", data], {"HOME": c.folder}),
                (["report", "--uarch", "spr", "--symfs", c.path("live"), "-j", data], {"HOME": c.folder})]

    def control(self, c):
        orders = [b"enable\n", b"disable\n", b"ping\n", b"snapshot\n", b"stop\n", b"evlist\n", b"\n", b"stop", b"x" * 5000 + b"\n", b"\0\n", b"enable disable\n", b"\xff\n", b"\x1b[2J\n"]
        text = b"".join(c.random.choice(orders) for _ in range(c.random.randrange(1, 20)))
        ctl, ack = c.path("ctl"), c.path("ack")
        os.mkfifo(ctl)
        os.mkfifo(ack)
        held = [os.open(ctl, os.O_RDWR), os.open(ack, os.O_RDWR)]  # so that nobody waits to open them
        os.write(held[0], text)
        c.held = held
        return [(["--machine", self.source("sim/machines/sapphirerapids.machine"), "--fast", "-a", "-j", "--timeout", "200",
                  "--control", f"fifo:{ctl},{ack}" if c.random.random() < 0.7 else f"fifo:{ctl}"], {})]

    def names(self, c):
        """Names of scopes and events that shells, terminals, pages and formats take for their own."""
        odd = c.random.choice(["a'b", "a\"b", "a b", "$(id)", "`id`", "a;id", "a|b", "a\\b", "<script>", "a&b", "-o", "--", "a,b", "\u202eabc", "]]>", "{{x}}", "a\u0301" * 30, "%s", "*"])
        rows = b""
        for event, value in (("slots", 1000000), ("topdown-retiring", 250000), ("topdown-bad-spec", 100000), ("topdown-fe-bound", 100000), ("topdown-be-bound", 550000)):
            rows += f"1.000000000;{value};;{event};{odd};1000000;100.00\n".encode()
        name = c.write("cgroups.csv", rows)
        return [(["replay", "--uarch", "spr", "--format", f, name], {}) for f in ("text", "json", "csv")] + [
            (["compare", "--uarch", "spr", "--format", f, name, name], {}) for f in ("markdown", "junit", "github", "gitlab")] + [
            (["convert", "--uarch", "spr", "-o", c.path("out"), name], {}), (["compare", "--uarch", "spr", "--fail-if", odd, name, name], {}), (["replay", "--uarch", odd, name], {}),
            (["explain", odd], {}), (["replay", "--uarch", "spr", "-M", odd, name], {})]

    def outputs(self, to):
        """Each subcommand that writes a file, with that file."""
        machine = ["--machine", self.source("sim/machines/sapphirerapids.machine"), "--fast"]
        trace, data = self.source("traces/spr-lkml-default-events-capitalised.trace"), self.source("tests/samples/long.data")
        return [["replay", "--counts", "--all", "-o", to, trace], ["convert", "-o", to, trace], ["phases", "-o", to, trace], ["compare", "-o", to, trace, trace],
                ["report", "--uarch", "spr", "--format", "html", "-o", to, data], machine + ["-a", "--timeout", "100", "-o", to],
                ["record"] + machine + ["-a", "-I", "10", "--timeout", "300", "-o", to], ["record"] + machine + ["--functions", "-a", "--timeout", "300", "-o", to]]

    def full(self, c):
        """A file system with no room, or with some that ends."""
        os.mkdir(c.path("full"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", c.path("full")], stderr=subprocess.DEVNULL, check=False).returncode:
            return []
        c.mounted = c.path("full")
        with open(c.path("full", "filler"), "wb") as f:
            f.write(bytes((1 << 20) - 4096 * c.random.choice([0, 1, 2, 4, 16])))
        return [(c.random.choice(self.outputs(c.path("full", "out"))), {})]

    def bare(self, c):
        """No /proc, no /sys, no /dev: as in a container that somebody made by hand."""
        hidden = c.random.sample(["/proc", "/sys", "/dev", "/tmp"], c.random.randrange(1, 5))
        c.prefix = ["unshare", "-m", "sh", "-c", "".join(f"mount -t tmpfs none {x} && " for x in hidden if x != "/tmp") + 'exec "$@"', "sh"]
        return [(c.random.choice(self.outputs(c.path("out")) + [["doctor"], ["-a", "--timeout", "10"], ["--", "true"], ["record", "--functions", "-o", c.path("out"), "--", "true"]]), {})]

    def limits(self, c):
        """Few descriptors, short files, little stack; closed standard descriptors."""
        limit = c.random.choice(["-n 4", "-n 5", "-n 8", "-n 16", "-f 0", "-f 1", "-f 8", "-s 64", "-s 200", "-u 1"])
        closed = c.random.choice(["", "", "<&-", "1>&-", "2>&-", "<&- 1>&-", "<&- 1>&- 2>&-"])
        c.prefix = ["bash", "-c", f'ulimit {limit} && exec "$@" {closed}', "sh"]
        c.silent = "2>&-" in closed
        return [(c.random.choice(self.outputs(c.path("out")) + [["doctor"], ["--help"], ["explain"], ["list"]]), {})]

    # ---- running --------------------------------------------------------------------------------------

    def complain(self, args, code, out, err):
        text = out + err
        if code is None:
            return f"takes over {LIMIT} s"
        if code < 0 or code not in CODES:
            return f"ends with {code}"
        if b"Sanitizer" in text or b"runtime error:" in text:
            return "a sanitizer reports"
        try:
            shown = text.decode()
        except UnicodeDecodeError:
            return "its output is not UTF-8"
        if any((ch < " " and ch not in "\n\t\r") or 0x7f <= ord(ch) < 0xa0 or 0x202a <= ord(ch) <= 0x202e or 0x2066 <= ord(ch) <= 0x2069 for ch in shown):
            return "its output has control characters"
        if code in FAILED and not text.strip():
            return f"it ends with {code} and says nothing"
        if "-j" in args or "json" in args:
            for line in (err if args[0].startswith("--") else out).decode().splitlines():
                if line.startswith("{"):
                    try:
                        json.loads(line, parse_constant=lambda x: 1 / 0)
                    except (ValueError, ZeroDivisionError):
                        return "its JSON is none: " + line[:200]
        for line in shown.splitlines():
            if line.strip().startswith("perf ") and "\u2026" not in line:
                try:
                    shlex.split(line)
                except ValueError:
                    return "a command that a shell does not take: " + line[:200]
        to = args.index("-o") + 1 if "-o" in args else len(args)
        if to < len(args) and args[to].endswith("/out") and code in FAILED and os.path.exists(args[to]) and args[0] not in ("record", "--machine"):  # these write as they measure
            return "it failed, and its output is there"
        return None

    def run(self, c, args, env):
        try:
            p = subprocess.run(c.prefix + [self.program] + args, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, cwd=c.folder,
                               env={**os.environ, "LC_ALL": "C.UTF-8", **env}, check=False)
            return p.returncode, p.stdout, p.stderr
        except subprocess.TimeoutExpired:
            return None, b"", b""

    def attack(self, surface, number, seed):
        c = Case(surface, number, seed)
        c.held, c.prefix, c.mounted, c.silent = [], [], None, False
        runs, kept = 0, []
        for args, env in getattr(self, surface)(c):
            code, out, err = self.run(c, args, env)
            runs += 1
            self.codes[code] += 1
            why = self.complain(args, code, out, err or (b"-" if c.silent else b""))
            if why:
                kept.append(f"{surface} {number} (seed {seed}): {why}\n    {shlex.join(args)}\n    {err.decode(errors='replace')[-600:]}")
        for fd in c.held:
            os.close(fd)
        if c.mounted:
            subprocess.run(["umount", c.mounted], check=False)
        if kept:
            os.makedirs("attack-failed", exist_ok=True)
            shutil.copytree(c.folder, f"attack-failed/{surface}-{number}-{seed}", dirs_exist_ok=True, symlinks=True, copy_function=copy_regular)
        shutil.rmtree(c.folder, ignore_errors=True)
        return runs, kept


def copy_regular(a, b):
    if os.path.isfile(a):
        shutil.copy(a, b)


class Server(http.server.BaseHTTPRequestHandler):
    answer, lie, port = b"", 0, 0

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.answer) + self.lie))
        self.end_headers()
        try:
            self.wfile.write(self.answer)
        except OSError:
            pass

    def log_message(self, *ignored):
        pass


SURFACES = ["perfspect", "arm", "machine", "baseline", "debuginfod", "elf", "kallsyms", "control", "names", "full", "bare", "limits"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("srcdir")
    p.add_argument("--cases", type=int, default=100)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("surfaces", nargs="*", default=[])
    a = p.parse_intermixed_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    Server.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    attack, bad = Attack(a.program, a.srcdir), 0
    for surface in a.surfaces or SURFACES:
        runs, failed = 0, []
        attack.codes.clear()
        for number in range(a.cases):
            n, kept = attack.attack(surface, number, a.seed)
            runs += n
            failed += kept
        print(f"{surface}: {a.cases} cases, {runs} runs, {len(failed)} failed; exit codes {dict(attack.codes)}", flush=True)
        for text in failed[:5]:
            print(text, flush=True)
        bad += len(failed)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
