// A24: data models for NoSQL Workbench have the form of those that it writes itself, and hold the items that are loaded.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DynamoDBClient, ScanCommand } from './aws_sdk.mjs';
import { allLayouts, dataFile, exported, modelFile, serve, sheaf } from './sheaf.mjs';

const TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'];

// The members that files of Workbench have, version 3.0; a ? marks those that some lack.
const text = (value) => typeof value === 'string';
const oneOf = (...values) => (value) => values.includes(value);
const list = (element) => (value) => Array.isArray(value) && value.every(element);
const object = (members) => (value) => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const names = Object.keys(members).map((name) => name.replace('?', ''));
  return (
    Object.keys(value).every((name) => names.includes(name)) &&
    Object.entries(members).every(([name, check]) =>
      name.endsWith('?') && !(name.slice(0, -1) in value) ? true : check(value[name.replace('?', '')]),
    )
  );
};
const attribute = (...types) => object({ AttributeName: text, AttributeType: oneOf(...types) });
const key = object({ PartitionKey: attribute('S', 'N', 'B'), 'SortKey?': attribute('S', 'N', 'B') });
const item = (value) => Object.values(value).every((each) => TYPES.includes(Object.keys(each).join()));
const access = object({ MySql: object({}) });
const facet = object({
  FacetName: text,
  KeyAttributeAlias: object({ PartitionKeyAlias: text, 'SortKeyAlias?': text }),
  TableData: list(item),
  NonKeyAttributes: list(text),
  'DataAccess?': access,
});
const index = object({
  IndexName: text,
  KeyAttributes: key,
  Projection: object({ ProjectionType: oneOf('ALL', 'INCLUDE', 'KEYS_ONLY'), 'NonKeyAttributes?': list(text) }),
});
const table = object({
  TableName: text,
  KeyAttributes: key,
  NonKeyAttributes: list(attribute(...TYPES)),
  'TableFacets?': list(facet),
  'GlobalSecondaryIndexes?': list(index),
  'TableData?': list(item),
  DataAccess: access,
  'BillingMode?': oneOf('PROVISIONED', 'PAY_PER_REQUEST'),
});
const file = object({
  ModelName: text,
  ModelMetadata: object({
    Author: text,
    DateCreated: (value) => !Number.isNaN(Date.parse(value)),
    DateLastModified: (value) => !Number.isNaN(Date.parse(value)),
    Description: text,
    AWSService: oneOf('Amazon DynamoDB'),
    Version: oneOf('3.0'),
  }),
  DataModel: list(table),
});

test('data models have the form of Workbench, and name no attribute that is not declared', async () => {
  for (const [model, layout] of await allLayouts()) {
    const exportedModel = JSON.parse(await exported(model, 'workbench', layout));
    assert.ok(file(exportedModel), `${model} ${layout}`);
    for (const each of exportedModel.DataModel) {
      const keys = Object.values(each.KeyAttributes).map(({ AttributeName }) => AttributeName);
      const named = each.NonKeyAttributes.map(({ AttributeName }) => AttributeName);
      assert.equal(new Set([...keys, ...named]).size, keys.length + named.length, 'each attribute is declared once');
      for (const { NonKeyAttributes } of each.TableFacets) for (const name of NonKeyAttributes) assert.ok(named.includes(name), name);
      for (const { KeyAttributes } of each.GlobalSecondaryIndexes)
        for (const { AttributeName } of Object.values(KeyAttributes))
          assert.ok([...keys, ...named].includes(AttributeName), AttributeName);
      // With facets the items are theirs: such files have no list of their own.
      assert.equal('TableData' in each, each.TableFacets.length === 0);
    }
  }
  assert.ok(!file({ ...JSON.parse(await exported('orgs', 'workbench')), DataModel: [{ TableName: 'x' }] }));
});

test('facets hold the items that are loaded, and every attribute of them is declared', async () => {
  // The SDK has bytes where JSON has base64.
  const plain = (_, value) => (value?.B instanceof Uint8Array ? { B: Buffer.from(value.B).toString('base64') } : value);
  const sorted = (items) => items.map((each) => JSON.stringify(Object.entries(each).sort(), plain)).sort();
  for (const [model, layout] of await allLayouts()) {
    const endpoint = await serve();
    const client = new DynamoDBClient({ endpoint, region: 'us-east-1' });
    await sheaf('load', modelFile(model), dataFile(model), '--layout', layout, '--endpoint', endpoint);
    const { DataModel } = JSON.parse(await exported(model, 'workbench', layout, '--data', dataFile(model)));
    for (const { TableName, TableFacets, KeyAttributes, NonKeyAttributes } of DataModel.slice(0, -1)) {
      const { Items } = await client.send(new ScanCommand({ TableName }));
      // Without what Sheaf keeps for itself.
      for (const each of Items) for (const name of Object.keys(each)) if (name.startsWith('_')) delete each[name];
      const data = TableFacets.flatMap(({ TableData }) => TableData);
      assert.deepEqual(sorted(data), sorted(Items), `${model} ${layout}`);
      const types = new Map(
        [...Object.values(KeyAttributes), ...NonKeyAttributes].map((each) => [each.AttributeName, each.AttributeType]),
      );
      // An attribute that has values of several types, as those that are stored field by field, is declared as one of them.
      const mixed = model === 'catalogue' && layout === 'default' ? ['value'] : [];
      for (const each of data) {
        for (const [name, value] of Object.entries(each)) {
          assert.ok(types.has(name), name);
          assert.ok(value[types.get(name)] !== undefined || mixed.includes(name), name);
        }
      }
    }
    client.destroy();
  }
});

test('a data model of something else is refused', async () => {
  await assert.rejects(exported('orgs', 'workbench', 'default', '--data', dataFile('shop')), /data\.json: /);
  await assert.rejects(exported('orgs', 'terraform', 'default', '--data', dataFile('orgs')), /--data is for --as workbench/);
});
