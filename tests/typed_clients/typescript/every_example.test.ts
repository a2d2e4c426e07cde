// Every pattern of every example, by its generated method: the same documents as `sheaf model run`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentials, documentsOf, examples, questions, serve } from './server.js';

const url = await serve({ withCredentials: true });
const open = await serve(); // to be asked without a signature
const camel = (name: string) => name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`_${name}`);

type Method = (parameters: Record<string, unknown>) => Promise<unknown> | { all(): Promise<unknown[]> };

for (const model of examples) {
  test(`${model} answers its client as it answers the program`, async () => {
    const module = (await import(`./${model}.js`)) as Record<string, new (options: object) => Record<string, Method>>;
    const client = new module[`${pascal(model)}Client`]!({ url, credentials });
    const { patterns } = await describe(model);
    for (const { ask, with: values = [] } of questions(model)) {
      const names = patterns.find(({ name }) => name === ask)!.parameters.map(({ name }) => name);
      const parameters = Object.fromEntries(values.map((value, i) => [names[i]!, value]));
      const answer = client[camel(ask!)]!(parameters);
      const found = 'all' in answer ? await answer.all() : [await answer].filter((one) => one !== undefined);
      assert.deepEqual(found, documentsOf(url, model, ask!, values), `${ask} ${JSON.stringify(values)}`);
    }
  });
}

interface Summary {
  patterns: { name: string; parameters: { name: string }[] }[];
}
async function describe(model: string): Promise<Summary> {
  return (await (await fetch(`${open}/models/${model}`)).json()) as Summary;
}
