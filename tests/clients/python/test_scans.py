"""Scan: whole tables and indexes, filters, segments, pages."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from attributes import item, plain, plain_items
from expectations import INVALID, cases, constraint, eventually, refused

ITEMS = [{"pk": f"p{number % 10}", "sk": number, "kind": "even" if number % 2 == 0 else "odd"} for number in range(100)]


def keys(answer):
    return sorted((attributes["pk"], attributes["sk"]) for attributes in plain_items(answer))


ALL_KEYS = sorted((attributes["pk"], attributes["sk"]) for attributes in ITEMS)


def test_a_scan_reads_everything(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    answer = client.scan(TableName=table)
    assert keys(answer) == ALL_KEYS
    assert (answer["Count"], answer["ScannedCount"]) == (100, 100)
    assert "LastEvaluatedKey" not in answer


def test_a_scan_of_an_empty_table_is_empty(client, tables):
    answer = client.scan(TableName=tables.make())
    assert (answer["Items"], answer["Count"], answer["ScannedCount"]) == ([], 0, 0)


def test_a_scan_keeps_each_collection_together_and_in_order(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    partitions = {}
    order = []
    for attributes in plain_items(client.scan(TableName=table)):
        if attributes["pk"] not in partitions:
            order.append(attributes["pk"])
        partitions.setdefault(attributes["pk"], []).append(attributes["sk"])
        assert order[-1] == attributes["pk"]
    assert all(sort_keys == sorted(sort_keys) for sort_keys in partitions.values())


def test_a_scan_filters_and_counts(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    values = item({":kind": "odd", ":pk": "p1"})
    answer = client.scan(TableName=table, FilterExpression="kind = :kind AND pk = :pk", ExpressionAttributeValues=values)
    assert (answer["Count"], answer["ScannedCount"]) == (10, 100)
    assert all(attributes["pk"] == "p1" for attributes in plain_items(answer))
    counted = client.scan(
        TableName=table, FilterExpression="kind = :kind AND pk = :pk", ExpressionAttributeValues=values, Select="COUNT"
    )
    assert (counted["Count"], counted["ScannedCount"], "Items" in counted) == (10, 100, False)
    projected = client.scan(TableName=table, ProjectionExpression="kind, sk")
    assert all(set(attributes) == {"kind", "sk"} for attributes in projected["Items"])


@pytest.mark.parametrize("page_size", [1, 7, 100])
def test_pages_hold_each_item_once(client, tables, page_size):
    items = ITEMS[:20] if page_size == 1 else ITEMS
    table = tables.make("pk:S,sk:N", items=items)
    pages = list(client.get_paginator("scan").paginate(TableName=table, PaginationConfig={"PageSize": page_size}))
    seen = [(attributes["pk"], attributes["sk"]) for page in pages for attributes in plain_items(page)]
    assert sorted(seen) == sorted((attributes["pk"], attributes["sk"]) for attributes in items)
    assert all(page["Count"] <= page_size for page in pages)
    assert "LastEvaluatedKey" not in pages[-1]


def test_a_paginator_stops_and_resumes(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    paginator = client.get_paginator("scan")
    first = paginator.paginate(TableName=table, PaginationConfig={"MaxItems": 30, "PageSize": 20}).build_full_result()
    assert len(first["Items"]) == 30
    rest = paginator.paginate(TableName=table, PaginationConfig={"StartingToken": first["NextToken"]}).build_full_result()
    assert keys({"Items": first["Items"] + rest["Items"]}) == ALL_KEYS


def test_a_page_ends_at_a_megabyte(client, tables):
    table = tables.make(items=[{"pk": f"{number}", "data": "x" * 300_000} for number in range(10)])
    pages = list(client.get_paginator("scan").paginate(TableName=table))
    assert sum(page["Count"] for page in pages) == 10
    assert all(3 <= page["Count"] <= 4 for page in pages[:2])
    filtered = client.scan(TableName=table, FilterExpression="attribute_not_exists(pk)")
    assert filtered["Count"] == 0 and filtered["ScannedCount"] in (3, 4) and "LastEvaluatedKey" in filtered


def test_a_filtered_page_may_be_empty_and_yet_go_on(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    values = item({":sk": 1000})
    answer = client.scan(TableName=table, FilterExpression="sk = :sk", ExpressionAttributeValues=values, Limit=10)
    assert (answer["Items"], answer["ScannedCount"]) == ([], 10)
    assert set(answer["LastEvaluatedKey"]) == {"pk", "sk"}


@pytest.mark.parametrize("segments", [1, 2, 5, 16])
def test_segments_are_disjoint_and_complete(client, tables, segments):
    items = [{"pk": f"{number}"} for number in range(200)]
    table = tables.make(items=items)

    def read(segment):
        paginator = client.get_paginator("scan")
        pages = paginator.paginate(TableName=table, Segment=segment, TotalSegments=segments, PaginationConfig={"PageSize": 20})
        return [attributes["pk"]["S"] for page in pages for attributes in page["Items"]]

    with ThreadPoolExecutor(4) as pool:
        seen = [key for keys_of_segment in pool.map(read, range(segments)) for key in keys_of_segment]
    assert len(seen) == 200
    assert set(seen) == {attributes["pk"] for attributes in items}


@cases(
    "more, message",
    [
        (
            {"Segment": 0},
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
        ),
        (
            {"TotalSegments": 2},
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
        ),
        (
            {"Segment": 5, "TotalSegments": 5},
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            "Segment: 5 is not less than TotalSegments: 5",
        ),
        (
            {"Limit": 0},
            constraint("'0'", "limit", "have value greater than or equal to 1"),
        ),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        ({"FilterExpression": ""}, "Invalid FilterExpression: The expression can not be empty;"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(unchecked_client, tables, more, message):
    table = tables.make()
    refused(INVALID, message, unchecked_client.scan, TableName=table, **more)


# A9: a scan of an index sees only the items that hold its keys.
def test_a_scan_of_an_index_is_sparse_and_resumes(client, tables):
    items = [{"pk": f"{number}", **({"flag": "yes"} if number % 3 == 0 else {})} for number in range(60)]
    table = tables.make(items=items, global_indexes={"flagged": ("flag:S", "KEYS_ONLY")})
    eventually(lambda: client.scan(TableName=table, IndexName="flagged", Select="COUNT")["Count"] == 20)
    seen, start = [], {}
    while True:
        page = client.scan(TableName=table, IndexName="flagged", Limit=6, **start)
        seen += plain_items(page)
        if "LastEvaluatedKey" not in page:
            break
        assert set(page["LastEvaluatedKey"]) == {"pk", "flag"}
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert sorted(seen, key=lambda attributes: int(attributes["pk"])) == [
        {"pk": f"{number}", "flag": "yes"} for number in range(0, 60, 3)
    ]


def test_a_scan_of_a_local_index_reads_its_projection(client, tables):
    table = tables.make(
        "pk:S,sk:N",
        items=[{"pk": "a", "sk": 1, "rank": 3, "more": "x"}, {"pk": "a", "sk": 2}],
        local_indexes={"by_rank": ("pk:S,rank:N", "KEYS_ONLY")},
    )
    answer = client.scan(TableName=table, IndexName="by_rank", ConsistentRead=True)
    assert plain_items(answer) == [{"pk": "a", "sk": 1, "rank": 3}]


def test_a_start_key_must_fit(client, tables):
    table = tables.make("pk:S,sk:N")
    message = "The provided starting key is invalid: The provided key element does not match the schema"
    for start in (item(pk="a"), item(pk="a", sk="text"), item(pk="a", sk=1, more=2)):
        refused(INVALID, message, client.scan, TableName=table, ExclusiveStartKey=start)
    assert client.scan(TableName=table, ExclusiveStartKey=item(pk="need not", sk=1))["Count"] == 0


def test_writes_during_a_scan_disturb_no_other_item(client, tables):
    table = tables.make("pk:S,sk:N", items=ITEMS)
    page = client.scan(TableName=table, Limit=10)
    seen = plain_items(page)
    client.delete_item(TableName=table, Key=page["LastEvaluatedKey"])
    while "LastEvaluatedKey" in page:
        client.put_item(TableName=table, Item=item(pk="p0", sk=5000, kind="new"))
        page = client.scan(TableName=table, Limit=10, ExclusiveStartKey=page["LastEvaluatedKey"])
        seen += [attributes for attributes in plain_items(page) if attributes["sk"] != 5000]
    assert sorted((attributes["pk"], attributes["sk"]) for attributes in seen) == ALL_KEYS
    assert plain(client.get_item(TableName=table, Key=item(pk="p0", sk=5000))["Item"])["kind"] == "new"
