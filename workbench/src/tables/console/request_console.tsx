// Any request of DynamoDB's API, and its answer.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { parseJson, prettyJson } from '../../item/json_text';
import { byteText } from '../../parts/amount';
import { CodeBox } from '../../parts/code_box';
import { Icon } from '../../parts/icon';
import { ErrorBox } from '../../parts/loaded';
import { callText } from '../../server/dynamo';
import { RequestError } from '../../server/session';
import { useExampleTable } from '../last_table';
import { CodeArea } from './code_area';
import { HistoryList, useHistory } from './history_list';
import { OPERATIONS, startOf } from './operations';

interface Sent {
  operation: string;
  body: string;
}
interface Answer {
  text: string;
  status: number;
  milliseconds: number;
  bytes: number;
}

let kept: Sent = { operation: 'ListTables', body: '{}' }; // what was typed is there again when one comes back

export function RequestConsole({ tables }: { tables: string[] }) {
  const [{ operation, body }, setSent] = useState<Sent>(kept);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const history = useHistory<Sent>('requests');
  const stop = useRef<AbortController | null>(null);
  const id = useId();
  const table = useExampleTable(tables);
  const started = useRef('{}'); // the body that we have put there ourselves
  // It may have been put there before the table was known.
  useEffect(() => {
    if (!table || body === '{}' || body !== started.current) return;
    started.current = startOf(operation, table);
    type({ operation, body: started.current });
  }, [table]);
  const type = (next: Sent) => {
    kept = next;
    setSent(next);
  };

  const send = async () => {
    if (isBusy) return;
    setError(null);
    setAnswer(null);
    try {
      parseJson(body || '{}');
    } catch (problem) {
      return setError(new Error(`The body is not JSON: ${(problem as Error).message}`));
    }
    history.add({ operation, body });
    setBusy(true);
    stop.current = new AbortController();
    const from = performance.now();
    try {
      const text = await callText(operation, body || '{}', stop.current.signal);
      setAnswer({ text, status: 200, milliseconds: performance.now() - from, bytes: new Blob([text]).size });
    } catch (problem) {
      if (stop.current.signal.aborted) return setBusy(false);
      setError(problem as Error);
      if (problem instanceof RequestError && problem.status > 0) setAnswer({ text: '', status: problem.status, milliseconds: performance.now() - from, bytes: 0 });
    }
    setBusy(false);
  };

  return (
    <div class="console">
      <div class="console-main">
        <div class="title">
          <h2>Requests</h2>
          <span class="soft">Any operation of DynamoDB’s API, as it is sent</span>
        </div>
        <div class="row">
          <label class="check grow" for={`${id}-name`}>
            Operation
            <input
              id={`${id}-name`}
              class="mono grow"
              list={`${id}-operations`}
              value={operation}
              spellcheck={false}
              onInput={(event) => {
                const next = event.currentTarget.value.trim();
                const isUntouched = body.trim() === '' || body === '{}' || body === started.current;
                if (OPERATIONS.includes(next) && isUntouched) started.current = startOf(next, table);
                type({ operation: next, body: OPERATIONS.includes(next) && isUntouched ? started.current : body });
              }}
            />
          </label>
          <datalist id={`${id}-operations`}>
            {OPERATIONS.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <button type="button" onClick={() => type({ operation, body: startOf(operation, table) })}>
            Start anew
          </button>
          <button type="button" onClick={() => type({ operation, body: prettyJson(body) })}>
            Format
          </button>
        </div>
        <CodeArea label="Body of the request" language="json" rows={12} value={body} onChange={(text) => type({ operation, body: text })} onRun={() => void send()} />
        <div class="row">
          <button class="primary" disabled={operation === ''} aria-disabled={isBusy} onClick={() => void send()} title="Ctrl+Enter">
            <Icon name="run" /> Send
          </button>
          {isBusy && (
            <button onClick={() => stop.current?.abort()}>
              <Icon name="stop" /> Stop
            </button>
          )}
          <span class="soft" role="status">
            {isBusy ? 'Waiting for the answer…' : answer && `Status ${answer.status}, ${Math.round(answer.milliseconds)} ms${answer.bytes > 0 ? `, ${byteText(answer.bytes)}` : ''}`}
          </span>
        </div>
        {error && <ErrorBox error={error} />}
        {answer && answer.text !== '' && <CodeBox text={prettyJson(answer.text)} label="Answer" />}
      </div>
      <HistoryList history={history} titleOf={(each) => `${each.operation} ${each.body.replace(/\s+/g, ' ')}`} onTake={type} />
    </div>
  );
}
