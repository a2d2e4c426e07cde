"""PutItem, GetItem and DeleteItem: keys, return values, projections."""

import pytest

from attributes import item, plain, value
from expectations import CONDITION_FAILED, INVALID, NOT_FOUND, ONE_ERROR, OPV, cases, refused

SCHEMA_MISMATCH = "The provided key element does not match the schema"
EMPTY_KEY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {} value. Key: {}"
)


def get(client, table, **key):
    answer = client.get_item(TableName=table, Key=item(key), ConsistentRead=True)
    return plain(answer["Item"]) if "Item" in answer else None


# A6: GetItem.
def test_an_item_comes_back_as_it_was_put(client, tables):
    table = tables.make("pk:S,sk:N")
    stored = {"pk": "user#1", "sk": 7, "name": "Ada", "tags": {"x", "y"}, "address": {"city": "Paris", "lines": ["1", "2"]}}
    assert "Attributes" not in client.put_item(TableName=table, Item=item(stored))
    assert get(client, table, pk="user#1", sk=7) == stored
    assert get(client, table, pk="user#1", sk=8) is None
    assert "Item" not in client.get_item(TableName=table, Key=item(pk="user#2", sk=7))


def test_a_put_replaces_the_whole_item(client, tables):
    table = tables.make()
    client.put_item(TableName=table, Item=item(pk="a", old=1))
    client.put_item(TableName=table, Item=item(pk="a", new=2))
    assert get(client, table, pk="a") == {"pk": "a", "new": 2}


@cases("key_type, keys", [("S", ["a", "b", "é", "日本"]), ("N", [-1, 0, 1, 10]), ("B", [b"\x00", b"\x00\x00", b"\xff"])])
def test_keys_of_every_type_tell_items_apart(client, tables, key_type, keys):
    table = tables.make(f"pk:{key_type},sk:{key_type}")
    for pk in keys:
        for sk in keys:
            client.put_item(TableName=table, Item=item(pk=pk, sk=sk, is_=[pk, sk]))
    for pk in keys:
        for sk in keys:
            assert get(client, table, pk=pk, sk=sk) == {"pk": pk, "sk": sk, "is_": [pk, sk]}


def test_equal_numbers_are_one_key_however_they_are_written(client, tables):
    table = tables.make("pk:N")
    client.put_item(TableName=table, Item={"pk": {"N": "1.50"}, "v": {"S": "first"}})
    client.put_item(TableName=table, Item={"pk": {"N": "15e-1"}, "v": {"S": "second"}})
    assert client.scan(TableName=table)["Items"] == [{"pk": {"N": "1.5"}, "v": {"S": "second"}}]


def test_put_returns_the_old_item_if_asked(client, tables):
    table = tables.make()
    answer = client.put_item(TableName=table, Item=item(pk="a", v=1), ReturnValues="ALL_OLD")
    assert "Attributes" not in answer
    answer = client.put_item(TableName=table, Item=item(pk="a", v=2), ReturnValues="ALL_OLD")
    assert plain(answer["Attributes"]) == {"pk": "a", "v": 1}
    answer = client.put_item(TableName=table, Item=item(pk="a", v=3), ReturnValues="NONE")
    assert "Attributes" not in answer


def test_delete_returns_the_old_item_if_asked(client, tables):
    table = tables.make(items=[{"pk": "a", "v": 1}, {"pk": "b", "v": 2}])
    assert "Attributes" not in client.delete_item(TableName=table, Key=item(pk="a"))
    answer = client.delete_item(TableName=table, Key=item(pk="b"), ReturnValues="ALL_OLD")
    assert plain(answer["Attributes"]) == {"pk": "b", "v": 2}
    answer = client.delete_item(TableName=table, Key=item(pk="b"), ReturnValues="ALL_OLD")
    assert "Attributes" not in answer
    assert client.scan(TableName=table)["Count"] == 0


@pytest.mark.parametrize("return_values", ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
def test_put_and_delete_know_only_two_return_values(client, tables, return_values):
    table = tables.make()
    message = "ReturnValues can only be ALL_OLD or NONE"
    refused(INVALID, message, client.put_item, TableName=table, Item=item(pk="a"), ReturnValues=return_values)
    refused(INVALID, message, client.delete_item, TableName=table, Key=item(pk="a"), ReturnValues=return_values)


def test_delete_with_a_condition(client, tables):
    table = tables.make(items=[{"pk": "a", "v": 1}])
    condition = dict(ConditionExpression="v = :v", ExpressionAttributeValues=item({":v": 2}))
    refused(
        CONDITION_FAILED, "The conditional request failed", client.delete_item, TableName=table, Key=item(pk="a"), **condition
    )
    refused(CONDITION_FAILED, None, client.delete_item, TableName=table, Key=item(pk="absent"), **condition)
    condition["ExpressionAttributeValues"] = item({":v": 1})
    client.delete_item(TableName=table, Key=item(pk="a"), **condition)
    assert get(client, table, pk="a") is None


def test_errors_are_exceptions_of_their_class(client, tables):
    table = tables.make(items=[{"pk": "a"}])
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName=table, Item=item(pk="a"), ConditionExpression="attribute_not_exists(pk)")
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.get_item(TableName="no-such-table", Key=item(pk="a"))
    with pytest.raises(client.exceptions.ResourceInUseException):
        client.create_table(
            TableName=table,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )


# A2: a list or map (or anything but S, N and B of the declared type) cannot be a key.
@cases("bad_value, actual", [(1, "N"), (["a"], "L"), ({"a": "b"}, "M"), ({"a"}, "SS"), (True, "BOOL"), (None, "NULL")])
def test_a_key_must_have_its_type(client, tables, bad_value, actual):
    table = tables.make("pk:S,sk:S")
    message = f"{OPV}Type mismatch for key sk expected: S actual: {actual}"
    refused(INVALID, message, client.put_item, TableName=table, Item=item(pk="a", sk=bad_value))
    for operation in (client.get_item, client.delete_item, client.update_item):
        refused(INVALID, SCHEMA_MISMATCH, operation, TableName=table, Key=item(pk="a", sk=bad_value))


def test_a_key_must_be_whole_and_nothing_else(client, tables):
    table = tables.make("pk:S,sk:S")
    refused(INVALID, f"{OPV}Missing the key sk in the item", client.put_item, TableName=table, Item=item(pk="a"))
    refused(INVALID, f"{OPV}Missing the key pk in the item", client.put_item, TableName=table, Item=item(sk="a"))
    for operation in (client.get_item, client.delete_item, client.update_item):
        for key in (item(pk="a"), item(sk="a"), item(pk="a", sk="b", more="c"), item(pk="a", other="b"), {}):
            refused(INVALID, SCHEMA_MISMATCH, operation, TableName=table, Key=key)


@cases("key_type, empty, word", [("S", "", "string"), ("B", b"", "binary")])
def test_a_key_cannot_be_empty(client, tables, key_type, empty, word):
    table = tables.make(f"pk:{key_type},sk:{key_type}")
    other = "x" if key_type == "S" else b"x"
    for key, name in ((item(pk=empty, sk=other), "pk"), (item(pk=other, sk=empty), "sk")):
        refused(INVALID, EMPTY_KEY.format(word, name), client.put_item, TableName=table, Item=key)
        refused(INVALID, EMPTY_KEY.format(word, name), client.get_item, TableName=table, Key=key)


# A19: a sort key has at most 1024 bytes, a partition key 2048.
def test_keys_have_a_length_limit(client, tables):
    table = tables.make("pk:S,sk:S")
    longest = {"pk": "p" * 2048, "sk": "é" * 512}
    client.put_item(TableName=table, Item=item(longest))
    assert get(client, table, **longest) == longest
    too_long_pk = f"{OPV}Size of hashkey has exceeded the maximum size limit of2048 bytes"
    too_long_sk = f"{OPV}Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    for key, message in ((item(pk="p" * 2049, sk="s"), too_long_pk), (item(pk="p", sk="s" * 1025), too_long_sk)):
        refused(INVALID, message, client.put_item, TableName=table, Item=key)
        refused(INVALID, message, client.get_item, TableName=table, Key=key)
        refused(INVALID, message, client.delete_item, TableName=table, Key=key)


def test_a_missing_table_is_not_found(client, tables):
    name = tables.name()
    for operation, parameters in (
        (client.put_item, {"Item": item(pk="a")}),
        (client.get_item, {"Key": item(pk="a")}),
        (client.delete_item, {"Key": item(pk="a")}),
        (client.update_item, {"Key": item(pk="a")}),
        (client.scan, {}),
        (client.query, {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": value("a")}}),
    ):
        refused(NOT_FOUND, "Requested resource not found", operation, TableName=name, **parameters)


def test_a_table_can_be_named_by_its_arn(client, tables):
    table = tables.make(items=[{"pk": "a", "v": 1}])
    arn = client.describe_table(TableName=table)["Table"]["TableArn"]
    assert plain(client.get_item(TableName=arn, Key=item(pk="a"))["Item"]) == {"pk": "a", "v": 1}
    client.put_item(TableName=arn, Item=item(pk="b"))
    assert client.scan(TableName=arn, Select="COUNT")["Count"] == 2
    assert client.describe_table(TableName=arn)["Table"]["TableName"] == table


DOCUMENT = {
    "pk": "a",
    "plain": 1,
    "map": {"x": 1, "y": {"z": [10, 20, {"deep": "found"}]}, "dotted.name": "d"},
    "list": [0, [1, 2], {"in": "list"}],
    "size": "reserved",
}


@cases(
    "expression, names, expected",
    [
        ("plain", None, {"plain": 1}),
        ("pk, plain", None, {"pk": "a", "plain": 1}),
        ("#m.x", {"#m": "map"}, {"map": {"x": 1}}),
        ("#m.y.z[2].deep", {"#m": "map"}, {"map": {"y": {"z": [{"deep": "found"}]}}}),
        ("#m.#d", {"#m": "map", "#d": "dotted.name"}, {"map": {"dotted.name": "d"}}),
        ("#l[2], #l[0]", {"#l": "list"}, {"list": [0, {"in": "list"}]}),
        ("#l[1][1]", {"#l": "list"}, {"list": [[2]]}),
        ("#s", {"#s": "size"}, {"size": "reserved"}),
        ("#m.absent, #l[9], nothing", {"#m": "map", "#l": "list"}, {}),
        ("#m.x, #m.y.z[0]", {"#m": "map"}, {"map": {"x": 1, "y": {"z": [10]}}}),
    ],
)
def test_a_projection_picks_paths(client, tables, expression, names, expected):
    table = tables.make(items=[DOCUMENT])
    more = {"ExpressionAttributeNames": names} if names else {}
    answer = client.get_item(TableName=table, Key=item(pk="a"), ProjectionExpression=expression, **more)
    assert plain(answer["Item"]) == expected


@cases(
    "parameters, message",
    [
        ({"ProjectionExpression": ""}, "Invalid ProjectionExpression: The expression can not be empty;"),
        (
            {"ProjectionExpression": "size"},
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: size",
        ),
        (
            {"ProjectionExpression": "a, b.c, b"},
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [b, c], path two: [b]",
        ),
        (
            {"ProjectionExpression": "#a"},
            "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #a",
        ),
        (
            {"ProjectionExpression": "a", "ExpressionAttributeNames": {"#unused": "b"}},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
        (
            {"ExpressionAttributeNames": {"#a": "b"}},
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
    ],
)
def test_a_bad_projection_is_refused(client, tables, parameters, message):
    table = tables.make()
    refused(INVALID, message, client.get_item, TableName=table, Key=item(pk="a"), **parameters)


# A15: a strong read sees every write that was acknowledged before it.
def test_a_consistent_read_sees_the_last_write(client, tables):
    table = tables.make()
    for number in range(50):
        client.put_item(TableName=table, Item=item(pk="a", v=number))
        assert get(client, table, pk="a")["v"] == number


def test_a_table_name_is_checked(unchecked_client):
    get_item = unchecked_client.get_item
    key = item(pk="a")
    refused(
        INVALID, f"{ONE_ERROR}Value null at 'tableName' failed to satisfy constraint: Member must not be null", get_item, Key=key
    )
    refused(
        INVALID,
        f"{ONE_ERROR}Value 'bad table!' at 'tableName' failed to satisfy constraint: "
        "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        get_item,
        TableName="bad table!",
        Key=key,
    )


def test_several_constraint_errors_are_told_together(unchecked_client):
    answer = refused(
        INVALID,
        None,
        unchecked_client.put_item,
        TableName="t.any",
        Item=item(pk="a"),
        ReturnConsumedCapacity="SOME",
        ReturnItemCollectionMetrics="BIG",
        ReturnValues="BOTH",
    )
    message = answer["Error"]["Message"]
    assert message.startswith("3 validation errors detected: ")
    for part in (
        "Value 'SOME' at 'returnConsumedCapacity' failed to satisfy constraint: "
        "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
        "Value 'BIG' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]",
        "Value 'BOTH' at 'returnValues' failed to satisfy constraint: "
        "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
    ):
        assert part in message


# A2, A19: index keys have their type, cannot be empty, and have the limits of keys.
def test_index_keys_must_fit_their_index(client, tables):
    table = tables.make(global_indexes={"gsi": "g:S,h:N"}, items=[{"pk": "before"}])
    put = dict(TableName=table)
    for bad_value, actual in ((5, "N"), (["x"], "L"), ({"x": "y"}, "M"), (None, "NULL")):
        message = f"{OPV}Type mismatch for Index Key g Expected: S Actual: {actual} IndexName: gsi"
        refused(INVALID, message, client.put_item, Item=item(pk="a", g=bad_value), **put)
    message = (
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
        "The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi, IndexKey: g"
    )
    refused(INVALID, message, client.put_item, Item=item(pk="a", g=""), **put)
    assert [plain(attributes) for attributes in client.scan(TableName=table)["Items"]] == [{"pk": "before"}]


def test_index_keys_have_a_length_limit(client, tables):
    table = tables.make(global_indexes={"gsi": "g:S,r:S"})
    client.put_item(TableName=table, Item=item(pk="a", g="g" * 2048, r="r" * 1024))
    for name, size, size_max in (("g", 2049, 2048), ("r", 1025, 1024)):
        message = (
            f"{OPV}Size limit exceeded for Index Key {name} Actual Size: {size} bytes Max Size: {size_max} bytes IndexName: gsi"
        )
        refused(INVALID, message, client.put_item, TableName=table, Item=item({name: "x" * size}, pk="b"))
