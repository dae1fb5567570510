# SPDX-License-Identifier: MIT
# What an interactive shell makes of a line and the key Tab, in a terminal: python3 complete_in.py SHELL SETUP LINE...
# Each LINE is typed, then Tab, and before it a command that prints its words; the answer is one line of these words, with | between. A LINE
# that begins with ? is answered by what the terminal shows after two Tabs.
import os
import pty
import re
import select
import sys
import time

shell, setup, lines = sys.argv[1], sys.argv[2], sys.argv[3:]
commands = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PATIENCE = 30  # seconds: a machine that is busy with other things is slow


def start():
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="vt100", PS1="", HISTFILE="/dev/null", INPUTRC="/dev/null", COLUMNS="500", LINES="60")
        os.execvp(commands[shell][0], commands[shell])
    return pid, fd


def read(fd, until, patience=PATIENCE):
    """Reads until a pattern comes, or for so long; with None until nothing comes for half a second."""
    text = ""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        ready, _, _ = select.select([fd], [], [], 0.5 if until is None else 0.1)
        if ready:
            try:
                data = os.read(fd, 65536).decode("utf-8", "replace")
            except OSError:
                return text
            if not data:
                return text
            text += data
        elif until is None and text:
            return text
        if until and re.search(until, text):
            return text
    return text


def run(fd, command, mark):
    os.write(fd, (command + "; printf '%s%s\\n' DO NE" + mark + "\r").encode())
    return read(fd, "DONE" + mark)


def ask(fd, n, line):
    if line.startswith("?"):
        os.write(fd, line[1:].encode() + b"\t")
        read(fd, None, 5)
        os.write(fd, b"\t")
        text = read(fd, None, 5)
        os.write(fd, b"\x03")
        read(fd, None, 2)
        return text
    os.write(fd, line.encode() + b"\t")
    if shell != "bash":  # which completes a line before it looks at the next key
        read(fd, None, 5)
    os.write(fd, b"\x01printf 'WORDS<%s>\\n' \x05")
    text = run(fd, "", str(n))
    words = re.findall(r"WORDS<([^>\r\n]*)>\r", text)
    return "|".join(words)


pid, fd = start()
os.write(fd, b"\r")
read(fd, None, 10)
run(fd, setup, "begun")
for number, text in enumerate(lines):
    print(ask(fd, number, text))
os.write(fd, b"\x03exit\r")
try:
    read(fd, r"^\b$", 1)
    os.close(fd)
    os.kill(pid, 1)
except OSError:
    pass
os.waitpid(pid, 0)
