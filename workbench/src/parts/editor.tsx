// An editor for texts of several languages. What it is made of is loaded when the first one appears; until then, and if that
// fails, a plain text box is there in its place.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Diagnostic, Range } from '../server/workbench';
import { theme } from './theme';
import './editor.css';

export type EditorLanguage = 'sheaf' | 'json' | 'sql' | 'text';

/** What can be done with an editor from outside. */
export interface EditorControls {
  focus(): void;
  /** Selects a range and brings it into sight. */
  goTo(range: Range): void;
  /** Lays the text out, where the language can. */
  format(): Promise<void>;
}

export interface EditorParts {
  value: string;
  onChange?: (value: string) => void;
  language: EditorLanguage;
  /** What screen readers call it. */
  label: string;
  readOnly?: boolean;
  placeholder?: string;
  /** Ctrl+Enter, or Cmd+Enter. */
  onRun?: () => void;
  /** Of 'sheaf': what is wrong with the text as it is now. */
  onDiagnostics?: (found: Diagnostic[], text: string) => void;
  onReady?: (controls: EditorControls) => void;
  class?: string;
}

type Made = ReturnType<typeof import('./editor/create_editor').createEditor>;

export function Editor(parts: EditorParts) {
  const box = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const made = useRef<Made | null>(null);
  const latest = useRef(parts);
  latest.current = parts;
  // What was typed and has not come back as `value` yet. It must not be put over what was typed since.
  const told = useRef<string[]>([]);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    let isGone = false;
    import('./editor/create_editor').then(
      ({ createEditor }) => {
        if (isGone || !box.current) return;
        const hadFocus = document.activeElement === plain.current;
        const { value, language, label, readOnly = false, placeholder = '' } = latest.current;
        made.current = createEditor(box.current, { value, language, label, readOnly, placeholder }, {
          change: (text) => {
            told.current.push(text);
            latest.current.onChange?.(text);
          },
          run: () => latest.current.onRun?.(),
          diagnostics: (found, text) => latest.current.onDiagnostics?.(found, text),
        });
        setState('ready');
        if (hadFocus) made.current.focus();
        latest.current.onReady?.(made.current);
      },
      () => !isGone && setState('failed'),
    );
    return () => {
      isGone = true;
      made.current?.destroy();
      made.current = null;
    };
  }, [parts.language, parts.label]);

  useEffect(() => {
    const at = told.current.lastIndexOf(parts.value);
    told.current = told.current.slice(at + 1);
    if (at >= 0) return;
    told.current = [];
    made.current?.setValue(parts.value);
  }, [parts.value, state]);
  useEffect(() => made.current?.setReadOnly(parts.readOnly ?? false), [parts.readOnly, state]);
  useEffect(() => made.current?.setPlaceholder(parts.placeholder ?? ''), [parts.placeholder, state]);
  useEffect(() => made.current?.setDark(theme.value === 'dark'), [theme.value, state]);

  return (
    <div class={`editor ${parts.class ?? ''}`}>
      {state !== 'ready' && (
        <textarea
          ref={plain}
          aria-label={parts.label}
          value={parts.value}
          readOnly={parts.readOnly}
          placeholder={parts.placeholder}
          spellcheck={false}
          onInput={(event) => parts.onChange?.(event.currentTarget.value)}
        />
      )}
      <div ref={box} class="editor-box" hidden={state !== 'ready'} />
    </div>
  );
}
