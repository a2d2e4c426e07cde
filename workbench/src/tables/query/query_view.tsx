// The query builder, and what the request returned.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Item } from '../../item/value';
import { count, counted, decimal } from '../../parts/amount';
import { Icon } from '../../parts/icon';
import { ErrorBox, useLoaded } from '../../parts/loaded';
import { adjust, place } from '../../parts/place';
import { tell } from '../../parts/toasts';
import { indexesOf, type Table } from '../../server/dynamo';
import { CollectionGrid } from '../collection_grid';
import { huesOfTable } from '../hues';
import { Legend } from '../legend';
import { readingOf, useSource } from '../pane';
import { RowSource } from '../row_source';
import { QuestionForm } from './question_form';
import { noQuestion, type Question, questionFrom, questionText } from './question';
import { buildRequest, type BuiltRequest } from './question_request';
import { RequestCode } from './request_code_view';
import { pathStep, seenTypes } from './seen_types';

interface Parts {
  table: Table;
  round: number;
  onOpen: (item: Item) => void;
}
interface Asked {
  round: number; // the same may be asked again
  question: Question;
  built: BuiltRequest;
}

function built(table: Table, question: Question): BuiltRequest | Error {
  try {
    return buildRequest(table, question);
  } catch (error) {
    return error as Error;
  }
}
function startOf(table: Table): Question {
  const question = questionFrom(place.value.query['q']);
  return indexesOf(table).some((each) => each.IndexName === question.index) ? question : { ...question, index: '' };
}
const isSame = (one: Question, other: Question): boolean => questionText(one) === questionText(other);
// What was typed and not run is there again when one comes back, unless a link says something else.
const typed = new Map<string, { given: string; question: Question }>();

export function QueryView({ table, round, onOpen }: Parts) {
  const given = place.value.query['q'] ?? '{}';
  const [question, setQuestion] = useState(() => {
    const before = typed.get(table.TableName);
    return before?.given === given ? before.question : startOf(table);
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [attributes, setAttributes] = useState<string[]>([]);
  const seen = useLoaded(() => seenTypes(table.TableName), [table.TableName]).value ?? null;
  const written = useRef<string | null>(null); // into the address, by Run
  const request = built(table, question);
  const ask = (of: Question) => {
    const ready = built(table, of);
    if (!(ready instanceof Error)) setAsked((before) => ({ round: (before?.round ?? 0) + 1, question: of, built: ready }));
  };
  const change = (to: Question) => {
    typed.set(table.TableName, { given, question: to });
    setQuestion(to);
  };
  // The address says what was run, not what is being typed.
  const run = () => {
    if (request instanceof Error) return;
    const text = questionText(question);
    written.current = text;
    typed.delete(table.TableName);
    adjust({ q: text === '{}' ? null : text });
    ask(question);
  };
  // What a link says is asked at once.
  const isFirst = useRef(true);
  useEffect(() => {
    const begins = isFirst.current;
    isFirst.current = false;
    if (given === written.current) return;
    written.current = given;
    const next = startOf(table);
    if (!begins) setQuestion(next);
    if (given === '{}') setAsked(null);
    else ask(next);
  }, [given]);

  const names = [...new Set([...[...table.AttributeDefinitions.map((each) => each.AttributeName), ...attributes].map(pathStep), ...(seen?.keys() ?? [])])];
  return (
    <div class="query">
      <div class="builder">
        <form
          aria-label="Query builder"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            run();
          }}
        >
          <QuestionForm table={table} question={question} attributes={names} seen={seen} onChange={change} />
          <div class="row actions">
            <button class="primary" disabled={request instanceof Error} title="Ctrl+Enter">
              <Icon name="run" /> Run the {request instanceof Error ? 'query' : request.operation}
            </button>
            <button type="button" onClick={() => change({ ...noQuestion, index: question.index })}>
              Clear
            </button>
            {request instanceof Error ? (
              <span class="problem" role="alert">
                {request.message}
              </span>
            ) : (
              request.operation === 'Scan' && <span class="soft">Without a partition value this reads the whole {question.index ? 'index' : 'table'}.</span>
            )}
          </div>
        </form>
        {!(request instanceof Error) && <RequestCode built={request} />}
      </div>
      {asked ? (
        <Results key={asked.round} table={table} asked={asked} isOld={!isSame(asked.question, question)} round={round} onOpen={onOpen} onAttributes={setAttributes} />
      ) : (
        <div class="empty">
          <h3>Ask something</h3>
          <p>Give a partition value for a Query, or none for a Scan, and run it.</p>
        </div>
      )}
    </div>
  );
}

interface ResultParts extends Parts {
  asked: Asked;
  isOld: boolean; // the form says something else by now
  onAttributes: (names: string[]) => void;
}

function Results({ table, asked: { question, built }, isOld, round, onOpen, onAttributes }: ResultParts) {
  const index = question.index || null;
  const source = useMemo(() => RowSource.pages(built.operation, built.request, readingOf(table, index)), [built]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [lit, setLit] = useState<string | null>(null);
  const startedIn = useRef(round);
  useSource(source, round - startedIn.current);
  useEffect(() => () => source.stop(), [source]);
  useEffect(() => {
    const items = source.loadedItems().slice(0, 2000);
    if (items.length > 0) onAttributes([...new Set(items.flatMap(Object.keys))].slice(0, 200));
  }, [source, source.totals.requests]);
  const { totals } = source;
  const open = (item: Item) => {
    if (table.KeySchema.every(({ AttributeName }) => item[AttributeName])) onOpen(item);
    else tell('The projection leaves out the key: the item cannot be opened.');
  };
  const isEmpty = source.length === 0 && totals.requests > 0;
  return (
    <div class={isOld ? 'pane old' : 'pane'} role="region" aria-label="Results">
      <div class="bar" role="status">
        {isOld && <span class="badge warning">of the request before: the form was changed since</span>}
        <strong>{totals.requests === 0 && !source.error ? 'Asking…' : `${counted(totals.returned, 'item', 'items')} returned`}</strong>
        <span class="soft">
          {count(totals.scanned)} scanned, {decimal(totals.units)} {totals.units === 1 ? 'unit' : 'units'}, {counted(totals.requests, 'request', 'requests')}
        </span>
        <Legend hues={huesOfTable(table.TableName)} entities={[...source.entities]} lit={lit} onLight={setLit} />
        <span class="grow" />
        {source.isPaused && (
          <>
            <span>There is more.</span>
            <button onClick={() => source.goOn()}>Go on</button>
          </>
        )}
      </div>
      {source.error && <ErrorBox error={source.error} onRetry={() => source.retry()} />}
      {isEmpty ? (
        <div class="empty">
          <h3>{source.isPaused ? 'Nothing so far' : 'Nothing was found'}</h3>
          <p>{source.isPaused ? 'No item that was read passes the filter; there are more to read.' : 'No item fits the conditions.'}</p>
        </div>
      ) : (
        <CollectionGrid
          table={table}
          index={index}
          source={source}
          label={`Results of the ${built.operation}`}
          tag={null}
          chosen={chosen}
          lit={lit}
          onChoose={(item) => setChosen(source.keyOf(item))}
          onOpen={open}
        />
      )}
    </div>
  );
}
