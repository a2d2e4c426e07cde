"""PartiQL: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction."""

import pytest
from botocore.exceptions import ClientError

from attributes import plain, value
from expectations import CANCELED, CONDITION_FAILED, INVALID, NOT_FOUND, PEER, cases, refused

pytestmark = pytest.mark.skipif(bool(PEER), reason="statements are compared by differential.py")

NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "


@pytest.fixture
def table(tables):
    rows = [
        {"pk": team, "sk": f"M#{number}", "n": number, "city": city}
        for team in ("a", "b")
        for number, city in enumerate(["Rome", "Oslo", "Rome", "Bonn"])
    ]
    return tables.make("pk:S,sk:S", rows, global_indexes={"byCity": "city:S,n:N"})


def rows(answer):
    return [plain(row) for row in answer["Items"]]


def keys(answer):
    return [row["pk"] + row["sk"][2:] for row in rows(answer)]


def run(client, text, *parameters, **more):
    if parameters:
        more["Parameters"] = [value(parameter) for parameter in parameters]
    return client.execute_statement(Statement=text, **more)


def test_a_select_reads_item_collections(client, table):
    select = f'SELECT * FROM "{table}" WHERE '
    assert keys(run(client, select + "pk = ? AND sk > ?", "a", "M#1")) == ["a2", "a3"]
    assert keys(run(client, select + "pk = 'a' AND (n = 0 OR city = 'Bonn')")) == ["a0", "a3"]
    assert keys(run(client, select + "pk IN ['b', 'a'] AND sk = 'M#0' ORDER BY pk")) == ["a0", "b0"]
    assert keys(run(client, select + "pk = 'a' ORDER BY sk DESC")) == ["a3", "a2", "a1", "a0"]
    assert sorted(keys(run(client, select + "city = 'Oslo'"))) == ["a1", "b1"]


def test_a_select_reads_indexes(client, table):
    found = run(client, f'SELECT pk, sk, n FROM "{table}"."byCity" WHERE city = \'Rome\' AND n BETWEEN 1 AND 5')
    assert sorted(keys(found)) == ["a2", "b2"]
    assert all(set(row) == {"pk", "sk", "n"} for row in rows(found))
    refused(INVALID, "The table does not have the specified index", client.execute_statement, Statement=f'SELECT * FROM "{table}"."x"')


def test_pages_follow_the_token(client, table):
    for text in (f'SELECT * FROM "{table}" WHERE pk = \'a\'', f'SELECT * FROM "{table}"', f'SELECT * FROM "{table}" WHERE n < 2'):
        whole, found, token = keys(run(client, text)), [], {}
        while True:
            page = run(client, text, Limit=3, **token)
            assert len(page["Items"]) <= 3
            found += keys(page)
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        assert found == whole
    page = run(client, f'SELECT * FROM "{table}"', Limit=1)
    refused(
        INVALID,
        "NextToken does not match request",
        client.execute_statement,
        Statement=f'SELECT * FROM "{table}" WHERE n = 1',
        NextToken=page["NextToken"],
    )


def test_items_are_inserted_updated_and_deleted(client, table):
    key = "pk = 'new' AND sk = '1'"
    assert run(client, f"INSERT INTO \"{table}\" VALUE {{'pk': 'new', 'sk': '1', 'tags': <<'x'>>, 'deep': {{'l': [1]}}}}")["Items"] == []
    with pytest.raises(client.exceptions.DuplicateItemException):
        run(client, f"INSERT INTO \"{table}\" VALUE {{'pk': 'new', 'sk': '1'}}")
    changed = run(
        client,
        f'UPDATE "{table}" SET n = 1, tags = set_add(tags, <<\'y\'>>) SET deep.l[1] = ? WHERE {key} RETURNING ALL NEW *',
        "two",
    )
    assert rows(changed) == [{"pk": "new", "sk": "1", "n": 1, "tags": {"x", "y"}, "deep": {"l": [1, "two"]}}]
    refused(CONDITION_FAILED, None, client.execute_statement, Statement=f'UPDATE "{table}" SET n = 2 WHERE {key} AND n = 7')
    refused(CONDITION_FAILED, None, client.execute_statement, Statement=f"UPDATE \"{table}\" SET n = 2 WHERE pk = 'no' AND sk = '1'")
    assert run(client, f'DELETE FROM "{table}" WHERE {key} AND n = 1')["Items"] == []
    assert run(client, f'DELETE FROM "{table}" WHERE {key} AND n = 1')["Items"] == []


@cases(
    "statement, message",
    [
        ("SLECT * FROM T", NOT_WELL_FORMED + "Expected data manipulation"),
        ("SELECT * FROM T WHERE", NOT_WELL_FORMED + "Unexpected term"),
        ("SELECT * FROM T WHERE size = 1", NOT_WELL_FORMED + "Unexpected keyword"),
        ("SELECT COUNT(*) FROM T", "Unexpected path component at 1:8:5"),
        ("SELECT * FROM T t", "Aliasing is not supported"),
        ("UPDATE T.i SET a = 1 WHERE pk = 1", "This operation is not supported on an index"),
        ("SELECT * FROM T WHERE pk = ?", "Number of parameters in request and statement don't match."),
        ("EXISTS(SELECT * FROM T WHERE pk = 1 AND a = 2)", "EXISTS can only be used in ExecuteTransaction write requests."),
    ],
)
def test_what_is_wrong_with_a_statement_is_told_before_its_table_is_looked_for(client, statement, message):
    refused(INVALID, message, client.execute_statement, Statement=statement)


def test_a_table_must_be_there(client):
    refused(NOT_FOUND, None, client.execute_statement, Statement="SELECT * FROM nope WHERE pk = 1")


def test_a_batch_answers_each_statement(client, table):
    def batch(*texts):
        return client.batch_execute_statement(Statements=[{"Statement": text} for text in texts], ReturnConsumedCapacity="TOTAL")

    answer = batch(
        f"SELECT n FROM \"{table}\" WHERE pk = 'a' AND sk = 'M#2'",
        f"SELECT n FROM \"{table}\" WHERE pk = 'a'",
        "SELECT * FROM nope WHERE pk = 1",
    )
    assert plain(answer["Responses"][0]["Item"]) == {"n": 2}
    assert answer["Responses"][1]["Error"]["Code"] == "ValidationError"
    assert answer["Responses"][2]["Error"]["Code"] == "ResourceNotFound"
    assert answer["ConsumedCapacity"] == [{"TableName": table, "CapacityUnits": 0.5}]
    written = batch(f"INSERT INTO \"{table}\" VALUE {{'pk': 'x', 'sk': '1'}}", f"UPDATE \"{table}\" SET n = 9 WHERE pk = 'y' AND sk = '1'")
    assert written["Responses"][0] == {"TableName": table}
    assert written["Responses"][1]["Error"] == {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    with pytest.raises(ClientError, match="Read and write requests together in the same batch is not supported."):
        batch(f"SELECT * FROM \"{table}\" WHERE pk = 'a' AND sk = 'M#1'", f"DELETE FROM \"{table}\" WHERE pk = 'x' AND sk = '1'")


def test_a_transaction_is_all_or_nothing(client, table):
    def transact(*texts, **more):
        return client.execute_transaction(TransactStatements=[{"Statement": text} for text in texts], **more)

    key = "pk = 'a' AND sk = 'M#0'"
    assert transact(f'UPDATE "{table}" SET n = n + 10 WHERE {key}', f"EXISTS(SELECT * FROM \"{table}\" WHERE pk = 'a' AND sk = 'M#1' AND n = 1)")["Responses"] == []
    answer = refused(
        CANCELED,
        None,
        client.execute_transaction,
        TransactStatements=[
            {"Statement": f'UPDATE "{table}" SET n = 0 WHERE {key} AND n = 10'},
            {"Statement": f"INSERT INTO \"{table}\" VALUE {{'pk': 'a', 'sk': 'M#1'}}"},
        ],
    )
    assert [reason["Code"] for reason in answer["CancellationReasons"]] == ["None", "DuplicateItem"]
    read = transact(f'SELECT n FROM "{table}" WHERE {key}', f"SELECT n FROM \"{table}\" WHERE pk = 'no' AND sk = 'M#0'")
    assert plain(read["Responses"][0]["Item"]) == {"n": 10}
    assert "Item" not in read["Responses"][1]
    for _ in range(2):
        transact(f'UPDATE "{table}" SET n = n + 1 WHERE {key}', ClientRequestToken="once-" + table[-10:])
    assert rows(run(client, f'SELECT n FROM "{table}" WHERE {key}')) == [{"n": 11}]

