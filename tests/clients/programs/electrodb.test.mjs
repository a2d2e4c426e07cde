// A tracker of projects, built with ElectroDB: one table, several entities, two indexes.
import assert from 'node:assert/strict';
import { createConversions, Entity, Service } from 'electrodb';
import { client, eventually, test } from '../javascript/server.mjs';

const TABLE = {
  indexes: [
    ['gsi1', 'gsi1pk:S,gsi1sk:S'],
    ['gsi2', 'gsi2pk:S,gsi2sk:S'],
  ],
};

function tracker(table) {
  const configuration = { client, table };
  const model = (entity) => ({ entity, version: '1', service: 'tracker' });
  const organization = new Entity(
    {
      model: model('organization'),
      attributes: {
        organizationId: { type: 'string', required: true },
        name: { type: 'string', required: true },
        plan: { type: ['free', 'pro'], default: 'free' },
        seats: { type: 'number', default: 0 },
        settings: { type: 'map', properties: { theme: { type: 'string' }, flags: { type: 'set', items: 'string' } } },
      },
      indexes: {
        organization: {
          collection: 'everything',
          pk: { field: 'pk', composite: ['organizationId'] },
          sk: { field: 'sk', composite: [] },
        },
      },
    },
    configuration,
  );
  const user = new Entity(
    {
      model: model('user'),
      attributes: {
        organizationId: { type: 'string', required: true },
        userId: { type: 'string', required: true },
        email: { type: 'string', required: true },
      },
      indexes: {
        user: {
          collection: 'everything',
          pk: { field: 'pk', composite: ['organizationId'] },
          sk: { field: 'sk', composite: ['userId'] },
        },
        byEmail: { index: 'gsi1', pk: { field: 'gsi1pk', composite: ['email'] }, sk: { field: 'gsi1sk', composite: [] } },
      },
    },
    configuration,
  );
  const email = new Entity(
    {
      model: model('email'),
      attributes: { email: { type: 'string', required: true }, userId: { type: 'string', required: true } },
      indexes: { email: { pk: { field: 'pk', composite: ['email'] }, sk: { field: 'sk', composite: [] } } },
    },
    configuration,
  );
  const task = new Entity(
    {
      model: model('task'),
      attributes: {
        project: { type: 'string', required: true },
        taskId: { type: 'string', required: true },
        assignee: { type: 'string' },
        state: { type: ['open', 'closed'], default: 'open' },
        points: { type: 'number', default: 1 },
        due: { type: 'string', required: true },
        comments: { type: 'list', items: { type: 'map', properties: { by: { type: 'string' }, text: { type: 'string' } } } },
        labels: { type: 'set', items: 'string' },
      },
      indexes: {
        task: { collection: 'work', pk: { field: 'pk', composite: ['project'] }, sk: { field: 'sk', composite: ['taskId'] } },
        assigned: {
          collection: 'person',
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['assignee'] },
          sk: { field: 'gsi1sk', composite: ['state', 'due'] },
        },
        byState: { index: 'gsi2', pk: { field: 'gsi2pk', composite: ['state'] }, sk: { field: 'gsi2sk', composite: ['due'] } },
      },
    },
    configuration,
  );
  // Many to many: an edge, read from the project's end by the table and from the person's end by the index.
  const membership = new Entity(
    {
      model: model('membership'),
      attributes: {
        project: { type: 'string', required: true },
        assignee: { type: 'string', required: true },
        role: { type: 'string', required: true },
      },
      indexes: {
        member: { collection: 'work', pk: { field: 'pk', composite: ['project'] }, sk: { field: 'sk', composite: ['assignee'] } },
        projects: {
          collection: 'person',
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['assignee'] },
          sk: { field: 'gsi1sk', composite: ['project'] },
        },
      },
    },
    configuration,
  );
  return new Service({ organization, user, email, task, membership }, configuration);
}

const start = async (makeTable) => tracker(await makeTable('pk:S,sk:S', TABLE));

const day = (n) => `2026-03-${String(n).padStart(2, '0')}`;

test('electrodb: entities are created once, read, patched with conditions and removed', async ({ makeTable }) => {
  const { organization } = (await start(makeTable)).entities;
  const created = await organization
    .create({ organizationId: 'acme', name: 'Acme', settings: { theme: 'dark', flags: ['beta'] } })
    .go();
  assert.equal(created.data.plan, 'free');
  await assert.rejects(organization.create({ organizationId: 'acme', name: 'again' }).go(), /conditional request failed/);
  const patched = await organization
    .patch({ organizationId: 'acme' })
    .set({ plan: 'pro', 'settings.theme': 'light' })
    .add({ seats: 5 })
    .where(({ plan }, { eq }) => eq(plan, 'free'))
    .go({ response: 'all_new' });
  assert.deepEqual(
    [patched.data.plan, patched.data.seats, patched.data.settings],
    ['pro', 5, { theme: 'light', flags: ['beta'] }],
  );
  const again = organization
    .patch({ organizationId: 'acme' })
    .set({ plan: 'pro' })
    .where(({ plan }, { eq }) => eq(plan, 'free'))
    .go();
  await assert.rejects(again, /conditional request failed/);
  await assert.rejects(organization.patch({ organizationId: 'nobody' }).set({ plan: 'pro' }).go(), /conditional request failed/);
  await organization.upsert({ organizationId: 'bolt', name: 'Bolt' }).go();
  await organization.remove({ organizationId: 'acme' }).go();
  assert.equal((await organization.get({ organizationId: 'acme' }).go()).data, null);
  assert.equal((await organization.get({ organizationId: 'bolt' }).go()).data.name, 'Bolt');
});

// A4, A5: parent and children of several types from one query.
test('electrodb: one query brings a parent with its children', async ({ makeTable }) => {
  const service = await start(makeTable);
  const { organization, user } = service.entities;
  await organization.create({ organizationId: 'acme', name: 'Acme' }).go();
  await user.put(['u1', 'u2', 'u3'].map((userId) => ({ organizationId: 'acme', userId, email: `${userId}@acme` }))).go();
  await user.put([{ organizationId: 'bolt', userId: 'u9', email: 'u9@bolt' }]).go();
  const { data } = await service.collections.everything({ organizationId: 'acme' }).go();
  assert.equal(data.organization.length, 1);
  assert.deepEqual(
    data.user.map(({ userId }) => userId),
    ['u1', 'u2', 'u3'],
  );
  const found = await eventually(async () => {
    const answer = await user.query.byEmail({ email: 'u2@acme' }).go();
    return answer.data.length && answer.data;
  });
  assert.equal(found[0].userId, 'u2');
});

// A7, A8, A9: both directions of a many-to-many relation, and sparse index entries.
test('electrodb: many to many is read from both ends', async ({ makeTable }) => {
  const service = await start(makeTable);
  const { membership, task } = service.entities;
  const edges = [
    ['p1', 'ann'],
    ['p1', 'bob'],
    ['p2', 'ann'],
    ['p3', 'ann'],
  ];
  await membership.put(edges.map(([project, assignee]) => ({ project, assignee, role: 'dev' }))).go();
  await task
    .put([
      { project: 'p1', taskId: 't1', assignee: 'ann', due: day(3) },
      { project: 'p1', taskId: 't2', due: day(1) },
      { project: 'p2', taskId: 't3', assignee: 'ann', due: day(2), state: 'closed' },
    ])
    .go();
  const work = await service.collections.work({ project: 'p1' }).go();
  assert.deepEqual(
    work.data.membership.map(({ assignee }) => assignee),
    ['ann', 'bob'],
  );
  assert.deepEqual(
    work.data.task.map(({ taskId }) => taskId),
    ['t1', 't2'],
  );
  const person = await eventually(async () => {
    const { data } = await service.collections.person({ assignee: 'ann' }).go();
    return data.membership.length === 3 && data.task.length === 2 && data;
  });
  assert.deepEqual(
    person.membership.map(({ project }) => project),
    ['p1', 'p2', 'p3'],
  );
  assert.deepEqual(
    person.task.map(({ taskId }) => taskId),
    ['t3', 't1'],
    'by state, then by due date',
  );
  await membership.remove({ project: 'p2', assignee: 'ann' }).go();
  await eventually(async () => (await membership.query.projects({ assignee: 'ann' }).go()).data.length === 2);
});

// A6, A17: ranges and pages.
test('electrodb: ranges, filters and pages over an index', async ({ makeTable }) => {
  const { task } = (await start(makeTable)).entities;
  const tasks = Array.from({ length: 28 }, (_, n) => ({
    project: 'p1',
    taskId: `t${String(n + 1).padStart(2, '0')}`,
    assignee: n % 2 ? 'ann' : 'bob',
    points: n + 1,
    due: day(n + 1),
    labels: n % 3 ? ['small'] : ['small', 'urgent'],
  }));
  const { unprocessed } = await task.put(tasks).go({ concurrency: 2 });
  assert.deepEqual(unprocessed, []);
  const due = ({ data }) => data.map((each) => each.due);
  await eventually(async () => (await task.query.byState({ state: 'open' }).go({ pages: 'all' })).data.length === 28);
  assert.deepEqual(
    due(
      await task.query
        .byState({ state: 'open' })
        .between({ due: day(5) }, { due: day(7) })
        .go(),
    ),
    [day(5), day(6), day(7)],
  );
  assert.deepEqual(
    due(
      await task.query
        .byState({ state: 'open' })
        .gt({ due: day(26) })
        .go({ order: 'desc' }),
    ),
    [day(28), day(27)],
  );
  assert.deepEqual(
    due(
      await task.query
        .byState({ state: 'open' })
        .lte({ due: day(2) })
        .go(),
    ),
    [day(1), day(2)],
  );
  const urgent = await task.query
    .assigned({ assignee: 'ann', state: 'open' })
    .where(({ labels, points }, { contains, gt }) => `${contains(labels, 'urgent')} AND ${gt(points, 10)}`)
    .go({ pages: 'all' });
  assert.deepEqual(due(urgent), [day(16), day(22), day(28)]);
  const seen = [];
  let cursor = null;
  do {
    const page = await task.query.byState({ state: 'open' }).go({ limit: 9, cursor });
    seen.push(...due(page));
    cursor = page.cursor;
  } while (cursor);
  assert.deepEqual(
    seen,
    tasks.map((each) => each.due),
  );
  const scanned = await task.scan.where(({ points }, { lt }) => lt(points, 3)).go({ pages: 'all' });
  assert.equal(scanned.data.length, 2);
});

// A14: a unique email, kept by a transaction over two items.
test('electrodb: a unique constraint is kept by a transaction', async ({ makeTable }) => {
  const service = await start(makeTable);
  const signUp = (userId, address) =>
    service.transaction
      .write(({ user, email }) => [
        email.create({ email: address, userId }).commit(),
        user.create({ organizationId: 'acme', userId, email: address }).commit(),
      ])
      .go();
  assert.equal((await signUp('u1', 'ann@acme')).canceled, false);
  const second = await signUp('u2', 'ann@acme');
  assert.equal(second.canceled, true);
  assert.deepEqual(
    second.data.map(({ rejected, code }) => [rejected, code]),
    [
      [true, 'ConditionalCheckFailed'],
      [false, 'None'],
    ],
  );
  const users = await service.entities.user.query.user({ organizationId: 'acme' }).go();
  assert.deepEqual(
    users.data.map(({ userId }) => userId),
    ['u1'],
  );
  const racing = await Promise.all(Array.from({ length: 8 }, (_, n) => signUp(`r${n}`, 'same@acme')));
  assert.equal(racing.filter(({ canceled }) => !canceled).length, 1, 'of eight who sign up at once one succeeds');
  const read = await service.transaction
    .get(({ email }) => [email.get({ email: 'ann@acme' }).commit(), email.get({ email: 'none' }).commit()])
    .go();
  assert.deepEqual(
    read.data.map(({ item }) => item?.userId),
    ['u1', undefined],
  );
});

// A16, A18: nested documents change in place; details are fetched by id.
test('electrodb: lists, sets and batches', async ({ makeTable }) => {
  const { task } = (await start(makeTable)).entities;
  await task.put(Array.from({ length: 30 }, (_, n) => ({ project: 'p', taskId: `t${n}`, due: day(1) }))).go();
  const key = { project: 'p', taskId: 't1' };
  await task
    .update(key)
    .append({ comments: [{ by: 'ann', text: 'one' }] })
    .add({ labels: ['x', 'y'] })
    .go();
  await task
    .update(key)
    .append({ comments: [{ by: 'bob', text: 'two' }] })
    .delete({ labels: ['x'] })
    .go();
  const updated = await task
    .update(key)
    .data(({ comments, points }, { set, add }) => {
      set(comments[0].text, 'edited');
      add(points, 4);
    })
    .go({ response: 'all_new' });
  assert.deepEqual(updated.data.comments, [
    { by: 'ann', text: 'edited' },
    { by: 'bob', text: 'two' },
  ]);
  assert.deepEqual([updated.data.labels, updated.data.points], [['y'], 5]);
  const keys = Array.from({ length: 30 }, (_, n) => ({ project: 'p', taskId: `t${n}` }));
  const details = await task.get(keys).go({ preserveBatchOrder: true });
  assert.deepEqual(
    details.data.map(({ taskId }) => taskId),
    keys.map(({ taskId }) => taskId),
  );
  await task.delete(keys.slice(0, 28)).go();
  assert.equal((await task.query.task({ project: 'p' }).go()).data.length, 2);
  assert.ok(createConversions(task).fromComposite.toKeys({ project: 'p', taskId: 't1' }).pk.startsWith('$tracker'));
});
