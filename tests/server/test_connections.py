"""Many connections, slow ones, silent ones and ones that vanish: the others do not notice."""

import resource
import select
import socket
import struct
import threading
import time

import pytest

from raw_http import Connection, request
from server_process import eventually, make_table

IDLE = 10_000
IDLE_BYTES_EACH = 1024  # documented: 0.3 KB
HEAD_S = 10  # how long a request may take to arrive
CUT_OFF_S = 15  # by when a slow client is certainly gone


def put(number, size=100):
    item = {"pk": {"S": f"key {number}"}, "number": {"N": str(number)}, "text": {"S": "x" * size}}
    return request("PutItem", {"TableName": "things", "Item": item})


def get(number):
    return request("GetItem", {"TableName": "things", "Key": {"pk": {"S": f"key {number}"}}})


class Bystander(threading.Thread):
    """A client that is served all the while; remembers its longest wait."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.ended = threading.Event()
        self.calls = 0
        self.longest_s = 0.0
        self.failure = None

    def run(self):
        try:
            with self.server.connect() as connection:
                is_last = False
                while not is_last:
                    is_last = self.ended.wait(0.01)  # one more then: it may have been the first
                    begin = time.monotonic()
                    connection.send(put(self.calls % 100) + get(self.calls % 100))
                    assert connection.answer().status == 200
                    answer = connection.answer()
                    assert answer.value["Item"]["number"]["N"] == str(self.calls % 100), answer
                    self.longest_s = max(self.longest_s, time.monotonic() - begin)
                    self.calls += 1
        except Exception as error:  # shown by __exit__
            self.failure = error

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        self.ended.set()
        self.join(30)
        if kind is None:
            assert self.failure is None, self.failure
            assert self.calls > 0
            assert self.longest_s < 5


def raise_descriptor_limit(wanted):
    """As many descriptors as are wanted, or as the system lets this process have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return max(soft, limit)


def test_ten_thousand_idle_connections_cost_little_and_hinder_nobody(make_server):
    count = min(IDLE, raise_descriptor_limit(IDLE + 200) - 200)
    if count < IDLE:
        print(f"only {count} connections: the hard limit of descriptors allows no more")
    server = make_server().start()
    make_table(server)
    with Bystander(server):
        time.sleep(0.5)
        before = server.memory_bytes()
        idle = []
        try:
            for _ in range(count):
                idle.append(server.connect())
            eventually(lambda: server.metric("sheaf_connections") >= count, 30)
            connected = server.memory_bytes()
            assert server.metric("sheaf_connections_refused_total") == 0

            # Each was used once: what it needed for that, it gave back.
            for connection in idle:
                connection.send(get(0))
            for connection in idle:
                assert connection.answer().status == 200
            used = server.memory_bytes()
            server.check_health()
        finally:
            for connection in idle:
                connection.close()
    eventually(lambda: server.metric("sheaf_connections") <= 1, 30)
    print(f"{count} idle connections: {before >> 10} KB before, {connected >> 10} KB when they were open, "
          f"{used >> 10} KB when each had been used, {server.memory_bytes() >> 10} KB when they were closed")
    assert connected - before < count * IDLE_BYTES_EACH + (4 << 20)
    assert used - before < count * IDLE_BYTES_EACH + (16 << 20)


class SlowSender:
    """Sends `first`, then `drip` byte by byte, one every `every_s`; waits for the end."""

    def __init__(self, server, label, first, drip=b"", every_s=0.5):
        self.label, self.drip, self.every_s = label, drip, every_s
        self.connection = server.connect()
        self.connection.send(first)
        self.begun = self.dripped = time.monotonic()
        self.closed_after_s = None
        self.words = b""

    def step(self):
        if self.closed_after_s is not None:
            return
        now = time.monotonic()
        try:
            if self.drip and now - self.dripped >= self.every_s:
                self.dripped = now
                self.connection.send(self.drip[:1])
                self.drip = self.drip[1:]
            if select.select([self.connection.socket], [], [], 0)[0]:
                more = self.connection.socket.recv(65536)
                self.words += more
                if not more:
                    self.closed_after_s = now - self.begun
        except ConnectionError:
            self.closed_after_s = now - self.begun


def test_half_sent_requests_and_slow_senders_are_cut_off(server):
    make_table(server)
    whole = put(1)
    head, body = whole[: whole.index(b"\r\n\r\n") + 4], whole[whole.index(b"\r\n\r\n") + 4 :]
    chunked = head.replace(b"Content-Length: %d" % len(body), b"Transfer-Encoding: chunked")
    slow = [
        SlowSender(server, "one byte", b"P"),
        SlowSender(server, "half of the headers", head[:100]),
        SlowSender(server, "headers byte by byte", head[:20], head[20:]),
        SlowSender(server, "headers without end", b"GET / HTTP/1.1\r\n", b"A: b\r\n" * 100),
        SlowSender(server, "no body", head),
        SlowSender(server, "body byte by byte", head, body),
        SlowSender(server, "half of the body", whole[:-10]),
        SlowSender(server, "a chunk without end", chunked + b"100\r\n{"),
        SlowSender(server, "chunks byte by byte", chunked, b"1\r\n{\r\n" * 100),
        SlowSender(server, "a request and a half", whole + head[:50]),
    ]
    silent = [SlowSender(server, "nothing", b""), SlowSender(server, "a whole request", whole)]
    with Bystander(server):
        deadline = time.monotonic() + CUT_OFF_S
        while time.monotonic() < deadline and any(sender.closed_after_s is None for sender in slow):
            for sender in slow + silent:
                sender.step()
            time.sleep(0.01)
    for sender in slow + silent:
        sender.connection.close()
        print(f"{sender.label}: closed after {sender.closed_after_s and round(sender.closed_after_s, 2)} s, "
              f"{sender.words[:40]!r}")
    for sender in slow:
        assert sender.closed_after_s is not None, sender.label
        assert sender.closed_after_s > HEAD_S - 1, sender.label
        assert b"HTTP/1.1 408 " in sender.words, sender.label
    assert [sender.closed_after_s for sender in silent] == [None, None]
    assert server.metric("sheaf_http_cut_off_total") == len(slow)


def test_pipelined_requests_are_answered_in_order(server):
    make_table(server)
    count = 500
    with server.connect() as connection:
        requests = [put(number) + get(number) for number in range(count)]
        sender = threading.Thread(target=connection.send, args=(b"".join(requests),), daemon=True)
        sender.start()
        for number in range(count):
            assert connection.answer().status == 200
            assert connection.answer().value["Item"]["number"]["N"] == str(number)
        sender.join(10)

        # Quick and slow ones, right and wrong ones: the order stays.
        mixed = [request("ListTables", {}), get(7), request("Nonsense", {}), put(8), request("PutItem", b"{"), get(8)]
        connection.send(b"".join(mixed))
        answers = [connection.answer() for _ in mixed]
    assert answers[0].value["TableNames"] == ["things"]
    assert answers[1].value["Item"]["pk"]["S"] == "key 7"
    assert answers[2].exception == "UnknownOperationException"
    assert answers[3].value == {}
    assert answers[4].exception == "SerializationException"
    assert answers[5].value["Item"]["pk"]["S"] == "key 8"


def reset(connection):
    """Ends the connection as a machine does that lost its power and came back."""
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("leave", [Connection.close, reset], ids=["closed", "reset"])
def test_clients_that_vanish_harm_nobody(server, leave):
    make_table(server)
    whole, large = put(1), put(2, 300_000)
    scan = request("Scan", {"TableName": "things"})
    parts = [b"", b"P", whole[:80], whole[:-1], whole, whole * 20, whole + whole[:90], large[:150_000], large,
             scan, scan * 20, request("CreateTable", {"TableName": "things"})]
    with Bystander(server):
        for _ in range(20):
            connections = [server.connect() for _ in parts]
            for connection, part in zip(connections, parts):
                connection.send(part)
            for connection in connections:
                leave(connection)
    eventually(lambda: server.metric("sheaf_connections") == 0)
    eventually(lambda: server.metric("sheaf_request_memory_bytes") < 4 << 20)
    server.check_health()
    assert server.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "key 1"}}}).value["Item"]


def test_clients_that_do_not_read_their_answers_are_cut_off_and_harm_nobody(server):
    make_table(server)
    with server.connect() as connection:
        connection.send(put(1000, 380_000))
        assert connection.answer().status == 200
    before = server.memory_bytes()
    deaf = []
    with Bystander(server) as bystander:
        for _ in range(32):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(10)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(get(1000) * 50)  # 19 MB of answers
            deaf.append(connection)
        begin, highest = time.monotonic(), 0
        while server.metric("sheaf_http_cut_off_total") < len(deaf) and time.monotonic() - begin < 3 * CUT_OFF_S:
            highest = max(highest, server.memory_bytes())
            time.sleep(0.1)
        cut_off_s = time.monotonic() - begin
        server.check_health()
    for connection in deaf:
        connection.close()
    print(f"32 deaf clients: {before >> 10} KB before, {highest >> 10} KB at most, cut off after {cut_off_s:.1f} s, "
          f"another client's {bystander.calls} calls took {bystander.longest_s * 1000:.0f} ms at most")
    assert server.metric("sheaf_http_cut_off_total") == len(deaf)
    assert highest - before < 64 << 20
    assert server.metric("sheaf_request_memory_bytes") < 4 << 20
