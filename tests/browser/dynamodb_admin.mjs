// dynamodb-admin as a program of its own, pointed at the server under test.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node_modules/dynamodb-admin/dist/dynamodb-admin.js', import.meta.url));

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

// Starts it and resolves, once it answers, to its address and a function that stops it.
export async function startAdmin(endpoint) {
  const port = await freePort();
  const child = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', String(port), '--dynamo-endpoint', endpoint], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const address = `http://127.0.0.1:${port}`;
  const stop = () => new Promise((resolve) => (child.exitCode === null ? child.on('exit', resolve) && child.kill() : resolve()));
  for (const end = Date.now() + 20_000; ;) {
    try {
      if ((await fetch(`${address}/api/tables`)).ok) return { address, stop };
    } catch {
      // Not listening yet.
    }
    if (Date.now() > end || child.exitCode !== null) {
      await stop();
      throw new Error(`dynamodb-admin does not answer:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
