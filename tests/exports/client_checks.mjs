// What holds for every client of exported schemas: it answers as the model does, and what it puts the model finds. A client is made by
// connect(module, endpoint); beside what patterns.mjs needs it has scan, put, replace, change, remove and close.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { DescribeTableCommand, DynamoDBClient, ScanCommand } from './aws_sdk.mjs';
import { CASES, WRITES } from './patterns.mjs';
import { allLayouts, ask, dataFile, exported, folder, modelFile, serve, sheaf } from './sheaf.mjs';

const modules = folder('clients');

async function exportedModule(model, format, layout) {
  const path = join(modules, `${format}_${model}_${layout}.mjs`);
  const text = await exported(model, format, layout);
  writeFileSync(path, text);
  const leftOut = [...text.matchAll(/^\/\/ Left out: (.+?): /gm)].map(([, name]) => name);
  return { leftOut, text, module: await import(path) };
}

async function loaded(model, layout) {
  const endpoint = await serve();
  await sheaf('load', modelFile(model), dataFile(model), '--layout', layout, '--endpoint', endpoint);
  return endpoint;
}

// User.repos is UserRepos there.
const entityName = (kind) =>
  kind
    .match(/[A-Z]*[a-z0-9]+/g)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

// A module, and a server with the data of its model.
export async function prepared(format, model, layout) {
  return { ...(await exportedModule(model, format, layout)), endpoint: await loaded(model, layout) };
}

// All items of the tables, by table and primary key.
async function storedItems(endpoint, facets) {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1' });
  const found = new Map();
  for (const TableName of new Set(facets.map((each) => each.TableName))) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const { Items } = await client.send(new ScanCommand({ TableName }));
    for (const item of Items) found.set(text([TableName, ...Table.KeySchema.map((part) => item[part.AttributeName])]), item);
  }
  client.destroy();
  return found;
}

// Patterns that promise an order; lists of the others may come in any.
const ORDERED = ['orders', 'order', 'userAndTickets'];
const text = (value) => JSON.stringify(value);
function comparable(value, isOrdered) {
  if (Array.isArray(value)) {
    const elements = value.map((each) => comparable(each, isOrdered));
    return isOrdered ? elements : elements.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  }
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, comparable(each, isOrdered)]));
}

// `missing`: for "model layout" what is left out, and which patterns need it.
export function checkClient(format, connect, missing) {
  test(`${format}: every layout of every example gives a module that it takes`, async () => {
    for (const [model, layout] of await allLayouts()) {
      const { module } = await exportedModule(model, format, layout);
      if (module.connect) connect(module, 'http://127.0.0.1:1').close();
      else assert.deepEqual(module.schemas, {});
    }
  });

  test(`${format}: what it reads and puts again changes no item, in every layout of every example`, async () => {
    let entities = 0;
    for (const [model, layout] of await allLayouts()) {
      const { module, leftOut, text: source } = await exportedModule(model, format, layout);
      if (!module.connect) continue;
      const endpoint = await loaded(model, layout);
      const client = connect(module, endpoint);
      const { DataModel } = JSON.parse(await exported(model, 'workbench', layout, '--data', dataFile(model)));
      const facets = DataModel.flatMap(({ TableFacets, TableName }) => TableFacets.map((each) => ({ ...each, TableName })));
      const before = await storedItems(endpoint, facets);
      for (const { FacetName, TableData } of facets.filter(({ FacetName }) => !leftOut.includes(FacetName))) {
        const kind = entityName(FacetName);
        const found = await client.scan(kind);
        assert.equal(found.length, TableData.length, `${model} ${layout} ${kind}`);
        for (const each of found) {
          const what = `${model} ${layout} ${kind} ${text(each)}`;
          assert.deepEqual(await client.get(kind, each), each, what);
          try {
            await client.replace(kind, each);
          } catch (error) {
            // Where the comment says so.
            assert.ok(source.includes('Not put without') && /Incomplete composite attributes/.test(error.message), `${what}: ${error}`);
          }
          entities += 1;
        }
      }
      const after = await storedItems(endpoint, facets);
      assert.equal(after.size, before.size, `${model} ${layout}`);
      for (const [key, item] of before) {
        for (const [name, value] of Object.entries(item)) {
          // Versions are kept by operations alone.
          if (!name.startsWith('_')) assert.deepEqual(after.get(key)?.[name], value, `${model} ${layout} ${key} ${name}`);
        }
      }
      client.close();
    }
    assert.ok(entities > 150, `${entities} entities`);
  });

  for (const { model, layout, asked, answers } of CASES) {
    test(`${format}: ${model}, ${layout}: answers as the model does`, async () => {
      const { module, leftOut } = await exportedModule(model, format, layout);
      const { kinds = [], patterns = [] } = missing[`${model} ${layout}`] ?? {};
      assert.deepEqual(leftOut, kinds, 'what is left out');
      const answered = Object.entries(asked).filter(([pattern]) => !patterns.includes(pattern));
      if (answered.length === 0) return;
      const endpoint = await loaded(model, layout);
      const client = connect(module, endpoint);
      for (const [pattern, questions] of answered) {
        for (const values of questions) {
          const found = await answers[pattern](client, ...values);
          const wanted = await ask(endpoint, model, layout, pattern, ...values);
          const isOrdered = ORDERED.includes(pattern);
          assert.deepEqual(comparable(found, isOrdered), comparable(wanted, isOrdered), `${pattern} ${text(values)}`);
        }
      }
      client.close();
    });
  }

  for (const { model, layout = 'default', kind, key, fields, change, ask: question, pick, found, changed } of WRITES) {
    if (missing[`${model} ${layout}`]?.kinds.includes(kind)) continue;
    test(`${format}: ${model}, ${layout}: what it puts, changes and removes, the model finds so`, async () => {
      const { module } = await exportedModule(model, format, layout);
      const endpoint = await loaded(model, layout);
      const client = connect(module, endpoint);
      const seen = async () => {
        const documents = await ask(endpoint, model, layout, question[0], ...question.slice(1));
        return comparable(pick ? documents.filter(pick) : documents, false);
      };
      const audited = () => sheaf('audit', modelFile(model), '--layout', layout, '--endpoint', endpoint);
      await client.put(kind, { ...key, ...fields });
      assert.deepEqual(await seen(), comparable([found], false));
      assert.match(await audited(), / 0 findings$/m);
      await client.change(kind, key, change);
      assert.deepEqual(await seen(), comparable([{ ...found, ...(changed ?? change) }], false));
      assert.match(await audited(), / 0 findings$/m);
      await client.remove(kind, key);
      assert.deepEqual(await seen(), []);
      client.close();
    });
  }

  test(`${format}: values that keys escape are found and put`, async () => {
    const { module } = await exportedModule('orgs', format, 'default');
    const endpoint = await loaded('orgs', 'default');
    const client = connect(module, endpoint);
    const name = 'a b#c%é';
    const run = (...args) => sheaf('run', modelFile('orgs'), ...args, '--endpoint', endpoint);
    await run('put.Org', text({ name, plan: 'PRO' }));
    await run('join', text({ org: name, name: 'ann x', email: 'x' }));
    const ann = { orgName: name, userName: 'ann x', email: 'x', role: 'MEMBER' };
    assert.deepEqual(await client.list('User', { orgName: name }), [ann]);
    assert.deepEqual(await client.get('User', { orgName: name, userName: 'ann x' }), ann);
    await client.put('User', { ...ann, userName: '#%' });
    assert.deepEqual(await ask(endpoint, 'orgs', 'default', 'user', [name, '#%']), [{ org: name, name: '#%', email: 'x', role: 'MEMBER' }]);
    client.close();
  });

  test(`${format}: what only the model keeps is said`, async () => {
    assert.match((await exportedModule('support', format, 'default')).text, /\/\/ Only the model keeps: email is unique\.\n +User: /);
    assert.match((await exportedModule('copied', format, 'default')).text, /\/\/ Only the model keeps: customer_name is a copy\./);
    assert.doesNotMatch((await exportedModule('orgs', format, 'default')).text, /Only the model keeps/);
  });
}
