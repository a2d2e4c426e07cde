// What the server knows of a model while it is written: mistakes with their fixes, completion, what things mean, layout.
import { autocompletion, type Completion, type CompletionContext, type CompletionResult, snippet } from '@codemirror/autocomplete';
import { type Action, type Diagnostic as Shown, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { render } from 'preact';
import { createElement } from 'preact';
import { askLanguage, type CodeAction, type CompletionItem, type Diagnostic } from '../../server/workbench';
import { Markdown } from '../markdown';
import { tell, tellError } from '../toasts';
import { changesOf, positionOf, spanOf } from './text_places';

const QUIET_MS = 250;
const AWAY_MS = 3000;
const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'info', 4: 'hint' } as const;

function documentElement(text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'editor-doc';
  render(createElement(Markdown, { text }), element);
  return element;
}

// --- Mistakes

const isSame = (one: Diagnostic, other: Diagnostic) => JSON.stringify(one.range) === JSON.stringify(other.range) && one.code === other.code;

function actionsOf(found: Diagnostic, fixes: CodeAction[]): Action[] {
  return fixes
    .filter((fix) => fix.edit?.changes && fix.diagnostics?.some((each) => isSame(each, found)))
    .map((fix) => ({
      name: fix.title,
      apply: (view) => view.dispatch({ changes: changesOf(view.state.doc, Object.values(fix.edit!.changes!).flat()), userEvent: 'input.fix' }),
    }));
}

/** Asks when nobody types for a moment. An answer about an older text is dropped. */
function checking(onFound: (found: Diagnostic[], text: string) => void) {
  return ViewPlugin.fromClass(
    class {
      private timer = 0;
      private stop = new AbortController();
      constructor(private readonly view: EditorView) {
        this.later(0);
      }
      update(update: ViewUpdate) {
        if (update.docChanged) this.later(QUIET_MS);
      }
      destroy() {
        clearTimeout(this.timer);
        this.stop.abort();
      }
      private later(wait: number) {
        clearTimeout(this.timer);
        this.stop.abort();
        this.timer = window.setTimeout(() => void this.check(), wait);
      }
      private async check() {
        const stop = (this.stop = new AbortController());
        const { doc } = this.view.state;
        const text = doc.toString();
        try {
          const found = await askLanguage(text, { ask: 'check' }, stop.signal);
          if (stop.signal.aborted) return;
          this.show(found, []);
          onFound(found, text);
          if (found.length === 0) return;
          const whole = { start: { line: 0, character: 0 }, end: positionOf(doc, doc.length) };
          const fixes = await askLanguage(text, { ask: 'fixes', range: whole }, stop.signal);
          if (!stop.signal.aborted && fixes.length > 0) this.show(found, fixes);
        } catch {
          // The page tells that the server does not answer. It is asked again, until it does.
          if (!stop.signal.aborted) this.later(AWAY_MS);
        }
      }
      private show(found: Diagnostic[], fixes: CodeAction[]) {
        const { doc } = this.view.state;
        const shown = found.map((each): Shown => {
          const { from, to } = spanOf(doc, each.range);
          return { from, to: Math.max(to, Math.min(from + 1, doc.length)), severity: SEVERITIES[each.severity], message: each.message, source: each.code ?? '', actions: actionsOf(each, fixes) };
        });
        this.view.dispatch(setDiagnostics(this.view.state, shown));
      }
    },
  );
}

// --- Completion

const KINDS: Record<number, string> = { 2: 'method', 3: 'function', 5: 'property', 6: 'variable', 7: 'class', 8: 'interface', 9: 'namespace', 10: 'property', 12: 'constant', 13: 'enum', 14: 'keyword', 15: 'text', 20: 'constant', 22: 'class', 25: 'type' };

/** ${1:name}, $1 and $0 of the protocol, as the editor writes them. */
const snippetText = (text: string) => text.replace(/\$(\d+)/g, (_, number: string) => (number === '0' ? '${}' : `\${${number}}`)).replace(/\$\{0(:[^}]*)?\}/g, '${}');

function completionOf(item: CompletionItem, context: CompletionContext): Completion {
  const text = item.textEdit?.newText ?? item.insertText ?? item.label;
  const doc = typeof item.documentation === 'string' ? item.documentation : item.documentation?.value;
  return {
    label: item.label,
    ...(item.detail ? { detail: item.detail } : {}),
    ...(item.kind !== undefined && KINDS[item.kind] ? { type: KINDS[item.kind]! } : {}),
    ...(item.sortText ? { sortText: item.sortText } : {}),
    ...(doc ? { info: () => documentElement(doc) } : {}),
    apply: (view, completion, from, to) => {
      const start = item.textEdit ? Math.min(spanOf(context.state.doc, item.textEdit.range).from, from) : from;
      if (item.insertTextFormat === 2) snippet(snippetText(text))(view, completion, start, to);
      else view.dispatch({ changes: { from: start, to, insert: text }, selection: { anchor: start + text.length }, userEvent: 'input.complete' });
    },
  };
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { doc } = context.state;
  const line = doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (!context.explicit && !/[\w$.<:"]$/.test(before)) return null;
  const stop = new AbortController();
  context.addEventListener('abort', () => stop.abort());
  try {
    const items = await askLanguage(doc.toString(), { ask: 'complete', at: positionOf(doc, context.pos) }, stop.signal);
    if (context.aborted || items.length === 0) return null;
    const word = /[\w`]*$/.exec(before)![0];
    const from = items[0]!.textEdit ? spanOf(doc, items[0]!.textEdit.range).from : context.pos - word.length;
    return { from: Math.min(from, context.pos), options: items.map((item) => completionOf(item, context)), validFor: /^\w*$/ };
  } catch {
    return null;
  }
}

// --- Meaning and layout

const meaning = hoverTooltip(async (view, pos) => {
  const { doc } = view.state;
  const answer = await askLanguage(doc.toString(), { ask: 'hover', at: positionOf(doc, pos) }).catch(() => null);
  if (!answer || view.state.doc !== doc) return null;
  const { from, to } = answer.range ? spanOf(doc, answer.range) : { from: pos, to: pos };
  return { pos: from, end: to, above: true, create: () => ({ dom: documentElement(answer.contents.value) }) };
});

export async function format(view: EditorView): Promise<void> {
  const { doc } = view.state;
  let mistake: number | null = null;
  forEachDiagnostic(view.state, ({ severity }, from) => {
    if (severity === 'error') mistake = Math.min(mistake ?? Infinity, from);
  });
  if (mistake !== null) return tell(`First mend line ${doc.lineAt(mistake).number}: a text with mistakes cannot be laid out.`);
  try {
    const edits = await askLanguage(doc.toString(), { ask: 'format' });
    if (view.state.doc !== doc || !edits || edits.length === 0) return;
    view.dispatch({ changes: changesOf(doc, edits), userEvent: 'input.format' });
  } catch (error) {
    tellError(error);
  }
}

export function assistance(onFound: (found: Diagnostic[], text: string) => void): Extension {
  return [
    checking(onFound),
    lintGutter(),
    autocompletion({ override: [complete], icons: false, maxRenderedOptions: 80 }),
    meaning,
    keymap.of([
      ...lintKeymap,
      {
        key: 'Shift-Alt-f',
        run: (view) => {
          void format(view);
          return true;
        },
      },
    ]),
  ];
}
