// The description of every example is OpenAPI, as the specification's own schema has it, and everything in it can be told apart.
import { Validator } from '@seriousme/openapi-schema-validator';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, serve } from './server.js';

interface Api {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string }>>;
}

test('descriptions are OpenAPI 3.1', async () => {
  const url = await serve();
  for (const model of examples) {
    const api = (await (await fetch(`${url}/models/${model}/openapi.json`)).json()) as Api;
    const validator = new Validator();
    const { valid, errors } = await validator.validate(api);
    assert.ok(valid, `${model}: ${JSON.stringify(errors)}`);
    assert.equal(validator.version, '3.1');
    const ids = Object.values(api.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    assert.equal(new Set(ids).size, ids.length);
  }
});
