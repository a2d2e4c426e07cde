// Reads and writes by entity and relation, as served models name their keys.
import { counted } from '../parts/amount';
import { ErrorBox } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { Scrolled } from '../parts/scrolled';
import { heatOfAll, heatOfOne, type HeatOf, isBusy, isOwn, loadOf, placeName, rate, type Rates, type Whole } from './heat_answer';
import { usePolled } from './polled';
import { ShareBar } from './share';

const PLACES = 8;

/** The busiest tables and indexes with their keys. */
export async function busiest(seconds: number, keys: number, signal: AbortSignal, weight: (of: HeatOf<Rates>) => number = loadOf): Promise<{ places: HeatOf<Whole>[]; left: number }> {
  const all = (await heatOfAll(seconds, signal)).filter((each) => isBusy(each) && !isOwn(each)).sort((a, b) => weight(b) - weight(a));
  const asked = all.slice(0, PLACES).map(({ table, index }) => heatOfOne({ table, index: index ?? null, seconds, keys }, signal));
  return { places: await Promise.all(asked), left: all.length - asked.length };
}

export function ByEntity({ seconds, isPaused }: { seconds: number; isPaused: boolean }) {
  const heat = usePolled((signal) => busiest(seconds, 64, signal), ['entities', seconds], isPaused);
  if (!heat.value) return heat.error ? <ErrorBox error={heat.error} onRetry={heat.again} /> : <p class="soft">Loading…</p>;
  const { places, left } = heat.value;
  return (
    <section class="sheet">
      <h2>Entities and relations</h2>
      <EntitySums places={places} />
      {left > 0 && <p class="soft">Of the {PLACES} busiest tables and indexes; {counted(left, 'other is', 'others are')} left out.</p>}
    </section>
  );
}

interface Sum {
  kind: string | null;
  place: HeatOf<Whole>;
  reads: number;
  writes: number;
}

/** From keys that were picked at random: what is written once and never again is hot as a whole, though none of it is. */
function sumsOf(places: HeatOf<Whole>[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const place of places)
    for (const access of ['reads', 'writes'] as const)
      for (const key of place[access].sample) {
        const id = JSON.stringify([key.kind ?? null, placeName(place)]);
        const sum = sums.get(id) ?? { kind: key.kind ?? null, place, reads: 0, writes: 0 };
        sum[access] += key.share * place[access].units_per_second;
        sums.set(id, sum);
      }
  return [...sums.values()].sort((a, b) => b.reads + b.writes - (a.reads + a.writes));
}

export function EntitySums({ places }: { places: HeatOf<Whole>[] }) {
  const sums = sumsOf(places);
  const total = sums.reduce((sum, each) => sum + each.reads + each.writes, 0);
  if (sums.length === 0) return <p class="soft">Nothing was read or written, so there is nothing to sum up.</p>;
  const isOfOne = places.length === 1;
  return (
    <>
      <Scrolled label="Entities and relations">
      <table class="plain entity-sums">
        <thead>
          <tr>
            <th>Entity or relation</th>
            {!isOfOne && <th>of</th>}
            <th class="number">read units/s</th>
            <th class="number">write units/s</th>
            <th class="number">share</th>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={JSON.stringify([sum.kind, placeName(sum.place)])}>
              <th scope="row">{sum.kind === null ? <span class="soft">no model explains them</span> : sum.kind}</th>
              {!isOfOne && (
                <td>
                  <a href={linkTo('heat', [sum.place.table, ...(sum.place.index ? [sum.place.index] : [])])}>{placeName(sum.place)}</a>
                </td>
              )}
              <td class="number">{rate(sum.reads)}</td>
              <td class="number">{rate(sum.writes)}</td>
              <td class="number">
                <ShareBar share={total > 0 ? (sum.reads + sum.writes) / total : 0} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      </Scrolled>
      <p class="soft">About, to within a sixteenth of each table or index: from keys that were picked at random, named by the models that are served.</p>
    </>
  );
}
