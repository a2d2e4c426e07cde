// One item in a window: as a form, as DynamoDB's JSON, as plain JSON, and its history.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { byteText, unitsText } from '../parts/amount';
import { Dialog } from '../parts/dialog';
import { ErrorBox, Show, useLoaded } from '../parts/loaded';
import { linkTo } from '../parts/place';
import { forWriters, mayWrite } from '../parts/roles';
import { Tabs } from '../parts/tabs';
import { tell } from '../parts/toasts';
import { call, type Table } from '../server/dynamo';
import { RequestError } from '../server/session';
import { ChangeList } from './change_list';
import { isSameItem, rebased } from './difference';
import { type Draft, draftOf, itemOfDraft, type Problems } from './draft';
import { dynamoText, itemFromDynamoText, itemFromPlainText, plainText } from './item_json';
import { ItemHistory } from './item_history';
import { deleteRequest, putNewRequest, updateRequest } from './item_requests';
import { type Item, itemBytes, shown, type TypeName } from './value';
import { ValueParts } from './value_form';
import './item.css';

/** Which item: one that is there, or a new one that begins as this. */
export type Opened = { key: Item } | { start: Item };

interface Parts {
  table: Table;
  owner: string | null; // a served model that the table belongs to
  opened: Opened;
  onClose: () => void;
  /** It was saved or deleted. */
  onChanged: (item: Item | null) => void;
  onTableChange: () => void;
}

export const ITEM_BYTES_MAX = 400 * 1024;
const keyNamesOf = (table: Table) => table.KeySchema.map((each) => each.AttributeName);

async function readItem(table: Table, key: Item): Promise<Item | null> {
  return (await call<{ Item?: Item }>('GetItem', { TableName: table.TableName, Key: key, ConsistentRead: true })).Item ?? null;
}

export function ItemEditor(parts: Parts) {
  const { table, opened, onClose } = parts;
  const isNew = 'start' in opened;
  const read = useLoaded(() => (isNew ? Promise.resolve(null) : readItem(table, opened.key)), [table.TableName, opened]);
  if (isNew) return <Editor {...parts} read={null} start={opened.start} onReload={() => {}} />;
  if (read.value && !read.isLoading) return <Editor {...parts} read={read.value} start={read.value} onReload={read.again} />;
  return (
    <Dialog title="Item" wide onClose={onClose}>
      {read.value === null ? (
        <div class="empty">
          <h3>This item is not there any more</h3>
          <p>Somebody has deleted it since it was listed.</p>
        </div>
      ) : (
        <Show of={read}>{() => <p class="soft">Loading…</p>}</Show>
      )}
    </Dialog>
  );
}

/** Keys first, and those that are missing are there with their types. */
function startingDraft(table: Table, item: Item): Draft {
  const keys = keyNamesOf(table);
  const typeOfKey = (name: string) => table.AttributeDefinitions.find((each) => each.AttributeName === name)?.AttributeType ?? 'S';
  const ordered: Item = {};
  for (const name of keys) ordered[name] = item[name] ?? ({ [typeOfKey(name)]: '' } as Item[string]);
  return draftOf({ M: { ...ordered, ...item } });
}

type View = 'form' | 'dynamo' | 'plain' | 'history';
const VIEWS = [
  { name: 'form', label: 'Form' },
  { name: 'dynamo', label: 'DynamoDB JSON' },
  { name: 'plain', label: 'JSON' },
] as const;
const textOf = (view: View, item: Item) => (view === 'plain' ? plainText(item) : dynamoText(item));

interface Conflict {
  action: 'save' | 'delete';
  current: Item | null;
}

interface EditorParts extends Parts {
  read: Item | null; // null: it is new
  start: Item;
  onReload: () => void;
}

function Editor({ table, owner, read: given, start, onClose, onChanged, onTableChange, onReload }: EditorParts) {
  const keys = keyNamesOf(table);
  const [read, setRead] = useState(given);
  const [draft, setDraft] = useState(() => startingDraft(table, start));
  const [view, setView] = useState<View>('form');
  const [text, setText] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isCopy, setCopy] = useState(false);
  const like = useRef<Item>(start);
  const [begun] = useState(() => itemOfDraft(draft).item);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.querySelector<HTMLElement>('.value-content :is(input, textarea):not([readonly])')?.focus(), []);
  const isText = view === 'dynamo' || view === 'plain';

  const current = useMemo((): { item: Item | null; problems: Problems; wrong: string | null } => {
    if (!isText) {
      const { item, problems } = itemOfDraft(draft);
      return { item: problems.size === 0 ? item : null, problems, wrong: problems.size > 0 ? [...problems.values()][0]! : null };
    }
    try {
      return { item: view === 'plain' ? itemFromPlainText(text, like.current) : itemFromDynamoText(text), problems: new Map(), wrong: null };
    } catch (problem) {
      return { item: null, problems: new Map(), wrong: (problem as Error).message };
    }
  }, [draft, text, view, isText]);

  const isChanged = current.item === null || !isSameItem(current.item, read ?? start);
  const bytes = current.item ? itemBytes(current.item) : null;
  const keyProblem = current.item && read && keys.some((name) => JSON.stringify(current.item![name]) !== JSON.stringify(read[name])) ? 'The key of an item cannot be changed: duplicate it instead.' : null;

  const choose = (to: View) => {
    if (to === view) return;
    if (isText && current.item === null) return setError(new Error(`Put this right first: ${current.wrong}`));
    setError(null);
    const item = current.item ?? itemOfDraft(draft).item;
    if (isText) setDraft(startingDraft(table, item));
    if (to === 'dynamo' || to === 'plain') {
      like.current = item;
      setText(textOf(to, item));
    }
    setView(to);
  };

  // A new one of which nothing was typed yet; what is no item as it stands was typed.
  const isUntouched = read === null && (current.item ? isSameItem(current.item, start) || isSameItem(current.item, begun) : !isText && isSameItem(itemOfDraft(draft).item, begun));
  const close = () => {
    if (!isChanged || isUntouched || confirm('Close without saving what you changed?')) onClose();
  };

  const attempt = async (action: 'save' | 'delete', work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (problem) {
      const isConflict = problem instanceof RequestError && problem.code === 'ConditionalCheckFailedException';
      if (!isConflict) setError(problem as Error);
      else if (read === null) setError(new Error('There is an item with this key already. Choose another key, or open that one.'));
      else
        await readItem(table, keyOf(read)).then(
          (now) => setConflict({ action, current: now }),
          (again: Error) => setError(again),
        );
    }
    setBusy(false);
  };
  const keyOf = (item: Item): Item => Object.fromEntries(keys.map((name) => [name, item[name]!]));

  const save = (anyway = false) =>
    attempt('save', async () => {
      const item = current.item!;
      if (anyway) await call('PutItem', { TableName: table.TableName, Item: item });
      else if (read === null) await call('PutItem', putNewRequest(table.TableName, keys, item));
      else {
        const request = updateRequest(table.TableName, keys, read, item);
        if (request) await call('UpdateItem', request);
      }
      tell(read === null ? 'Created' : 'Saved');
      onChanged(item);
      onClose();
    });
  const remove = (anyway = false) =>
    attempt('delete', async () => {
      await call('DeleteItem', anyway ? { TableName: table.TableName, Key: keyOf(read!) } : deleteRequest(table.TableName, keys, read!));
      tell('Deleted');
      onChanged(null);
      onClose();
    });
  const duplicate = () => {
    const item = current.item ?? read!;
    setRead(null);
    setConflict(null);
    setDraft(startingDraft(table, item));
    setView('form');
    setCopy(true);
  };

  const title = read === null ? `New item in ${table.TableName}` : keys.map((name) => shown(read[name], 60)).join(' · ');
  const canSave = current.item !== null && !keyProblem && bytes! <= ITEM_BYTES_MAX && !isBusy && mayWrite() && (read === null || isChanged);
  const types = Object.fromEntries(table.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType as TypeName]));
  return (
    <Dialog
      title={title}
      wide
      onClose={close}
      onSubmit={() => canSave && void save()}
      footer={
        <>
          {read && !isDeleting && (
            <>
              <button type="button" class="danger" aria-disabled={isBusy} {...forWriters()} onClick={() => setDeleting(true)}>
                Delete
              </button>
              <button type="button" aria-disabled={isBusy} {...forWriters()} onClick={duplicate}>
                Duplicate
              </button>
            </>
          )}
          {isDeleting && (
            <>
              <span>Delete this item?</span>
              <button type="button" class="danger" aria-disabled={isBusy} onClick={() => void remove()}>
                Yes, delete it
              </button>
              <button type="button" onClick={() => setDeleting(false)}>
                No
              </button>
            </>
          )}
          <span class="grow" />
          <Size bytes={bytes} wrong={current.wrong} />
          <button class="primary" disabled={!canSave && !isBusy} aria-disabled={isBusy} {...forWriters('Ctrl+Enter')}>
            {read === null ? 'Create' : 'Save'}
          </button>
        </>
      }
    >
      <div
        ref={root}
        class="item-editor"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSave) {
            event.preventDefault();
            void save();
          } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        {error && <ErrorBox error={error} />}
        {conflict && (
          <ConflictBox
            conflict={conflict}
            read={read!}
            isBusy={isBusy}
            onAnyway={() => void (conflict.action === 'save' ? save(true) : remove(true))}
            onRebase={() => {
              const merged = rebased(read!, current.item!, conflict.current!);
              setRead(conflict.current);
              setDraft(startingDraft(table, merged));
              setText(textOf(view, merged));
              setConflict(null);
            }}
            onReload={() => {
              setConflict(null);
              if (conflict.current) onReload();
              else onClose();
            }}
          />
        )}
        {owner !== null && (
          <div class="box note">
            This table belongs to the model <a href={linkTo('patterns', [owner])}>{owner}</a>: its keys and copies are kept by its operations. What is changed here by hand they do not see.
          </div>
        )}
        {isCopy && <div class="box note">This is a copy now. Give it another key, and create it.</div>}
        {keyProblem && <div class="box warning">{keyProblem}</div>}
        <Tabs<View> label="Ways to see the item" tabs={read ? [...VIEWS, { name: 'history', label: 'History' }] : VIEWS} chosen={view} onChoose={choose}>
          {view === 'form' && <ValueParts draft={draft} path="" problems={current.problems} fixed={{ names: keys, types, isKept: read !== null }} onChange={setDraft} />}
          {isText && (
            <>
              <textarea class="item-text" rows={18} spellcheck={false} aria-label={view === 'plain' ? 'The item as JSON' : 'The item as DynamoDB JSON'} value={text} onInput={(event) => setText(event.currentTarget.value)} />
              <p class="soft">
                {current.wrong ? <span class="problem">{current.wrong}</span> : view === 'plain' ? 'Sets and binaries stay what they are; new lists are lists, and new texts are strings.' : 'Every value with its type; numbers are texts, binary is base64.'}
              </p>
            </>
          )}
          {view === 'history' && read && <ItemHistory table={table} itemKey={keyOf(read)} onTableChange={onTableChange} />}
        </Tabs>
      </div>
    </Dialog>
  );
}

function Size({ bytes, wrong }: { bytes: number | null; wrong: string | null }) {
  if (bytes === null) return <span class="problem" title={wrong ?? ''}>Something is not right yet</span>;
  const isTooLarge = bytes > ITEM_BYTES_MAX;
  return (
    <span class={isTooLarge ? 'problem' : 'soft'} title={`An item has at most 400 KB; a write of this one takes ${unitsText(Math.ceil(bytes / 1024))}`}>
      {byteText(bytes)} of 400 KB{isTooLarge && ': too large'}
    </span>
  );
}

interface ConflictParts {
  conflict: Conflict;
  read: Item;
  isBusy: boolean;
  onAnyway: () => void;
  onRebase: () => void;
  onReload: () => void;
}

function ConflictBox({ conflict: { action, current }, read, isBusy, onAnyway, onRebase, onReload }: ConflictParts) {
  return (
    <div class="box warning" role="alert">
      <p>
        <strong>{current ? 'Somebody has changed this item since you opened it.' : 'Somebody has deleted this item since you opened it.'}</strong> Nothing was {action === 'save' ? 'saved' : 'deleted'}.
      </p>
      {current && <ChangeList before={read} after={current} />}
      <div class="row">
        {current && action === 'save' && (
          <button type="button" class="primary" aria-disabled={isBusy} onClick={onRebase}>
            Put my changes on it
          </button>
        )}
        <button type="button" aria-disabled={isBusy} onClick={onAnyway}>
          {action === 'save' ? (current ? 'Overwrite it with mine' : 'Create it again') : 'Delete it anyway'}
        </button>
        <button type="button" onClick={onReload}>
          {current ? 'Load it as it is now' : 'Close'}
        </button>
      </div>
    </div>
  );
}
