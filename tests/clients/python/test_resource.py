"""boto3's resource layer: Table objects, condition builders, batch writers, collections."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from declaration import declaration
from expectations import eventually


@pytest.fixture
def orders(resource, tables):
    """Orders of customers, with an index by status."""
    table = resource.Table(tables.make("customer:S,placed:S", global_indexes={"by_status": "state:S,placed:S"}))
    with table.batch_writer() as batch:
        for number in range(40):
            batch.put_item(
                Item={
                    "customer": f"c{number % 4}",
                    "placed": f"2026-01-{number + 1:02}",
                    "state": "open" if number % 8 == 0 else "shipped",
                    "total": Decimal(number) * Decimal("1.5"),
                    "parts": [{"sku": f"s{number}", "quantity": number}],
                    "labels": {"gift", f"n{number}"},
                }
            )
    return table


def test_a_table_is_made_and_removed_as_an_object(resource, tables):
    name = tables.name()
    table = resource.create_table(**declaration(name))
    assert table.name == name
    table.meta.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    table.reload()
    assert table.table_status == "ACTIVE"
    assert table.key_schema == [{"AttributeName": "pk", "KeyType": "HASH"}]
    assert table.item_count == 0
    assert name in [listed.name for listed in resource.tables.all()]
    table.delete()
    table.meta.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    assert name not in [listed.name for listed in resource.tables.all()]


def test_items_are_python_values(resource, tables):
    table = resource.Table(tables.make())
    stored = {
        "pk": "a",
        "whole": 5,
        "exact": Decimal("0.12345678901234567890123456789012345678"),
        "bytes": Binary(b"\x00\xff"),
        "flag": True,
        "nothing": None,
        "list": [1, "two", {"three": Decimal("3.3")}],
        "map": {"nested": {"deep": [True, None]}},
        "words": {"x", "y"},
        "numbers": {Decimal(1), Decimal("2.5")},
        "blobs": {Binary(b"a"), Binary(b"b")},
        "empty": "",
    }
    table.put_item(Item=stored)
    assert table.get_item(Key={"pk": "a"})["Item"] == stored
    assert "Item" not in table.get_item(Key={"pk": "b"})


def test_key_conditions_are_built(orders):
    query = lambda condition, **more: [
        order["placed"][-2:] for order in orders.query(KeyConditionExpression=condition, **more)["Items"]
    ]
    c1 = Key("customer").eq("c1")
    assert query(c1) == ["02", "06", "10", "14", "18", "22", "26", "30", "34", "38"]
    assert query(c1 & Key("placed").between("2026-01-10", "2026-01-18")) == ["10", "14", "18"]
    assert query(c1 & Key("placed").begins_with("2026-01-3")) == ["30", "34", "38"]
    assert query(c1 & Key("placed").lt("2026-01-10")) == ["02", "06"]
    assert query(c1 & Key("placed").gte("2026-01-34"), ScanIndexForward=False) == ["38", "34"]


def test_filters_are_built(orders):
    def scan(condition):
        return sorted(int(order["placed"][-2:]) for order in orders.scan(FilterExpression=condition)["Items"])

    assert scan(Attr("total").lt(3)) == [1, 2]
    assert scan(Attr("labels").contains("n5")) == [6]
    assert scan(Attr("parts[0].quantity").eq(7)) == [8]
    assert scan(Attr("state").eq("open") & ~Attr("customer").eq("c0")) == []
    assert scan(Attr("placed").is_in(["2026-01-03", "2026-01-05"])) == [3, 5]
    assert scan(
        Attr("absent").not_exists() & Attr("labels").size().eq(2) & Attr("total").attribute_type("N") & Attr("total").lte(1)
    ) == [1]
    assert scan(Attr("total").ne(0) & (Attr("total").lt(2) | Attr("total").gt(58))) == [2, 40]


def test_an_index_is_queried(orders):
    read = lambda: orders.query(IndexName="by_status", KeyConditionExpression=Key("state").eq("open"))
    eventually(lambda: read()["Count"] == 5)
    assert [order["placed"][-2:] for order in read()["Items"]] == ["01", "09", "17", "25", "33"]


def test_updates_and_conditions(orders, resource):
    key = {"customer": "c1", "placed": "2026-01-02"}
    answer = orders.update_item(
        Key=key,
        UpdateExpression="SET #t = #t + :more, parts = list_append(parts, :part)",
        ConditionExpression=Attr("state").eq("shipped"),
        ExpressionAttributeNames={"#t": "total"},
        ExpressionAttributeValues={":more": Decimal("0.25"), ":part": [{"sku": "extra", "quantity": 1}]},
        ReturnValues="UPDATED_NEW",
    )
    assert answer["Attributes"]["total"] == Decimal("1.75")
    assert answer["Attributes"]["parts"][1] == {"sku": "extra", "quantity": 1}
    with pytest.raises(resource.meta.client.exceptions.ConditionalCheckFailedException):
        orders.delete_item(Key=key, ConditionExpression=Attr("state").eq("open"))
    orders.delete_item(Key=key, ConditionExpression=Attr("total").between(1, 2))
    assert "Item" not in orders.get_item(Key=key)


def test_a_batch_writer_writes_any_number_and_the_last_of_a_key(resource, tables):
    table = resource.Table(tables.make("pk:S,sk:N"))
    with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
        for number in range(120):
            batch.put_item(Item={"pk": "a", "sk": number % 100, "round": number // 100})
        batch.delete_item(Key={"pk": "a", "sk": 99})
    stored = table.query(KeyConditionExpression=Key("pk").eq("a"))["Items"]
    assert [item["sk"] for item in stored] == list(range(99))
    assert [item["round"] for item in stored] == [1] * 20 + [0] * 79


def test_resource_batches(resource, orders):
    keys = [{"customer": f"c{number % 4}", "placed": f"2026-01-{number + 1:02}"} for number in range(10)]
    answer = resource.batch_get_item(RequestItems={orders.name: {"Keys": keys}})
    assert sorted(item["placed"] for item in answer["Responses"][orders.name]) == sorted(key["placed"] for key in keys)
    resource.batch_write_item(RequestItems={orders.name: [{"DeleteRequest": {"Key": key}} for key in keys]})
    assert orders.scan(Select="COUNT")["Count"] == 30


# A17: paging by hand, as most programs do it.
def test_pages_are_followed_by_hand(orders):
    seen, more = [], {}
    while True:
        page = orders.scan(Limit=7, **more)
        seen += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert len({order["placed"] for order in seen}) == len(seen) == 40
