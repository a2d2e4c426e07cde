"""More load than the server can take: memory stays in its budget, health answers, nothing acknowledged is lost."""

import os
import random
import threading
import time

from raw_http import Closed, request
from server_process import make_table

SECONDS = float(os.environ.get("SHEAF_TEST_SECONDS", "10"))
CONNECTIONS = 96
KEYS_EACH = 3
ITEM_BYTES = 300_000
MEMORY_MB = 128


class Writer(threading.Thread):
    """Writes versions of its own items, one after the other, as fast as they are taken."""

    def __init__(self, server, number, end, chance):
        super().__init__(daemon=True)
        self.server, self.number, self.end, self.chance = server, number, end, chance
        self.acknowledged = {}  # by key: the version
        self.sent = {}
        self.taken = self.throttled = self.broken = 0
        self.failure = None

    def run(self):
        version = 0
        while time.monotonic() < self.end and self.failure is None:
            try:
                with self.server.connect(timeout=30) as connection:
                    while time.monotonic() < self.end:
                        version += 1
                        if not self.write(connection, version):
                            break
            except (Closed, ConnectionError):
                self.broken += 1
            except Exception as error:  # shown by the test's own thread
                self.failure = error

    def write(self, connection, version):
        """False: the connection is of no use any more."""
        key = f"{self.number}-{self.chance.randrange(KEYS_EACH)}"
        item = {"pk": {"S": key}, "version": {"N": str(version)}, "text": {"S": "x" * ITEM_BYTES}}
        self.sent.setdefault(key, []).append(version)
        try:
            connection.send(request("PutItem", {"TableName": "things", "Item": item}))
        except ConnectionError:
            pass  # it may have been answered before all of it was read
        answer = connection.answer()
        if answer.status == 200:
            self.taken += 1
            self.acknowledged[key] = version
        else:
            assert answer.exception == "ThrottlingException", answer
            self.throttled += 1
        return answer.headers.get("connection") != "close"


def watch(server, end):
    """Until the end: the most memory, the longest that health took to answer, and how often it did."""
    most, longest_s, answers = 0, 0.0, 0
    while time.monotonic() < end:
        begin = time.monotonic()
        server.check_health()
        longest_s = max(longest_s, time.monotonic() - begin)
        answers += 1
        most = max(most, server.memory_bytes())
        time.sleep(0.05)
    return most, longest_s, answers


def test_overload_stays_in_the_budget_and_loses_nothing(make_server, chance):
    server = make_server("--memory", f"{MEMORY_MB}MB").start()
    make_table(server)
    idle = server.memory_bytes()
    end = time.monotonic() + SECONDS
    writers = [Writer(server, number, end, random.Random(chance.random())) for number in range(CONNECTIONS)]
    for writer in writers:
        writer.start()
    most, longest_s, answers = watch(server, end)
    for writer in writers:
        writer.join(60)
        assert not writer.is_alive()
        assert writer.failure is None, writer.failure

    taken, throttled, broken = (sum(getattr(writer, name) for writer in writers) for name in ("taken", "throttled", "broken"))
    counted = server.metric("sheaf_throttled_total")
    peak = server.metric("sheaf_request_memory_bytes_peak")
    most = max(most, server.memory_bytes("VmHWM"))
    print(f"{taken} writes taken, {throttled} throttled ({counted:.0f} by the metrics), {broken} connections broken; "
          f"{server.metric('sheaf_memory_waits_total'):.0f} waits for memory; health answered {answers} times, after "
          f"{longest_s * 1000:.0f} ms at most; memory {idle >> 20} MB idle, {most / 2**20:.1f} MB at most, requests "
          f"{peak / 2**20:.1f} MB at most")
    assert taken > 0
    assert counted >= throttled
    assert answers > 0 and longest_s < 5
    assert most < MEMORY_MB << 20
    assert peak <= server.metric("sheaf_request_memory_bytes_max") * 1.1

    check_items(server, writers)
    server.stop()
    server.start()
    check_items(server, writers)
    server.stop()


def check_items(server, writers):
    """The version acknowledged last, or one that was sent later and not answered."""
    with server.connect() as connection:
        for writer in writers:
            for key, versions in writer.sent.items():
                answer = connection.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}, "ConsistentRead": True})
                assert answer.status == 200, answer
                item = answer.value.get("Item")
                found = int(item["version"]["N"]) if item else 0
                acknowledged = writer.acknowledged.get(key, 0)
                assert found == acknowledged or (found > acknowledged and found in versions), (key, found, acknowledged)
                assert item is None or len(item["text"]["S"]) == ITEM_BYTES


def test_a_burst_beyond_the_budget_is_throttled_and_counted(make_server):
    """Bodies that together are several times the budget of requests: some are throttled, and the metrics say so."""
    server = make_server("--memory", "128MB").start()
    make_table(server)
    body = b'{"TableName":"things","Nonsense":"' + b"x" * (4 << 20) + b'"}'
    whole = request("Scan", body)
    connections = [server.connect() for _ in range(16)]
    results = []

    def send(connection):
        try:
            connection.send(whole[: len(whole) // 2])
            time.sleep(2)
            connection.send(whole[len(whole) // 2 :])
        except ConnectionError:
            pass
        try:
            answer = connection.answer()
            results.append(answer.exception or answer.status)
        except (Closed, ConnectionError):
            results.append("closed")

    threads = [threading.Thread(target=send, args=(connection,), daemon=True) for connection in connections]
    for thread in threads:
        thread.start()
    time.sleep(1)
    server.check_health()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for connection in connections:
        connection.close()
    tally = {result: results.count(result) for result in set(results)}
    print(f"{tally}; {server.metric('sheaf_throttled_total'):.0f} throttled by the metrics; memory "
          f"{server.memory_bytes('VmHWM') / 2**20:.1f} MB at most")
    assert tally.get("ThrottlingException", 0) > 0
    assert server.metric("sheaf_throttled_total") >= tally["ThrottlingException"]
    assert server.metric("sheaf_request_memory_bytes_peak") <= server.metric("sheaf_request_memory_bytes_max") * 1.1
    assert server.metric("sheaf_request_memory_bytes") < 2 << 20
    assert server.call("Scan", {"TableName": "things"}).status == 200
