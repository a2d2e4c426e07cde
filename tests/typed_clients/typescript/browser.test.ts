// The same client in a browser, on a page of another origin: asked and signed there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { credentials, serve } from './server.js';

test('a page asks and signs', async () => {
  let script = '';
  const pages = createServer((request, answer) => {
    const isModule = request.url === '/hr.js';
    answer.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
    answer.end(isModule ? readFileSync(new URL('./hr.js', import.meta.url)) : `<body><script type="module">${script}</script></body>`);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const url = await serve({ withCredentials: true, origin });
  script = `
    import { HrClient, ForbiddenError } from '/hr.js';
    const said = [];
    try {
      const hr = new HrClient({ url: '${url}', credentials: ${JSON.stringify(credentials)} });
      for await (const { name } of hr.team({ d: 'd-2' })) said.push(name);
      await new HrClient({ url: '${url}' }).home({ e: 'e-1' }).catch((error) => said.push(error instanceof ForbiddenError));
    } catch (error) {
      said.push(String(error));
    }
    document.body.textContent = said.join(' ');`;
  const profile = mkdtempSync(join(tmpdir(), 'sheaf-typed-page-'));
  try {
    const { stdout } = await promisify(execFile)(
      'chromium',
      ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, '--virtual-time-budget=20000', '--dump-dom', origin],
      { timeout: 120_000 },
    );
    assert.match(stdout, /<body>Cathy David Edward true<\/body>/);
  } finally {
    rmSync(profile, { recursive: true, force: true });
    pages.close();
  }
});
