// Servers that live as long as their test file, and what the program itself answers.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';

const program = process.env['SHEAF_TESTS_PROGRAM'] ?? '';
const models = process.env['SHEAF_TESTS_MODELS'] ?? '';
export const examples = readdirSync(models).sort();
const modelFile = (model: string) => join(models, model, 'model.sheaf');

export const credentials = { accessKeyId: 'BOSS', secretAccessKey: 'a-secret-of-many-characters' };
export const readerCredentials = { ...credentials, accessKeyId: 'READER' };
export const temporaryCredentials = { ...credentials, accessKeyId: 'GUEST', sessionToken: 'a+token/of=some+length' };

export function sheaf(...args: string[]): string {
  return execFileSync(program, ['model', ...args], { encoding: 'utf8', maxBuffer: 64 << 20 });
}

// What it prints, and what it says beside.
function spoken(...args: string[]): [string, string] {
  const done = spawnSync(program, ['model', ...args], { encoding: 'utf8', maxBuffer: 64 << 20 });
  assert.equal(done.status, 0, done.stderr);
  return [done.stdout, done.stderr];
}

// The URL of a server of all examples, with their data.
export async function serve({ withCredentials = false, origin = '' } = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-typed-'));
  const file = join(folder, 'credentials');
  const keys = [
    ['boss', 'BOSS', ''],
    ['reader', 'READER', 'sheaf_role = readonly\n'],
    ['guest', 'GUEST', `aws_session_token = ${temporaryCredentials.sessionToken}\n`],
  ].map(
    ([name, id, more]) =>
      `[${name}]\naws_access_key_id = ${id}\naws_secret_access_key = ${credentials.secretAccessKey}\n${more}`,
  );
  writeFileSync(file, keys.join('\n'));
  chmodSync(file, 0o600);
  const server = spawn(
    program,
    ['serve', '--in-memory', '--port', '0', '--admin-port', '-1', '--log-format', 'json', '--model', models].concat(
      withCredentials ? ['--credentials', file] : [],
      origin ? ['--allow-origin', origin] : [],
    ),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  after(() => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const line of createInterface({ input: server.stderr })) {
    const { event, url } = JSON.parse(line) as { event: string; url: string };
    if (event !== 'serving') continue;
    server.stderr.resume();
    for (const model of examples) {
      sheaf('load', modelFile(model), join(models, model, 'data.json'), '--endpoint', url);
    }
    return url;
  }
  return assert.fail('the server did not start');
}

export interface Step {
  ask?: string;
  with?: unknown[];
  error?: string;
  layouts?: string[];
}
// What is asked of an example before anything is changed.
export function questions(model: string): Step[] {
  const steps = JSON.parse(readFileSync(join(models, model, 'answers.json'), 'utf8')) as Step[];
  const end = steps.findIndex(({ ask }) => ask === undefined);
  return steps.slice(0, end < 0 ? undefined : end).filter(({ error, layouts }) => !error && !layouts);
}

// The documents that `sheaf model run` prints. What is null is left out there, and so can only be at the end.
export function documentsOf(url: string, model: string, pattern: string, values: unknown[]): unknown[] {
  const given = values.filter((value) => value !== null);
  assert.deepEqual(values.slice(0, given.length), given);
  const texts = given.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const documents: unknown[] = [];
  for (let cursor: string[] = []; ;) {
    const [text, told] = spoken('run', modelFile(model), pattern, ...texts, '--endpoint', url, ...cursor);
    const parts = text.split(/^(?=\{)/m).filter((part) => part.trim());
    documents.push(...parts.map((part) => JSON.parse(part) as unknown));
    const more = /^more: (--cursor) (\S+)$/m.exec(told);
    if (!more) return documents;
    cursor = more.slice(1);
  }
}
