// PartiQL with the document client.
import assert from 'node:assert/strict';
import { ConditionalCheckFailedException, DuplicateItemException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from '@aws-sdk/lib-dynamodb';
import nodeTest from 'node:test';
import { documents, test as tableTest } from './server.mjs';

// Not all servers to compare with have statements.
const test = process.env.SHEAF_TESTS_PEER ? (name) => nodeTest(name, { skip: true }, () => {}) : tableTest;

const run = (Statement, Parameters, more) => documents.send(new ExecuteStatementCommand({ Statement, Parameters, ...more }));

test('statements take and give plain values', async ({ makeTable }) => {
  const table = await makeTable();
  await run(`INSERT INTO "${table}" VALUE {'pk': ?, 'profile': ?, 'tags': ?}`, ['a', { born: 1970, langs: ['de', 'en'] }, new Set(['x'])]);
  const { Items } = await run(`SELECT profile.langs[1], tags FROM "${table}" WHERE pk = ? AND profile.born < ?`, ['a', 2000]);
  assert.deepEqual(Items, [{ 'langs[1]': 'en', tags: new Set(['x']) }]);
  await assert.rejects(run(`INSERT INTO "${table}" VALUE {'pk': ?}`, ['a']), DuplicateItemException);
  await assert.rejects(
    run(`DELETE FROM "${table}" WHERE pk = ? AND profile.born = ?`, ['a', 1], { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    (error) => error instanceof ConditionalCheckFailedException && error.Item.pk.S === 'a',
  );
});

test('pages are followed to the end', async ({ makeTable }) => {
  const table = await makeTable();
  const RequestItems = { [table]: Array.from({ length: 25 }, (_, n) => ({ PutRequest: { Item: { pk: `k${n}`, n } } })) };
  await documents.send(new BatchWriteCommand({ RequestItems }));
  const found = [];
  let NextToken;
  do {
    const page = await run(`SELECT n FROM "${table}" WHERE n >= 5`, undefined, { Limit: 4, NextToken });
    found.push(...page.Items.map((item) => item.n));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(found.sort((a, b) => a - b), Array.from({ length: 20 }, (_, n) => n + 5));
});

test('batches and transactions of statements', async ({ makeTable }) => {
  const table = await makeTable();
  const insert = { Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'n': 1}` };
  const batch = await documents.send(
    new BatchExecuteStatementCommand({ Statements: [{ ...insert, Parameters: ['a'] }, { ...insert, Parameters: ['b'] }] }),
  );
  assert.deepEqual(batch.Responses, [{ TableName: table }, { TableName: table }]);
  const update = { Statement: `UPDATE "${table}" SET n = n + ? WHERE pk = ?` };
  await documents.send(
    new ExecuteTransactionCommand({ TransactStatements: [{ ...update, Parameters: [1, 'a'] }, { ...update, Parameters: [2, 'b'] }] }),
  );
  await assert.rejects(
    documents.send(
      new ExecuteTransactionCommand({ TransactStatements: [{ ...update, Parameters: [1, 'a'] }, { ...update, Parameters: [1, 'c'] }] }),
    ),
    (error) => error instanceof TransactionCanceledException && error.CancellationReasons[1].Code === 'ConditionalCheckFailed',
  );
  const select = { Statement: `SELECT n FROM "${table}" WHERE pk = ?` };
  const read = await documents.send(
    new ExecuteTransactionCommand({ TransactStatements: [{ ...select, Parameters: ['a'] }, { ...select, Parameters: ['b'] }] }),
  );
  assert.deepEqual(read.Responses.map((response) => response.Item), [{ n: 2 }, { n: 3 }]);
});
