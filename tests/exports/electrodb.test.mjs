// A24: exported entities, run by ElectroDB against a server, with the answers of the model.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DynamoDBClient } from './aws_sdk.mjs';
import { checkClient, prepared } from './client_checks.mjs';

function connect(module, endpoint, options = {}) {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1' });
  const { entities, services } = module.connect(client, options);
  const asked = { pages: 'all' };
  return {
    get: async (kind, properties) => (await entities[kind].get(properties).go()).data,
    list: async (kind, properties, { index = 'primary', reverse } = {}) =>
      (await entities[kind].query[index](properties).go({ ...asked, order: reverse ? 'desc' : 'asc' })).data,
    together: async (collection, kinds, properties, { reverse } = {}) => {
      const service = Object.values(services).find((each) => each.collections[collection]);
      return (await service.collections[collection](properties).go({ ...asked, order: reverse ? 'desc' : 'asc' })).data;
    },
    scan: async (kind) => (await entities[kind].scan.go(asked)).data,
    replace: (kind, properties) => entities[kind].put(properties).go(),
    put: (kind, properties) => entities[kind].create(properties).go(),
    change: (kind, properties, change) => entities[kind].patch(properties).set(change).go(),
    remove: (kind, properties) => entities[kind].remove(properties).go(),
    close: () => client.destroy(),
  };
}

// It takes a property in both keys only if the sort key has no other.
checkClient('electrodb', connect, {
  'orgs index': { kinds: ['User'], patterns: ['orgAndUsers', 'users', 'user'] },
  'repos default': { kinds: ['Repo'], patterns: ['reposOf', 'usersOf', 'usersFull'] },
  'repos by_repo': { kinds: ['Repo'], patterns: ['reposOf', 'usersOf', 'usersFull'] },
});

const { module, endpoint } = await prepared('electrodb', 'support', 'default');

// A4, A5: an item collection is one request.
test('electrodb: a parent with its children is one request', async () => {
  const requests = [];
  const client = connect(module, endpoint, { logger: ({ type, method }) => type === 'query' && requests.push(method) });
  const { Org, User } = await client.together('org', ['Org', 'User'], { orgName: 'acme' });
  assert.deepEqual([Org.length, User.length, requests], [1, 3, ['query']]);
  client.close();
});

// A9: half a key would put an item into an index that it does not belong to.
test('electrodb: an entity without a value of an index is refused where it would have half a key', async () => {
  const hr = await prepared('electrodb', 'hr', 'default');
  const client = connect(hr.module, hr.endpoint);
  const put = client.put('Employee', { employeeId: 'e-9', name: 'Grace', departmentId: 'd-2', managerId: 'e-3' });
  await assert.rejects(put, /Incomplete composite attributes provided for index GSI3/);
  client.close();
});

// In one of its two keys a colon follows the code, and would be escaped there alone.
test('electrodb: a text that keys would write differently is refused', async () => {
  const projected = await prepared('electrodb', 'projected', 'default');
  const client = connect(projected.module, projected.endpoint);
  const thing = { many: [], by_name: {}, inner: { a: '' }, since: '2026-01-01' };
  await client.put('GrEX', { ...thing, grEXCode: 'b c' });
  await assert.rejects(client.put('GrEX', { ...thing, grEXCode: 'b:c' }), /grEXCode/);
  client.close();
});
