#include "clients/typescript.h"

namespace sheaf::clients {

const std::string_view kTypeScriptRuntime = R"ts(
/** Signs requests, as those to DynamoDB are signed. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface ClientOptions {
  /** Where the server is: http://127.0.0.1:8000 */
  url: string;
  /** Needed if the server asks for them. */
  credentials?: Credentials;
  /** In signatures; us-east-1 unless it is given. */
  region?: string;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Also tells how it is answered. */
  plan?: boolean;
  /** Also tells what it took. */
  cost?: boolean;
}

export interface AskOptions extends CallOptions {
  /** Goes on where an earlier page ended. */
  cursor?: string;
}

export interface Cost {
  requests: number;
  rounds: number;
  units: number;
  items_read: number;
}

export interface Page<Document> {
  documents: Array<Document>;
  /** There may be more. */
  cursor?: string;
  cost?: Cost;
  plan?: string;
}

/** What an operation did, all of it in one transaction. */
export interface Outcome {
  /** The ids of what was put, generated ones among them. */
  put: Array<unknown>;
  copies: number;
  deleted: number;
  pending: number;
  retries: number;
  cost?: Cost;
  plan?: string;
}

/** What the server answers instead; its classes say what can be done about it. */
export class ModelError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fix?: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}
/** The request is wrong, and stays wrong. */
export class InvalidError extends ModelError {}
/** The credentials are missing, wrong, or not for this. */
export class ForbiddenError extends ModelError {}
/** Something that the request names does not exist. */
export class NotFoundError extends ModelError {}
/** It exists already, is in use, a check failed, or others were faster. */
export class ConflictError extends ModelError {}
/** Too many requests: try again later. */
export class ThrottledError extends ModelError {}
/** The server has a problem: the outcome of an operation is not known if `code` is `unknown`. */
export class ServerError extends ModelError {}

function errorOf(status: number, code: string, message: string, fix?: string): ModelError {
  const classes: Record<number, typeof ModelError> = {
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: ThrottledError,
  };
  const made = classes[status] ?? (status < 500 ? InvalidError : ServerError);
  return new made(status, code, message, fix);
}

/** The documents of a pattern, fetched page by page as they are asked for: `for await (const each of pages)`. */
export class Pages<Document> implements AsyncIterable<Document> {
  constructor(private readonly load: (options: AskOptions) => Promise<Page<Document>>) {}

  /** One page: the first, or the one behind `options.cursor`. */
  page(options: AskOptions = {}): Promise<Page<Document>> {
    return this.load(options);
  }

  async *pages(options: AskOptions = {}): AsyncGenerator<Page<Document>> {
    let cursor = options.cursor;
    do {
      const page: Page<Document> = await this.load(cursor === undefined ? options : { ...options, cursor });
      yield page;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    for await (const page of this.pages()) yield* page.documents;
  }

  /** All of them. */
  async all(): Promise<Array<Document>> {
    const documents: Array<Document> = [];
    for await (const document of this) documents.push(document);
    return documents;
  }
}

const encoder = new TextEncoder();
const bytesOf = (text: string): BufferSource => encoder.encode(text);
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto?.subtle !== undefined) return globalThis.crypto;
  const node = 'node:crypto'; // Node 18 has it only there
  return (await import(/* @vite-ignore */ node)).webcrypto as Crypto;
}

async function hmac(crypto: Crypto, key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, bytesOf(text));
}

// Every byte but A-Z a-z 0-9 - . _ ~ escaped.
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

/** AWS Signature Version 4 of a POST: adds the headers that it needs. */
async function sign(
  url: URL,
  headers: Record<string, string>,
  body: string,
  credentials: Credentials,
  region: string,
): Promise<void> {
  const crypto = await webCrypto();
  const sha256 = async (text: string) => hexOf(await crypto.subtle.digest('SHA-256', bytesOf(text)));
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  headers['x-amz-date'] = date;
  if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken;
  const all: Record<string, string> = { ...headers, host: url.host };
  const names = Object.keys(all).sort();
  const request = [
    'POST',
    url.pathname.split('/').map(escaped).join('/'),
    '',
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    await sha256(body),
  ].join('\n');
  const scope = `${date.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  let key = bytesOf('AWS4' + credentials.secretAccessKey);
  for (const part of scope.split('/')) key = await hmac(crypto, key, part);
  const signature = hexOf(await hmac(crypto, key, ['AWS4-HMAC-SHA256', date, scope, await sha256(request)].join('\n')));
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, ` +
    `SignedHeaders=${names.join(';')}, Signature=${signature}`;
}

/** What clients of all models have: patterns and operations by name, without types. */
export class ModelClient {
  readonly #model: string;
  readonly #options: ClientOptions;

  constructor(model: string, options: ClientOptions) {
    this.#model = model;
    this.#options = options;
  }

  /** A page of what a pattern finds. `parameters` by name, or in their order. */
  ask<Document>(pattern: string, parameters: unknown, options: AskOptions = {}): Promise<Page<Document>> {
    return this.#send('patterns', pattern, parameters, options);
  }

  act(operation: string, parameters: unknown, options: CallOptions = {}): Promise<Outcome> {
    return this.#send('operations', operation, parameters, options);
  }

  async #send<Answer>(kind: string, name: string, parameters: unknown, options: AskOptions): Promise<Answer> {
    const { signal, ...asked } = options;
    const base = this.#options.url.replace(/\/+$/, '');
    const url = new URL(`${base}/models/${escaped(this.#model)}/${kind}/${escaped(name)}`);
    const body = JSON.stringify({ with: parameters, ...asked });
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const { credentials, region = 'us-east-1' } = this.#options;
    if (credentials !== undefined) await sign(url, headers, body, credentials, region);
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const answer = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as Answer;
    let error: { code?: string; message?: string; fix?: string } = {};
    try {
      error = (JSON.parse(text) as { error?: typeof error }).error ?? {};
    } catch {
      // Not from the server itself, but from what is in front of it.
    }
    throw errorOf(answer.status, error.code ?? 'http', error.message ?? `the server answered ${answer.status}`, error.fix);
  }
}
)ts";

}  // namespace sheaf::clients
