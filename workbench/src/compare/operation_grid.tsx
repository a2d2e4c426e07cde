// Methods by operations: what one run of each takes.
import { decimal } from '../parts/amount';
import type { Contestant, Measured, Subject } from './measurement';

interface Parts {
  result: Measured;
  names: Record<string, string>;
  chosen: string | null;
  onChoose: (name: string) => void;
}

/** Nothing if it cannot be asked for there at all. */
const servedBy = ({ unserved, subjects }: Contestant, name: string): Subject | undefined => (unserved.includes(name) ? undefined : subjects.find((of) => of.name === name && of.unserved <= of.runs));
const units = (of: Subject) => of.read_units + of.write_units;

export function OperationGrid({ result, names, chosen, onChoose }: Parts) {
  const subjects = result.layouts[0]?.subjects ?? [];
  const best = subjects.map(({ name }) => {
    const able = result.layouts.map((each) => servedBy(each, name)).filter((of) => of !== undefined);
    return { requests: Math.min(...able.map((of) => of.requests)), units: Math.min(...able.map(units)) };
  });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Methods by operations">
      <table class="matrix operation-grid">
        <caption class="hidden-text">Requests and units of one run</caption>
        <thead>
          <tr>
            <th scope="col">requests / units of one run</th>
            {subjects.map(({ name, kind }) => (
              <th key={name} scope="col">
                {name}
                <small>{kind}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.layouts.map((each) => (
            <tr key={each.name} class={each.name === chosen ? 'chosen' : undefined}>
              <th scope="row">
                <button type="button" class="plain link" title={each.name} aria-pressed={each.name === chosen} onClick={() => onChoose(each.name)}>
                  {names[each.name]}
                </button>
              </th>
              {subjects.map(({ name }, i) => (
                <Cell key={name} of={servedBy(each, name)} best={best[i]!} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">share of the mix</th>
            {subjects.map(({ name }) => (
              <td key={name}>{decimal((result.mix[name] ?? 0) * 100)} %</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Cell({ of, best }: { of: Subject | undefined; best: { requests: number; units: number } }) {
  if (!of) return <td class="cannot">cannot</td>;
  const isBest = of.requests <= best.requests && units(of) <= best.units;
  // Four times as much as the best is as dark as it gets.
  const much = best.units > 0 ? Math.min(1, Math.max(0, Math.log(units(of) / best.units) / Math.log(4))) : 0;
  return (
    <td style={{ '--much': `${Math.round(much * 26)}%` }} class={isBest ? 'best' : 'more'} title={of.refused > 0 ? `refused ${of.refused} times: ${of.refusal}` : undefined}>
      {decimal(of.requests)} / {decimal(units(of))}
      {isBest && <span aria-hidden="true"> ✓</span>}
      {isBest && <span class="hidden-text"> (the least)</span>}
      {of.refused > 0 && <small>{of.refused} refused</small>}
    </td>
  );
}
