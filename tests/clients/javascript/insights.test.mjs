// Contributor Insights, with the modes that Debian's clients do not know.
import assert from 'node:assert/strict';
import nodeTest from 'node:test';
import {
  DescribeContributorInsightsCommand,
  ListContributorInsightsCommand,
  ResourceNotFoundException,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb';
import { client, refused, test } from './server.mjs';

const ALL = 'ACCESSED_AND_THROTTLED_KEYS';
const THROTTLED = 'THROTTLED_KEYS';

const without = ({ $metadata, ...answer }) => answer;
const enable = async (TableName, more = {}) =>
  without(await client.send(new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE', ...more })));
const disable = async (TableName, more = {}) =>
  without(await client.send(new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'DISABLE', ...more })));
const told = async (TableName, more = {}) =>
  without(await client.send(new DescribeContributorInsightsCommand({ TableName, ...more })));
const list = async (request) => without(await client.send(new ListContributorInsightsCommand(request)));

// "PKC PKT": which rules there are.
const kinds = ({ ContributorInsightsRuleList: rules = [] }) => rules.map((rule) => rule.split('-')[1]).join(' ');

const has = process.env.SHEAF_TESTS_PEER ? (name) => nodeTest(name, { skip: 'others do not have them' }) : test;

has('contributor insights are on in one of two modes', async ({ makeTable }) => {
  const TableName = await makeTable('pk:S,sk:S');
  assert.deepEqual(await told(TableName), { TableName, ContributorInsightsStatus: 'DISABLED' });
  assert.deepEqual(await enable(TableName), {
    TableName,
    ContributorInsightsStatus: 'ENABLING',
    ContributorInsightsMode: ALL,
  });
  const all = await told(TableName);
  assert.equal(all.ContributorInsightsMode, ALL);
  assert.equal(kinds(all), 'PKC SKC PKT SKT');
  assert.ok(all.LastUpdateDateTime instanceof Date);
  assert.ok(Math.abs(Date.now() - all.LastUpdateDateTime) < 60_000);

  const narrowed = await enable(TableName, { ContributorInsightsMode: THROTTLED });
  assert.deepEqual(narrowed, { TableName, ContributorInsightsStatus: 'ENABLING', ContributorInsightsMode: THROTTLED });
  const throttled = await told(TableName);
  assert.equal(kinds(throttled), 'PKT SKT');
  assert.deepEqual(throttled.ContributorInsightsRuleList, all.ContributorInsightsRuleList.slice(2));
  assert.equal((await enable(TableName, { ContributorInsightsMode: THROTTLED })).ContributorInsightsStatus, 'ENABLED');

  // No mode is the first one; of what is turned off, the one that it had is told.
  assert.equal((await enable(TableName)).ContributorInsightsMode, ALL);
  assert.deepEqual(await disable(TableName, { ContributorInsightsMode: THROTTLED }), {
    TableName,
    ContributorInsightsStatus: 'DISABLING',
    ContributorInsightsMode: ALL,
  });
  const { LastUpdateDateTime, ...off } = await told(TableName);
  assert.ok(LastUpdateDateTime >= all.LastUpdateDateTime);
  assert.deepEqual(off, { TableName, ContributorInsightsStatus: 'DISABLED', ContributorInsightsMode: ALL });
});

has('contributor insights of indexes are listed behind those of their table', async ({ makeTable }) => {
  const indexes = [
    ['two', 'g:S,h:S'],
    ['one', 'g:S'],
  ];
  const TableName = await makeTable('pk:S', { indexes });
  await enable(TableName, { IndexName: 'two', ContributorInsightsMode: THROTTLED });
  await enable(TableName, { IndexName: 'one' });
  await enable(TableName);
  assert.equal(kinds(await told(TableName, { IndexName: 'two' })), 'PKT SKT');
  const on = { ContributorInsightsStatus: 'ENABLED', ContributorInsightsMode: ALL };
  const expected = [
    { TableName, ...on },
    { TableName, IndexName: 'one', ...on },
    { TableName, IndexName: 'two', ...on, ContributorInsightsMode: THROTTLED },
  ];
  assert.deepEqual(await list({ TableName }), { ContributorInsightsSummaries: expected });
  const pages = [];
  let NextToken;
  do {
    const page = await list({ TableName, MaxResults: 1, NextToken });
    pages.push(page.ContributorInsightsSummaries);
    ({ NextToken } = page);
  } while (NextToken);
  assert.deepEqual(
    pages,
    expected.map((each) => [each]),
  );
});

has('a mode that there is not is refused', async ({ makeTable, uniqueName }) => {
  const TableName = await makeTable();
  await refused(
    'ValidationException',
    "1 validation error detected: Value 'ACCESSED_KEYS' at 'contributorInsightsMode' failed to satisfy constraint: " +
      'Member must satisfy enum value set: [THROTTLED_KEYS, ACCESSED_AND_THROTTLED_KEYS]',
    enable(TableName, { ContributorInsightsMode: 'ACCESSED_KEYS' }),
  );
  const nothing = uniqueName();
  const error = await refused(
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${nothing} not found`,
    told(nothing),
  );
  assert.ok(error instanceof ResourceNotFoundException);
});
