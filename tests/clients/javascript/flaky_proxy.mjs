// A proxy that does something to the first requests it sees, and passes the others on.
import http from 'node:http';
import { endpoint } from './server.mjs';

// faults: one a request, in order. 'refuse' cuts the connection before the server sees the request, 'lose' after it has
// answered, { status, body } answers in its place.
export async function flakyProxy(faults, body) {
  const pending = [...faults];
  const seen = [];
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push(request.headers['x-amz-target'].split('.')[1]);
    const fault = pending.shift();
    if (fault === 'refuse') return request.socket.destroy();
    if (fault?.status) {
      response.writeHead(fault.status, { 'content-type': 'application/x-amz-json-1.0' });
      return response.end(fault.body);
    }
    const forwarded = http.request(endpoint, { method: 'POST', headers: request.headers }, async (answer) => {
      const parts = [];
      for await (const part of answer) parts.push(part);
      if (fault === 'lose') return request.socket.destroy();
      response.writeHead(answer.statusCode, answer.headers);
      response.end(Buffer.concat(parts));
    });
    forwarded.end(Buffer.concat(chunks));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
