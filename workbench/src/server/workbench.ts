// What the server offers to the workbench alone: models as texts, the language as one types, and the commands of `sheaf`.
import { signal as valueOf } from '@preact/signals';
import { ask, askJson, RequestError } from './session';

export interface ServedModel {
  name: string;
  layout: string; // the one that it is stored in now
  layouts: string[];
  text: string;
  is_moving: boolean;
  is_kept: boolean; // it was given here, and can be changed here; else a file of the server's has it
}
export interface About {
  version: string;
  mode: 'development' | 'credentials';
  role: 'admin' | 'readonly';
  models: ServedModel[];
}
/** What it said last; null: it was not asked yet. */
export const known = valueOf<About | null>(null);
export async function about(): Promise<About> {
  return (known.value = await askJson<About>({ path: '/workbench/api/about' }));
}

const post = <T>(path: string, body: object, signal?: AbortSignal): Promise<T> =>
  askJson<T>({ method: 'POST', path, body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, ...(signal ? { signal } : {}) });

/** Serves a model, or the same with another text. Its tables are made; nothing is deleted. */
export const serveModel = (text: string, layout: string): Promise<ServedModel> => post('/workbench/api/models', { text, layout });
export const stopServing = (name: string): Promise<string> => ask({ method: 'DELETE', path: `/workbench/api/models/${encodeURIComponent(name)}` });

// --- The language, in the words of the Language Server Protocol

export interface Position {
  line: number; // from 0
  character: number; // in UTF-16 units, from 0
}
export interface Range {
  start: Position;
  end: Position;
}
export interface Diagnostic {
  range: Range;
  severity: 1 | 2 | 3 | 4; // error, warning, information, hint
  code?: string;
  message: string;
  relatedInformation?: { location: { range: Range }; message: string }[];
}
export interface TextEdit {
  range: Range;
  newText: string;
}
export interface CompletionItem {
  label: string;
  kind?: number;
  detail?: string;
  documentation?: string | { kind: string; value: string };
  textEdit?: TextEdit;
  insertText?: string;
  insertTextFormat?: 1 | 2;
  sortText?: string;
  filterText?: string;
}
export interface DocumentSymbol {
  name: string;
  detail?: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: DocumentSymbol[];
}
export interface CodeAction {
  title: string;
  kind?: string;
  diagnostics?: Diagnostic[];
  isPreferred?: boolean;
  edit?: { changes?: Record<string, TextEdit[]> };
}
export type Ask =
  | { ask: 'check' }
  | { ask: 'format' }
  | { ask: 'outline' }
  | { ask: 'complete' | 'hover'; at: Position }
  | { ask: 'fixes'; range: Range };
interface Answers {
  check: Diagnostic[];
  format: TextEdit[];
  outline: DocumentSymbol[];
  complete: CompletionItem[];
  hover: { contents: { kind: string; value: string }; range?: Range } | null;
  fixes: CodeAction[];
}
/** One question about a text. */
export async function askLanguage<A extends Ask>(text: string, question: A, signal?: AbortSignal): Promise<Answers[A['ask']]> {
  type Answer = Answers[A['ask']];
  const { answer } = await post<{ answer: Answer | { items: Answer } }>('/workbench/api/language', { text, ...question }, signal);
  return question.ask === 'complete' ? (answer as { items: Answer }).items : (answer as Answer);
}

// --- Commands: what `sheaf` can be told on a command line

export interface Run {
  id: string;
  state: 'running' | 'done';
  status: number; // of the exit, once it is done
  output: string; // what it has printed
  errors: string; // what it has said beside that
  progress: string; // the last line of how far it is
  files: Record<string, string>; // that it has written, when it is done
}
export class CommandError extends Error {
  constructor(readonly run: Run) {
    super(run.errors.trim().replace(/^sheaf: /, '') || `the command ended with ${run.status}`);
  }
}
export interface CommandOptions {
  files?: Record<string, string>; // model.sheaf: what is in it; named so in the arguments
  onProgress?: (run: Run) => void;
  signal?: AbortSignal;
  /** Statuses that are an answer: 1 is "something was found". */
  accepts?: number[];
}

const TRIES = 60;
const pause = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason as Error);
    });
  });

// The server runs two at a time; more of this page wait here, in their order.
let free = 2;
const waiting: (() => void)[] = [];
async function turn(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (free > 0) {
    free--;
    return;
  }
  await new Promise<void>((go, fail) => {
    waiting.push(go);
    signal?.addEventListener('abort', () => {
      const at = waiting.indexOf(go);
      if (at < 0) return;
      waiting.splice(at, 1);
      fail(signal.reason as Error);
    });
  });
}
function next(): void {
  const go = waiting.shift();
  if (go) go();
  else free++;
}

/** Other pages may run some, too: then the server says so, and is asked again. */
async function begin(request: object, signal?: AbortSignal): Promise<Run> {
  for (let tried = 1; ; tried++) {
    signal?.throwIfAborted();
    try {
      return await post<Run>('/workbench/api/commands', request);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 429 || tried === TRIES) throw error;
      await pause(Math.min(200 * tried, 2000), signal);
    }
  }
}

/**
 * Runs `sheaf ARGUMENTS...` where the server is, and waits for it. "@server" among the arguments is the server itself, as in
 * --endpoint @server.
 */
export async function runCommand(args: string[], { accepts = [0], ...options }: CommandOptions = {}): Promise<Run> {
  await turn(options.signal);
  const run = await waitFor(args, options).finally(next);
  if (!accepts.includes(run.status)) throw new CommandError(run);
  return run;
}
const PAUSE_MS = 300;
// What nobody waits for any more is not to keep the server busy; but what fills or moves tables is not left half done.
const under = new Set<string>();
const goesOn = (args: string[]): boolean => args.includes('@server') && ['migrate', 'generate', 'load'].some((each) => args.includes(each));
globalThis.addEventListener?.('pagehide', () => {
  for (const path of under) void ask({ method: 'DELETE', path, keepalive: true }).catch(() => {});
});

async function waitFor(args: string[], { files = {}, onProgress, signal }: CommandOptions): Promise<Run> {
  // Asked in short turns by whoever may want to stop it: a request that was given up would leave it running, or tell of nobody's end.
  const wait = onProgress || signal ? 300 : 20_000;
  let run = await begin({ arguments: args, files, wait_ms: wait }, signal);
  const path = `/workbench/api/commands/${run.id}`;
  if (!goesOn(args)) under.add(path);
  try {
    while (run.state === 'running') {
      if (signal?.aborted) {
        await ask({ method: 'DELETE', path }).catch(() => {});
        break;
      }
      onProgress?.(run);
      const asked = performance.now();
      run = await askJson<Run>({ path, query: `wait_ms=${wait}` });
      // Where too many wait already, the server answers at once.
      const pause = Math.min(wait, PAUSE_MS) - (performance.now() - asked);
      if (run.state === 'running' && pause > 0) await new Promise((resume) => setTimeout(resume, pause));
    }
  } finally {
    under.delete(path);
  }
  signal?.throwIfAborted();
  return run;
}
export async function runForJson<T>(args: string[], options: CommandOptions = {}): Promise<T> {
  return JSON.parse((await runCommand(args, options)).output) as T;
}
