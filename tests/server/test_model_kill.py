"""kill -9 under operations of a model: what was acknowledged is there, and nothing is half done."""

import os
import subprocess
import time

import pytest

from model_workload import MODEL, WRITERS, begin, check, put_users
from server_process import BINARY

ROUNDS = 3 * int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))


@pytest.mark.parametrize("layout", ["default", "other"])
def test_nothing_is_half_done_when_the_server_is_killed(make_server, chance, layout):
    server = make_server("--model", f"{MODEL}:{layout}", "--memory", "128MB").start()
    put_users(server)
    things, posts = [{} for _ in range(WRITERS)], [{} for _ in range(WRITERS)]
    for round_number in range(ROUNDS):
        writers = begin(server, chance, things, posts)
        time.sleep(chance.uniform(0.3, 1.2))
        server.kill()
        for writer in writers:
            writer.join(30)
            assert not writer.is_alive()
            assert writer.failure is None, writer.failure
        command = [BINARY, "model", "audit", str(MODEL), "--layout", layout, "--data", str(server.data)]
        audit = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert audit.returncode == 0, audit.stdout + audit.stderr
        server.start()
        uncertain = check(server, things, posts)
        answers = sum(writer.answers for writer in writers)
        assert answers > 0
        print(f"{layout}, round {round_number}: {answers} answers, {uncertain} missing; {audit.stdout.strip()}")
    server.stop()
