"""BatchGetItem and BatchWriteItem."""

import re

import pytest

from attributes import item, plain
from expectations import INVALID, NOT_FOUND, constraint, refused

DUPLICATES = "Provided list of item keys contains duplicates"


def get_all(client, request_items):
    """Asks again for what is left, as every program must; also tells how many requests it took."""
    found, requests = {}, 0
    while request_items:
        answer = client.batch_get_item(RequestItems=request_items)
        for table, items in answer["Responses"].items():
            found.setdefault(table, []).extend(plain(attributes) for attributes in items)
        request_items = answer["UnprocessedKeys"]
        requests += 1
    return found, requests


def write_all(client, request_items):
    while request_items:
        request_items = client.batch_write_item(RequestItems=request_items)["UnprocessedItems"]


def put(**attributes):
    return {"PutRequest": {"Item": item(attributes)}}


def delete(**key):
    return {"DeleteRequest": {"Key": item(key)}}


# A18: BatchGetItem for the details of found ids, over several tables.
def test_many_items_of_several_tables_in_one_request(client, tables):
    users = tables.make(items=[{"pk": f"u{number}", "name": f"user {number}"} for number in range(60)])
    orders = tables.make("pk:S,sk:N", items=[{"pk": "o", "sk": number, "total": number} for number in range(60)])
    answer = client.batch_get_item(
        RequestItems={
            users: {"Keys": [item(pk=f"u{number}") for number in range(50)] + [item(pk="missing")]},
            orders: {"Keys": [item(pk="o", sk=number) for number in range(49)], "ConsistentRead": True},
        }
    )
    assert answer["UnprocessedKeys"] == {}
    assert sorted(plain(attributes)["name"] for attributes in answer["Responses"][users]) == sorted(
        f"user {n}" for n in range(50)
    )
    assert sorted(plain(attributes)["total"] for attributes in answer["Responses"][orders]) == list(range(49))


def test_a_table_without_finds_answers_with_an_empty_list(client, tables):
    table = tables.make()
    answer = client.batch_get_item(RequestItems={table: {"Keys": [item(pk="missing")]}})
    assert answer["Responses"] == {table: []}
    assert answer["UnprocessedKeys"] == {}


def test_projections_are_per_table(client, tables):
    first = tables.make(items=[{"pk": "a", "x": 1, "y": 2}])
    second = tables.make(items=[{"pk": "b", "size": {"w": 3, "h": 4}}])
    answer = client.batch_get_item(
        RequestItems={
            first: {"Keys": [item(pk="a")], "ProjectionExpression": "x"},
            second: {"Keys": [item(pk="b")], "ProjectionExpression": "#s.w", "ExpressionAttributeNames": {"#s": "size"}},
        }
    )
    assert plain(answer["Responses"][first][0]) == {"x": 1}
    assert plain(answer["Responses"][second][0]) == {"size": {"w": 3}}


# A18: at most 100 keys; beyond 16 MB the remaining keys come back to be asked for again.
def test_beyond_16_mb_keys_are_left_for_the_next_request(client, tables):
    table = tables.make(items=[{"pk": f"{number}", "data": "x" * 390_000} for number in range(60)])
    request = {
        table: {"Keys": [item(pk=f"{number}") for number in range(60)], "ProjectionExpression": "pk", "ConsistentRead": True}
    }
    first = client.batch_get_item(RequestItems=request)
    left = first["UnprocessedKeys"][table]
    assert 0 < len(first["Responses"][table]) < 60
    assert len(first["Responses"][table]) + len(left["Keys"]) == 60
    assert (left["ProjectionExpression"], left["ConsistentRead"]) == ("pk", True)
    found, requests = get_all(client, request)
    assert sorted(attributes["pk"] for attributes in found[table]) == sorted(f"{number}" for number in range(60))
    assert requests == 2


def test_batch_get_refuses(client, unchecked_client, tables):
    table = tables.make()
    refused(INVALID, "The requestItems parameter is required for BatchGetItem", unchecked_client.batch_get_item, RequestItems={})
    message = constraint(None, f"RequestItems.{table}.member.Keys", "have length less than or equal to 100")
    keys = [item(pk=f"{number}") for number in range(101)]
    refused(INVALID, message, unchecked_client.batch_get_item, RequestItems={table: {"Keys": keys}})
    refused(
        INVALID, DUPLICATES, client.batch_get_item, RequestItems={table: {"Keys": [item(pk="a"), item(pk="b"), item(pk="a")]}}
    )
    refused(
        NOT_FOUND,
        "Requested resource not found",
        client.batch_get_item,
        RequestItems={table: {"Keys": [item(pk="a")]}, tables.name(): {"Keys": [item(pk="a")]}},
    )
    message = "The provided key element does not match the schema"
    refused(INVALID, message, client.batch_get_item, RequestItems={table: {"Keys": [item(pk="a"), item(other="b")]}})


def test_puts_and_deletes_of_several_tables_in_one_request(client, tables):
    first = tables.make(items=[{"pk": "old"}])
    second = tables.make("pk:S,sk:N")
    answer = client.batch_write_item(
        RequestItems={
            first: [put(pk="new", v=1), delete(pk="old"), delete(pk="was never there")],
            second: [put(pk="a", sk=number) for number in range(22)],
        }
    )
    assert answer["UnprocessedItems"] == {}
    assert [plain(attributes) for attributes in client.scan(TableName=first)["Items"]] == [{"pk": "new", "v": 1}]
    assert client.scan(TableName=second)["Count"] == 22


def test_a_large_batch_is_written_with_retries(client, tables):
    table = tables.make()
    large = [put(pk=f"{number}", data="x" * 390_000) for number in range(25)]
    write_all(client, {table: large})
    assert sum(page["Count"] for page in client.get_paginator("scan").paginate(TableName=table)) == 25


def test_batch_write_refuses(client, unchecked_client, tables):
    table = tables.make("pk:S,sk:N")
    write = unchecked_client.batch_write_item
    refused(INVALID, "The requestItems parameter is required for BatchWriteItem", write, RequestItems={})
    answer = refused(INVALID, None, write, RequestItems={table: [put(pk="a", sk=number) for number in range(26)]})
    rule = (
        "Map value must satisfy constraint: "
        "[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"
    )
    assert re.fullmatch(
        rf"1 validation error detected: Value '\{{.+\}}' at 'requestItems' failed to satisfy constraint: {re.escape(rule)}",
        answer["Error"]["Message"],
        re.S,
    )
    refused(INVALID, None, write, RequestItems={table: []})
    refused(INVALID, DUPLICATES, write, RequestItems={table: [put(pk="a", sk=1), delete(pk="a", sk=1)]})
    refused(
        INVALID,
        "The provided key element does not match the schema",
        write,
        RequestItems={table: [put(pk="a", sk=1), delete(pk="a")]},
    )
    refused(INVALID, "The provided key element does not match the schema", write, RequestItems={table: [put(pk="a", sk="text")]})
    refused(
        NOT_FOUND, "Requested resource not found", write, RequestItems={table: [put(pk="a", sk=1)], tables.name(): [put(pk="a")]}
    )
    assert client.scan(TableName=table)["Count"] == 0, "a refused batch writes nothing"


def test_an_element_must_be_one_request(unchecked_client, tables):
    table = tables.make()
    for element in ({}, {**put(pk="a"), **delete(pk="a")}):
        refused(INVALID, None, unchecked_client.batch_write_item, RequestItems={table: [element]})


@pytest.mark.parametrize("name", ["bad name!", "x" * 256], ids=["bad", "long"])
def test_table_names_in_a_batch_are_checked(unchecked_client, name):
    refused(INVALID, None, unchecked_client.batch_get_item, RequestItems={name: {"Keys": [item(pk="a")]}})
    refused(INVALID, None, unchecked_client.batch_write_item, RequestItems={name: [put(pk="a")]})


@pytest.mark.parametrize("mode", ["TOTAL", "INDEXES"])
def test_batches_tell_their_capacity_by_table(client, tables, mode):
    first = tables.make(global_indexes={"gsi": ("g:S", "KEYS_ONLY")})
    second = tables.make()
    written = client.batch_write_item(
        RequestItems={first: [put(pk="a", g="x"), put(pk="b")], second: [put(pk="c", data="x" * 1500)]},
        ReturnConsumedCapacity=mode,
    )
    by_table = {entry["TableName"]: entry for entry in written["ConsumedCapacity"]}
    assert by_table[first]["CapacityUnits"] == 3
    assert by_table[second]["CapacityUnits"] == 2
    if mode == "INDEXES":
        assert by_table[first]["Table"] == {"CapacityUnits": 2}
        assert by_table[first]["GlobalSecondaryIndexes"] == {"gsi": {"CapacityUnits": 1}}
    read = client.batch_get_item(
        RequestItems={
            first: {"Keys": [item(pk="a"), item(pk="missing")], "ConsistentRead": True},
            second: {"Keys": [item(pk="c")]},
        },
        ReturnConsumedCapacity=mode,
    )
    by_table = {entry["TableName"]: entry["CapacityUnits"] for entry in read["ConsumedCapacity"]}
    assert by_table == {first: 2, second: 0.5}
