import assert from 'node:assert/strict';
import test from 'node:test';
import { layoutWords } from './layout_words';

const MODEL = `model m {
  // layout method1 { rel A.b via ref }
  layout method1 { table a { pk x }; rel A.b via index on by_a }
  layout method2 { rel A.b via index on by_a copy a(*) }
  layout method3 { rel A.b via edges pk one; rel A.c via ref; rel A.d via ids d }
  layout plain { }
}`;

test('tells the strategies that a layout names, without keys', () => {
  assert.equal(layoutWords(MODEL, 'method1'), 'A.b via index');
  assert.equal(layoutWords(MODEL, 'method2'), 'A.b via index copy a(*)');
  assert.equal(layoutWords(MODEL, 'method3'), 'A.b via edges pk one; A.c via ref; …');
});
test('tells nothing where the model says nothing', () => {
  assert.equal(layoutWords(MODEL, 'plain'), '');
  assert.equal(layoutWords(MODEL, 'default'), '');
});
