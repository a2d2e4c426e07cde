// What the editor looks like. All colours are variables of the page, so that light and dark are the page's.
import { HighlightStyle, type StreamParser } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** What the parsers of this folder call their tokens. */
export const TOKENS: NonNullable<StreamParser<unknown>['tokenTable']> = {
  special: tags.special(tags.string),
  docComment: tags.docComment,
  parameter: tags.special(tags.variableName), // `variable` is a name of CodeMirror's own, and would mean that
  name: tags.propertyName,
  definition: tags.definition(tags.typeName),
  entity: tags.className,
  type: tags.typeName,
  modifier: tags.modifier,
  atom: tags.atom,
};

export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.modifier, color: 'var(--code-keyword)' },
  { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
  { tag: tags.definition(tags.typeName), color: 'var(--code-type)', fontWeight: '600' },
  { tag: tags.special(tags.variableName), color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.special(tags.string), tags.escape], color: 'var(--code-hole)' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--code-comment)' },
  { tag: tags.docComment, color: 'var(--code-comment)', fontStyle: 'italic' },
]);

const look = {
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--sheet)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--soft-ink)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--select)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', boxShadow: 'var(--shadow)' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { color: 'var(--soft-ink)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  // The search, which opens below the text.
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px', padding: '8px 40px 8px 10px', fontFamily: 'var(--sans)' },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search input[name=replace]': { order: '1' },
  '.cm-panel.cm-search button[name=replace], .cm-panel.cm-search button[name=replaceAll]': { order: '1' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0', fontSize: '13px' },
  '.cm-panel.cm-search input.cm-textfield': { flex: '0 1 200px', minHeight: '28px', padding: '2px 8px', borderRadius: '6px' },
  '.cm-panel.cm-search button.cm-button': { minHeight: '28px', padding: '2px 10px', borderRadius: '6px', textTransform: 'capitalize', borderColor: 'var(--line)' },
  '.cm-panel.cm-search label': { order: '2', display: 'inline-flex', alignItems: 'center', gap: '4px', whiteSpace: 'nowrap' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', width: '14px', height: '14px', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search button[name=close]': { top: '8px', right: '8px', width: '26px', height: '26px', minHeight: '0', padding: '0', justifyContent: 'center', fontSize: '18px', border: 'none', background: 'transparent', cursor: 'pointer' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panels button, .cm-panels input, .cm-button': { backgroundImage: 'none', backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--strong-line)', borderRadius: '4px' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--select) 50%, var(--sheet))', outline: '1px solid var(--warning)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--soft-ink)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: '13px', padding: '6px 10px', whiteSpace: 'pre-wrap', maxWidth: 'min(560px, 86vw)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)', borderRadius: '4px', padding: '3px 8px', marginTop: '4px', marginLeft: '0', marginRight: '6px' },
  '.cm-placeholder': { color: 'var(--soft-ink)' },
};
export const lightLook = EditorView.theme(look, { dark: false });
export const darkLook = EditorView.theme(look, { dark: true });
