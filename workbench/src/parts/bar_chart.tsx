// Horizontal bars with their numbers. It is a table, so that it can be read without being seen.
import './bar_chart.css';

export interface Bar {
  name: string;
  label?: string; // shorter than the name
  value: number;
  text: string; // the number, as it is told
  note?: string; // behind the number
  isPale?: boolean; // told, but not to be compared with the others
}
interface Parts {
  title: string;
  hint?: string;
  bars: Bar[];
  chosen?: string | null;
  onChoose?: (name: string) => void;
}

export function BarChart({ title, hint, bars, chosen, onChoose }: Parts) {
  const most = Math.max(...bars.filter((each) => Number.isFinite(each.value)).map((each) => each.value), 0);
  const least = Math.min(...bars.filter((each) => !each.isPale).map((each) => each.value));
  return (
    <figure class="bar-chart">
      <figcaption>
        {title}
        {hint && <span class="soft"> {hint}</span>}
        {bars.length > 1 && (
          <span class="soft least">
            <span class="swatch" aria-hidden="true" /> the least
          </span>
        )}
      </figcaption>
      <table aria-label={title}>
        <tbody>
          {bars.map(({ name, label = name, value, text, note, isPale }) => {
            const width = most > 0 && Number.isFinite(value) ? (value / most) * 100 : 0;
            const kind = isPale ? 'pale' : value === least ? 'best' : undefined;
            return (
              <tr key={name} class={name === chosen ? 'chosen' : undefined} title={name} onClick={onChoose && (() => onChoose(name))}>
                <th scope="row">{label}</th>
                <td class="bar">
                  <svg width="100%" height="12" aria-hidden="true">
                    <rect width={`${Math.max(width, 0.6)}%`} height="12" rx="2" class={kind} />
                  </svg>
                </td>
                <td class="number">
                  {text}
                  {kind === 'best' && <span class="hidden-text"> (the least)</span>}
                  {note && <span class="soft"> {note}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </figure>
  );
}
