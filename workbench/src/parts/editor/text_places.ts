// Places in a text: lines and characters as the language server counts them, and offsets as the editor does.
import type { Text } from '@codemirror/state';
import type { Position, Range, TextEdit } from '../../server/workbench';

export function offsetOf(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const found = text.line(line + 1);
  return Math.min(found.to, found.from + character);
}
export function positionOf(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}
export function spanOf(text: Text, range: Range): { from: number; to: number } {
  const from = offsetOf(text, range.start);
  return { from, to: Math.max(from, offsetOf(text, range.end)) };
}
export const changesOf = (text: Text, edits: TextEdit[]): { from: number; to: number; insert: string }[] =>
  edits.map(({ range, newText }) => ({ ...spanOf(text, range), insert: newText }));

/** The one change that makes one text of the other, as small as its ends allow. */
export function changeBetween(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let same = 0;
  while (same < least - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
