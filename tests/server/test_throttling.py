"""A server that holds tables to their throughput, and clients that try again."""

import json
import subprocess
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from server_process import make_table

READS_PER_SECOND = 10
BURST_SECONDS = 300
ITEM_UNITS = 98  # of a strongly consistent read


def client(server, attempts):
    config = Config(retries={"max_attempts": attempts}, connect_timeout=10, read_timeout=20)
    return boto3.client(
        "dynamodb", endpoint_url=server.url, aws_access_key_id="key", aws_secret_access_key="secret", region_name="us-east-1", config=config
    )


def test_a_table_that_was_asked_for_too_much_recovers_and_clients_wait_for_it(make_server):
    server = make_server("--throttle", "--region", "eu-test-1", "--account", "123456789012").start()
    impatient, patient = client(server, 0), client(server, 10)
    impatient.create_table(
        TableName="things",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        ProvisionedThroughput={"ReadCapacityUnits": READS_PER_SECOND, "WriteCapacityUnits": 1000},
    )
    impatient.put_item(TableName="things", Item={"pk": {"S": "a"}, "text": {"S": "x" * 390 * 1024}})
    read = {"TableName": "things", "Key": {"pk": {"S": "a"}}, "ConsistentRead": True}
    reads = 0
    with pytest.raises(ClientError) as error:
        while reads < 10 * BURST_SECONDS:
            impatient.get_item(**read)
            reads += 1
    assert reads >= BURST_SECONDS * READS_PER_SECOND // ITEM_UNITS
    answer = error.value.response
    assert answer["Error"]["Code"] == "ProvisionedThroughputExceededException"
    got = patient.get_item(**read)
    assert "Item" in got and got["ResponseMetadata"]["RetryAttempts"] > 0
    # It has left the table in debt.
    assert int(in_javascript(READ_AGAIN, server.url, "1")) > 0
    server.stop()


CLIENTS = Path(__file__).resolve().parents[1] / "clients"
READ_AGAIN = """
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
const client = new DynamoDBClient({ endpoint: process.argv[1], region: "us-east-1", maxAttempts: 12,
  credentials: { accessKeyId: "key", secretAccessKey: "secret" } });
let retries = 0;
for (let reads = Number(process.argv[2]); reads > 0; --reads) {
  const answer = await client.send(new GetItemCommand({ TableName: "things", Key: { pk: { S: "a" } }, ConsistentRead: true }));
  if (!answer.Item) throw new Error("no item");
  retries += answer.$metadata.attempts - 1;
}
console.log(retries);
"""


def in_javascript(program, *arguments):
    subprocess.run([CLIENTS / "install", CLIENTS], check=True, timeout=300)
    command = ["node", "--no-warnings", "--input-type=module", "-e", program, *arguments]
    ended = subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


# An item takes half a second of either, and 300 seconds' worth is there at first.
READ_UNITS, WRITE_UNITS = 10, 40
TEXT = "x" * (20 * 1024 - 60)
WAYS = {
    "provisioned": {"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": READ_UNITS, "WriteCapacityUnits": WRITE_UNITS}},
    "on-demand": {"OnDemandThroughput": {"MaxReadRequestUnits": READ_UNITS, "MaxWriteRequestUnits": WRITE_UNITS}},
}
REFUSALS = {"provisioned": "ProvisionedThroughputExceededException", "on-demand": "ThrottlingException"}


@pytest.fixture(params=WAYS)
def busy(request, make_server):
    """A server with the table "things", which is held to its units, and the name of its refusals."""
    server = make_server("--throttle").start()
    make_table(server, **WAYS[request.param])  # boto3 may be too old to know maxima
    yield server, REFUSALS[request.param]
    server.stop()


def exhaust(send, refusal):
    """Sends until a whole request is refused; what is given back of one before is let go."""
    for _ in range(1_000):
        try:
            send()
        except ClientError as error:
            assert error.response["Error"]["Code"] == refusal
            return
    raise AssertionError("nothing was refused")


def test_batches_arrive_in_the_end(busy):
    server, refusal = busy
    impatient, patient = client(server, 0), boto3.resource("dynamodb", endpoint_url=server.url, config=Config(retries={"max_attempts": 12}))
    given_back, retries = [], []

    def notice(parsed, **_):
        items = parsed.get("UnprocessedItems", {}).get("things", [])
        keys = parsed.get("UnprocessedKeys", {}).get("things", {}).get("Keys", [])
        given_back.append(len(items) + len(keys))
        retries.append(parsed["ResponseMetadata"]["RetryAttempts"])

    def throttled():
        told = sum(given_back), sum(retries)
        given_back.clear(), retries.clear()
        return min(told) > 0

    patient.meta.client.meta.events.register("after-call.dynamodb", notice)
    filler = [{"pk": {"S": f"filler {number}"}, "text": {"S": TEXT}} for number in range(25)]
    exhaust(lambda: impatient.batch_write_item(RequestItems={"things": [{"PutRequest": {"Item": item}} for item in filler]}), refusal)
    wanted = [{"pk": f"wanted {number}", "text": TEXT} for number in range(5)]
    with patient.Table("things").batch_writer() as writer:
        for item in wanted:
            writer.put_item(Item=item)
    assert throttled()

    keys = [{"pk": item["pk"]} for item in filler]
    exhaust(lambda: impatient.batch_get_item(RequestItems={"things": {"Keys": keys, "ConsistentRead": True}}), refusal)
    arrived, left = [], {"things": {"Keys": [{"pk": item["pk"]} for item in wanted], "ConsistentRead": True}}
    while left:
        answer = patient.batch_get_item(RequestItems=left)
        arrived += answer["Responses"].get("things", [])
        left = answer["UnprocessedKeys"]
    assert throttled()
    assert sorted(arrived, key=lambda item: item["pk"]) == wanted


BATCHES = """
import { BatchGetItemCommand, BatchWriteItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
const [endpoint, text, refusal] = process.argv.slice(1);
const client = (maxAttempts) => new DynamoDBClient({ endpoint, region: "us-east-1", maxAttempts,
  credentials: { accessKeyId: "key", secretAccessKey: "secret" } });
const impatient = client(1), patient = client(12);
const put = (pk) => ({ PutRequest: { Item: { pk: { S: pk }, text: { S: text } } } });
const write = (left) => new BatchWriteItemCommand({ RequestItems: left });
const read = (left) => new BatchGetItemCommand({ RequestItems: left });
const keys = (pks) => ({ things: { Keys: pks.map((pk) => ({ pk: { S: pk } })), ConsistentRead: true } });
const filler = [...Array(25).keys()].map((number) => `filler ${number}`);
const wanted = [...Array(5).keys()].map((number) => `wanted ${number}`);

// Until a whole request is refused.
async function exhaust(command) {
  for (let sent = 0; sent < 1000; ++sent) {
    try {
      await impatient.send(command);
    } catch (error) {
      if (error.name !== refusal) throw error;
      return;
    }
  }
  throw new Error("nothing was refused");
}

// As the documentation of the SDK has it: what is given back is asked for again.
async function all(command, left) {
  const told = { givenBack: 0, retries: 0, arrived: [] };
  while (Object.keys(left).length) {
    const answer = await patient.send(command(left));
    left = answer.UnprocessedItems ?? answer.UnprocessedKeys;
    told.givenBack += (left.things?.Keys ?? left.things ?? []).length;
    told.retries += answer.$metadata.attempts - 1;
    told.arrived.push(...(answer.Responses?.things ?? []).map((item) => item.pk.S));
  }
  return told;
}

await exhaust(write({ things: filler.map(put) }));
const written = await all(write, { things: wanted.map(put) });
await exhaust(read(keys(filler)));
console.log(JSON.stringify([written, await all(read, keys(wanted))]));
"""


def test_batches_of_javascript_arrive_in_the_end(busy):
    server, refusal = busy
    written, read = json.loads(in_javascript(BATCHES, server.url, TEXT, refusal))
    for told in (written, read):
        assert told["givenBack"] > 0 and told["retries"] > 0, told
    assert sorted(read["arrived"]) == [f"wanted {number}" for number in range(5)]


def test_maxima_on_demand_are_waited_for(make_server):
    server = make_server("--throttle").start()
    impatient, patient = client(server, 0), client(server, 10)
    make_table(server, **WAYS["on-demand"])
    put = {"TableName": "things", "Item": {"pk": {"S": "a"}, "text": {"S": TEXT}}}
    read = {"TableName": "things", "Key": {"pk": {"S": "a"}}, "ConsistentRead": True}
    for impatiently, patiently, what in [(impatient.put_item, patient.put_item, put), (impatient.get_item, patient.get_item, read)]:
        exhaust(lambda: impatiently(**what), "ThrottlingException")
        # Whoever comes behind one that was let in waits, however long that one had waited.
        assert sum(patiently(**what)["ResponseMetadata"]["RetryAttempts"] for _ in range(3)) > 0
    assert int(in_javascript(READ_AGAIN, server.url, "4")) > 0
    server.stop()
