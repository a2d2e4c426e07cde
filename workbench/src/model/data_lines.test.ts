import assert from 'node:assert/strict';
import test from 'node:test';
import { dataOf } from './data_lines';

test('lists and links of many lines become one file', () => {
  const lines = ['{"User": [1]}', '', '{"User": [2], "links": {"User.friends": [["a", "b"]]}}', '{"links": {"User.friends": [["b", "c"]], "User.blocks": []}}'].join('\n');
  assert.deepEqual(JSON.parse(dataOf(lines)), { User: [1, 2], links: { 'User.friends': [['a', 'b'], ['b', 'c']], 'User.blocks': [] } });
});
