"""Clients of the server under test, and tables that vanish with their test."""

import os
import re
import uuid
import zlib
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

pytest.register_assert_rewrite("expectations")

from attributes import item
from declaration import declaration
from expectations import PEER, eventually

ENDPOINT = os.environ["SHEAF_TESTS_ENDPOINT"]


def check_answer(http_response, **_):
    """Every answer, also an error, has a checksum of its body that is right, and an id."""
    headers = http_response.headers
    assert int(headers["x-amz-crc32"]) == zlib.crc32(http_response.content)
    assert re.fullmatch(r"[0-9A-Za-z-]{16,64}", headers["x-amzn-requestid"])
    assert headers["content-type"] == "application/x-amz-json-1.0"


def connect(service, **config):
    client = boto3.client(service, endpoint_url=ENDPOINT, config=Config(max_pool_connections=64, **config))
    client.meta.events.register("after-call", check_answer)
    return client


@pytest.fixture(scope="session")
def endpoint():
    return ENDPOINT


@pytest.fixture(scope="session")
def client():
    return connect("dynamodb")


@pytest.fixture(scope="session")
def unchecked_client():
    """Sends what the client's own validation would hold back."""
    return connect("dynamodb", parameter_validation=False)


@pytest.fixture(scope="session")
def streams():
    return connect("dynamodbstreams")


@pytest.fixture
def resource():
    return boto3.resource("dynamodb", endpoint_url=ENDPOINT)


class Tables:
    """Makes tables with names of their own, waits until they can be used, and removes them in the end."""

    def __init__(self, client, label):
        self.client = client
        self.label = re.sub(r"[^a-zA-Z0-9_.-]+", "_", label)[:60]
        self.names = []

    def name(self):
        name = f"{self.label}.{uuid.uuid4().hex[:10]}"
        self.names.append(name)
        return name

    def make(self, key="pk:S", items=(), **more):
        name = self.name()
        self.client.create_table(**declaration(name, key, **more))
        self.wait_until_active(name)
        self.fill(name, items)
        return name

    def wait_until_active(self, name):
        def active():
            table = self.client.describe_table(TableName=name)["Table"]
            indexes = table.get("GlobalSecondaryIndexes", [])
            return table["TableStatus"] == "ACTIVE" and all(index["IndexStatus"] == "ACTIVE" for index in indexes) and table

        return eventually(active)

    def fill(self, name, items):
        requests = [{"PutRequest": {"Item": item(attributes)}} for attributes in items]
        for start in range(0, len(requests), 25):
            pending = {name: requests[start : start + 25]}
            while pending:
                pending = self.client.batch_write_item(RequestItems=pending)["UnprocessedItems"]

    def remove(self, name):
        def gone():
            try:
                self.client.delete_table(TableName=name)
            except ClientError as error:
                if error.response["Error"]["Code"] != "ResourceInUseException":
                    return True
            return False

        eventually(gone)


@pytest.fixture
def tables(client, request):
    made = Tables(client, request.node.name)
    yield made
    for name in made.names:
        made.remove(name)


def known_failures():
    """Tests that a peer is known to fail, because it differs from AWS there: "name  reason" a line, where a name
    stands for all tests that begin with it."""
    if not PEER:
        return []
    lines = (Path(__file__).parent.parent / "peers" / f"{PEER}.txt").read_text().splitlines()
    return [line.split("  ", 1) for line in lines if line and not line.startswith("#")]


def pytest_collection_modifyitems(items):
    failures = known_failures()
    for test in items:
        for name, reason in failures:
            if test.name.startswith(name):
                test.add_marker(pytest.mark.xfail(reason=reason.strip(), strict=True))
                break
