// What changed, attribute by attribute.
import { type Change, differences } from './difference';
import { type Item, shown, TYPE_NAMES, typeOf, type Value } from './value';

const typed = (value: Value, other: Value | undefined) => (other && typeOf(other) !== typeOf(value) ? `${shown(value, 2000)} (${TYPE_NAMES[typeOf(value)].toLowerCase()})` : shown(value, 2000));

export function ChangeList({ before, after }: { before: Item; after: Item }) {
  const changes: Change[] = differences(before, after);
  if (changes.length === 0) return <p class="soft">No attribute differs.</p>;
  return (
    <table class="plain changes">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.path}>
            <th scope="row" class="mono">
              {change.path}
            </th>
            <td>{change.before ? <del>{typed(change.before, change.after)}</del> : <span class="soft">none</span>}</td>
            <td>{change.after ? <ins>{typed(change.after, change.before)}</ins> : <span class="soft">removed</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
