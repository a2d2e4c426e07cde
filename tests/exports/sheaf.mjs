// The program under test, the example models, and servers that live as long as their test file.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const program = process.env.SHEAF_TESTS_PROGRAM;
const here = fileURLToPath(new URL('.', import.meta.url));
export const models = join(here, '../../models');

// The examples, and one beside this file with what they do not have.
export const modelFile = (model) => (model === 'projected' ? join(here, 'projected.sheaf') : join(models, model, 'model.sheaf'));
export const dataFile = (model) => (model === 'projected' ? join(here, 'projected.json') : join(models, model, 'data.json'));
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const allModels = [...readdirSync(models).sort(), 'projected'];

// What `sheaf model ARGUMENTS` prints.
export async function sheaf(...args) {
  const { stdout } = await run(program, ['model', ...args], { maxBuffer: 64 << 20 });
  return stdout;
}

export const exported = (model, format, layout = 'default', ...more) =>
  sheaf('export', modelFile(model), '--as', format, '--layout', layout, ...more);

export async function layoutsOf(model) {
  const { layouts = [] } = JSON.parse(await sheaf('json', modelFile(model)));
  return ['default', ...layouts.map(({ name }) => name)];
}

// [model, layout] of all of them.
export async function allLayouts() {
  const lists = await Promise.all(allModels.map(async (model) => (await layoutsOf(model)).map((layout) => [model, layout])));
  return lists.flat();
}

// A folder that is removed at the end, in which modules find the packages of `packages` (a folder beside this one).
export function folder(packages = 'exports') {
  const path = mkdtempSync(join(tmpdir(), 'sheaf-exports-'));
  symlinkSync(join(here, '..', packages, 'node_modules'), join(path, 'node_modules'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

// The URL of a server of its own, in memory.
export async function serve() {
  const server = spawn(program, ['serve', '--in-memory', '--port', '0', '--admin-port', '-1', '--log-format', 'json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  after(() => server.kill());
  for await (const line of createInterface({ input: server.stderr })) {
    const { event, url } = JSON.parse(line);
    if (event === 'serving') {
      server.stderr.resume();
      return url;
    }
  }
  return assert.fail('the server did not start');
}

// The documents that a pattern answers on a server.
export async function ask(endpoint, model, layout, pattern, ...values) {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const text = await sheaf('run', modelFile(model), pattern, ...texts, '--layout', layout, '--endpoint', endpoint);
  // Documents follow each other, each from a line that begins with its brace to one that is the closing one.
  return text
    .split(/^(?=\{)/m)
    .filter((part) => part.trim())
    .map((part) => JSON.parse(part));
}
