# SPDX-License-Identifier: MIT
"""Clients of tdprobe collect --listen, on the port that is the argument: good ones, and those that ask for too much."""
import resource
import socket
import sys
import time

PORT = int(sys.argv[1])


def ask(request):
    """The status, the headers and the body that a request gets, on a connection of its own."""
    with socket.create_connection(("127.0.0.1", PORT), timeout=10) as s:
        s.sendall(request.encode())
        got = b""
        while part := s.recv(65536):
            got += part
    head, _, body = got.decode().partition("\r\n\r\n")
    lines = head.split("\r\n")
    fields = dict((name.lower(), value) for name, value in (line.split(": ", 1) for line in lines[1:]))
    return int(lines[0].split()[1]), fields, body


def get(path="/metrics", method="GET", more=""):
    return ask(f"{method} {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n")


status, fields, body = get()
assert status == 200 and fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8", (status, fields)
assert "\ntdprobe_slots_total{" in body and "# EOF" not in body, body
assert "# TYPE tdprobe_slots_total counter\n" in body, body

accept = "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n"
status, fields, body = get(more=accept)
assert status == 200 and fields["content-type"].startswith("application/openmetrics-text; version=1.0.0"), fields
assert body.endswith("\n# EOF\n") and "# TYPE tdprobe_slots counter\n" in body, body[-200:]

status, fields, body = get(method="HEAD")
assert status == 200 and not body and int(fields["content-length"]) > 1000, (status, fields, body)

for path in "/", "/metrics/", "/metrics2", "/../metrics":
    status, _, body = get(path)
    assert status == 404 and "/metrics" in body, (path, status, body)


status, fields, _ = ask("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
assert status == 405 and fields["allow"] == "GET, HEAD", (status, fields)

# a slow one has five seconds, whatever the wall clock is set to meanwhile
with socket.create_connection(("127.0.0.1", PORT), timeout=10) as s:
    s.sendall(b"GET /metrics HTTP/1.1\r\n")
    time.sleep(0.25)
    s.sendall(b"Host: x\r\n\r\n")
    got = s.recv(100)
    assert got.startswith(b"HTTP/1.1 200 "), got

# headers without an end: refused long before a megabyte
sent = 0
with socket.create_connection(("127.0.0.1", PORT), timeout=10) as s:
    try:
        s.sendall(b"GET /metrics HTTP/1.1\r\n")
        while sent < 1 << 20:
            s.sendall(b"X-More: " + b"a" * 1000 + b"\r\n")
            sent += 1010
        got = s.recv(100)
        assert not got or b" 431 " in got, got
    except (BrokenPipeError, ConnectionResetError):
        pass

# a thousand connections at once, each of which keeps what it has: a third ask for nothing, a third have begun a header,
# a third have asked and read nothing; whoever asks while they are there, or afterwards, has the page at once
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
BEGUN = (b"", b"GET /metrics HTTP/1.1\r\nX-Slow: ", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")


def asks_in_time():
    began = time.monotonic()
    got, _, page = get()
    taken = time.monotonic() - began
    assert got == 200 and "\ntdprobe_slots_total{" in page and taken < 4, (got, taken)


held = []
for i in range(1000):
    s = socket.create_connection(("127.0.0.1", PORT), timeout=10)
    held.append(s)
    try:
        s.sendall(BEGUN[i % 3])
    except (BrokenPipeError, ConnectionResetError):
        pass
    if i % 250 == 249:
        asks_in_time()
for s in held:
    s.close()
asks_in_time()
