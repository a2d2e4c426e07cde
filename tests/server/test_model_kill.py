"""kill -9 under operations of a model: what was acknowledged is there, and nothing is half done."""

import http.client
import json
import os
import random
import subprocess
import threading
import time
import urllib.error
from pathlib import Path

import pytest

from model_http import http as ask
from server_process import BINARY

MODEL = Path(__file__).parent / "killed.sheaf"
ROUNDS = 3 * int(os.environ.get("SHEAF_TEST_ROUNDS", "1"))
WRITERS = 6
USERS, GROUPS = 6, 3


class Writer(threading.Thread):
    """Has things and posts of its own, and shares users and groups with the others."""

    def __init__(self, number, server, chance, things, posts):
        super().__init__(daemon=True)
        self.number, self.server, self.chance = number, server, chance
        # What may be stored of each: one that is certain, or several if an answer is missing.
        self.things, self.posts = things, posts
        self.answers = 0
        self.failure = None

    def run(self):
        try:
            while True:
                self.chance.choice([self.thing, self.thing, self.post, self.link, self.unlink, self.rename, self.group])()
        except (ConnectionError, urllib.error.URLError, http.client.HTTPException, TimeoutError):
            pass  # the server is gone
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = repr(failure)

    def do(self, operation, *arguments):
        status, _, answer = ask(self.server, f"/models/killed/operations/{operation}", {"with": list(arguments)})
        assert status in (200, 400, 404, 409), (operation, arguments, status, answer)
        self.answers += 1
        return status == 200

    def user(self):
        return f"u{self.chance.randrange(USERS)}"

    def write(self, known, key, state, operation, *arguments):
        """`state` is what is stored if it is done."""
        before = known.get(key, [None])
        known[key] = before + [state]
        known[key] = [state] if self.do(operation, *arguments) else before

    def thing(self):
        key = f"t{self.number}-{self.chance.randrange(8)}"
        known = self.things.get(key, [None])
        if len(known) > 1:
            return
        if known[0] is None:
            thing = {"id": key, "name": "n", "price": self.chance.randrange(100)}
            if self.chance.random() < 0.5:
                thing["color"] = "red"
            self.write(self.things, key, thing, "put.Thing", thing)
        elif self.chance.random() < 0.3:
            self.write(self.things, key, None, "delete.Thing", key)
        else:
            changed = {"price": self.chance.randrange(100), "color": self.chance.choice(["blue", "green"])}
            self.write(self.things, key, {**known[0], **changed}, "set.Thing", key, changed)

    def post(self):
        key = f"p{self.number}-{self.chance.randrange(8)}"
        known = self.posts.get(key, [None])
        if len(known) > 1:
            return
        if known[0] is None:
            at = f"2026-0{self.chance.randrange(1, 9)}-01T00:00:00.000Z"
            post = {"id": key, "at": at, "text": "x", "slug": key}
            self.write(self.posts, key, post, "put.Post", {**post, "author": self.user()})
        elif self.chance.random() < 0.5:
            self.write(self.posts, key, None, "delete.Post", key)
        else:
            self.write(self.posts, key, {**known[0], "text": "y"}, "set.Post", key, {"text": "y"})

    def pair(self):
        thing = f"t{self.chance.randrange(WRITERS)}-{self.chance.randrange(8)}"
        group = f"g{self.chance.randrange(GROUPS)}"
        return self.chance.choice(
            [
                ("User.friends", self.user(), self.user(), {"since": 1}),
                ("User.groups", self.user(), group, {}),
                ("User.things", self.user(), thing, {}),
                ("Group.guests", group, self.user(), {"kind": self.chance.choice("ab")}),
            ]
        )

    def link(self):
        end, one, other, fields = self.pair()
        self.do(f"link.{end}", one, other, *([fields] if fields else []))

    def unlink(self):
        end, one, other, _ = self.pair()
        self.do(f"unlink.{end}", one, other)

    def rename(self):
        if self.chance.random() < 0.7:
            self.do("set.User", self.user(), {"name": f"n{self.chance.randrange(1000)}"})
        else:
            self.do("set.Group", f"g{self.chance.randrange(GROUPS)}", {"name": f"n{self.chance.randrange(1000)}"})

    def group(self):
        group = f"g{self.chance.randrange(GROUPS)}"
        if self.chance.random() < 0.3:
            self.do("delete.Group", group)
        else:
            self.do("put.Group", {"id": group, "name": "again"})


def stored(server, pattern, key):
    status, _, answer = ask(server, f"/models/killed/patterns/{pattern}", {"with": [key]})
    assert status == 200, answer
    return answer["documents"][0] if answer["documents"] else None


@pytest.mark.parametrize("layout", ["default", "other"])
def test_nothing_is_half_done_when_the_server_is_killed(make_server, chance, layout):
    server = make_server("--model", f"{MODEL}:{layout}", "--memory", "128MB").start()
    for number in range(USERS):
        assert ask(server, "/models/killed/operations/put.User", {"with": [{"id": f"u{number}", "name": "n"}]})[0] == 200
    things, posts = [{} for _ in range(WRITERS)], [{} for _ in range(WRITERS)]
    for round_number in range(ROUNDS):
        writers = [
            Writer(number, server, random.Random(chance.random()), things[number], posts[number])
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
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
        uncertain = 0
        for pattern, known in [("thing", things), ("post", posts)]:
            for mine in known:
                for key, states in mine.items():
                    found = stored(server, pattern, key)
                    assert found in states, (key, found, states)
                    uncertain += len(states) > 1
                    mine[key] = [found]
        answers = sum(writer.answers for writer in writers)
        assert answers > 0
        print(f"{layout}, round {round_number}: {answers} answers, {uncertain} missing; {audit.stdout.strip()}")
    server.stop()
