// Lines that are too long go on below themselves, a little further in than they begin.
import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const STEP = 4;
const FIRST_PX = 6; // what every line has at its left

function decorationsOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const indent = Math.min(24, /^ */.exec(line.text)![0].length + STEP);
      builder.add(line.from, line.from, Decoration.line({ attributes: { style: `padding-left: calc(${FIRST_PX}px + ${indent}ch); text-indent: -${indent}ch` } }));
      at = line.to + 1;
    }
  return builder.finish();
}

export const hangingLines = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorationsOf(view);
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = decorationsOf(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];
