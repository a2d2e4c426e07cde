"""ReturnConsumedCapacity and ReturnItemCollectionMetrics of single requests."""

import pytest

from attributes import item
from expectations import cases, eventually

KEYS = dict(pk="a", sk="b")


def text(size):
    return "x" * size


def consumed(answer):
    return answer["ConsumedCapacity"]


# A12: every index's extra write load is metered.
def test_indexes_are_metered_beside_the_table(client, tables):
    table = tables.make(
        "pk:S,sk:S",
        local_indexes={"lsi": ("pk:S,l:S", "KEYS_ONLY")},
        global_indexes={"gsi": ("g:S", "KEYS_ONLY"), "unused": "u:S"},
    )
    answer = client.put_item(TableName=table, Item=item(KEYS, l="l", g="g"), ReturnConsumedCapacity="INDEXES")
    assert consumed(answer) == {
        "TableName": table,
        "CapacityUnits": 3.0,
        "Table": {"CapacityUnits": 1.0},
        "LocalSecondaryIndexes": {"lsi": {"CapacityUnits": 1.0}},
        "GlobalSecondaryIndexes": {"gsi": {"CapacityUnits": 1.0}},
    }


# A12: an index costs what changes in it.
@cases(
    "what, change, table_units, index_units",
    [
        ("index key moved", {"g": "other"}, 4, 2),
        ("entry unchanged", {"g": "g"}, 4, None),
        ("index key removed", {}, 4, 1),
    ],
)
def test_an_index_costs_what_changes_in_it(client, tables, what, change, table_units, index_units):
    table = tables.make(items=[{"pk": "a", "g": "g", "data": text(3500)}], global_indexes={"gsi": ("g:S", "KEYS_ONLY")})
    answer = client.put_item(TableName=table, Item=item(pk="a", data=text(500), **change), ReturnConsumedCapacity="INDEXES")
    expected = {
        "TableName": table,
        "CapacityUnits": float(table_units + (index_units or 0)),
        "Table": {"CapacityUnits": float(table_units)},
    }
    if index_units:
        expected["GlobalSecondaryIndexes"] = {"gsi": {"CapacityUnits": float(index_units)}}
    assert consumed(answer) == expected


def test_total_is_one_number_and_none_is_nothing(client, tables):
    table = tables.make(global_indexes={"gsi": "g:S"})
    put = dict(TableName=table, Item=item(pk="a", g="g"))
    assert consumed(client.put_item(ReturnConsumedCapacity="TOTAL", **put)) == {"TableName": table, "CapacityUnits": 2.0}
    assert "ConsumedCapacity" not in client.put_item(ReturnConsumedCapacity="NONE", **put)
    assert "ConsumedCapacity" not in client.put_item(**put)


# An item of `size` bytes: pk (2) + a (1) + data (4) + text.
@cases("size, read, write", [(100, 1, 1), (1024, 1, 1), (1025, 1, 2), (4096, 1, 4), (4097, 2, 5), (40960, 10, 40)])
def test_units_follow_the_size_of_the_item(client, tables, size, read, write):
    table = tables.make()
    total = dict(TableName=table, ReturnConsumedCapacity="TOTAL")
    stored = item(pk="a", data=text(size - 7))
    assert consumed(client.put_item(Item=stored, **total))["CapacityUnits"] == write
    assert consumed(client.get_item(Key=item(pk="a"), ConsistentRead=True, **total))["CapacityUnits"] == read
    assert consumed(client.get_item(Key=item(pk="a"), **total))["CapacityUnits"] == read / 2
    assert consumed(client.scan(**total))["CapacityUnits"] == read / 2
    update = dict(UpdateExpression="SET #d = #d", ExpressionAttributeNames={"#d": "data"})
    assert consumed(client.update_item(Key=item(pk="a"), **update, **total))["CapacityUnits"] == write
    assert consumed(client.delete_item(Key=item(pk="a"), **total))["CapacityUnits"] == write


def test_what_is_not_there_costs_one_unit(client, tables):
    table = tables.make("pk:S,sk:S")
    total = dict(TableName=table, ReturnConsumedCapacity="TOTAL")
    assert consumed(client.get_item(Key=item(KEYS), ConsistentRead=True, **total))["CapacityUnits"] == 1
    assert consumed(client.get_item(Key=item(KEYS), **total))["CapacityUnits"] == 0.5
    assert consumed(client.delete_item(Key=item(KEYS), **total))["CapacityUnits"] == 1
    query = dict(KeyConditionExpression="pk = :p", ExpressionAttributeValues=item({":p": "a"}))
    assert consumed(client.query(**query, **total))["CapacityUnits"] == 0.5
    assert consumed(client.query(ConsistentRead=True, **query, **total))["CapacityUnits"] == 1


def test_a_query_sums_before_it_rounds_and_before_it_filters(client, tables):
    table = tables.make("pk:S,sk:N", items=[{"pk": "a", "sk": number, "data": text(1000)} for number in range(20)])
    query = dict(TableName=table, KeyConditionExpression="pk = :p", ReturnConsumedCapacity="TOTAL")
    values = item({":p": "a"})
    # 20 items of 1011 or 1012 bytes are 20.2 KB: 5 units of 4 KB.
    assert consumed(client.query(ExpressionAttributeValues=values, ConsistentRead=True, **query))["CapacityUnits"] == 5
    assert consumed(client.query(ExpressionAttributeValues=values, **query))["CapacityUnits"] == 2.5
    assert consumed(client.query(ExpressionAttributeValues=values, Select="COUNT", **query))["CapacityUnits"] == 2.5
    filtered = dict(
        FilterExpression="#d = :d",
        ExpressionAttributeNames={"#d": "data"},
        ExpressionAttributeValues=item({":p": "a", ":d": "no"}),
    )
    assert consumed(client.query(**filtered, **query))["CapacityUnits"] == 2.5
    assert consumed(client.query(ExpressionAttributeValues=values, ProjectionExpression="sk", **query))["CapacityUnits"] == 2.5


def test_an_index_read_is_charged_to_the_index(client, tables):
    items = [{"pk": "p", "sk": f"{number}", "g": "g", "l": f"{number}", "data": "small"} for number in range(3)]
    table = tables.make("pk:S,sk:S", items=items, local_indexes={"lsi": ("pk:S,l:S", "KEYS_ONLY")}, global_indexes={"gsi": "g:S"})
    in_gsi = dict(TableName=table, IndexName="gsi", KeyConditionExpression="g = :g", ExpressionAttributeValues=item({":g": "g"}))
    eventually(lambda: client.query(**in_gsi)["Count"] == 3)
    assert consumed(client.query(ReturnConsumedCapacity="INDEXES", **in_gsi)) == {
        "TableName": table,
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"gsi": {"CapacityUnits": 0.5}},
    }
    in_lsi = dict(TableName=table, IndexName="lsi", KeyConditionExpression="pk = :p", ExpressionAttributeValues=item({":p": "p"}))
    # Each row that the index does not hold whole is fetched from the table, by itself.
    assert consumed(client.query(ReturnConsumedCapacity="INDEXES", Select="ALL_ATTRIBUTES", **in_lsi)) == {
        "TableName": table,
        "CapacityUnits": 2.0,
        "Table": {"CapacityUnits": 1.5},
        "LocalSecondaryIndexes": {"lsi": {"CapacityUnits": 0.5}},
    }


# A20: the size of an item collection is told where a table has a local index.
@pytest.mark.parametrize("operation", ["put", "update", "delete"])
def test_item_collections_are_measured(client, tables, operation):
    table = tables.make("pk:S,sk:S", items=[{"pk": "a", "sk": "b"}], local_indexes={"lsi": "pk:S,l:S"})
    size = dict(TableName=table, ReturnItemCollectionMetrics="SIZE")
    calls = {
        "put": lambda: client.put_item(Item=item(KEYS), **size),
        "update": lambda: client.update_item(Key=item(KEYS), **size),
        "delete": lambda: client.delete_item(Key=item(KEYS), **size),
    }
    answer = calls[operation]()
    assert answer["ItemCollectionMetrics"] == {"ItemCollectionKey": item(pk="a"), "SizeEstimateRangeGB": [0.0, 1.0]}


def test_without_a_local_index_there_is_no_collection_to_measure(client, tables):
    table = tables.make("pk:S,sk:S")
    answer = client.put_item(TableName=table, Item=item(KEYS), ReturnItemCollectionMetrics="SIZE")
    assert "ItemCollectionMetrics" not in answer


def test_batches_measure_each_collection_once(client, tables):
    table = tables.make("pk:S,sk:S", local_indexes={"lsi": "pk:S,l:S"})
    puts = [{"PutRequest": {"Item": item(pk=f"{number % 2}", sk=f"{number}")}} for number in range(6)]
    answer = client.batch_write_item(RequestItems={table: puts}, ReturnItemCollectionMetrics="SIZE")
    metrics = answer["ItemCollectionMetrics"][table]
    assert sorted(entry["ItemCollectionKey"]["pk"]["S"] for entry in metrics) == ["0", "1"]
