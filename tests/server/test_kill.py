"""kill -9 under load from many connections: what was acknowledged is there when the server starts again."""

import os
import random
import time

import pytest

from kill_workload import Writer, check_counters, check_index, check_stream, declare, read_items

WRITERS = 24
ROUNDS = 3 * int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))


@pytest.mark.parametrize("durability", ["durable", "relaxed"])
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(make_server, chance, durability):
    server = make_server("--durability", durability, "--memory", "128MB").start()
    declare(server)
    writers = []
    for round_number in range(ROUNDS):
        previous = writers
        writers = [Writer(number, server.connect, random.Random(chance.random())) for number in range(WRITERS)]
        for writer, before in zip(writers, previous):
            writer.items, writer.serial = before.items, before.serial
            writer.sent, writer.acknowledged = before.sent, before.acknowledged
        for writer in writers:
            writer.start()
        time.sleep(chance.uniform(0.3, 1.5))
        server.kill()
        for writer in writers:
            writer.join(30)
            assert not writer.is_alive()
            assert writer.failure is None, writer.failure
        begin = time.monotonic()
        server.start()
        start_ms = (time.monotonic() - begin) * 1000

        found = read_items(server)
        for writer in writers:
            writer.check_and_adopt(found)
        check_counters(found, writers)
        check_index(server, found)
        changes = check_stream(server, found)
        in_round = sum(writer.answers for writer in writers)
        assert in_round > 0
        print(f"round {round_number}: {in_round} answers, {len(found)} items, {changes} changes in the stream, "
              f"started again in {start_ms:.0f} ms")
    server.stop()
