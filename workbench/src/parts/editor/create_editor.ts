// Puts an editor together. Loaded when one is needed.
import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from '@codemirror/view';
import type { Diagnostic, Range } from '../../server/workbench';
import type { EditorControls, EditorLanguage } from '../editor';
import { theme } from '../theme';
import { colours, darkLook, lightLook, TOKENS } from './colours';
import { hangingLines } from './hanging_lines';
import { assistance, format } from './sheaf_assist';
import { sheafLanguage } from './sheaf_language';
import { jsonLanguage, sqlLanguage } from './small_languages';
import { changeBetween, spanOf } from './text_places';

interface Given {
  value: string;
  language: EditorLanguage;
  label: string;
  readOnly: boolean;
  placeholder: string;
}
interface Told {
  change: (text: string) => void;
  run: () => void;
  diagnostics: (found: Diagnostic[], text: string) => void;
}

function languageOf(language: EditorLanguage, told: Told): Extension {
  switch (language) {
    case 'sheaf':
      return [sheafLanguage(TOKENS), assistance(told.diagnostics)];
    case 'json':
      return jsonLanguage(TOKENS);
    case 'sql':
      return sqlLanguage(TOKENS);
    case 'text':
      return [];
  }
}

export function createEditor(parent: HTMLElement, { value, language, label, readOnly, placeholder: hint }: Given, told: Told) {
  const look = new Compartment();
  const writable = new Compartment();
  const hinted = new Compartment();
  let isOurs = false; // the change comes from outside, and need not be told there
  const readOnlyState = (is: boolean) => [EditorState.readOnly.of(is), EditorView.contentAttributes.of({ 'aria-readonly': String(is) })];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        // First, so that nobody else takes it.
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              told.run();
              return true;
            },
          },
        ]),
        language === 'sheaf' ? [lineNumbers(), foldGutter(), highlightActiveLine(), highlightActiveLineGutter()] : [],
        history(),
        drawSelection(),
        hangingLines,
        indentUnit.of('  '),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        syntaxHighlighting(colours),
        languageOf(language, told),
        // Tab takes what is offered, or else indents; after Escape it leaves the editor.
        keymap.of([{ key: 'Tab', run: acceptCompletion }, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': 'Tab indents. To leave, press Escape, then Tab.', tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        look.of(theme.value === 'dark' ? darkLook : lightLook),
        writable.of(readOnlyState(readOnly)),
        hinted.of(placeholder(hint)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) told.change(update.state.doc.toString());
        }),
      ],
    }),
  });
  const controls: EditorControls = {
    focus: () => view.focus(),
    goTo: (range: Range) => {
      const { from, to } = spanOf(view.state.doc, range);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    format: () => (language === 'sheaf' ? format(view) : Promise.resolve()),
  };
  return {
    ...controls,
    setValue(text: string) {
      const change = changeBetween(view.state.doc.toString(), text);
      if (!change) return;
      isOurs = true;
      view.dispatch({ changes: change, userEvent: 'input.outside' });
      isOurs = false;
    },
    setReadOnly: (is: boolean) => view.dispatch({ effects: writable.reconfigure(readOnlyState(is)) }),
    setPlaceholder: (text: string) => view.dispatch({ effects: hinted.reconfigure(placeholder(text)) }),
    setDark: (is: boolean) => view.dispatch({ effects: look.reconfigure(is ? darkLook : lightLook) }),
    destroy: () => view.destroy(),
  };
}
