"""A disk that is full: clear errors, reads and deletes go on, and writes as soon as there is room."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from server_process import eventually, make_table, scan

DISK_MB = 384
FILLER_MB = 128
ITEM_BYTES = 100_000
WRITES_MAX = 20_000


@pytest.fixture
def disk():
    """A disk of its own, of some hundred megabytes."""
    path = tempfile.mkdtemp(prefix="sheaf-server-test-disk-")
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "sheaf-test", path], capture_output=True, text=True)
    if mount.returncode != 0:
        shutil.rmtree(path)
        pytest.skip(f"cannot mount a small disk: {mount.stderr.strip()}")
    yield Path(path)
    subprocess.run(["umount", "-l", path], check=False, timeout=30)
    shutil.rmtree(path, ignore_errors=True)


def free_mb(path):
    figures = os.statvfs(path)
    return figures.f_bavail * figures.f_frsize >> 20


class Ledger:
    """Writes items that are all different, and knows which of them were taken."""

    def __init__(self, server):
        self.server = server
        self.items = {}
        self.number = 0

    def put(self, connection):
        self.number += 1
        key = f"key {self.number}"
        text = f"{self.number} ".ljust(16) + os.urandom(ITEM_BYTES // 2).hex()
        answer = connection.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": key}, "text": {"S": text}}})
        if answer.status == 200:
            self.items[key] = text
        return answer

    def write_until_refused(self):
        with self.server.connect() as connection:
            for _ in range(WRITES_MAX):
                answer = self.put(connection)
                if answer.status != 200:
                    return answer
        raise AssertionError("the disk does not get full")

    def check(self):
        found = {item["pk"]["S"]: item["text"]["S"] for item in scan(self.server, "things", ConsistentRead=True)}
        assert found.keys() >= self.items.keys(), sorted(self.items.keys() - found.keys())[:5]
        assert found == self.items, sorted(found.keys() - self.items.keys())[:5]


def check_refusal(answer):
    assert answer.exception == "ServiceUnavailableException", answer
    assert answer.status in (500, 503), answer
    message = answer.value.get("message") or answer.value.get("Message")
    assert "disk" in message.lower(), message


def test_a_full_disk_refuses_writes_until_there_is_room(make_server, disk):
    filler = disk / "filler"
    with open(filler, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, FILLER_MB << 20)
    server = make_server("--memory", "128MB", within=disk).start()
    make_table(server)
    ledger = Ledger(server)

    refusal = ledger.write_until_refused()
    print(f"refused after {len(ledger.items)} writes with {free_mb(disk)} MB free: {refusal.status} {refusal.body.decode()}")
    check_refusal(refusal)
    server.check_health()
    ledger.check()

    # Again and again: no write that is refused is there, none that is taken is lost.
    for _ in range(20):
        with server.connect() as connection:
            answer = ledger.put(connection)
            if answer.status != 200:
                check_refusal(answer)
    ledger.check()

    # Deletes make room in the end, so they are let in; while a compaction holds what is left, they are to try again.
    def is_deleted(connection, key):
        answer = connection.call("DeleteItem", {"TableName": "things", "Key": {"pk": {"S": key}}})
        if answer.status != 200:
            check_refusal(answer)
        return answer.status == 200

    for key in list(ledger.items)[:50]:
        with server.connect() as connection:
            eventually(lambda: is_deleted(connection, key), 30)
        del ledger.items[key]
    ledger.check()

    filler.unlink()

    def taken():
        with server.connect() as connection:
            return ledger.put(connection).status == 200

    eventually(taken, 30)
    before = len(ledger.items)
    with server.connect() as connection:
        for _ in range(100):
            assert ledger.put(connection).status == 200
    assert len(ledger.items) == before + 100
    ledger.check()

    server.stop()
    server.start()
    ledger.check()
    server.kill()
    server.start()
    ledger.check()
    server.stop()


def test_a_server_that_is_killed_on_a_full_disk_starts_again(make_server, disk):
    server = make_server("--memory", "128MB", within=disk).start()
    make_table(server)
    ledger = Ledger(server)
    check_refusal(ledger.write_until_refused())
    server.kill()
    server.start()
    print(f"started again with {free_mb(disk)} MB free")
    ledger.check()
    with server.connect() as connection:
        key = next(iter(ledger.items))
        assert connection.call("DeleteItem", {"TableName": "things", "Key": {"pk": {"S": key}}}).status == 200
        del ledger.items[key]
    ledger.check()
    server.stop()
