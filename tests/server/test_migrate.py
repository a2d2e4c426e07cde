"""A model moves to another layout while clients write to it over HTTP, and whoever moves it, or serves it, is killed."""

import json
import os
import signal
import subprocess
import time
import urllib.request

import boto3
import pytest

from model_workload import MODEL, WRITERS, begin, check, put_users
from server_process import BINARY

ROUNDS = int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))
KILLS_MAX = 50


def migrate(server, source, target, *options):
    command = [BINARY, "model", "migrate", str(MODEL), "--from", source, "--to", target, "--endpoint", server.url, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def kill_one(server, chance, seconds, source, target, *options):
    """A run that is killed at some moment, unless it ends before."""
    mover = migrate(server, source, target, *options)
    time.sleep(chance.uniform(0, seconds))
    mover.send_signal(signal.SIGKILL)
    output, _ = mover.communicate()
    assert mover.returncode in (0, -signal.SIGKILL), output


def state(server, source, target):
    """Where the model is, for programs."""
    return json.loads(done(migrate(server, source, target, "--status", "--json")))


def done(mover):
    output, _ = mover.communicate(timeout=300)
    assert mover.returncode == 0, output
    return output


def stop(writers):
    for writer in writers:
        writer.is_over = True
    for writer in writers:
        writer.join(60)
        assert not writer.is_alive()
        assert writer.failure is None, writer.failure
    return sum(writer.answers for writer in writers)


def lock_seen_by_others(server):
    """What boto3 is told that writes an item into each of the model's tables, beside the model."""
    client = boto3.client("dynamodb", endpoint_url=server.url)
    told = {}
    for table in client.list_tables()["TableNames"]:
        if not table.startswith("app"):
            continue
        try:
            client.put_item(TableName=table, Item={"PK": {"S": "stranger"}, "SK": {"S": "stranger"}})
            client.delete_item(TableName=table, Key={"PK": {"S": "stranger"}, "SK": {"S": "stranger"}})
            told[table] = None
        except client.exceptions.ResourceInUseException as refused:
            told[table] = refused.response["Error"]["Message"]
    return told


@pytest.mark.parametrize("source, target, lock", [("default", "other", ["--lock"]), ("other", "default", [])])
def test_nothing_is_lost_while_a_model_moves_and_processes_are_killed(make_server, chance, source, target, lock):
    server = make_server("--model", f"{MODEL}:{source}", "--memory", "128MB").start()
    put_users(server)
    things, posts = [{} for _ in range(WRITERS)], [{} for _ in range(WRITERS)]
    writers = begin(server, chance, things, posts)
    time.sleep(1)
    answers = 0
    for _ in range(2 * ROUNDS):
        mover = migrate(server, source, target, *lock)
        time.sleep(chance.uniform(0.2, 5))
        mover.send_signal(signal.SIGKILL)
        mover.communicate()
    server.kill()
    answers += stop(writers)
    server.start()
    check(server, things, posts)
    if lock:
        told = lock_seen_by_others(server)
        assert len(told) == 2
        assert all("is locked while the model killed is moved" in (each or "") for each in told.values()), told
        # Who uses the model from elsewhere may write.
        thing = '{"id": "elsewhere", "name": "n", "price": 1}'
        command = [BINARY, "model", "run", str(MODEL), "put.Thing", thing, "--layout", source, "--endpoint", server.url]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    writers = begin(server, chance, things, posts)
    assert "is read now, both are written" in done(migrate(server, source, target))
    assert f"to {target}" in done(migrate(server, source, target, "--status"))
    time.sleep(1)
    # Back, one step or two, and forwards again, killed on the way.
    for _ in range(ROUNDS):
        for _ in range(KILLS_MAX):
            if state(server, source, target)["phase"] != "writing both, reading new":
                break
            kill_one(server, chance, 2, source, target, "--back")
        kill_one(server, chance, 8, source, target, "--back")
        if "gone" in state(server, source, target):
            assert "what was left of the other is removed" in done(migrate(server, source, target, "--back"))
        kill_one(server, chance, 5, source, target, *lock)
        assert "is read now" in done(migrate(server, source, target, *lock))
    time.sleep(1)
    for _ in range(KILLS_MAX):
        where = state(server, source, target)
        if where["phase"] == "one" and "gone" not in where:
            break
        kill_one(server, chance, 3, source, target, "--finish")
    assert (where["phase"], where["current"]["layout"]) == ("one", target) and "gone" not in where
    table = where["current"]["tables"]["app"]
    time.sleep(1)
    answers += stop(writers)
    assert check(server, things, posts) == 0
    assert f"stored in the layout {target}" in done(migrate(server, source, target, "--status"))
    told = lock_seen_by_others(server)
    assert told[table] is None and "app" not in told
    with urllib.request.urlopen(f"{server.url}/heat?table={table}", timeout=20) as answer:
        hot = json.load(answer)["writes"]["items"]
    assert {"User", "Group", "Post"} & {key.get("kind") for key in hot}, hot  # as they are stored now
    server.stop()
    # Started with the old layout, it is served in the new one.
    command = [BINARY, "model", "audit", str(MODEL), "--layout", source, "--data", str(server.data)]
    audit = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert audit.returncode == 0, audit.stdout + audit.stderr
    server.start()
    assert check(server, things, posts) == 0
    assert answers > 100
    print(f"{source} to {target}: {answers} answers; {audit.stdout.strip()}")
    server.stop()
