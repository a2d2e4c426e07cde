// Statements of PartiQL, their parameters and answers.
import { useRef, useState } from 'preact/hooks';
import { plainText } from '../../item/item_json';
import type { Item, Value } from '../../item/value';
import { counted, unitsText } from '../../parts/amount';
import { CodeBox } from '../../parts/code_box';
import { Icon } from '../../parts/icon';
import { ErrorBox, useLoaded } from '../../parts/loaded';
import { Tabs } from '../../parts/tabs';
import { call, type ConsumedCapacity, describeTable } from '../../server/dynamo';
import { useExampleTable } from '../last_table';
import { CodeArea } from './code_area';
import { HistoryList, useHistory } from './history_list';
import { ItemTable } from './item_table';
import { exampleStatement } from './operations';
import { parametersOf } from './parameters';
import { dashHint, scanNote, selectFrom } from './scan_note';

interface Statement {
  statement: string;
  parameters: string;
}
interface Answer {
  Items?: Item[];
  NextToken?: string;
  ConsumedCapacity?: ConsumedCapacity;
}
interface Outcome {
  ran: object;
  items: Item[];
  next: string | null;
  units: number;
  milliseconds: number;
  isRead: boolean;
}

const PAGE = 200;
let kept: Statement = { statement: '', parameters: '' }; // what was typed is there again when one comes back

/** Before it is run: what it will read. */
function ScanNote({ statement, tables }: { statement: string; tables: string[] }) {
  const from = selectFrom(statement);
  const name = from && tables.includes(from.table) ? from.table : null;
  const table = useLoaded(async () => (name === null ? null : describeTable(name).catch(() => null)), [name]).value;
  const note = from && table && table.TableName === name ? scanNote(from, table) : null;
  return note === null ? null : (
    <div class="box warning" role="status">
      {note}
    </div>
  );
}

export function PartiqlConsole({ tables }: { tables: string[] }) {
  const example = useExampleTable(tables);
  const [{ statement, parameters }, setStatement] = useState<Statement>(kept);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [failed, setFailed] = useState(''); // the statement
  const [isBusy, setBusy] = useState(false);
  const [view, setView] = useState<'table' | 'json'>('table');
  const history = useHistory<Statement>('partiql');
  const stop = useRef<AbortController | null>(null);
  const type = (next: Statement) => {
    kept = next;
    setStatement(next);
  };

  const ask = async (request: object, before: Outcome | null) => {
    setBusy(true);
    setError(null);
    stop.current = new AbortController();
    const started = performance.now();
    try {
      const answer = await call<Answer>('ExecuteStatement', { ...request, ReturnConsumedCapacity: 'TOTAL', ...(before?.next ? { NextToken: before.next } : {}) }, stop.current.signal);
      setOutcome({
        ran: request,
        items: [...(before?.items ?? []), ...(answer.Items ?? [])],
        next: answer.NextToken ?? null,
        units: (before?.units ?? 0) + (answer.ConsumedCapacity?.CapacityUnits ?? 0),
        milliseconds: performance.now() - started,
        isRead: /^\s*select\b/i.test(statement) || (answer.Items ?? []).length > 0,
      });
    } catch (problem) {
      if (!stop.current.signal.aborted) {
        setError(problem as Error);
        setFailed(statement);
      }
    }
    setBusy(false);
  };
  const run = () => {
    if (statement.trim() === '' || isBusy) return;
    let values: Value[];
    try {
      values = parametersOf(parameters);
    } catch (problem) {
      return setError(problem as Error);
    }
    history.add({ statement: statement.trim(), parameters: parameters.trim() });
    setOutcome(null);
    const isSelect = /^\s*select\b/i.test(statement);
    void ask({ Statement: statement.trim(), ...(values.length > 0 ? { Parameters: values } : {}), ...(isSelect ? { Limit: PAGE } : {}) }, null);
  };

  return (
    <div class="console">
      <div class="console-main">
        <div class="title">
          <h2>PartiQL</h2>
          <span class="soft">SELECT, INSERT, UPDATE and DELETE on tables and indexes</span>
        </div>
        <CodeArea label="Statement" language="sql" rows={5} value={statement} placeholder={exampleStatement(example)} onChange={(text) => type({ statement: text, parameters })} onRun={run} />
        <div class="field-of-code">
          <span class="soft">Parameters, for each ?</span>
          <CodeArea label="Parameters" language="json" rows={1} value={parameters} placeholder={'["a text", 12, {"SS": ["a", "b"]}]'} onChange={(text) => type({ statement, parameters: text })} onRun={run} />
        </div>
        <div class="row">
          <button class="primary" disabled={statement.trim() === ''} aria-disabled={isBusy} onClick={run} title="Ctrl+Enter">
            <Icon name="run" /> Run
          </button>
          {isBusy && (
            <button
              onClick={() => {
                stop.current?.abort();
                setBusy(false);
              }}
            >
              <Icon name="stop" /> Stop
            </button>
          )}
          <span class="soft" role="status">
            {isBusy
              ? 'Running…'
              : outcome &&
                `${outcome.isRead ? counted(outcome.items.length, 'item', 'items') + (outcome.next ? ' so far' : '') : 'Done'}, ${unitsText(outcome.units)}, ${Math.round(outcome.milliseconds)} ms`}
          </span>
        </div>
        <ScanNote statement={statement} tables={tables} />
        {error && <ErrorBox error={error} />}
        {error && dashHint(failed) && <p class="soft">{dashHint(failed)}</p>}
        {outcome && outcome.items.length > 0 && (
          <>
            <Tabs
              label="Ways to see the items"
              tabs={[
                { name: 'table', label: 'Table' },
                { name: 'json', label: 'JSON' },
              ]}
              chosen={view}
              onChoose={setView}
            >
              {view === 'table' ? <ItemTable items={outcome.items} /> : <CodeBox text={outcome.items.map((item) => plainText(item)).join('\n')} label="The items as JSON" />}
            </Tabs>
            {outcome.next && (
              <div class="row">
                <button aria-disabled={isBusy} onClick={() => void ask(outcome.ran, outcome)}>
                  More
                </button>
              </div>
            )}
          </>
        )}
        {outcome && outcome.items.length === 0 && outcome.isRead && (
          <div class="empty">
            <h3>No items</h3>
            {outcome.next ? (
              <>
                <p>None so far, but there are more to read.</p>
                <button onClick={() => void ask(outcome.ran, outcome)}>More</button>
              </>
            ) : (
              <p>The statement found none.</p>
            )}
          </div>
        )}
      </div>
      <HistoryList history={history} titleOf={(each) => each.statement} onTake={type} />
    </div>
  );
}
