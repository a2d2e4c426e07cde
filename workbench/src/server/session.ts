// Who is asking, and how every request to the server is sent.
import { signal } from '@preact/signals';
import { type AccessKey, sign } from './signature';

const KEPT = 'sheaf.access-key';
const DEVELOPMENT: AccessKey = { id: 'workbench', secret: 'workbench' };

function kept(): AccessKey | null {
  try {
    const text = sessionStorage.getItem(KEPT);
    return text === null ? null : (JSON.parse(text) as AccessKey);
  } catch {
    return null;
  }
}

/** null: none was given, which will do for a server in development mode. */
export const accessKey = signal<AccessKey | null>(kept());
/** Why the server wants to know who asks; null: it does not. */
export const isAskedFor = signal<string | null>(null);
let isDeclined = false;
/** Whoever does not want to say it is not asked again and again: what cannot be shown has a button for it. */
export function declineKey(): void {
  isDeclined = true;
  isAskedFor.value = null;
}

export function useKey(key: AccessKey | null): void {
  accessKey.value = key;
  if (key) sessionStorage.setItem(KEPT, JSON.stringify(key));
  else sessionStorage.removeItem(KEPT);
  isAskedFor.value = null;
}

export class RequestError extends Error {
  constructor(
    readonly status: number, // 0: there was no answer
    readonly code: string, // "ValidationException", "not_found"
    message: string,
    readonly fix?: string,
  ) {
    super(message);
  }
}

const NOT_KNOWN = ['MissingAuthenticationTokenException', 'UnrecognizedClientException', 'InvalidSignatureException', 'IncompleteSignatureException', 'unauthenticated'];

/** Whether it is about who asks: another key would help. */
export const isAboutKey = (error: unknown): boolean => error instanceof RequestError && NOT_KNOWN.includes(error.code);

interface Problem {
  __type?: string;
  message?: string;
  Message?: string;
  error?: { code?: string; message?: string; fix?: string };
}

function problemOf(status: number, text: string): RequestError {
  try {
    const body = JSON.parse(text) as Problem;
    if (body.error) return new RequestError(status, body.error.code ?? 'error', body.error.message ?? text, body.error.fix);
    const code = (body.__type ?? 'error').split('#').pop()!;
    return new RequestError(status, code, body.message ?? body.Message ?? code);
  } catch {
    return new RequestError(status, 'error', text.trim() || `the server answered ${status}`);
  }
}

export interface Asked {
  method?: string;
  path: string;
  query?: string;
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean; // it is sent although the page goes
}

/** The text of the answer. Throws RequestError; a refused key opens the dialog that asks for one. */
export async function ask({ method = 'GET', path, query = '', body = '', headers = {}, signal, keepalive = false }: Asked): Promise<string> {
  const key = accessKey.value ?? DEVELOPMENT;
  const signed = sign({ method, path, query, headers, body }, location.host, key, 'us-east-1', new Date());
  let answer: Response;
  try {
    answer = await fetch(path + (query ? '?' + query : ''), {
      method,
      headers: { ...headers, ...signed },
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, 'unreachable', 'The server does not answer. Is it still running?');
  }
  const text = await answer.text();
  if (answer.ok) return text;
  const problem = problemOf(answer.status, text);
  if (isAboutKey(problem) && !isDeclined) isAskedFor.value = accessKey.value ? 'The server does not know this key.' : 'This server wants to know who you are.';
  throw problem;
}

export async function askJson<T>(asked: Asked): Promise<T> {
  return JSON.parse(await ask(asked)) as T;
}
