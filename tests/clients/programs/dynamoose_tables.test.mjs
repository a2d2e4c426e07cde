// Dynamoose: tables are made, brought up to date and shared by several models.
import assert from 'node:assert/strict';
import { DescribeTimeToLiveCommand, ListTagsOfResourceCommand } from '@aws-sdk/client-dynamodb';
import dynamoose from 'dynamoose';
import { client, describe, eventually, refused, test, untilActive } from '../javascript/server.mjs';
import { animalSchema, fields, makeTable, shelter } from './dynamoose_shelter.mjs';
import { storedItem, storedItems } from './stored.mjs';

const keys = (schema) => schema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`);
const tagsOf = async (table) =>
  Object.fromEntries(
    (await client.send(new ListTagsOfResourceCommand({ ResourceArn: table.TableArn }))).Tags.map(({ Key, Value }) => [
      Key,
      Value,
    ]),
  );
const timeToLive = async (TableName) => (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;

test('dynamoose: makes its table with all that a schema says', async ({ uniqueName }) => {
  const name = uniqueName();
  const Animal = dynamoose.model(`Animal ${name}`, animalSchema());
  const options = {
    throughput: { read: 5, write: 7 },
    tags: { team: 'zoo', stage: 'test' },
    tableClass: 'infrequentAccess',
    streamOptions: { enabled: true, type: 'NEW_AND_OLD_IMAGES' },
  };
  const table = await makeTable(name, [Animal], options);
  assert.deepEqual([table.name, table.hashKey, table.rangeKey], [name, 'shelter', 'id']);
  const made = await describe(name);
  assert.deepEqual(keys(made.KeySchema), ['shelter HASH', 'id RANGE']);
  assert.deepEqual(made.AttributeDefinitions.map(({ AttributeName, AttributeType }) => AttributeName + AttributeType).sort(), [
    'arrivedN',
    'idS',
    'shelterS',
    'speciesS',
    'weightN',
  ]);
  const [global] = made.GlobalSecondaryIndexes;
  assert.deepEqual(
    [global.IndexName, keys(global.KeySchema), global.Projection],
    ['bySpecies', ['species HASH', 'weight RANGE'], { ProjectionType: 'ALL' }],
  );
  const [local] = made.LocalSecondaryIndexes;
  assert.deepEqual(
    [local.IndexName, keys(local.KeySchema), local.Projection],
    ['byArrival', ['shelter HASH', 'arrived RANGE'], { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] }],
  );
  const units = ({ ReadCapacityUnits, WriteCapacityUnits }) => [ReadCapacityUnits, WriteCapacityUnits];
  assert.deepEqual(
    [units(made.ProvisionedThroughput), units(global.ProvisionedThroughput)],
    [
      [5, 7],
      [5, 7],
    ],
  );
  assert.equal(made.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  assert.deepEqual(made.StreamSpecification, { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  assert.deepEqual(await tagsOf(made), { team: 'zoo', stage: 'test' });

  // It is left as it is by those who come later, and made no second time by force.
  await Animal.create({ shelter: 'ulm', id: 'tom', name: 'Tom' });
  const again = await makeTable(name, [dynamoose.model(`Again ${name}`, animalSchema())], options);
  assert.equal((await describe(name)).TableId, made.TableId);
  assert.equal((await storedItems(name, ['shelter', 'id'])).length, 1);
  await refused('ResourceInUseException', `Table already exists: ${name}`, again.create());
});

test('dynamoose: brings its table up to date', async ({ uniqueName }) => {
  const name = uniqueName();
  const schema = (indexes) =>
    new dynamoose.Schema({ id: { type: String, hashKey: true }, size: Number, owner: String, place: String, ...indexes });
  const model = (label, indexes = {}) => dynamoose.model(`${label} ${name}`, schema(indexes));
  const First = model('First', { owner: { type: String, index: { name: 'byOwner', project: ['size'] } } });
  await makeTable(name, [First], { tags: { old: '1', kept: '2' } });
  await First.create({ id: 'a', owner: 'ann', place: 'ulm', size: 3 });
  assert.deepEqual((await First.query('owner').eq('ann').exec()).map(fields), [{ id: 'a', owner: 'ann', size: 3 }]);

  const update = ['indexes', 'tags', 'throughput', 'tableClass', 'streams', 'ttl'];
  const changes = {
    update,
    tags: { kept: '2', new: '3' },
    tableClass: 'infrequentAccess',
    streamOptions: { enabled: true, type: 'KEYS_ONLY' },
    expires: 60_000,
  };
  const Second = model('Second', { place: { type: String, index: { name: 'byPlace', rangeKey: 'size' } } });
  await makeTable(name, [Second], changes);
  const changed = await untilActive(name);
  assert.deepEqual(
    changed.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => [IndexName, keys(KeySchema)]),
    [['byPlace', ['place HASH', 'size RANGE']]],
  );
  assert.deepEqual(await tagsOf(changed), { kept: '2', new: '3' });
  assert.equal(changed.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  assert.deepEqual(changed.StreamSpecification, { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' });
  assert.deepEqual(
    (await Second.query('place').eq('ulm').where('size').ge(3).exec()).map(({ id }) => id),
    ['a'],
    'the new index has what was there before',
  );
  await eventually(async () => (await timeToLive(name)).TimeToLiveStatus === 'ENABLED');
  assert.equal((await timeToLive(name)).AttributeName, 'ttl');

  // Nothing is left to change.
  const requests = [];
  const third = new dynamoose.Instance();
  const ddb = dynamoose.aws.ddb();
  third.aws.ddb.set(
    new Proxy(ddb, {
      get: (target, method) => (parameters) => {
        requests.push(method);
        return target[method](parameters);
      },
    }),
  );
  const Third = model('Third', { place: { type: String, index: { name: 'byPlace', rangeKey: 'size' } } });
  const table = new third.Table(name, [Third], { initialize: false, throughput: 'ON_DEMAND', create: false, ...changes });
  await table.initialize();
  assert.deepEqual(
    requests.filter((method) => /^(update|tag|untag|create)/.test(method)),
    [],
  );
  assert.ok(requests.includes('describeTimeToLive') && requests.includes('listTagsOfResource'), String(requests));
});

test('dynamoose: changes what its table can do', async ({ uniqueName }) => {
  const name = uniqueName();
  const model = (label) => dynamoose.model(`${label} ${name}`, new dynamoose.Schema({ id: { type: String, hashKey: true } }));
  const update = ['throughput'];
  const units = async () => {
    const { ProvisionedThroughput, BillingModeSummary } = await untilActive(name);
    const { ReadCapacityUnits, WriteCapacityUnits } = ProvisionedThroughput;
    return [BillingModeSummary?.BillingMode ?? 'PROVISIONED', ReadCapacityUnits, WriteCapacityUnits];
  };
  await makeTable(name, [model('First')], { throughput: 5 });
  assert.deepEqual(await units(), ['PROVISIONED', 5, 5]);
  await makeTable(name, [model('Second')], { update, create: false, throughput: { read: 8, write: 9 } });
  assert.deepEqual(await units(), ['PROVISIONED', 8, 9]);
  await makeTable(name, [model('Third')], { update, create: false });
  assert.deepEqual(await units(), ['PAY_PER_REQUEST', 0, 0]);
  // Dynamoose does not say that the table is to be provisioned again.
  await refused(
    'ValidationException',
    'One or more parameter values were invalid: ' +
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    makeTable(name, [model('Fourth')], { update, create: false, throughput: 4 }),
  );
  assert.deepEqual(await units(), ['PAY_PER_REQUEST', 0, 0]);
});

test('dynamoose: items expire', async ({ uniqueName }) => {
  const name = uniqueName();
  const Session = dynamoose.model(`Session ${name}`, new dynamoose.Schema({ id: { type: String, hashKey: true }, data: String }));
  await makeTable(name, [Session], { expires: { ttl: 86_400_000, attribute: 'until', items: { returnExpired: false } } });
  assert.equal((await timeToLive(name)).AttributeName, 'until');
  const before = Math.floor(Date.now() / 1000);
  await Session.create({ id: 'fresh', data: 'x' });
  const { until, ...rest } = await storedItem(name, { id: { S: 'fresh' } });
  assert.deepEqual(rest, { id: { S: 'fresh' }, data: { S: 'x' } });
  assert.ok(Number(until.N) >= before + 86_400, `${until.N} from ${before}`);
  assert.ok((await Session.get('fresh')).until instanceof Date);
  await Session.create({ id: 'stale', until: new Date(Date.now() - 86_400_000) });
  assert.equal(await Session.get('stale'), undefined, 'gone, or not shown any more');
  const ids = (await Session.scan().exec()).map(({ id }) => id);
  assert.deepEqual(ids, ['fresh']);
  await eventually(async () => (await storedItems(name, ['id'])).length === 1);
  assert.ok(await storedItem(name, { id: { S: 'fresh' } }));
});

test('dynamoose: several models share one table, and refer to each other', async ({ uniqueName }) => {
  const name = uniqueName();
  const { Schema, type } = dynamoose;
  const key = { pk: { type: String, hashKey: true }, sk: { type: String, rangeKey: true } };
  const Keeper = dynamoose.model(
    `Keeper ${name}`,
    new Schema({
      ...key,
      kind: type.CONSTANT('keeper'),
      first: String,
      last: String,
      full: type.COMBINE(['first', 'last'], ' '),
    }),
  );
  const Cage = dynamoose.model(`Cage ${name}`, new Schema({ ...key, kind: type.CONSTANT('cage'), size: Number, keeper: Keeper }));
  await makeTable(name, [Keeper, Cage]);
  await Keeper.create({ pk: 'zoo', sk: 'keeper#1', kind: 'keeper', first: 'Ann', last: 'Fox' });
  await Cage.create({ pk: 'zoo', sk: 'cage#1', kind: 'cage', size: 9, keeper: { pk: 'zoo', sk: 'keeper#1' } });
  assert.deepEqual(await storedItems(name), [
    {
      pk: { S: 'zoo' },
      sk: { S: 'cage#1' },
      kind: { S: 'cage' },
      size: { N: '9' },
      keeper: { M: { pk: { S: 'zoo' }, sk: { S: 'keeper#1' } } },
    },
    {
      pk: { S: 'zoo' },
      sk: { S: 'keeper#1' },
      kind: { S: 'keeper' },
      first: { S: 'Ann' },
      last: { S: 'Fox' },
      full: { S: 'Ann Fox' },
    },
  ]);
  const cage = await (await Cage.get({ pk: 'zoo', sk: 'cage#1' })).populate();
  assert.equal(cage.keeper.full, 'Ann Fox');
  const keepers = await Keeper.query('pk').eq('zoo').where('sk').beginsWith('keeper#').exec();
  assert.deepEqual(keepers.map(fields), [
    { pk: 'zoo', sk: 'keeper#1', kind: 'keeper', first: 'Ann', last: 'Fox', full: 'Ann Fox' },
  ]);
});

test('dynamoose: a table that is not there is told', async ({ uniqueName }) => {
  const { Animal } = await shelter(uniqueName);
  const name = uniqueName();
  const Ghost = dynamoose.model(`Ghost ${name}`, animalSchema());
  await makeTable(name, [Ghost], { create: false, waitForActive: false });
  await refused('ResourceNotFoundException', 'Requested resource not found', Ghost.get({ shelter: 'ulm', id: 'tom' }));
  assert.equal(await Animal.get({ shelter: 'ulm', id: 'tom' }), undefined);
});
