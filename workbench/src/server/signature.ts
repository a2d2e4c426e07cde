// The client's side of AWS's Signature Version 4.
import { bytesOf, hex, hmac, sha256 } from './sha256';

export interface AccessKey {
  id: string;
  secret: string;
}

export interface Unsigned {
  method: string;
  path: string; // without the query, as it is sent
  query: string; // name=value pairs, as they are sent
  headers: Record<string, string>; // names in lower case
  body: string;
}

const escaped = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [escaped(name), escaped(value)] as const);
  pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0));
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** The headers that sign a request; `host` is the one that the browser will send. */
export function sign(request: Unsigned, host: string, key: AccessKey, region: string, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const headers: Record<string, string> = { ...request.headers, host, 'x-amz-date': time };
  const names = Object.keys(headers).sort();
  const signed = names.join(';');
  const canonical = [
    request.method,
    request.path
      .split('/')
      .map((part) => escaped(part))
      .join('/'),
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${headers[name]!.trim()}`),
    '',
    signed,
    hex(sha256(bytesOf(request.body))),
  ].join('\n');
  let signing = bytesOf('AWS4' + key.secret);
  for (const part of scope.split('/')) signing = hmac(signing, bytesOf(part));
  const text = ['AWS4-HMAC-SHA256', time, scope, hex(sha256(bytesOf(canonical)))].join('\n');
  const signature = hex(hmac(signing, bytesOf(text)));
  return {
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}
