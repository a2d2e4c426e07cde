"""TransactWriteItems and TransactGetItems."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError

from attributes import item, plain
from expectations import CANCELED, INVALID, NOT_FOUND, OPV, cases, constraint, refused


def put(table, condition=None, **attributes):
    action = {"TableName": table, "Item": item(attributes)}
    if condition:
        action["ConditionExpression"] = condition
    return {"Put": action}


def update(table, key, expression, values=None, **more):
    action = {"TableName": table, "Key": item(key), "UpdateExpression": expression, **more}
    if values:
        action["ExpressionAttributeValues"] = item(values)
    return {"Update": action}


def delete(table, **key):
    return {"Delete": {"TableName": table, "Key": item(key)}}


def check(table, key, condition, values=None, **more):
    action = {"TableName": table, "Key": item(key), "ConditionExpression": condition, **more}
    if values:
        action["ExpressionAttributeValues"] = item(values)
    return {"ConditionCheck": action}


def stored(client, table):
    items = [plain(attributes) for attributes in client.scan(TableName=table, ConsistentRead=True)["Items"]]
    return sorted(items, key=lambda attributes: (attributes["pk"], attributes.get("sk")))


def canceled(client, *actions):
    """The reasons, after making sure that the message tells them too."""
    answer = refused(CANCELED, None, client.transact_write_items, TransactItems=list(actions))
    reasons = answer["CancellationReasons"]
    codes = ", ".join(reason["Code"] for reason in reasons)
    assert (
        answer["Error"]["Message"] == f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    )
    assert len(reasons) == len(actions)
    return reasons


NONE = {"Code": "None"}
CONDITION = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}


# A14: several updates in one collection all succeed.
def test_all_kinds_of_action_happen_together(client, tables):
    table = tables.make(
        "pk:S,sk:S", items=[{"pk": "user_123", "sk": sk, "v": 1} for sk in ("address", "old", "profile", "untouched")]
    )
    other = tables.make()
    client.transact_write_items(
        TransactItems=[
            update(table, {"pk": "user_123", "sk": "profile"}, "SET v = v + :one", {":one": 1}, ConditionExpression="v = :one"),
            put(table, pk="user_123", sk="order", total=5),
            delete(table, pk="user_123", sk="old"),
            check(table, {"pk": "user_123", "sk": "untouched"}, "attribute_exists(pk)"),
            update(table, {"pk": "user_123", "sk": "address"}, "REMOVE v"),
            put(other, "attribute_not_exists(pk)", pk="also here"),
        ]
    )
    assert stored(client, table) == [
        {"pk": "user_123", "sk": "address"},
        {"pk": "user_123", "sk": "order", "total": 5},
        {"pk": "user_123", "sk": "profile", "v": 2},
        {"pk": "user_123", "sk": "untouched", "v": 1},
    ]
    assert stored(client, other) == [{"pk": "also here"}]


# A14: or all fail, and every failed condition is told.
def test_one_failed_condition_leaves_everything_as_it_was(client, tables):
    table = tables.make(items=[{"pk": "a", "v": 1}, {"pk": "b", "v": 1}])
    before = stored(client, table)
    reasons = canceled(
        client,
        put(table, pk="new"),
        update(table, {"pk": "a"}, "SET v = :two", {":two": 2, ":nine": 9}, ConditionExpression="v = :nine"),
        delete(table, pk="b"),
        check(table, {"pk": "absent"}, "attribute_exists(pk)"),
    )
    assert reasons == [NONE, CONDITION, NONE, CONDITION]
    assert stored(client, table) == before


def test_the_item_that_failed_is_told_if_asked(client, tables):
    table = tables.make(items=[{"pk": "a", "v": 1}])
    all_old = dict(ReturnValuesOnConditionCheckFailure="ALL_OLD")
    reasons = canceled(
        client,
        update(table, {"pk": "a"}, "SET v = :v", {":v": 2}, ConditionExpression="v = :v", **all_old),
        check(table, {"pk": "absent"}, "attribute_exists(pk)", **all_old),
    )
    assert reasons == [{**CONDITION, "Item": item(pk="a", v=1)}, CONDITION]


def test_the_exception_has_its_class_and_reasons(client, tables):
    table = tables.make(items=[{"pk": "a"}])
    with pytest.raises(client.exceptions.TransactionCanceledException) as caught:
        client.transact_write_items(TransactItems=[put(table, "attribute_not_exists(pk)", pk="a")])
    assert caught.value.response["CancellationReasons"] == [CONDITION]


@cases(
    "message, make_action",
    [
        ("The provided key element does not match the schema", lambda table: delete(table, other="x")),
        (f"{OPV}Missing the key pk in the item", lambda table: put(table, other="x")),
        (f"{OPV}Type mismatch for key pk expected: S actual: N", lambda table: put(table, pk=1)),
        (
            "An operand in the update expression has an incorrect data type",
            lambda table: update(table, {"pk": "a"}, "SET v = s + :one", {":one": 1}),
        ),
        (f"{OPV}Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi", lambda table: put(table, pk="b", g=1)),
    ],
)
def test_an_action_that_cannot_be_done_is_a_validation_error_of_the_transaction(client, tables, message, make_action):
    table = tables.make(items=[{"pk": "a", "s": "text"}], global_indexes={"gsi": "g:S"})
    reasons = canceled(client, put(table, pk="fine"), make_action(table))
    assert reasons == [NONE, {"Code": "ValidationError", "Message": message}]
    assert stored(client, table) == [{"pk": "a", "s": "text"}]


def test_a_transaction_that_makes_no_sense_is_refused(client, unchecked_client, tables):
    table = tables.make()
    write = unchecked_client.transact_write_items
    message = constraint("'[]'", "transactItems", "have length greater than or equal to 1")
    refused(INVALID, message, write, TransactItems=[])
    answer = refused(INVALID, None, write, TransactItems=[put(table, pk=f"{number}") for number in range(101)])
    assert answer["Error"]["Message"].endswith(
        "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
    )
    message = "Transaction request cannot include multiple operations on one item"
    refused(INVALID, message, write, TransactItems=[put(table, pk="a"), delete(table, pk="a")])
    refused(INVALID, message, write, TransactItems=[check(table, {"pk": "a"}, "attribute_exists(pk)"), put(table, pk="a")])
    refused(INVALID, None, write, TransactItems=[{**put(table, pk="a"), **delete(table, pk="b")}])
    refused(INVALID, None, write, TransactItems=[{}])
    refused(NOT_FOUND, "Requested resource not found", write, TransactItems=[put(table, pk="a"), put(tables.name(), pk="a")])
    refused(
        INVALID,
        "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: name",
        write,
        TransactItems=[put(table, "attribute_exists(name)", pk="a")],
    )
    assert stored(client, table) == []


def test_a_hundred_actions_and_no_more_than_4_mb(client, tables):
    table = tables.make("pk:S,sk:N")
    client.transact_write_items(TransactItems=[put(table, pk="a", sk=number) for number in range(100)])
    assert client.scan(TableName=table)["Count"] == 100
    large = [put(table, pk="large", sk=number, data="x" * 390_000) for number in range(11)]
    refused(INVALID, None, client.transact_write_items, TransactItems=large)
    client.transact_write_items(TransactItems=large[:10])


def test_a_token_makes_a_transaction_happen_once(client, tables):
    table = tables.make(items=[{"pk": "a", "n": 0}])
    add = update(table, {"pk": "a"}, "ADD n :one", {":one": 1})
    token = uuid.uuid4().hex
    for _ in range(3):
        client.transact_write_items(TransactItems=[add], ClientRequestToken=token)
    assert stored(client, table) == [{"pk": "a", "n": 1}]
    other = update(table, {"pk": "a"}, "ADD n :two", {":two": 2})
    refused(
        "IdempotentParameterMismatchException", None, client.transact_write_items, TransactItems=[other], ClientRequestToken=token
    )
    client.transact_write_items(TransactItems=[other], ClientRequestToken=uuid.uuid4().hex)
    assert stored(client, table) == [{"pk": "a", "n": 3}]


def test_a_token_repeated_costs_a_read(client, tables):
    table = tables.make()
    token = uuid.uuid4().hex
    request = dict(TransactItems=[put(table, pk="a", data="x" * 1500)], ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    first = client.transact_write_items(**request)["ConsumedCapacity"]
    assert first == [{"TableName": table, "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}]
    again = client.transact_write_items(**request)["ConsumedCapacity"]
    assert again == [{"TableName": table, "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}]


def test_transactions_cost_the_table_double(client, tables):
    table = tables.make(global_indexes={"gsi": ("g:S", "KEYS_ONLY")})
    answer = client.transact_write_items(
        TransactItems=[put(table, pk="a", g="x", data="x" * 1100), put(table, pk="b")], ReturnConsumedCapacity="INDEXES"
    )
    assert answer["ConsumedCapacity"] == [
        {
            "TableName": table,
            "CapacityUnits": 7.0,
            "WriteCapacityUnits": 7.0,
            "Table": {"CapacityUnits": 6.0, "WriteCapacityUnits": 6.0},
            "GlobalSecondaryIndexes": {"gsi": {"CapacityUnits": 1.0, "WriteCapacityUnits": 1.0}},
        }
    ]
    answer = client.transact_get_items(
        TransactItems=[{"Get": {"TableName": table, "Key": item(pk="a")}}], ReturnConsumedCapacity="TOTAL"
    )
    assert answer["ConsumedCapacity"] == [{"TableName": table, "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}]


def test_transactions_measure_item_collections(client, tables):
    table = tables.make("pk:S,sk:S", local_indexes={"lsi": "pk:S,v:S"})
    answer = client.transact_write_items(
        TransactItems=[put(table, pk="a", sk="1"), put(table, pk="a", sk="2")], ReturnItemCollectionMetrics="SIZE"
    )
    assert answer["ItemCollectionMetrics"] == {table: [{"ItemCollectionKey": item(pk="a"), "SizeEstimateRangeGB": [0.0, 1.0]}]}


def test_several_items_are_read_at_one_moment(client, tables):
    first = tables.make(items=[{"pk": "a", "v": 1, "w": 2}])
    second = tables.make("pk:S,sk:N", items=[{"pk": "b", "sk": 1}])
    answer = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": second, "Key": item(pk="b", sk=1)}},
            {"Get": {"TableName": first, "Key": item(pk="missing")}},
            {
                "Get": {
                    "TableName": first,
                    "Key": item(pk="a"),
                    "ProjectionExpression": "#w",
                    "ExpressionAttributeNames": {"#w": "w"},
                }
            },
        ]
    )
    assert answer["Responses"] == [{"Item": item(pk="b", sk=1)}, {}, {"Item": item(w=2)}]


def test_transact_get_refuses(client, tables):
    table = tables.make()
    get = lambda **key: {"Get": {"TableName": table, "Key": item(key)}}
    answer = refused(CANCELED, None, client.transact_get_items, TransactItems=[get(pk="a"), get(other="b")])
    message = "The provided key element does not match the schema"
    assert answer["CancellationReasons"] == [NONE, {"Code": "ValidationError", "Message": message}]
    message = "Transaction request cannot include multiple operations on one item"
    refused(INVALID, message, client.transact_get_items, TransactItems=[get(pk="a"), get(pk="a")])
    missing = {"Get": {"TableName": tables.name(), "Key": item(pk="a")}}
    refused(NOT_FOUND, "Requested resource not found", client.transact_get_items, TransactItems=[missing])


# A14: money moved by many writers at once is neither made nor lost, and no reader sees it half moved.
def test_concurrent_transfers_keep_the_sum(client, tables):
    accounts = [f"account {number}" for number in range(4)]
    table = tables.make(items=[{"pk": account, "balance": 100} for account in accounts])

    def transfer(number):
        source, target = accounts[number % 4], accounts[(number + 1 + number % 3) % 4]
        try:
            client.transact_write_items(
                TransactItems=[
                    update(
                        table,
                        {"pk": source},
                        "ADD balance :minus",
                        {":minus": -7, ":seven": 7},
                        ConditionExpression="balance >= :seven",
                    ),
                    update(table, {"pk": target}, "ADD balance :plus", {":plus": 7}),
                ]
            )
        except ClientError as error:
            codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
            assert codes <= {"None", "ConditionalCheckFailed", "TransactionConflict"}

    def total(_):
        try:
            answer = client.transact_get_items(
                TransactItems=[{"Get": {"TableName": table, "Key": item(pk=account)}} for account in accounts]
            )
        except ClientError as error:
            assert {reason["Code"] for reason in error.response["CancellationReasons"]} <= {"None", "TransactionConflict"}
            return 400
        return sum(plain(response["Item"])["balance"] for response in answer["Responses"])

    with ThreadPoolExecutor(12) as pool:
        transfers = pool.map(transfer, range(120))
        totals = list(pool.map(total, range(60)))
        list(transfers)
    assert set(totals) == {400}
    assert sum(attributes["balance"] for attributes in stored(client, table)) == 400
