// The server under test: clients of it, tables that vanish with their test, and what tests expect over and over.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import nodeTest from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const endpoint = process.env.SHEAF_TESTS_ENDPOINT;
const peer = process.env.SHEAF_TESTS_PEER;

export const clientOptions = { endpoint, region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1' };
export const client = new DynamoDBClient(clientOptions);
export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
export const streams = new DynamoDBStreamsClient(clientOptions);

// Tests that a peer is known to fail, because it differs from AWS there: "name  reason" a line.
const knownFailures = new Map(
  peer
    ? readFileSync(new URL(`../peers/${peer}.txt`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => line.split(/ {2,}/, 2))
    : [],
);

// A test that is given a function to make names and tables with: `async ({ makeTable, uniqueName }) => …`.
export function test(name, body) {
  nodeTest(name, async () => {
    const reason = knownFailures.get(name);
    if (!reason) return withTables(name, body);
    try {
      await withTables(name, body);
    } catch {
      console.log(`fails as known: ${name}: ${reason}`);
      return;
    }
    assert.fail(`passes now; take it off the list: ${reason}`);
  });
}

async function withTables(label, body) {
  const names = [];
  const uniqueName = () => {
    names.push(`${label.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 60)}.${randomUUID().slice(0, 8)}`);
    return names.at(-1);
  };
  const makeTable = async (key = 'pk:S', more = {}) => {
    const name = uniqueName();
    await client.send(new CreateTableCommand(declaration(name, key, more)));
    await untilActive(name);
    return name;
  };
  try {
    await body({ makeTable, uniqueName });
  } finally {
    for (const name of names) await removeTable(name);
  }
}

const keyParts = (notation) => notation.split(',').map((part) => part.split(':'));

// 'pk:S,sk:N' with indexes { byOwner: 'owner:S' }; `hashes` is how many parts of a key are partition keys.
export const keySchema = (notation, hashes = 1) =>
  keyParts(notation).map(([name], position) => ({ AttributeName: name, KeyType: position < hashes ? 'HASH' : 'RANGE' }));

export const attributeDefinitions = (...notations) =>
  [...new Map(notations.flatMap(keyParts))].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));

export const index = (IndexName, notation, hashes = 1, projection = { ProjectionType: 'ALL' }) => ({
  IndexName,
  KeySchema: keySchema(notation, hashes),
  Projection: projection,
});

// more: parts of a CreateTable request, and `indexes`: [[name, key notation, how many of it are partition keys]].
export function declaration(name, key, { indexes = [], ...more } = {}) {
  return {
    TableName: name,
    KeySchema: keySchema(key),
    AttributeDefinitions: attributeDefinitions(key, ...indexes.map(([, notation]) => notation)),
    ...(indexes.length ? { GlobalSecondaryIndexes: indexes.map((parts) => index(...parts)) } : {}),
    ...(more.BillingMode || more.ProvisionedThroughput ? {} : { BillingMode: 'PAY_PER_REQUEST' }),
    ...more,
  };
}

export const describe = async (name) => (await client.send(new DescribeTableCommand({ TableName: name }))).Table;

export const untilActive = (name) =>
  eventually(async () => {
    const table = await describe(name);
    const indexes = table.GlobalSecondaryIndexes ?? [];
    return table.TableStatus === 'ACTIVE' && indexes.every((each) => each.IndexStatus === 'ACTIVE') && table;
  });

async function removeTable(name) {
  await eventually(async () => {
    try {
      await client.send(new DeleteTableCommand({ TableName: name }));
    } catch (error) {
      if (error.name === 'ResourceNotFoundException') return true;
      if (!/protected against deletion/.test(error.message)) return error.name !== 'ResourceInUseException';
      await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: false }));
    }
    return false;
  });
}

// The first true result of check(), within the deadline.
export async function eventually(check, deadlineMs = 20_000) {
  const end = Date.now() + deadlineMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    const result = await check();
    if (result) return result;
    assert.ok(Date.now() < end, `not within ${deadlineMs} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

// Expects the error and returns it. message: exact text, pattern, or undefined where only the name is known.
export async function refused(name, message, promise) {
  let caught;
  try {
    await promise;
  } catch (error) {
    caught = error;
  }
  assert.ok(caught, `expected ${name}, and nothing was refused`);
  assert.equal(caught.name, name, caught.message);
  if (message instanceof RegExp) assert.match(caught.message, message);
  else if (message !== undefined) assert.equal(told(caught.message), message);
  assert.equal(caught.$metadata.httpStatusCode, 400);
  return caught;
}

// AWS's regions differ: since 2026 most put a counter in front of messages that had none.
const told = (message) => (peer ? message.replace(/^1 validation error detected: (?!Value )/, '') : message);
