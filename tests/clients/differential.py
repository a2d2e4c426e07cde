#!/usr/bin/env python3
"""Sends the same random requests to two servers and compares the answers field by field.

  tests/clients/differential.py SHEAF PEER --peer-name dynoxide [--seed N] [--requests N]

Most requests are valid, some have one thing wrong. Differences that are known and explained (comparison/explained.py)
are counted; others are shown with the request and both answers, and the exit code is 1. After every difference the
peer's items are made equal to Sheaf's, so that one difference does not cause the next.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from comparison.answers import ask, differing, sorted_sets
from comparison.connection import Connection
from comparison.explained import EXPLAINED, Seen, explanation
from comparison.explained_statements import STATEMENTS, explanation_of_statements
from comparison.random_legacy import LegacyRequests
from comparison.random_requests import SCHEMAS, TABLES, Requests
from comparison.random_statements import Statements
from comparison.random_tables import NAME as DECLARED_TABLE
from comparison.random_tables import TableRequests

WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}
# The others are older than PartiQL.
PEERS_WITH_STATEMENTS = {"dynoxide"}


def make_tables(connection):
    for declared in TABLES:
        name = {"TableName": declared["TableName"]}
        remove_table(connection, declared["TableName"])
        answer = connection.send("CreateTable", declared)
        assert answer.ok, answer
        while connection.send("DescribeTable", name).body["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.02)


def remove_table(connection, name):
    while connection.send("DeleteTable", {"TableName": name}).code != "ResourceNotFoundException":
        time.sleep(0.01)


def items_by_key(connection, schema):
    answer = connection.send("Scan", {"TableName": schema.name, "ConsistentRead": True})
    return {json.dumps([item[name] for name in schema.key]): sorted_sets(item) for item in answer.body["Items"]}


def make_equal(sheaf, peer):
    """Makes the peer's items those of Sheaf. True if there was something to do."""
    changed = False
    for schema in SCHEMAS:
        wanted, found = items_by_key(sheaf, schema), items_by_key(peer, schema)
        for key in found.keys() - wanted.keys():
            peer.send("DeleteItem", {"TableName": schema.name, "Key": {name: found[key][name] for name in schema.key}})
            changed = True
        for key, item in wanted.items():
            if found.get(key) != item:
                peer.send("PutItem", {"TableName": schema.name, "Item": item})
                changed = True
    return changed


def may_write(operation, request):
    return operation in WRITES or (operation in STATEMENTS and re.search("INSERT|SET|REMOVE|DELETE", json.dumps(request)))


def kind_of(operation, first, second, names):
    """What makes two differences the same one: the numbers and names in it do not."""
    words = (
        lambda answer: re.sub(r"['\"{\[].*?['\"}\]]|\d+|[:#]\w+", "_", f"{answer.code} {answer.message}")
        if not answer.ok
        else "200"
    )
    return operation, words(first), words(second), tuple(names)


class Report:
    def __init__(self):
        self.explained = Counter()
        self.unexplained = Counter()
        self.examples = {}

    def add(self, peer_name, seen):
        reason = explanation_of_statements(seen) if seen.operation in STATEMENTS else explanation(peer_name, seen)
        if reason:
            self.explained[reason] += 1
            return
        kind = kind_of(seen.operation, seen.sheaf, seen.peer, seen.names)
        self.unexplained[kind] += 1
        shown = (seen.operation, json.dumps(seen.request, ensure_ascii=False), seen.sheaf.shown(), seen.peer.shown())
        if kind not in self.examples or len(shown[1]) < len(self.examples[kind][1]):
            self.examples[kind] = shown

    def print(self, kinds_max):
        for reason, count in self.explained.most_common():
            print(f"explained {count:6}  {reason}")
        for kind, count in self.unexplained.most_common(kinds_max):
            operation, request, sheaf, peer = self.examples[kind]
            print(
                f"\n{count} x {operation}: differs in {', '.join(kind[3])}\n  request {request}\n  sheaf   {sheaf}\n  peer    {peer}"
            )
        if len(self.unexplained) > kinds_max:
            print(f"\n... and {len(self.unexplained) - kinds_max} more kinds (--kinds shows more)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sheaf")
    parser.add_argument("peer")
    parser.add_argument(
        "--peer-name", default="dynoxide", choices=EXPLAINED, help="whose differences are known (default: dynoxide)"
    )
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--only", choices=["requests", "legacy", "tables", "statements"], help="requests of one kind")
    parser.add_argument("--kinds", type=int, default=40, help="how many kinds of unexplained differences to show")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}, {arguments.requests} requests")

    sheaf, peer = Connection(arguments.sheaf), Connection(arguments.peer)
    for connection in (sheaf, peer):
        remove_table(connection, DECLARED_TABLE)
        make_tables(connection)
    dice = random.Random(seed)
    shares = {"requests": (Requests, 8), "legacy": (LegacyRequests, 2), "tables": (TableRequests, 1)}
    if arguments.peer_name in PEERS_WITH_STATEMENTS:
        shares["statements"] = (Statements, 8)
    if arguments.only:
        shares = {arguments.only: shares[arguments.only]}
    sources, weights = [source(dice) for source, _ in shares.values()], [weight for _, weight in shares.values()]
    report, sent, refused = Report(), Counter(), Counter()
    for number in range(arguments.requests):
        source = dice.choices(sources, weights)[0]
        operation, request = source.next()
        answers = [ask(connection, operation, request) for connection in (sheaf, peer)]
        if operation == "CreateTable":
            for connection, answer in zip((sheaf, peer), answers):
                if answer.ok:
                    remove_table(connection, request["TableName"])
        sent[operation] += 1
        refused[operation] += not answers[0].ok
        names = differing(*answers)
        changed_differently = may_write(operation, request) and make_equal(sheaf, peer)
        if names or changed_differently:
            if changed_differently and (not names or operation in STATEMENTS):
                names.append("items")
            report.add(arguments.peer_name, Seen(operation, request, *answers, names, source.spoiled))
    for connection in (sheaf, peer):
        for name in [declared["TableName"] for declared in TABLES]:
            remove_table(connection, name)

    print("sent      " + ", ".join(f"{operation} {count} ({refused[operation]} refused)" for operation, count in sent.items()))
    report.print(arguments.kinds)
    print(
        f"\n{sum(report.explained.values())} differences explained, "
        f"{sum(report.unexplained.values())} of {len(report.unexplained)} kinds not"
    )
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
