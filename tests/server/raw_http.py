"""HTTP as bytes on a socket: what no client library would send, and no more than a test needs."""

import json
import socket
from dataclasses import dataclass

JSON = "application/x-amz-json-1.0"
DEADLINE_S = 30
CREDENTIAL = (
    "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64
)


class Closed(Exception):
    """The server closed the connection before an answer was whole."""


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def value(self):
        return json.loads(self.body)

    @property
    def exception(self):
        """The name of the exception, without its namespace; None if it is no exception."""
        if self.status == 200 or not self.body.startswith(b"{"):
            return None
        return self.value.get("__type", "").rpartition("#")[2]


def request(target, body, method="POST", path="/", **headers):
    """The bytes of a request as an SDK would send it. Headers that are None are left out; `_` in names is a dash."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    fields = {
        "Host": "localhost",
        "Content-Type": JSON,
        "X-Amz-Target": target if target is None or "." in target else f"DynamoDB_20120810.{target}",
        "X-Amz-Date": "20260101T000000Z",
        "Authorization": CREDENTIAL,
        "Content-Length": str(len(body)),
    }
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"{name}: {value}\r\n" for name, value in fields.items() if value is not None]
    return f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode("latin-1") + body


class Connection:
    """A connection that stays open; every wait has an end."""

    def __init__(self, port, timeout=DEADLINE_S):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def call(self, target, body, **headers):
        self.send(request(target, body, **headers))
        return self.answer()

    def get(self, path):
        self.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return self.answer()

    def _more(self):
        more = self.socket.recv(1 << 18)
        if not more:
            raise Closed(self.received)
        self.received += more

    def answer(self):
        while b"\r\n\r\n" not in self.received:
            self._more()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        status_line, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(status_line.split(" ")[1])
        if status == 100:
            return Answer(status, headers, b"")
        length = int(headers.get("content-length", "0"))
        while len(self.received) < length:
            self._more()
        body, self.received = self.received[:length], self.received[length:]
        return Answer(status, headers, body)

    def wait_for_close(self, seconds):
        """All that comes until the server closes; None if it does not within that time."""
        self.socket.settimeout(seconds)
        try:
            while True:
                self._more()
        except Closed as closed:
            return closed.args[0]
        except (ConnectionResetError, BrokenPipeError):
            return self.received
        except TimeoutError:
            return None


def call(port, target, body, **headers):
    with Connection(port) as connection:
        return connection.call(target, body, **headers)
