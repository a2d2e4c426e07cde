// doc/compatibility.md says which of DynamoDB's operations there are. Here it is held to that, for all of them that the
// SDK knows and all that the page lists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import nodeTest from 'node:test';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as dynamodbStreams from '@aws-sdk/client-dynamodb-streams';
import { client, endpoint, streams } from './server.mjs';

const UNKNOWN = 'UnknownOperationException';

const namesIn = (sdk) =>
  Object.keys(sdk)
    .filter((name) => /^[A-Z]\w+Command$/.test(name))
    .map((name) => name.replace(/Command$/, ''));

// Operation -> what the page says of it, from the rows "| A, B, C | state | … |" of its section on operations.
function readPage() {
  const page = readFileSync(new URL('../../../doc/compatibility.md', import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith('Operations\n'));
  assert.ok(section, 'the page has no section on operations');
  const states = new Map();
  for (const [, names, state] of section.matchAll(/^\| ([A-Z]\w+(?:, [A-Z]\w+)*) \| (\w+) \|/gm)) {
    for (const name of names.split(', ')) {
      assert.ok(!states.has(name), `${name} is listed twice`);
      states.set(name, state);
    }
  }
  return states;
}

// The error's name, or undefined.
async function answerTo(sdk, sender, name) {
  try {
    await sender.send(new sdk[`${name}Command`]({}));
    return undefined;
  } catch (error) {
    assert.ok(error.$metadata?.httpStatusCode, `${name}: no answer came: ${error}`);
    return error.name;
  }
}

const states = readPage();
const skip = process.env.SHEAF_TESTS_PEER ? 'the page is about Sheaf' : false;

for (const [label, sdk, sender] of [
  ['DynamoDB', dynamodb, client],
  ['DynamoDB Streams', dynamodbStreams, streams],
]) {
  nodeTest(`every operation of ${label} is answered as the page says`, { skip }, async () => {
    const names = namesIn(sdk);
    assert.ok(names.length >= 4, `the SDK has ${names.length} operations`);
    for (const name of names) {
      const state = states.get(name);
      assert.ok(state, `${name} is not on the page`);
      const answer = await answerTo(sdk, sender, name);
      if (state === UNKNOWN) assert.equal(answer, UNKNOWN, name);
      else assert.notEqual(answer, UNKNOWN, name);
    }
  });
}

nodeTest('what the page lists beyond this SDK is answered as it says', { skip }, async () => {
  const known = new Set([...namesIn(dynamodb), ...namesIn(dynamodbStreams)]);
  for (const [name, state] of states) {
    if (known.has(name)) continue;
    assert.equal(state, UNKNOWN, `${name} is there, but no client knows it`);
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': `DynamoDB_20120810.${name}` },
      body: '{}',
    });
    assert.equal(answer.status, 400, name);
    assert.deepEqual(await answer.json(), { __type: `com.amazon.coral.service#${UNKNOWN}` }, name);
  }
});
