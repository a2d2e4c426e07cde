// The strategy that was chosen: what it stores, what it lacks, and the way into the model.
import { byteText, count } from '../parts/amount';
import { CodeBox } from '../parts/code_box';
import { linkTo } from '../parts/place';
import { guideOn } from '../model/guided';
import { tell } from '../parts/toasts';
import type { Contestant } from './measurement';

export function ChosenStrategy({ of, words, model, relation, layout }: { of: Contestant; words: string; model: string; relation: string; layout: string }) {
  const strategy = relation && of.name.startsWith(`${relation} via `) ? of.name.slice(relation.length + 5) : null;
  const taken = () => {
    guideOn(model, strategy ? 'choose' : 'serve');
    if (!strategy) tell(`This is the layout ${of.name}: the model has it already. Serve it, and the model is stored so.`);
  };
  return (
    <section class="sheet chosen-strategy" aria-label="The chosen strategy">
      <div class="row">
        <h3 class="grow">
          {of.name} {words && <span class="soft plain-weight">{words}</span>}
        </h3>
        <a class="button primary" href={linkTo('model', [model], strategy ? { layout, relation, strategy } : { layout: of.name })} onClick={taken}>
          {strategy ? 'Take it into the model…' : 'Show it in the model'}
        </a>
      </div>
      {of.keys_left_to_sheaf !== 'nothing' && (
        <p>
          The keys in the model say another strategy, so {of.keys_left_to_sheaf === 'own keys' ? 'those of the two entities' : 'all keys'} were left to Sheaf.
        </p>
      )}
      {of.shortfalls.length > 0 && (
        <ul>
          {of.shortfalls.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="What it stores">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Stored in</th>
              <th scope="col" class="number">
                Items
              </th>
              <th scope="col" class="number">
                Bytes
              </th>
            </tr>
          </thead>
          <tbody>
            {of.stored.map(({ table, items, bytes, indexes }) => (
              <>
                <tr key={table}>
                  <th scope="row">{table}</th>
                  <td class="number">{count(items)}</td>
                  <td class="number">{byteText(bytes)}</td>
                </tr>
                {indexes.map((each) => (
                  <tr key={table + each.index}>
                    <th scope="row" class="inner">
                      index {each.index}
                    </th>
                    <td class="number">{count(each.items)}</td>
                    <td class="number">{byteText(each.bytes)}</td>
                  </tr>
                ))}
              </>
            ))}
          </tbody>
        </table>
      </div>
      {of.text && (
        <details>
          <summary>The model with this strategy</summary>
          <CodeBox label="The model with this strategy" text={of.text} />
        </details>
      )}
    </section>
  );
}
