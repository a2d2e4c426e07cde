// A server of its own for a file of tests, with the examples and their data.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BINARY = process.env.SHEAF_TESTS_BINARY;
const MODELS = fileURLToPath(new URL('../../models', import.meta.url));

/**
 * Starts it and resolves, once it listens. `models`: names of examples, whose data is loaded; `options`: of `sheaf serve`; `many`: of so many
 * items is a table `many`; `isInMemory`: without a directory, and without any data.
 */
export async function startServer({ models = ['hr', 'shop', 'posts'], options = [], many = 0, isInMemory = false } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'sheaf-workbench-test-'));
  const data = join(directory, 'data');
  const files = models.map((name) => join(MODELS, name, 'model.sheaf'));
  for (const file of files) {
    const items = join(file, '..', 'data.json');
    if (existsSync(items) && !isInMemory) execFileSync(BINARY, ['model', 'load', file, items, '--data', data]);
  }
  if (many > 0) loadMany(join(directory, 'many.jsonl'), many, data);
  const child = spawn(
    BINARY,
    ['serve', ...(isInMemory ? ['--in-memory'] : ['--data', data]), '--port', '0', '--admin-port', '-1', '--log-format', 'json', ...files.flatMap((file) => ['--model', file]), ...options],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`the server did not start:\n${log}`)));
    child.stderr.on('data', (text) => {
      log += text;
      const found = /"event":"serving","url":"([^"]*)"/.exec(log);
      if (found) resolve(found[1]);
    });
  });
  const stop = async () => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.kill();
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, stop, log: () => log };
}

/** Collections of ten: a profile, and orders. */
function loadMany(file, items, data) {
  const out = openSync(file, 'w');
  for (let next = 0; next < items; ) {
    const lines = [];
    for (const end = Math.min(items, next + 10_000); next < end; ++next) {
      const SK = next % 10 === 0 ? 'PROFILE' : `ORDER#${String(next).padStart(8, '0')}`;
      lines.push(JSON.stringify({ PK: `USER#${Math.floor(next / 10)}`, SK, total: next % 1000 }) + '\n');
    }
    writeSync(out, lines.join(''));
  }
  closeSync(out);
  execFileSync(BINARY, ['load', 'many', file, '--key', 'PK:S,SK:S', '--data', data]);
  rmSync(file);
}

/** Runs a command of the program and gives what it prints. */
export const sheaf = (...args) =>
  execFileSync(BINARY, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, AWS_ACCESS_KEY_ID: 'tests', AWS_SECRET_ACCESS_KEY: 'tests', AWS_REGION: 'us-east-1' } });

export const EXAMPLES = readdirSync(MODELS).sort();

const HEADERS = { authorization: 'AWS4-HMAC-SHA256 Credential=workbench/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00', 'x-amz-date': '20260101T000000Z' };

/** Has a model served, as the page does it, and loads its data: entities by name, as `sheaf model load` takes them. */
export async function serveModel(url, text, data, layout = 'default') {
  const directory = mkdtempSync(join(tmpdir(), 'sheaf-model-'));
  try {
    const answer = await fetch(`${url}/workbench/api/models`, { method: 'POST', headers: { 'content-type': 'application/json', ...HEADERS }, body: JSON.stringify({ text, layout }) });
    if (!answer.ok) throw new Error(await answer.text());
    writeFileSync(join(directory, 'model.sheaf'), text);
    writeFileSync(join(directory, 'data.json'), JSON.stringify(data));
    sheaf('model', 'load', join(directory, 'model.sheaf'), join(directory, 'data.json'), '--layout', layout, '--endpoint', url);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Sends a request of DynamoDB's API, as a program beside the page would. */
export async function call(url, operation, body, key = { id: 'tests' }, service = 'DynamoDB') {
  const answer = await fetch(url + '/', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${service}_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00`,
    },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(json)}`);
  return json;
}
