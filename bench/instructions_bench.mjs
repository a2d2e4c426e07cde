// How many instructions a server takes for a request, and how many of them watch the traffic, with that off and on;
// counted by callgrind, so that it is the same on a busy machine. The kernel's are not in them. One loop, one connection.
// All of a request moves by some per cent with the state of the C library's allocator; what watching takes does not.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HELP = 'script/bench instructions [--requests 2000] [--json FILE]     (needs valgrind)';
const options = { requests: '2000', json: '' };
for (let i = 2; i < process.argv.length; i += 2) {
  const name = process.argv[i].replace(/^--/, '');
  if (!(name in options) || process.argv[i + 1] === undefined) {
    console.log(HELP);
    process.exit(name === 'help' ? 0 : 2);
  }
  options[name] = process.argv[i + 1];
}
const REQUESTS = Number(options.requests);
const SETTINGS = { nothing: ['--no-heat'], heat: [], throttle: ['--no-heat', '--throttle'], partitions: ['--no-heat', '--throttle-partitions'] };
const WATCHING = /\bsrc\/(traffic\/|engine\/(meter|throttle))/;
const OTHERS = /\bsrc\/(?!traffic\/|base\/|engine\/(meter|throttle))/;  // who asks for it

const text = (value) => ({ S: value });
// Items of about 1,000 bytes are a unit to write: beyond that, a partition would be throttled now and then.
const TABLES = { large: { collections: 200, items: 1000, bytes: 900 }, sixes: { collections: 10, items: 60, bytes: 130 }, hundreds: { collections: 10, items: 1000, bytes: 180 } };
const key = (table, i) => ({ pk: text(`customer-${i % TABLES[table].collections}`), sk: text(String(i % TABLES[table].items).padStart(5, '0')) });
const item = (table, i) => ({ ...key(table, i), payload: text('x'.repeat(TABLES[table].bytes)) });
const put = (table) => (i) => ['PutItem', { TableName: table, Item: item(table, i) }];
const query = (table) => (i) => ['Query', { TableName: table, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': key(table, i).pk } }];
const TASKS = {
  'GetItem 1 KB': (i) => ['GetItem', { TableName: 'large', Key: key('large', i) }],
  'Query of 6 items': query('sixes'),
  'Query of 100 items': query('hundreds'),
  'PutItem 1 KB': put('large'),
};

/** One connection that sends a request when the last was answered. */
function connect(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': '20260101T000000Z',
    authorization: 'AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00',
  };
  return ([operation, body]) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` } }, (answer) => {
        answer.resume();
        answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${operation}: status ${answer.statusCode}`))));
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
}

async function start(directory, settings) {
  const program = process.env.SHEAF_TESTS_BINARY;
  const child = spawn(
    'valgrind',
    ['-q', '--tool=callgrind', `--callgrind-out-file=${directory}/profile`, program, 'serve', '--in-memory', '--threads', '1', '--port', '0', '--admin-port', '-1', '--log-format', 'json', ...settings],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.on('error', () => reject(new Error('valgrind is not there: install it')));
    child.on('exit', () => reject(new Error(`the server did not start:\n${log}`)));
    child.stderr.on('data', (said) => {
      log += said;
      const found = /"event":"serving","url":"([^"]*)"/.exec(log);
      if (found) resolve(found[1]);
    });
  });
  const stop = () => new Promise((resolve) => child.on('exit', resolve) && child.kill());
  return { url, stop, pid: String(child.pid) };
}

async function fill(send) {
  for (const [name, { items }] of Object.entries(TABLES)) {
    const AttributeDefinitions = ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }];
    await send(['CreateTable', { TableName: name, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema }]);
    for (let i = 0; i < items; ++i) await send(put(name)(i));
  }
}

/** What a profile has in all, and below the functions that watch: with what they call, and where they were inlined. */
function count(file) {
  const names = { file: new Map(), fn: new Map() };
  const named = (kind, text) => {
    const [, id, name] = /^\((\d+)\)(?: (.*))?$/.exec(text);
    if (name !== undefined) names[kind].set(id, name);
    return names[kind].get(id);
  };
  let all = 0;
  let watching = 0;
  let home = ''; // the file of the function
  let here = ''; // the file of the lines, which may be inlined
  let called = '';
  let isCall = false; // the next line is what a call took
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, word, rest] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (word === 'fl') home = here = named('file', rest);
    else if (word === 'fi' || word === 'fe') here = named('file', rest);
    else if (word === 'cfi' || word === 'cfl') called = named('file', rest);
    else if (word === 'calls') isCall = true;
    else if (/^[\d+*-]/.test(line)) {
      const cost = Number(line.split(' ')[1]);
      const isOthers = OTHERS.test(home);
      if (!isCall) all += cost;
      if (isOthers && WATCHING.test(isCall ? called || here : here)) watching += cost;
      if (isCall) called = '';
      isCall = false;
    }
  }
  return { all, watching };
}

async function measure(settings) {
  const directory = mkdtempSync(join(tmpdir(), 'sheaf-instructions-'));
  const server = await start(directory, settings);
  const control = (option) => execFileSync('callgrind_control', [option, server.pid], { stdio: 'ignore' });
  try {
    const send = connect(server.url);
    await fill(send);
    const counts = {};
    for (const [name, ask] of Object.entries(TASKS)) {
      for (let i = 0; i < 1000; ++i) await send(ask(i));
      control('-z');
      for (let i = 0; i < REQUESTS; ++i) await send(ask(i));
      control('-d');
      const dumped = readdirSync(directory).filter((file) => /profile\.\d+/.test(file));
      const file = join(directory, dumped.sort((a, b) => Number(a.split('.').pop()) - Number(b.split('.').pop())).pop());
      const { all, watching } = count(file);
      counts[name] = { all: all / REQUESTS, watching: watching / REQUESTS };
    }
    return counts;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const measured = {};
for (const [name, settings] of Object.entries(SETTINGS)) {
  console.error(`${name} ...`);
  measured[name] = await measure(settings);
}
const figures = [];
const note = (figure, value, unit, goal = null, ok = true) => figures.push({ figure, value, unit, goal, ok });
console.log(`\n${'a request: all; of them to watch'.padEnd(34)}${Object.keys(SETTINGS).map((name) => name.padStart(24)).join('')}`);
for (const task of Object.keys(TASKS)) {
  const cells = Object.entries(measured).map(([name, of]) => {
    const { all, watching } = of[task];
    note(`${task}, ${name}: all`, all, 'instructions');
    if (name === 'nothing') note(`${task}, ${name}: to watch`, watching, 'instructions', '<= 20', watching <= 20);
    else note(`${task}, ${name}: to watch`, watching, 'instructions');
    return `${all.toFixed(0)}; ${watching.toFixed(0)} = ${((100 * watching) / measured.nothing[task].all).toFixed(1)} %`.padStart(24);
  });
  console.log(task.padEnd(34) + cells.join(''));
}
if (options.json) writeFileSync(options.json, JSON.stringify(figures, null, 2) + '\n');
process.exit(figures.every((figure) => figure.ok) ? 0 : 1);
