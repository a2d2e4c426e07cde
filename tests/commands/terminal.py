"""Programs at a terminal of a certain size."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

PATIENCE_S = 60


class AtTerminal:
    """A program whose input and output are a terminal; leaves it behind when it is done."""

    def __init__(self, command, columns=80, rows=24, **variables):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # without that, Ctrl-C would be a key like others
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        os.close(self.master)

    def read_some(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            some = os.read(self.master, 65536)
        except OSError:
            return False  # the other side is gone
        self.shown += some.decode(errors="replace")
        return bool(some)

    def wait_for(self, text, since=0):
        """Reads until it was shown; returns all that was, from `since` on, without what moves the cursor or colours."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in plain(self.shown[since:]):
            assert time.monotonic() < deadline, (text, self.shown[since:])
            self.read_some(1)
        return plain(self.shown[since:])

    def type(self, text):
        """Returns where what is shown afterwards begins."""
        place = len(self.shown)
        os.write(self.master, text.encode())
        return place

    def finish(self):
        deadline = time.monotonic() + PATIENCE_S
        while self.read_some(0.5) or self.process.poll() is None:
            assert time.monotonic() < deadline, self.shown
        return self.process.wait(30)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", "", text).replace("\r\n", "\n")


def run_at_terminal(command, **options):
    """Status and all that was shown."""
    with AtTerminal(command, **options) as program:
        status = program.finish()
        return status, program.shown.replace("\r\n", "\n")
