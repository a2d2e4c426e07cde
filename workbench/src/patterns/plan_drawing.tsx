// A plan, step by step: the request, its key condition, the table or index that it goes to, and what it reads.
import type { ComponentChildren } from 'preact';
import { counted, unitsText } from '../parts/amount';
import { type PlannedRequest, restOf, stepOf } from './explained';

/** A key condition with what will be filled in marked. */
export function Condition({ text }: { text: string }) {
  const parts = text.split(/(<[^<>]+>)/);
  return <code>{parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</code>;
}

function Arrow() {
  return (
    <svg class="plan-arrow" width="18" height="12" viewBox="0 0 18 12" fill="none" stroke="currentColor" stroke-width="1.4" aria-hidden="true">
      <path d="M1 6h14M11 2l4 4-4 4" />
    </svg>
  );
}

interface StepParts {
  label: string;
  boxes: { title: string; content: ComponentChildren }[];
}
function Step({ label, boxes }: StepParts) {
  return (
    <li>
      <span class="plan-round">{label}</span>
      <div class="plan-boxes">
        {boxes.map(({ title, content }, i) => (
          <div key={i} class="plan-part">
            {i > 0 && <Arrow />}
            <div class="plan-box">
              <small>{title}</small>
              <div>{content}</div>
            </div>
          </div>
        ))}
      </div>
    </li>
  );
}

export interface ActualStep {
  items: number;
  units: number;
}

export function PlanDrawing({ requests, bound, actual }: { requests: PlannedRequest[]; bound?: (string | undefined)[]; actual?: (ActualStep | undefined)[] }) {
  let before = 0;
  return (
    <ol class="plan" aria-label="The plan">
      {requests.map((request, i) => {
        const { how, brings } = restOf(request);
        const [table, index] = splitView(request.view);
        const isTogether = request.round === before;
        before = request.round;
        const real = actual?.[i];
        return (
          <Step
            key={i}
            label={isTogether ? 'together with it' : `round ${request.round}`}
            boxes={[
              { title: request.calls > 1 ? `${request.calls} calls` : 'request', content: <b>{request.operation}</b> },
              {
                title: request.operation === 'Query' ? 'key condition' : 'key',
                content: (
                  <>
                    <Condition text={bound?.[i] ?? request.key_condition} />
                    {how && <div class="soft">{how}</div>}
                  </>
                ),
              },
              { title: index ? 'index' : 'table', content: index ? <><b>{index}</b> <span class="soft">of {table}</span></> : <b>{table}</b> },
              {
                title: real ? 'read' : 'reads at most',
                content: (
                  <>
                    {real ? `${counted(real.items, 'item', 'items')}, ${unitsText(real.units)}` : `${counted(request.items_read, 'item', 'items')}, ${unitsText(request.units)}`}
                    <div class="soft">{brings}</div>
                  </>
                ),
              },
            ]}
          />
        );
      })}
    </ol>
  );
}

/** hr-data.GSI1 is an index; the names of tables may have points, too. */
export function splitView(view: string, tables?: string[]): [string, string | null] {
  if (tables?.includes(view)) return [view, null];
  const at = view.lastIndexOf('.');
  return at < 0 ? [view, null] : [view.slice(0, at), view.slice(at + 1)];
}

/** `noteOf`: what else to say of what a job does. */
export function WriteDrawing({ requests, noteOf }: { requests: string[]; noteOf?: (job: string) => string }) {
  return (
    <ol class="plan" aria-label="The plan">
      {requests.map((text, i) => {
        const { number, operation, actions } = stepOf(text);
        return (
          <Step
            key={i}
            label={number ? `round ${number}` : 'afterwards'}
            boxes={[
              { title: number ? 'request' : '', content: <b>{operation}</b> },
              {
                title: number ? 'on' : 'what',
                content: (
                  <ul class="plan-actions">
                    {actions.map((action, at) => (
                      <li key={at}>
                        {action}
                        {!number && noteOf?.(action) && <span class="soft">: {noteOf(action)}</span>}
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
        );
      })}
    </ol>
  );
}
