"""What writes to the model killed.sheaf over HTTP, and knows what may be stored then."""

import http.client
import random
import threading
import urllib.error
from pathlib import Path

from model_http import http as ask

MODEL = Path(__file__).parent / "killed.sheaf"
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
        self.is_over = False
        self.failure = None

    def run(self):
        try:
            while not self.is_over:
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


def begin(server, chance, things, posts):
    """Writers that go on until the server is gone, or until they are told to stop."""
    writers = [
        Writer(number, server, random.Random(chance.random()), things[number], posts[number]) for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    return writers


def put_users(server):
    for number in range(USERS):
        assert ask(server, "/models/killed/operations/put.User", {"with": [{"id": f"u{number}", "name": "n"}]})[0] == 200


def check(server, things, posts):
    """All that is known is there; returns for how much there was no answer."""
    uncertain = 0
    for pattern, known in [("thing", things), ("post", posts)]:
        for mine in known:
            for key, states in mine.items():
                found = stored(server, pattern, key)
                assert found in states, (key, found, states)
                uncertain += len(states) > 1
                mine[key] = [found]
    return uncertain
