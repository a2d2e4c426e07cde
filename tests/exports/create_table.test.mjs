// A24: CreateTable requests, carried out by the AWS command line and the SDK, make what `sheaf model apply` makes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import * as sdk from './aws_sdk.mjs';
import { allLayouts, exported, modelFile, serve, sheaf } from './sheaf.mjs';
import { apiShape, byName } from './table_shapes.mjs';

const run = promisify(execFile);
const connect = (endpoint) => new sdk.DynamoDBClient({ endpoint, region: 'us-east-1' });

async function tables(endpoint) {
  const client = connect(endpoint);
  const { TableNames } = await client.send(new sdk.ListTablesCommand({}));
  const described = TableNames.map(async (TableName) => {
    const { Table } = await client.send(new sdk.DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription: ttl } = await client.send(new sdk.DescribeTimeToLiveCommand({ TableName }));
    assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
    return apiShape(Table, ttl.AttributeName);
  });
  const shapes = byName(await Promise.all(described));
  client.destroy();
  return shapes;
}

async function byCommandLine(endpoint, requests) {
  const aws = (operation, request) =>
    run('/usr/bin/aws', ['dynamodb', operation, '--endpoint-url', endpoint, '--cli-input-json', JSON.stringify(request)]);
  for (const request of requests.CreateTable) await aws('create-table', request);
  for (const request of requests.UpdateTimeToLive) await aws('update-time-to-live', request);
}

async function bySdk(endpoint, requests) {
  const client = connect(endpoint);
  for (const request of requests.CreateTable) await client.send(new sdk.CreateTableCommand(request));
  for (const request of requests.UpdateTimeToLive) await client.send(new sdk.UpdateTimeToLiveCommand(request));
  client.destroy();
}

async function check(model, layout, carryOut) {
  const [made, applied] = [await serve(), await serve()];
  await carryOut(made, JSON.parse(await exported(model, 'create-table', layout)));
  await sheaf('apply', modelFile(model), '--layout', layout, '--endpoint', applied);
  assert.deepEqual(await tables(made), await tables(applied), `${model} ${layout}`);
  // Tables that are there are taken, if they fit.
  await sheaf('apply', modelFile(model), '--layout', layout, '--endpoint', made);
}

test('the SDK makes the tables of all layouts', async () => {
  for (const [model, layout] of await allLayouts()) await check(model, layout, bySdk);
});

// It takes a second to start, so not for all of them.
for (const [model, layout] of [
  ['orgs', 'default'],
  ['hr', 'method1'],
  ['hr', 'method3'],
  ['projected', 'default'],
])
  test(`the command line makes the tables of ${model}, ${layout}`, () => check(model, layout, byCommandLine));
