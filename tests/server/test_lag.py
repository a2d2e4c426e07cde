"""Programs that take a read for what is, and a server that shows them that it may not be."""

import boto3
import pytest
from boto3.dynamodb.conditions import Attr, Key
from botocore.config import Config
from botocore.exceptions import ClientError

from model_http import MODELS, http, load
from server_process import eventually

# Longer than a test takes, so that what is late stays late.
LONG = "users=30000"
SHORT = "users=300"


def connect(server):
    config = Config(retries={"max_attempts": 0}, connect_timeout=10, read_timeout=20)
    return boto3.resource("dynamodb", endpoint_url=server.url, config=config)


def make_users(server):
    database = connect(server)
    return database.create_table(
        TableName="users",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ["pk", "email", "name"]],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_email",
                "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            },
            {
                "IndexName": "by_name",
                "KeySchema": [{"AttributeName": "name", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
    )


def with_email(users, email):
    return users.query(IndexName="by_email", KeyConditionExpression=Key("email").eq(email))["Items"]


def all_with_email(users, email):
    return users.scan(FilterExpression=Attr("email").eq(email), ConsistentRead=True)["Items"]


def register(users, pk, email):
    """The mistake: an index is asked whether an address is free."""
    if with_email(users, email):
        return False
    users.put_item(Item={"pk": pk, "email": email, "name": pk}, ConditionExpression=Attr("pk").not_exists())
    return True


def register_safely(users, pk, email):
    """The cure: an item for the address, which can be there once only."""
    new = {"ConditionExpression": "attribute_not_exists(pk)", "TableName": users.name}
    try:
        users.meta.client.transact_write_items(
            TransactItems=[
                {"Put": {**new, "Item": {"pk": pk, "email": email, "name": pk}}},
                {"Put": {**new, "Item": {"pk": "email#" + email}}},
            ]
        )
    except ClientError as error:
        assert error.response["Error"]["Code"] == "TransactionCanceledException"
        return False
    return True


def count_up(users, pk, **how):
    """The mistake, unless `how` is consistent: what was read is written back."""
    item = users.get_item(Key={"pk": pk}, **how).get("Item", {"pk": pk, "visits": 0})
    users.put_item(Item={**item, "visits": item["visits"] + 1})


def visits(users, pk):
    return users.get_item(Key={"pk": pk}, ConsistentRead=True)["Item"]["visits"]


def test_without_a_lag_the_mistakes_go_unnoticed(server):
    users = make_users(server)
    assert register(users, "u1", "ada@example.com")
    assert not register(users, "u2", "ada@example.com")
    assert len(all_with_email(users, "ada@example.com")) == 1
    for _ in range(3):
        count_up(users, "counter")
    assert visits(users, "counter") == 3


def test_with_an_index_lag_an_address_is_registered_twice(make_server):
    server = make_server("--index-lag", LONG).start()
    users = make_users(server)
    assert register(users, "u1", "ada@example.com")
    assert register(users, "u2", "ada@example.com")
    assert len(all_with_email(users, "ada@example.com")) == 2
    assert with_email(users, "ada@example.com") == []

    assert register_safely(users, "u3", "eve@example.com")
    assert not register_safely(users, "u4", "eve@example.com")
    assert len(all_with_email(users, "eve@example.com")) == 1

    # What is read from the table itself is not held back.
    for _ in range(3):
        count_up(users, "counter")
    assert visits(users, "counter") == 3


def test_with_a_read_lag_ones_own_writes_are_not_read(make_server):
    server = make_server("--read-lag", LONG).start()
    users = make_users(server)
    for _ in range(3):
        count_up(users, "counter")
    assert visits(users, "counter") == 1
    assert "Item" not in users.get_item(Key={"pk": "counter"})
    assert users.scan()["Items"] == []

    for _ in range(3):
        count_up(users, "exact", ConsistentRead=True)
    assert visits(users, "exact") == 3

    assert register(users, "u1", "ada@example.com")
    assert not register(users, "u2", "ada@example.com"), "the indexes have no lag"


def test_every_operation_that_may_be_late_is_late_and_no_other(make_server):
    server = make_server("--read-lag", LONG, "--index-lag", LONG).start()
    users = make_users(server)
    client = users.meta.client
    users.put_item(Item={"pk": "u1", "email": "ada@example.com", "name": "Ada"})
    condition = Key("pk").eq("u1")
    keys = {"users": {"Keys": [{"pk": "u1"}]}}
    select = "SELECT * FROM users WHERE pk = 'u1'"

    assert users.query(KeyConditionExpression=condition)["Count"] == 0
    assert client.batch_get_item(RequestItems=keys)["Responses"]["users"] == []
    assert client.execute_statement(Statement=select)["Items"] == []
    assert "Item" not in client.batch_execute_statement(Statements=[{"Statement": select}])["Responses"][0]
    for index in ["by_email", "by_name"]:
        assert users.scan(IndexName=index)["Count"] == 0
    assert client.execute_statement(Statement='SELECT * FROM "users"."by_email"')["Items"] == []

    keys["users"]["ConsistentRead"] = True
    assert users.query(KeyConditionExpression=condition, ConsistentRead=True)["Count"] == 1
    assert len(client.batch_get_item(RequestItems=keys)["Responses"]["users"]) == 1
    assert len(client.execute_statement(Statement=select, ConsistentRead=True)["Items"]) == 1
    assert "Item" in client.batch_execute_statement(Statements=[{"Statement": select, "ConsistentRead": True}])["Responses"][0]
    assert "Item" in client.transact_get_items(TransactItems=[{"Get": {"TableName": "users", "Key": {"pk": "u1"}}}])["Responses"][0]
    assert "Item" in client.execute_transaction(TransactStatements=[{"Statement": select}])["Responses"][0]
    with pytest.raises(ClientError) as refused:
        users.query(IndexName="by_email", KeyConditionExpression=Key("email").eq("ada@example.com"), ConsistentRead=True)
    assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_when_the_lag_is_over_everything_is_seen(make_server):
    server = make_server("--index-lag", SHORT, "--read-lag", "*=0-300", "--lag-seed", "7").start()
    users = make_users(server)
    users.put_item(Item={"pk": "u1", "email": "ada@example.com", "name": "Ada"})
    eventually(lambda: with_email(users, "ada@example.com"), 30)
    eventually(lambda: "Item" in users.get_item(Key={"pk": "u1"}), 30)

    users.put_item(Item={"pk": "u1", "email": "ada@example.org", "name": "Ada"})
    eventually(lambda: with_email(users, "ada@example.org"), 30)
    assert with_email(users, "ada@example.com") == [], "the item is in one place of the index"
    users.delete_item(Key={"pk": "u1"})
    eventually(lambda: not with_email(users, "ada@example.org"), 30)
    eventually(lambda: "Item" not in users.get_item(Key={"pk": "u1"}), 30)


def test_lags_come_from_a_config_file(make_server, directory):
    with open(f"{directory}/sheaf.conf", "w") as config:
        config.write('index-lag = ["users=30000", "*=0"]\nread-lag = others=30000\nlag-seed = 5\n')
    server = make_server("--config", f"{directory}/sheaf.conf").start()
    users = make_users(server)
    users.put_item(Item={"pk": "u1", "email": "ada@example.com", "name": "Ada"})
    assert with_email(users, "ada@example.com") == []
    assert "Item" in users.get_item(Key={"pk": "u1"})
    server.stop()
    server.start()
    users = connect(server).Table("users")
    assert with_email(users, "ada@example.com"), "a server that starts is not behind"


def test_models_that_are_served_wait_for_their_indexes(make_server):
    server = make_server("--model", f"{MODELS / 'hr' / 'model.sheaf'}:method2", "--index-lag", "*=500").start()
    load(server, "hr", "method2")

    def act(name, **parameters):
        status, _, answer = http(server, f"/models/hr/operations/{name}", {"with": parameters})
        assert status == 200, answer

    act("hire", e={"id": "e-6", "name": "Frank"}, d="d-1")
    act("rename", d="d-1", n="People")
    # Employees have a copy of their department's name, and are found by an index.
    status, _, answer = http(server, "/models/hr/patterns/home?e=e-6")
    assert (status, answer) == (200, {"documents": [{"id": "d-1", "name": "People"}]})
