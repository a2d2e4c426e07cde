"""A tour with the AWS command line: what it prints, and its exit codes."""

import json
import os
import subprocess
import uuid

import pytest

from expectations import PEER

AWS = os.environ.get("SHEAF_TESTS_AWS", "/usr/bin/aws")
REFUSED = 254  # the service refused; 252: the command line itself was wrong; 255: no answer


class CommandLine:
    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.environment = {**os.environ, "AWS_PAGER": "", "LANG": "C.UTF-8"}

    def run(self, *arguments, service="dynamodb"):
        command = [AWS, "--endpoint-url", self.endpoint, service, *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=60)

    def text(self, *arguments, **more):
        done = self.run(*arguments, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments, **more):
        printed = self.text(*arguments, "--output", "json", **more)
        return json.loads(printed) if printed.strip() else None

    def refused(self, code, *arguments):
        done = self.run(*arguments)
        assert done.returncode == REFUSED, (done.returncode, done.stdout, done.stderr)
        assert f"({code})" in done.stderr, done.stderr
        assert done.stdout == ""
        return done.stderr


@pytest.fixture
def aws(endpoint):
    return CommandLine(endpoint)


@pytest.fixture
def music(tables):
    return tables.make(
        "Artist:S,Song:S", items=[{"Artist": "Acme", "Song": f"Song {number}", "Plays": number} for number in range(5)]
    )


def test_a_table_is_made_awaited_described_and_deleted(aws, tables):
    name = tables.name()
    created = aws.json(
        "create-table",
        "--table-name", name,
        "--attribute-definitions", "AttributeName=Artist,AttributeType=S", "AttributeName=Song,AttributeType=S",
        "--key-schema", "AttributeName=Artist,KeyType=HASH", "AttributeName=Song,KeyType=RANGE",
        "--provisioned-throughput", "ReadCapacityUnits=10,WriteCapacityUnits=5",
        "--tags", "Key=Owner,Value=blueTeam",
    )  # fmt: skip
    assert created["TableDescription"]["TableName"] == name
    assert aws.text("wait", "table-exists", "--table-name", name) == ""
    assert aws.text("describe-table", "--table-name", name, "--query", "Table.TableStatus", "--output", "text") == "ACTIVE\n"
    assert name in aws.json("list-tables")["TableNames"]
    deleted = aws.json("delete-table", "--table-name", name)
    assert deleted["TableDescription"]["TableStatus"] == "DELETING"
    assert aws.text("wait", "table-not-exists", "--table-name", name) == ""
    aws.refused("ResourceNotFoundException", "describe-table", "--table-name", name)


def test_items_are_put_read_updated_and_deleted(aws, tables):
    table = tables.make("Artist:S,Song:S")
    key = '{"Artist": {"S": "No One You Know"}, "Song": {"S": "Call Me Today"}}'
    item = '{"Artist": {"S": "No One You Know"}, "Song": {"S": "Call Me Today"}, "Awards": {"N": "1"}}'
    assert aws.text("put-item", "--table-name", table, "--item", item) == ""
    read = aws.json("get-item", "--table-name", table, "--key", key, "--consistent-read")
    assert read["Item"] == json.loads(item)
    updated = aws.json(
        "update-item", "--table-name", table, "--key", key,
        "--update-expression", "SET Awards = Awards + :one", "--expression-attribute-values", '{":one": {"N": "1"}}',
        "--return-values", "ALL_NEW", "--return-consumed-capacity", "TOTAL",
    )  # fmt: skip
    assert updated["Attributes"]["Awards"] == {"N": "2"}
    assert updated["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 1.0}
    old = aws.json("delete-item", "--table-name", table, "--key", key, "--return-values", "ALL_OLD")
    assert old["Attributes"]["Awards"] == {"N": "2"}
    assert aws.text("get-item", "--table-name", table, "--key", key) == ""


def test_queries_and_scans_print_json_and_text(aws, music):
    query = (
        "query", "--table-name", music,
        "--key-condition-expression", "Artist = :a AND Song >= :s",
        "--expression-attribute-values", '{":a": {"S": "Acme"}, ":s": {"S": "Song 3"}}',
    )  # fmt: skip
    answer = aws.json(*query)
    assert [item["Song"]["S"] for item in answer["Items"]] == ["Song 3", "Song 4"]
    assert (answer["Count"], answer["ScannedCount"]) == (2, 2)
    assert aws.text(*query, "--query", "Items[].Plays.N", "--output", "text").split() == ["3", "4"]
    assert "SONG\tSong 3\n" in aws.text(*query, "--output", "text")
    scanned = aws.json(
        "scan", "--table-name", music, "--filter-expression", "Plays < :n", "--expression-attribute-values", '{":n": {"N": "2"}}'
    )
    assert (scanned["Count"], scanned["ScannedCount"]) == (2, 5)
    counted = aws.text("scan", "--table-name", music, "--select", "COUNT", "--query", "Count", "--output", "text")
    assert counted == "5\n"


def test_pages_are_put_together(aws, music):
    whole = aws.json("scan", "--table-name", music, "--page-size", "2")
    assert whole["Count"] == 5
    some = aws.json("scan", "--table-name", music, "--max-items", "3")
    assert len(some["Items"]) == 3
    rest = aws.json("scan", "--table-name", music, "--starting-token", some["NextToken"])
    assert len(some["Items"]) + len(rest["Items"]) == 5


def test_a_batch_is_written_from_a_file(aws, tables, tmp_path):
    table = tables.make()
    requests = {table: [{"PutRequest": {"Item": {"pk": {"S": f"{number}"}, "data": {"B": "AAEC"}}}} for number in range(25)]}
    path = tmp_path / "requests.json"
    path.write_text(json.dumps(requests))
    assert aws.json("batch-write-item", "--request-items", f"file://{path}")["UnprocessedItems"] == {}
    keys = {table: {"Keys": [{"pk": {"S": "0"}}, {"pk": {"S": "24"}}]}}
    answer = aws.json("batch-get-item", "--request-items", json.dumps(keys))
    assert sorted(item["pk"]["S"] for item in answer["Responses"][table]) == ["0", "24"]
    assert answer["Responses"][table][0]["data"] == {"B": "AAEC"}


def test_transactions_from_the_command_line(aws, music):
    check = {
        "ConditionCheck": {
            "TableName": music,
            "Key": {"Artist": {"S": "Acme"}, "Song": {"S": "Song 1"}},
            "ConditionExpression": "Plays = :n",
            "ExpressionAttributeValues": {":n": {"N": "1"}},
        }
    }
    put = {"Put": {"TableName": music, "Item": {"Artist": {"S": "Acme"}, "Song": {"S": "New"}}}}
    token = uuid.uuid4().hex
    assert aws.text("transact-write-items", "--transact-items", json.dumps([check, put]), "--client-request-token", token) == ""
    check["ConditionCheck"]["ExpressionAttributeValues"][":n"]["N"] = "2"
    told = aws.refused("TransactionCanceledException", "transact-write-items", "--transact-items", json.dumps([check, put]))
    assert "[ConditionalCheckFailed, None]" in told


def test_errors_have_exit_codes_and_say_why(aws, music):
    item = '{"Artist": {"S": "Acme"}, "Song": {"S": "Song 1"}}'
    told = aws.refused(
        "ConditionalCheckFailedException",
        "put-item",
        "--table-name",
        music,
        "--item",
        item,
        "--condition-expression",
        "attribute_not_exists(Artist)",
    )
    assert "The conditional request failed" in told
    told = aws.refused("ValidationException", "get-item", "--table-name", music, "--key", '{"Artist": {"S": "Acme"}}')
    assert "The provided key element does not match the schema" in told
    aws.refused("ResourceNotFoundException", "scan", "--table-name", "no-such-table")
    assert aws.run("put-item", "--table-name", music).returncode == 252


def test_a_stream_is_read(aws, tables):
    table = tables.make(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
    assert aws.text("put-item", "--table-name", table, "--item", '{"pk": {"S": "a"}}') == ""
    (stream,) = aws.json("list-streams", "--table-name", table, service="dynamodbstreams")["Streams"]
    description = aws.json("describe-stream", "--stream-arn", stream["StreamArn"], service="dynamodbstreams")["StreamDescription"]
    records = []
    for shard in description["Shards"]:
        position = aws.json(
            "get-shard-iterator", "--stream-arn", stream["StreamArn"], "--shard-id", shard["ShardId"],
            "--shard-iterator-type", "TRIM_HORIZON", service="dynamodbstreams",
        )["ShardIterator"]  # fmt: skip
        records += aws.json("get-records", "--shard-iterator", position, service="dynamodbstreams")["Records"]
    assert [record["dynamodb"]["Keys"] for record in records] == [{"pk": {"S": "a"}}]


@pytest.mark.skipif(bool(PEER), reason="not all peers have statements")
def test_statements_are_run(aws, music):
    found = aws.json("execute-statement", "--statement", f'SELECT Song FROM "{music}" WHERE Artist = \'Acme\' AND Plays > 3')
    assert found["Items"] == [{"Song": {"S": "Song 4"}}]
    aws.refused("ValidationException", "execute-statement", "--statement", "SELECT")


@pytest.mark.skipif(bool(PEER), reason="others do not have them")
def test_contributor_insights_are_turned_on_listed_and_turned_off(aws, music):
    enabled = aws.json("update-contributor-insights", "--table-name", music, "--contributor-insights-action", "ENABLE")
    assert (enabled["TableName"], enabled["ContributorInsightsStatus"]) == (music, "ENABLING")
    told = aws.json("describe-contributor-insights", "--table-name", music)
    assert told["ContributorInsightsStatus"] == "ENABLED"
    assert len(told["ContributorInsightsRuleList"]) == 4
    listed = aws.json("list-contributor-insights", "--table-name", music)["ContributorInsightsSummaries"]
    assert [each["TableName"] for each in listed] == [music]
    aws.json("update-contributor-insights", "--table-name", music, "--contributor-insights-action", "DISABLE")
    assert aws.json("list-contributor-insights", "--table-name", music)["ContributorInsightsSummaries"] == []
    aws.refused("ResourceNotFoundException", "describe-contributor-insights", "--table-name", f"{music}.nothing")
