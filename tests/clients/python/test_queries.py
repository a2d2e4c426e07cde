"""Query: item collections, key conditions, indexes, filters, pages."""

from decimal import Decimal

import pytest

from attributes import item, plain, plain_items
from expectations import INVALID, ONE_ERROR, OPV, cases, constraint, eventually, refused


def query(client, table, condition, values, **more):
    return client.query(TableName=table, KeyConditionExpression=condition, ExpressionAttributeValues=item(values), **more)


def sort_keys(answer, name="sk"):
    return [plain(attributes)[name] for attributes in answer["Items"]]


# A5: generic PK and SK hold several entity types.
ORGANISATION = [
    {"PK": "ORG#acme", "SK": "METADATA#acme", "type": "org", "tier": "pro"},
    {"PK": "ORG#acme", "SK": "USER#alice", "type": "user", "GSI1PK": "USER#alice", "GSI1SK": "ORG#acme", "role": "owner"},
    {"PK": "ORG#acme", "SK": "USER#bob", "type": "user", "GSI1PK": "USER#bob", "GSI1SK": "ORG#acme", "role": "member"},
    {"PK": "ORG#acme", "SK": "TICKET#001", "type": "ticket", "title": "first"},
    {"PK": "ORG#acme", "SK": "TICKET#002", "type": "ticket", "title": "second"},
    {"PK": "ORG#bolt", "SK": "METADATA#bolt", "type": "org", "tier": "free"},
    {"PK": "ORG#bolt", "SK": "USER#alice", "type": "user", "GSI1PK": "USER#alice", "GSI1SK": "ORG#bolt", "role": "member"},
]
ORGANISATION_TABLE = dict(key="PK:S,SK:S", items=ORGANISATION)


# A4: all items of a partition key, in sort-key order, from one Query.
def test_an_item_collection_comes_from_one_query_in_order(client, tables):
    table = tables.make(**ORGANISATION_TABLE)
    answer = query(client, table, "PK = :pk", {":pk": "ORG#acme"})
    assert sort_keys(answer, "SK") == ["METADATA#acme", "TICKET#001", "TICKET#002", "USER#alice", "USER#bob"]
    assert (answer["Count"], answer["ScannedCount"]) == (5, 5)
    assert "LastEvaluatedKey" not in answer
    backwards = query(client, table, "PK = :pk", {":pk": "ORG#acme"}, ScanIndexForward=False)
    assert backwards["Items"] == answer["Items"][::-1]
    nothing = query(client, table, "PK = :pk", {":pk": "ORG#none"})
    assert (nothing["Items"], nothing["Count"]) == ([], 0)


# A4: numbers sort by value, binaries by unsigned byte, strings by UTF-8 byte.
@cases(
    "key_type, in_order",
    [
        ("N", [-(10**20), -10, -9, -1.5, 0, 0.5, 2, 10, 10**20]),
        ("S", ["A", "B", "Z", "a", "aa", "b", "é", "日"]),
        ("B", [b"\x00", b"\x00\x01", b"\x01", b"\x7f", b"\x80", b"\xff"]),
    ],
)
def test_sort_keys_have_the_order_of_their_type(client, tables, key_type, in_order):
    keys = [Decimal(str(key)) if key_type == "N" else key for key in in_order]
    table = tables.make(f"pk:S,sk:{key_type}", items=[{"pk": "a", "sk": key} for key in reversed(keys)])
    assert sort_keys(query(client, table, "pk = :pk", {":pk": "a"})) == keys


# A6: =, begins_with, BETWEEN, <, <=, >, >=.
@cases(
    "condition, values, expected",
    [
        ("SK = :a", {":a": "USER#bob"}, ["USER#bob"]),
        ("begins_with(SK, :a)", {":a": "USER#"}, ["USER#alice", "USER#bob"]),
        ("begins_with(SK, :a)", {":a": "NONE#"}, []),
        ("SK BETWEEN :a AND :b", {":a": "TICKET#002", ":b": "USER#alice"}, ["TICKET#002", "USER#alice"]),
        ("SK < :a", {":a": "TICKET#002"}, ["METADATA#acme", "TICKET#001"]),
        ("SK <= :a", {":a": "TICKET#001"}, ["METADATA#acme", "TICKET#001"]),
        ("SK > :a", {":a": "USER#alice"}, ["USER#bob"]),
        ("SK >= :a", {":a": "USER#alice"}, ["USER#alice", "USER#bob"]),
    ],
)
def test_key_conditions_pick_a_range(client, tables, condition, values, expected):
    table = tables.make(**ORGANISATION_TABLE)
    for text in (f"PK = :pk AND {condition}", f"({condition}) AND :pk = PK"):
        assert sort_keys(query(client, table, text, {":pk": "ORG#acme", **values}), "SK") == expected
        descending = query(client, table, text, {":pk": "ORG#acme", **values}, ScanIndexForward=False)
        assert sort_keys(descending, "SK") == expected[::-1]


# A3: a Query on a non-key attribute is refused. A2: and on a value inside a document.
@cases(
    "condition, values, message",
    [
        ("tier = :v", {":v": "pro"}, "Query condition missed key schema element: PK"),
        ("SK = :v", {":v": "x"}, "Query condition missed key schema element: PK"),
        ("PK = :p AND tier = :v", {":p": "x", ":v": "pro"}, "Query condition missed key schema element: SK"),
        ("PK > :v", {":v": "x"}, "Query key condition not supported"),
        ("begins_with(PK, :v)", {":v": "x"}, "Query key condition not supported"),
        (
            "PK = :p OR SK = :v",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: OR",
        ),
        (
            "PK = :p AND SK <> :v",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: <>",
        ),
        (
            "PK = :p AND SK IN (:v)",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: IN",
        ),
        (
            "PK = :p AND contains(SK, :v)",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: contains",
        ),
        (
            "PK = :p AND NOT SK = :v",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: NOT",
        ),
        (
            "PK.part = :p",
            {":p": "x"},
            "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
        ),
        (
            "PK = :p AND tier[0] = :v",
            {":p": "x", ":v": "y"},
            "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
        ),
        (
            "PK = :p AND SK > :v AND SK < :w",
            {":p": "x", ":v": "y", ":w": "z"},
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
        ),
        ("PK = :p", {":p": 1}, f"{OPV}Condition parameter type does not match schema type"),
        ("PK = :p", {":p": ["x"]}, f"{OPV}Condition parameter type does not match schema type"),
        ("PK = :p", {":p": {"x": "y"}}, f"{OPV}Condition parameter type does not match schema type"),
        ("PK = :p AND SK = :v", {":p": "x", ":v": 1}, f"{OPV}Condition parameter type does not match schema type"),
        (
            "PK = :p AND SK BETWEEN :v AND :w",
            {":p": "x", ":v": "b", ":w": "a"},
            "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
            "lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}",
        ),
        (
            "PK = :p AND begins_with(SK, :v)",
            {":p": "x", ":v": 1},
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N",
        ),
    ],
)
def test_other_key_conditions_are_refused(client, tables, condition, values, message):
    table = tables.make(**ORGANISATION_TABLE)
    refused(INVALID, message, query, client=client, table=table, condition=condition, values=values)


def test_a_key_condition_is_required(client, tables):
    table = tables.make()
    message = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
    refused(INVALID, message, client.query, TableName=table)


# A7: a global index on computed GSI1PK and GSI1SK. A9: items without its keys are absent from it.
def test_a_global_index_on_computed_keys_is_another_collection(client, tables):
    table = tables.make(global_indexes={"GSI1": "GSI1PK:S,GSI1SK:S"}, **ORGANISATION_TABLE)
    read = lambda **more: query(client, table, "GSI1PK = :pk", {":pk": "USER#alice"}, IndexName="GSI1", **more)
    answer = eventually(lambda: read()["Count"] == 2 and read())
    assert sort_keys(answer, "GSI1SK") == ["ORG#acme", "ORG#bolt"]
    assert plain_items(answer)[0] == ORGANISATION[1]
    in_index = client.scan(TableName=table, IndexName="GSI1")
    assert {attributes["SK"]["S"] for attributes in in_index["Items"]} == {"USER#alice", "USER#bob"}
    assert in_index["Count"] == 3


# A8: the partition key of an inverted index is the table's sort key. A10: base and index show the same items.
def test_an_inverted_index_turns_the_relation_around(client, tables):
    table = tables.make(global_indexes={"inverted": "SK:S,PK:S"}, **ORGANISATION_TABLE)
    read = lambda: query(client, table, "SK = :sk", {":sk": "USER#alice"}, IndexName="inverted")
    answer = eventually(lambda: read()["Count"] == 2 and read())
    assert [attributes["PK"]["S"] for attributes in answer["Items"]] == ["ORG#acme", "ORG#bolt"]
    base = client.scan(TableName=table)["Items"]
    eventually(lambda: client.scan(TableName=table, IndexName="inverted")["Count"] == len(base))
    by_key = lambda attributes: (attributes["PK"]["S"], attributes["SK"]["S"])
    assert sorted(client.scan(TableName=table, IndexName="inverted")["Items"], key=by_key) == sorted(base, key=by_key)


# A11: ConsistentRead on a global index is refused.
def test_a_global_index_has_no_consistent_reads(client, tables):
    table = tables.make(global_indexes={"by_v": "v:S"})
    message = "Consistent reads are not supported on global secondary indexes"
    more = dict(IndexName="by_v", ConsistentRead=True)
    refused(INVALID, message, query, client=client, table=table, condition="v = :v", values={":v": "x"}, **more)
    refused(INVALID, message, client.scan, TableName=table, **more)


# A15: a collection and its local index are read strongly.
def test_collections_and_local_indexes_are_read_strongly(client, tables):
    table = tables.make("pk:S,sk:S", local_indexes={"by_rank": "pk:S,rank:N"})
    for number in range(30):
        client.put_item(TableName=table, Item=item(pk="a", sk=f"{number:02}", rank=-number))
        assert query(client, table, "pk = :pk", {":pk": "a"}, ConsistentRead=True)["Count"] == number + 1
        by_rank = query(client, table, "pk = :pk", {":pk": "a"}, IndexName="by_rank", ConsistentRead=True)
        assert sort_keys(by_rank) == [f"{n:02}" for n in range(number, -1, -1)]


def test_an_unknown_index_is_refused(client, tables):
    table = tables.make()
    message = "The table does not have the specified index: nope"
    refused(INVALID, message, query, client=client, table=table, condition="v = :v", values={":v": "x"}, IndexName="nope")
    refused(INVALID, message, client.scan, TableName=table, IndexName="nope")


INDEXED = [{"pk": "p", "sk": f"{n}", "g": "g", "a": f"a{n}", "b": f"b{n}", "c": f"c{n}"} for n in range(3)]


@cases(
    "projection, expected",
    [
        ("ALL", {"pk": "p", "sk": "0", "g": "g", "a": "a0", "b": "b0", "c": "c0"}),
        ("KEYS_ONLY", {"pk": "p", "sk": "0", "g": "g"}),
        (["b"], {"pk": "p", "sk": "0", "g": "g", "b": "b0"}),
    ],
)
def test_an_index_holds_what_it_projects(client, tables, projection, expected):
    table = tables.make(
        "pk:S,sk:S", items=INDEXED, global_indexes={"gsi": ("g:S", projection)}, local_indexes={"lsi": ("pk:S,a:S", projection)}
    )
    in_gsi = lambda: query(client, table, "g = :g", {":g": "g"}, IndexName="gsi")
    eventually(lambda: in_gsi()["Count"] == 3)
    assert expected in plain_items(in_gsi())
    in_lsi = query(client, table, "pk = :p", {":p": "p"}, IndexName="lsi")
    local_expected = {name: value for name, value in {**expected, "a": "a0"}.items() if name != "g" or projection == "ALL"}
    assert plain_items(in_lsi)[0] == local_expected


def test_a_local_index_fetches_what_it_does_not_project(client, tables):
    table = tables.make("pk:S,sk:S", items=INDEXED, local_indexes={"lsi": ("pk:S,a:S", "KEYS_ONLY")})
    whole = query(client, table, "pk = :p", {":p": "p"}, IndexName="lsi", Select="ALL_ATTRIBUTES")
    assert plain_items(whole) == INDEXED
    some = query(client, table, "pk = :p", {":p": "p"}, IndexName="lsi", ProjectionExpression="c, a")
    assert plain_items(some) == [{"c": f"c{n}", "a": f"a{n}"} for n in range(3)]


def test_a_global_index_refuses_what_it_does_not_project(client, tables):
    table = tables.make("pk:S,sk:S", global_indexes={"gsi": ("g:S", ["b"])})
    read = dict(client=client, table=table, condition="g = :g", IndexName="gsi")
    refused(
        INVALID,
        f"{OPV}Global secondary index gsi does not project [c]",
        query,
        values={":g": "g"},
        ProjectionExpression="b, c",
        **read,
    )
    message = (
        f"{OPV}Select type ALL_ATTRIBUTES is not supported for global secondary index gsi because its projection type is not ALL"
    )
    refused(INVALID, message, query, values={":g": "g"}, Select="ALL_ATTRIBUTES", **read)
    message = f"{OPV}Secondary index gsi does not project one or more filter attributes: [c]"
    refused(INVALID, message, query, values={":g": "g", ":c": "c"}, FilterExpression="c = :c", **read)


def test_filters_choose_after_reading(client, tables):
    table = tables.make("pk:S,sk:S", items=INDEXED)
    answer = query(client, table, "pk = :p", {":p": "p", ":b": "b1"}, FilterExpression="b = :b")
    assert (sort_keys(answer), answer["Count"], answer["ScannedCount"]) == (["1"], 1, 3)
    counted = query(client, table, "pk = :p", {":p": "p", ":b": "b1"}, FilterExpression="b <> :b", Select="COUNT")
    assert (counted["Count"], counted["ScannedCount"], "Items" in counted) == (2, 3, False)
    page = query(client, table, "pk = :p", {":p": "p", ":b": "b2"}, FilterExpression="b = :b", Limit=2)
    assert (page["Items"], page["ScannedCount"], plain(page["LastEvaluatedKey"])) == ([], 2, {"pk": "p", "sk": "1"})
    message = "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"
    refused(
        INVALID,
        message,
        query,
        client=client,
        table=table,
        condition="pk = :p",
        values={":p": "p", ":s": "1"},
        FilterExpression="sk = :s",
    )


# A2: no path leads into a key.
def test_a_filter_cannot_look_into_an_index_key(client, tables):
    table = tables.make("pk:S,sk:S", global_indexes={"gsi": "g:S"})
    message = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g"
    refused(INVALID, message, client.scan, TableName=table, IndexName="gsi", FilterExpression="attribute_exists(g.x)")
    refused(INVALID, message, client.scan, TableName=table, IndexName="gsi", ProjectionExpression="g[0]")


@cases(
    "more, message",
    [
        (
            {"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "a"},
            f"{ONE_ERROR}Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
        (
            {"Select": "COUNT", "ProjectionExpression": "a"},
            f"{ONE_ERROR}Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            {"Select": "ALL_PROJECTED_ATTRIBUTES"},
            f"{ONE_ERROR}ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            f"{ONE_ERROR}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
    ],
)
def test_select_and_projection_must_agree(client, tables, more, message):
    table = tables.make()
    refused(INVALID, message, query, client=client, table=table, condition="pk = :p", values={":p": "p"}, **more)


# A17: thousands of children, page by page, in both directions, each once.
@pytest.mark.parametrize("forward", [True, False])
def test_thousands_of_children_are_paged_through(client, tables, forward):
    children = [{"pk": "parent", "sk": number, "text": "x" * 500} for number in range(3000)]
    table = tables.make("pk:S,sk:N", items=children)
    pages = list(
        client.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues=item({":p": "parent"}),
            ScanIndexForward=forward,
            PaginationConfig={"PageSize": 700},
        )
    )
    assert [page["Count"] for page in pages] == [700, 700, 700, 700, 200]
    seen = [key for page in pages for key in sort_keys(page)]
    assert seen == (list(range(3000)) if forward else list(range(2999, -1, -1)))
    first = query(client, table, "pk = :p", {":p": "parent"}, ScanIndexForward=forward)
    sizes = [len("pk" "parent" "sk" "text") + 500 for _ in first["Items"]]
    assert "LastEvaluatedKey" in first and 900_000 < sum(sizes) < 1_100_000


def test_a_page_ends_at_a_megabyte(client, tables):
    large = [{"pk": "p", "sk": number, "data": "x" * 300_000} for number in range(8)]
    table = tables.make("pk:S,sk:N", items=large)
    pages = list(
        client.get_paginator("query").paginate(
            TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues=item({":p": "p"})
        )
    )
    assert [page["Count"] for page in pages][:2] in ([4, 4], [3, 3])
    assert [key for page in pages for key in sort_keys(page)] == list(range(8))


def test_index_pages_resume_among_equal_keys(client, tables):
    same = [{"pk": f"{number:03}", "g": "same", "rank": number % 3} for number in range(60)]
    table = tables.make(items=same, global_indexes={"gsi": "g:S,rank:N"})
    everything = lambda: query(client, table, "g = :g", {":g": "same"}, IndexName="gsi")
    eventually(lambda: everything()["Count"] == 60)
    for forward in (True, False):
        seen, start = [], {}
        while True:
            page = query(client, table, "g = :g", {":g": "same"}, IndexName="gsi", Limit=7, ScanIndexForward=forward, **start)
            seen += plain_items(page)
            if "LastEvaluatedKey" not in page:
                break
            assert set(page["LastEvaluatedKey"]) == {"pk", "g", "rank"}
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        assert sorted(attributes["pk"] for attributes in seen) == sorted(attributes["pk"] for attributes in same)
        ranks = [attributes["rank"] for attributes in seen]
        assert ranks == sorted(ranks, reverse=not forward)


@cases(
    "start, message",
    [
        ({"pk": "p"}, "The provided starting key is invalid"),
        ({"pk": "p", "sk": 1, "more": 1}, "The provided starting key is invalid"),
        ({"pk": "other", "sk": 1}, "The provided starting key is outside query boundaries based on provided conditions"),
        ({"pk": "p", "sk": "text"}, "The provided key element does not match the schema"),
    ],
)
def test_a_start_key_must_fit_the_query(client, tables, start, message):
    table = tables.make("pk:S,sk:N")
    refused(
        INVALID,
        message,
        query,
        client=client,
        table=table,
        condition="pk = :p",
        values={":p": "p"},
        ExclusiveStartKey=item(start),
    )


def test_a_limit_of_zero_is_refused(unchecked_client, tables):
    table = tables.make()
    message = constraint(None, "Limit", "have value greater than or equal to 1")
    refused(INVALID, message, query, client=unchecked_client, table=table, condition="pk = :p", values={":p": "p"}, Limit=0)


def test_the_last_key_is_present_whenever_a_limit_stopped_the_read(client, tables):
    table = tables.make("pk:S,sk:N", items=[{"pk": "p", "sk": number} for number in range(4)])
    page = query(client, table, "pk = :p", {":p": "p"}, Limit=4)
    assert plain(page["LastEvaluatedKey"]) == {"pk": "p", "sk": 3}
    rest = query(client, table, "pk = :p", {":p": "p"}, Limit=4, ExclusiveStartKey=page["LastEvaluatedKey"])
    assert rest["Items"] == [] and "LastEvaluatedKey" not in rest
