// What can be used and should not be, with why and what to do.
import { useState } from 'preact/hooks';
import { counted } from '../parts/amount';
import { tell, tellError } from '../parts/toasts';
import type { Range } from '../server/workbench';
import { type Finding, lintFixed } from './model_commands';

interface Parts {
  text: string;
  findings: Finding[];
  onGoTo: (range: Range) => void;
  onText: (text: string) => void;
}
const rangeOf = (each: Finding): Range => ({
  start: { line: each.line - 1, character: each.column - 1 },
  end: { line: each.end_line - 1, character: each.end_column - 1 },
});

export function Findings({ text, findings, onGoTo, onText }: Parts) {
  const [isFixing, setFixing] = useState(false);
  const repairs = findings.filter((each) => each.repair !== undefined);
  /** All that can be, or what one rule finds. */
  const fix = async (rule?: string) => {
    setFixing(true);
    try {
      const next = await lintFixed(text, rule ? [...new Set(repairs.map(({ id }) => id))].filter((id) => id !== rule) : []);
      if (next === null || next === text) tell('Nothing could be mended without breaking something else.');
      else {
        onText(next);
        tell('Mended. Undo in the editor brings the text back.');
      }
    } catch (error) {
      tellError(error);
    } finally {
      setFixing(false);
    }
  };
  if (findings.length === 0)
    return (
      <div class="empty">
        <h2>Nothing found</h2>
        <p>No anti-pattern, and no size that comes near a limit, in any layout.</p>
      </div>
    );
  return (
    <div class="view-body column">
      <div class="row">
        <span class="soft grow">{counted(findings.length, 'finding', 'findings')}, in all layouts</span>
        {repairs.length > 0 && (
          <button type="button" class="primary" aria-disabled={isFixing} onClick={() => void fix()}>
            {repairs.length === 1 ? 'Fix it' : `Fix ${repairs.length} of them`}
          </button>
        )}
      </div>
      <ul class="findings">
        {findings.map((each) => (
          <li key={`${each.id}/${each.line}/${each.column}/${each.layout}`} class="sheet">
            <div class="row">
              <span class={`badge ${each.severity}`}>{each.severity}</span>
              <code>{each.id}</code>
              {each.layout && <span class="soft">layout {each.layout}</span>}
              <span class="grow" />
              <button type="button" class="plain link" onClick={() => onGoTo(rangeOf(each))}>
                line {each.line}
              </button>
            </div>
            <p class="message">{each.message}.</p>
            {each.why && <p class="soft">{each.why}</p>}
            {each.fix && <p>To do: {each.fix}.</p>}
            {each.repair && (
              <div class="row">
                <span class="soft grow">Can be mended here: {each.repair}.</span>
                <button type="button" aria-disabled={isFixing} aria-label={`Fix ${each.id} of line ${each.line}`} onClick={() => void fix(each.id)}>
                  {repairs.filter(({ id }) => id === each.id).length > 1 ? 'Fix this kind' : 'Fix'}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
