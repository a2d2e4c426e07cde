// Which colour is which entity. One of them can be made to stand out.
import type { Hues } from './hues';

interface Parts {
  hues: Hues;
  entities: string[];
  lit: string | null;
  onLight: (entity: string | null) => void;
}

const MOST = 8;

export function Legend({ hues, entities, lit, onLight }: Parts) {
  const named = entities.filter((each) => each !== '');
  if (named.length === 0) return null;
  return (
    <ul class="legend" aria-label="Entities">
      {named.slice(0, MOST).map((each) => (
        <li key={each}>
          <button class="plain" aria-pressed={lit === each} title={lit === each ? 'Show all alike' : `Let ${each} stand out`} onClick={() => onLight(lit === each ? null : each)}>
            <span class="swatch" style={{ '--hue': hues.of(each) }} /> {each}
          </button>
        </li>
      ))}
      {named.length > MOST && (
        <li class="soft" title={named.slice(MOST).join(', ')}>
          and {named.length - MOST} more
        </li>
      )}
    </ul>
  );
}
